use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::epoch::{EpochReport, Trainer};
use super::loss::Loss;
use super::monotone::MonotoneTrainer;
use super::{Flips, Init, Keep, ValidTrainParams};
use crate::bits::{Id, id, last_word_mask, missing_bits, words_per_code};
use crate::codes::{Codes, CodesError};
use crate::evaluate;
use crate::graph::Graph;
use crate::hierarchy::Hierarchy;
use crate::memory::MemoryError;
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream};
use crate::search::{inherit_all, inherited_codes};

/// The pairs on which codes are scored after each epoch.
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
    /// No pairs. There is no score, so the run continues to its last epoch and keeps that one.
    Nothing,
}

/// What an epoch did, and the score of its codes.
#[derive(Debug, Clone, Copy)]
pub struct EpochLog {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// What the epoch did.
    pub report: EpochReport,
    /// The score of its codes; absent if there is no validation.
    pub score: Option<Score>,
    /// The time for draws, gradient and flips, without validation.
    pub time: Duration,
}

/// The score of codes on the validation pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// F1, with equal codes counted as is-a.
    pub f1: f64,
    /// The weighted loss.
    pub loss: u64,
}

/// The state of a run. Together with the data and the settings, it decides how the run continues.
/// Random numbers are computed from their purpose and an index, so no generator has a state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// The number of epochs done.
    pub(crate) epoch: u32,
    /// The codes after the last epoch.
    pub(crate) codes: Codes,
    /// The best epoch so far, if there is one.
    pub(crate) kept: Option<Kept>,
    /// The scores of the last 2 ω epochs, for early stopping.
    pub(crate) scores: VecDeque<f64>,
    /// Whether the last epoch of monotone flips found no false pair. Then no later epoch changes
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

/// A training run: Algorithm 2 of the paper. Each [`step`](Self::step) is one epoch.
///
/// # Examples
///
/// ```
/// use binder::train::{Recipe, Training, Validation};
/// let toy = binder::Hierarchy::read("toy")?;
/// let params = Recipe::Best.params(true).check(toy.len())?;
/// let mut training = Training::new(toy.graph(), &params, Validation::AllPairs(&toy))?;
/// while !training.is_over() {
///     training.step();
/// }
/// let (_epoch, codes) = training.result();
/// assert_eq!(binder::evaluate::all_pairs(codes, &toy).confusion.errors(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Training<'a> {
    trainer: AnyTrainer<'a>,
    params: &'a ValidTrainParams,
    pairs: &'a Graph,
    validation: Validation<'a>,
    state: State,
}

/// The trainer for either kind of flips.
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

    fn epoch(
        &mut self,
        codes: &mut Codes,
        epoch: u64,
        progress: &dyn Progress,
    ) -> Result<EpochReport, Cancelled> {
        match self {
            Self::Single(trainer) => trainer.epoch(codes, epoch, progress),
            Self::Monotone(trainer) => trainer.epoch(codes, epoch, progress),
        }
    }
}

/// [`Keep::Loss`] keeps no epoch before this one, as in the published runs.
const FIRST_BY_LOSS: u32 = 10;

impl<'a> Training<'a> {
    /// Starts a run.
    ///
    /// # Errors
    ///
    /// When the initial codes cannot be made, or when they or an epoch's draws would take more
    /// memory than they may.
    pub fn new(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
    ) -> Result<Self, CodesError> {
        let codes = first_codes(pairs, params)?;
        let state = State { epoch: 0, codes, kept: None, scores: VecDeque::new(), settled: false };
        Ok(Self::from_state(pairs, params, validation, state)?)
    }

    /// Continues a run from a state.
    pub(crate) fn from_state(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
        state: State,
    ) -> Result<Self, MemoryError> {
        let trainer = AnyTrainer::new(pairs, params)?;
        Ok(Self { trainer, params, pairs, validation, state })
    }

    /// The pairs, the settings and the validation that the run was started with.
    pub(crate) fn begun_with(&self) -> (&'a Graph, &'a ValidTrainParams, Validation<'a>) {
        (self.pairs, self.params, self.validation)
    }

    /// The state of the run.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The number of epochs done.
    pub fn epoch(&self) -> u32 {
        self.state.epoch
    }

    /// Whether the run is over: all epochs are done, early stopping applies, no false pair is left,
    /// or the kept codes are perfect.
    pub fn is_over(&self) -> bool {
        self.state.settled
            || self.state.epoch >= self.params.epochs
            || self.has_stalled()
            || self.is_perfect()
    }

    /// Trains one epoch and scores it.
    pub fn step(&mut self) -> EpochLog {
        self.step_with(&()).expect("nobody cancels it")
    }

    /// [`step`](Self::step), which can be cancelled inside the epoch.
    ///
    /// # Errors
    ///
    /// When the work is cancelled. The run then stands where it stood before the step, and can go
    /// on or be saved.
    pub fn step_with(&mut self, progress: &dyn Progress) -> Result<EpochLog, Cancelled> {
        let before = (self.params.keep == Keep::Training).then(|| self.state.codes.clone());
        let (started, epoch) = (Instant::now(), self.state.epoch + 1);
        let report = self.trainer.epoch(&mut self.state.codes, u64::from(epoch), progress)?;
        let time = started.elapsed();
        self.state.epoch = epoch;
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
        Ok(EpochLog { epoch: self.state.epoch, report, score, time })
    }

    /// The codes after the last epoch, whichever epoch is kept.
    pub fn last_codes(&self) -> &Codes {
        &self.state.codes
    }

    /// The epoch that the run keeps, and its codes.
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

    /// Keeps the codes before an epoch if their loss is the lowest so far.
    fn keep_before(&mut self, codes: Codes, loss: Loss) {
        let loss = loss.weighted(self.params.alpha, self.params.beta);
        if self.state.kept.as_ref().is_none_or(|kept| loss < kept.score.loss) {
            // F1 is not used for this choice.
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

    /// Whether the mean of the last ω scores is not better than that of the ω scores before them.
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

/// The initial codes of a run.
///
/// # Errors
///
/// When codes cannot have that many bits.
pub fn first_codes(pairs: &Graph, params: &ValidTrainParams) -> Result<Codes, CodesError> {
    let mut codes = match &params.init {
        Init::Inherited => inherited_codes(pairs, params.bits, params.seed)?,
        Init::Codes(codes) => codes.clone(),
        Init::Zeros => Codes::zeros(pairs.concepts(), params.bits)?,
        Init::Ones => filled(pairs.concepts(), params.bits, |_, _| u64::MAX)?,
        Init::Random => filled(pairs.concepts(), params.bits, |concept, word| {
            Stream::new(params.seed, 0, Purpose::Start, concept).word(word)
        })?,
    };
    if params.flips == Flips::Monotone {
        inherit_all(&mut codes, pairs);
    }
    Ok(codes)
}

/// Codes whose words are computed from the concept and the index of the word.
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
