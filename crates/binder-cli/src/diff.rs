use std::path::{Path, PathBuf};
use std::time::Instant;

use binder::diff::Diff;
use binder_answers::{Differences, Style};
use clap::Args;
use serde::Serialize;

use crate::args::Json;
use crate::models;
use crate::progress::Bars;
use crate::query::No;
use crate::reading::ReadingArgs;
use crate::remedy::WrongUse;
use crate::terminal::{bold, print, print_json};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The old version: a model, a path of data, `-` for standard input, or a built-in
    old: PathBuf,
    /// The new version, likewise
    new: PathBuf,
    /// Exit with code 1 if the versions differ, and with 2 if they cannot be compared
    #[arg(long)]
    exit_code: bool,
    /// How many concepts of each kind to name; --json names all
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: usize,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Where a code of 1 says that the versions differ, and nothing else.
pub(crate) const TROUBLE: u8 = 2;

impl DiffArgs {
    /// Whether the exit code is the answer.
    pub(crate) fn is_asked_for_code(&self) -> bool {
        self.exit_code
    }
}

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let options = args.reading.options();
    WrongUse::unless(
        args.old != Path::new("-") || args.new != Path::new("-"),
        "standard input can be one version only; give a file for the other",
    )?;
    let old = models::hierarchy(&args.old, &options)?;
    let new = models::hierarchy(&args.new, &options)?;
    let work = Instant::now();
    let diff = Diff::between(&old, &new, &Bars::default())?;
    let differences = Differences::new((&old, &new), &diff);
    let same = differences.same;
    if args.json.json {
        let seconds = work.elapsed().as_secs_f64();
        let total_seconds = started.elapsed().as_secs_f64();
        print_json(&Report { differences, seconds, total_seconds })?;
    } else {
        let [old, new] = [&args.old, &args.new].map(|path| path.display().to_string());
        let style = Style { bold, rows: args.limit, ..Style::PLAIN };
        print(&differences.text([&old, &new], &style))?;
    }
    if args.exit_code && !same { Err(No.into()) } else { Ok(()) }
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    differences: Differences,
    seconds: f64,
    total_seconds: f64,
}
