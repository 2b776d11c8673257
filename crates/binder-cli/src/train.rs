use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use binder::read::ReadOptions;
use binder::train::{
    EpochLog, Init, Keep, Recipe, TrainParams, Training, TrainingPairs, ValidTrainParams, Validation,
    first_codes, sequential,
};
use binder::{Codes, Hierarchy, Model, Progress, evaluate};
use serde::Serialize;
use serde_json::json;

use crate::args::{KeepArg, RecipeArg, TrainArgs};
use crate::output::{bold, counted, duration, grouped, note, print, print_json};
use crate::pairs::{read_both, read_pairs};
use crate::progress::Bars;

pub(crate) fn run(args: &TrainArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    check_output(&args.output)?;
    let hierarchy = binder::read(&args.data.source, &args.reading.options(), &Bars::default())?;
    let params = params(args, &hierarchy)?.check(hierarchy.len())?;
    params.warnings(hierarchy.len()).iter().for_each(|warning| note(warning));
    let pairs = training_pairs(args, &hierarchy)?;
    let valid = match (&args.valid, &args.valid_neg) {
        (Some(valid), Some(negatives)) => {
            Some(read_both(valid, negatives, &ReadOptions::default(), &hierarchy)?)
        }
        _ => None,
    };
    let validation = match &valid {
        Some((positives, negatives)) => Validation::Listed { positives, negatives },
        None if args.no_valid => Validation::Nothing,
        None => Validation::AllPairs(&hierarchy),
    };
    let (model, mut report) = if args.sequential {
        descend(args, &hierarchy, &pairs, &params)?
    } else {
        learn(args, &hierarchy, &pairs, &params, validation)?
    };
    model.save(&args.output)?;
    let judged = evaluate::all_pairs(model.codes(), &hierarchy);
    report.judge(&judged);
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text(&args.output))?) }
}

/// Says before the work, not after it, that there is no place for its result.
fn check_output(output: &Path) -> anyhow::Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    anyhow::ensure!(folder.is_dir(), "{}: no such folder; make it first", folder.display());
    anyhow::ensure!(!output.is_dir(), "{}: is a folder; give the path of a file", output.display());
    Ok(())
}

fn params(args: &TrainArgs, hierarchy: &Hierarchy) -> anyhow::Result<TrainParams> {
    let recipe = match args.recipe {
        RecipeArg::Paper => Recipe::Paper,
        RecipeArg::Published => Recipe::Published,
    };
    let (given, mut params) = (&args.settings, recipe.params(args.on != "closure"));
    let set = |value: &mut u32, given: Option<u32>| *value = given.unwrap_or(*value);
    set(&mut params.alpha, given.alpha);
    set(&mut params.beta, given.beta);
    if let Some(negatives) = given.negatives {
        params.exact = negatives.all;
        set(&mut params.negatives, negatives.per_positive);
    }
    set(&mut params.epochs, given.epochs);
    set(&mut params.patience, given.patience);
    params.bits = given.bits.unwrap_or(params.bits);
    params.rate = given.rate.unwrap_or(params.rate);
    params.bias = given.bias.unwrap_or(params.bias);
    params.seed = given.seed;
    let rules = &mut params.sampling;
    rules.filtered = given.filtered.unwrap_or(rules.filtered);
    rules.distinct = given.distinct.unwrap_or(rules.distinct);
    rules.with_self = given.with_self.unwrap_or(rules.with_self);
    rules.reversed = given.with_reversed.unwrap_or(rules.reversed);
    if args.no_valid {
        params.keep = Keep::Last;
    }
    if let Some(keep) = given.keep {
        params.keep = match keep {
            KeepArg::F1 => Keep::F1,
            KeepArg::Loss => Keep::Loss,
            KeepArg::Last => Keep::Last,
        };
    }
    if let Some(init) = &given.init {
        params.init = self::init(init, hierarchy)?;
    }
    Ok(params)
}

fn init(init: &str, hierarchy: &Hierarchy) -> anyhow::Result<Init> {
    Ok(match init {
        "ones" => Init::Ones,
        "zeros" => Init::Zeros,
        "random" => Init::Random,
        path => {
            let model =
                Model::open(Path::new(path)).context("--init takes ones, zeros, random or a model file")?;
            Init::Codes(model.codes_for(hierarchy.names(), "the data")?)
        }
    })
}

fn training_pairs(args: &TrainArgs, hierarchy: &Hierarchy) -> anyhow::Result<TrainingPairs> {
    let pairs = match args.on.as_str() {
        "direct" => hierarchy.pairs().collect(),
        "closure" => hierarchy.closure().pairs().collect(),
        file => read_pairs(file, &ReadOptions::default(), hierarchy)?,
    };
    Ok(TrainingPairs::new(hierarchy.len(), &pairs))
}

fn learn(
    args: &TrainArgs,
    hierarchy: &Hierarchy,
    pairs: &TrainingPairs,
    params: &ValidTrainParams,
    validation: Validation<'_>,
) -> anyhow::Result<(Model, Report)> {
    let started = Instant::now();
    let mut log = args.log.as_deref().map(Log::create).transpose()?;
    let bars = Bars::default();
    bars.start("training", Some(params.epochs.into()));
    let mut training = Training::new(pairs, params, validation)?;
    let (mut epochs, mut time) = (0, Duration::ZERO);
    while !training.is_over() {
        let epoch = training.step();
        (epochs, time) = (epoch.epoch, time + epoch.time);
        if let Some(log) = &mut log {
            log.write(&epoch, params)?;
        }
        bars.advance(1);
        bars.say(&message(&epoch, pairs, params));
    }
    log.map_or(Ok(()), Log::finish)?;
    let (best_epoch, codes) = training.result();
    let recipe = match args.recipe {
        RecipeArg::Paper => "paper",
        RecipeArg::Published => "published",
    };
    let mut model =
        Model::new(hierarchy, codes.clone())?.with_note("method", "train").with_note("recipe", recipe);
    for (key, value) in params.notes().into_iter().chain([("best_epoch", best_epoch.to_string())]) {
        model = model.with_note(key, &value);
    }
    let drawn = u64::from(epochs) * u64::from(params.negatives) * pairs.len() as u64;
    let report = Report::new(hierarchy, params, epochs, best_epoch, started.elapsed(), time, drawn);
    Ok((model, report))
}

/// One bit at a time, to the nearest local optimum.
fn descend(
    args: &TrainArgs,
    hierarchy: &Hierarchy,
    pairs: &TrainingPairs,
    params: &ValidTrainParams,
) -> anyhow::Result<(Model, Report)> {
    let started = Instant::now();
    let bars = Bars::default();
    bars.start("flipping one bit at a time", None);
    let mut codes = first_codes(hierarchy.len(), params)?;
    sequential::descend(&mut codes, pairs, params, |_| bars.advance(1));
    let model = model(args, hierarchy, params, &codes)?.with_note("sequential", "true");
    Ok((model, Report::new(hierarchy, params, 0, 0, started.elapsed(), Duration::ZERO, 0)))
}

/// The codes with everything needed to make them again.
fn model(
    args: &TrainArgs,
    hierarchy: &Hierarchy,
    params: &ValidTrainParams,
    codes: &Codes,
) -> anyhow::Result<Model> {
    let recipe = match args.recipe {
        RecipeArg::Paper => "paper",
        RecipeArg::Published => "published",
    };
    let model =
        Model::new(hierarchy, codes.clone())?.with_note("method", "train").with_note("recipe", recipe);
    let model = model.with_note("on", &args.on);
    Ok(params.notes().into_iter().fold(model, |model, (key, value)| model.with_note(key, &value)))
}

fn message(epoch: &EpochLog, pairs: &TrainingPairs, params: &ValidTrainParams) -> String {
    let f1 = epoch.score.map_or(String::new(), |score| format!(", F1 {:.2} %", score.f1 * 100.0));
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    let drawn =
        (pairs.len() as u64 * u64::from(params.negatives)) as f64 / epoch.time.as_secs_f64().max(1e-9);
    let loss = epoch.report.loss.weighted(params.alpha, params.beta);
    format!("epoch {}: loss {}{f1}, {:.0} M negatives/s", epoch.epoch, grouped(loss), drawn / 1e6)
}

/// One JSON line per epoch.
struct Log(BufWriter<File>);

impl Log {
    fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(BufWriter::new(File::create(path).with_context(|| path.display().to_string())?)))
    }

    fn write(&mut self, epoch: &EpochLog, params: &ValidTrainParams) -> anyhow::Result<()> {
        let loss = epoch.report.loss;
        let line = json!({
            "epoch": epoch.epoch,
            "loss_positive": loss.missing * u64::from(params.alpha),
            "loss_negative": loss.false_positives * u64::from(params.beta),
            "flips": epoch.report.flips,
            "f1": epoch.score.map(|score| score.f1),
            "valid_loss": epoch.score.map(|score| score.loss),
            "seconds": epoch.time.as_secs_f64(),
        });
        Ok(writeln!(self.0, "{line}")?)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    bits: usize,
    epochs: u32,
    best_epoch: u32,
    /// Over all pairs of the data.
    tp: u64,
    fp: u64,
    #[serde(rename = "fn")]
    false_negatives: u64,
    f1: f64,
    equal_pairs: u64,
    seconds: f64,
    seconds_per_epoch: f64,
    negatives_per_second: f64,
    total_seconds: f64,
}

impl Report {
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn new(
        hierarchy: &Hierarchy,
        params: &ValidTrainParams,
        epochs: u32,
        best_epoch: u32,
        all: Duration,
        epoch_time: Duration,
        drawn: u64,
    ) -> Self {
        Self {
            entities: hierarchy.len(),
            bits: params.bits,
            epochs,
            best_epoch,
            tp: 0,
            fp: 0,
            false_negatives: 0,
            f1: 0.0,
            equal_pairs: 0,
            seconds: all.as_secs_f64(),
            seconds_per_epoch: epoch_time.as_secs_f64() / f64::from(epochs.max(1)),
            negatives_per_second: drawn as f64 / epoch_time.as_secs_f64().max(1e-9),
            total_seconds: 0.0,
        }
    }

    fn judge(&mut self, judged: &evaluate::Evaluation) {
        let confusion = judged.confusion;
        (self.tp, self.fp, self.false_negatives) = (confusion.tp, confusion.fp, confusion.false_negatives);
        (self.f1, self.equal_pairs) = (confusion.f1(), judged.equal_pairs);
    }

    fn text(&self, output: &Path) -> String {
        let (seconds, each) = (duration(self.seconds), duration(self.seconds_per_epoch));
        let course = match self.epochs {
            0 => format!("flipped one bit at a time in {seconds}"),
            epochs => {
                format!("epoch {} of {epochs} kept; {seconds} in all, {each} an epoch", self.best_epoch)
            }
        };
        format!(
            "{}: {} concepts, {}; {course}\n  F1 over all pairs {:.2} % (fp {}, fn {})\n",
            bold(&output.display().to_string()),
            grouped(self.entities as u64),
            counted(self.bits, "bit"),
            self.f1 * 100.0,
            grouped(self.fp),
            grouped(self.false_negatives),
        )
    }
}
