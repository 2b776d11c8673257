use std::path::{Path, PathBuf};

use binder::Choice;
use binder::bits::MAX_BITS;
use binder::encode::Effort;
use binder::hierarchy::KeepTexts;
use binder::memory::{self, Size};
use binder::train::{Chances, Flips, Keep, Recipe};
use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser,
};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::baseline::BaselineArgs;
use crate::diff::DiffArgs;
use crate::export::ExportArgs;
use crate::files::{Force, Waiting};
use crate::mcp::McpArgs;
use crate::place::PlaceArgs;
use crate::query::QueryArgs;
use crate::reading::{ReadingArgs, SourceArgs};
use crate::reproduce::ReproduceArgs;
use crate::serve::ServeArgs;
use crate::train::CheckpointArgs;
use crate::tune::TuneArgs;
use crate::update::UpdateArgs;

/// Short bit codes for concept hierarchies: a is-a b exactly when a has every bit of b.
///
/// DATA is a path, `-` for standard input, or a built-in: wordnet (nouns with their root and
/// glosses, 82,115 concepts), wordnet-nouns (as in benchmarks, without the root, 82,114),
/// wordnet-verbs (13,767), wordnet-animals (4,017), toy (15).
#[derive(Debug, Parser)]
#[command(name = "binder", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) machine: Machine,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// How much of the machine may be used.
#[derive(Debug, Args)]
pub(crate) struct Machine {
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", display_order = 900,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The most memory that a stage may take, for example 4GB [default: what the machine or its
    /// control group has, less an eighth]
    #[arg(long, global = true, value_name = "SIZE", display_order = 901)]
    memory: Option<Size>,
}

impl Machine {
    /// Makes the limits those of the process.
    pub(crate) fn apply(&self) -> anyhow::Result<()> {
        memory::set_limit(self.memory.map(|Size(bytes)| bytes));
        let Some(threads) = self.threads else { return Ok(()) };
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what binder can do, in a minute: encode WordNet's nouns, train as in the paper, ask the
    /// codes
    Demo(DemoArgs),
    /// Read a hierarchy or a model and say what is in it
    Info(InfoArgs),
    /// Split a hierarchy's pairs for link prediction: train, valid, test and their negatives
    Split(SplitArgs),
    /// Train codes with the local search of the BINDER paper
    Train(Box<TrainArgs>),
    /// Search the paper's ranges of bits, α and n⁻ for the settings that suit validation pairs
    Tune(TuneArgs),
    /// Train one of the vector embeddings that the BINDER paper compares itself with
    Baseline(Box<BaselineArgs>),
    /// Compute exact codes in as few bits as possible, or good codes in a given number of bits;
    /// every pair is checked
    Encode(EncodeArgs),
    /// Add concepts to a model without changing the codes it has
    Add(AddArgs),
    /// Say what differs between two versions of a hierarchy
    Diff(Box<DiffArgs>),
    /// Bring a model to a new version of its hierarchy, with as few changed codes as possible;
    /// every pair is checked
    Update(Box<UpdateArgs>),
    /// Evaluate a model or a baseline on all n² − n pairs of a hierarchy, or on listed pairs
    Eval(EvalArgs),
    /// Ask a model: what is above or below, what concepts have in common, what is similar, and why
    Query(QueryArgs),
    /// Put unseen concepts into a hierarchy by their names and definitions
    Place(Box<PlaceArgs>),
    /// Serve models over HTTP, with a web page
    Serve(ServeArgs),
    /// Answer a language model's questions on standard input and output (Model Context Protocol)
    Mcp(McpArgs),
    /// Export a model for other tools (TSV, NumPy, word2vec, Parquet, SQL), or the hierarchy itself
    /// (edges, CSV, JSON, OBO, Turtle, DOT, GraphML)
    Export(ExportArgs),
    /// Run the experiments of the BINDER paper and compare the results with the published ones
    Reproduce(ReproduceArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// A path of data or of a model, `-` for standard input, or a built-in: wordnet, wordnet-nouns,
    /// wordnet-verbs, wordnet-animals, toy
    #[arg(value_name = "DATA|MODEL")]
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The folder to write; it must not exist yet
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Percentages of the indirect pairs to train on; each gives a file train_P.tsv
    #[arg(long, value_name = "P,…", value_delimiter = ',', default_values_t = [0, 10, 25, 50],
          value_parser = clap::value_parser!(u32).range(0..=90))]
    pub(crate) train: Vec<u32>,
    /// The random seed; the same seed gives the same files
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The model file to write; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// A set of settings; the options under Settings change single ones
    #[arg(long, value_parser = choice::<Recipe>(), default_value_t = Recipe::Best)]
    pub(crate) recipe: Recipe,
    /// The pairs to train on: direct, closure, or a file of pairs
    #[arg(long, value_name = "PAIRS", default_value = "direct")]
    pub(crate) on: String,
    /// Score epochs on these pairs, which are is-a, and those of --valid-neg [default: see --score]
    #[arg(long, value_name = "FILE", requires = "valid_neg")]
    pub(crate) valid: Option<PathBuf>,
    /// … and these, which are not
    #[arg(long, value_name = "FILE", requires = "valid")]
    pub(crate) valid_neg: Option<PathBuf>,
    /// What to score on without such pairs
    #[arg(long, value_enum, default_value_t = ScoreArg::All, conflicts_with = "valid")]
    pub(crate) score: ScoreArg,
    /// Do not score epochs: train all of them and keep the last
    #[arg(long, conflicts_with_all = ["valid", "score", "patience", "keep"])]
    pub(crate) no_valid: bool,
    /// Flip one bit at a time until no single flip lowers the loss, as in the paper's theorem
    #[arg(long, conflicts_with_all = ["valid", "score", "no_valid", "log", "checkpoint", "epochs",
          "patience", "keep", "bias", "chances", "similarity"])]
    pub(crate) sequential: bool,
    /// Write one JSON line per epoch to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: TextsArgs,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
    #[command(flatten)]
    pub(crate) keeping: CheckpointArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreArg {
    /// All pairs of DATA
    All,
    /// The training pairs, and ten random corruptions of each as negatives: much cheaper if DATA is
    /// large
    Training,
}

/// The settings of a recipe.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingArgs {
    /// Bits per code, d [default: 128]
    #[arg(long, value_name = "D")]
    pub(crate) bits: Option<usize>,
    /// The cost of a missing bit of a positive pair, α [default: 25000; 25 with --on closure]
    #[arg(long)]
    pub(crate) alpha: Option<u32>,
    /// The cost of a false pair, β [default: 10]
    #[arg(long)]
    pub(crate) beta: Option<u32>,
    /// The learning rate: how fast the flip probability grows with the gradient [default: 0.008;
    /// 0.05 for best]
    #[arg(long)]
    pub(crate) rate: Option<f64>,
    /// The probability that a neutral bit flips [default: 0.01]
    #[arg(long)]
    pub(crate) bias: Option<f64>,
    /// How the probability of a flip follows from what it gains [default: tanh]
    #[arg(long, value_parser = choice::<Chances>())]
    pub(crate) chances: Option<Chances>,
    /// The cost of a bit in which a concept differs from its siblings, to keep their codes similar
    /// [default: 0, which leaves it out]
    #[arg(long, value_name = "γ")]
    pub(crate) similarity: Option<u32>,
    /// Random negatives per positive [default: 128]. `all` uses every pair that does not follow
    /// from the training pairs, with the weight of 128 per positive; `all:N` with that of N
    #[arg(long, value_name = "N|all|all:N", value_parser = negatives)]
    pub(crate) negatives: Option<NegativesArg>,
    /// Discard negatives that are positive pairs
    #[arg(long, value_name = "true|false")]
    pub(crate) filtered: Option<bool>,
    /// Count duplicate negatives once
    #[arg(long, value_name = "true|false")]
    pub(crate) distinct: Option<bool>,
    /// Keep negatives that pair a concept with itself
    #[arg(long, value_name = "true|false")]
    pub(crate) with_self: Option<bool>,
    /// Add every reversed positive pair as a negative
    #[arg(long, value_name = "true|false")]
    pub(crate) with_reversed: Option<bool>,
    /// The maximum number of epochs [default: 10000; 1000 for best]
    #[arg(long, value_name = "T")]
    pub(crate) epochs: Option<u32>,
    /// Early stopping: stop when the mean score of the last EPOCHS epochs is not better than that
    /// of the EPOCHS before; 0 disables it [default: 500 for paper, 0 for published, 100 for best]
    #[arg(long, value_name = "EPOCHS")]
    pub(crate) patience: Option<u32>,
    /// What flips together with a bit [default: set by the recipe]
    #[arg(long, value_parser = choice::<Flips>())]
    pub(crate) flips: Option<Flips>,
    /// The initial codes: ones, zeros, random, inherited (the parents' bits and random ones), or a
    /// model file [default: set by the recipe]
    #[arg(long, value_name = "INIT")]
    pub(crate) init: Option<String>,
    /// The epoch to keep [default: set by the recipe]
    #[arg(long, value_parser = choice::<Keep>())]
    pub(crate) keep: Option<Keep>,
    /// The random seed; the same seed gives the same codes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The negatives: a number per positive, or all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NegativesArg {
    pub(crate) per_positive: Option<u32>,
    pub(crate) all: bool,
}

fn negatives(text: &str) -> Result<NegativesArg, String> {
    let (all, number) = match text.strip_prefix("all") {
        Some("") => return Ok(NegativesArg { per_positive: None, all: true }),
        Some(rest) => (true, rest.strip_prefix(':').unwrap_or(text)),
        None => (false, text),
    };
    let number = number.parse().map_err(|_| "give an integer such as 128, or all, or all:128")?;
    Ok(NegativesArg { per_positive: Some(number), all })
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["name", "pairs"]),
          group = clap::ArgGroup::new("where").multiple(true)
              .args(["parents", "expression", "placer"]))]
pub(crate) struct AddArgs {
    /// The model file; it is replaced unless --output is given
    pub(crate) model: PathBuf,
    /// The name of the new concept
    #[arg(requires = "where")]
    pub(crate) name: Option<String>,
    /// A parent of the new concept; can be repeated
    #[arg(long = "parent", value_name = "NAME", conflicts_with = "pairs")]
    pub(crate) parents: Vec<String>,
    /// An expression as in `binder query`: `flying & vehicle` puts the concept below both and above
    /// everything that is both
    #[arg(long = "as", value_name = "EXPRESSION", conflicts_with_all = ["pairs", "parents"])]
    pub(crate) expression: Option<String>,
    /// Let this placer find the parents; see `binder place`
    #[arg(long = "place", value_name = "PLACER",
          conflicts_with_all = ["pairs", "parents", "expression"])]
    pub(crate) placer: Option<PathBuf>,
    /// The folder of the encoder that the placer was fitted with
    #[arg(long, value_name = "FOLDER", requires = "placer")]
    pub(crate) encoder: Option<PathBuf>,
    /// What the new concept means; the model keeps it
    #[arg(long, value_name = "TEXT", conflicts_with = "pairs")]
    pub(crate) definition: Option<String>,
    /// Add the concept only if its place is at least so likely
    #[arg(long, value_name = "P", default_value_t = 0.8, requires = "placer",
          value_parser = chance)]
    pub(crate) min_p: f64,
    /// Add many concepts from a file of pairs (child, parent); children are new, parents are in the
    /// model or are children in the file
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Where to write the grown model; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: SourceArgs,
}

/// A number from 1 to `most`.
fn from_one_to(most: usize) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most as u64)
}

fn chance(text: &str) -> Result<f64, String> {
    let chance: Option<f64> = text.parse().ok();
    chance
        .filter(|chance| (0.0..=1.0).contains(chance))
        .ok_or_else(|| "give a number from 0 to 1".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The model file to write; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// The maximum number of bits per code; every is-a pair holds, but there may be false pairs
    /// [default: as many as exact codes need]
    #[arg(long, value_name = "N", value_parser = from_one_to(MAX_BITS))]
    pub(crate) bits: Option<usize>,
    /// The maximum number of 64-bit words per code, which is what a code takes in memory; exact if
    /// such codes can be found, and the report says what is lost otherwise
    #[arg(long, value_name = "N", conflicts_with = "bits",
          value_parser = from_one_to(MAX_BITS / 64))]
    pub(crate) words: Option<usize>,
    /// Bits that every concept has: room for later versions, in which `update` then changes fewer
    /// codes; they count in --bits and --words
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) room: usize,
    /// How much work to spend on finding shorter codes
    #[arg(long, value_parser = choice::<Effort>(), default_value_t = Effort::Normal)]
    pub(crate) effort: Effort,
    /// The random seed; the same seed gives the same codes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) kept: TextsArgs,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("pairs").required(true).multiple(true)
          .args(["against", "positives", "negatives"]))]
pub(crate) struct EvalArgs {
    /// The model file, or data to encode first
    pub(crate) model: PathBuf,
    /// Evaluate on all pairs of this hierarchy's concepts
    #[arg(long, value_name = "DATA")]
    pub(crate) against: Option<PathBuf>,
    /// Judge these pairs, which are is-a …
    #[arg(long, value_name = "FILE", requires = "negatives", conflicts_with = "against")]
    pub(crate) positives: Option<PathBuf>,
    /// … and these, which are not
    #[arg(long, value_name = "FILE", requires = "positives", conflicts_with = "against")]
    pub(crate) negatives: Option<PathBuf>,
    /// List the first K wrong pairs by name
    #[arg(long, value_name = "K", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) mistakes: u32,
    /// Also judge the order of pairs, by the bits that a child lacks: AUC, average precision, MRR
    /// and Hits@k. Baselines are always judged by these too
    #[arg(long)]
    pub(crate) ranking: bool,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write them to
    pub(crate) folder: PathBuf,
}

/// What a model keeps of its data.
#[derive(Debug, Args)]
pub(crate) struct TextsArgs {
    /// Which texts of the concepts the model keeps
    #[arg(long, value_parser = choice::<KeepTexts>(), default_value_t = KeepTexts::All)]
    pub(crate) texts: KeepTexts,
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print the result as one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Data {
    /// A path, `-` for standard input, or a built-in: wordnet, wordnet-nouns, wordnet-verbs,
    /// wordnet-animals, toy
    #[arg(value_name = "DATA")]
    pub(crate) source: PathBuf,
}

/// A parser for a file that is written and cannot be standard output.
pub(crate) fn a_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new("-") {
        true => Err("this cannot go to standard output; give the path of a file"),
        false => Ok(path),
    })
}

/// A parser for one of the library's choices by name. Former names are accepted, but not shown.
pub(crate) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let value = |choice: &T| {
        PossibleValue::new(choice.name()).help(choice.help()).aliases(choice.former_names())
    };
    PossibleValuesParser::new(T::ALL.iter().map(value)).try_map(|name| T::by_name(&name))
}
