//! Pairs scored with vectors that are given.

use std::ops::Range;

use binder::Id;
use binder::bits::{VectorWork, vectorised};
use rayon::prelude::*;

use crate::embedding::Embedding;
use crate::method::{Visitor, with_embedding};
use crate::params::BaselineParams;

/// What a run learns: rows of numbers, one for each concept, and numbers that all share.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The rows, one after the other.
    pub values: Vec<f32>,
    /// The shared numbers.
    pub shared: Vec<f32>,
}

/// Anything that scores pairs. A larger score is a likelier pair.
pub trait Scores: Sync {
    /// The number of concepts.
    fn concepts(&self) -> usize;

    /// The scores of a child with each of these parents.
    fn of_child(&self, child: Id, parents: Range<Id>, scores: &mut [f32]);

    /// The scores of (child, parent) pairs.
    fn of_pairs(&self, pairs: &[(Id, Id)]) -> Vec<f32>;
}

/// Derived rows start at multiples of this many numbers, a cache line.
const LINE: usize = 16;

/// The distance between derived rows.
#[inline(always)]
pub(crate) fn stride(embedding: &impl Embedding) -> usize {
    embedding.shape().derived.next_multiple_of(LINE)
}

/// The derived rows of all concepts.
struct DerivedRows<E> {
    embedding: E,
    rows: Vec<f32>,
}

/// Makes vectors ready to score pairs.
pub(crate) fn scores(params: &BaselineParams, vectors: &Vectors) -> Box<dyn Scores> {
    struct Derive<'a>(&'a Vectors);
    impl Visitor for Derive<'_> {
        type Output = Box<dyn Scores>;

        fn visit<E: Embedding + Send + Copy + 'static>(self, embedding: E) -> Box<dyn Scores> {
            Box::new(DerivedRows::new(embedding, self.0))
        }
    }
    with_embedding(params, Derive(vectors))
}

impl<E: Embedding + Send> DerivedRows<E> {
    fn new(embedding: E, vectors: &Vectors) -> Self {
        let (learnt, stride) = (embedding.shape().learnt, stride(&embedding));
        let mut rows = vec![0.0; vectors.values.len() / learnt * stride];
        let parts =
            rows.par_chunks_mut(ROWS * stride).zip(vectors.values.par_chunks(ROWS * learnt));
        parts.for_each(|(rows, values)| {
            vectorised(DeriveAll { embedding: &embedding, shared: &vectors.shared, values, rows });
        });
        Self { embedding, rows }
    }

    #[inline(always)]
    fn row(&self, concept: Id) -> &[f32] {
        let start = concept as usize * stride(&self.embedding);
        &self.rows[start..start + self.embedding.shape().derived]
    }
}

/// Rows that are derived, or pairs that are scored, by one thread at a time.
const ROWS: usize = 1024;

struct DeriveAll<'a, E> {
    embedding: &'a E,
    shared: &'a [f32],
    values: &'a [f32],
    rows: &'a mut [f32],
}

impl<E: Embedding> VectorWork for DeriveAll<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (shape, stride) = (self.embedding.shape(), stride(self.embedding));
        let rows = self.rows.chunks_exact_mut(stride).zip(self.values.chunks_exact(shape.learnt));
        for (derived, row) in rows {
            self.embedding.derive(self.shared, row, &mut derived[..shape.derived]);
        }
    }
}

impl<E: Embedding + Send> Scores for DerivedRows<E> {
    fn concepts(&self) -> usize {
        self.rows.len() / stride(&self.embedding)
    }

    fn of_child(&self, child: Id, parents: Range<Id>, scores: &mut [f32]) {
        vectorised(ScoreChild { rows: self, child, parents, scores });
    }

    fn of_pairs(&self, pairs: &[(Id, Id)]) -> Vec<f32> {
        let mut scores = vec![0.0; pairs.len()];
        let parts = scores.par_chunks_mut(ROWS).zip(pairs.par_chunks(ROWS));
        parts.for_each(|(scores, pairs)| vectorised(ScorePairs { rows: self, pairs, scores }));
        scores
    }
}

struct ScoreChild<'a, E> {
    rows: &'a DerivedRows<E>,
    child: Id,
    parents: Range<Id>,
    scores: &'a mut [f32],
}

impl<E: Embedding + Send> VectorWork for ScoreChild<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (rows, child) = (self.rows, self.rows.row(self.child));
        #[expect(clippy::cast_possible_truncation, reason = "there are no more than ids")]
        let parent = |number: usize| rows.row(self.parents.start + number as Id);
        rows.embedding.scores(
            #[inline(always)]
            |number| [parent(number), child],
            self.scores,
        );
    }
}

struct ScorePairs<'a, E> {
    rows: &'a DerivedRows<E>,
    pairs: &'a [(Id, Id)],
    scores: &'a mut [f32],
}

impl<E: Embedding + Send> VectorWork for ScorePairs<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.rows.embedding.scores(
            #[inline(always)]
            |number| {
                let (child, parent) = self.pairs[number];
                [self.rows.row(parent), self.rows.row(child)]
            },
            self.scores,
        );
    }
}
