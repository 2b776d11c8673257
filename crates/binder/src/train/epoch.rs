//! One epoch, fast: the negatives that matter are found while they are drawn, and every concept's
//! gradient is put together and its bits are flipped on its own.
//!
//! A negative pair matters only while at most one bit separates it (`G ≤ 1`), and of random pairs
//! hardly any does once training is under way. `near_misses.rs` finds those among the draws,
//! `dense_draws.rs` for concepts that draw nearly everyone, and columns find them among all pairs
//! where every negative counts:
//!
//! ```text
//! draws      →  near misses, dense draws  ┐
//!                                         ├→  gradient and flips of each concept
//! all pairs  →  columns                   ┘
//! ```

use std::ops::{Add, AddAssign};

use rayon::prelude::*;

use super::ValidTrainParams;
use super::dense_draws::{DenseDraws, least_draws};
use super::flip::FlipRule;
use super::gradient::{RowGradient, Weights};
use super::loss::Loss;
use super::near_misses::{DrawScan, MOST_LISTED, NearMisses, near_misses_bytes};
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id, last_word_mask};
use crate::codes::{Codes, Columns};
use crate::graph::{Graph, Reach};
use crate::memory::{self, MemoryError};
use crate::random::{Purpose, Stream, Streams};

/// The most concepts: near_misses keep the side in the highest bit of the partner's id.
pub(crate) const MOST_CONCEPTS: usize = 1 << 31;

/// Concepts a thread takes at a time.
pub(super) const CHUNK: usize = 256;

/// What an epoch did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EpochReport {
    /// The loss of the codes that the epoch began with, on its negatives.
    pub loss: Loss,
    /// Bits flipped.
    pub flips: u64,
}

/// Trains epoch after epoch.
#[derive(Debug)]
pub(super) struct Trainer<'a> {
    work: Work<'a>,
    dense: DenseDraws,
    /// Concepts in a range, at least one: what the last range allowed is a good guess for the next.
    width: usize,
    /// [`MOST_LISTED`], or fewer in tests.
    most_listed: usize,
    /// The codes after the epoch, while the ones before it are still looked at.
    next: Vec<u64>,
}

/// What every thread of an epoch looks at.
#[derive(Debug)]
struct Work<'a> {
    pairs: &'a Graph,
    params: &'a ValidTrainParams,
    weights: Weights,
    rule: FlipRule,
    kernels: &'static Kernels,
}

impl<'a> Trainer<'a> {
    /// A trainer, if the draws of an epoch fit into memory.
    pub(super) fn new(pairs: &'a Graph, params: &'a ValidTrainParams) -> Result<Self, MemoryError> {
        let weights = Weights::new(pairs, params);
        let rule = FlipRule::new(params.rate / weights.units, params.bias);
        let work = Work { pairs, params, weights, rule, kernels: Kernels::current() };
        let dense = DenseDraws::choose(pairs, params, least_draws(pairs.concepts()));
        if !params.all_negatives {
            memory::check("the draws of an epoch", near_misses_bytes(pairs, params, &dense))?;
        }
        Ok(Self { work, dense, width: usize::MAX, most_listed: MOST_LISTED, next: Vec::new() })
    }

    /// One epoch: negatives, gradient, flips.
    pub(super) fn epoch(&mut self, codes: &mut Codes, epoch: u64) -> EpochReport {
        self.next.resize(codes.words().len(), 0);
        let report = if self.work.params.all_negatives {
            self.work.flip_all_negatives(codes, epoch, &mut self.next)
        } else {
            self.flip_drawn(codes, epoch)
        };
        codes.words_mut().copy_from_slice(&self.next);
        report
    }

    fn flip_drawn(&mut self, codes: &Codes, epoch: u64) -> EpochReport {
        let (n, stride) = (codes.len(), codes.words_per_row());
        self.dense.draw(self.work.pairs, self.work.params, codes, epoch);
        let mut report = EpochReport::default();
        let mut start = 0;
        while start < n {
            let range = start..start.saturating_add(self.width).min(n);
            // One concept cannot be divided: its near_misses are kept, however many.
            let most = if range.len() == 1 { usize::MAX } else { self.most_listed };
            let scan = DrawScan::new(self.work.pairs, self.work.params, &self.dense, codes, epoch);
            let Some(near_misses) = scan.near_misses(range.clone(), most) else {
                self.width = range.len() / 2;
                continue;
            };
            let next = &mut self.next[range.start * stride..range.end * stride];
            report += self.work.flip(codes, range.start, &near_misses, &self.dense, epoch, next);
            start = range.end;
            // One wide parent must not make the ranges narrow for everyone after it.
            if near_misses.len() < self.most_listed / 4 || range.len() == 1 {
                self.width = self.width.saturating_mul(2);
            }
        }
        report
    }
}

impl Work<'_> {
    /// The codes of a range of concepts after the epoch, into `next`.
    fn flip(
        &self,
        codes: &Codes,
        first: usize,
        near_misses: &NearMisses,
        dense: &DenseDraws,
        epoch: u64,
        next: &mut [u64],
    ) -> EpochReport {
        self.flip_each(
            codes,
            first,
            epoch,
            next,
            || (Id::MAX, Vec::new()),
            |(masked, masks), gradient, concept| {
                if *masked != concept / 64 {
                    *masked = concept / 64;
                    dense.drawing(concept / 64 * 64, masks);
                }
                let drawing = dense.drawers(masks, concept as usize % 64);
                gradient.gather(concept, near_misses.of(concept as usize - first), dense, drawing);
            },
        )
    }

    /// The codes of all concepts after an epoch with every negative, into `next`.
    fn flip_all_negatives(&self, codes: &Codes, epoch: u64, next: &mut [u64]) -> EpochReport {
        let columns = Columns::with_kernels(codes, self.kernels);
        self.flip_each(
            codes,
            0,
            epoch,
            next,
            || Reach::new(self.pairs),
            |reach, gradient, concept| {
                gradient.gather_all(concept, &columns, reach);
            },
        )
    }

    /// Gathers the negatives of each concept from `first` on and flips its bits, in parallel; every
    /// thread has something of its own.
    fn flip_each<T>(
        &self,
        codes: &Codes,
        first: usize,
        epoch: u64,
        next: &mut [u64],
        own: impl Fn() -> T + Sync,
        gather: impl Fn(&mut T, &mut RowGradient, Id) + Sync,
    ) -> EpochReport {
        let stride = codes.words_per_row();
        let clear = self.rule.is_clear(self.weights);
        let streams = Streams::new(self.params.seed, epoch, Purpose::Flips);
        let rows = next.par_chunks_mut(CHUNK * stride).enumerate();
        let start = || {
            (own(), RowGradient::new(self.pairs, self.params, self.weights, self.kernels, codes))
        };
        let reports = rows.map_init(start, |(own, gradient), (chunk, rows)| {
            let mut report = EpochReport::default();
            for (at, row) in (chunk * CHUNK..).zip(rows.chunks_exact_mut(stride)) {
                let concept = id(first + at);
                row.copy_from_slice(codes.row(concept));
                gather(own, gradient, concept);
                report.loss += gradient.loss(concept);
                let stream = streams.of(concept);
                if clear
                    && self.pairs.children(concept).is_empty()
                    && gradient.needs_no_counts(concept)
                {
                    self.flip_leaf(codes, concept, gradient.separating_bits(), stream, row);
                } else {
                    gradient.weigh(concept);
                    for (word, next) in row.iter_mut().enumerate() {
                        *next ^= self.rule.flips(gradient.word(word), stream, word as u64 * 256);
                    }
                }
                report.flips += u64::from(distance(row, codes.row(concept)));
            }
            report
        });
        reports.reduce(EpochReport::default, Add::add)
    }

    /// Flips bits of a concept without children where α decides alone: a bit that some parent has
    /// is wanted, one that no parent has is neutral, unless it is the only one that keeps some pair
    /// apart. Most concepts of most epochs are such.
    fn flip_leaf(
        &self,
        codes: &Codes,
        concept: Id,
        separating_bits: &[u16],
        stream: Stream,
        row: &mut [u64],
    ) {
        let bits = codes.bits();
        for (word, next) in row.iter_mut().enumerate() {
            let parents = self
                .pairs
                .parents(concept)
                .iter()
                .fold(0, |all, &parent| all | codes.row(parent)[word]);
            let used = if bits - word * 64 < 64 { last_word_mask(bits) } else { u64::MAX };
            let here = separating_bits.iter().filter(|&&bit| usize::from(bit) / 64 == word);
            let needed = here.fold(0, |all, bit| all | 1 << (bit % 64));
            let neutral = used & !(parents | needed);
            *next ^= self.rule.clear_flips(neutral, parents & !*next, stream, word as u64 * 256);
        }
    }
}

/// In how many bits two rows differ.
fn distance(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}

impl Add for EpochReport {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut loss = self.loss;
        loss += other.loss;
        Self { loss, flips: self.flips + other.flips }
    }
}

impl AddAssign for EpochReport {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::loss::{gradient, loss};
    use super::super::negatives::{list, list_all};
    use super::super::{Init, Recipe, Sampling, TrainParams};
    use super::*;

    /// The epoch by definition: list the negatives, take the gradient of every bit, flip.
    fn by_definition(
        codes: &Codes,
        pairs: &Graph,
        params: &ValidTrainParams,
        epoch: u64,
    ) -> (Codes, EpochReport) {
        let negatives = match params.all_negatives {
            true => list_all(pairs),
            false => list(pairs, params.negatives, params.sampling, params.seed, epoch),
        };
        let gradients = gradient(codes, pairs, &negatives);
        let Weights { alpha, beta, units } = Weights::new(pairs, params);
        let (mut next, rule, bits) =
            (codes.clone(), FlipRule::new(params.rate / units, params.bias), codes.bits());
        let mut report = EpochReport { loss: loss(codes, pairs, &negatives), flips: 0 };
        for concept in 0..id(codes.len()) {
            let stream = Stream::new(params.seed, epoch, Purpose::Flips, concept);
            let row = &gradients[concept as usize * bits..(concept as usize + 1) * bits];
            let weigh = |g: &super::super::loss::Gradient| g.positive * alpha + g.negative * beta;
            let row: Vec<i64> = row.iter().map(weigh).collect();
            for (word, gradients) in row.chunks(64).enumerate() {
                let flips = rule.flips(gradients, stream, word as u64 * 256);
                report.flips += u64::from(flips.count_ones());
                crate::bits::ones(flips).for_each(|bit| {
                    let bit = word * 64 + bit as usize;
                    next.set(concept, bit, !codes.get(concept, bit));
                });
            }
        }
        (next, report)
    }

    fn settings() -> impl Strategy<Value = TrainParams> {
        (any::<(bool, bool, bool, bool)>(), 1..140usize, 1..20u32, any::<u64>(), 0..3usize)
            .prop_map(|(rules, bits, negatives, seed, init)| {
                let (filtered, distinct, with_self, reversed) = rules;
                let sampling = Sampling { filtered, distinct, with_self, reversed };
                let init = [Init::Ones, Init::Zeros, Init::Random][init].clone();
                TrainParams {
                    bits,
                    negatives,
                    all_negatives: seed / 100 % 4 == 0,
                    seed,
                    sampling,
                    init,
                    alpha: [1 + (seed % 50) as u32, 25_000][(seed / 50 % 2) as usize],
                    ..Recipe::Paper.params(true)
                }
            })
    }

    proptest! {
        #[test]
        fn the_fast_epoch_equals_the_definition(edges in proptest::collection::vec((0..30u32, 0..30u32), 1..80), params in settings()) {
            let pairs: Vec<_> = edges.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect();
            let pairs = Graph::new(30, pairs);
            let params = params.check(30).unwrap();
            let mut codes = super::super::run::first_codes(&pairs, &params).unwrap();
            let mut trainer = Trainer::new(&pairs, &params).unwrap();
            // So few that concepts are divided into ranges, down to one, and some have more
            // near_misses than that alone.
            trainer.most_listed = [MOST_LISTED, 200, 5][(params.seed % 3) as usize];
            trainer.dense = DenseDraws::choose(&pairs, &params, [1, 10, usize::MAX][(params.seed / 3 % 3) as usize]);
            for epoch in 1..6 {
                let (next, report) = by_definition(&codes, &pairs, &params, epoch);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch), report);
                prop_assert_eq!(&codes, &next);
            }
        }
    }
}
