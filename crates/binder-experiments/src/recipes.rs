//! Which recipes are run, with which settings, and what is expected of them.

use binder::train::{Recipe, TrainParams};

use crate::data::SetInfo;
use crate::published::{MeanSd, table};
use crate::stats::Stats;
use crate::task::Task;

/// A recipe of the learner, as the experiments use it.
#[derive(Debug)]
pub struct NamedRecipe {
    /// Its name.
    pub name: &'static str,
    pub(crate) recipe: Recipe,
    /// Whether the paper's table of best configurations overrides the recipe's own settings.
    pub(crate) tuned_by_paper: bool,
    /// Whether it is run by default.
    pub(crate) by_default: bool,
    pub(crate) goal: Goal,
    /// The most seeds that the tables have on Nouns, where 10,000 epochs take minutes.
    pub(crate) seeds_on_nouns: u32,
}

/// What a recipe's scores should reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Nothing.
    None,
    /// The published mean.
    Published,
    /// The published mean minus twice the published standard deviation. Ours does not count: a
    /// recipe whose scores vary more must not pass more easily.
    WithinTwoSd,
}

/// Every recipe, in the order of the tables.
pub static RECIPES: [NamedRecipe; 3] = [
    NamedRecipe {
        name: "paper",
        recipe: Recipe::Paper,
        tuned_by_paper: true,
        by_default: false,
        goal: Goal::None,
        seeds_on_nouns: 1,
    },
    NamedRecipe {
        name: "published",
        recipe: Recipe::Published,
        tuned_by_paper: true,
        by_default: true,
        goal: Goal::WithinTwoSd,
        seeds_on_nouns: 3,
    },
    NamedRecipe {
        name: "best",
        recipe: Recipe::Best,
        tuned_by_paper: false,
        by_default: true,
        goal: Goal::Published,
        seeds_on_nouns: u32::MAX,
    },
];

/// Epochs of the published runs. Representation on Nouns had fewer.
const EPOCHS: u32 = 10_000;
const EPOCHS_NOUNS_REPRESENTATION: u32 = 500;

impl NamedRecipe {
    /// The recipe of that name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        RECIPES.iter().find(|recipe| recipe.name == name)
    }

    /// The settings for a task on a set. On sets that are not in the paper, bits, α and n⁻ are the
    /// recipe's own.
    pub(crate) fn params(&self, task: Task, set: &SetInfo) -> TrainParams {
        let mut params = self.recipe.params(task != Task::Representation);
        if !self.tuned_by_paper {
            return params;
        }
        (params.beta, params.rate, params.bias, params.epochs) = (10, 0.008, 0.01, EPOCHS);
        if let Some((table, column)) = table(task).zip(set.column) {
            (params.bits, params.alpha, params.negatives) = table.best[column];
        }
        if task == Task::Representation && set.name == "wordnet-nouns" {
            params.epochs = EPOCHS_NOUNS_REPRESENTATION;
        }
        params
    }
}

impl Goal {
    /// Whether scores in percent reach the goal; `None` if there is no goal.
    pub(crate) fn reached(self, ours: &Stats, published: MeanSd) -> Option<bool> {
        let (mean, sd) = published;
        match self {
            Self::None => None,
            Self::Published => Some(ours.mean >= mean),
            Self::WithinTwoSd => Some(ours.mean >= mean - 2.0 * sd),
        }
    }

    /// The goal in words, for the legend.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::None => "no goal",
            Self::Published => "at least the published mean",
            Self::WithinTwoSd => {
                "at least the published mean minus twice the published standard deviation"
            }
        }
    }
}
