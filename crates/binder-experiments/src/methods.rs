//! Runs of the other embeddings: settings tuned on validation pairs, then runs with several seeds.
//!
//! Every method gets the same budget. It is counted in *visits*: how often a training pair is
//! compared with its negatives, so `epochs × pairs`. A quarter of a run's epochs go into each of
//! the four trials of the grid, so tuning costs as much as one run.
//!
//! The grid has the method's default settings, 0.3 and 3 times its learning rate, and half its
//! dimensions. The trial with the best F1 on the validation pairs decides; the test pairs are not
//! looked at. Link prediction is tuned once per set, with no indirect pairs. Representation, where
//! nothing is held out, is tuned and its epochs are chosen on the training pairs and ten random
//! corruptions of each.

use std::time::Instant;

use binder::Hierarchy;
use binder::graph::Graph;
use binder::split::Pair;
use binder::train::scoring_negatives;
use binder_answers::grouped;
use binder_baselines::{
    BaselineParams, EpochLog, Error as MethodError, Method, Training, Validation, evaluate,
};
use serde::Serialize;

use crate::data::{DataSet, SetInfo};
use crate::ledger::{Key, Ledger, Record, number};
use crate::plan::Plan;
use crate::queue;
use crate::runs::title;
use crate::stats::Stats;
use crate::task::Task;
use crate::{Error, Listener};

/// Visits of a run unless others are asked for, and of a quick one.
const VISITS: usize = 2_000_000;
const QUICK_VISITS: usize = 20_000;
/// The share of a run's epochs that a trial of the grid gets; one at least.
const TRIAL: usize = 4;
/// The fewest and the most epochs of a run, whatever its visits.
const EPOCHS: std::ops::RangeInclusive<usize> = 4..=1000;
/// A run ends when so many of its epochs, as a share, brought no better F1.
const PATIENCE: usize = 5;
/// Changes of the learning rate and of the dimensions in the grid. Among equals the first wins.
const GRID: [(f64, usize); 4] = [(1.0, 1), (0.3, 1), (3.0, 1), (1.0, 2)];
/// The seed of trials. Runs begin with seed 1.
const TRIAL_SEED: u64 = 0;

/// What a reader of the tables must know about the methods; nothing if there are none.
pub(crate) fn legend(plan: &Plan<'_>) -> String {
    if plan.request.methods.is_empty() {
        return String::new();
    }
    let visits = grouped(visits(plan) as u64);
    format!(
        "Below each published row of another method is our own run of it. All methods have the \
         same budget: a run sees {visits} pairs with 128 negatives each (between 4 and 1,000 \
         epochs) and stops when a fifth of its epochs brought no better F1. Before that, four \
         trials with a quarter of its epochs choose the settings: the method's defaults, 0.3 and 3 \
         times its learning rate, half its dimensions. Those of link prediction are run at 0 % and \
         serve for every share. They are chosen by F1 on validation pairs, and so are the epoch \
         and the threshold; for representation, on the training pairs and ten random corruptions \
         of each, and the score is that of the best threshold over all pairs. Negatives are \
         filtered against the training pairs only. At most three seeds are run on Shwartz Random \
         and one on Nouns; where fewer runs than that are finished, their number follows in \
         brackets. The ledger beside this file has every trial and every run.\n\n"
    )
}

/// The result of a run of a method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct MethodOutcome {
    /// F1 on the validation pairs at their best threshold.
    pub(crate) valid_f1: f64,
    /// Nothing for trials: settings are chosen before anything is judged.
    #[serde(flatten)]
    pub(crate) judged: Option<Judged>,
    /// 0 epochs kept means that the numbers grew beyond all bounds.
    pub(crate) epochs: u32,
    pub(crate) best_epoch: u32,
    pub(crate) seconds: f64,
}

/// What the pairs say that a run is judged on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Judged {
    /// On test pairs at the threshold of the validation pairs; on all pairs at the best threshold.
    pub(crate) f1: f64,
    pub(crate) auc: f64,
    pub(crate) average_precision: f64,
}

impl Record for MethodOutcome {
    const HEADER: &'static str = "set,task,method,parameters,seed,data,\
        valid_f1,f1,auc,average_precision,epochs,best_epoch,seconds";

    fn fields(&self) -> String {
        let Self { valid_f1, judged, epochs, best_epoch, seconds } = self;
        let judged = judged.map_or(",,".to_owned(), |judged| {
            format!("{},{},{}", judged.f1, judged.auc, judged.average_precision)
        });
        format!("{valid_f1},{judged},{epochs},{best_epoch},{seconds}")
    }

    fn parse(fields: &[&str]) -> Option<Self> {
        let [valid_f1, f1, auc, average_precision, epochs, best_epoch, seconds] = *fields else {
            return None;
        };
        let judged = match [f1, auc, average_precision] {
            ["", "", ""] => None,
            [f1, auc, average_precision] => Some(Judged {
                f1: number(f1)?,
                auc: number(auc)?,
                average_precision: number(average_precision)?,
            }),
        };
        Some(Self {
            valid_f1: number(valid_f1)?,
            judged,
            epochs: number(epochs)?,
            best_epoch: number(best_epoch)?,
            seconds: number(seconds)?,
        })
    }
}

/// A run that has ended.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MethodRun {
    #[serde(flatten)]
    pub(crate) key: Key,
    /// Numbers that the method has per concept.
    pub(crate) numbers: usize,
    #[serde(flatten)]
    pub(crate) outcome: MethodOutcome,
}

/// F1 of runs, in percent.
pub(crate) fn f1(runs: &[&MethodRun]) -> Stats {
    Stats::percent(runs.iter().filter_map(|run| Some(run.outcome.judged?.f1)))
}

/// A run to do.
#[derive(Debug, Clone)]
struct Job {
    task: Task,
    params: BaselineParams,
    /// Whether it is a trial, which is not judged.
    trial: bool,
}

impl Job {
    fn key(&self, data: &DataSet<'_>) -> Result<Key, Error> {
        let settings = self.params.notes().into_iter();
        let settings = settings.filter(|(name, _)| !["method", "seed"].contains(name));
        let settings: Vec<_> = settings.map(|(name, value)| format!("{name}={value}")).collect();
        Ok(Key {
            set: data.info.name.to_owned(),
            task: self.task.name(),
            recipe: self.params.method.to_string(),
            parameters: settings.join(" "),
            seed: self.params.seed,
            data: data.fingerprint(self.task)?,
        })
    }
}

/// Tunes the methods of a plan on a set, then runs every task with every seed. Trials and runs that
/// the ledger has are not repeated.
pub(crate) fn run_all(
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    tasks: &[Task],
    ledger: &mut Ledger<MethodOutcome>,
) -> Result<Vec<MethodRun>, Error> {
    let Some(&tuned_on) = tasks.first() else { return Ok(Vec::new()) };
    let mut jobs = Vec::new();
    for &method in &plan.request.methods {
        let epochs = epochs(plan, data.training(tuned_on)?.len());
        let trials = GRID.map(|change| trial(tuned_on, method, change, epochs));
        jobs.push(trials.to_vec());
    }
    let all: Vec<_> = jobs.iter().flatten().cloned().collect();
    do_all(&all, plan, data, ledger)?;
    let mut runs = Vec::new();
    for trials in &jobs {
        let chosen = chosen(trials, data, ledger)?;
        for &task in tasks {
            let epochs = epochs(plan, data.training(task)?.len());
            for seed in 1..=u64::from(seeds(plan, data.info)) {
                let params = chosen.clone().with(|params| {
                    limit(params, epochs);
                    params.seed = seed;
                });
                runs.push(Job { task, params, trial: false });
            }
        }
    }
    // Seed by seed, so that a table of few seeds is complete before the next seed begins.
    runs.sort_by_key(|job| job.params.seed);
    do_all(&runs, plan, data, ledger)
}

/// How many seeds the methods are run with on a set.
pub(crate) fn seeds(plan: &Plan<'_>, set: &SetInfo) -> u32 {
    plan.seeds.min(set.method_seeds)
}

/// A trial on the way to runs of so many epochs.
fn trial(task: Task, method: Method, (rate, divisor): (f64, usize), epochs: usize) -> Job {
    let params = BaselineParams::of(method).with(|params| {
        params.rate *= rate;
        params.dim /= divisor;
        limit(params, (epochs / TRIAL).max(1));
        params.seed = TRIAL_SEED;
    });
    Job { task, params, trial: true }
}

/// How many pairs a run sees.
fn visits(plan: &Plan<'_>) -> usize {
    let usual = if plan.request.quick { QUICK_VISITS } else { VISITS };
    plan.request.visits.unwrap_or(usual)
}

/// The epochs of a run on so many pairs.
fn epochs(plan: &Plan<'_>, pairs: usize) -> usize {
    (visits(plan) / pairs.max(1)).clamp(*EPOCHS.start(), *EPOCHS.end())
}

/// Ends a run after so many epochs, or when a share of them brought no better F1.
fn limit(params: &mut BaselineParams, epochs: usize) {
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (params.epochs, params.patience) = (whole(epochs), whole((epochs / PATIENCE).max(2)));
}

/// The settings of the trial with the best F1 on validation pairs.
fn chosen(
    trials: &[Job],
    data: &DataSet<'_>,
    ledger: &Ledger<MethodOutcome>,
) -> Result<BaselineParams, Error> {
    let mut best: Option<(f64, &Job)> = None;
    for trial in trials {
        let found = ledger.find(&trial.key(data)?).map_or(0.0, |outcome| outcome.valid_f1);
        if best.is_none_or(|(before, _)| found > before) {
            best = Some((found, trial));
        }
    }
    let (_, job) = best.expect("the grid has trials");
    Ok(job.params.clone())
}

/// Does the jobs that the ledger does not have, and returns all of them in order.
fn do_all(
    jobs: &[Job],
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    ledger: &mut Ledger<MethodOutcome>,
) -> Result<Vec<MethodRun>, Error> {
    let keys = jobs.iter().map(|job| job.key(data)).collect::<Result<Vec<_>, _>>()?;
    let open = queue::open(jobs.iter().zip(&keys), ledger);
    if !open.is_empty() && !plan.request.finished {
        let mut tasks: Vec<TaskPairs<'_>> = Vec::new();
        for (job, _) in &open {
            if !tasks.iter().any(|pairs| pairs.task == job.task) {
                tasks.push(TaskPairs::new(job.task, data)?);
            }
        }
        let train = |job: &Job, key: &Key| {
            let found = tasks.iter().find(|pairs| pairs.task == job.task);
            found.expect("every job's task has its pairs").train(job, key, plan.listener)
        };
        let summary = |_: &Job, key: &Key, outcome: &MethodOutcome| summary(key, outcome);
        queue::do_all(&open, train, summary, plan.listener, data.for_jobs(), ledger)?;
    }
    let numbers = jobs.iter().map(|job| job.params.numbers());
    let finished = |(key, numbers): (Key, usize)| {
        ledger.find(&key).map(|outcome| MethodRun { key, numbers, outcome })
    };
    Ok(keys.into_iter().zip(numbers).filter_map(finished).collect())
}

/// The pairs of a task. What its runs need is read once and shared between threads.
struct TaskPairs<'a> {
    task: Task,
    hierarchy: &'a Hierarchy,
    training: Graph,
    /// Pairs to choose by: those that are is-a and those that are not.
    valid: (Vec<Pair>, Vec<Pair>),
    /// Pairs to judge by; `None` means all.
    test: Option<(&'a [Pair], &'a [Pair])>,
}

impl<'a> TaskPairs<'a> {
    fn new(task: Task, data: &'a DataSet<'_>) -> Result<Self, Error> {
        let training = Graph::new(data.hierarchy.len(), data.training(task)?);
        let (valid, test) = if task == Task::Representation {
            let negatives = scoring_negatives(&training, TRIAL_SEED);
            ((training.iter().collect(), negatives), None)
        } else {
            let split = data.split()?;
            let test = (&split.test[..], &split.test_neg[..]);
            ((split.valid.clone(), split.valid_neg.clone()), Some(test))
        };
        Ok(Self { task, hierarchy: &data.hierarchy, training, valid, test })
    }

    fn train(&self, job: &Job, key: &Key, listener: &dyn Listener) -> Result<MethodOutcome, Error> {
        let started = Instant::now();
        let params = job.params.clone().check()?;
        let (positives, negatives) = (&self.valid.0[..], &self.valid.1[..]);
        let validation = Validation { positives, negatives };
        let mut training = Training::new(&self.training, &self.training, &params, validation)?;
        while !training.is_over() {
            match training.step(listener) {
                Ok(epoch) => show(listener, key, &epoch),
                Err(MethodError::Diverged { epoch }) => {
                    return Ok(diverged(epoch, started.elapsed().as_secs_f64()));
                }
                Err(MethodError::Cancelled(cancelled)) => return Err(cancelled.into()),
                Err(error) => return Err(error.into()),
            }
        }
        let name = self.task.name();
        let model = training.model(self.hierarchy, &name, &name);
        let seconds = started.elapsed().as_secs_f64();
        let judged = if job.trial { None } else { Some(self.judge(&model, listener)?) };
        Ok(MethodOutcome {
            valid_f1: model.threshold().confusion.f1(),
            judged,
            epochs: training.epoch(),
            best_epoch: training.best_epoch(),
            seconds,
        })
    }

    fn judge(
        &self,
        model: &binder_baselines::Baseline,
        listener: &dyn Listener,
    ) -> Result<Judged, Error> {
        let (scores, threshold) = (model.scores(), model.threshold().at);
        let (f1, measures) = match self.test {
            Some((positives, negatives)) => {
                let judged = evaluate::measures(&*scores, threshold, positives, negatives);
                (judged.confusion.f1(), judged)
            }
            None => {
                let quiet = Quiet(listener);
                let judged = evaluate::all_pairs(&*scores, threshold, self.hierarchy, &quiet)?;
                (judged.measures.best_f1, judged.measures)
            }
        };
        Ok(Judged { f1, auc: measures.auc, average_precision: measures.average_precision })
    }
}

/// Hands on that the work is cancelled, and nothing else: bars count runs.
struct Quiet<'a>(&'a dyn Listener);

impl binder::Progress for Quiet<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

fn diverged(epoch: u32, seconds: f64) -> MethodOutcome {
    MethodOutcome { valid_f1: 0.0, judged: None, epochs: epoch, best_epoch: 0, seconds }
}

fn show(listener: &dyn Listener, key: &Key, epoch: &EpochLog) {
    if epoch.epoch % 10 == 1 || epoch.time.as_millis() > 50 {
        let f1 = epoch.f1 * 100.0;
        listener.message(&format!("{}: epoch {}, F1 {f1:.2} %", title(key), epoch.epoch));
    }
}

fn summary(key: &Key, outcome: &MethodOutcome) -> String {
    let MethodOutcome { valid_f1, judged, epochs, best_epoch, seconds } = outcome;
    let judged = judged.map_or("a trial".to_owned(), |it| format!("F1 {:.2} %", it.f1 * 100.0));
    format!(
        "{}: {judged}, validation {:.2} %, epoch {best_epoch} of {epochs}, {seconds:.1} s",
        title(key),
        valid_f1 * 100.0
    )
}
