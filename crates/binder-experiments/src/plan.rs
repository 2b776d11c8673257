use std::path::PathBuf;

use binder::train::TrainParams;
use binder_answers::counted;

use crate::data::{DataSet, SETS, SetInfo};
use crate::files;
use crate::ledger::{Ledger, Record};
use crate::queue;
use crate::recipes::{NamedRecipe, RECIPES};
use crate::runs::Job;
use crate::task::Task;
use crate::{Error, Listener, Request};

/// A request with its defaults filled in.
pub(crate) struct Plan<'a> {
    pub(crate) request: &'a Request,
    pub(crate) listener: &'a dyn Listener,
    pub(crate) sets: Vec<&'static SetInfo>,
    /// The set that a quick request leaves out.
    left_out: Option<&'static SetInfo>,
    pub(crate) recipes: Vec<&'static NamedRecipe>,
    /// Every job is run with the seeds 1 to this.
    pub(crate) seeds: u32,
}

/// The limits of a quick request: seeds, negatives, and epochs on small and on large sets.
const QUICK_SEEDS: u32 = 2;
const QUICK_NEGATIVES: u32 = 32;
const QUICK_EPOCHS: u32 = 20;
const QUICK_EPOCHS_LARGE: u32 = 3;
/// Link prediction gets more epochs, because its epochs have fewer pairs and are faster.
const QUICK_FACTOR_LINK_PREDICTION: u32 = 5;

/// The set that takes minutes where the others take seconds.
const LARGE_SET: &str = "wordnet-nouns";

impl<'a> Plan<'a> {
    pub(crate) fn new(request: &'a Request, listener: &'a dyn Listener) -> Self {
        let experiment = request.experiment;
        let seeds = request.seeds.unwrap_or(experiment.seeds()).max(1);
        // In the order of the tables and each once, however they were given.
        let asked = |name| request.recipes.iter().any(|recipe| recipe.name == name);
        let recipes: Vec<_> = RECIPES.iter().filter(|recipe| asked(recipe.name)).collect();
        let sets: Vec<_> = SETS.iter().filter(|set| request.sets.contains(set)).collect();
        let mut plan = Self {
            request,
            listener,
            sets: if sets.is_empty() { experiment.sets() } else { sets },
            left_out: None,
            recipes: if recipes.is_empty() { experiment.recipes() } else { recipes },
            seeds: if request.quick { seeds.min(QUICK_SEEDS) } else { seeds },
        };
        if request.quick && request.sets.is_empty() {
            plan.leave_out_large();
        }
        plan
    }

    /// Leaves the large set out where there are others.
    fn leave_out_large(&mut self) {
        let large = self.sets.iter().position(|set| set.name == LARGE_SET);
        if let Some(at) = large.filter(|_| self.sets.len() > 1) {
            self.left_out = Some(self.sets.remove(at));
        }
    }

    /// What a page of a quick request begins with; nothing if the request changes nothing.
    pub(crate) fn quick(&self) -> String {
        let shortened = self.request.quick && self.request.experiment.is_shortened();
        let left_out = self.left_out.map(|set| format!("without {}", set.title));
        let short = shortened.then(|| "few epochs, negatives and seeds".to_owned());
        let differs: Vec<_> = short.into_iter().chain(left_out).collect();
        let end = if shortened { " It shows what comes out, not how good it is." } else { "" };
        match differs.is_empty() {
            true => String::new(),
            false => format!("{}: {}.{end}**\n\n", files::QUICK, differs.join(", and ")),
        }
    }

    /// How many seeds a recipe is run with on a set, in the tables of scores.
    pub(crate) fn seeds_of(&self, recipe: &NamedRecipe, set: &SetInfo) -> u32 {
        match set.name == LARGE_SET {
            true => self.seeds.min(recipe.seeds_on_nouns),
            false => self.seeds,
        }
    }

    /// What scores are means of, as a paragraph of a legend.
    pub(crate) fn averaged(&self) -> String {
        let seeds = counted(self.seeds as usize, "seed");
        format!("Scores are means ± standard deviations over {seeds}.\n\n")
    }

    /// `OUTPUT/EXPERIMENT` and an ending.
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.request.output.join(format!("{}{ending}", self.request.experiment.name()))
    }

    /// What tells the drawing of a set from those of other sets; nothing for the paper's own set.
    pub(crate) fn suffix(&self, set: &SetInfo) -> String {
        let default = self.request.experiment.sets().contains(&set);
        if default { String::new() } else { format!("-{}", set.name) }
    }

    /// The ledger of that ending. One that is not there yet is begun, unless nothing may be run:
    /// then there is nothing to record either.
    pub(crate) fn ledger<R: Record>(&self, ending: &str) -> Result<Ledger<R>, Error> {
        let path = self.file(ending);
        if self.request.finished && !path.exists() {
            return Ok(Ledger::empty(&path));
        }
        Ledger::open(&path)
    }

    /// An error if runs are missing and none may be run.
    pub(crate) fn check_missing(&self, missing: usize) -> Result<(), Error> {
        match missing > 0 && self.request.finished {
            true => Err(Error::Unfinished { missing }),
            false => Ok(()),
        }
    }

    /// Notes that one of the tasks is run on another split than the published runs.
    pub(crate) fn note_drawn(&self, data: &DataSet<'_>, tasks: &[Task]) {
        if tasks.iter().any(|&task| data.is_drawn(task)) {
            self.listener.note(&format!(
                "{}: its splits are drawn here, they are not those of the published runs",
                data.info.name
            ));
        }
    }

    /// Visits the sets one at a time. A set that is not available is skipped with a note; it is an
    /// error if all are.
    pub(crate) fn each_set(
        &self,
        mut visit: impl FnMut(&DataSet<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut any = false;
        if let Some(SetInfo { name, .. }) = self.left_out {
            self.listener.note(&format!("{name}: left out of a quick run, give --sets to have it"));
        }
        for set in &self.sets {
            let data = DataSet::load(set, self.request.data.as_deref(), self.listener)?;
            self.listener.finish();
            match data {
                Some(data) => {
                    any = true;
                    visit(&data)?;
                }
                None => self.listener.note(&self.missing(set)),
            }
        }
        if any { Ok(()) } else { Err(Error::NoData) }
    }

    fn missing(&self, set: &SetInfo) -> String {
        let name = set.name;
        match &self.request.data {
            Some(folder) => {
                format!("{name}: skipped, {} has no {name}/direct.tsv", folder.display())
            }
            None => format!("{name}: skipped, it is not built in and no data folder was given"),
        }
    }

    /// A job with a recipe's settings and `change` on top. A quick request shortens it, but what
    /// `change` asks for stays, except for the epochs.
    pub(crate) fn job(
        &self,
        data: &DataSet<'_>,
        task: Task,
        recipe: &'static NamedRecipe,
        change: impl FnOnce(&mut TrainParams),
    ) -> Job {
        let mut params = recipe.params(task, data.info);
        if self.request.quick {
            params.negatives = params.negatives.min(QUICK_NEGATIVES);
        }
        let before = settings(&params);
        change(&mut params);
        let after = settings(&params).into_iter();
        let changed = after.filter(|it| !before.contains(it)).collect::<Vec<_>>().join(" ");
        if self.request.quick {
            let large = data.hierarchy.len() >= queue::LARGE;
            let epochs = if large { QUICK_EPOCHS_LARGE } else { QUICK_EPOCHS };
            let factor =
                if task == Task::Representation { 1 } else { QUICK_FACTOR_LINK_PREDICTION };
            params.epochs = params.epochs.min(epochs * factor);
        }
        Job { task, recipe, params, changed }
    }
}

/// Every setting but the seed and the number of epochs, as `name=value`.
fn settings(params: &TrainParams) -> Vec<String> {
    let others = ["seed", "epochs"];
    let notes = params.notes().into_iter().filter(|(name, _)| !others.contains(name));
    let bits = std::iter::once(("bits", params.bits.to_string()));
    bits.chain(notes).map(|(name, value)| format!("{name}={value}")).collect()
}
