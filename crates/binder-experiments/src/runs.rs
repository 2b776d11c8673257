//! Runs of the learner: planned as jobs, looked up in the ledger or done, and recorded.

use std::time::{Duration, Instant};

use binder::evaluate::{self, Confusion};
use binder::graph::Graph;
use binder::split::{Pair, Split};
use binder::train::{EpochLog, TrainParams, Training, Validation, scoring_negatives};
use binder::{Cancelled, Codes, Hierarchy};
use serde::Serialize;

use crate::data::DataSet;
use crate::ledger::{Key, Ledger, Outcome};
use crate::plan::Plan;
use crate::queue;
use crate::recipes::NamedRecipe;
use crate::stats::Stats;
use crate::task::Task;
use crate::{Error, Listener};

/// A run to do.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) task: Task,
    pub(crate) recipe: &'static NamedRecipe,
    /// All settings, with the seed.
    pub(crate) params: TrainParams,
    /// What an experiment changes of the recipe's settings: `name=value`, separated by spaces.
    pub(crate) changed: String,
}

/// A run that has ended.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Run {
    #[serde(flatten)]
    pub(crate) key: Key,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

impl Job {
    /// The same job with each of the seeds 1 to `seeds`.
    pub(crate) fn with_seeds(&self, seeds: u32) -> impl Iterator<Item = Self> + '_ {
        (1..=u64::from(seeds)).map(|seed| {
            let mut job = self.clone();
            job.params.seed = seed;
            job
        })
    }

    /// What the ledger knows the run by.
    pub(crate) fn key(&self, data: &DataSet<'_>) -> Result<Key, Error> {
        let settings = self.params.notes().into_iter().filter(|(name, _)| *name != "seed");
        let settings = settings.map(|(name, value)| format!(" {name}={value}"));
        // Runs of an older edition chose their epoch on all pairs.
        let chosen_on = if self.task == Task::Representation { " chosen_on=sample" } else { "" };
        Ok(Key {
            set: data.info.name.to_owned(),
            task: self.task.name(),
            recipe: self.recipe.name.to_owned(),
            parameters: format!(
                "bits={}{}{chosen_on}",
                self.params.bits,
                settings.collect::<String>()
            ),
            seed: self.params.seed,
            data: data.fingerprint(self.task)?,
        })
    }
}

/// F1 over runs, in percent.
pub(crate) fn f1(runs: &[Run]) -> Stats {
    Stats::percent(runs.iter().map(|run| run.outcome.f1))
}

/// F1 of the last epochs of runs, in percent.
pub(crate) fn last_f1(runs: &[Run]) -> Stats {
    Stats::percent(runs.iter().filter_map(|run| run.outcome.last_f1))
}

/// F1 over runs with equal codes as not is-a, in percent.
pub(crate) fn strict_f1(runs: &[Run]) -> Stats {
    Stats::percent(runs.iter().map(|run| run.outcome.strict_f1))
}

/// Does the jobs that the ledger does not have, and returns all of them in order. It is an error if
/// some are missing and none may be run.
pub(crate) fn run_all(
    jobs: &[Job],
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<Run>, Error> {
    let runs = run_some(jobs, plan, data, ledger)?;
    plan.check_missing(jobs.len() - runs.len())?;
    Ok(runs)
}

/// Does the jobs that the ledger does not have, and returns all of them in order; if none may be
/// run, those that are there.
pub(crate) fn run_some(
    jobs: &[Job],
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<Run>, Error> {
    let keys = jobs.iter().map(|job| job.key(data)).collect::<Result<Vec<_>, _>>()?;
    let open = queue::open(jobs.iter().zip(&keys), ledger);
    if !open.is_empty() && !plan.request.finished {
        let trainer = Trainer::new(open.iter().map(|(job, _)| job.task), data)?;
        let train = |job: &Job, key: &Key| {
            let show = |epoch: &EpochLog| show_epoch(plan.listener, job, key, epoch);
            Ok(trainer.train(job, plan.listener, show)?.0)
        };
        queue::do_all(&open, train, summary, plan.listener, data.for_jobs(), ledger)?;
    }
    let finished = |key: Key| ledger.find(&key).map(|outcome| Run { key, outcome });
    Ok(keys.into_iter().filter_map(finished).collect())
}

/// The seed of the pairs that an epoch of representation is chosen on. They are the training pairs
/// and ten random corruptions of each, and not all the pairs that the codes are judged on.
const SAMPLE_SEED: u64 = 0;

/// Trains on one data set. What its runs need is read once and shared between threads.
pub(crate) struct Trainer<'a> {
    hierarchy: &'a Hierarchy,
    /// Only if a task needs it.
    split: Option<&'a Split>,
    /// For representation: the pairs that an epoch is chosen on.
    sample: Option<(Vec<Pair>, Vec<Pair>)>,
    training: Vec<(Task, Graph)>,
}

impl<'a> Trainer<'a> {
    /// A trainer for these tasks.
    pub(crate) fn new(
        tasks: impl IntoIterator<Item = Task>,
        data: &'a DataSet<'_>,
    ) -> Result<Self, Error> {
        let hierarchy = &data.hierarchy;
        let mut trainer = Self { hierarchy, split: None, sample: None, training: Vec::new() };
        for task in tasks {
            if trainer.training.iter().any(|(other, _)| *other == task) {
                continue;
            }
            let pairs = Graph::new(data.hierarchy.len(), data.training(task)?);
            if task == Task::Representation {
                let negatives = scoring_negatives(&pairs, SAMPLE_SEED);
                trainer.sample = Some((pairs.iter().collect(), negatives));
            } else {
                trainer.split = Some(data.split()?);
            }
            trainer.training.push((task, pairs));
        }
        Ok(trainer)
    }

    /// Trains and judges one run. `each` sees every epoch.
    ///
    /// # Panics
    ///
    /// If the trainer was not made for the job's task.
    pub(crate) fn train(
        &self,
        job: &Job,
        listener: &dyn Listener,
        mut each: impl FnMut(&EpochLog),
    ) -> Result<(Outcome, Codes), Error> {
        let started = Instant::now();
        let params = job.params.clone().check(self.hierarchy.len())?;
        let mut training = Training::new(self.pairs(job.task), &params, self.validation(job.task))?;
        let mut epochs = 0;
        while !training.is_over() {
            if listener.is_cancelled() {
                return Err(Cancelled.into());
            }
            let epoch = training.step();
            epochs = epoch.epoch;
            each(&epoch);
        }
        let (best_epoch, codes) = training.result();
        let (confusion, strict) = self.judge(job.task, codes);
        let last = match best_epoch == epochs {
            true => confusion,
            false => self.judge(job.task, training.last_codes()).0,
        };
        let outcome = Outcome {
            f1: confusion.f1(),
            strict_f1: strict.f1(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            epochs,
            best_epoch,
            seconds: started.elapsed().as_secs_f64(),
            last_f1: Some(last.f1()),
        };
        Ok((outcome, codes.clone()))
    }

    fn pairs(&self, task: Task) -> &Graph {
        let found = self.training.iter().find(|(other, _)| *other == task);
        let (_, pairs) = found.expect("a trainer is made for the tasks of its jobs");
        pairs
    }

    fn validation(&self, task: Task) -> Validation<'_> {
        match (task, self.split, &self.sample) {
            (Task::LinkPrediction(_), Some(split), _) => {
                Validation::Listed { positives: &split.valid, negatives: &split.valid_neg }
            }
            (_, _, Some((positives, negatives))) => Validation::Listed { positives, negatives },
            _ => Validation::Nothing,
        }
    }

    /// The score with equal codes as is-a, and the strict one.
    fn judge(&self, task: Task, codes: &Codes) -> (Confusion, Confusion) {
        match (task, self.split) {
            (Task::LinkPrediction(_), Some(split)) => (
                evaluate::listed(codes, &split.test, &split.test_neg).confusion,
                evaluate::listed_strict(codes, &split.test, &split.test_neg),
            ),
            _ => {
                let judged = evaluate::all_pairs(codes, self.hierarchy);
                (judged.confusion, evaluate::all_pairs_strict(codes, self.hierarchy, &judged))
            }
        }
    }
}

/// Shows how far a run is: after every slow epoch, and after every tenth fast one.
pub(crate) fn show_epoch(listener: &dyn Listener, job: &Job, key: &Key, epoch: &EpochLog) {
    if epoch.epoch % 10 == 1 || epoch.time > Duration::from_millis(50) {
        let f1 = |score: f64| format!(", F1 {:.2} %", score * 100.0);
        let f1 = epoch.score.map_or(String::new(), |score| f1(score.f1));
        listener.message(&format!("{}: epoch {}{f1}", changed_title(job, key), epoch.epoch));
    }
}

/// One line about a run that has ended.
pub(crate) fn summary(job: &Job, key: &Key, outcome: &Outcome) -> String {
    format!(
        "{}: F1 {:.2} %, epoch {} of {}, {:.1} s",
        changed_title(job, key),
        outcome.f1 * 100.0,
        outcome.best_epoch,
        outcome.epochs,
        outcome.seconds
    )
}

/// A run in a word, with what is changed of its recipe.
fn changed_title(job: &Job, key: &Key) -> String {
    let Key { set, task, recipe, seed, .. } = key;
    match &*job.changed {
        "" => title(key),
        changed => format!("{set} {task} {recipe} {changed}, seed {seed}"),
    }
}

pub(crate) fn title(key: &Key) -> String {
    format!("{} {} {}, seed {}", key.set, key.task, key.recipe, key.seed)
}
