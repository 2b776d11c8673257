use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::epoch::{EpochReport, Trainer};
use super::inherit::{hand_down, inherited_codes};
use super::loss::Loss;
use super::monotone::MonotoneTrainer;
use super::{Flips, Init, Keep, ValidTrainParams};
use crate::bits::{Id, id, last_word_mask, missing_bits, words_per_code};
use crate::codes::{Codes, CodesError};
use crate::evaluate;
use crate::graph::Graph;
use crate::hierarchy::Hierarchy;
use crate::memory::MemoryError;
use crate::random::{Purpose, Stream};

/// What codes are scored on after each epoch.
#[derive(Debug, Clone, Copy)]
pub enum Validation<'a> {
    /// Listed pairs.
    Listed {
        /// Pairs that are is-a.
        positives: &'a [(Id, Id)],
        /// Pairs that are not.
        negatives: &'a [(Id, Id)],
    },
    /// All ordered pairs of a hierarchy's concepts.
    AllPairs(&'a Hierarchy),
    /// Nothing: there is no score, the run goes on to its last epoch and keeps that.
    Nothing,
}

/// What an epoch did and how good its codes are.
#[derive(Debug, Clone, Copy)]
pub struct EpochLog {
    /// The epoch, from 1.
    pub epoch: u32,
    /// What it did.
    pub report: EpochReport,
    /// How good its codes are; absent where nothing is validated.
    pub score: Option<Score>,
    /// The time of draws, gradient and flips, without validation.
    pub time: Duration,
}

/// How good codes are on the validation pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// F1, with equal codes counted as is-a.
    pub f1: f64,
    /// The weighted loss.
    pub loss: u64,
}

/// Where a run stands: with its data and settings, all that decides how it goes on. A random number
/// is computed from what it is for, so there is no generator to keep.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub(crate) epoch: u32,
    pub(crate) codes: Codes,
    pub(crate) kept: Option<Kept>,
    /// Scores of the last 2 ω epochs.
    pub(crate) scores: VecDeque<f64>,
    /// Whether the last epoch of monotone flips found nothing to mend: no later epoch changes
    /// anything.
    pub(crate) settled: bool,
}

/// The epoch kept so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    pub(crate) epoch: u32,
    pub(crate) score: Score,
    pub(crate) codes: Codes,
}

/// A run in progress: Algorithm 2 of the paper, one [`step`](Self::step) an epoch.
#[derive(Debug)]
pub struct Training<'a> {
    trainer: AnyTrainer<'a>,
    params: &'a ValidTrainParams,
    pairs: &'a Graph,
    validation: Validation<'a>,
    state: State,
}

/// Trains epoch after epoch, by either kind of flips.
#[derive(Debug)]
enum AnyTrainer<'a> {
    Single(Box<Trainer<'a>>),
    Monotone(Box<MonotoneTrainer<'a>>),
}

impl<'a> AnyTrainer<'a> {
    fn new(pairs: &'a Graph, params: &'a ValidTrainParams) -> Result<Self, MemoryError> {
        Ok(match params.flips {
            Flips::Single => Self::Single(Box::new(Trainer::new(pairs, params)?)),
            Flips::Monotone => Self::Monotone(Box::new(MonotoneTrainer::new(pairs, params)?)),
        })
    }

    fn epoch(&mut self, codes: &mut Codes, epoch: u64) -> EpochReport {
        match self {
            Self::Single(trainer) => trainer.epoch(codes, epoch),
            Self::Monotone(trainer) => trainer.epoch(codes, epoch),
        }
    }
}

/// [`Keep::Loss`] takes no epoch before this one: the published runs let the first ones pass.
const FIRST_BY_LOSS: u32 = 10;

impl<'a> Training<'a> {
    /// A run that begins.
    ///
    /// # Errors
    ///
    /// When the codes cannot be made, or when they or an epoch's draws would take more memory than
    /// they may.
    pub fn new(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
    ) -> Result<Self, CodesError> {
        let codes = first_codes(pairs, params)?;
        let state = State { epoch: 0, codes, kept: None, scores: VecDeque::new(), settled: false };
        Ok(Self::from_state(pairs, params, validation, state)?)
    }

    /// A run that goes on from a state.
    pub(crate) fn from_state(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
        state: State,
    ) -> Result<Self, MemoryError> {
        let trainer = AnyTrainer::new(pairs, params)?;
        Ok(Self { trainer, params, pairs, validation, state })
    }

    /// What the run was begun with: pairs, settings and what epochs are scored on.
    pub(crate) fn begun_with(&self) -> (&'a Graph, &'a ValidTrainParams, Validation<'a>) {
        (self.pairs, self.params, self.validation)
    }

    /// Where the run stands.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// How many epochs are done.
    pub fn epoch(&self) -> u32 {
        self.state.epoch
    }

    /// Whether the run is over: all epochs done, no better for a while, nothing left to mend, or
    /// codes kept that none can beat.
    pub fn is_over(&self) -> bool {
        self.state.settled
            || self.state.epoch >= self.params.epochs
            || self.has_stalled()
            || self.is_perfect()
    }

    /// Trains one epoch and scores it.
    pub fn step(&mut self) -> EpochLog {
        self.state.epoch += 1;
        let before = (self.params.keep == Keep::Training).then(|| self.state.codes.clone());
        let started = Instant::now();
        let report = self.trainer.epoch(&mut self.state.codes, u64::from(self.state.epoch));
        let time = started.elapsed();
        if let Some(codes) = before {
            self.keep_before(codes, report.loss);
        }
        self.state.settled =
            self.params.flips == Flips::Monotone && report.loss.false_positives == 0;
        let score = self.score();
        if let Some(score) = score {
            self.keep(score);
            self.state.scores.push_back(score.f1);
        }
        if self.state.scores.len() > 2 * self.params.patience as usize {
            self.state.scores.pop_front();
        }
        EpochLog { epoch: self.state.epoch, report, score, time }
    }

    /// The codes that the run keeps, and the epoch they are from.
    pub fn result(&self) -> (u32, &Codes) {
        match &self.state.kept {
            Some(kept) if self.params.keep != Keep::Last => (kept.epoch, &kept.codes),
            _ => (self.state.epoch, &self.state.codes),
        }
    }

    fn score(&self) -> Option<Score> {
        let codes = &self.state.codes;
        let missing =
            |(child, parent)| u64::from(missing_bits(codes.row(child), codes.row(parent)));
        let (judged, missing) = match self.validation {
            Validation::Listed { positives, negatives } => {
                let judged = evaluate::judge(positives, negatives, |child, parent| {
                    codes.is_a(child, parent)
                });
                (judged, positives.iter().copied().map(missing).sum())
            }
            Validation::AllPairs(hierarchy) => {
                let judged = evaluate::all_pairs(codes, hierarchy);
                (judged.confusion, self.pairs.iter().map(missing).sum())
            }
            Validation::Nothing => return None,
        };
        let loss = Loss { missing, false_positives: judged.fp };
        Some(Score { f1: judged.f1(), loss: loss.weighted(self.params.alpha, self.params.beta) })
    }

    fn keep(&mut self, score: Score) {
        let better = match (&self.state.kept, self.params.keep) {
            (_, Keep::Last | Keep::Training) => false,
            (None, Keep::F1) => true,
            (Some(kept), Keep::F1) => score.f1 > kept.score.f1,
            (None, Keep::Loss) => self.state.epoch >= FIRST_BY_LOSS,
            (Some(kept), Keep::Loss) => score.loss < kept.score.loss,
        };
        if better {
            self.state.kept =
                Some(Kept { epoch: self.state.epoch, score, codes: self.state.codes.clone() });
        }
    }

    /// Keeps the codes that an epoch began with, if no epoch has begun with a lower loss.
    fn keep_before(&mut self, codes: Codes, loss: Loss) {
        let loss = loss.weighted(self.params.alpha, self.params.beta);
        if self.state.kept.as_ref().is_none_or(|kept| loss < kept.score.loss) {
            // F1 plays no part in this choice.
            let score = Score { f1: 0.0, loss };
            self.state.kept = Some(Kept { epoch: self.state.epoch - 1, score, codes });
        }
    }

    /// Whether the kept codes score so well that no later epoch could replace them.
    fn is_perfect(&self) -> bool {
        let perfect = |kept: &Kept| match self.params.keep {
            Keep::F1 => kept.score.f1 >= 1.0,
            Keep::Loss | Keep::Training => kept.score.loss == 0,
            Keep::Last => false,
        };
        self.state.kept.as_ref().is_some_and(perfect)
    }

    /// Whether the mean of the last ω scores is no better than the mean of the ω before.
    fn has_stalled(&self) -> bool {
        let patience = self.params.patience as usize;
        if patience == 0 || self.state.scores.len() < 2 * patience {
            return false;
        }
        let earlier: f64 = self.state.scores.iter().take(patience).sum();
        let later: f64 = self.state.scores.iter().skip(patience).sum();
        earlier >= later
    }
}

/// The codes that a run begins with.
pub fn first_codes(pairs: &Graph, params: &ValidTrainParams) -> Result<Codes, CodesError> {
    let mut codes = match &params.init {
        Init::Inherited => inherited_codes(pairs, params)?,
        Init::Codes(codes) => codes.clone(),
        Init::Zeros => Codes::zeros(pairs.concepts(), params.bits)?,
        Init::Ones => filled(pairs.concepts(), params.bits, |_, _| u64::MAX)?,
        Init::Random => filled(pairs.concepts(), params.bits, |concept, word| {
            Stream::new(params.seed, 0, Purpose::Start, concept).word(word)
        })?,
    };
    if params.flips == Flips::Monotone {
        hand_down(&mut codes, pairs);
    }
    Ok(codes)
}

/// Codes whose words are computed from concept and number.
fn filled(
    concepts: usize,
    bits: usize,
    word: impl Fn(Id, u64) -> u64,
) -> Result<Codes, CodesError> {
    let stride = words_per_code(bits);
    let word = &word;
    let mut words: Vec<u64> = (0..id(concepts))
        .flat_map(|concept| (0..stride as u64).map(move |at| word(concept, at)))
        .collect();
    words.chunks_exact_mut(stride).for_each(|row| row[stride - 1] &= last_word_mask(bits));
    Codes::from_words(bits, words)
}
