//! The paper's ablation: what β and b contribute, on Animals.

use binder::train::TrainParams;
use serde::Serialize;
use serde_json::json;

use crate::Error;
use crate::data::{DataSet, SetInfo, drawn_splits};
use crate::dots::{self, DotPanel, Series};
use crate::plan::Plan;
use crate::published::{self, ABLATION, ABLATION_BETA, Ablation, MeanSd};
use crate::recipes::NamedRecipe;
use crate::report::{Drawing, Report, table};
use crate::runs::{self, Job, Run, run_all};
use crate::stats::Stats;
use crate::task::Task;

/// What is changed, and the score that the paper gives for it.
struct Setting {
    name: String,
    change: fn(&mut TrainParams),
    published: fn(&Ablation) -> Option<MeanSd>,
}

fn settings() -> [Setting; 4] {
    let nothing =
        Setting { name: "nothing left out".to_owned(), change: |_| (), published: |_| None };
    let beta = Setting {
        name: "β = 0".to_owned(),
        change: |params| params.beta = 0,
        published: |paper| Some(paper.without_beta),
    };
    let bias = Setting {
        name: "b = 0".to_owned(),
        change: |params| params.bias = 0.0,
        published: |paper| Some(paper.without_bias),
    };
    let bias_with_its_beta = Setting {
        name: format!("b = 0 with β = {ABLATION_BETA}"),
        change: |params| (params.bias, params.beta) = (0.0, ABLATION_BETA),
        published: |paper| Some(paper.without_bias),
    };
    [nothing, beta, bias, bias_with_its_beta]
}

const LEGEND: &str = "Codes learnt without β or without b. F1 in %. α is 25 for \
    representation and 25,000 for link prediction, codes have 128 bits, and n⁻ is that of the \
    paper's best configurations. The paper names β = 32 as the default here and β = 10 everywhere \
    else. Since 32 is larger than the α of representation, b = 0 is run with both.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut ledger, mut cells, mut all_runs) = (plan.ledger(".csv")?, Vec::new(), Vec::new());
    let (tasks, mut drawn) = (ABLATION.each_ref().map(|paper| paper.task), Vec::new());
    plan.each_set(|data| {
        plan.note_drawn(data, &tasks);
        drawn.extend(tasks.iter().any(|&task| data.is_drawn(task)).then_some(data.info));
        let parts: Vec<(&Ablation, &'static NamedRecipe)> = ABLATION
            .iter()
            .flat_map(|paper| plan.recipes.iter().map(move |&recipe| (paper, recipe)))
            .collect();
        // All jobs in one go first: task by task, threads would wait for the last run of each.
        let all: Vec<_> =
            parts.iter().flat_map(|(paper, recipe)| jobs(plan, data, paper, recipe)).collect();
        all_runs.extend(run_all(&all, plan, data, &mut ledger)?);
        for (paper, recipe) in parts {
            let runs = run_all(&jobs(plan, data, paper, recipe), plan, data, &mut ledger)?;
            for (setting, runs) in settings().iter().zip(runs.chunks(plan.seeds as usize)) {
                cells.push(Cell::new(data.info, paper, recipe, setting, runs));
            }
        }
        Ok(())
    })?;
    let head = ["Task", "Recipe", "Setting", "Published", "Ours", "Ours, equal codes as not is-a"];
    let rows: Vec<_> = cells.iter().map(Cell::row).collect();
    Ok(Report {
        title: "Ablation",
        text: format!("{LEGEND}{}{}{}", plan.averaged(), drawn_splits(&drawn), table(&head, &rows)),
        values: json!({ "cells": cells, "runs": all_runs }),
        drawings: vec![drawing(&cells)?],
    })
}

/// A panel per task: the settings as groups, published and ours as dots.
fn drawing(cells: &[Cell]) -> Result<Drawing, Error> {
    let mut panels: Vec<DotPanel> = Vec::new();
    for cells in cells.chunk_by(|a, b| (a.set, &a.task, a.recipe) == (b.set, &b.task, b.recipe)) {
        let ours = cells.iter().map(|cell| Some((cell.f1.mean, cell.f1.sd))).collect();
        let published = cells.iter().map(|cell| cell.published).collect();
        let series =
            |name: &str, scores| Series { name: name.to_owned(), is_reference: false, scores };
        panels.push(DotPanel {
            title: cells.first().map_or(String::new(), |cell| cell.title.clone()),
            groups: cells.iter().map(|cell| cell.setting.clone()).collect(),
            series: vec![series("BINDER, published", published), series("our run", ours)],
        });
    }
    Ok(Drawing {
        suffix: String::new(),
        shows: "Errors without β and without b, on a logarithmic axis".to_owned(),
        svg: dots::dots(&panels)?,
    })
}

/// Setting by setting, seed by seed.
fn jobs(
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    paper: &Ablation,
    recipe: &'static NamedRecipe,
) -> Vec<Job> {
    let mut jobs = Vec::new();
    for setting in settings() {
        let job = plan.job(data, paper.task, recipe, |params| {
            params.alpha = recipe.recipe.params(paper.task != Task::Representation).alpha;
            (setting.change)(params);
        });
        jobs.extend(job.with_seeds(plan.seeds));
    }
    jobs
}

/// One setting over the seeds, in percent.
#[derive(Serialize)]
struct Cell {
    set: &'static str,
    task: String,
    #[serde(skip)]
    title: String,
    recipe: &'static str,
    setting: String,
    f1: Stats,
    #[serde(rename = "f1_equal_apart")]
    strict_f1: Stats,
    published: Option<MeanSd>,
}

impl Cell {
    fn new(
        set: &SetInfo,
        paper: &Ablation,
        recipe: &NamedRecipe,
        setting: &Setting,
        runs: &[Run],
    ) -> Self {
        // The ablation was published for Animals only. With nothing left out, the score is that of
        // the main table.
        let published = (setting.published)(paper).or_else(|| published::binder(paper.task, set));
        Self {
            set: set.name,
            task: paper.task.name(),
            title: format!("{}, {}", set.title, paper.task.title()),
            recipe: recipe.name,
            setting: setting.name.clone(),
            f1: runs::f1(runs),
            strict_f1: runs::strict_f1(runs),
            published: published.filter(|_| set.name == "animals"),
        }
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.title.clone(),
            format!("`{}`", self.recipe),
            self.setting.clone(),
            published::text(self.published),
            self.f1.text(),
            self.strict_f1.text(),
        ]
    }
}
