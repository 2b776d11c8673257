//! Monotone codes to begin with.

use crate::bits::Id;
use crate::codes::{Codes, CodesError};
use crate::graph::Graph;
use crate::random::{Purpose, Stream};

/// Monotone codes: each concept has its parents' bits and random bits of its own.
///
/// A code may fill half of its bits. A concept gets an equal share of what its parents have left of
/// that half: one part, if the longest path down from it has as many parts as concepts. So leaves,
/// which are most of the concepts, differ in many bits, and no path from a root to a leaf runs out
/// of bits.
pub(crate) fn inherited_codes(pairs: &Graph, bits: usize, seed: u64) -> Result<Codes, CodesError> {
    let mut codes = Codes::zeros(pairs.concepts(), bits)?;
    let order = pairs.parents_first();
    let mut height = vec![0; pairs.concepts()];
    for &concept in order.iter().rev() {
        for &parent in pairs.parents(concept) {
            height[parent as usize] = height[parent as usize].max(height[concept as usize] + 1);
        }
    }
    for concept in order {
        pairs.parents(concept).iter().for_each(|&parent| codes.inherit(concept, parent));
        let has = codes.row(concept).iter().map(|word| word.count_ones() as usize).sum();
        let left = (bits / 2).saturating_sub(has);
        let own = left.div_ceil(height[concept as usize] + 1).clamp(1, bits - has.min(bits - 1));
        let stream = Stream::new(seed, 0, Purpose::Start, concept);
        add_bits(&mut codes, concept, own, stream);
    }
    inherit_all(&mut codes, pairs);
    Ok(codes)
}

/// Sets `own` random bits that a concept lacks; fewer if not enough are found in `8 * bits` draws.
fn add_bits(codes: &mut Codes, concept: Id, mut own: usize, stream: Stream) {
    let bits = codes.bits();
    for draw in 0..8 * bits as u64 {
        let bit =
            usize::try_from(stream.word(draw) % bits as u64).expect("below the number of bits");
        if own > 0 && !codes.get(concept, bit) {
            codes.set(concept, bit, true);
            own -= 1;
        }
    }
}

/// Gives every concept the bits of all its ancestors, so that the codes become monotone.
pub(crate) fn inherit_all(codes: &mut Codes, pairs: &Graph) {
    let order = pairs.parents_first();
    loop {
        let before = codes.words().to_vec();
        for &concept in &order {
            pairs.parents(concept).iter().for_each(|&parent| codes.inherit(concept, parent));
        }
        // One pass is enough if there are no cycles.
        if codes.words() == before {
            return;
        }
    }
}
