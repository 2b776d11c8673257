//! The paper's robustness study: bits, α and n⁻ one by one, on Animals.

use binder::train::TrainParams;
use serde_json::json;

use super::Plan;
use super::data::{DataSet, Task};
use super::plots::{self, Line, LinePanel, Point};
use super::report::{Drawing, Report, table};
use super::runs::{Job, Run, run_all};
use super::stats::Stats;

/// One setting that takes four values while the others stay.
struct Sweep {
    task: Task,
    name: &'static str,
    values: [u32; 4],
    /// Bits, α and n⁻ for a value.
    at: fn(u32) -> (u32, u32, u32),
}

const TC: Task = Task::LinkPrediction(0);

/// Section "Robustness", as its text gives it.
const SWEEPS: [Sweep; 6] = [
    Sweep { task: Task::Representation, name: "bits", values: [32, 64, 96, 128], at: |bits| (bits, 30, 32) },
    Sweep { task: Task::Representation, name: "α", values: [15, 20, 25, 30], at: |alpha| (128, alpha, 32) },
    Sweep {
        task: Task::Representation,
        name: "n⁻",
        values: [64, 128, 256, 512],
        at: |negatives| (128, 25, negatives),
    },
    Sweep { task: TC, name: "bits", values: [32, 64, 96, 128], at: |bits| (bits, 25_000, 32) },
    Sweep { task: TC, name: "α", values: [100, 500, 5000, 25_000], at: |alpha| (128, alpha, 32) },
    Sweep { task: TC, name: "n⁻", values: [32, 64, 96, 128], at: |negatives| (128, 25_000, negatives) },
];

/// "We ran each experiment for 2500 iterations."
const EPOCHS: u32 = 2500;

const LEGEND: &str = "One setting at a time, 2,500 epochs at most, β 10, r 0.008, b 0.01. F1 in %, mean ± standard deviation over the seeds. \
    What the paper found, in words: representation grows with the bits up to 128, is best at α 20 and falls after 25, and grows with n⁻; link \
    prediction grows slightly with the bits, is best at α 25,000, and grows very slightly with n⁻.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut ledger, mut text, mut cells) = (plan.ledger()?, LEGEND.to_owned(), Vec::new());
    let (mut all_runs, mut drawings) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        // All at once first, so that no processor waits for the last run of each sweep.
        let all: Vec<_> = SWEEPS.iter().flat_map(|sweep| jobs(plan, data, sweep)).collect();
        all_runs.extend(run_all(&all, data, &mut ledger)?);
        let mut panels = Vec::new();
        for sweep in &SWEEPS {
            let points = points(plan, sweep, &run_all(&jobs(plan, data, sweep), data, &mut ledger)?);
            text += &markdown(plan, data, sweep, &points);
            for (recipe, stats) in plan.recipes.iter().zip(&points) {
                cells.extend(sweep.values.iter().zip(stats).map(|(value, f1)| {
                    json!({ "set": data.info.name, "task": sweep.task.name(), "recipe": recipe.name, "setting": sweep.name,
                        "value": value, "f1": f1 })
                }));
            }
            panels.push(panel(plan, sweep, &points));
        }
        let suffix = if data.info.name == "animals" { String::new() } else { format!("-{}", data.info.name) };
        let shows = format!("F1 by bits, α and n⁻ on {}", data.info.title);
        drawings.push(Drawing { suffix, shows, svg: plots::lines(&panels, 3)? });
        Ok(())
    })?;
    Ok(Report { title: "Robustness", text, values: json!({ "cells": cells, "runs": all_runs }), drawings })
}

/// Recipe by recipe, value by value, seed by seed.
fn jobs(plan: &Plan<'_>, data: &DataSet, sweep: &Sweep) -> Vec<Job> {
    let mut jobs = Vec::new();
    for recipe in &plan.recipes {
        for &value in &sweep.values {
            let (bits, alpha, negatives) = (sweep.at)(value);
            let change = |params: &mut TrainParams| {
                (params.bits, params.alpha, params.negatives) = (bits as usize, alpha, negatives);
                params.epochs = params.epochs.min(EPOCHS);
            };
            jobs.extend(plan.job(data, sweep.task, recipe, change).with_seeds(plan.seeds));
        }
    }
    jobs
}

/// For each recipe the scores at the four values.
fn points(plan: &Plan<'_>, sweep: &Sweep, runs: &[Run]) -> Vec<Vec<Stats>> {
    let seeds = plan.seeds as usize;
    let stats = |runs: &[Run]| Stats::percent(runs.iter().map(|run| run.outcome.f1));
    runs.chunks(seeds * sweep.values.len()).map(|runs| runs.chunks(seeds).map(stats).collect()).collect()
}

fn markdown(plan: &Plan<'_>, data: &DataSet, sweep: &Sweep, points: &[Vec<Stats>]) -> String {
    let head = [sweep.name.to_owned()].into_iter().chain(sweep.values.iter().map(u32::to_string));
    let rows = plan.recipes.iter().zip(points).map(|(recipe, stats)| {
        [format!("`{}`", recipe.name)].into_iter().chain(stats.iter().map(Stats::text)).collect()
    });
    let (bits, alpha, negatives) = (sweep.at)(0);
    let fixed =
        [("bits", bits), ("α", alpha), ("n⁻", negatives)].into_iter().filter(|(name, _)| *name != sweep.name);
    let fixed: Vec<_> = fixed.map(|(name, value)| format!("{name} {value}")).collect();
    format!(
        "## {}, {}: {}\n\nWith {}.\n\n{}\n",
        data.info.title,
        sweep.task.title(),
        sweep.name,
        fixed.join(" and "),
        table(&head.collect::<Vec<_>>(), &rows.collect::<Vec<_>>())
    )
}

fn panel(plan: &Plan<'_>, sweep: &Sweep, points: &[Vec<Stats>]) -> LinePanel {
    let lines = plan.recipes.iter().zip(points).map(|(recipe, stats)| {
        let points =
            (0_u32..).zip(stats).map(|(x, stats)| Point { x: x.into(), y: stats.mean, sd: stats.sd });
        Line { name: recipe.name.to_owned(), points: points.collect() }
    });
    LinePanel {
        title: if sweep.task == TC { "Link prediction, 0 %" } else { "Representation" }.to_owned(),
        x_label: sweep.name,
        y_label: "F1 %",
        ticks: sweep.values.iter().map(u32::to_string).collect(),
        lines: lines.collect(),
    }
}
