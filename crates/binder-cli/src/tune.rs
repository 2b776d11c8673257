use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use binder::output::Plan;
use binder::read::ReadOptions;
use binder::split;
use binder::train::Recipe;
use binder_experiments::tune::{ALPHAS, BITS, NEGATIVES, Tried, TuneRequest, tune};
use clap::Args;
use serde::Serialize;

use crate::args::{Data, Json, a_file, choice};
use crate::files::{read_pairs_of, reads};
use crate::pairs::{Pairs, read_both, training_pairs};
use crate::progress::Bars;
use crate::reading::ReadingArgs;
use crate::shell;
use crate::terminal::{bold, duration, note, print, print_json};

#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    data: Data,
    /// The CSV file of finished runs; runs that it already has are not repeated
    #[arg(short, long, value_name = "FILE", value_parser = a_file())]
    output: PathBuf,
    /// The pairs to train on: direct, closure, or a file [default: direct]
    #[arg(long, default_value = "direct", value_name = "direct|closure|FILE")]
    on: String,
    /// Choose by these pairs, which are is-a [default: 5 % of the indirect pairs, as `binder split`
    /// draws them with seed 0]
    #[arg(long, value_name = "FILE", requires = "valid_neg")]
    valid: Option<PathBuf>,
    /// … and these, which are not
    #[arg(long, value_name = "FILE", requires = "valid")]
    valid_neg: Option<PathBuf>,
    /// The settings that are not searched
    #[arg(long, value_parser = choice::<Recipe>(), default_value_t = Recipe::Published)]
    recipe: Recipe,
    /// The most epochs of a run
    #[arg(long, value_name = "T", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Numbers of bits to try
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = BITS)]
    bits: Vec<usize>,
    /// Weights of a missing bit to try
    #[arg(long, value_name = "α,…", value_delimiter = ',', default_values_t = ALPHAS)]
    alpha: Vec<u32>,
    /// Numbers of negatives per training pair to try
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = NEGATIVES)]
    negatives: Vec<u32>,
    /// Runs per combination, with seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How many combinations are shown.
const SHOWN: usize = 10;

pub(crate) fn run(args: &TuneArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    // The ledger looks after files that are not its own.
    let mut plan = Plan::new().force(true);
    let inputs = [Some(&args.data.source), args.valid.as_ref(), args.valid_neg.as_ref()];
    reads(&mut plan, inputs.into_iter().flatten().chain([&PathBuf::from(&args.on)]));
    plan.writes(&args.output)?;
    let hierarchy = read_pairs_of(&args.data, &args.reading, &args.json)?;
    let pairs = training_pairs(&args.on, &hierarchy)?;
    let (positives, negatives): (Pairs, Pairs) = match (&args.valid, &args.valid_neg) {
        (Some(valid), Some(negatives)) => {
            read_both(valid, negatives, &ReadOptions::default(), &hierarchy)?
        }
        _ => {
            note("validation pairs are drawn as `binder split` draws them with seed 0");
            let drawn = split::split_with(&hierarchy, &[0], 0, &Bars::default())?;
            (drawn.valid, drawn.valid_neg)
        }
    };
    let request = TuneRequest {
        hierarchy: &hierarchy,
        name: args.data.source.display().to_string(),
        pairs: &pairs,
        valid: (&positives, &negatives),
        recipe: args.recipe,
        epochs: args.epochs,
        bits: args.bits.clone(),
        alphas: args.alpha.clone(),
        negatives: args.negatives.clone(),
        seeds: args.seeds,
        ledger: args.output.clone(),
    };
    let tried = tune(&request, &Bars::default())?;
    if args.json.json {
        return print_json(&Report {
            entities: hierarchy.len(),
            best: tried.first(),
            tried: &tried,
            total_seconds: started.elapsed().as_secs_f64(),
        });
    }
    Ok(print(&text(args, &tried))?)
}

fn text(args: &TuneArgs, tried: &[Tried]) -> String {
    let mut text = format!("{:>6}{:>8}{:>6}{:>18}{:>10}\n", "bits", "α", "n⁻", "valid F1 %", "run");
    for it in tried.iter().take(SHOWN) {
        let sd = if args.seeds > 1 { format!(" ± {:.2}", it.sd) } else { String::new() };
        let f1 = format!("{:.2}{sd}", it.valid_f1);
        let row = (it.bits, it.alpha, it.negatives, f1, duration(it.seconds));
        text += &format!("{:>6}{:>8}{:>6}{:>18}{:>10}\n", row.0, row.1, row.2, row.3, row.4);
    }
    if tried.len() > SHOWN {
        text += &format!("… and {} more in {}\n", tried.len() - SHOWN, args.output.display());
    }
    if let Some(best) = tried.first() {
        let train = args.train(best);
        text += &format!("The best settings for these validation pairs:\n  {}\n", bold(&train));
    }
    text
}

/// What of the command line is not for `train`: the search, and what is chosen by it.
const OF_TUNE: [&str; 8] =
    ["output", "recipe", "epochs", "bits", "alpha", "negatives", "seeds", "json"];

impl TuneArgs {
    /// The command that trains with the settings found, on the same pairs.
    fn train(&self, best: &Tried) -> String {
        let settings = [
            ("recipe", self.recipe.to_string()),
            ("bits", best.bits.to_string()),
            ("alpha", best.alpha.to_string()),
            ("negatives", best.negatives.to_string()),
            ("epochs", self.epochs.to_string()),
        ];
        let settings = settings.into_iter().flat_map(|(name, value)| [format!("--{name}"), value]);
        let words = ["binder", "train"].map(OsString::from).into_iter();
        let words = words.chain(shell::given_but("tune", &OF_TUNE));
        let output = ["-o", "model.safetensors"].map(OsString::from);
        let words = words.chain(settings.map(OsString::from)).chain(output);
        shell::command(words).to_string_lossy().into_owned()
    }
}

#[derive(Serialize)]
struct Report<'a> {
    entities: usize,
    best: Option<&'a Tried>,
    tried: &'a [Tried],
    total_seconds: f64,
}
