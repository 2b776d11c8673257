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
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::ValidTrainParams;
use super::dense_draws::{DenseDraws, min_draws};
use super::flip::FlipRule;
use super::full::Full;
use super::gradient::{RowGradient, Weights};
use super::groups::{Groups, Scratch};
use super::loss::Loss;
use super::near_misses::{DrawScan, MAX_BYTES, NearMisses, near_misses_bytes};
use super::refused::Refused;
use super::siblings::Siblings;
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
    /// The loss of the codes before the epoch, on the negatives of the epoch. When false positives
    /// cost nothing (β is 0), no negatives are drawn and none are counted.
    pub loss: Loss,
    /// The number of bits flipped.
    pub flips: u64,
}

/// Trains by single flips.
#[derive(Debug)]
pub(super) struct Trainer<'a> {
    work: Work<'a>,
    dense: DenseDraws,
    /// [`MAX_BYTES`], or fewer in tests.
    max_bytes: usize,
    /// Whether pairs that only speak against refused flips are left out of the lists. Once this has
    /// changed a result, it is not tried again.
    refuses: bool,
    /// The size of the lists in the last epoch, in bytes. It takes long lists to make up for the
    /// time that it takes to know which flips are refused.
    listed: usize,
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
    /// The similarity term, if there is one.
    siblings: Option<Siblings<'a>>,
    kernels: &'static Kernels,
}

impl<'a> Trainer<'a> {
    /// A trainer, if the draws of an epoch fit into memory.
    pub(super) fn new(pairs: &'a Graph, params: &'a ValidTrainParams) -> Result<Self, MemoryError> {
        let weights = Weights::new(pairs, params);
        let rule = FlipRule::new(params.rate / weights.units, params.bias, params.chances);
        let siblings = Siblings::new(pairs, params.similarity, params.all_negatives, params.bits)?;
        let work = Work { pairs, params, weights, rule, siblings, kernels: Kernels::current() };
        let dense = DenseDraws::choose(pairs, params, min_draws(pairs.concepts()));
        if !params.all_negatives && params.beta > 0 {
            memory::check(Stage::Draws, near_misses_bytes(pairs, params, &dense))?;
        }
        Ok(Self {
            work,
            dense,
            max_bytes: MAX_BYTES,
            refuses: true,
            listed: usize::MAX,
            next: Vec::new(),
        })
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
        if let Some(siblings) = &mut self.work.siblings {
            siblings.count(codes);
        }
        let full = Full::of(codes);
        let step = Step { codes, full: &full, epoch, progress };
        let report = if self.work.params.beta == 0 {
            self.work.flip_without_negatives(step, &mut self.next)
        } else if self.work.params.all_negatives {
            self.work.flip_all_negatives(step, &mut self.next)
        } else {
            self.flip_drawn_or_again(step)?
        };
        progress.go_on()?;
        codes.words_mut().copy_from_slice(&self.next);
        Ok(report)
    }

    /// [`flip_drawn`](Self::flip_drawn); again with all pairs if some that were left out matter.
    fn flip_drawn_or_again(&mut self, step: Step<'_>) -> Result<EpochReport, Cancelled> {
        let (report, is_exact) = self.flip_drawn(step)?;
        if is_exact {
            return Ok(report);
        }
        self.refuses = false;
        Ok(self.flip_drawn(step)?.0)
    }

    /// Draws negatives and writes the new codes to `next`. Also says whether they are exact: no
    /// pair was left out that matters.
    fn flip_drawn(&mut self, step: Step<'_>) -> Result<(EpochReport, bool), Cancelled> {
        let Step { codes, full, epoch, progress } = step;
        let (n, stride) = (codes.len(), codes.words_per_row());
        self.dense.draw(self.work.pairs, self.work.params, (codes, full), epoch);
        progress.go_on()?;
        let (pairs, params) = (self.work.pairs, self.work.params);
        let scan = DrawScan::new(pairs, params, &self.dense, codes, full, epoch);
        let draws = pairs.len().saturating_mul(params.negatives as usize);
        let refused = (self.refuses && self.listed > draws)
            .then(|| Refused::new(codes, pairs, scan.sampler(), self.work.weights))
            .flatten();
        let scan = scan.without(refused.as_ref());
        let (mut report, mut start, is_exact) = (EpochReport::default(), 0, AtomicBool::new(true));
        self.listed = 0;
        let mut width = scan.width(self.max_bytes);
        while start < n {
            let range = start..start.saturating_add(width).min(n);
            // A single concept cannot be divided further: all its near misses are kept.
            let most = if range.len() == 1 { usize::MAX } else { self.max_bytes };
            let found = scan.near_misses(range.clone(), most, progress);
            progress.go_on()?;
            let Some(near_misses) = found else {
                width = range.len() / 2;
                continue;
            };
            let next = &mut self.next[range.start * stride..range.end * stride];
            report += self.work.flip(step, range.start, scan, &near_misses, (next, &is_exact));
            self.listed += near_misses.bytes();
            start = range.end;
            // Widen the range again, so that one wide parent does not slow down all that follow.
            if near_misses.bytes() < self.max_bytes / 4 || range.len() == 1 {
                width = width.saturating_mul(2);
            }
        }
        Ok((report, is_exact.into_inner()))
    }
}

/// An epoch that is under way.
#[derive(Clone, Copy)]
struct Step<'a> {
    /// The codes that it began with.
    codes: &'a Codes,
    full: &'a Full,
    epoch: u64,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// Writes the new codes of a range of concepts to `next`.
    fn flip(
        &self,
        step: Step<'_>,
        first: usize,
        draws: DrawScan<'_>,
        near_misses: &NearMisses,
        (next, is_exact): (&mut [u64], &AtomicBool),
    ) -> EpochReport {
        let dense = draws.dense();
        self.flip_each(
            step,
            (first, draws.refused().map(|refused| (refused, is_exact))),
            next,
            || (Id::MAX, Vec::new()),
            |(masked, masks), gradient, concept| {
                if *masked != concept / 64 {
                    *masked = concept / 64;
                    dense.drawing(concept / 64 * 64, masks);
                }
                let drawing = dense.drawing_one(masks, concept as usize % 64);
                let near_misses = near_misses.of(concept as usize - first);
                gradient.gather(concept, near_misses, draws, (dense, drawing));
            },
        )
    }

    /// Writes the new codes of all concepts to `next`, with every negative.
    fn flip_all_negatives(&self, step: Step<'_>, next: &mut [u64]) -> EpochReport {
        if let Some(groups) = Groups::worthwhile(step.codes, self.kernels) {
            return self.flip_each(
                step,
                (0, None),
                next,
                || (Reach::new(self.pairs), Scratch::default()),
                |scratch, gradient, concept| gradient.gather_groups(concept, &groups, scratch),
            );
        }
        let columns = Columns::with_kernels(step.codes, self.kernels);
        self.flip_each(
            step,
            (0, None),
            next,
            || Reach::new(self.pairs),
            |reach, gradient, concept| gradient.gather_all(concept, &columns, reach),
        )
    }

    /// Writes the new codes of all concepts to `next`. Negatives have no weight, so none are drawn.
    fn flip_without_negatives(&self, step: Step<'_>, next: &mut [u64]) -> EpochReport {
        self.flip_each(step, (0, None), next, || (), |(), gradient, _| gradient.clear())
    }

    /// Gathers the negatives of each concept, starting with `first`, and flips its bits, in
    /// parallel. `own` makes the scratch space of each thread. Where pairs were left out for
    /// `refused` bits, such a bit must not be able to flip without them; if one is, the result is
    /// marked as not exact.
    fn flip_each<T>(
        &self,
        Step { codes, full, epoch, progress }: Step<'_>,
        (first, refused): (usize, Option<(&Refused, &AtomicBool)>),
        next: &mut [u64],
        own: impl Fn() -> T + Sync,
        gather: impl Fn(&mut T, &mut RowGradient<'_>, Id) + Sync,
    ) -> EpochReport {
        let stride = codes.words_per_row();
        let clear = self.siblings.is_none() && self.rule.is_clear(self.weights);
        let streams = Streams::new(self.params.seed, epoch, Purpose::Flips);
        let rows = next.par_chunks_mut(CHUNK * stride).enumerate();
        let start = || {
            let (weights, kernels) = (self.weights, self.kernels);
            (own(), RowGradient::new(self.pairs, self.params, weights, kernels, (codes, full)))
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
                    if let Some(siblings) = &self.siblings {
                        gradient.add_siblings(siblings, concept);
                    }
                    for (word, next) in row.iter_mut().enumerate() {
                        if let Some((refused, is_exact)) = refused
                            && self.rule.possible(gradient.word(word)) & refused.word(concept, word)
                                != 0
                        {
                            is_exact.store(false, Ordering::Relaxed);
                        }
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
    use super::super::{Chances, Init, Recipe, Sampling, TrainParams};
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
        // Without a weight they have no gradient, and are not counted.
        let negatives = if params.beta == 0 { Vec::new() } else { negatives };
        let gradients = gradient(codes, pairs, &negatives);
        let Weights { alpha, beta, units } = Weights::new(pairs, params);
        let (mut next, rule, bits) = (
            codes.clone(),
            FlipRule::new(params.rate / units, params.bias, params.chances),
            codes.bits(),
        );
        let mut siblings =
            Siblings::new(pairs, params.similarity, params.all_negatives, bits).unwrap();
        siblings.iter_mut().for_each(|siblings| siblings.count(codes));
        let mut report = EpochReport { loss: loss(codes, pairs, &negatives), flips: 0 };
        for concept in 0..id(codes.len()) {
            let stream = Stream::new(params.seed, epoch, Purpose::Flips, concept);
            let row = &gradients[concept as usize * bits..(concept as usize + 1) * bits];
            let weigh = |g: &super::super::loss::Gradient| g.positive * alpha + g.negative * beta;
            let mut row: Vec<i64> = row.iter().map(weigh).collect();
            if let Some(siblings) = &siblings {
                siblings.add_gains(concept, codes.row(concept), &mut row);
            }
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
                    similarity: [0, 0, 7, 300][(seed / 400 % 4) as usize],
                    chances: [Chances::Tanh, Chances::Table][(seed / 1600 % 2) as usize],
                    alpha: [1 + (seed % 50) as u32, 25_000][(seed / 50 % 2) as usize],
                    beta: if seed / 400 % 8 == 0 { 0 } else { 10 },
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
            trainer.max_bytes = [MAX_BYTES, 4000, 100][(params.seed % 3) as usize];
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
