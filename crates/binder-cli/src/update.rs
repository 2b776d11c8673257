use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use binder::Model;
use binder::export::{self, Patch, Script};
use binder::update::Updated;
use clap::Args;
use serde::Serialize;

use crate::args::{Data, Json};
use crate::files::{Force, plan_model, print_report, read_pairs_of, reads, save_model};
use crate::progress::Bars;
use crate::reading::ReadingArgs;
use crate::terminal::{bold, counted, duration, grouped, print_json};

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// The model of the old version
    model: PathBuf,
    #[command(flatten)]
    data: Data,
    /// The model file to write; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,
    /// Also write the codes that differ, as tab-separated values: concept, old code, new code
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
    /// Also write an SQL script that changes these codes in a table
    #[arg(long, value_name = "FILE")]
    sql: Option<PathBuf>,
    /// The table that the script changes; it has the words of codes in columns c0, c1, …
    #[arg(long, value_name = "NAME", default_value = Script::TABLE, requires = "sql")]
    table: String,
    /// The column of concepts' names in that table
    #[arg(long, value_name = "NAME", default_value = "name", requires = "sql")]
    key: String,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &UpdateArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut plan = args.force.plan();
    reads(&mut plan, [&args.model, &args.data.source]);
    plan_model(&mut plan, &args.output, args.json.json)?;
    for file in [&args.patch, &args.sql].into_iter().flatten() {
        plan.writes(file)?;
    }
    let old = Model::open(&args.model)?;
    let new = read_pairs_of(&args.data, &args.reading, &args.json)?;
    let work = Instant::now();
    let updated = binder::update(&old, new, &Bars::default())
        .map_err(binder::Error::from)
        .with_context(|| args.model.display().to_string())?;
    let seconds = work.elapsed().as_secs_f64();
    save_model(&updated.model, &args.output)?;
    args.write_patches(&old, &updated)?;
    let total_seconds = started.elapsed().as_secs_f64();
    let report = Report { seconds, total_seconds, ..Report::new(&old, &updated) };
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(args), &args.output)
}

impl UpdateArgs {
    fn write_patches(&self, old: &Model, updated: &Updated) -> anyhow::Result<()> {
        let script = Patch::Sql { table: self.table.clone(), key: self.key.clone() };
        for (file, format) in [(&self.patch, Patch::Tsv), (&self.sql, script)] {
            if let Some(file) = file {
                export::write_patch(old, updated, &format, file)?;
            }
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    added: usize,
    removed: usize,
    renamed: usize,
    merged: usize,
    moved: usize,
    /// Concepts of both versions that have other concepts above them, so that their codes change.
    relocated: usize,
    /// Concepts of both versions.
    kept: usize,
    /// Those of them whose code is the same.
    stayed: usize,
    bits: usize,
    appended_bits: usize,
    words: usize,
    words_before: usize,
    tp: u64,
    fp: u64,
    #[serde(rename = "fn")]
    false_negatives: u64,
    f1: f64,
    seconds: f64,
    total_seconds: f64,
}

impl Report {
    fn new(old: &Model, updated: &Updated) -> Self {
        let (diff, codes) = (&updated.diff, updated.model.codes());
        let confusion = updated.evaluation.confusion;
        Self {
            entities: codes.len(),
            added: diff.added().count(),
            removed: diff.removed().count(),
            renamed: diff.renamed.len(),
            merged: diff.merged.len(),
            moved: diff.moved.len(),
            relocated: diff.relocated.len(),
            kept: diff.kept(),
            stayed: updated.stayed,
            bits: codes.bits(),
            appended_bits: updated.appended_bits,
            words: codes.words_per_row(),
            words_before: old.codes().words_per_row(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            f1: confusion.f1(),
            seconds: 0.0,
            total_seconds: 0.0,
        }
    }

    fn text(&self, args: &UpdateArgs) -> String {
        let mut text = format!(
            "{}: {}, {} each ({} appended) in {}; over all pairs: fp {}, fn {}\n",
            bold(&args.output.display().to_string()),
            counted(self.entities, "concept"),
            bold(&counted(self.bits, "bit")),
            self.appended_bits,
            duration(self.seconds),
            grouped(self.fp),
            grouped(self.false_negatives),
        );
        let [added, removed, renamed, moved] =
            [self.added, self.removed, self.renamed, self.moved].map(|count| grouped(count as u64));
        let _ = writeln!(
            text,
            "  {added} added, {removed} removed, {renamed} renamed, {moved} with other parents"
        );
        let changed = self.kept - self.stayed;
        let _ = writeln!(
            text,
            "  {} of {} old codes stay ({:.2} %); {} concepts have others above them",
            bold(&grouped(self.stayed as u64)),
            grouped(self.kept as u64),
            100.0 * self.stayed as f64 / self.kept as f64,
            grouped(self.relocated as u64),
        );
        if changed > self.relocated {
            let only = grouped((changed - self.relocated) as u64);
            let _ = writeln!(text, "  {only} other codes had to change, to make room for these");
        }
        if self.words > self.words_before {
            let (before, now) = (self.words_before, counted(self.words, "word"));
            let _ = writeln!(
                text,
                "  a code takes {now} now instead of {before}; encoding anew may take fewer"
            );
        }
        text
    }
}
