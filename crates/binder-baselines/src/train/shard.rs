use binder::Id;
use binder::bits::VectorWork;
use binder::graph::Graph;

use crate::embedding::Embedding;
use crate::loss::Weights;
use crate::random::{Draws, Purpose};

/// A slope so small moves a vector by nothing that counts. Without those, a gradient is computed
/// for a few pairs in a hundred instead of all: scores are no worse, and epochs a third shorter or
/// more.
const NEGLIGIBLE: f32 = 1e-4;

/// Draws that are tried before a negative is searched for.
const TRIES: u32 = 16;

/// What a batch works on. Rows are addressed by their *slots*, the positions of their concepts in
/// `concepts`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch<'a, E> {
    pub(super) embedding: &'a E,
    /// The concepts whose rows are in use, ascending.
    pub(super) concepts: &'a [Id],
    /// Their derived rows, `stride` numbers each.
    pub(super) derived: &'a [f32],
    pub(super) stride: usize,
    /// The slots that negatives are drawn from.
    pub(super) pool: &'a [u32],
    /// Pairs that are no negatives.
    pub(super) avoided: &'a Graph,
    pub(super) negatives: usize,
    pub(super) weights: Weights<f32>,
    pub(super) seed: u64,
    pub(super) step: u64,
}

/// A pair that moves both of its rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moving {
    /// The slots of its ends.
    pub(super) parent: u32,
    pub(super) child: u32,
    /// The slope of the loss by its score.
    pub(super) slope: f32,
}

/// One part of a batch. A batch has a fixed number of them, and sums are made shard by shard: the
/// result does not depend on how many threads work on them.
#[derive(Debug, Clone, Default)]
pub(super) struct Shard {
    /// The pairs with a slope that counts, in the order of the positives.
    pub(super) moving: Vec<Moving>,
    /// The (parent, child) slots of a positive and its negatives, their scores, and the slopes of
    /// those.
    pairs: Vec<[u32; 2]>,
    scores: Vec<f32>,
    by_score: Vec<f32>,
    /// The loss of the last batch.
    pub(super) loss: f64,
}

impl Shard {
    /// Forgets the last batch and makes room for so many negatives of a positive.
    pub(super) fn prepare(&mut self, negatives: usize) {
        self.loss = 0.0;
        self.moving.clear();
        self.pairs.resize(negatives + 1, [0; 2]);
        self.scores.resize(negatives + 1, 0.0);
        self.by_score.resize(negatives + 1, 0.0);
    }
}

/// The work of a shard: scores, loss and slopes of some positives with their negatives.
pub(super) struct ShardWork<'a, E> {
    pub(super) batch: Batch<'a, E>,
    pub(super) shard: &'a mut Shard,
    /// The (parent, child) slots of the positives, and the number of the first in the batch.
    pub(super) positives: &'a [[u32; 2]],
    pub(super) first: u64,
}

impl<E: Embedding> VectorWork for ShardWork<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { batch, shard, positives, first } = self;
        for (number, &positive) in (first..).zip(positives) {
            shard.pairs[0] = positive;
            let mut draws = Draws::new(batch.seed, Purpose::Negatives, batch.step, number);
            for pair in &mut shard.pairs[1..] {
                *pair = batch.negative(&mut draws);
            }
            let pairs = &shard.pairs[..];
            batch.embedding.scores(
                #[inline(always)]
                |number| pairs[number].map(|slot| batch.row(slot)),
                &mut shard.scores,
            );
            let loss = batch.embedding.loss();
            let loss = loss.of(&shard.scores, batch.weights, &mut shard.by_score);
            shard.loss += f64::from(loss);
            for (&slope, &[parent, child]) in shard.by_score.iter().zip(&shard.pairs) {
                if slope.abs() > NEGLIGIBLE && parent != child {
                    shard.moving.push(Moving { parent, child, slope });
                }
            }
        }
    }
}

impl<E: Embedding> Batch<'_, E> {
    /// The derived row in a slot.
    #[inline(always)]
    fn row(&self, slot: u32) -> &[f32] {
        let start = slot as usize * self.stride;
        &self.derived[start..start + self.embedding.shape().derived]
    }

    /// The (parent, child) slots of a random pair that is not avoided.
    #[inline(always)]
    fn negative(&self, draws: &mut Draws) -> [u32; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "there are no more slots than ids")]
        let bound = self.pool.len() as u32;
        let mut drawn = [0; 2];
        for _ in 0..TRIES {
            drawn = draws.two_below(bound);
            if let Some(pair) = self.allowed(drawn) {
                return pair;
            }
        }
        self.next_allowed(drawn)
    }

    /// The slots at two places of the pool, unless the pair of their concepts is avoided.
    #[inline(always)]
    fn allowed(&self, [parent, child]: [u32; 2]) -> Option<[u32; 2]> {
        let (parent, child) = (self.pool[parent as usize], self.pool[child as usize]);
        let concept = |slot: u32| self.concepts[slot as usize];
        let avoided = parent == child || self.avoided.contains(concept(child), concept(parent));
        (!avoided).then_some([parent, child])
    }

    /// The first allowed pair from a place on. Where there is none in the pool, which takes pairs
    /// that are nearly all avoided, two neighbours.
    #[cold]
    fn next_allowed(&self, [parent, child]: [u32; 2]) -> [u32; 2] {
        let size = self.pool.len() as u64;
        let start = u64::from(parent) * size + u64::from(child);
        let places = (0..size * size).map(|by| (start + by) % (size * size));
        #[expect(clippy::cast_possible_truncation, reason = "both are below the pool's size")]
        let found = places
            .map(|at| [(at / size) as u32, (at % size) as u32])
            .find_map(|at| self.allowed(at));
        found.unwrap_or([self.pool[0], self.pool[1]])
    }
}
