//! Negatives: pairs that are taken as not is-a, drawn or listed.

use rayon::prelude::*;

use super::{Flips, Sampling, ValidTrainParams};
use crate::bits::{Id, id, missing_bit};
use crate::codes::Codes;
use crate::graph::{Graph, Reach};
use crate::random::{Purpose, Streams};

/// A concept that draws partners, and its side in the pairs it draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drawer {
    pub(crate) concept: Id,
    pub(crate) is_parent: bool,
}

impl Drawer {
    /// The first bit that separates the pair of the concept and a partner.
    #[inline]
    pub(super) fn missing_bit(self, partner: Id, codes: &Codes) -> Option<u16> {
        let (child, parent) =
            if self.is_parent { (partner, self.concept) } else { (self.concept, partner) };
        missing_bit(codes.row(child), codes.row(parent))
    }
}

/// Draws the negatives of an epoch: other parents for the child of every pair, and other children
/// for its parent.
///
/// All pairs of one concept draw from one stream, so it does not matter which pair a draw belongs
/// to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler<'a> {
    pairs: &'a Graph,
    /// The number of other parents drawn for each pair.
    parents_per_pair: usize,
    /// The number of other children drawn for each pair.
    children_per_pair: usize,
    parents: Streams,
    children: Streams,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(pairs: &'a Graph, per_pair: u32, seed: u64, epoch: u64) -> Self {
        // If the number is odd, the extra draw is a parent in even epochs and a child in odd ones.
        let parents_per_pair =
            (per_pair / 2 + u32::from(per_pair % 2 == 1 && epoch.is_multiple_of(2))) as usize;
        Self {
            pairs,
            parents_per_pair,
            children_per_pair: per_pair as usize - parents_per_pair,
            parents: Streams::new(seed, epoch, Purpose::Parents),
            children: Streams::new(seed, epoch, Purpose::Children),
        }
    }

    /// The number of partners that a drawer draws.
    pub(crate) fn draws(&self, drawer: Drawer) -> usize {
        if drawer.is_parent {
            self.pairs.children(drawer.concept).len() * self.children_per_pair
        } else {
            self.pairs.parents(drawer.concept).len() * self.parents_per_pair
        }
    }

    /// Calls `each` with the partners of a drawer, piece by piece, until it returns false. The
    /// length of `buffer`, which must be even, is the size of a piece.
    pub(crate) fn draws_of(
        &self,
        drawer: Drawer,
        buffer: &mut [u32],
        mut each: impl FnMut(&[Id]) -> bool,
    ) {
        let stream = if drawer.is_parent { self.children } else { self.parents }.of(drawer.concept);
        let (concepts, draws) = (id(self.pairs.concepts()), self.draws(drawer));
        let (mut done, mut more) = (0, true);
        while done < draws && more {
            let piece = buffer.len().min(draws - done);
            // Each word gives two draws and the buffer has even length, so every piece starts with
            // a new word.
            stream.below(concepts, done as u64 / 2, &mut buffer[..piece]);
            more = each(&buffer[..piece]);
            done += piece;
        }
    }
}

/// All negatives of an epoch as a list, ascending. This is the definition that the fast epoch must
/// equal.
pub fn list(
    pairs: &Graph,
    per_pair: u32,
    sampling: Sampling,
    seed: u64,
    epoch: u64,
) -> Vec<(Id, Id)> {
    let sampler = Sampler::new(pairs, per_pair, seed, epoch);
    let mut negatives = Vec::new();
    let mut buffer = [0; 64];
    for concept in 0..id(pairs.concepts()) {
        for is_parent in [false, true] {
            sampler.draws_of(Drawer { concept, is_parent }, &mut buffer, |drawn| {
                let pair =
                    |&partner| if is_parent { (partner, concept) } else { (concept, partner) };
                negatives.extend(drawn.iter().map(pair));
                true
            });
        }
    }
    if sampling.reversed {
        negatives.extend(pairs.iter().map(|(child, parent)| (parent, child)));
    }
    negatives.retain(|&(child, parent)| {
        (sampling.with_self || child != parent)
            && !(sampling.filtered && pairs.contains(child, parent))
    });
    negatives.sort_unstable();
    if sampling.distinct {
        negatives.dedup();
    }
    negatives
}

/// All pairs that do not follow from the training pairs, ascending. This is the definition of
/// "every negative".
pub fn list_all(pairs: &Graph) -> Vec<(Id, Id)> {
    let mut reach = Reach::new(pairs);
    let mut negatives = Vec::new();
    for child in 0..id(pairs.concepts()) {
        reach.above(child);
        let unrelated = (0..id(pairs.concepts())).filter(|&parent| !reach.has_found(parent));
        negatives.extend(unrelated.map(|parent| (child, parent)));
    }
    negatives
}

/// The number of negatives in an epoch.
pub fn count_in_epoch(pairs: &Graph, params: &ValidTrainParams) -> u64 {
    if params.all_negatives || params.flips == Flips::Monotone {
        count_all(pairs)
    } else {
        pairs.len() as u64 * u64::from(params.negatives)
    }
}

/// The number of pairs that do not follow from the training pairs.
pub(crate) fn count_all(pairs: &Graph) -> u64 {
    let concepts = pairs.concepts();
    let unrelated = |reach: &mut Reach<'_>, child: usize| {
        reach.above(id(child));
        (concepts - reach.order().len()) as u64
    };
    (0..concepts).into_par_iter().map_init(|| Reach::new(pairs), unrelated).sum()
}
