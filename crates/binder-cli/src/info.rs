use std::fmt::Write;
use std::time::Instant;

use binder::hierarchy::{Dropped, Reading};
use binder::{Hierarchy, Progress};
use serde::Serialize;

use crate::args::InfoArgs;
use crate::files::read_data;
use crate::progress::Bars;
use crate::terminal::{bold, counted, counted_with, grouped, print, print_json};

pub(crate) fn run(args: &InfoArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let bars = Bars::default();
    let hierarchy = read_data(&args.data.source, &args.reading, &args.json)?;
    let read = Instant::now();
    bars.start("counting", None);
    let source = args.data.source.display().to_string();
    let mut report = Report::new(&source, &hierarchy);
    report.seconds = read.elapsed().as_secs_f64();
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text())?) }
}

#[derive(Serialize)]
struct Report<'a> {
    source: &'a str,
    entities: usize,
    direct: u64,
    indirect: u64,
    closure: u64,
    roots: usize,
    leaves: usize,
    depth: u32,
    multi_parent: usize,
    cycles: usize,
    labels: usize,
    aliases: usize,
    synonyms: usize,
    definitions: usize,
    dropped: &'a Dropped,
    /// What was taken for child and parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<&'a Reading>,
    seconds: f64,
    total_seconds: f64,
}

impl<'a> Report<'a> {
    fn new(source: &'a str, hierarchy: &'a Hierarchy) -> Self {
        let (direct, closure) = (hierarchy.direct() as u64, hierarchy.closure_len());
        Self {
            source,
            entities: hierarchy.len(),
            direct,
            indirect: closure - direct,
            closure,
            roots: hierarchy.roots().count(),
            leaves: hierarchy.leaves().count(),
            depth: hierarchy.depth(),
            multi_parent: hierarchy.multi_parent(),
            cycles: hierarchy.merged_cycles(),
            labels: hierarchy.ids().filter(|&id| hierarchy.label(id).is_some()).count(),
            aliases: hierarchy.aliases().len(),
            synonyms: hierarchy.all_synonyms().len(),
            definitions: hierarchy.ids().filter(|&id| hierarchy.definition(id).is_some()).count(),
            dropped: hierarchy.dropped(),
            reading: hierarchy.reading(),
            seconds: 0.0,
            total_seconds: 0.0,
        }
    }

    fn text(&self) -> String {
        let rows = [
            ("concepts", self.entities as u64, ""),
            ("direct pairs", self.direct, "child is-a parent, none implied by others"),
            ("indirect pairs", self.indirect, "pairs that follow from them"),
            ("closure", self.closure, "both together"),
            ("roots", self.roots as u64, "concepts without a parent"),
            ("leaves", self.leaves as u64, "concepts without a child"),
            ("depth", u64::from(self.depth), "pairs on the longest path"),
            ("several parents", self.multi_parent as u64, "concepts with more than one parent"),
            ("labels", self.labels as u64, "concepts with a label"),
            ("aliases", self.aliases as u64, "alternative ids"),
            ("synonyms", self.synonyms as u64, "what else concepts are called"),
            ("definitions", self.definitions as u64, "concepts with a definition"),
        ];
        let mut text = format!("{}\n", bold(self.source));
        for (name, count, meaning) in rows {
            let _ = writeln!(
                text,
                "{}",
                format!("  {name:<16}{:>18}  {meaning}", grouped(count)).trim_end()
            );
        }
        for what in self.left_out() {
            let _ = writeln!(text, "  left out: {what}");
        }
        text
    }

    fn left_out(&self) -> Vec<String> {
        let dropped = self.dropped;
        let pair = |count: usize, why: &str| (count, format!("{} {why}", counted(count, "pair")));
        let all = [
            pair(dropped.duplicate, "given more than once"),
            pair(dropped.reflexive, "of a concept with itself"),
            pair(dropped.implied, "implied by others"),
            pair(
                dropped.in_cycle,
                &format!("inside {}, each merged into one concept", counted(self.cycles, "cycle")),
            ),
            (dropped.obsolete, counted(dropped.obsolete, "obsolete concept")),
            pair(dropped.with_obsolete, "with an obsolete concept"),
            pair(dropped.blank, "with a concept that has no name (blank nodes)"),
            (
                dropped.aliases,
                format!(
                    "{} that conflict with other names",
                    counted_with(dropped.aliases, "alias", "aliases")
                ),
            ),
            (
                dropped.synonyms,
                format!("{} given more than once, or empty", counted(dropped.synonyms, "synonym")),
            ),
        ];
        all.into_iter().filter(|(count, _)| *count > 0).map(|(_, what)| what).collect()
    }
}
