//! Codes to begin with that miss no training pair.

use super::ValidTrainParams;
use crate::bits::Id;
use crate::codes::{Codes, CodesError};
use crate::graph::Graph;
use crate::random::{Purpose, Stream};

/// Codes that agree with every pair: each concept has its parents' bits and random ones of its own.
///
/// A concept takes its share of what is left to half of the bits: one part, when the longest way
/// down from it has as many parts as concepts. So leaves, which are many, differ in many bits, and
/// a way from a root to a leaf is never short of bits.
pub(super) fn inherited_codes(
    pairs: &Graph,
    params: &ValidTrainParams,
) -> Result<Codes, CodesError> {
    let mut codes = Codes::zeros(pairs.concepts(), params.bits)?;
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
        let left = (params.bits / 2).saturating_sub(has);
        let own = left
            .div_ceil(height[concept as usize] + 1)
            .clamp(1, params.bits - has.min(params.bits - 1));
        let stream = Stream::new(params.seed, 0, Purpose::Start, concept);
        add_bits(&mut codes, concept, own, stream);
    }
    hand_down(&mut codes, pairs);
    Ok(codes)
}

/// Sets some bits that a concept lacks, if that many are found in a few draws.
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

/// Gives every concept the bits of its parents, and they those of theirs.
pub(super) fn hand_down(codes: &mut Codes, pairs: &Graph) {
    let order = pairs.parents_first();
    loop {
        let before = codes.words().to_vec();
        for &concept in &order {
            pairs.parents(concept).iter().for_each(|&parent| codes.inherit(concept, parent));
        }
        // Once is enough, unless pairs go in a circle.
        if codes.words() == before {
            return;
        }
    }
}
