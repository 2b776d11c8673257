use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use binder::Choice;
use binder_experiments::{Error, Experiment, Method, NamedRecipe, RECIPES, Request, SETS, SetInfo};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::args::Json;
use crate::progress::Bars;
use crate::remedy::WrongUse;
use crate::shell;
use crate::terminal::{bold, print, print_json};

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// The experiment
    #[arg(value_parser = experiments())]
    experiment: Experiment,
    /// The folder for EXPERIMENT.md, EXPERIMENT.csv and drawings; runs that are already there are
    /// not repeated
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// The folder of the data sets: NAME/direct.tsv and NAME/splits/{train_0,…,test_neg}.tsv, plain
    /// or .gz. Missing sets come from the built-ins if possible; missing splits are drawn
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The data sets to use [default: those of the paper's experiment]
    #[arg(long, value_name = "SET,…", value_delimiter = ',', value_parser = sets())]
    sets: Vec<&'static SetInfo>,
    /// Runs per cell, with seeds 1 to N [default: 5; 3 for place and similarity; 1
    /// for complexity, convergence and frontier]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    /// The training recipe; can be repeated [default: all except paper; published for ablation and
    /// robustness]
    #[arg(long = "recipe", value_name = "RECIPE", value_parser = recipes())]
    recipes: Vec<&'static NamedRecipe>,
    /// Run these other embeddings too, or `all` of them, beside the published numbers; for
    /// representation and link-prediction
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', value_parser = methods())]
    methods: Vec<Methods>,
    /// How many training pairs a run of another embedding sees, each with 128 negatives [default:
    /// 2000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    visits: Option<u64>,
    /// A quick trial with few epochs and at most two seeds; the scores mean little
    #[arg(long)]
    quick: bool,
    /// Run nothing: write the report of the runs that are finished; tables of scores say where some
    /// are missing
    #[arg(long)]
    finished: bool,
    #[command(flatten)]
    json: Json,
}

fn experiments() -> impl TypedValueParser<Value = Experiment> {
    let value = |it: Experiment| PossibleValue::new(it.name()).help(it.summary());
    PossibleValuesParser::new(Experiment::ALL.map(value))
        .try_map(|name| Experiment::by_name(&name).ok_or("no such experiment"))
}

fn sets() -> impl TypedValueParser<Value = &'static SetInfo> {
    PossibleValuesParser::new(SETS.iter().map(|set| set.name))
        .try_map(|name| SetInfo::by_name(&name).ok_or("no such data set"))
}

fn recipes() -> impl TypedValueParser<Value = &'static NamedRecipe> {
    PossibleValuesParser::new(RECIPES.iter().map(|recipe| recipe.name))
        .try_map(|name| NamedRecipe::by_name(&name).ok_or("no such recipe"))
}

/// What `--methods` takes.
#[derive(Debug, Clone, Copy)]
enum Methods {
    All,
    One(Method),
}

fn methods() -> impl TypedValueParser<Value = Methods> {
    let all = PossibleValue::new("all").help("All of them");
    let one = Method::ALL.iter().map(|it| PossibleValue::new(it.name()).help(it.help()));
    PossibleValuesParser::new(std::iter::once(all).chain(one)).try_map(|name| match &*name {
        "all" => Ok(Methods::All),
        name => Method::by_name(name).map(Methods::One),
    })
}

pub(crate) fn run(args: &ReproduceArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let experiment = args.experiment;
    WrongUse::unless(
        args.methods.is_empty() || experiment.has_methods(),
        format!("--methods means nothing to {}; leave it out", experiment.name()),
    )?;
    WrongUse::unless(
        args.visits.is_none() || !args.methods.is_empty(),
        "--visits is for --methods; give those too",
    )?;
    let finished =
        binder_experiments::run(&args.request(), &Bars::default()).map_err(with_option)?;
    let files: Vec<_> = finished.files.iter().map(|file| file.display().to_string()).collect();
    if args.json.json {
        print_json(&Report {
            experiment: args.experiment.name(),
            quick: args.quick,
            files,
            total_seconds: started.elapsed().as_secs_f64(),
            values: finished.values,
        })
    } else {
        let files: String = files.iter().map(|file| format!("  {}\n", bold(file))).collect();
        Ok(print(&format!("{}\n{files}", finished.text.trim_end()))?)
    }
}

impl ReproduceArgs {
    fn request(&self) -> Request {
        Request {
            experiment: self.experiment,
            output: self.output.clone(),
            data: self.data.clone(),
            sets: self.sets.clone(),
            recipes: self.recipes.clone(),
            methods: self.methods(),
            visits: self.visits.and_then(|visits| visits.try_into().ok()),
            seeds: self.seeds,
            quick: self.quick,
            finished: self.finished,
            command: Some(command_line()),
        }
    }
}

impl ReproduceArgs {
    /// The methods that are asked for, in the order of the tables and each once.
    fn methods(&self) -> Vec<Method> {
        let asked = |method: Method| {
            self.methods.iter().any(|it| match it {
                Methods::All => true,
                Methods::One(one) => *one == method,
            })
        };
        Method::ALL.iter().copied().filter(|&method| asked(method)).collect()
    }
}

/// The command line of this process, with `binder` as the program.
fn command_line() -> String {
    let args = std::env::args_os().skip(1).filter(|word| word != "--finished");
    let words = std::iter::once(OsString::from("binder")).chain(args);
    shell::command(words).to_string_lossy().into_owned()
}

/// The error, with advice on an option if one helps.
fn with_option(error: Error) -> anyhow::Error {
    match error {
        Error::NoData => anyhow::anyhow!("{error}; give the folder that has them with --data"),
        other => other.into(),
    }
}

#[derive(Serialize)]
struct Report {
    experiment: &'static str,
    quick: bool,
    files: Vec<String>,
    total_seconds: f64,
    /// The results of the experiment: cells, runs or rows.
    #[serde(flatten)]
    values: serde_json::Value,
}
