//! How good codes of so many bits are: encoded, and learnt by each recipe.

use std::time::Instant;

use binder::encode::{self, Effort, EncodeParams};
use binder::evaluate;
use serde_json::json;

use crate::data::DataSet;
use crate::ledger::{Key, Ledger, Outcome};
use crate::plan::Plan;
use crate::plots::{self, Line, LinePanel};
use crate::recipes::NamedRecipe;
use crate::report::{Drawing, Report, row, table};
use crate::runs::{self, Job, run_all};
use crate::stats::Stats;
use crate::task::Task;
use crate::{Error, Listener};

/// Bits of the codes compared.
const BITS: [usize; 11] = [8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 192];

/// … and of a quick request.
const QUICK_BITS: [usize; 3] = [16, 64, 128];

const LEGEND: &str = "F1 in % over all n² − n pairs, by bits per code. `encode` runs with its \
    default effort and `--bits`, from the direct pairs. The learners learn from the whole closure; \
    `published` has the paper's best settings for each set. Exact codes do not get better with \
    more bits: once `encode` is exact, its score stays the same. The drawing shows errors, \
    100 − F1; those below 0.001 are drawn at 0.001.\n\n";

/// The least error that is drawn.
const LEAST_ERROR: f64 = 0.001;

/// The scores of one method, one for each of [`bits`].
type Curve = (&'static str, Vec<Stats>);

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut ledger, mut text) = (plan.ledger(".csv")?, LEGEND.to_owned() + &plan.averaged());
    let (mut cells, mut panels) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        let mut curves: Vec<Curve> = vec![("encode", encoded(plan, data, &mut ledger)?)];
        for recipe in &plan.recipes {
            let runs = run_all(&jobs(plan, data, recipe), plan, data, &mut ledger)?;
            curves.push((recipe.name, runs.chunks(plan.seeds as usize).map(runs::f1).collect()));
        }
        text += &format!("## {}\n\n{}\n", data.info.title, markdown(plan, &curves));
        for (method, stats) in &curves {
            cells.extend(bits(plan).iter().zip(stats).map(|(bits, f1)| {
                json!({ "set": data.info.name, "method": method, "bits": bits, "f1": f1 })
            }));
        }
        panels.push(panel(plan, data.info.title, &curves));
        Ok(())
    })?;
    let drawing = Drawing {
        suffix: String::new(),
        shows: "Errors by bits, on a logarithmic axis".to_owned(),
        svg: plots::lines(&panels, 3.min(panels.len()))?,
    };
    Ok(Report {
        title: "Frontier",
        text,
        values: json!({ "cells": cells }),
        drawings: vec![drawing],
    })
}

/// The numbers of bits that are compared.
fn bits(plan: &Plan<'_>) -> &'static [usize] {
    if plan.request.quick { &QUICK_BITS } else { &BITS }
}

/// The encoder's score at each number of bits.
fn encoded(plan: &Plan<'_>, data: &DataSet<'_>, ledger: &mut Ledger) -> Result<Vec<Stats>, Error> {
    let (mut scores, effort) = (Vec::new(), effort(plan));
    for &bits in bits(plan) {
        let key = Key {
            set: data.info.name.to_owned(),
            task: Task::Representation.name(),
            recipe: "encode".to_owned(),
            parameters: format!("bits={bits} effort={effort}"),
            seed: 0,
            data: data.fingerprint(Task::Representation)?,
        };
        let outcome = match ledger.find(&key) {
            Some(outcome) => outcome,
            None => {
                plan.check_missing(1)?;
                let outcome = encode_in(bits, effort, data, plan.listener)?;
                ledger.add(key, outcome)?;
                outcome
            }
        };
        scores.push(Stats::percent([outcome.f1].into_iter()));
    }
    Ok(scores)
}

/// The default effort; less for a quick request.
fn effort(plan: &Plan<'_>) -> Effort {
    if plan.request.quick { Effort::Fast } else { Effort::Normal }
}

fn encode_in(
    bits: usize,
    effort: Effort,
    data: &DataSet<'_>,
    listener: &dyn Listener,
) -> Result<Outcome, Error> {
    let started = Instant::now();
    let params = EncodeParams::default().bits(bits).effort(effort);
    let encoding = encode::codes(&data.hierarchy, &params, listener)?;
    listener.finish();
    let judged = evaluate::all_pairs(&encoding.codes, &data.hierarchy);
    let strict = evaluate::all_pairs_strict(&encoding.codes, &data.hierarchy, &judged);
    Ok(Outcome {
        f1: judged.confusion.f1(),
        strict_f1: strict.f1(),
        tp: judged.confusion.tp,
        fp: judged.confusion.fp,
        false_negatives: judged.confusion.false_negatives,
        epochs: 0,
        best_epoch: 0,
        seconds: started.elapsed().as_secs_f64(),
        last_f1: None,
    })
}

/// Width by width, seed by seed.
fn jobs(plan: &Plan<'_>, data: &DataSet<'_>, recipe: &'static NamedRecipe) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &bits in bits(plan) {
        let job = plan.job(data, Task::Representation, recipe, |params| params.bits = bits);
        jobs.extend(job.with_seeds(plan.seeds));
    }
    jobs
}

fn markdown(plan: &Plan<'_>, curves: &[Curve]) -> String {
    let rows = curves
        .iter()
        .map(|(method, stats)| row(format!("`{method}`"), stats.iter().map(Stats::text)));
    table(&row("bits", bits(plan).iter().map(usize::to_string)), &rows.collect::<Vec<_>>())
}

fn panel(plan: &Plan<'_>, title: &str, curves: &[Curve]) -> LinePanel {
    let line = |(method, stats): &Curve| {
        let mut line = Line::over_ticks(method, stats);
        line.points.iter_mut().for_each(|point| point.y = (100.0 - point.y).max(LEAST_ERROR));
        line
    };
    LinePanel {
        title: title.to_owned(),
        x_label: "bits",
        y_label: "error, 100 − F1 in %",
        logarithmic: true,
        least: LEAST_ERROR,
        ticks: bits(plan).iter().map(usize::to_string).collect(),
        lines: curves.iter().map(line).collect(),
        ..LinePanel::default()
    }
}
