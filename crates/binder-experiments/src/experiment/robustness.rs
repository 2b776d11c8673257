//! The paper's robustness study: bits, α and n⁻ one by one, on Animals.

use serde_json::json;

use crate::Error;
use crate::data::DataSet;
use crate::plan::Plan;
use crate::plots::{self, Line, LinePanel};
use crate::report::{Drawing, Report, row, table};
use crate::runs::{self, Job, Run, run_all};
use crate::stats::Stats;
use crate::task::Task;

/// One setting takes four values while the others stay the same.
struct Sweep {
    task: Task,
    name: &'static str,
    values: [u32; 4],
    /// Bits, α and n⁻ for a value.
    at: fn(u32) -> (u32, u32, u32),
}

const TC: Task = Task::LinkPrediction(0);

/// The settings of the paper's section "Robustness".
static SWEEPS: [Sweep; 6] = [
    Sweep {
        task: Task::Representation,
        name: "bits",
        values: [32, 64, 96, 128],
        at: |bits| (bits, 30, 32),
    },
    Sweep {
        task: Task::Representation,
        name: "α",
        values: [15, 20, 25, 30],
        at: |alpha| (128, alpha, 32),
    },
    Sweep {
        task: Task::Representation,
        name: "n⁻",
        values: [64, 128, 256, 512],
        at: |negatives| (128, 25, negatives),
    },
    Sweep { task: TC, name: "bits", values: [32, 64, 96, 128], at: |bits| (bits, 25_000, 32) },
    Sweep { task: TC, name: "α", values: [100, 500, 5000, 25_000], at: |alpha| (128, alpha, 32) },
    Sweep {
        task: TC,
        name: "n⁻",
        values: [32, 64, 96, 128],
        at: |negatives| (128, 25_000, negatives),
    },
];

/// "We ran each experiment for 2500 iterations."
const EPOCHS: u32 = 2500;

const LEGEND: &str = "One setting at a time, at most 2,500 epochs, β 10, r 0.008, b 0.01. F1 in %. \
    What the paper found: representation gets better \
    with more bits, up to 128; it is best at α 20 and worse above 25; and it gets better with n⁻. Link \
    prediction gets slightly better with more bits, is best at α 25,000, and gets very slightly \
    better with n⁻.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut ledger, mut text) = (plan.ledger(".csv")?, LEGEND.to_owned() + &plan.averaged());
    let (mut cells, mut all_runs, mut drawings) = (Vec::new(), Vec::new(), Vec::new());
    plan.each_set(|data| {
        // All jobs in one go first: sweep by sweep, threads would wait for the last run of each.
        let all: Vec<_> = SWEEPS.iter().flat_map(|sweep| jobs(plan, data, sweep)).collect();
        all_runs.extend(run_all(&all, plan, data, &mut ledger)?);
        let mut panels = Vec::new();
        for sweep in &SWEEPS {
            let runs = run_all(&jobs(plan, data, sweep), plan, data, &mut ledger)?;
            let scores = scores(plan, sweep, &runs);
            text += &markdown(plan, data, sweep, &scores);
            for (recipe, scores) in plan.recipes.iter().zip(&scores) {
                cells.extend(sweep.values.iter().zip(scores).map(|(value, f1)| {
                    json!({
                        "set": data.info.name,
                        "task": sweep.task.name(),
                        "recipe": recipe.name,
                        "setting": sweep.name,
                        "value": value,
                        "f1": f1,
                    })
                }));
            }
            panels.push(panel(plan, sweep, &scores));
        }
        drawings.push(Drawing {
            suffix: plan.suffix(data.info),
            shows: format!("F1 by bits, α and n⁻ on {}", data.info.title),
            svg: plots::lines(&panels, 3)?,
        });
        Ok(())
    })?;
    let values = json!({ "cells": cells, "runs": all_runs });
    Ok(Report { title: "Robustness", text, values, drawings })
}

/// Recipe by recipe, value by value, seed by seed.
fn jobs(plan: &Plan<'_>, data: &DataSet<'_>, sweep: &Sweep) -> Vec<Job> {
    let mut jobs = Vec::new();
    for recipe in &plan.recipes {
        for &value in &sweep.values {
            let (bits, alpha, negatives) = (sweep.at)(value);
            let job = plan.job(data, sweep.task, recipe, |params| {
                (params.bits, params.alpha, params.negatives) = (bits as usize, alpha, negatives);
                params.epochs = params.epochs.min(EPOCHS);
            });
            jobs.extend(job.with_seeds(plan.seeds));
        }
    }
    jobs
}

/// For each recipe the scores at the four values.
fn scores(plan: &Plan<'_>, sweep: &Sweep, runs: &[Run]) -> Vec<Vec<Stats>> {
    let seeds = plan.seeds as usize;
    let of_recipe = |runs: &[Run]| runs.chunks(seeds).map(runs::f1).collect();
    runs.chunks(seeds * sweep.values.len()).map(of_recipe).collect()
}

fn markdown(plan: &Plan<'_>, data: &DataSet<'_>, sweep: &Sweep, scores: &[Vec<Stats>]) -> String {
    let head = row(sweep.name, sweep.values.iter().map(u32::to_string));
    let rows = (plan.recipes.iter().zip(scores))
        .map(|(recipe, scores)| row(format!("`{}`", recipe.name), scores.iter().map(Stats::text)));
    let (bits, alpha, negatives) = (sweep.at)(0);
    let fixed: Vec<_> = [("bits", bits), ("α", alpha), ("n⁻", negatives)]
        .into_iter()
        .filter(|(name, _)| *name != sweep.name)
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    format!(
        "## {}, {}: {}\n\nWith {}.\n\n{}\n",
        data.info.title,
        sweep.task.title(),
        sweep.name,
        fixed.join(" and "),
        table(&head, &rows.collect::<Vec<_>>())
    )
}

fn panel(plan: &Plan<'_>, sweep: &Sweep, scores: &[Vec<Stats>]) -> LinePanel {
    let lines = (plan.recipes.iter().zip(scores))
        .map(|(recipe, scores)| Line::over_ticks(recipe.name, scores));
    LinePanel {
        title: if sweep.task == TC { "Link prediction, 0 %" } else { "Representation" }.to_owned(),
        x_label: sweep.name,
        y_label: "F1 %",
        ticks: sweep.values.iter().map(u32::to_string).collect(),
        lines: lines.collect(),
        ..LinePanel::default()
    }
}
