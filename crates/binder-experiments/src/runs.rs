//! Runs of the learner: planned as jobs, looked up or done, and noted.

use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use binder::evaluate::{self, Confusion};
use binder::split::Split;
use binder::train::{EpochLog, TrainParams, Training, TrainingPairs, Validation};
use binder::{Codes, Progress};
use serde::Serialize;

use super::data::{DataSet, Task};
use super::ledger::{Key, Ledger, Outcome};
use super::recipes::NamedRecipe;
use crate::progress::Bars;

/// One run.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) task: Task,
    pub(crate) recipe: &'static NamedRecipe,
    /// With the seed.
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
    /// The same run with each of the seeds 1 to `seeds`.
    pub(crate) fn with_seeds(&self, seeds: u32) -> impl Iterator<Item = Self> + '_ {
        (1..=u64::from(seeds))
            .map(|seed| Self { params: TrainParams { seed, ..self.params.clone() }, ..self.clone() })
    }

    pub(crate) fn key(&self, data: &DataSet) -> anyhow::Result<Key> {
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

/// Sets below this size train side by side, each run on one thread: small epochs leave the other threads waiting.
pub(crate) const LARGE: usize = 20_000;

/// Does the jobs that the ledger does not have and returns all of them, in order.
pub(crate) fn run_all(jobs: &[Job], data: &DataSet, ledger: &mut Ledger) -> anyhow::Result<Vec<Run>> {
    let keys = jobs.iter().map(|job| job.key(data)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut open: Vec<usize> = (0..jobs.len()).filter(|&job| ledger.find(&keys[job]).is_none()).collect();
    open.retain({
        let mut seen = std::collections::HashSet::new();
        let keys = &keys;
        move |&job| seen.insert(&keys[job])
    });
    if !open.is_empty() {
        do_all(&open, jobs, &keys, data, ledger)?;
    }
    let runs = keys.into_iter().filter_map(|key| ledger.find(&key).map(|outcome| Run { key, outcome }));
    Ok(runs.collect())
}

/// Does the `open` ones of the jobs, some at a time, and notes each as it ends.
fn do_all(
    open: &[usize],
    jobs: &[Job],
    keys: &[Key],
    data: &DataSet,
    ledger: &mut Ledger,
) -> anyhow::Result<()> {
    let threads = rayon::current_num_threads();
    let workers = if data.hierarchy.len() < LARGE { threads.min(open.len()) } else { 1 };
    let materials = Materials::new(jobs, data)?;
    let bars = Bars::default();
    bars.start(data.info.title, Some(open.len() as u64));
    let queue = Mutex::new(open.iter().copied());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..workers {
            let (sender, next, bars, materials) = (sender.clone(), &next, &bars, &materials);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads / workers).build()?;
            scope.spawn(move || {
                pool.install(|| {
                    while let Some(job) = next() {
                        let run = materials.train(&jobs[job], |epoch| say(bars, &keys[job], epoch));
                        if sender.send((job, run)).is_err() {
                            return;
                        }
                    }
                });
            });
        }
        drop(sender);
        for (job, run) in ended {
            let (outcome, _) = run?;
            bars.advance(1);
            bars.line(&line(&keys[job], &outcome));
            ledger.add(keys[job].clone(), outcome)?;
        }
        Ok(())
    })
}

/// What runs on one set need, read once and shared between threads.
pub(crate) struct Materials<'a> {
    data: &'a binder::Hierarchy,
    split: Option<&'a Split>,
    training: Vec<(Task, TrainingPairs)>,
}

impl<'a> Materials<'a> {
    pub(crate) fn new(jobs: &[Job], data: &'a DataSet) -> anyhow::Result<Self> {
        let mut training: Vec<(Task, TrainingPairs)> = Vec::new();
        for task in jobs.iter().map(|job| job.task) {
            if training.iter().all(|(other, _)| *other != task) {
                training.push((task, TrainingPairs::new(data.hierarchy.len(), &data.training(task)?)));
            }
        }
        let split =
            jobs.iter().any(|job| job.task != Task::Representation).then(|| data.split()).transpose()?;
        Ok(Self { data: &data.hierarchy, split, training })
    }

    /// Trains and judges; `each` sees every epoch.
    pub(crate) fn train(
        &self,
        job: &Job,
        mut each: impl FnMut(&EpochLog),
    ) -> anyhow::Result<(Outcome, Codes)> {
        let started = Instant::now();
        let found = self.training.iter().find(|(task, _)| *task == job.task);
        let (_, pairs) = found.ok_or_else(|| anyhow::anyhow!("no pairs to train on"))?;
        let params = job.params.clone().check(self.data.len())?;
        let mut training = Training::new(pairs, &params, self.validation(job.task))?;
        let mut epochs = 0;
        while !training.is_over() {
            let epoch = training.step();
            epochs = epoch.epoch;
            each(&epoch);
        }
        let (best_epoch, codes) = training.result();
        let (confusion, apart) = self.judge(job.task, codes);
        let outcome = Outcome {
            f1: confusion.f1(),
            f1_equal_apart: apart.f1(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            epochs,
            best_epoch,
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok((outcome, codes.clone()))
    }

    fn validation(&self, task: Task) -> Validation<'_> {
        match (task, self.split) {
            (Task::LinkPrediction(_), Some(split)) => {
                Validation::Listed { positives: &split.valid, negatives: &split.valid_neg }
            }
            _ => Validation::AllPairs(self.data),
        }
    }

    /// The score with equal codes as is-a, and as not.
    fn judge(&self, task: Task, codes: &Codes) -> (Confusion, Confusion) {
        match (task, self.split) {
            (Task::LinkPrediction(_), Some(split)) => (
                evaluate::listed(codes, &split.test, &split.test_neg).confusion,
                evaluate::listed_apart(codes, &split.test, &split.test_neg),
            ),
            _ => {
                let judged = evaluate::all_pairs(codes, self.data);
                (judged.confusion, evaluate::all_pairs_apart(codes, self.data, &judged))
            }
        }
    }
}

/// Shows how far a run is, now and then.
pub(crate) fn say(bars: &Bars, key: &Key, epoch: &EpochLog) {
    if epoch.epoch % 10 == 1 || epoch.time > Duration::from_millis(50) {
        let f1 = epoch.score.map_or(String::new(), |score| format!(", F1 {:.2} %", score.f1 * 100.0));
        bars.say(&format!(
            "{} {} {}, seed {}: epoch {}{f1}",
            key.set, key.task, key.recipe, key.seed, epoch.epoch
        ));
    }
}

/// What is said of a run that has ended.
pub(crate) fn line(key: &Key, outcome: &Outcome) -> String {
    format!(
        "{} {} {}, seed {}: F1 {:.2} %, epoch {} of {}, {:.1} s",
        key.set,
        key.task,
        key.recipe,
        key.seed,
        outcome.f1 * 100.0,
        outcome.best_epoch,
        outcome.epochs,
        outcome.seconds
    )
}
