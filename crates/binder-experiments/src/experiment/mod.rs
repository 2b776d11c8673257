//! The experiments. A new one is a variant of [`Experiment`] and a file beside this one.

mod ablation;
mod case_study;
mod complexity;
mod convergence;
mod edges;
mod exact;
mod frontier;
mod place;
mod robustness;
mod scores;
mod similarity;
mod space;

use crate::Error;
use crate::data::{SETS, SetInfo};
use crate::plan::Plan;
use crate::recipes::{NamedRecipe, RECIPES};
use crate::report::Report;
use crate::task::{PERCENTAGES, Task};

/// An experiment of the paper, or one that belongs beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// Learn from the whole closure, score all pairs: the paper's table of representation.
    Representation,
    /// Learn from the direct pairs and 0, 10, 25 or 50 % of the indirect ones, score held-out
    /// pairs: the paper's table of link prediction.
    LinkPrediction,
    /// Learn without β and without b, on Animals.
    Ablation,
    /// Change bits, α and n⁻ one by one, on Animals.
    Robustness,
    /// Loss and F1 from epoch to epoch, on Nouns.
    Convergence,
    /// The toy hierarchy in 8 bits, drawn.
    CaseStudy,
    /// Bytes for the nouns: ours as measured, others by the paper's formulas.
    Space,
    /// Direct and indirect pairs of each data set.
    Edges,
    /// F1 by bits, encoded and learnt.
    Frontier,
    /// Exact codes of every available data set, those in `DATA/extra` included: bits, seconds,
    /// errors.
    Exact,
    /// Unseen concepts put into WordNet and the Human Phenotype Ontology by their texts, and the
    /// items of SemEval-2016 task 14.
    Place,
    /// A similarity term in the loss, and chances from a table, on Medical and Animals.
    Similarity,
    /// The time of an epoch by concepts, bits, training pairs and negatives, on Nouns.
    Complexity,
}

impl Experiment {
    /// Every experiment.
    pub const ALL: [Self; 13] = [
        Self::Representation,
        Self::LinkPrediction,
        Self::Ablation,
        Self::Robustness,
        Self::Convergence,
        Self::CaseStudy,
        Self::Space,
        Self::Edges,
        Self::Frontier,
        Self::Exact,
        Self::Place,
        Self::Similarity,
        Self::Complexity,
    ];

    /// The experiment of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|experiment| experiment.name() == name)
    }

    /// The name, as it is in the names of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Representation => "representation",
            Self::LinkPrediction => "link-prediction",
            Self::Ablation => "ablation",
            Self::Robustness => "robustness",
            Self::Convergence => "convergence",
            Self::CaseStudy => "case-study",
            Self::Space => "space",
            Self::Edges => "edges",
            Self::Frontier => "frontier",
            Self::Exact => "exact",
            Self::Place => "place",
            Self::Similarity => "similarity",
            Self::Complexity => "complexity",
        }
    }

    /// One line about it, for a list of experiments.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Representation => {
                "Learn from the whole closure, score all pairs: the paper's table of representation"
            }
            Self::LinkPrediction => {
                "Learn from direct pairs and 0, 10, 25 or 50 % of the others, score held-out \
                 pairs: its table of link prediction"
            }
            Self::Ablation => "Without β, without b: on Animals",
            Self::Robustness => "Bits, α and n⁻ one by one: on Animals",
            Self::Convergence => "Loss and F1 from epoch to epoch: on Nouns",
            Self::CaseStudy => "The toy in 8 bits, drawn",
            Self::Space => "Bytes for the nouns: ours as measured, others by the paper's formulas",
            Self::Edges => "Direct and indirect pairs of each data set",
            Self::Frontier => "F1 by bits, encoded and learnt",
            Self::Exact => {
                "Exact codes of every data set at hand, DATA/extra among them: bits, seconds, \
                 errors"
            }
            Self::Place => {
                "Unseen concepts put into WordNet and HPO by their texts; SemEval-2016 task 14"
            }
            Self::Similarity => {
                "A similarity term in the loss, and chances from a table: on Medical and Animals"
            }
            Self::Complexity => {
                "The time of an epoch by concepts, bits, pairs and negatives: on Nouns"
            }
        }
    }

    /// Runs it.
    pub(crate) fn report(self, plan: &Plan<'_>) -> Result<Report, Error> {
        match self {
            Self::Representation => scores::report(plan, &[Task::Representation]),
            Self::LinkPrediction => scores::report(plan, &PERCENTAGES.map(Task::LinkPrediction)),
            Self::Ablation => ablation::report(plan),
            Self::Robustness => robustness::report(plan),
            Self::Convergence => convergence::report(plan),
            Self::CaseStudy => case_study::report(plan),
            Self::Space => space::report(plan),
            Self::Edges => edges::report(plan),
            Self::Frontier => frontier::report(plan),
            Self::Exact => exact::report(plan),
            Self::Place => place::report(plan),
            Self::Similarity => similarity::report(plan),
            Self::Complexity => complexity::report(plan),
        }
    }

    /// The sets it runs on by default.
    pub(crate) fn sets(self) -> Vec<&'static SetInfo> {
        let belongs: fn(&SetInfo) -> bool = match self {
            Self::Representation
            | Self::LinkPrediction
            | Self::Edges
            | Self::Frontier
            | Self::Exact => |set| set.column.is_some(),
            Self::Ablation | Self::Robustness => |set| set.name == "animals",
            Self::Convergence | Self::Space | Self::Place | Self::Complexity => {
                |set| set.name == "wordnet-nouns"
            }
            Self::CaseStudy => |set| set.name == "toy",
            Self::Similarity => |set| ["medical", "animals"].contains(&set.name),
        };
        SETS.iter().filter(|set| belongs(set)).collect()
    }

    /// The recipes it runs by default. Some ask about the published learner alone.
    pub(crate) fn recipes(self) -> Vec<&'static NamedRecipe> {
        let belongs: fn(&NamedRecipe) -> bool = match self {
            Self::Ablation | Self::Robustness | Self::Complexity => {
                |recipe| recipe.name == "published"
            }
            _ => |recipe| recipe.by_default,
        };
        RECIPES.iter().filter(|recipe| belongs(recipe)).collect()
    }

    /// How many seeds it runs by default. The paper's curves are of one run.
    pub(crate) fn seeds(self) -> u32 {
        match self {
            Self::Convergence | Self::Frontier | Self::Complexity => 1,
            Self::Place | Self::Similarity => 3,
            _ => 5,
        }
    }

    /// Whether other embeddings can be run beside the recipes.
    pub fn has_methods(self) -> bool {
        matches!(self, Self::Representation | Self::LinkPrediction)
    }

    /// Whether a quick request runs fewer epochs. The others are fast anyway.
    pub(crate) fn is_shortened(self) -> bool {
        !matches!(self, Self::CaseStudy | Self::Space | Self::Edges | Self::Exact | Self::Place)
    }
}

#[cfg(test)]
mod tests {
    use super::Experiment;

    #[test]
    fn every_experiment_is_found_by_its_name_and_has_sets_and_recipes() {
        for experiment in Experiment::ALL {
            assert_eq!(Experiment::by_name(experiment.name()), Some(experiment));
            assert!(!experiment.sets().is_empty() && !experiment.recipes().is_empty());
        }
        assert_eq!(Experiment::by_name("edge"), None);
    }
}
