use std::time::Instant;

use binder::split::{Split, split_with};
use serde::Serialize;

use crate::args::SplitArgs;
use crate::files::read_pairs_of;
use crate::progress::Bars;
use crate::terminal::{bold, grouped, print, print_json};

pub(crate) fn run(args: &SplitArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let hierarchy = read_pairs_of(&args.data, &args.reading)?;
    let read = Instant::now();
    let split = split_with(&hierarchy, &args.train, args.seed, &Bars::default())?;
    split.save(&hierarchy, &args.output)?;
    if args.json.json {
        let (seconds, total_seconds) =
            (read.elapsed().as_secs_f64(), started.elapsed().as_secs_f64());
        let files = files(&split).into_iter().collect();
        return print_json(&Report {
            folder: &args.output,
            seed: args.seed,
            files,
            seconds,
            total_seconds,
        });
    }
    let rows = files(&split)
        .into_iter()
        .map(|(name, pairs)| format!("  {name:<16}{:>12}\n", grouped(pairs as u64)));
    Ok(print(&format!(
        "{}\n{}",
        bold(&args.output.display().to_string()),
        rows.collect::<String>()
    ))?)
}

#[derive(Serialize)]
struct Report<'a> {
    folder: &'a std::path::Path,
    seed: u64,
    /// The number of pairs in each file.
    files: std::collections::BTreeMap<String, usize>,
    seconds: f64,
    total_seconds: f64,
}

fn files(split: &Split) -> Vec<(String, usize)> {
    split.files().into_iter().map(|(name, pairs)| (format!("{name}.tsv"), pairs.len())).collect()
}
