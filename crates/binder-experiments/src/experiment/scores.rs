//! The paper's two main tables: representation, and link prediction.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use crate::Error;
use crate::data::{DataSet, SetInfo, drawn_splits};
use crate::dots::{self, DotPanel, Series};
use crate::ledger::Ledger;
use crate::methods::{self, MethodRun};
use crate::plan::Plan;
use crate::published::{self, MeanSd};
use crate::recipes::{Goal, NamedRecipe};
use crate::references::References;
use crate::report::{Drawing, Report, row, table};
use crate::runs::{self, Job, Run, run_some};
use crate::stats::Stats;
use crate::task::Task;
use binder::Choice;
use binder_answers::counted;
use binder_baselines::Method;

pub(crate) fn report(plan: &Plan<'_>, tasks: &[Task]) -> Result<Report, Error> {
    let representation = tasks == [Task::Representation];
    let (mut ledger, mut results) = (plan.ledger(".csv")?, Results::default());
    let mut method_ledger = match plan.request.methods.is_empty() {
        true => None,
        false => Some(plan.ledger("-methods.csv")?),
    };
    plan.each_set(|data| {
        plan.note_drawn(data, tasks);
        results.sets.push(data.info);
        // All jobs in one go first: task by task, threads would wait for the last run of each.
        let all: Vec<_> = tasks.iter().flat_map(|&task| jobs(plan, data, task)).collect();
        run_some(&all, plan, data, &mut ledger)?;
        tasks.iter().try_for_each(|&task| results.add(plan, data, task, &mut ledger))?;
        if let Some(ledger) = &mut method_ledger {
            results.method_runs.extend(methods::run_all(plan, data, tasks, ledger)?);
        }
        Ok(())
    })?;
    if results.runs.is_empty() {
        // A page without a single score would say nothing.
        plan.check_missing(results.missing)?;
    }
    let tables = tasks.iter().map(|&task| results.markdown(plan, task));
    Ok(Report {
        title: if representation { "Representation" } else { "Link prediction" },
        text: format!(
            "{}{}{}{}{}{}{}",
            legend(plan, representation),
            if results.missing > 0 { INCOMPLETE } else { "" },
            results.of_best(),
            methods::legend(plan),
            tables.collect::<String>(),
            results.costs(plan),
            results.settings(plan)
        ),
        values: results.json(),
        drawings: vec![results.drawing(plan, tasks)?],
    })
}

/// What a page begins with that lacks runs of recipes.
const INCOMPLETE: &str =
    "Where fewer runs of a recipe are finished, their number follows in brackets.\n\n";

/// Every recipe with every seed, recipe by recipe.
fn jobs(plan: &Plan<'_>, data: &DataSet<'_>, task: Task) -> Vec<Job> {
    let mut jobs = Vec::new();
    for recipe in &plan.recipes {
        let job = plan.job(data, task, recipe, |_| ());
        jobs.extend(job.with_seeds(plan.seeds_of(recipe, data.info)));
    }
    jobs
}

fn legend(plan: &Plan<'_>, representation: bool) -> String {
    let task = if representation {
        "Codes are learnt from the closure and judged over all n² − n ordered pairs. The epoch to \
         keep is not chosen on these: it is chosen on the training pairs and ten random \
         corruptions of each. What the last epoch scores follows in a row of its own where it \
         differs."
    } else {
        "Codes are learnt from all direct pairs and a share of the indirect ones. The epoch to \
         keep is chosen on validation pairs, and the codes are judged on test pairs with ten negatives \
         each."
    };
    let mut text = format!(
        "{task} F1 in %, mean ± standard deviation over {}. Equal codes count as is-a. The \
         published runs counted them as not is-a; if that changes a recipe's numbers, they follow \
         in a row of their own.\n\n",
        counted(plan.seeds as usize, "seed"),
    );
    for recipe in &plan.recipes {
        let nouns = plan.sets.iter().find(|set| plan.seeds_of(recipe, set) < plan.seeds);
        if let Some(set) = nouns {
            let seeds = counted(plan.seeds_of(recipe, set) as usize, "seed");
            let _ = writeln!(text, "`{}` has at most {seeds} on {}.\n", recipe.name, set.title);
        }
    }
    for recipe in plan.recipes.iter().filter(|recipe| recipe.goal != Goal::None) {
        let _ = writeln!(
            text,
            "`{}` is marked ✓ if it reaches {}, and ✗ if not.\n",
            recipe.name,
            recipe.goal.text()
        );
    }
    text
}

/// Everything that came out, for all sets and tasks.
#[derive(Default)]
struct Results {
    sets: Vec<&'static SetInfo>,
    cells: Vec<Cell>,
    references: Vec<(&'static str, Task, References)>,
    runs: Vec<Run>,
    /// Runs of recipes that are not finished.
    missing: usize,
    method_runs: Vec<MethodRun>,
}

impl Results {
    fn add(
        &mut self,
        plan: &Plan<'_>,
        data: &DataSet<'_>,
        task: Task,
        ledger: &mut Ledger,
    ) -> Result<(), Error> {
        let jobs = jobs(plan, data, task);
        let runs = run_some(&jobs, plan, data, ledger)?;
        self.missing += jobs.len() - runs.len();
        for recipe in &plan.recipes {
            let of_recipe = |run: &&Run| run.key.recipe == recipe.name;
            let of_recipe: Vec<_> = runs.iter().filter(of_recipe).cloned().collect();
            if !of_recipe.is_empty() {
                let wanted = plan.seeds_of(recipe, data.info);
                self.cells.push(Cell::new(data, task, recipe, &of_recipe, wanted));
            }
        }
        self.runs.extend(runs);
        self.references.push((data.info.name, task, References::of(data, task)?));
        Ok(())
    }

    /// What the recipe `best` learns, for the legend.
    fn of_best(&self) -> String {
        let mut cells = self.cells.iter().filter(|cell| cell.recipe == "best").peekable();
        if cells.peek().is_none() {
            return String::new();
        }
        let learns = if cells.all(|cell| cell.f1.is_perfect()) {
            "So its scores of 100 ± 0 come from the symbolic closure of the training pairs, which \
             the codes then hold exactly."
        } else {
            "What it learns is the symbolic closure of its training pairs, as far as it gets."
        };
        format!(
            "`best` takes no pair as a negative that follows from its training pairs, and all that \
             do not. {learns}\n\n"
        )
    }

    /// The sets whose cells of a task are on splits that are drawn here.
    fn drawn(&self, task: Task) -> Vec<&'static SetInfo> {
        let is_drawn = |set: &&SetInfo| {
            let mut cells = self.cells.iter();
            cells.any(|cell| (cell.set, cell.task) == (set.name, task) && cell.drawn_splits)
        };
        self.sets.iter().copied().filter(|set| is_drawn(set)).collect()
    }

    /// The table of a task: the published rows, the references, then ours.
    fn markdown(&self, plan: &Plan<'_>, task: Task) -> String {
        let head = row("Model", self.sets.iter().map(|set| set.title.to_owned()));
        let mut rows = self.method_rows(plan, task);
        rows.push(self.published_row(task));
        rows.extend(self.reference_rows(task));
        rows.extend(plan.recipes.iter().flat_map(|recipe| self.recipe_rows(task, recipe)));
        format!(
            "## {}\n\n{}{}\n{}",
            task.title(),
            drawn_splits(&self.drawn(task)),
            table(&head, &rows),
            self.below(task)
        )
    }

    /// The methods: as published, and our runs of them where there are any.
    fn method_rows(&self, plan: &Plan<'_>, task: Task) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for &method in Method::ALL {
            let index = published::rival(method);
            let published = published::table(task).zip(index);
            if let Some((table, index)) = published {
                let score =
                    |set: &SetInfo| Some(format!("{:.2}", table.rivals[index][set.column?]));
                rows.push(self.row(&format!("{}, published", published::RIVALS[index]), score));
            }
            if plan.request.methods.contains(&method) {
                let name = index.map_or("Poincaré", |index| published::RIVALS[index]);
                let ours = |set: &SetInfo| {
                    let score = methods::f1(&self.of_method(set, &task.name(), method));
                    let so_far = so_far(score, methods::seeds(plan, set));
                    (score.runs > 0).then(|| score.text() + &so_far)
                };
                rows.push(self.row(&format!("{name}, our run"), ours));
            }
        }
        rows
    }

    /// BINDER, as published.
    fn published_row(&self, task: Task) -> Vec<String> {
        let binder = |set: &SetInfo| Some(published::text(published::binder(task, set)));
        self.row("BINDER, published", binder)
    }

    /// The runs of a method on a set, seed by seed.
    fn of_method(&self, set: &SetInfo, task: &str, method: Method) -> Vec<&MethodRun> {
        let wanted = (set.name, task, method.name());
        let found = |run: &&MethodRun| {
            (run.key.set.as_str(), run.key.task.as_str(), run.key.recipe.as_str()) == wanted
        };
        self.method_runs.iter().filter(found).collect()
    }

    /// What the methods cost: numbers and bytes per concept, and seconds per run.
    fn costs(&self, plan: &Plan<'_>) -> String {
        if self.method_runs.is_empty() {
            return String::new();
        }
        let head = row(
            "Method",
            ["Numbers", "Bytes"]
                .map(str::to_owned)
                .into_iter()
                .chain(self.sets.iter().map(|set| format!("{}, s", set.title))),
        );
        let rows: Vec<_> =
            plan.request.methods.iter().map(|&method| self.cost_row(method)).collect();
        format!(
            "## What the methods cost\n\nNumbers and bytes per concept, the most over the sets, \
             and the seconds of a run on the clock, the mean over tasks and seeds. Many runs \
             shared their machine with other work, so the seconds say little.\n\n{}\n",
            table(&head, &rows)
        )
    }

    fn cost_row(&self, method: Method) -> Vec<String> {
        let runs = || self.method_runs.iter().filter(move |run| run.key.recipe == method.name());
        let numbers = runs().map(|run| run.numbers).max().unwrap_or(0);
        let seconds = |set: &&SetInfo| {
            let of_set = runs().filter(|run| run.key.set == set.name);
            let seconds = Stats::of(&of_set.map(|run| run.outcome.seconds).collect::<Vec<_>>());
            if seconds.runs == 0 { "–".to_owned() } else { format!("{:.1}", seconds.mean) }
        };
        let cells = [numbers.to_string(), (4 * numbers).to_string()].into_iter();
        row(format!("`{method}`"), cells.chain(self.sets.iter().map(seconds)))
    }

    fn reference_rows(&self, task: Task) -> [Vec<String>; 2] {
        let reference = |name: &str, score: fn(&References) -> f64| {
            self.row(name, |set| {
                let mut all = self.references.iter();
                let found = all.find(|(other, of, _)| (*other, *of) == (set.name, task));
                found.map(|(_, _, references)| format!("{:.2}", score(references)))
            })
        };
        [
            reference("closure of the training pairs, no codes", |scores| scores.closure),
            reference("many descendants (tuned on validation pairs), no codes", |scores| {
                scores.many_descendants
            }),
        ]
    }

    /// The scores of a recipe, and the strict ones if they differ.
    fn recipe_rows(&self, task: Task, recipe: &NamedRecipe) -> Vec<Vec<String>> {
        let cell = |set: &SetInfo| self.cell(set, task, recipe);
        let name = format!("**ours, `{}`**", recipe.name);
        let mut rows = vec![self.row(&name, |set| cell(set).map(Cell::text))];
        let strict = |set: &SetInfo| cell(set).and_then(Cell::strict_text);
        if self.sets.iter().any(|set| strict(set).is_some()) {
            rows.push(self.row(&format!("`{}`, equal codes as not is-a", recipe.name), strict));
        }
        let last = |set: &SetInfo| cell(set).and_then(Cell::last_text);
        if self.sets.iter().any(|set| last(set).is_some()) {
            rows.push(self.row(&format!("`{}`, last epoch", recipe.name), last));
        }
        rows
    }

    /// How many means are below the published one, of those that can be compared.
    fn below(&self, task: Task) -> String {
        let is_compared = |cell: &&Cell| cell.task == task && !cell.drawn_splits;
        let cells: Vec<_> = self.cells.iter().filter(is_compared).collect();
        let compared = || cells.iter().filter_map(|cell| Some((cell, cell.published?.0)));
        let below = compared().filter(|(cell, mean)| cell.f1.mean < *mean).count();
        match compared().count() {
            0 => String::new(),
            all => format!("{below} of our {all} means are below the published ones.\n\n"),
        }
    }

    /// A name, then one text per set, with a dash where there is none.
    fn row(&self, name: &str, text: impl Fn(&SetInfo) -> Option<String>) -> Vec<String> {
        row(name, self.sets.iter().map(|set| text(set).unwrap_or("–".to_owned())))
    }

    fn cell(&self, set: &SetInfo, task: Task, recipe: &NamedRecipe) -> Option<&Cell> {
        let wanted = (set.name, task, recipe.name);
        self.cells.iter().find(|cell| (cell.set, cell.task, cell.recipe) == wanted)
    }

    /// The settings behind each cell.
    fn settings(&self, plan: &Plan<'_>) -> String {
        let keys = self.runs.iter().map(|run| &run.key);
        let keys = keys.chain(self.method_runs.iter().map(|run| &run.key));
        let rows = keys.filter(|key| key.seed == 1).map(|key| {
            [&key.set, &key.task, &key.recipe, &key.parameters, &key.data]
                .map(Clone::clone)
                .to_vec()
        });
        let head = ["Set", "Task", "Recipe or method", "Settings", "Data"];
        let table = table(&head, &rows.collect::<Vec<_>>());
        format!("## Settings\n\nSeeds 1 to {}.\n\n{table}", plan.seeds)
    }

    fn json(&self) -> Value {
        let reference = |(set, task, scores): &(&str, Task, References)| {
            json!({
                "set": set,
                "task": task.name(),
                "closure_of_training_pairs": scores.closure,
                "many_descendants": scores.many_descendants,
            })
        };
        let references: Vec<_> = self.references.iter().map(reference).collect();
        json!({
            "cells": self.cells,
            "references": references,
            "runs": self.runs,
            "methods": self.method_runs,
        })
    }

    /// A panel per task: the best other method, BINDER, and our runs.
    fn drawing(&self, plan: &Plan<'_>, tasks: &[Task]) -> Result<Drawing, Error> {
        let panels: Vec<_> = tasks.iter().map(|&task| self.panel(plan, task)).collect();
        Ok(Drawing {
            suffix: String::new(),
            shows: "Errors by data set, on a logarithmic axis".to_owned(),
            svg: dots::dots(&panels)?,
        })
    }

    fn panel(&self, plan: &Plan<'_>, task: Task) -> DotPanel {
        let best_published = |set: &SetInfo| {
            let (table, column) = published::table(task).zip(set.column)?;
            let best = table.rivals.iter().map(|scores| scores[column]).fold(0.0, f64::max);
            Some((best, 0.0))
        };
        let binder = |set: &SetInfo| published::binder(task, set);
        let mut series = vec![
            self.series("best other method, published", true, best_published),
            self.series("BINDER, published", false, binder),
        ];
        for recipe in &plan.recipes {
            let ours =
                |set: &SetInfo| self.cell(set, task, recipe).map(|cell| (cell.f1.mean, cell.f1.sd));
            series.push(self.series(&format!("our run, recipe {}", recipe.name), false, ours));
        }
        for method in DRAWN.iter().filter(|method| plan.request.methods.contains(method)) {
            let run = |set: &SetInfo| {
                let score = methods::f1(&self.of_method(set, &task.name(), *method));
                (score.runs > 0).then_some((score.mean, score.sd))
            };
            series.push(self.series(&format!("{method}, our run"), false, run));
        }
        let groups = self.sets.iter().map(|set| set.title.to_owned()).collect();
        DotPanel { title: task.title(), groups, series }
    }

    fn series(
        &self,
        name: &str,
        is_reference: bool,
        score: impl Fn(&SetInfo) -> Option<(f64, f64)>,
    ) -> Series {
        let scores = self.sets.iter().map(|set| score(set)).collect();
        Series { name: name.to_owned(), is_reference, scores }
    }
}

/// In brackets, how many runs a score is of, where more are wanted.
fn so_far(score: Stats, wanted: u32) -> String {
    if score.runs < wanted as usize { format!(" ({})", score.runs) } else { String::new() }
}

/// The methods that are drawn: those that come nearest to codes. The tables have all.
const DRAWN: [Method; 4] = [Method::Oe, Method::Poe, Method::Hec, Method::GumbelBox];

/// One recipe on one set and task over the seeds, in percent.
#[derive(Debug, Serialize)]
struct Cell {
    set: &'static str,
    #[serde(skip)]
    task: Task,
    #[serde(rename = "task")]
    task_name: String,
    recipe: &'static str,
    f1: Stats,
    #[serde(rename = "f1_equal_apart")]
    strict_f1: Stats,
    /// Of the last epochs.
    last_f1: Stats,
    /// How many runs belong into it.
    #[serde(skip)]
    wanted: u32,
    published: Option<MeanSd>,
    /// Whether the published runs were on another split.
    drawn_splits: bool,
    /// Whether the recipe's goal is reached, if it has one and can be compared.
    reached: Option<bool>,
}

impl Cell {
    fn new(
        data: &DataSet<'_>,
        task: Task,
        recipe: &'static NamedRecipe,
        runs: &[Run],
        wanted: u32,
    ) -> Self {
        let (set, drawn_splits, f1) = (data.info, data.is_drawn(task), runs::f1(runs));
        let published = published::binder(task, set);
        let comparable = published.filter(|_| !drawn_splits);
        Self {
            set: set.name,
            task,
            task_name: task.name(),
            recipe: recipe.name,
            f1,
            strict_f1: runs::strict_f1(runs),
            last_f1: runs::last_f1(runs),
            wanted,
            published,
            drawn_splits,
            reached: comparable.and_then(|published| recipe.goal.reached(&f1, published)),
        }
    }

    fn text(&self) -> String {
        let mark = match self.reached {
            Some(true) => " ✓",
            Some(false) => " ✗",
            None => "",
        };
        format!("**{}**{mark}{}", self.f1.text(), so_far(self.f1, self.wanted))
    }

    /// The scores of the last epochs, if they look different.
    fn last_text(&self) -> Option<String> {
        let text = self.last_f1.text();
        (self.last_f1.runs > 0 && text != self.f1.text()).then_some(text)
    }

    /// The strict scores, if they look different.
    fn strict_text(&self) -> Option<String> {
        let text = self.strict_f1.text();
        (text != self.f1.text()).then_some(text)
    }
}
