//! A fast epoch: near misses are found while negatives are drawn, and the gradient and the flips of
//! each concept are computed independently of the others.
//!
//! A negative pair affects the gradient only while at most one bit separates it (`G ≤ 1`). After
//! the first epochs this is true of few random pairs. `near_misses.rs` finds them among the draws,
//! and `dense_draws.rs` does so for concepts that draw nearly all others. If every negative counts,
//! columns find them among all pairs:
//!
//! ```text
//! draws      →  near misses, dense draws  ┐
//!                                         ├→  gradient and flips of each concept
//! all pairs  →  columns                   ┘
//! ```

use std::ops::{Add, AddAssign};

use rayon::prelude::*;

use super::ValidTrainParams;
use super::dense_draws::{DenseDraws, min_draws};
use super::flip::FlipRule;
use super::gradient::{RowGradient, Weights};
use super::loss::Loss;
use super::near_misses::{DrawScan, MAX_LISTED, NearMisses, near_misses_bytes};
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id, last_word_mask};
use crate::codes::{Codes, Columns};
use crate::graph::{Graph, Reach};
use crate::memory::{self, MemoryError, Stage};
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream, Streams};

/// The largest number of concepts. [`NearPartner`](super::gradient::NearPartner) keeps the side in
/// the highest bit of the partner's id, so ids have 31 bits.
pub(crate) const MAX_CONCEPTS: usize = 1 << 31;

/// The number of concepts that a thread handles at a time.
pub(super) const CHUNK: usize = 256;

/// What an epoch did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EpochReport {
    /// The loss of the codes before the epoch, on the negatives of the epoch.
    pub loss: Loss,
    /// The number of bits flipped.
    pub flips: u64,
}

/// Trains by single flips.
#[derive(Debug)]
pub(super) struct Trainer<'a> {
    work: Work<'a>,
    dense: DenseDraws,
    /// The number of concepts in the next range, at least one. The width of the last range is a
    /// good guess for the next.
    width: usize,
    /// [`MAX_LISTED`], or fewer in tests.
    max_listed: usize,
    /// The codes after the epoch, kept apart because the old codes are read until its end.
    next: Vec<u64>,
}

/// The data that all threads of an epoch share.
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
        let dense = DenseDraws::choose(pairs, params, min_draws(pairs.concepts()));
        if !params.all_negatives {
            memory::check(Stage::Draws, near_misses_bytes(pairs, params, &dense))?;
        }
        Ok(Self { work, dense, width: usize::MAX, max_listed: MAX_LISTED, next: Vec::new() })
    }

    /// One epoch: negatives, gradient, flips.
    ///
    /// # Errors
    ///
    /// When the work is cancelled; the codes are as before then.
    pub(super) fn epoch(
        &mut self,
        codes: &mut Codes,
        epoch: u64,
        progress: &dyn Progress,
    ) -> Result<EpochReport, Cancelled> {
        self.next.resize(codes.words().len(), 0);
        let report = if self.work.params.all_negatives {
            self.work.flip_all_negatives(Step { codes, epoch, progress }, &mut self.next)
        } else {
            self.flip_drawn(codes, epoch, progress)?
        };
        progress.go_on()?;
        codes.words_mut().copy_from_slice(&self.next);
        Ok(report)
    }

    fn flip_drawn(
        &mut self,
        codes: &Codes,
        epoch: u64,
        progress: &dyn Progress,
    ) -> Result<EpochReport, Cancelled> {
        let (n, stride) = (codes.len(), codes.words_per_row());
        self.dense.draw(self.work.pairs, self.work.params, codes, epoch);
        progress.go_on()?;
        let mut report = EpochReport::default();
        let mut start = 0;
        while start < n {
            let range = start..start.saturating_add(self.width).min(n);
            // A single concept cannot be divided further: all its near misses are kept.
            let most = if range.len() == 1 { usize::MAX } else { self.max_listed };
            let scan = DrawScan::new(self.work.pairs, self.work.params, &self.dense, codes, epoch);
            let found = scan.near_misses(range.clone(), most, progress);
            progress.go_on()?;
            let Some(near_misses) = found else {
                self.width = range.len() / 2;
                continue;
            };
            let next = &mut self.next[range.start * stride..range.end * stride];
            let step = Step { codes, epoch, progress };
            report += self.work.flip(step, range.start, &near_misses, &self.dense, next);
            start = range.end;
            // Widen the range again, so that one wide parent does not slow down all that follow.
            if near_misses.len() < self.max_listed / 4 || range.len() == 1 {
                self.width = self.width.saturating_mul(2);
            }
        }
        Ok(report)
    }
}

/// An epoch that is under way.
#[derive(Clone, Copy)]
struct Step<'a> {
    /// The codes that it began with.
    codes: &'a Codes,
    epoch: u64,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// Writes the new codes of a range of concepts to `next`.
    fn flip(
        &self,
        step: Step<'_>,
        first: usize,
        near_misses: &NearMisses,
        dense: &DenseDraws,
        next: &mut [u64],
    ) -> EpochReport {
        self.flip_each(
            step,
            first,
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

    /// Writes the new codes of all concepts to `next`, with every negative.
    fn flip_all_negatives(&self, step: Step<'_>, next: &mut [u64]) -> EpochReport {
        let columns = Columns::with_kernels(step.codes, self.kernels);
        self.flip_each(
            step,
            0,
            next,
            || Reach::new(self.pairs),
            |reach, gradient, concept| {
                gradient.gather_all(concept, &columns, reach);
            },
        )
    }

    /// Gathers the negatives of each concept, starting with `first`, and flips its bits, in
    /// parallel. `own` makes the scratch space of each thread.
    fn flip_each<T>(
        &self,
        Step { codes, epoch, progress }: Step<'_>,
        first: usize,
        next: &mut [u64],
        own: impl Fn() -> T + Sync,
        gather: impl Fn(&mut T, &mut RowGradient<'_>, Id) + Sync,
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
            if progress.is_cancelled() {
                return report;
            }
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

    /// Flips bits of a concept without children when α alone decides. A bit that some parent has is
    /// wanted. A bit that no parent has is neutral, unless it is the only bit that separates some
    /// pair. In most epochs this is the case for most concepts.
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

/// The number of bits in which two rows differ.
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

    /// The epoch by definition: lists the negatives, computes the gradient of every bit, flips.
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
        fn the_fast_epoch_equals_the_definition(
            edges in proptest::collection::vec((0..30u32, 0..30u32), 1..80), params in settings()
        ) {
            let pairs: Vec<_> = edges.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect();
            let pairs = Graph::new(30, pairs);
            let params = params.check(30).unwrap();
            let mut codes = super::super::run::first_codes(&pairs, &params).unwrap();
            let mut trainer = Trainer::new(&pairs, &params).unwrap();
            // Small limits divide the concepts into ranges, down to a single one, and some concepts
            // alone have more near misses than the limit.
            trainer.max_listed = [MAX_LISTED, 200, 5][(params.seed % 3) as usize];
            let min_draws = [1, 10, usize::MAX][(params.seed / 3 % 3) as usize];
            trainer.dense = DenseDraws::choose(&pairs, &params, min_draws);
            for epoch in 1..6 {
                let (next, report) = by_definition(&codes, &pairs, &params, epoch);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch, &()), Ok(report));
                prop_assert_eq!(&codes, &next);
            }
        }
    }
}
