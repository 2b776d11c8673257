use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use binder::diff::{ClosureDiff, Diff, TextsDiff};
use binder::{Hierarchy, Id};
use clap::Args;
use serde::Serialize;

use crate::args::Json;
use crate::models;
use crate::progress::Bars;
use crate::query::No;
use crate::reading::ReadingArgs;
use crate::terminal::{bold, counted, grouped, print, print_json, visible};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The old version: a model, a path of data, `-` for standard input, or a built-in
    old: PathBuf,
    /// The new version, likewise
    new: PathBuf,
    /// Exit with code 1 if the versions differ
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

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let options = args.reading.options();
    anyhow::ensure!(
        args.old != Path::new("-") || args.new != Path::new("-"),
        "standard input can be one version only; give a file for the other"
    );
    let old = models::hierarchy(&args.old, &options)?;
    let new = models::hierarchy(&args.new, &options)?;
    let work = Instant::now();
    let diff = Diff::between(&old, &new, &Bars::default())?;
    let mut report = Report::new((&old, &new), &diff);
    report.seconds = work.elapsed().as_secs_f64();
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        print_json(&report)?;
    } else {
        print(&report.text(args))?;
    }
    if args.exit_code && !report.same { Err(No.into()) } else { Ok(()) }
}

#[derive(Serialize)]
struct Report<'a> {
    same: bool,
    old: Version,
    new: Version,
    added: Vec<&'a str>,
    removed: Vec<&'a str>,
    renamed: Vec<Renamed<'a>>,
    merged: Vec<Merged<'a>>,
    moved: Vec<Moved<'a>>,
    closure: ClosureDiff,
    /// Concepts of both versions that have other concepts above them.
    relocated: usize,
    texts: TextsDiff,
    seconds: f64,
    total_seconds: f64,
}

#[derive(Serialize)]
struct Version {
    entities: usize,
    direct: usize,
    closure: u64,
}

#[derive(Serialize)]
struct Renamed<'a> {
    old: &'a str,
    new: &'a str,
}

#[derive(Serialize)]
struct Merged<'a> {
    old: &'a str,
    into: &'a str,
}

#[derive(Serialize)]
struct Moved<'a> {
    concept: &'a str,
    gained: Vec<&'a str>,
    lost: Vec<&'a str>,
}

impl<'a> Report<'a> {
    fn new((old, new): (&'a Hierarchy, &'a Hierarchy), diff: &Diff) -> Self {
        let names = |version: &'a Hierarchy, ids: &[Id]| -> Vec<&'a str> {
            ids.iter().map(|&id| version.name(id)).collect()
        };
        let renamed = |&(was, is): &(Id, Id)| Renamed { old: old.name(was), new: new.name(is) };
        let merged = |&(was, into): &(Id, Id)| Merged { old: old.name(was), into: new.name(into) };
        let moved = |moved: &binder::diff::Moved| Moved {
            concept: new.name(moved.concept),
            gained: names(new, &moved.gained),
            lost: names(old, &moved.lost),
        };
        Self {
            same: diff.is_empty(),
            old: Version::of(old),
            new: Version::of(new),
            added: diff.added().map(|id| new.name(id)).collect(),
            removed: diff.removed().map(|id| old.name(id)).collect(),
            renamed: diff.renamed.iter().map(renamed).collect(),
            merged: diff.merged.iter().map(merged).collect(),
            moved: diff.moved.iter().map(moved).collect(),
            closure: diff.closure,
            relocated: diff.relocated.len(),
            texts: diff.texts,
            seconds: 0.0,
            total_seconds: 0.0,
        }
    }

    fn text(&self, args: &DiffArgs) -> String {
        let mut text = String::new();
        for (path, version) in [(&args.old, &self.old), (&args.new, &self.new)] {
            let _ = writeln!(
                text,
                "{}: {}, {} direct pairs, {} in the closure",
                bold(&path.display().to_string()),
                counted(version.entities, "concept"),
                grouped(version.direct as u64),
                grouped(version.closure),
            );
        }
        if self.same {
            return text + "  no difference\n";
        }
        let arrow = |old: &str, new: &str| format!("{} → {}", visible(old), visible(new));
        let plain = |names: &[&str]| names.iter().map(|name| visible(name).into_owned()).collect();
        let kinds: [(&str, Vec<String>); 5] = [
            ("added", plain(&self.added)),
            ("removed", plain(&self.removed)),
            ("renamed", self.renamed.iter().map(|it| arrow(it.old, it.new)).collect()),
            ("merged", self.merged.iter().map(|it| arrow(it.old, it.into)).collect()),
            ("moved", self.moved.iter().map(Moved::text).collect()),
        ];
        for (kind, concepts) in kinds.iter().filter(|(_, concepts)| !concepts.is_empty()) {
            let _ = writeln!(text, "  {kind:8} {}", bold(&grouped(concepts.len() as u64)));
            for concept in concepts.iter().take(args.limit) {
                let _ = writeln!(text, "    {concept}");
            }
            if args.limit > 0 && concepts.len() > args.limit {
                let more = grouped((concepts.len() - args.limit) as u64);
                let _ = writeln!(text, "    … and {more} more");
            }
        }
        self.write_totals(&mut text);
        text
    }

    fn write_totals(&self, text: &mut String) {
        let closure = &self.closure;
        let _ = writeln!(
            text,
            "  closure  {} pairs gained ({} among concepts of both), {} lost ({})",
            grouped(closure.gained),
            grouped(closure.gained_among_kept),
            grouped(closure.lost),
            grouped(closure.lost_among_kept),
        );
        let texts = &self.texts;
        let counts = [
            (texts.labels, "label"),
            (texts.synonyms, "list of synonyms"),
            (texts.definitions, "definition"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let concepts = counted(count, "concept");
            let _ = writeln!(text, "  texts    {concepts} of both with another {what}");
        }
    }
}

impl Version {
    fn of(hierarchy: &Hierarchy) -> Self {
        Self {
            entities: hierarchy.len(),
            direct: hierarchy.direct(),
            closure: hierarchy.closure_len(),
        }
    }
}

impl Moved<'_> {
    fn text(&self) -> String {
        let list = |names: &[&str]| match names {
            [] => "nothing".to_owned(),
            names => names.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", "),
        };
        format!("{}: {} → {}", visible(self.concept), list(&self.lost), list(&self.gained))
    }
}
