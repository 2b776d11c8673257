//! `binder reproduce`: the experiments of the BINDER paper, with its numbers beside ours.
//!
//! An experiment plans runs (`runs.rs`), looks them up in the table of finished ones (`ledger.rs`) or does them, and makes a
//! [`Report`] of tables and drawings. What the paper published is in `published.rs`, which recipes are run in `recipes.rs`.

#[path = "experiment/ablation.rs"]
mod ablation;
#[path = "experiment/mod.rs"]
mod args;
#[path = "experiment/case_study.rs"]
mod case_study;
#[path = "experiment/convergence.rs"]
mod convergence;
mod data;
#[path = "experiment/edges.rs"]
mod edges;
#[path = "experiment/exact.rs"]
mod exact;
#[path = "experiment/frontier.rs"]
mod frontier;
mod ledger;
mod plots;
mod published;
mod recipes;
mod references;
mod report;
#[path = "experiment/robustness.rs"]
mod robustness;
mod runs;
#[path = "experiment/scores.rs"]
mod scores;
#[path = "experiment/space.rs"]
mod space;
mod stats;
#[path = "tree_svg.rs"]
mod tree;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use binder::train::TrainParams;
use serde_json::json;

pub(crate) use args::ReproduceArgs;

use crate::output::{bold, note, print, print_json};
use args::Experiment;
use data::{DataSet, PERCENTAGES, SETS, SetInfo, Task};
use ledger::Ledger;
use recipes::{NamedRecipe, RECIPES};
use runs::Job;

pub(crate) fn run(args: &ReproduceArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    std::fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let plan = Plan::new(args);
    let report = match args.experiment {
        Experiment::Representation => scores::report(&plan, &[Task::Representation])?,
        Experiment::LinkPrediction => scores::report(&plan, &PERCENTAGES.map(Task::LinkPrediction))?,
        Experiment::Ablation => ablation::report(&plan)?,
        Experiment::Robustness => robustness::report(&plan)?,
        Experiment::Convergence => convergence::report(&plan)?,
        Experiment::CaseStudy => case_study::report(&plan)?,
        Experiment::Space => space::report(&plan)?,
        Experiment::Edges => edges::report(&plan)?,
        Experiment::Frontier => frontier::report(&plan)?,
        Experiment::Exact => exact::report(&plan)?,
    };
    let files = report.write(&plan)?;
    if args.json.json {
        let mut summary = json!({
            "experiment": args.experiment.name(),
            "quick": args.quick,
            "files": files,
            "total_seconds": started.elapsed().as_secs_f64(),
        });
        if let (Some(summary), serde_json::Value::Object(values)) = (summary.as_object_mut(), report.values) {
            summary.extend(values);
        }
        return print_json(&summary);
    }
    let files = files.iter().map(|file| format!("  {}\n", bold(file)));
    Ok(print(&format!("{}\n{}", report.text.trim_end(), files.collect::<String>()))?)
}

/// What was asked for, with defaults filled in.
pub(crate) struct Plan<'a> {
    args: &'a ReproduceArgs,
    sets: Vec<&'static SetInfo>,
    recipes: Vec<&'static NamedRecipe>,
    seeds: u32,
}

/// `--quick`: the most seeds, negatives, and epochs for small and large sets.
const QUICK_SEEDS: u32 = 2;
const QUICK_NEGATIVES: u32 = 32;
const QUICK_EPOCHS: u32 = 20;
const QUICK_EPOCHS_LARGE: u32 = 3;
/// An epoch of link prediction has a fraction of the pairs of one of representation.
const QUICK_FACTOR_LINK_PREDICTION: u32 = 5;

impl<'a> Plan<'a> {
    fn new(args: &'a ReproduceArgs) -> Self {
        let experiment = args.experiment;
        let seeds = args.seeds.unwrap_or(experiment.seeds());
        // In the order of the tables and each once, however they were given.
        let asked = |name| args.recipes.iter().any(|recipe| recipe.name == name);
        let recipes: Vec<_> = RECIPES.iter().filter(|recipe| asked(recipe.name)).collect();
        let sets: Vec<_> = SETS.iter().filter(|set| args.sets.contains(set)).collect();
        Self {
            args,
            sets: if sets.is_empty() { experiment.sets() } else { sets },
            recipes: if recipes.is_empty() { experiment.recipes() } else { recipes },
            seeds: if args.quick { seeds.min(QUICK_SEEDS) } else { seeds },
        }
    }

    /// `OUT/EXPERIMENT` and an ending.
    fn file(&self, ending: &str) -> PathBuf {
        self.args.output.join(format!("{}{ending}", self.args.experiment.name()))
    }

    fn ledger(&self) -> anyhow::Result<Ledger> {
        Ledger::open(&self.file(".csv"))
    }

    /// The sets that can be had, one at a time; what is missing is said. None at all is an error.
    fn each_set(&self, mut visit: impl FnMut(&DataSet) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut any = false;
        for set in &self.sets {
            match DataSet::load(set, self.args.data.as_deref())? {
                Some(data) => {
                    any = true;
                    visit(&data)?;
                }
                None => note(&self.missing(set)),
            }
        }
        anyhow::ensure!(any, "no data set is left; give the folder that has them with --data");
        Ok(())
    }

    fn missing(&self, set: &SetInfo) -> String {
        match &self.args.data {
            Some(folder) => format!("{}: skipped, {} has no {0}/direct.tsv", set.name, folder.display()),
            None => {
                format!("{}: skipped, it is not built in; give the folder that has it with --data", set.name)
            }
        }
    }

    /// A run with a recipe's settings, and `change` on top; `--quick` shortens it.
    fn job(
        &self,
        data: &DataSet,
        task: Task,
        recipe: &'static NamedRecipe,
        change: impl FnOnce(&mut TrainParams),
    ) -> Job {
        let mut params = recipe.params(task, data.info);
        change(&mut params);
        if self.args.quick {
            let most = if data.hierarchy.len() < runs::LARGE { QUICK_EPOCHS } else { QUICK_EPOCHS_LARGE };
            let factor = if task == Task::Representation { 1 } else { QUICK_FACTOR_LINK_PREDICTION };
            params.epochs = params.epochs.min(most * factor);
            params.negatives = params.negatives.min(QUICK_NEGATIVES);
        }
        Job { task, recipe, params }
    }
}
