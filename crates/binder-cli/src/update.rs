use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use binder::Model;
use binder::export::{self, Patch, Script};
use binder::update::Updated;
use binder_answers::{Style, UpdateReport};
use clap::Args;
use serde::Serialize;

use crate::args::{Data, Json, a_file};
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
    #[arg(long, value_name = "FILE", value_parser = a_file())]
    patch: Option<PathBuf>,
    /// Also write an SQL script that changes these codes in a table
    #[arg(long, value_name = "FILE", value_parser = a_file())]
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
    args.write(&old, &updated)?;
    let total_seconds = started.elapsed().as_secs_f64();
    let report = Report { update: UpdateReport::new(&old, &updated), seconds, total_seconds };
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(args), &args.output)
}

impl UpdateArgs {
    /// Writes the patches, and the model last: a model that is in place has its patches.
    fn write(&self, old: &Model, updated: &Updated) -> anyhow::Result<()> {
        let script = Patch::Sql { table: self.table.clone(), key: self.key.clone() };
        let patches = [(&self.patch, Patch::Tsv), (&self.sql, script)];
        let mut there = String::new();
        for (file, format) in patches {
            let Some(file) = file else { continue };
            export::write_patch(old, updated, &format, file)
                .with_context(|| format!("{there}the model was not written"))?;
            there += &format!("{} is written; ", file.display());
        }
        let saved = save_model(&updated.model, &self.output);
        if there.is_empty() {
            saved
        } else {
            saved.context(there.trim_end_matches("; ").to_owned())
        }
    }
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    update: UpdateReport,
    seconds: f64,
    total_seconds: f64,
}

impl Report {
    fn text(&self, args: &UpdateArgs) -> String {
        let update = &self.update;
        let head = format!(
            "{}: {}, {} each ({} appended) in {}; over all pairs: fp {}, fn {}\n",
            bold(&args.output.display().to_string()),
            counted(update.entities, "concept"),
            bold(&counted(update.bits, "bit")),
            update.appended_bits,
            duration(self.seconds),
            grouped(update.fp),
            grouped(update.false_negatives),
        );
        head + &update.text(&Style { bold, ..Style::PLAIN })
    }
}
