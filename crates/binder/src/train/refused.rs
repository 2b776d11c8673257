use rayon::prelude::*;

use super::epoch::CHUNK;
use super::gradient::Weights;
use super::negatives::{Drawer, Sampler};
use crate::bits::{Id, id};
use crate::codes::Codes;
use crate::graph::Graph;

/// The bits that the training pairs forbid to flip: a flip would cost at least α.
///
/// ```text
/// bit   parents        children         why it must not flip
/// set   some have it   all have it      the concept would lack a bit of a parent
/// clear none has it    some lack it     a child would lack a bit of the concept
/// ```
///
/// A negative that a single bit separates speaks against the flip of this bit and has no other
/// effect. Where α forbids the flip, such pairs need not be listed, and in the first epochs these
/// are most. Whoever uses this has to check that the flip is impossible even without them.
pub(super) struct Refused {
    /// The words of all concepts, as in the codes.
    words: Vec<u64>,
    /// The number of words of a concept.
    stride: usize,
}

impl Refused {
    /// The refused bits of the concepts whose own draws are by far outweighed by α; `None` if not
    /// even the draws of one pair are.
    pub(super) fn new(
        codes: &Codes,
        pairs: &Graph,
        sampler: &Sampler<'_>,
        Weights { alpha, beta, .. }: Weights,
    ) -> Option<Self> {
        let most_draws = alpha / (2 * beta.max(1));
        let outweighed = |concept: Id| {
            let draws = |is_parent| sampler.draws(Drawer { concept, is_parent });
            let relatives = pairs.parents(concept).len() + pairs.children(concept).len();
            draws(false) + draws(true) + relatives <= usize::try_from(most_draws).unwrap_or(0)
        };
        if !pairs.ids().any(outweighed) {
            return None;
        }
        let stride = codes.words_per_row();
        let mut words = vec![0; codes.words().len()];
        words.par_chunks_mut(CHUNK * stride).enumerate().for_each(|(chunk, rows)| {
            for (at, row) in (chunk * CHUNK..).zip(rows.chunks_exact_mut(stride)) {
                if outweighed(id(at)) {
                    refused_bits(codes, pairs, id(at), row);
                }
            }
        });
        Some(Self { words, stride })
    }

    /// Whether a bit of a concept is refused.
    #[inline]
    pub(super) fn has(&self, concept: Id, bit: u16) -> bool {
        self.word(concept, usize::from(bit) / 64) >> (bit % 64) & 1 == 1
    }

    /// The refused bits in one word of a concept.
    #[inline]
    pub(super) fn word(&self, concept: Id, word: usize) -> u64 {
        self.words[concept as usize * self.stride + word]
    }
}

/// Writes the refused bits of a concept; the padding of the last word may be anything.
fn refused_bits(codes: &Codes, pairs: &Graph, concept: Id, out: &mut [u64]) {
    for (word, (&own, out)) in codes.row(concept).iter().zip(out).enumerate() {
        let parents = pairs.parents(concept).iter();
        let some_parent = parents.fold(0, |some, &parent| some | codes.row(parent)[word]);
        let children = pairs.children(concept).iter();
        let all_children = children.fold(u64::MAX, |all, &child| all & codes.row(child)[word]);
        *out = own & some_parent & all_children | !(own | some_parent | all_children);
    }
}
