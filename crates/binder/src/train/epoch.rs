//! One epoch, fast: the negatives that matter are found while they are drawn, and every concept's gradient is put together and its
//! bits are flipped on its own.
//!
//! A negative pair matters only while at most one good bit keeps it apart (`G ≤ 1`), and of random pairs hardly any does once
//! training is under way. So a draw costs one look at a row; the few that matter are noted at both ends:
//!
//! ```text
//! draws  →  hits (concept, partner, side)  →  sorted by concept  →  gradient and flips of each concept
//! ```
//!
//! Notes take memory. When they would take too much (at first *every* draw is a hit), the concepts are divided into ranges and the draws
//! repeated for each, which changes nothing but the time: draws are computed from their number.

use std::ops::{Add, AddAssign, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::flip::FlipRule;
use super::gradient::{Near, RowGradient, missing_bit};
use super::loss::Loss;
use super::negatives::Sampler;
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::codes::kernels::{self, Kernels};
use crate::hierarchy::{Id, id};
use crate::random::{Purpose, Stream};

/// The most concepts: [`Near`] keeps the side in the highest bit of the partner's id.
pub(crate) const MOST_CONCEPTS: usize = 1 << 31;

/// Notes kept at a time: 96 MB of them, and 64 MB once sorted.
const MOST_NOTES: usize = 8 << 20;

/// Draws looked at in a piece; even, as the sampler asks.
const PIECE: usize = 2048;

/// Concepts a thread takes at a time.
const CHUNK: usize = 256;

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
    /// Concepts in a range, at least one: what the last range allowed is a good guess for the next.
    width: usize,
    /// [`MOST_NOTES`], or fewer in tests.
    most_notes: usize,
    /// The codes after the epoch, while the ones before it are still looked at.
    next: Vec<u64>,
}

/// What every thread of an epoch looks at.
#[derive(Debug)]
struct Work<'a> {
    pairs: &'a TrainingPairs,
    params: &'a ValidTrainParams,
    rule: FlipRule,
    kernels: &'static Kernels,
}

/// A hit at one end: the concept, and how it is near to whom.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct Note {
    concept: Id,
    near: Near,
}

impl<'a> Trainer<'a> {
    pub(super) fn new(pairs: &'a TrainingPairs, params: &'a ValidTrainParams) -> Self {
        let rule = FlipRule::new(params.rate, params.bias);
        let work = Work { pairs, params, rule, kernels: kernels::best() };
        Self { work, width: usize::MAX, most_notes: MOST_NOTES, next: Vec::new() }
    }

    /// One epoch: draws, gradient, flips.
    pub(super) fn epoch(&mut self, codes: &mut Codes, epoch: u64) -> EpochReport {
        let (n, stride) = (codes.len(), codes.words_per_row());
        self.next.resize(n * stride, 0);
        let mut report = EpochReport::default();
        let mut start = 0;
        while start < n {
            let range = start..start.saturating_add(self.width).min(n);
            // One concept cannot be divided: its notes are kept, however many.
            let most = if range.len() == 1 { usize::MAX } else { self.most_notes };
            let Some(notes) = self.work.notes(codes, range.clone(), epoch, most) else {
                self.width = range.len() / 2;
                continue;
            };
            let notes = ByConcept::new(&notes, range.clone());
            let next = &mut self.next[range.start * stride..range.end * stride];
            report += self.work.flip(codes, range.start, &notes, epoch, next);
            start = range.end;
            // One wide parent must not make the ranges narrow for everyone after it.
            if notes.near.len() < self.most_notes / 4 || range.len() == 1 {
                self.width = self.width.saturating_mul(2);
            }
        }
        codes.words_mut().copy_from_slice(&self.next);
        report
    }
}

impl Work<'_> {
    /// The hits of all draws at the concepts of a range; `None` when they are more than `most`.
    fn notes(&self, codes: &Codes, range: Range<usize>, epoch: u64, most: usize) -> Option<Vec<Vec<Note>>> {
        let sampler = Sampler::new(self.pairs, self.params.negatives, self.params.seed, epoch);
        let (range, kept) = (id(range.start)..id(range.end), AtomicUsize::new(0));
        let chunks: Vec<Range<usize>> =
            (0..codes.len()).step_by(CHUNK).map(|at| at..(at + CHUNK).min(codes.len())).collect();
        let search = |chunk: Range<usize>| {
            let mut finder = Finder {
                codes,
                kernels: self.kernels,
                range: range.clone(),
                hits: Vec::new(),
                notes: Vec::new(),
            };
            let mut buffer = [0; PIECE];
            for concept in id(chunk.start)..id(chunk.end) {
                sampler.parents_for(concept, &mut buffer, |parents| finder.parents(concept, parents));
                sampler.children_for(concept, &mut buffer, |children| finder.children(concept, children));
                if finder.notes.len() > most {
                    break;
                }
            }
            let total = kept.fetch_add(finder.notes.len(), Ordering::Relaxed) + finder.notes.len();
            (total <= most).then_some(finder.notes)
        };
        chunks.into_par_iter().map(search).collect()
    }

    /// The codes of a range of concepts after the epoch, into `next`.
    fn flip(
        &self,
        codes: &Codes,
        first: usize,
        notes: &ByConcept,
        epoch: u64,
        next: &mut [u64],
    ) -> EpochReport {
        let stride = codes.words_per_row();
        let rows = next.par_chunks_mut(CHUNK * stride).enumerate();
        let reports = rows.map(|(chunk, rows)| {
            let mut gradient = RowGradient::new(self.pairs, self.params, self.kernels, codes);
            let mut report = EpochReport::default();
            for (at, row) in (chunk * CHUNK..).zip(rows.chunks_exact_mut(stride)) {
                let concept = id(first + at);
                report.loss += gradient.compute(concept, notes.of(at));
                let stream = Stream::new(self.params.seed, epoch, Purpose::Flips, concept);
                for (word, next) in row.iter_mut().enumerate() {
                    let flips = self.rule.flips(gradient.word(word), stream, word as u64 * 256);
                    *next = codes.row(concept)[word] ^ flips;
                    report.flips += u64::from(flips.count_ones());
                }
            }
            report
        });
        reports.reduce(EpochReport::default, Add::add)
    }
}

/// Looks at draws and notes those that matter.
struct Finder<'a> {
    codes: &'a Codes,
    kernels: &'static Kernels,
    /// Whose notes are kept.
    range: Range<Id>,
    /// Empty between pieces; kept for its room.
    hits: Vec<Id>,
    notes: Vec<Note>,
}

impl Finder<'_> {
    fn parents(&mut self, child: Id, drawn: &[Id]) {
        let mut hits = std::mem::take(&mut self.hits);
        (self.kernels.near_above)(self.codes.words(), self.codes.row(child), drawn, &mut hits);
        hits.drain(..).for_each(|parent| self.note(child, parent));
        self.hits = hits;
    }

    fn children(&mut self, parent: Id, drawn: &[Id]) {
        let mut hits = std::mem::take(&mut self.hits);
        (self.kernels.near_below)(self.codes.words(), self.codes.row(parent), drawn, &mut hits);
        hits.drain(..).for_each(|child| self.note(child, parent));
        self.hits = hits;
    }

    /// Notes a hit at both ends.
    fn note(&mut self, child: Id, parent: Id) {
        let bit = missing_bit(self.codes.row(child), self.codes.row(parent));
        if self.range.contains(&child) {
            self.notes.push(Note { concept: child, near: Near::parent(parent, bit) });
        }
        if self.range.contains(&parent) {
            self.notes.push(Note { concept: parent, near: Near::child(child, bit) });
        }
    }
}

/// Notes sorted by concept.
struct ByConcept {
    /// Where the notes of the `i`-th concept of the range end.
    ends: Vec<usize>,
    near: Vec<Near>,
}

impl ByConcept {
    fn new(notes: &[Vec<Note>], range: Range<usize>) -> Self {
        let mut ends = vec![0; range.len() + 1];
        let all = || notes.iter().flatten().map(|note| (note.concept as usize - range.start, note.near));
        all().for_each(|(at, _)| ends[at + 1] += 1);
        for at in 0..range.len() {
            ends[at + 1] += ends[at];
        }
        let mut sorted = vec![Near::parent(0, None); ends[range.len()]];
        all().for_each(|(at, near)| {
            sorted[ends[at]] = near;
            ends[at] += 1;
        });
        Self { ends, near: sorted }
    }

    fn of(&self, at: usize) -> &[Near] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.near[start..self.ends[at]]
    }
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
    use super::super::negatives::list;
    use super::super::{Init, Recipe, Sampling, TrainParams};
    use super::*;

    /// The epoch by definition: list the negatives, take the gradient of every bit, flip.
    fn by_definition(
        codes: &Codes,
        pairs: &TrainingPairs,
        params: &ValidTrainParams,
        epoch: u64,
    ) -> (Codes, EpochReport) {
        let negatives = list(pairs, params.negatives, params.sampling, params.seed, epoch);
        let gradients = gradient(codes, pairs, &negatives);
        let (mut next, rule, bits) = (codes.clone(), FlipRule::new(params.rate, params.bias), codes.bits());
        let mut report = EpochReport { loss: loss(codes, pairs, &negatives), flips: 0 };
        for concept in 0..id(codes.len()) {
            let stream = Stream::new(params.seed, epoch, Purpose::Flips, concept);
            let row = &gradients[concept as usize * bits..(concept as usize + 1) * bits];
            let weigh = |g: &super::super::loss::Gradient| {
                g.positive * i64::from(params.alpha) + g.negative * i64::from(params.beta)
            };
            let row: Vec<i64> = row.iter().map(weigh).collect();
            for (word, gradients) in row.chunks(64).enumerate() {
                let flips = rule.flips(gradients, stream, word as u64 * 256);
                report.flips += u64::from(flips.count_ones());
                crate::codes::ones(flips).for_each(|bit| {
                    let bit = word * 64 + bit as usize;
                    next.set(concept, bit, !codes.get(concept, bit));
                });
            }
        }
        (next, report)
    }

    fn settings() -> impl Strategy<Value = TrainParams> {
        (any::<(bool, bool, bool, bool)>(), 1..140usize, 1..20u32, any::<u64>(), 0..3usize).prop_map(
            |(rules, bits, negatives, seed, init)| {
                let (filtered, distinct, with_self, reversed) = rules;
                let sampling = Sampling { filtered, distinct, with_self, reversed };
                let init = [Init::Ones, Init::Zeros, Init::Random][init].clone();
                TrainParams {
                    bits,
                    negatives,
                    seed,
                    sampling,
                    init,
                    alpha: 1 + (seed % 50) as u32,
                    ..Recipe::Paper.params(true)
                }
            },
        )
    }

    proptest! {
        #[test]
        fn the_fast_epoch_equals_the_definition(edges in proptest::collection::vec((0..30u32, 0..30u32), 1..80), params in settings()) {
            let pairs: Vec<_> = edges.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect();
            let pairs = TrainingPairs::new(30, &pairs);
            let params = params.check(30).unwrap();
            let mut codes = super::super::run::first_codes(30, &params).unwrap();
            let mut trainer = Trainer::new(&pairs, &params);
            // So few that concepts are divided into ranges, down to one, and some have more notes than that alone.
            trainer.most_notes = [MOST_NOTES, 200, 5][(params.seed % 3) as usize];
            for epoch in 1..6 {
                let (next, report) = by_definition(&codes, &pairs, &params, epoch);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch), report);
                prop_assert_eq!(&codes, &next);
            }
        }
    }
}
