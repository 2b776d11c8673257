//! How good codes are in so many bits: encoded, and learnt by each recipe.

use std::time::Instant;

use binder::encode::{EncodeParams, encode};
use binder::evaluate;
use binder::train::TrainParams;
use serde_json::json;

use super::Plan;
use super::data::{DataSet, Task};
use super::ledger::{Key, Ledger, Outcome};
use super::plots::{self, Line, LinePanel, Point};
use super::report::{Drawing, Report, table};
use super::runs::{Job, Run, run_all};
use super::stats::Stats;
use crate::progress::Bars;

/// Bits of the codes compared.
const BITS: [usize; 11] = [8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 192];

const LEGEND: &str = "F1 in % over all n² − n pairs by bits a code. `encode` with its default effort and `--bits`, from the direct pairs; the \
    learners from the whole closure, `published` with the paper's best settings for each set. Exact codes need no more bits: where `encode` is \
    exact in fewer, its score stays.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut ledger, mut text, mut cells, mut panels) =
        (plan.ledger()?, LEGEND.to_owned(), Vec::new(), Vec::new());
    plan.each_set(|data| {
        let mut curves = vec![("encode", encoded(data, &mut ledger)?)];
        for recipe in &plan.recipes {
            let runs = run_all(&jobs(plan, data, recipe), data, &mut ledger)?;
            let stats = |runs: &[Run]| Stats::percent(runs.iter().map(|run| run.outcome.f1));
            curves.push((recipe.name, runs.chunks(plan.seeds as usize).map(stats).collect()));
        }
        let head = ["bits".to_owned()].into_iter().chain(BITS.iter().map(usize::to_string));
        let rows = curves.iter().map(|(name, stats)| {
            [format!("`{name}`")].into_iter().chain(stats.iter().map(Stats::text)).collect()
        });
        let rows = table(&head.collect::<Vec<_>>(), &rows.collect::<Vec<_>>());
        text += &format!("## {}\n\n{rows}\n", data.info.title);
        for (name, stats) in &curves {
            cells.extend(
                BITS.iter().zip(stats).map(
                    |(bits, f1)| json!({ "set": data.info.name, "method": name, "bits": bits, "f1": f1 }),
                ),
            );
        }
        panels.push(panel(data.info.title, &curves));
        Ok(())
    })?;
    let drawing = Drawing {
        suffix: String::new(),
        shows: "F1 by bits".to_owned(),
        svg: plots::lines(&panels, 3.min(panels.len()))?,
    };
    Ok(Report { title: "Frontier", text, values: json!({ "cells": cells }), drawings: vec![drawing] })
}

/// The encoder's score at each number of bits.
fn encoded(data: &DataSet, ledger: &mut Ledger) -> anyhow::Result<Vec<Stats>> {
    let mut scores = Vec::new();
    for bits in BITS {
        let key = Key {
            set: data.info.name.to_owned(),
            task: Task::Representation.name(),
            recipe: "encode".to_owned(),
            parameters: format!("bits={bits} effort=normal"),
            seed: 0,
            data: data.fingerprint(Task::Representation)?,
        };
        let outcome = match ledger.find(&key) {
            Some(outcome) => outcome,
            None => {
                let outcome = encode_in(bits, data)?;
                ledger.add(key, outcome)?;
                outcome
            }
        };
        scores.push(Stats::percent([outcome.f1].into_iter()));
    }
    Ok(scores)
}

fn encode_in(bits: usize, data: &DataSet) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let params = EncodeParams { bits: Some(bits), ..EncodeParams::default() };
    let encoding = encode(&data.hierarchy, &params, &Bars::default())?;
    let judged = evaluate::all_pairs(&encoding.codes, &data.hierarchy);
    let apart = evaluate::all_pairs_apart(&encoding.codes, &data.hierarchy, &judged);
    Ok(Outcome {
        f1: judged.confusion.f1(),
        f1_equal_apart: apart.f1(),
        tp: judged.confusion.tp,
        fp: judged.confusion.fp,
        false_negatives: judged.confusion.false_negatives,
        epochs: 0,
        best_epoch: 0,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Bits by bits, seed by seed.
fn jobs(plan: &Plan<'_>, data: &DataSet, recipe: &'static super::recipes::NamedRecipe) -> Vec<Job> {
    let at = |bits: usize| {
        let change = move |params: &mut TrainParams| params.bits = bits;
        plan.job(data, Task::Representation, recipe, change).with_seeds(plan.seeds).collect::<Vec<_>>()
    };
    BITS.into_iter().flat_map(at).collect()
}

fn panel(title: &str, curves: &[(&str, Vec<Stats>)]) -> LinePanel {
    let line = |(name, stats): &(&str, Vec<Stats>)| Line {
        name: (*name).to_owned(),
        points: (0_u32..).zip(stats).map(|(x, f1)| Point { x: x.into(), y: f1.mean, sd: f1.sd }).collect(),
    };
    LinePanel {
        title: title.to_owned(),
        x_label: "bits",
        y_label: "F1 %",
        ticks: BITS.iter().map(usize::to_string).collect(),
        lines: curves.iter().map(line).collect(),
    }
}
