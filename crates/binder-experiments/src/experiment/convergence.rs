//! The paper's convergence figure: loss and F1 from epoch to epoch, on Nouns.

use std::path::Path;

use anyhow::Context;
use binder::Progress;
use binder::train::EpochLog;
use binder::train::Keep;
use serde_json::json;

use super::Plan;
use super::data::{DataSet, Task};
use super::ledger::{Key, Ledger};
use super::plots::{self, Line, LinePanel, Point};
use super::report::{Drawing, Report, table};
use super::runs::{Job, Materials, Run, line, say};
use crate::output::replace;
use crate::progress::Bars;

/// What the paper's figure shows: the first 100 epochs of representation, the first 5,000 of link prediction.
const CURVES: [(Task, u32); 2] = [(Task::Representation, 100), (Task::LinkPrediction(0), 5000)];

/// An epoch of a run.
struct Epoch {
    epoch: u32,
    loss: u64,
    f1: f64,
}

struct Curve {
    task: Task,
    run: Run,
    epochs: Vec<Epoch>,
}

const LEGEND: &str = "Loss over the training pairs and the negatives drawn, and validation F1 (equal codes as is-a), after each epoch. For \
    representation F1 is over all pairs. The paper reports more than 99 % in less than 50 epochs of representation, and for link prediction a \
    high F1 very quickly that goes on to improve.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut ledger, mut text) = (plan.ledger()?, LEGEND.to_owned());
    let (mut all_runs, mut drawings) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        let curves = curves(plan, data, &mut ledger)?;
        text += &format!("## {}\n\n{}", data.info.title, markdown(&curves));
        let suffix =
            if data.info.name == "wordnet-nouns" { String::new() } else { format!("-{}", data.info.name) };
        let shows = format!("Loss and F1 by epoch on {}", data.info.title);
        drawings.push(Drawing { suffix, shows, svg: plots::lines(&panels(&curves), 2)? });
        all_runs.extend(curves.into_iter().map(|curve| curve.run));
        Ok(())
    })?;
    Ok(Report { title: "Convergence", text, values: json!({ "runs": all_runs }), drawings })
}

fn curves(plan: &Plan<'_>, data: &DataSet, ledger: &mut Ledger) -> anyhow::Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for (task, epochs) in CURVES {
        for recipe in &plan.recipes {
            let job = plan.job(data, task, recipe, |params| {
                // A run that keeps its last epoch goes through all of them.
                (params.epochs, params.patience, params.keep) = (params.epochs.min(epochs), 0, Keep::Last);
            });
            for job in job.with_seeds(plan.seeds) {
                curves.push(curve(plan, data, &job, ledger)?);
            }
        }
    }
    Ok(curves)
}

/// A run's curve, from its file or by running it. The file is there before the run counts as finished.
fn curve(plan: &Plan<'_>, data: &DataSet, job: &Job, ledger: &mut Ledger) -> anyhow::Result<Curve> {
    let key = job.key(data)?;
    let file = plan.file(&format!("-{}-{}-{}-{}.csv", key.set, key.task, key.recipe, key.seed));
    if let Some((outcome, epochs)) = ledger.find(&key).zip(read(&file, &key)) {
        return Ok(Curve { task: job.task, run: Run { key, outcome }, epochs });
    }
    let (bars, mut epochs) = (Bars::default(), Vec::new());
    bars.start(data.info.title, Some(job.params.epochs.into()));
    let (outcome, _) = Materials::new(std::slice::from_ref(job), data)?.train(job, |epoch| {
        bars.advance(1);
        say(&bars, &key, epoch);
        epochs.push(Epoch::new(epoch, job));
    })?;
    write(&file, &key, &epochs)?;
    bars.line(&line(&key, &outcome));
    ledger.add(key.clone(), outcome)?;
    Ok(Curve { task: job.task, run: Run { key, outcome }, epochs })
}

impl Epoch {
    fn new(log: &EpochLog, job: &Job) -> Self {
        Self {
            epoch: log.epoch,
            loss: log.report.loss.weighted(job.params.alpha, job.params.beta),
            f1: log.score.map_or(0.0, |score| score.f1),
        }
    }
}

const HEADER: &str = "epoch,loss,f1";

/// The first line of a curve's file: which run it is of.
fn first_line(key: &Key) -> String {
    format!(
        "# {} {} {} {} seed={} data={}",
        key.set, key.task, key.recipe, key.parameters, key.seed, key.data
    )
}

fn write(file: &Path, key: &Key, epochs: &[Epoch]) -> anyhow::Result<()> {
    let lines = epochs.iter().map(|epoch| format!("{},{},{}\n", epoch.epoch, epoch.loss, epoch.f1));
    replace(file, &format!("{}\n{HEADER}\n{}", first_line(key), lines.collect::<String>()))
        .context("a curve could not be kept")
}

/// The curve of that very run, if the file has it.
fn read(file: &Path, key: &Key) -> Option<Vec<Epoch>> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.strip_prefix(&format!("{}\n{HEADER}\n", first_line(key)))?;
    let epoch = |line: &str| {
        let mut fields = line.split(',');
        let (epoch, loss, f1) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Epoch { epoch: epoch.parse().ok()?, loss: loss.parse().ok()?, f1: f1.parse().ok()? })
    };
    rest.lines().map(epoch).collect()
}

fn markdown(curves: &[Curve]) -> String {
    const MARKS: [u32; 7] = [1, 10, 50, 100, 500, 1000, 5000];
    let head = ["Task", "Recipe", "Seed"].map(str::to_owned).into_iter();
    let head: Vec<_> = head.chain(MARKS.iter().map(|epoch| format!("epoch {epoch}"))).collect();
    let rows = curves.iter().map(|curve| {
        let key = &curve.run.key;
        let mut row = vec![curve.task.title(), format!("`{}`", key.recipe), key.seed.to_string()];
        row.extend(MARKS.iter().map(|mark| {
            let found = curve.epochs.iter().find(|epoch| epoch.epoch == *mark);
            found.map_or("–".to_owned(), |epoch| format!("{:.2}", epoch.f1 * 100.0))
        }));
        row
    });
    format!("F1 in % after so many epochs:\n\n{}", table(&head, &rows.collect::<Vec<_>>()))
}

/// Loss above, F1 below, as in the paper.
fn panels(curves: &[Curve]) -> Vec<LinePanel> {
    #[expect(clippy::cast_precision_loss, reason = "for a drawing")]
    let loss: fn(&Epoch) -> f64 = |epoch| epoch.loss as f64;
    let f1: fn(&Epoch) -> f64 = |epoch| epoch.f1 * 100.0;
    let panel = |task: Task, y_label: &'static str, y: fn(&Epoch) -> f64| LinePanel {
        title: task.title(),
        x_label: "epoch",
        y_label,
        ticks: Vec::new(),
        lines: curves.iter().filter(|curve| curve.task == task).map(|curve| curve.line(y)).collect(),
    };
    let ([(first, _), (second, _)], loss_label, f1_label) = (CURVES, "loss", "F1 %");
    vec![
        panel(first, loss_label, loss),
        panel(second, loss_label, loss),
        panel(first, f1_label, f1),
        panel(second, f1_label, f1),
    ]
}

impl Curve {
    /// No more points than can be told apart.
    fn line(&self, y: fn(&Epoch) -> f64) -> Line {
        let step = self.epochs.len().div_ceil(400).max(1);
        let points = self.epochs.iter().step_by(step);
        Line {
            name: format!("{}, seed {}", self.run.key.recipe, self.run.key.seed),
            points: points.map(|epoch| Point { x: epoch.epoch.into(), y: y(epoch), sd: 0.0 }).collect(),
        }
    }
}
