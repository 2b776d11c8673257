//! Drawing what is not is-a.

use super::{Sampling, TrainingPairs};
use crate::codes::kernels::{self, Kernels};
use crate::hierarchy::{Id, id};
use crate::random::{Purpose, Stream};

/// Draws the negatives of an epoch: for every pair of a child some other parents, for every pair of a parent some other children.
///
/// Pairs of one concept draw from one stream, so which pair a draw belongs to need not be known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler<'a> {
    pairs: &'a TrainingPairs,
    per_pair: u32,
    seed: u64,
    epoch: u64,
    kernels: &'static Kernels,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(pairs: &'a TrainingPairs, per_pair: u32, seed: u64, epoch: u64) -> Self {
        Self { pairs, per_pair, seed, epoch, kernels: kernels::best() }
    }

    /// How many other parents each pair of a child draws; the odd one goes to parents in even epochs.
    fn parents_a_pair(&self) -> usize {
        (self.per_pair / 2 + u32::from(self.per_pair % 2 == 1 && self.epoch.is_multiple_of(2))) as usize
    }

    fn children_a_pair(&self) -> usize {
        self.per_pair as usize - self.parents_a_pair()
    }

    /// Hands over the parents drawn for a child, in pieces.
    pub(crate) fn parents_for(&self, child: Id, buffer: &mut [u32], each: impl FnMut(&[Id])) {
        let draws = self.pairs.parents(child).len() * self.parents_a_pair();
        self.draw(Purpose::Parents, child, draws, buffer, each);
    }

    /// Hands over the children drawn for a parent, in pieces.
    pub(crate) fn children_for(&self, parent: Id, buffer: &mut [u32], each: impl FnMut(&[Id])) {
        let draws = self.pairs.children(parent).len() * self.children_a_pair();
        self.draw(Purpose::Children, parent, draws, buffer, each);
    }

    fn draw(
        &self,
        purpose: Purpose,
        concept: Id,
        draws: usize,
        buffer: &mut [u32],
        mut each: impl FnMut(&[Id]),
    ) {
        let stream = Stream::new(self.seed, self.epoch, purpose, concept);
        let concepts = id(self.pairs.concepts());
        let mut done = 0;
        while done < draws {
            let piece = buffer.len().min(draws - done);
            // Two draws a word, and a buffer of even length: every piece but the last starts with a new word.
            stream.below(self.kernels, concepts, done as u64 / 2, &mut buffer[..piece]);
            each(&buffer[..piece]);
            done += piece;
        }
    }
}

/// All negatives of an epoch in a list, ascending: the meaning that the fast epoch must equal.
pub fn list(
    pairs: &TrainingPairs,
    per_pair: u32,
    sampling: Sampling,
    seed: u64,
    epoch: u64,
) -> Vec<(Id, Id)> {
    let sampler = Sampler::new(pairs, per_pair, seed, epoch);
    let mut negatives = Vec::new();
    let mut buffer = [0; 64];
    for concept in 0..id(pairs.concepts()) {
        sampler.parents_for(concept, &mut buffer, |drawn| {
            negatives.extend(drawn.iter().map(|&parent| (concept, parent)));
        });
        sampler.children_for(concept, &mut buffer, |drawn| {
            negatives.extend(drawn.iter().map(|&child| (child, concept)));
        });
    }
    if sampling.reversed {
        negatives.extend(pairs.iter().map(|(child, parent)| (parent, child)));
    }
    negatives.retain(|&(child, parent)| {
        (sampling.with_self || child != parent) && !(sampling.filtered && pairs.contains(child, parent))
    });
    negatives.sort_unstable();
    if sampling.distinct {
        negatives.dedup();
    }
    negatives
}
