mod checkpoint;
mod log;
mod report;
mod settings;
mod signals;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use binder::graph::Graph;
use binder::model::Origin;
use binder::output::check_space;
use binder::read::ReadOptions;
use binder::train::{
    EpochLog, Training, ValidTrainParams, Validation, first_codes, negatives, scoring_negatives,
    sequential,
};
use binder::{Checkpoint, Hierarchy, Model, Progress, evaluate};

use crate::args::{ScoreArg, TrainArgs};
use crate::files::{estimated_bytes, plan_model, print_report, read_pairs_of, reads, save_model};
use crate::pairs::{Pairs, read_both, training_pairs};
use crate::progress::Bars;
use crate::terminal::{grouped, note, print_json};
pub(crate) use checkpoint::{CheckpointArgs, Saved, Saver};
pub(crate) use log::Log;
use report::{Course, Report};
pub(crate) use signals::{Interrupted, Signals};

pub(crate) fn run(args: &TrainArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    plan(args)?;
    let hierarchy = read_pairs_of(&args.data, &args.reading, &args.json)?.keeping(args.kept.texts);
    let hierarchy = Arc::new(hierarchy);
    check_space(&args.output, estimated_bytes(&hierarchy))?;
    let params = settings::params(args, &hierarchy)?.check(hierarchy.len())?;
    params.warnings(hierarchy.len()).iter().for_each(|warning| note(warning));
    settings::idle(args, &params).into_iter().for_each(note);
    let pairs = training_pairs(&args.on, &hierarchy)?;
    let scored = scored_pairs(args, &hierarchy, &pairs, &params)?;
    let validation = match &scored {
        Some((positives, negatives)) => Validation::Listed { positives, negatives },
        None if args.no_valid => Validation::Nothing,
        None => Validation::AllPairs(&hierarchy),
    };
    let (model, mut report) = if args.sequential {
        descend(args, &hierarchy, &pairs, &params)?
    } else {
        learn(args, &hierarchy, &pairs, &params, validation)?
    };
    save_model(&model, &args.output)?;
    let judged = evaluate::all_pairs(model.codes(), &hierarchy);
    report.judge(&judged);
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(&args.output), &args.output)
}

/// Checks before the work that every result has a place and none is read.
fn plan(args: &TrainArgs) -> anyhow::Result<()> {
    let mut plan = args.force.plan();
    let init = args.settings.init.as_ref().map(PathBuf::from);
    let inputs = [Some(&args.data.source), args.valid.as_ref(), args.valid_neg.as_ref()];
    reads(&mut plan, inputs.into_iter().flatten().chain(&init).chain([&PathBuf::from(&args.on)]));
    plan_model(&mut plan, &args.output, args.json.json)?;
    if let Some(log) = &args.log {
        plan.writes(log)?;
    }
    args.keeping.plan(&mut plan)
}

/// The listed pairs that epochs are scored on, if any: those that are is-a and those that are not.
fn scored_pairs(
    args: &TrainArgs,
    hierarchy: &Hierarchy,
    pairs: &Graph,
    params: &ValidTrainParams,
) -> anyhow::Result<Option<(Pairs, Pairs)>> {
    Ok(match (&args.valid, &args.valid_neg, args.score) {
        (Some(valid), Some(negatives), _) => {
            Some(read_both(valid, negatives, &ReadOptions::default(), hierarchy)?)
        }
        (.., ScoreArg::Training) => {
            Some((pairs.iter().collect(), scoring_negatives(pairs, params.seed)))
        }
        _ => None,
    })
}

fn learn(
    args: &TrainArgs,
    hierarchy: &Arc<Hierarchy>,
    pairs: &Graph,
    params: &ValidTrainParams,
    validation: Validation<'_>,
) -> anyhow::Result<(Model, Report)> {
    let (started, signals) = (Instant::now(), Signals::catch()?);
    let negatives = negatives::count_in_epoch(pairs, params);
    let mut training = args.keeping.begin(
        || Ok(Training::new(pairs, params, validation)?),
        |path| {
            Training::resume(pairs, params, validation, Checkpoint::open(path)?)
                .with_context(|| path.display().to_string())
        },
    )?;
    let mut log = Log::after(args.log.as_deref(), training.epoch())?;
    let mut saver = Saver::new(&args.keeping, &training)?;
    let (bars, first, mut epoch_time) = (Bars::default(), training.epoch(), Duration::ZERO);
    bars.start("training", Some(params.epochs.into()));
    bars.skip(first.into());
    while !training.is_over() {
        let Ok(epoch) = training.step_with(&signals) else {
            return Err(args
                .keeping
                .interrupt(&args.output, &training, params.epochs, &mut log)?
                .into());
        };
        epoch_time += epoch.time;
        log.write(&epoch, params)?;
        bars.advance(1);
        bars.say(&message(&epoch, negatives, params));
        saver.save_if_due(&training, &mut log)?;
    }
    saver.save(&training, &mut log)?;
    let ((best_epoch, codes), epochs) = (training.result(), training.epoch());
    let origin = origin(args, Some(best_epoch));
    let model = Model::trained(Arc::clone(hierarchy), codes.clone(), params, &origin)?;
    let timed_epochs = epochs - first;
    let drawn = u64::from(timed_epochs) * negatives;
    let course =
        Course { epochs, best_epoch, time: started.elapsed(), timed_epochs, epoch_time, drawn };
    Ok((model, Report::new(hierarchy, params, &course)))
}

/// Flips one bit at a time until it reaches a local optimum.
fn descend(
    args: &TrainArgs,
    hierarchy: &Arc<Hierarchy>,
    pairs: &Graph,
    params: &ValidTrainParams,
) -> anyhow::Result<(Model, Report)> {
    let started = Instant::now();
    let bars = Bars::default();
    bars.start("flipping one bit at a time", None);
    let mut codes = first_codes(pairs, params)?;
    let signals = Signals::catch()?;
    sequential::descend(&mut codes, pairs, params, |_| {
        bars.advance(1);
        if signals.is_cancelled() { Err(binder::Cancelled) } else { Ok(()) }
    })?;
    let model = Model::trained(Arc::clone(hierarchy), codes, params, &origin(args, None))?;
    let course = Course { time: started.elapsed(), ..Course::default() };
    Ok((model, Report::new(hierarchy, params, &course)))
}

/// What the model's notes say about the run.
fn origin(args: &TrainArgs, best_epoch: Option<u32>) -> Origin<'_> {
    let scored_on = match (&args.valid, args.no_valid || args.sequential, args.score) {
        (Some(_), ..) => "valid",
        (None, true, _) => "nothing",
        (None, false, ScoreArg::All) => "all",
        (None, false, ScoreArg::Training) => "training",
    };
    Origin { recipe: args.recipe, on: &args.on, scored_on, best_epoch }
}

fn message(epoch: &EpochLog, negatives: u64, params: &ValidTrainParams) -> String {
    let f1 = epoch.score.map_or(String::new(), |score| format!(", F1 {:.2} %", score.f1 * 100.0));
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    let drawn = negatives as f64 / epoch.time.as_secs_f64().max(1e-9);
    let loss = epoch.report.loss.weighted(params.alpha, params.beta);
    format!("epoch {}: loss {}{f1}, {:.0} M negatives/s", epoch.epoch, grouped(loss), drawn / 1e6)
}
