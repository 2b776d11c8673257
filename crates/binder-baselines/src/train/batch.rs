use binder::Id;
use binder::bits::{VectorWork, vectorised};
use binder::container::ContainerError;
use binder::graph::Graph;
use rayon::prelude::*;

use super::adam::Adam;
use super::gather::{Gathered, Slopes};
use super::shard::{Batch, Shard, ShardWork};
use super::table::{Part, Table};
use super::{NOT_OF_METHOD, State};
use crate::embedding::Embedding;
use crate::loss::Weights;
use crate::params::ValidBaselineParams;
use crate::random::{Draws, Purpose};
use crate::score::{Vectors, stride};

/// Parts of a batch. Their sums are added in order, so it must not depend on the number of threads;
/// more threads than this have nothing to do.
const SHARDS: usize = 8;

/// Blocks of rows that a thread updates before what they give to the shared numbers is added up.
const WAVE: usize = 4;

/// Takes the steps of a run.
#[derive(Debug)]
pub(super) struct Stepper<'a, E> {
    embedding: E,
    params: &'a ValidBaselineParams,
    avoided: &'a Graph,
    adam: Adam,
    table: Table,
    /// The shared numbers with the state of Adam, like a record of the table.
    shared: Vec<f32>,
    /// The derived rows of a batch.
    derived: Vec<f32>,
    shards: Vec<Shard>,
    gathered: Gathered,
    /// The slot of each concept of the batch. Others have what an earlier batch left.
    slots: Vec<u32>,
}

impl<'a, E: Embedding + Copy + Send> Stepper<'a, E> {
    pub(super) fn new(
        embedding: E,
        params: &'a ValidBaselineParams,
        avoided: &'a Graph,
        start: &Vectors,
    ) -> Self {
        let shape = embedding.shape();
        let mut shared = start.shared.clone();
        shared.resize(3 * shape.shared, 0.0);
        Self {
            embedding,
            params,
            avoided,
            adam: Adam::new(params.rate),
            table: Table::new(shape.learnt, &start.values),
            shared,
            derived: Vec::new(),
            shards: vec![Shard::default(); SHARDS],
            gathered: Gathered::default(),
            slots: vec![0; avoided.concepts()],
        }
    }

    /// The vectors after the last step.
    pub(super) fn vectors(&mut self) -> Vectors {
        let shared = self.shared[..self.shared.len() / 3].to_vec();
        Vectors { values: self.table.values(&self.adam), shared }
    }

    /// Copies what is learnt, with the state of Adam.
    pub(super) fn save(&self, state: &mut State) {
        (state.steps, state.shared) = (self.adam.step(), self.shared.clone());
        self.table.save(state);
    }

    /// Goes on from a state.
    pub(super) fn restore(&mut self, state: State) -> Result<(), ContainerError> {
        if state.shared.len() != self.shared.len() {
            return Err(ContainerError::tensor("shared", NOT_OF_METHOD));
        }
        self.shared.clone_from(&state.shared);
        self.adam = Adam::after(self.params.rate, state.steps);
        self.table.restore(state)
    }

    /// One step: the gradient of these positives, each against its negatives. Gives their loss.
    pub(super) fn step(&mut self, positives: &[(Id, Id)]) -> f64 {
        let step = self.adam.begin();
        let pool = self.pool(step);
        let concepts = concepts(&pool, positives, self.slots.len());
        for (slot, &concept) in (0..).zip(&concepts) {
            self.slots[concept as usize] = slot;
        }
        self.derive(&concepts, step);
        self.score(&concepts, &pool, positives, step);
        self.gathered.collect(&self.shards, concepts.len());
        self.update(&concepts, step);
        self.shards.iter().map(|shard| shard.loss).sum()
    }

    /// The concepts that negatives are drawn from, ascending.
    fn pool(&self, step: u32) -> Vec<Id> {
        #[expect(clippy::cast_possible_truncation, reason = "there are no more concepts than ids")]
        let (concepts, size) = (self.slots.len() as u32, self.params.pool);
        if concepts as usize <= size {
            return (0..concepts).collect();
        }
        let mut draws = Draws::new(self.params.seed, Purpose::Pool, step.into(), 0);
        let mut pool: Vec<_> =
            (0..size.div_ceil(2)).flat_map(|_| draws.two_below(concepts)).collect();
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    /// Brings the rows of the batch up to date and derives them.
    fn derive(&mut self, concepts: &[Id], step: u32) {
        let (stride, embedding, adam) = (stride(&self.embedding), &self.embedding, &self.adam);
        self.derived.resize(concepts.len() * stride, 0.0);
        let shared = &self.shared[..self.shared.len() / 3];
        let (mut rest, mut works) = (&mut self.derived[..], Vec::new());
        for part in self.table.parts(concepts) {
            let (derived, others) = rest.split_at_mut(part.wanted.len() * stride);
            rest = others;
            works.push(DeriveWork { embedding, adam, shared, part, derived, stride, step });
        }
        works.into_par_iter().for_each(vectorised);
    }

    /// Scores the pairs of the batch, in shards.
    fn score(&mut self, concepts: &[Id], pool: &[Id], positives: &[(Id, Id)], step: u32) {
        let (params, stride) = (self.params, stride(&self.embedding));
        let slot = |concept: Id| self.slots[concept as usize];
        let pool: Vec<u32> = pool.iter().map(|&concept| slot(concept)).collect();
        let positives: Vec<[u32; 2]> =
            positives.iter().map(|&(child, parent)| [slot(parent), slot(child)]).collect();
        let batch = Batch {
            embedding: &self.embedding,
            concepts,
            derived: &self.derived,
            stride,
            pool: &pool,
            avoided: self.avoided,
            negatives: params.negatives as usize,
            weights: weights(params),
            seed: params.seed,
            step: step.into(),
        };
        let each = positives.len().div_ceil(SHARDS);
        let shards = self.shards.par_iter_mut().enumerate();
        shards.for_each(|(number, shard)| {
            let first = (number * each).min(positives.len());
            let positives = &positives[first..(first + each).min(positives.len())];
            shard.prepare(batch.negatives);
            vectorised(ShardWork { batch, shard, positives, first: first as u64 });
        });
    }

    /// Carries the slopes on to what is learnt, and moves it.
    fn update(&mut self, concepts: &[Id], step: u32) {
        let (stride, embedding, adam) = (stride(&self.embedding), &self.embedding, &self.adam);
        let (derived, gathered) = (&self.derived[..], &self.gathered);
        let shared = &self.shared[..self.shared.len() / 3];
        let work = |part| {
            let to_shared = vec![0.0; shared.len()];
            vectorised(UpdateWork {
                embedding,
                adam,
                shared,
                part,
                derived,
                gathered,
                stride,
                step,
                to_shared,
            })
        };
        let mut parts = self.table.parts(concepts).into_iter();
        let mut slopes = vec![0.0; shared.len()];
        // A few at a time: what they give to the shared numbers is added while it is in the caches.
        let wave =
            if shared.is_empty() { parts.len() } else { WAVE * rayon::current_num_threads() };
        while parts.len() > 0 {
            let wave: Vec<_> = parts.by_ref().take(wave).collect();
            let to_shared: Vec<_> = wave.into_par_iter().map(work).collect();
            vectorised(Sum { to: &mut slopes, rows: &to_shared });
        }
        self.adam.update(&mut self.shared, &slopes, step);
    }
}

fn weights(params: &ValidBaselineParams) -> Weights<f32> {
    use crate::real::Real;
    Weights { negatives: Real::of(params.weight), margin: Real::of(params.margin) }
}

/// The concepts of a batch, ascending: the pool and both ends of the positives.
fn concepts(pool: &[Id], positives: &[(Id, Id)], all: usize) -> Vec<Id> {
    let mut concepts = pool.to_vec();
    if pool.len() < all {
        concepts.extend(positives.iter().flat_map(|&(child, parent)| [child, parent]));
        concepts.sort_unstable();
        concepts.dedup();
    }
    concepts
}

struct DeriveWork<'a, 'b, E> {
    embedding: &'a E,
    adam: &'a Adam,
    shared: &'a [f32],
    part: Part<'a, 'b>,
    derived: &'a mut [f32],
    stride: usize,
    step: u32,
}

impl<E: Embedding> VectorWork for DeriveWork<'_, '_, E> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let shape = self.embedding.shape();
        let rows = self.derived.chunks_exact_mut(self.stride);
        for (&concept, derived) in self.part.wanted.iter().zip(rows) {
            let (record, last) = self.part.record(concept);
            if *last > 0 {
                self.adam.catch_up(record, *last, self.step - 1);
                *last = self.step - 1;
            }
            let derived = &mut derived[..shape.derived];
            derived.fill(0.0);
            self.embedding.derive(self.shared, &record[..shape.learnt], derived);
        }
    }
}

struct UpdateWork<'a, 'b, E> {
    embedding: &'a E,
    adam: &'a Adam,
    shared: &'a [f32],
    part: Part<'a, 'b>,
    derived: &'a [f32],
    gathered: &'a Gathered,
    stride: usize,
    step: u32,
    to_shared: Vec<f32>,
}

impl<E: Embedding> VectorWork for UpdateWork<'_, '_, E> {
    /// The slopes of the shared numbers.
    type Output = Vec<f32>;

    #[inline(always)]
    fn run(mut self) -> Vec<f32> {
        let shape = self.embedding.shape();
        let row = |slot: usize| &self.derived[slot * self.stride..][..shape.derived];
        let (mut slopes, mut to_row) = (Slopes::new(shape.derived), vec![0.0; shape.learnt]);
        for (slot, &concept) in (self.part.slot..).zip(self.part.wanted) {
            let Some(slopes) = slopes.of(slot, self.gathered, self.embedding, row) else {
                continue;
            };
            to_row.fill(0.0);
            let (record, last) = self.part.record(concept);
            self.embedding.chain(
                self.shared,
                &record[..shape.learnt],
                row(slot),
                slopes,
                &mut to_row,
                &mut self.to_shared,
            );
            self.adam.update(record, &to_row, self.step);
            *last = self.step;
        }
        self.to_shared
    }
}

/// Adds rows to another, in their order.
struct Sum<'a> {
    to: &'a mut [f32],
    rows: &'a [Vec<f32>],
}

impl VectorWork for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for row in self.rows {
            self.to.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
        }
    }
}
