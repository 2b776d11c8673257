//! A search for settings over the paper's ranges, on validation pairs only.

use std::path::PathBuf;
use std::time::Instant;

use binder::graph::Graph;
use binder::split::Pair;
use binder::train::{Keep, Recipe, TrainParams, Training, Validation};
use binder::{Cancelled, Choice, Hierarchy};
use serde::Serialize;

use crate::data::fingerprint;
use crate::ledger::{Key, Ledger, Record, number};
use crate::queue::{self, JobData};
use crate::runs::title;
use crate::stats::Stats;
use crate::{Error, Listener};

/// The paper's ranges: "dimensions 8, 32, 64, 128", and the row of BINDER in its table of ranges.
pub const BITS: [usize; 4] = [8, 32, 64, 128];
/// … of α.
pub const ALPHAS: [u32; 10] = [15, 20, 25, 30, 40, 100, 500, 5000, 25_000, 50_000];
/// … of n⁻.
pub const NEGATIVES: [u32; 6] = [12, 32, 64, 128, 256, 512];

/// What to search, and on which pairs.
#[derive(Debug)]
pub struct TuneRequest<'a> {
    /// The concepts.
    pub hierarchy: &'a Hierarchy,
    /// What the data is called in the ledger.
    pub name: String,
    /// The pairs to train on.
    pub pairs: &'a Graph,
    /// The validation pairs that are is-a, and those that are not.
    pub valid: (&'a [Pair], &'a [Pair]),
    /// The settings that the search does not change.
    pub recipe: Recipe,
    /// The most epochs of a run.
    pub epochs: u32,
    /// Numbers of bits to try.
    pub bits: Vec<usize>,
    /// Weights α to try.
    pub alphas: Vec<u32>,
    /// Numbers of negatives n⁻ to try.
    pub negatives: Vec<u32>,
    /// Every combination is run with the seeds 1 to this.
    pub seeds: u32,
    /// The ledger: a CSV file. Runs that it has are not repeated.
    pub ledger: PathBuf,
}

/// One combination of settings over the seeds.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// Bits of a code.
    pub bits: usize,
    /// The weight of a missing bit.
    pub alpha: u32,
    /// Negatives per training pair.
    pub negatives: u32,
    /// F1 on the validation pairs in percent, the mean over the seeds.
    pub valid_f1: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// Seconds of a run.
    pub seconds: f64,
}

/// What the ledger says about a run.
#[derive(Debug, Clone, Copy)]
struct TuneOutcome {
    valid_f1: f64,
    epochs: u32,
    best_epoch: u32,
    seconds: f64,
}

impl Record for TuneOutcome {
    const HEADER: &'static str = "set,task,recipe,parameters,seed,data,\
        valid_f1,epochs,best_epoch,seconds";

    fn fields(&self) -> String {
        let Self { valid_f1, epochs, best_epoch, seconds } = self;
        format!("{valid_f1},{epochs},{best_epoch},{seconds}")
    }

    fn parse(fields: &[&str]) -> Option<Self> {
        let [valid_f1, epochs, best_epoch, seconds] = *fields else { return None };
        Some(Self {
            valid_f1: number(valid_f1)?,
            epochs: number(epochs)?,
            best_epoch: number(best_epoch)?,
            seconds: number(seconds)?,
        })
    }
}

/// Runs every combination with every seed, and returns them with the best first. Among equals that
/// with fewer bits comes first.
///
/// # Errors
///
/// When there are no validation pairs to choose by, or when a run fails.
pub fn tune(request: &TuneRequest<'_>, listener: &dyn Listener) -> Result<Vec<Tried>, Error> {
    if request.valid.0.is_empty() {
        return Err(Error::NoValidation);
    }
    let jobs = request.jobs();
    for params in &jobs {
        params.clone().check(request.hierarchy.len())?;
    }
    let mut ledger: Ledger<TuneOutcome> = Ledger::open(&request.ledger)?;
    let data = request.fingerprint();
    let keys: Vec<_> = jobs.iter().map(|params| request.key(params, &data)).collect();
    let open = queue::open(jobs.iter().zip(&keys), &ledger);
    if !open.is_empty() {
        let of = JobData { title: &request.name, concepts: request.hierarchy.len() };
        let train = |params: &TrainParams, key: &Key| request.train(params, key, listener);
        let summary =
            |params: &TrainParams, _: &Key, outcome: &TuneOutcome| summary(params, outcome);
        queue::do_all(&open, train, summary, listener, of, &mut ledger)?;
    }
    let seeds = request.seeds as usize;
    let mut tried: Vec<_> = jobs
        .chunks(seeds)
        .zip(keys.chunks(seeds))
        .map(|(jobs, keys)| {
            let outcomes: Vec<_> = keys.iter().filter_map(|key| ledger.find(key)).collect();
            tried(&jobs[0], &outcomes)
        })
        .collect();
    tried.sort_by(|a, b| b.valid_f1.total_cmp(&a.valid_f1).then(a.bits.cmp(&b.bits)));
    Ok(tried)
}

fn tried(params: &TrainParams, outcomes: &[TuneOutcome]) -> Tried {
    let f1 = Stats::percent(outcomes.iter().map(|outcome| outcome.valid_f1));
    let seconds: Vec<_> = outcomes.iter().map(|outcome| outcome.seconds).collect();
    Tried {
        bits: params.bits,
        alpha: params.alpha,
        negatives: params.negatives,
        valid_f1: f1.mean,
        sd: f1.sd,
        seconds: Stats::of(&seconds).mean,
    }
}

fn summary(params: &TrainParams, outcome: &TuneOutcome) -> String {
    let TuneOutcome { valid_f1, epochs, best_epoch, seconds } = outcome;
    format!(
        "{} bits, α {}, n⁻ {}, seed {}: validation F1 {:.2} %, epoch {best_epoch} of {epochs}, \
         {seconds:.1} s",
        params.bits,
        params.alpha,
        params.negatives,
        params.seed,
        valid_f1 * 100.0
    )
}

impl TuneRequest<'_> {
    /// Every combination with every seed, seeds innermost.
    fn jobs(&self) -> Vec<TrainParams> {
        let mut jobs = Vec::new();
        for &bits in &self.bits {
            for &alpha in &self.alphas {
                for &negatives in &self.negatives {
                    for seed in 1..=u64::from(self.seeds) {
                        let mut params = self.recipe.params(true);
                        (params.bits, params.alpha) = (bits, alpha);
                        (params.negatives, params.seed) = (negatives, seed);
                        (params.epochs, params.keep) = (self.epochs, Keep::F1);
                        jobs.push(params);
                    }
                }
            }
        }
        jobs
    }

    fn fingerprint(&self) -> String {
        let pairs: Vec<_> = self.pairs.iter().collect();
        fingerprint(self.hierarchy, [&pairs[..], self.valid.0, self.valid.1])
    }

    fn key(&self, params: &TrainParams, data: &str) -> Key {
        let settings = params.notes().into_iter().filter(|(name, _)| *name != "seed");
        let settings = settings.map(|(name, value)| format!(" {name}={value}"));
        Key {
            set: self.name.replace([',', '\n', '\r'], "_"),
            task: "tune".to_owned(),
            recipe: self.recipe.name().to_owned(),
            parameters: format!("bits={}{}", params.bits, settings.collect::<String>()),
            seed: params.seed,
            data: data.to_owned(),
        }
    }

    fn train(
        &self,
        params: &TrainParams,
        key: &Key,
        listener: &dyn Listener,
    ) -> Result<TuneOutcome, Error> {
        let started = Instant::now();
        let params = params.clone().check(self.hierarchy.len())?;
        let validation = Validation::Listed { positives: self.valid.0, negatives: self.valid.1 };
        let mut training = Training::new(self.pairs, &params, validation)?;
        let mut valid_f1 = 0.0f64;
        while !training.is_over() {
            if listener.is_cancelled() {
                return Err(Cancelled.into());
            }
            let epoch = training.step();
            valid_f1 = epoch.score.map_or(valid_f1, |score| valid_f1.max(score.f1));
            if epoch.epoch % 100 == 1 {
                listener.message(&format!("{}: epoch {}", title(key), epoch.epoch));
            }
        }
        let (epochs, best_epoch) = (training.epoch(), training.result().0);
        Ok(TuneOutcome { valid_f1, epochs, best_epoch, seconds: started.elapsed().as_secs_f64() })
    }
}
