use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::data::{SETS, SetInfo};
use super::recipes::{NamedRecipe, RECIPES};
use crate::args::Json;

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// The experiment
    #[arg(value_enum)]
    pub(crate) experiment: Experiment,
    /// The folder to write EXPERIMENT.md, EXPERIMENT.csv and drawings to; finished runs found there are not run again
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// The data sets: NAME/direct.tsv and NAME/splits/{train_0,…,test_neg}.tsv, plain or .gz; what is not there comes
    /// from the built-ins, if they have it, with splits drawn on the spot
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Only these data sets [default: those of the paper's experiment]
    #[arg(long, value_name = "SET,…", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(SETS.iter().map(|set| set.name)).map(|name| SetInfo::by_name(&name)))]
    pub(crate) sets: Vec<&'static SetInfo>,
    /// Runs per cell, with the seeds 1 to N [default: 5; for convergence and frontier 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) seeds: Option<u32>,
    /// How to train; may be given more than once [default: all but paper; for ablation and robustness published]
    #[arg(long = "recipe", value_name = "RECIPE",
          value_parser = PossibleValuesParser::new(RECIPES.iter().map(|recipe| recipe.name)).map(|name| NamedRecipe::by_name(&name)))]
    pub(crate) recipes: Vec<&'static NamedRecipe>,
    /// Few epochs and at most two seeds: to see what comes out, not how good it is
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// What to reproduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experiment {
    /// Learn from the whole closure, score all pairs: the paper's table of representation
    Representation,
    /// Learn from direct pairs and 0, 10, 25 or 50 % of the others, score held-out pairs: its table of link prediction
    LinkPrediction,
    /// Without β, without b: on Animals
    Ablation,
    /// Bits, α and n⁻ one by one: on Animals
    Robustness,
    /// Loss and F1 from epoch to epoch: on Nouns
    Convergence,
    /// The toy in 8 bits, drawn
    CaseStudy,
    /// Bytes for the nouns: ours as measured, others by the paper's formulas
    Space,
    /// Direct and indirect pairs of each data set
    Edges,
    /// F1 by bits, encoded and learnt
    Frontier,
    /// Exact codes of every data set at hand, DATA/extra among them: bits, seconds, errors
    Exact,
}

impl Experiment {
    /// As on the command line, and in the names of files.
    pub(crate) fn name(self) -> &'static str {
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
        }
    }

    /// The sets it runs on unless told otherwise.
    pub(crate) fn sets(self) -> Vec<&'static SetInfo> {
        match self {
            Self::Representation | Self::LinkPrediction | Self::Edges | Self::Frontier | Self::Exact => {
                SETS.iter().filter(|set| set.column.is_some()).collect()
            }
            Self::Ablation | Self::Robustness => vec![SetInfo::by_name("animals")],
            Self::Convergence | Self::Space => vec![SetInfo::by_name("wordnet-nouns")],
            Self::CaseStudy => vec![SetInfo::by_name("toy")],
        }
    }

    /// The recipes it runs unless told otherwise. Ablation and robustness ask about the published learner.
    pub(crate) fn recipes(self) -> Vec<&'static NamedRecipe> {
        match self {
            Self::Ablation | Self::Robustness => vec![NamedRecipe::by_name("published")],
            _ => RECIPES.iter().filter(|recipe| recipe.by_default).collect(),
        }
    }

    /// Whether `--quick` leaves out epochs: the others take moments anyway.
    pub(crate) fn is_shortened(self) -> bool {
        !matches!(self, Self::CaseStudy | Self::Space | Self::Edges | Self::Exact)
    }

    /// Seeds unless told otherwise. The paper's curves are of one run.
    pub(crate) fn seeds(self) -> u32 {
        if matches!(self, Self::Convergence | Self::Frontier) { 1 } else { 5 }
    }
}
