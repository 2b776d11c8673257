//! Runs of the learner: planned as jobs, looked up in the ledger or done, and recorded.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use binder::evaluate::{self, Confusion};
use binder::graph::Graph;
use binder::split::Split;
use binder::train::{EpochLog, TrainParams, Training, Validation};
use binder::{Cancelled, Codes, Hierarchy};
use serde::Serialize;

use crate::data::DataSet;
use crate::ledger::{Key, Ledger, Outcome};
use crate::plan::Plan;
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
        Ok(Key {
            set: data.info.name.to_owned(),
            task: self.task.name(),
            recipe: self.recipe.name.to_owned(),
            parameters: format!("bits={}{}", self.params.bits, settings.collect::<String>()),
            seed: self.params.seed,
            data: data.fingerprint(self.task)?,
        })
    }
}

/// F1 over runs, in percent.
pub(crate) fn f1(runs: &[Run]) -> Stats {
    Stats::percent(runs.iter().map(|run| run.outcome.f1))
}

/// F1 over runs with equal codes as not is-a, in percent.
pub(crate) fn strict_f1(runs: &[Run]) -> Stats {
    Stats::percent(runs.iter().map(|run| run.outcome.strict_f1))
}

/// Sets of at least this size train one run at a time on all threads. Smaller ones train several
/// runs at once, each on one thread, because their epochs are too short to share.
pub(crate) const LARGE: usize = 20_000;

/// Does the jobs that the ledger does not have, and returns all of them in order.
pub(crate) fn run_all(
    jobs: &[Job],
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<Run>, Error> {
    let keys = jobs.iter().map(|job| job.key(data)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    let open: Vec<(&Job, &Key)> = (jobs.iter().zip(&keys))
        .filter(|(_, key)| ledger.find(key).is_none() && seen.insert(*key))
        .collect();
    if !open.is_empty() {
        do_all(&open, plan.listener, data, ledger)?;
    }
    let finished = |key: Key| ledger.find(&key).map(|outcome| Run { key, outcome });
    Ok(keys.into_iter().filter_map(finished).collect())
}

/// Does the jobs on all threads and records each as it ends. After an error no new job is begun,
/// but runs that end well are still recorded.
fn do_all(
    open: &[(&Job, &Key)],
    listener: &dyn Listener,
    data: &DataSet<'_>,
    ledger: &mut Ledger,
) -> Result<(), Error> {
    let threads = rayon::current_num_threads();
    let workers = if data.hierarchy.len() < LARGE { threads.min(open.len()) } else { 1 };
    let trainer = Trainer::new(open.iter().map(|(job, _)| job.task), data)?;
    listener.start(data.info.title, Some(open.len() as u64));
    let (queue, failed) = (Mutex::new(open.iter()), AtomicBool::new(false));
    let next = || match failed.load(Ordering::Relaxed) {
        true => None,
        false => queue.lock().ok().and_then(|mut queue| queue.next()),
    };
    let result = thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..workers {
            let (sender, next, trainer) = (sender.clone(), &next, &trainer);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads / workers).build()?;
            scope.spawn(move || {
                pool.install(|| {
                    while let Some((job, key)) = next() {
                        let show = |epoch: &EpochLog| show_epoch(listener, key, epoch);
                        let run = trainer.train(job, listener, show);
                        if sender.send((*key, run)).is_err() {
                            return;
                        }
                    }
                });
            });
        }
        // The loop below ends when the last worker has dropped its sender.
        drop(sender);
        let mut result = Ok(());
        for (key, run) in ended {
            match run {
                Ok((outcome, _)) => {
                    ledger.add(key.clone(), outcome)?;
                    listener.advance(1);
                    listener.line(&summary(key, &outcome));
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    result = result.and(Err(error));
                }
            }
        }
        result
    });
    listener.finish();
    result
}

/// Trains on one data set. What its runs need is read once and shared between threads.
pub(crate) struct Trainer<'a> {
    hierarchy: &'a Hierarchy,
    /// Only if a task needs it.
    split: Option<&'a Split>,
    training: Vec<(Task, Graph)>,
}

impl<'a> Trainer<'a> {
    /// A trainer for these tasks.
    pub(crate) fn new(
        tasks: impl IntoIterator<Item = Task>,
        data: &'a DataSet<'_>,
    ) -> Result<Self, Error> {
        let mut trainer = Self { hierarchy: &data.hierarchy, split: None, training: Vec::new() };
        for task in tasks {
            if trainer.training.iter().any(|(other, _)| *other == task) {
                continue;
            }
            let pairs = Graph::new(data.hierarchy.len(), data.training(task)?);
            trainer.training.push((task, pairs));
            if task != Task::Representation {
                trainer.split = Some(data.split()?);
            }
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
        let outcome = Outcome {
            f1: confusion.f1(),
            strict_f1: strict.f1(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            epochs,
            best_epoch,
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok((outcome, codes.clone()))
    }

    fn pairs(&self, task: Task) -> &Graph {
        let found = self.training.iter().find(|(other, _)| *other == task);
        let (_, pairs) = found.expect("a trainer is made for the tasks of its jobs");
        pairs
    }

    fn validation(&self, task: Task) -> Validation<'_> {
        match (task, self.split) {
            (Task::LinkPrediction(_), Some(split)) => {
                Validation::Listed { positives: &split.valid, negatives: &split.valid_neg }
            }
            _ => Validation::AllPairs(self.hierarchy),
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
pub(crate) fn show_epoch(listener: &dyn Listener, key: &Key, epoch: &EpochLog) {
    if epoch.epoch % 10 == 1 || epoch.time > Duration::from_millis(50) {
        let f1 = |score: f64| format!(", F1 {:.2} %", score * 100.0);
        let f1 = epoch.score.map_or(String::new(), |score| f1(score.f1));
        listener.message(&format!("{}: epoch {}{f1}", title(key), epoch.epoch));
    }
}

/// One line about a run that has ended.
pub(crate) fn summary(key: &Key, outcome: &Outcome) -> String {
    format!(
        "{}: F1 {:.2} %, epoch {} of {}, {:.1} s",
        title(key),
        outcome.f1 * 100.0,
        outcome.best_epoch,
        outcome.epochs,
        outcome.seconds
    )
}

fn title(key: &Key) -> String {
    format!("{} {} {}, seed {}", key.set, key.task, key.recipe, key.seed)
}
