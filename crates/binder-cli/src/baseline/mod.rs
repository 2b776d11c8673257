mod args;
mod judge;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use binder::container::FileError;
use binder::graph::Graph;
use binder::output::{Lock, check_space};
use binder::read::ReadOptions;
use binder::train::scoring_negatives;
use binder::{Hierarchy, Progress};
use binder_baselines::{
    Baseline, BaselineCheckpoint, EpochLog, Filter, Training, ValidBaselineParams, Validation,
};
use serde::Serialize;
use serde_json::json;

use crate::files::{
    estimated_bytes, plan_model, print_report, read_pairs_of, reads, save_baseline,
};
use crate::pairs::{Pairs, read_both, training_pairs};
use crate::progress::Bars;
use crate::terminal::{bold, duration, grouped, note, print_json};
use crate::train::{Log, Saved, Saver, Signals};
pub(crate) use args::BaselineArgs;
pub(crate) use judge::{judge, ranking};

pub(crate) fn run(args: &BaselineArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    plan(args)?;
    let params = args.params()?.check()?;
    let hierarchy = read_pairs_of(&args.data, &args.reading, &args.json)?;
    let numbers = hierarchy.len() as u64 * params.numbers() as u64;
    check_space(&args.output, estimated_bytes(&hierarchy) + 4 * numbers)?;
    let pairs = training_pairs(&args.on, &hierarchy)?;
    let (positives, negatives) = scored_pairs(args, &hierarchy, &pairs, &params)?;
    let validation = Validation { positives: &positives, negatives: &negatives };
    let (model, mut report) = learn(args, &hierarchy, &pairs, &params, validation)?;
    save_baseline(&model, &args.output)?;
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(&args.output), &args.output)
}

/// Checks before the work that every result has a place and none is read.
fn plan(args: &BaselineArgs) -> anyhow::Result<()> {
    let mut plan = args.force.plan();
    let inputs = [Some(&args.data.source), args.valid.as_ref(), args.valid_neg.as_ref()];
    reads(&mut plan, inputs.into_iter().flatten().chain([&PathBuf::from(&args.on)]));
    plan_model(&mut plan, &args.output, args.json.json)?;
    if let Some(log) = &args.log {
        plan.writes(log)?;
    }
    args.keeping.plan(&mut plan)
}

impl Saved for Training<'_> {
    fn epochs_done(&self) -> u32 {
        self.epoch()
    }

    fn save_locked(&self, path: &Path) -> Result<Lock, FileError> {
        self.checkpoint().save_locked(path)
    }
}

/// The pairs that epochs are scored on: those that are is-a and those that are not.
fn scored_pairs(
    args: &BaselineArgs,
    hierarchy: &Hierarchy,
    pairs: &Graph,
    params: &ValidBaselineParams,
) -> anyhow::Result<(Pairs, Pairs)> {
    match (&args.valid, &args.valid_neg) {
        (Some(valid), Some(negatives)) => {
            read_both(valid, negatives, &ReadOptions::default(), hierarchy)
        }
        _ => Ok((pairs.iter().collect(), scoring_negatives(pairs, params.seed))),
    }
}

fn learn(
    args: &BaselineArgs,
    hierarchy: &Hierarchy,
    pairs: &Graph,
    params: &ValidBaselineParams,
    validation: Validation<'_>,
) -> anyhow::Result<(Baseline, Report)> {
    let started = Instant::now();
    let closure = match params.filter {
        Filter::Training => None,
        Filter::Closure => {
            note("negatives are filtered by the whole closure of DATA: held-out pairs leak");
            let all = hierarchy.closure();
            Some(Graph::new(hierarchy.len(), all.pairs().chain(pairs.iter())))
        }
    };
    let (avoided, signals) = (closure.as_ref().unwrap_or(pairs), Signals::catch()?);
    let mut training = args.keeping.begin(
        || Ok(Training::new(pairs, avoided, params, validation)?),
        |path| {
            let checkpoint = BaselineCheckpoint::open(path)?;
            Training::resume(pairs, avoided, params, validation, checkpoint)
                .with_context(|| path.display().to_string())
        },
    )?;
    let first = training.epoch();
    let mut saver = Saver::new(&args.keeping, &training)?;
    let (mut log, mut epoch_time) = (Log::after(args.log.as_deref(), first)?, Duration::ZERO);
    let bars = Bars::default();
    bars.start("training", Some(params.epochs.into()));
    bars.skip(first.into());
    while !training.is_over() {
        if signals.is_cancelled() {
            let epochs = params.epochs;
            return Err(args.keeping.interrupt(&args.output, &training, epochs, &mut log)?.into());
        }
        // An epoch is trained to its end: a run can be saved between two epochs only.
        let epoch = training.step(&())?;
        epoch_time += epoch.time;
        log.line(&json!({
            "epoch": epoch.epoch,
            "loss": epoch.loss,
            "f1": epoch.f1,
            "seconds": epoch.time.as_secs_f64(),
        }))?;
        bars.advance(1);
        bars.say(&message(&epoch));
        saver.save_if_due(&training, &mut log)?;
    }
    saver.save(&training, &mut log)?;
    let scored_on = if args.valid.is_some() { "valid" } else { "training" };
    let model = training.model(hierarchy, &args.on, scored_on);
    let confusion = model.threshold().confusion;
    let report = Report {
        entities: hierarchy.len(),
        method: params.method.to_string(),
        dim: params.dim,
        numbers: params.numbers(),
        bytes: 4 * params.numbers(),
        epochs: training.epoch(),
        best_epoch: training.best_epoch(),
        scored_on,
        valid_f1: confusion.f1(),
        threshold: model.threshold().at,
        seconds: started.elapsed().as_secs_f64(),
        seconds_per_epoch: epoch_time.as_secs_f64() / f64::from((training.epoch() - first).max(1)),
        total_seconds: 0.0,
    };
    Ok((model, report))
}

fn message(epoch: &EpochLog) -> String {
    format!("epoch {}: loss {:.4}, F1 {:.2} %", epoch.epoch, epoch.loss, epoch.f1 * 100.0)
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    method: String,
    dim: usize,
    /// Numbers and bytes per concept.
    numbers: usize,
    bytes: usize,
    epochs: u32,
    best_epoch: u32,
    scored_on: &'static str,
    /// F1 on the pairs that epochs were scored on, at the threshold chosen there.
    valid_f1: f64,
    threshold: f32,
    seconds: f64,
    seconds_per_epoch: f64,
    total_seconds: f64,
}

impl Report {
    fn text(&self, output: &Path) -> String {
        format!(
            "{}: {}, {} concepts, {} numbers each; epoch {} of {} kept; {} in total, {} per epoch\n  \
             F1 on the {} pairs {:.2} %; judge the model with binder eval\n",
            bold(&output.display().to_string()),
            self.method,
            grouped(self.entities as u64),
            self.numbers,
            self.best_epoch,
            self.epochs,
            duration(self.seconds),
            duration(self.seconds_per_epoch),
            if self.scored_on == "valid" { "validation" } else { "training" },
            self.valid_f1 * 100.0,
        )
    }
}
