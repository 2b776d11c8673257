//! The similarity term: siblings should have codes that differ in few bits.
//!
//! The loss of the paper says nothing about how near two codes are, and its authors name a term for
//! it as future work. Ours costs γ for each bit in which a concept differs from *all* its siblings
//! below a parent `p` with k children, and in proportion if from some of them:
//!
//! ```text
//! γ Σ_p 1/(k − 1) Σ_{a, b children of p, a < b} H(a, b)      H: bits in which two codes differ
//! ```
//!
//! Flipping bit j of a child lowers it by γ (o − z) / (k − 1), where `o` of its k − 1 siblings
//! would then agree with it and `z` would not; for each parent that is a number from −γ to γ,
//! rounded. It takes one count of the children's bits for each parent. The term steers flips only:
//! the loss that is reported, and by which epochs are kept, is that of the paper.

use rayon::prelude::*;

use super::gradient::FINE;
use crate::bits::Id;
use crate::bits::kernels::Kernels;
use crate::codes::Codes;
use crate::graph::Graph;
use crate::memory::{self, MemoryError, Stage};

/// How many children of each parent have each bit, before an epoch.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    pairs: &'a Graph,
    /// γ.
    gamma: i64,
    /// Whether gains are in units of [`FINE`]; otherwise they are rounded to whole units.
    fine: bool,
    /// Parents with at least two children, ascending. Others have no siblings below them.
    parents: Vec<Id>,
    /// One row of counts for each of `parents`.
    counts: Vec<u32>,
    /// Counts in a row: the bits of a code, padded to whole words.
    width: usize,
}

impl<'a> Siblings<'a> {
    /// Nothing if γ is 0.
    pub(super) fn new(
        pairs: &'a Graph,
        gamma: u32,
        fine: bool,
        bits: usize,
    ) -> Result<Option<Self>, MemoryError> {
        if gamma == 0 {
            return Ok(None);
        }
        let several = |parent: &Id| pairs.children(*parent).len() > 1;
        let parents: Vec<Id> = pairs.ids().filter(several).collect();
        let width = bits.next_multiple_of(64);
        memory::check(Stage::Search, (parents.len() * width * size_of::<u32>()) as u64)?;
        let gamma = gamma.into();
        Ok(Some(Self { pairs, gamma, fine, parents, counts: Vec::new(), width }))
    }

    /// Counts the bits of all children.
    pub(crate) fn count(&mut self, codes: &Codes) {
        let (pairs, count) = (self.pairs, Kernels::current().column_counts);
        self.counts.clear();
        self.counts.resize(self.parents.len() * self.width, 0);
        let rows = self.counts.par_chunks_mut(self.width).zip(&self.parents);
        rows.for_each(|(counts, &parent)| {
            count(codes.words(), codes.words_per_row(), pairs.children(parent), counts);
        });
    }

    /// Adds to `gains` what flipping each bit of a concept gains.
    pub(crate) fn add_gains(&self, concept: Id, code: &[u64], gains: &mut [i64]) {
        for parent in self.pairs.parents(concept) {
            let Ok(at) = self.parents.binary_search(parent) else { continue };
            let others = self.pairs.children(*parent).len() as i64 - 1;
            let each = self.gamma * FINE / others;
            let counts = &self.counts[at * self.width..(at + 1) * self.width];
            for (bit, (gain, &ones)) in gains.iter_mut().zip(counts).enumerate() {
                let has = (code[bit / 64] >> (bit % 64) & 1).cast_signed();
                let ones = i64::from(ones) - has;
                let agree = (2 * ones - others) * (1 - 2 * has);
                *gain += if self.fine { each * agree } else { rounded(each * agree) };
            }
        }
    }
}

/// The nearest number of whole units.
fn rounded(fine: i64) -> i64 {
    (fine + fine.signum() * (FINE / 2)) / FINE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The term by definition, times the product of all k − 1, so that it is a whole number.
    fn term(codes: &Codes, pairs: &Graph, product: i64) -> i64 {
        let differ = |a: Id, b: Id| {
            let words = codes.row(a).iter().zip(codes.row(b));
            i64::from(words.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>())
        };
        let below = |parent: Id| {
            let children = pairs.children(parent);
            let others = (children.len() as i64 - 1).max(1);
            let ordered = |&a: &Id| children.iter().filter(move |&&b| a < b).map(move |&b| (a, b));
            let sum: i64 = children.iter().flat_map(ordered).map(|(a, b)| differ(a, b)).sum();
            sum * (product / others)
        };
        pairs.ids().map(below).sum()
    }

    proptest! {
        /// The gain of a flip is by how much the term falls. γ is a multiple of every k − 1, so
        /// that nothing is rounded.
        #[test]
        fn gains_are_those_of_the_definition(
            edges in proptest::collection::vec((1..8u32, 0..8u32), 1..20),
            words in proptest::collection::vec(0u64..32, 8)
        ) {
            let pairs: Vec<_> = edges.into_iter().filter(|(a, b)| a > b).collect();
            let (pairs, mut codes) = (Graph::new(8, pairs), Codes::from_words(5, words).unwrap());
            let gamma = 2 * 3 * 4 * 5 * 6 * 7;
            let new = |fine| Siblings::new(&pairs, gamma, fine, 5).unwrap().unwrap();
            let (mut siblings, mut fine) = (new(false), new(true));
            siblings.count(&codes);
            fine.count(&codes);
            let gamma = i64::from(gamma);
            for concept in 0..8 {
                let (mut gains, mut fine_gains) = ([0; 5], [0; 5]);
                siblings.add_gains(concept, codes.row(concept), &mut gains);
                fine.add_gains(concept, codes.row(concept), &mut fine_gains);
                prop_assert_eq!(gains.map(|gain| gain * FINE), fine_gains);
                let before = term(&codes, &pairs, gamma);
                for (bit, gain) in gains.into_iter().enumerate() {
                    let had = codes.get(concept, bit);
                    codes.set(concept, bit, !had);
                    prop_assert_eq!(before - term(&codes, &pairs, gamma), gain);
                    codes.set(concept, bit, had);
                }
            }
        }
    }
}
