use std::path::PathBuf;

use binder::Choice;
use binder::encode::Effort;
use binder::hierarchy::Cycles;
use binder::read::{Column, Format, ReadOptions};
use binder::train::{Flips, Keep, Recipe};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::export::ExportArgs;
use crate::files::{Force, Waiting};
use crate::query::QueryArgs;
use crate::reproduce::ReproduceArgs;
use crate::serve::ServeArgs;
use crate::train::CheckpointArgs;

/// Short bit codes for concept hierarchies: a is-a b exactly when a has every bit of b.
///
/// DATA is a path, `-` for standard input, or a built-in: wordnet-nouns (82,114 concepts),
/// wordnet-animals (4,017), toy (15).
#[derive(Debug, Parser)]
#[command(name = "binder", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads to work with; results never depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", display_order = 900,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn use_them(&self) -> anyhow::Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// See what it can do, in a minute: encode WordNet's nouns, run the paper's learner, ask the
    /// codes
    Demo(DemoArgs),
    /// Read a hierarchy and count what is in it
    Info(InfoArgs),
    /// Divide a hierarchy's pairs for link prediction: train, valid, test and their negatives
    Split(SplitArgs),
    /// Learn codes by the local search of the BINDER paper
    Train(Box<TrainArgs>),
    /// Find exact codes in as few bits as possible, checked on every pair; or the best in a given
    /// number of bits
    Encode(EncodeArgs),
    /// Add concepts to a model without touching the codes it has
    Add(AddArgs),
    /// Judge a model over all n² − n pairs of a hierarchy, or over listed pairs
    Eval(EvalArgs),
    /// Ask a model: who is above and below, what concepts have in common, what is alike, and why
    Query(QueryArgs),
    /// Answer over HTTP, with a page to look at
    Serve(ServeArgs),
    /// Write the codes for other tools: TSV, NumPy, word2vec, Parquet, SQL
    Export(ExportArgs),
    /// Run the experiments of the BINDER paper and put the results beside the published ones
    Reproduce(ReproduceArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The folder to write; it must not be there yet
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Shares of the indirect pairs to train on, in percent: one file train_P.tsv each
    #[arg(long, value_name = "P,…", value_delimiter = ',', default_values_t = [0, 10, 25, 50],
          value_parser = clap::value_parser!(u32).range(0..=90))]
    pub(crate) train: Vec<u32>,
    /// The seed; the same one gives the same files
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
    /// Settings that belong together; every option below changes one of them
    #[arg(long, value_parser = choice::<Recipe>(), default_value_t = Recipe::Best)]
    pub(crate) recipe: Recipe,
    /// The pairs to learn from: direct, closure, or a file of pairs
    #[arg(long, value_name = "PAIRS", default_value = "direct")]
    pub(crate) on: String,
    /// Score on these pairs, which are is-a … [default: what --score says]
    #[arg(long, value_name = "FILE", requires = "valid_neg")]
    pub(crate) valid: Option<PathBuf>,
    /// … and these, which are not
    #[arg(long, value_name = "FILE", requires = "valid")]
    pub(crate) valid_neg: Option<PathBuf>,
    /// What to score on without such pairs
    #[arg(long, value_enum, default_value_t = ScoreArg::All, conflicts_with = "valid")]
    pub(crate) score: ScoreArg,
    /// Do not score the epochs: train them all and keep the last
    #[arg(long, conflicts_with_all = ["valid", "score", "patience", "keep"])]
    pub(crate) no_valid: bool,
    /// Flip one bit at a time until no single flip lowers the loss: the procedure of the paper's
    /// theorem
    #[arg(long, conflicts_with_all = ["valid", "score", "no_valid", "log", "checkpoint", "epochs", "patience", "keep", "bias"])]
    pub(crate) sequential: bool,
    /// Write a JSON line per epoch
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
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
    /// The training pairs against ten corruptions of each, drawn once: much cheaper where DATA is
    /// large
    Training,
}

/// What a recipe sets, one by one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingArgs {
    /// Bits a code, d [default: 128]
    #[arg(long, value_name = "D")]
    pub(crate) bits: Option<usize>,
    /// What a missing bit of a positive pair costs [default: 25000; 25 on the closure]
    #[arg(long)]
    pub(crate) alpha: Option<u32>,
    /// What a negative pair that looks is-a costs [default: 10]
    #[arg(long)]
    pub(crate) beta: Option<u32>,
    /// How fast the chance of a flip grows with the gradient [default: 0.008]
    #[arg(long)]
    pub(crate) rate: Option<f64>,
    /// The chance that a neutral bit flips [default: 0.01]
    #[arg(long)]
    pub(crate) bias: Option<f64>,
    /// Negatives per positive [default: 128]; `all` takes every pair that does not follow from the
    /// training pairs instead, with the weight of 128 per positive, `all:N` with that of N
    #[arg(long, value_name = "N|all|all:N", value_parser = negatives)]
    pub(crate) negatives: Option<NegativesArg>,
    /// Discard negatives that are positive pairs
    #[arg(long, value_name = "true|false")]
    pub(crate) filtered: Option<bool>,
    /// Count a negative once however often it was drawn
    #[arg(long, value_name = "true|false")]
    pub(crate) distinct: Option<bool>,
    /// Keep negatives of a concept with itself
    #[arg(long, value_name = "true|false")]
    pub(crate) with_self: Option<bool>,
    /// Add every positive pair turned round
    #[arg(long, value_name = "true|false")]
    pub(crate) with_reversed: Option<bool>,
    /// The most epochs [default: 10000; 1000 for best]
    #[arg(long, value_name = "T")]
    pub(crate) epochs: Option<u32>,
    /// Stop when the mean of the last so many scores is no better than of as many before; 0 is
    /// never [default: 500 for paper, 0 for published, 100 for best]
    #[arg(long, value_name = "EPOCHS")]
    pub(crate) patience: Option<u32>,
    /// What flips together with a bit
    #[arg(long, value_parser = choice::<Flips>())]
    pub(crate) flips: Option<Flips>,
    /// The codes to begin with: ones, zeros, random, inherited (the parents' bits and random ones),
    /// or a model file
    #[arg(long, value_name = "INIT")]
    pub(crate) init: Option<String>,
    /// The epoch to keep
    #[arg(long, value_parser = choice::<Keep>())]
    pub(crate) keep: Option<Keep>,
    /// Same seed, same codes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Negatives per positive, drawn or all.
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
    let number =
        number.parse().map_err(|_| "give a whole number such as 128, or all, or all:128")?;
    Ok(NegativesArg { per_positive: Some(number), all })
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["name", "pairs"]),
          group = clap::ArgGroup::new("place").multiple(true).args(["parents", "expression"]))]
pub(crate) struct AddArgs {
    /// The model file; it is replaced in one step, unless --output names another
    pub(crate) model: PathBuf,
    /// The name of the new concept
    #[arg(requires = "place")]
    pub(crate) name: Option<String>,
    /// A parent of it; may be given more than once
    #[arg(long = "parent", value_name = "NAME", conflicts_with = "pairs")]
    pub(crate) parents: Vec<String>,
    /// What it is, as `binder query` understands it: `flying & vehicle` puts it between these and
    /// everything that is both
    #[arg(long = "as", value_name = "EXPRESSION", conflicts_with_all = ["pairs", "parents"])]
    pub(crate) expression: Option<String>,
    /// Add many: a file of pairs (child, parent), whose children are new and whose parents are in
    /// the model or new too
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
    pub(crate) reading: ReadingArgs,
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
    /// The most bits a code may have: no is-a is missed, some pairs may look is-a that are not
    /// [default: as many as exact codes take]
    #[arg(long, value_name = "N")]
    pub(crate) bits: Option<usize>,
    /// How much work to spend on saving bits
    #[arg(long, value_parser = choice::<Effort>(), default_value_t = Effort::Normal)]
    pub(crate) effort: Effort,
    /// Same seed, same codes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("pairs").required(true).multiple(true).args(["against", "positives", "negatives"]))]
pub(crate) struct EvalArgs {
    /// The model file
    pub(crate) model: PathBuf,
    /// Judge all pairs of this hierarchy's concepts
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

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print one JSON object on standard output and nothing else there
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Data {
    /// A path, `-` for standard input, or wordnet-nouns, wordnet-animals, toy
    #[arg(value_name = "DATA")]
    pub(crate) source: PathBuf,
}

/// How to read data; the defaults suit most files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    /// The format, instead of telling it by name and content
    #[arg(long, value_parser = choice::<Format>())]
    format: Option<Format>,
    /// Edge lists: where child and parent stand, by name or number from 1
    #[arg(long, value_name = "CHILD,PARENT", value_parser = two_columns)]
    columns: Option<(Column, Column)>,
    /// Edge lists: the first row is a header
    #[arg(long)]
    header: bool,
    /// Edge lists: the parent comes first
    #[arg(long)]
    reversed: bool,
    /// Edge lists: lines that start with this are comments
    #[arg(long, value_name = "MARK")]
    comment: Option<String>,
    /// What to do about cycles
    #[arg(long, value_parser = choice::<Cycles>(), default_value_t = Cycles::Refuse)]
    cycles: Cycles,
    /// OBO: a relation that counts as is-a beside is_a; may be given more than once
    #[arg(long = "relation", value_name = "NAME")]
    relations: Vec<String>,
    /// RDF: the language of labels [default: en]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// WordNet folders: verbs instead of nouns
    #[arg(long)]
    verbs: bool,
}

impl ReadingArgs {
    pub(crate) fn options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        options.format = self.format;
        options.columns.clone_from(&self.columns);
        options.header = self.header;
        options.reversed = self.reversed;
        options.comment.clone_from(&self.comment);
        options.cycles = self.cycles;
        options.relations.clone_from(&self.relations);
        options.language.clone_from(&self.language);
        options.verbs = self.verbs;
        options
    }
}

/// Takes one of the library's choices by name; former names are understood, but not shown.
pub(crate) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let value = |choice: &T| {
        PossibleValue::new(choice.name()).help(choice.help()).aliases(choice.former_names())
    };
    PossibleValuesParser::new(T::ALL.iter().map(value)).try_map(|name| T::by_name(&name))
}

fn two_columns(text: &str) -> Result<(Column, Column), String> {
    let (child, parent) =
        text.split_once(',').ok_or("give two columns, for example 1,2 or child,parent")?;
    let (child, parent): (Column, Column) = (child.trim().into(), parent.trim().into());
    if child == parent {
        Err("child and parent are the same column".to_owned())
    } else {
        Ok((child, parent))
    }
}
