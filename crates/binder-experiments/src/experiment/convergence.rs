//! The paper's convergence figure: loss and F1 from epoch to epoch, on Nouns.

use std::path::Path;

use binder::train::Keep;
use serde_json::json;

use crate::Error;
use crate::data::{DataSet, SetInfo};
use crate::files::{self, Kind, replace};
use crate::ledger::{Key, Ledger};
use crate::plan::Plan;
use crate::plots::{self, Line, LinePanel, Point};
use crate::published;
use crate::report::{Drawing, Report, table};
use crate::runs::{Job, Run, Trainer, show_epoch, summary};
use crate::stats::Stats;
use crate::task::Task;
use binder_answers::counted;

/// The tasks of the paper's figure, and how many epochs it shows of each.
const CURVES: [(Task, u32); 2] = [(Task::Representation, 100), (Task::LinkPrediction(0), 5000)];

/// The epochs whose F1 the table shows.
const MARKS: [u32; 7] = [1, 10, 50, 100, 500, 1000, 5000];

/// The most points that a line is drawn with; more would not show.
const MOST_POINTS: usize = 400;

const LEGEND: &str = "Loss and validation F1 of the codes after each epoch. The loss is over the \
    training pairs and the negatives that the next epoch draws. F1 is that of the validation pairs; \
    for representation, of the training pairs and ten random corruptions of each. Equal codes \
    count as is-a. Recipes weigh their losses differently, so each has its own drawing. The thin \
    lines are the published scores, that of representation over all pairs. The paper reports more \
    than 99 % in less than 50 epochs of representation. For link prediction it reports that F1 is \
    high very soon and goes on to improve.\n\n";

/// A run with all its epochs.
struct Curve {
    task: Task,
    run: Run,
    epochs: Vec<Epoch>,
}

struct Epoch {
    epoch: u32,
    /// Of the codes after the epoch; unknown after the last.
    loss: Option<u64>,
    /// Of the codes after the epoch.
    f1: f64,
}

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut ledger, mut text) = (plan.ledger(".csv")?, LEGEND.to_owned());
    let (mut all_runs, mut drawings) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        let curves = curves(plan, data, &mut ledger)?;
        text += &format!("## {}\n\n{}", data.info.title, markdown(&curves));
        for recipe in &plan.recipes {
            let of_recipe = |curve: &&Curve| curve.run.key.recipe == recipe.name;
            let curves: Vec<_> = curves.iter().filter(of_recipe).collect();
            drawings.push(Drawing {
                suffix: format!("-{}{}", recipe.name, plan.suffix(data.info)),
                shows: format!("Loss and F1 by epoch on {}, {}", data.info.title, recipe.name),
                svg: plots::lines(&panels(&curves, data.info), CURVES.len())?,
            });
        }
        all_runs.extend(curves.into_iter().map(|curve| curve.run));
        Ok(())
    })?;
    Ok(Report { title: "Convergence", text, values: json!({ "runs": all_runs }), drawings })
}

fn curves(plan: &Plan<'_>, data: &DataSet<'_>, ledger: &mut Ledger) -> Result<Vec<Curve>, Error> {
    let mut curves = Vec::new();
    for (task, epochs) in CURVES {
        for recipe in &plan.recipes {
            let job = plan.job(data, task, recipe, |params| {
                // The loss of an epoch's codes is known from the draws of the next epoch.
                params.epochs = params.epochs.min(epochs) + 1;
                // Without early stopping the run goes through all epochs.
                (params.patience, params.keep) = (0, Keep::Last);
            });
            for job in job.with_seeds(plan.seeds) {
                curves.push(curve(plan, data, &job, ledger)?);
            }
        }
    }
    Ok(curves)
}

/// The curve of a run, from its file or by running it. The file is written before the run is
/// recorded as finished.
fn curve(
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    job: &Job,
    ledger: &mut Ledger,
) -> Result<Curve, Error> {
    let key = job.key(data)?;
    let file = plan.file(&format!("-{}-{}-{}-{}.csv", key.set, key.task, key.recipe, key.seed));
    if let Some((outcome, epochs)) = ledger.find(&key).zip(read(&file, &key)) {
        return Ok(Curve { task: job.task, run: Run { key, outcome }, epochs });
    }
    plan.check_missing(1)?;
    files::check(&file, Kind::Curve)?;
    let (listener, mut epochs): (_, Vec<Epoch>) = (plan.listener, Vec::new());
    let trainer = Trainer::new([job.task], data)?;
    listener.start(data.info.title, Some(job.params.epochs.into()));
    let (outcome, _) = trainer.train(job, listener, |epoch| {
        listener.advance(1);
        show_epoch(listener, job, &key, epoch);
        if let Some(before) = epochs.last_mut() {
            before.loss = Some(epoch.report.loss.weighted(job.params.alpha, job.params.beta));
        }
        epochs.push(Epoch {
            epoch: epoch.epoch,
            loss: None,
            f1: epoch.score.map_or(0.0, |score| score.f1),
        });
    })?;
    listener.finish();
    write(&file, &key, &epochs)?;
    ledger.add(key.clone(), outcome)?;
    listener.line(&summary(job, &key, &outcome));
    Ok(Curve { task: job.task, run: Run { key, outcome }, epochs })
}

/// What a curve's file begins with: the run that it belongs to, and the header.
fn file_head(key: &Key) -> String {
    let Key { set, task, recipe, parameters, seed, data } = key;
    format!("# {set} {task} {recipe} {parameters} seed={seed} data={data}\nepoch,loss,f1\n")
}

fn write(file: &Path, key: &Key, epochs: &[Epoch]) -> Result<(), Error> {
    let line = |Epoch { epoch, loss, f1 }: &Epoch| {
        let loss = loss.map_or(String::new(), |loss| loss.to_string());
        format!("{epoch},{loss},{f1}\n")
    };
    replace(file, Kind::Curve, &(file_head(key) + &epochs.iter().map(line).collect::<String>()))
}

/// The curve in a file, if the file is there and of that very run.
fn read(file: &Path, key: &Key) -> Option<Vec<Epoch>> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.strip_prefix(&file_head(key))?;
    let epoch = |line: &str| {
        let mut fields = line.split(',');
        Some(Epoch {
            epoch: fields.next()?.parse().ok()?,
            loss: match fields.next()? {
                "" => None,
                loss => Some(loss.parse().ok()?),
            },
            f1: fields.next()?.parse().ok()?,
        })
    };
    rest.lines().map(epoch).collect()
}

fn markdown(curves: &[Curve]) -> String {
    let head = ["Task", "Recipe", "Seed"].map(str::to_owned).into_iter();
    let head: Vec<_> = head.chain(MARKS.iter().map(|epoch| format!("epoch {epoch}"))).collect();
    let rows = curves.iter().map(|curve| {
        let Run { key, .. } = &curve.run;
        let mut row = vec![curve.task.title(), format!("`{}`", key.recipe), key.seed.to_string()];
        row.extend(MARKS.iter().map(|mark| {
            let found = curve.epochs.iter().find(|epoch| epoch.epoch == *mark);
            found.map_or("–".to_owned(), |epoch| format!("{:.2}", epoch.f1 * 100.0))
        }));
        row
    });
    format!("F1 in % after so many epochs:\n\n{}", table(&head, &rows.collect::<Vec<_>>()))
}

/// Loss above, F1 below, as in the paper: the mean over seeds, with a band of the standard
/// deviation where there are several.
fn panels(curves: &[&Curve], set: &SetInfo) -> Vec<LinePanel> {
    #[expect(clippy::cast_precision_loss, reason = "for a drawing")]
    let loss: fn(&Epoch) -> Option<f64> = |epoch| Some(epoch.loss? as f64);
    let f1: fn(&Epoch) -> Option<f64> = |epoch| Some(epoch.f1 * 100.0);
    let mut panels = Vec::new();
    for (y_label, y) in [("loss", loss), ("F1 %", f1)] {
        for (task, _) in CURVES {
            let of_task: Vec<_> = curves.iter().filter(|curve| curve.task == task).collect();
            let published = published::binder(task, set).filter(|_| y_label != "loss");
            let mark = |(mean, _)| (format!("published, {mean:.2}"), mean);
            panels.push(LinePanel {
                title: task.title(),
                x_label: "epoch",
                y_label,
                logarithmic: y_label == "loss",
                lines: vec![mean(&of_task, y)],
                marks: published.map(mark).into_iter().collect(),
                ..LinePanel::default()
            });
        }
    }
    panels
}

/// The mean of curves, epoch by epoch.
fn mean(curves: &[&&Curve], y: fn(&Epoch) -> Option<f64>) -> Line {
    let epochs = curves.iter().map(|curve| curve.epochs.len()).min().unwrap_or(0);
    let step = epochs.div_ceil(MOST_POINTS).max(1);
    let point = |at: usize| {
        let values: Option<Vec<f64>> = curves.iter().map(|curve| y(&curve.epochs[at])).collect();
        let Stats { mean, sd, .. } = Stats::of(&values?);
        Some(Point { x: curves.first()?.epochs[at].epoch.into(), y: mean, sd })
    };
    let points = (0..epochs).step_by(step).filter_map(point).collect();
    Line { name: format!("mean of {}", counted(curves.len(), "seed")), points }
}
