//! What a similarity term, and chances from a table, give and cost: F1 on held-out pairs, and how
//! well the distance between codes agrees with similarity in the hierarchy.

use binder::query::{Index, Measure};
use binder::train::{Chances, TrainParams};
use binder::{Codes, Hierarchy, Id};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use serde_json::json;

use crate::Error;
use crate::data::{DataSet, drawn_splits};
use crate::plan::Plan;
use crate::recipes::NamedRecipe;
use crate::report::{Report, table, write_csv};
use crate::runs::{Job, Trainer};
use crate::stats::Stats;
use crate::task::Task;

const HEADER: &str = "set,recipe,setting,seed,f1,epochs,siblings,wu_palmer,lin,seconds";

const LEGEND: &str = "Codes learnt from the direct pairs with a similarity term (γ) or with \
    chances from a table, for at most 300 epochs. F1 in % on the test pairs of link prediction at \
    0 %. *Siblings* is the mean number of bits in which two concepts with a common parent differ. \
    The last columns are Spearman's correlation, in %, between minus the number of bits in which \
    two concepts differ and their similarity by Wu & Palmer and by Lin, over 20,000 random pairs \
    of concepts, the same for all runs.\n\n";

/// The most epochs of a run, so that all of them take minutes.
const EPOCHS: u32 = 300;

/// What the codes are learnt for.
const TASK: Task = Task::LinkPrediction(0);

/// Pairs of concepts that similarities are compared on.
const PAIRS: usize = 20_000;

/// What is changed.
struct Setting {
    name: &'static str,
    change: fn(&mut TrainParams),
}

const SETTINGS: [Setting; 6] = [
    Setting { name: "as it is", change: |_| () },
    Setting { name: "chances from a table", change: |params| params.chances = Chances::Table },
    Setting { name: "γ = 1", change: |params| params.similarity = 1 },
    Setting { name: "γ = 10", change: |params| params.similarity = 10 },
    Setting { name: "γ = 100", change: |params| params.similarity = 100 },
    Setting { name: "γ = 1000", change: |params| params.similarity = 1000 },
];

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut cells, mut drawn) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        plan.note_drawn(data, &[TASK]);
        drawn.extend(data.is_drawn(TASK).then_some(data.info));
        let (trainer, ruler) = (Trainer::new([TASK], data)?, Ruler::new(&data.hierarchy)?);
        for &recipe in &plan.recipes {
            for setting in &SETTINGS {
                cells.push(Cell::new(plan, data, recipe, setting, &trainer, &ruler)?);
            }
        }
        Ok(())
    })?;
    let lines: Vec<_> = cells.iter().flat_map(Cell::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head = ["Set", "Recipe", "Setting", "F1", "Epochs", "Siblings", "Wu–Palmer", "Lin"];
    let rows: Vec<_> = cells.iter().map(Cell::row).collect();
    Ok(Report {
        title: "Similarity",
        text: format!("{LEGEND}{}{}{}", plan.averaged(), drawn_splits(&drawn), table(&head, &rows)),
        values: json!({ "cells": cells }),
        drawings: Vec::new(),
    })
}

/// One run.
#[derive(Serialize)]
struct Run {
    seed: u64,
    f1: f64,
    epochs: u32,
    /// Bits between siblings, on average.
    siblings: f64,
    wu_palmer: f64,
    lin: f64,
    seconds: f64,
}

/// One setting over the seeds.
#[derive(Serialize)]
struct Cell {
    set: &'static str,
    #[serde(skip)]
    title: &'static str,
    recipe: &'static str,
    setting: &'static str,
    runs: Vec<Run>,
}

impl Cell {
    fn new(
        plan: &Plan<'_>,
        data: &DataSet<'_>,
        recipe: &'static NamedRecipe,
        setting: &Setting,
        trainer: &Trainer<'_>,
        ruler: &Ruler,
    ) -> Result<Self, Error> {
        let job = plan.job(data, TASK, recipe, |params| {
            params.epochs = params.epochs.min(EPOCHS);
            (setting.change)(params);
        });
        let run = |job: Job| -> Result<Run, Error> {
            let (outcome, codes) = trainer.train(&job, plan.listener, |_| ())?;
            let [wu_palmer, lin] = ruler.agreement(&codes);
            Ok(Run {
                seed: job.params.seed,
                f1: outcome.f1,
                epochs: outcome.epochs,
                siblings: between_siblings(&data.hierarchy, &codes),
                wu_palmer,
                lin,
                seconds: outcome.seconds,
            })
        };
        let runs = job.with_seeds(plan.seeds).map(run).collect::<Result<_, _>>()?;
        let (set, title) = (data.info.name, data.info.title);
        Ok(Self { set, title, recipe: recipe.name, setting: setting.name, runs })
    }

    fn csv(&self) -> Vec<String> {
        let Self { set, recipe, setting, .. } = self;
        let line = |run: &Run| {
            let Run { seed, f1, epochs, siblings, wu_palmer, lin, seconds } = run;
            format!(
                "{set},{recipe},{setting},{seed},{f1},{epochs},{siblings:.4},{wu_palmer:.4},\
                 {lin:.4},{seconds:.3}"
            )
        };
        self.runs.iter().map(line).collect()
    }

    fn row(&self) -> Vec<String> {
        let all = |of: fn(&Run) -> f64| self.runs.iter().map(of).collect::<Vec<_>>();
        let percent = |of: fn(&Run) -> f64| Stats::percent(all(of).into_iter()).text();
        vec![
            self.title.to_owned(),
            format!("`{}`", self.recipe),
            self.setting.to_owned(),
            percent(|run| run.f1),
            format!("{:.0}", Stats::of(&all(|run| run.epochs.into())).mean),
            Stats::of(&all(|run| run.siblings)).text(),
            percent(|run| run.wu_palmer),
            percent(|run| run.lin),
        ]
    }
}

/// The number of bits in which two codes differ.
fn apart(codes: &Codes, one: Id, other: Id) -> f64 {
    let words = codes.row(one).iter().zip(codes.row(other));
    words.map(|(one, other)| (one ^ other).count_ones()).sum::<u32>().into()
}

/// The mean number of bits between neighbours among the children of a parent, which are as good as
/// all pairs of them and fewer.
fn between_siblings(hierarchy: &Hierarchy, codes: &Codes) -> f64 {
    let children = |parent: Id| hierarchy.graph().children(parent).windows(2);
    let pairs = hierarchy.ids().flat_map(children);
    Stats::of(&pairs.map(|two| apart(codes, two[0], two[1])).collect::<Vec<_>>()).mean
}

/// Random pairs of concepts, and how similar they are in the hierarchy.
struct Ruler {
    pairs: Vec<(Id, Id)>,
    /// The ranks of their similarities by Wu & Palmer and by Lin.
    ranks: [Vec<f64>; 2],
}

impl Ruler {
    fn new(hierarchy: &Hierarchy) -> Result<Self, Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        #[expect(clippy::cast_possible_truncation, reason = "there are no more concepts than ids")]
        let concepts = hierarchy.len() as Id;
        let pairs: Vec<(Id, Id)> = (0..PAIRS)
            .map(|_| (rng.random_range(0..concepts), rng.random_range(0..concepts)))
            .filter(|(one, other)| one != other)
            .collect();
        let index: Index = binder::encode(hierarchy)?.into_index();
        let ranked = |measure: Measure| -> Result<Vec<f64>, Error> {
            let similar = |&(one, other): &(Id, Id)| index.similarity(one, other, measure);
            let values: Result<Vec<f64>, _> = pairs.iter().map(similar).collect();
            Ok(ranks(&values.map_err(binder::Error::from)?))
        };
        let ranks = [ranked(Measure::WuPalmer)?, ranked(Measure::Lin)?];
        Ok(Self { pairs, ranks })
    }

    /// Spearman's correlation of minus the distance between codes with both similarities.
    fn agreement(&self, codes: &Codes) -> [f64; 2] {
        let near: Vec<_> =
            self.pairs.iter().map(|&(one, other)| -apart(codes, one, other)).collect();
        let near = ranks(&near);
        self.ranks.each_ref().map(|ranks| correlation(&near, ranks))
    }
}

/// The ranks of values from 0; equal ones have the mean of theirs.
#[expect(clippy::cast_precision_loss, reason = "ranks are far below 2^53")]
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut start) = (vec![0.0; values.len()], 0);
    for equal in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let mean = start as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&at| ranks[at] = mean);
        start += equal.len();
    }
    ranks
}

/// Pearson's correlation; 0 if one side is constant.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (Stats::of(a).mean, Stats::of(b).mean);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| of(a - mean_a, b - mean_b)).sum()
    };
    let scale = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if scale > 0.0 { sum(&|a, b| a * b) / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spearman_of_a_worked_example() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        // d² = 1 + 1 + 0 + 0: 1 − 6·2 / (4·15) = 0.8.
        let (a, b) = (ranks(&[1.0, 2.0, 3.0, 4.0]), ranks(&[20.0, 10.0, 30.0, 40.0]));
        assert!((correlation(&a, &b) - 0.8).abs() < 1e-12);
        assert!((correlation(&a, &ranks(&[9.0, 8.0, 7.0, 6.0])) + 1.0).abs() < 1e-12);
        assert!(correlation(&a, &[1.0; 4]).abs() < 1e-12);
    }
}
