//! The paper's two main tables: representation, and link prediction.

use std::fmt::Write;

use serde::Serialize;
use serde_json::json;

use super::Plan;
use super::data::{DataSet, SetInfo, Task};
use super::ledger::Ledger;
use super::plots::{self, BarPanel};
use super::published::{self, MeanSd, RIVALS};
use super::recipes::{Goal, NamedRecipe};
use super::references::References;
use super::report::{Drawing, Report, table};
use super::runs::{Job, Run, run_all};
use super::stats::Stats;

/// One recipe on one set and task, over the seeds, in percent.
#[derive(Debug, Serialize)]
struct Cell {
    set: &'static str,
    #[serde(skip)]
    task: Task,
    #[serde(rename = "task")]
    task_name: String,
    recipe: &'static str,
    f1: Stats,
    f1_equal_apart: Stats,
    published: Option<MeanSd>,
    /// Whether the recipe's goal is reached, where there is one.
    reached: Option<bool>,
}

/// Everything known of one set.
#[derive(Default)]
struct Results {
    cells: Vec<Cell>,
    references: Vec<(&'static str, Task, References)>,
    runs: Vec<Run>,
    sets: Vec<&'static SetInfo>,
}

pub(crate) fn report(plan: &Plan<'_>, tasks: &[Task]) -> anyhow::Result<Report> {
    let (mut ledger, mut results) = (plan.ledger()?, Results::default());
    plan.each_set(|data| {
        if tasks != [Task::Representation] {
            data.says_where_from();
        }
        results.sets.push(data.info);
        // All at once first, so that no processor waits for the last run of each task.
        let all: Vec<_> = tasks.iter().flat_map(|&task| jobs(plan, data, task)).collect();
        run_all(&all, data, &mut ledger)?;
        tasks.iter().try_for_each(|&task| results.add(plan, data, task, &mut ledger))
    })?;
    let legend = legend(plan, tasks);
    let tables = tasks.iter().map(|&task| results.markdown(plan, task));
    let text = format!("{legend}{}{}", tables.collect::<String>(), results.settings(plan));
    let references = results.references.iter().map(|(set, task, scores)| {
        json!({ "set": set, "task": task.name(), "closure_of_training_pairs": scores.closure, "many_descendants": scores.many_descendants })
    });
    Ok(Report {
        title: if tasks == [Task::Representation] { "Representation" } else { "Link prediction" },
        text,
        values: json!({ "cells": results.cells, "references": references.collect::<Vec<_>>(), "runs": results.runs }),
        drawings: vec![results.drawing(plan, tasks)?],
    })
}

/// Every recipe with every seed, recipe by recipe.
fn jobs(plan: &Plan<'_>, data: &DataSet, task: Task) -> Vec<Job> {
    let jobs = plan.recipes.iter().map(|recipe| plan.job(data, task, recipe, |_| ()));
    jobs.flat_map(|job| job.with_seeds(plan.seeds).collect::<Vec<_>>()).collect()
}

fn legend(plan: &Plan<'_>, tasks: &[Task]) -> String {
    let over = if tasks == [Task::Representation] {
        "Codes are learnt from the closure and judged over all n² − n ordered pairs."
    } else {
        "Codes are learnt from all direct pairs and a share of the indirect ones, chosen on validation pairs and judged \
         on test pairs with ten negatives each."
    };
    let mut text = format!(
        "{over} F1 in %, mean ± standard deviation over {}. Equal codes count as is-a; where counting them as not is-a, \
         as the published runs did, gives other numbers, these follow in a row of their own.\n\n",
        crate::output::counted(plan.seeds as usize, "seed"),
    );
    for recipe in plan.recipes.iter().filter(|recipe| recipe.goal != Goal::None) {
        let _ = writeln!(
            text,
            "`{}` is marked ✓ where it reaches {}, ✗ where not.\n",
            recipe.name,
            recipe.goal.text()
        );
    }
    text
}

impl Results {
    fn add(
        &mut self,
        plan: &Plan<'_>,
        data: &DataSet,
        task: Task,
        ledger: &mut Ledger,
    ) -> anyhow::Result<()> {
        let runs = run_all(&jobs(plan, data, task), data, ledger)?;
        for (recipe, runs) in plan.recipes.iter().zip(runs.chunks(plan.seeds as usize)) {
            self.cells.push(Cell::new(data.info, task, recipe, runs));
        }
        self.runs.extend(runs);
        self.references.push((data.info.name, task, References::of(data, task)?));
        Ok(())
    }

    fn markdown(&self, plan: &Plan<'_>, task: Task) -> String {
        let head = ["Model".to_owned()].into_iter().chain(self.sets.iter().map(|set| set.title.to_owned()));
        let mut rows = self.published_rows(task);
        let reference = |score: fn(&References) -> f64| {
            self.row(|set| {
                let found = self.references.iter().find(|(name, of, _)| (*name, *of) == (set.name, task));
                found.map(|(_, _, references)| format!("{:.2}", score(references)))
            })
        };
        rows.push(named("closure of the training pairs, no codes", reference(|r| r.closure)));
        rows.push(named("many descendants, no codes", reference(|r| r.many_descendants)));
        for recipe in &plan.recipes {
            let cell = |set: &SetInfo| self.cell(set, task, recipe);
            let name = format!("**ours, `{}`**", recipe.name);
            rows.push(named(&name, self.row(|set| cell(set).map(Cell::text))));
            let apart = |set: &SetInfo| {
                cell(set).filter(|cell| cell.differs_apart()).map(|cell| cell.f1_equal_apart.text())
            };
            if self.sets.iter().any(|set| apart(set).is_some()) {
                rows.push(named(&format!("`{}`, equal codes as not is-a", recipe.name), self.row(apart)));
            }
        }
        format!("## {}\n\n{}\n", task.title(), table(&head.collect::<Vec<_>>(), &rows))
    }

    /// Rivals and BINDER, as published.
    fn published_rows(&self, task: Task) -> Vec<Vec<String>> {
        let Some(published) = published::table(task) else { return Vec::new() };
        let mut rows: Vec<Vec<String>> = RIVALS
            .iter()
            .zip(&published.rivals)
            .map(|(name, scores)| {
                named(name, self.row(|set| set.column.map(|column| format!("{:.2}", scores[column]))))
            })
            .collect();
        let binder = |set: &SetInfo| set.column.map(|column| published.binder[column]);
        rows.push(named(
            "BINDER, published",
            self.row(|set| binder(set).map(|(mean, sd)| format!("{mean:.2} ± {sd:.2}"))),
        ));
        rows
    }

    /// One text per set.
    fn row(&self, text: impl Fn(&SetInfo) -> Option<String>) -> Vec<String> {
        self.sets.iter().map(|set| text(set).unwrap_or("–".to_owned())).collect()
    }

    fn cell(&self, set: &SetInfo, task: Task, recipe: &NamedRecipe) -> Option<&Cell> {
        self.cells.iter().find(|cell| (cell.set, cell.task, cell.recipe) == (set.name, task, recipe.name))
    }

    /// The settings behind each cell.
    fn settings(&self, plan: &Plan<'_>) -> String {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for Run { key, .. } in self.runs.iter().filter(|run| run.key.seed == 1) {
            rows.push(
                [&key.set, &key.task, &key.recipe, &key.parameters, &key.data].map(Clone::clone).to_vec(),
            );
        }
        let head = ["Set", "Task", "Recipe", "Settings", "Data"].map(str::to_owned);
        format!("## Settings\n\nSeeds 1 to {}.\n\n{}", plan.seeds, table(&head, &rows))
    }

    /// The best published rival, BINDER and ours, side by side.
    fn drawing(&self, plan: &Plan<'_>, tasks: &[Task]) -> anyhow::Result<Drawing> {
        let panels = tasks.iter().map(|&task| {
            let published = published::table(task);
            let of = |set: &SetInfo| published.zip(set.column);
            let best = |set: &&SetInfo| {
                of(set).map(|(table, column)| table.rivals.iter().map(|row| row[column]).fold(0.0, f64::max))
            };
            let binder = |set: &&SetInfo| of(set).map(|(table, column)| table.binder[column].0);
            let mut series = vec![
                ("best published rival".to_owned(), self.sets.iter().map(best).collect()),
                ("BINDER, published".to_owned(), self.sets.iter().map(binder).collect()),
            ];
            for recipe in &plan.recipes {
                let ours = self.sets.iter().map(|set| self.cell(set, task, recipe).map(|cell| cell.f1.mean));
                series.push((format!("ours, {}", recipe.name), ours.collect()));
            }
            BarPanel {
                title: task.title(),
                y_label: "F1 %",
                groups: self.sets.iter().map(|set| set.title).collect(),
                series,
            }
        });
        let svg = plots::bars(&panels.collect::<Vec<_>>())?;
        Ok(Drawing { suffix: String::new(), shows: "F1 by data set".to_owned(), svg })
    }
}

fn named(name: &str, cells: Vec<String>) -> Vec<String> {
    [vec![name.to_owned()], cells].concat()
}

impl Cell {
    fn new(set: &SetInfo, task: Task, recipe: &'static NamedRecipe, runs: &[Run]) -> Self {
        let f1 = Stats::percent(runs.iter().map(|run| run.outcome.f1));
        let published = published::table(task).zip(set.column).map(|(table, column)| table.binder[column]);
        Self {
            set: set.name,
            task,
            task_name: task.name(),
            recipe: recipe.name,
            f1,
            f1_equal_apart: Stats::percent(runs.iter().map(|run| run.outcome.f1_equal_apart)),
            published,
            reached: published.and_then(|published| recipe.goal.reached(&f1, published)),
        }
    }

    fn text(&self) -> String {
        let mark = match self.reached {
            Some(true) => " ✓",
            Some(false) => " ✗",
            None => "",
        };
        format!("**{}**{mark}", self.f1.text())
    }

    fn differs_apart(&self) -> bool {
        self.f1.text() != self.f1_equal_apart.text()
    }
}
