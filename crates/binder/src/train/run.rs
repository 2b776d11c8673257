use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::epoch::{EpochReport, Trainer};
use super::loss::{Loss, missing_bits};
use super::{Init, Keep, TrainingPairs, ValidTrainParams};
use crate::codes::{last_word_mask, stride};
use crate::evaluate;
use crate::hierarchy::{Hierarchy, Id, id};
use crate::random::{Purpose, Stream};
use crate::{Codes, Error};

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

/// The epoch kept so far.
#[derive(Debug, Clone)]
struct Kept {
    epoch: u32,
    score: Score,
    codes: Codes,
}

/// A run in progress: Algorithm 2 of the paper, one [`step`](Self::step) an epoch.
#[derive(Debug)]
pub struct Training<'a> {
    trainer: Trainer<'a>,
    params: &'a ValidTrainParams,
    pairs: &'a TrainingPairs,
    validation: Validation<'a>,
    codes: Codes,
    epoch: u32,
    kept: Option<Kept>,
    /// Scores of the last 2 ω epochs.
    scores: VecDeque<f64>,
}

/// [`Keep::Loss`] takes no epoch before this one: the published runs let the first ones pass.
const FIRST_BY_LOSS: u32 = 10;

impl<'a> Training<'a> {
    /// A run that begins.
    pub fn new(
        pairs: &'a TrainingPairs,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
    ) -> Result<Self, Error> {
        let codes = first_codes(pairs.concepts(), params)?;
        let trainer = Trainer::new(pairs, params);
        Ok(Self { trainer, params, pairs, validation, codes, epoch: 0, kept: None, scores: VecDeque::new() })
    }

    /// Whether the run is over: all epochs done, or no better for a while.
    pub fn is_over(&self) -> bool {
        self.epoch >= self.params.epochs || self.has_stalled()
    }

    /// Trains one epoch and scores it.
    pub fn step(&mut self) -> EpochLog {
        self.epoch += 1;
        let started = Instant::now();
        let report = self.trainer.epoch(&mut self.codes, u64::from(self.epoch));
        let time = started.elapsed();
        let score = self.score();
        if let Some(score) = score {
            self.keep(score);
            self.scores.push_back(score.f1);
        }
        if self.scores.len() > 2 * self.params.patience as usize {
            self.scores.pop_front();
        }
        EpochLog { epoch: self.epoch, report, score, time }
    }

    /// The codes that the run keeps, and the epoch they are from.
    pub fn result(&self) -> (u32, &Codes) {
        match &self.kept {
            Some(kept) if self.params.keep != Keep::Last => (kept.epoch, &kept.codes),
            _ => (self.epoch, &self.codes),
        }
    }

    fn score(&self) -> Option<Score> {
        let missing =
            |(child, parent)| u64::from(missing_bits(self.codes.row(child), self.codes.row(parent)));
        let (judged, missing) = match self.validation {
            Validation::Listed { positives, negatives } => {
                let judged = evaluate::listed(&self.codes, positives, negatives);
                (judged, positives.iter().copied().map(missing).sum())
            }
            Validation::AllPairs(hierarchy) => {
                let judged = evaluate::all_pairs(&self.codes, hierarchy);
                (judged, self.pairs.iter().map(missing).sum())
            }
            Validation::Nothing => return None,
        };
        let loss = Loss { missing, false_positives: judged.confusion.fp };
        Some(Score { f1: judged.confusion.f1(), loss: loss.weighted(self.params.alpha, self.params.beta) })
    }

    fn keep(&mut self, score: Score) {
        let better = match (&self.kept, self.params.keep) {
            (_, Keep::Last) => false,
            (None, Keep::F1) => true,
            (Some(kept), Keep::F1) => score.f1 > kept.score.f1,
            (None, Keep::Loss) => self.epoch >= FIRST_BY_LOSS,
            (Some(kept), Keep::Loss) => score.loss < kept.score.loss,
        };
        if better {
            self.kept = Some(Kept { epoch: self.epoch, score, codes: self.codes.clone() });
        }
    }

    /// Whether the mean of the last ω scores is no better than the mean of the ω before.
    fn has_stalled(&self) -> bool {
        let patience = self.params.patience as usize;
        if patience == 0 || self.scores.len() < 2 * patience {
            return false;
        }
        let earlier: f64 = self.scores.iter().take(patience).sum();
        let later: f64 = self.scores.iter().skip(patience).sum();
        earlier >= later
    }
}

/// The codes that a run begins with.
pub fn first_codes(concepts: usize, params: &ValidTrainParams) -> Result<Codes, Error> {
    let stride = stride(params.bits);
    let row = |concept: usize| {
        let stream = Stream::new(params.seed, 0, Purpose::Start, id(concept));
        (0..stride).map(move |word| match params.init {
            Init::Ones => u64::MAX,
            Init::Random => stream.word(word as u64),
            Init::Zeros | Init::Codes(_) => 0,
        })
    };
    if let Init::Codes(codes) = &params.init {
        return Ok(codes.clone());
    }
    let mut words: Vec<u64> = (0..concepts).flat_map(row).collect();
    words.chunks_exact_mut(stride).for_each(|row| row[stride - 1] &= last_word_mask(params.bits));
    Codes::from_words(params.bits, words)
}
