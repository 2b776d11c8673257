use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use binder::hierarchy::{Dropped, Reading};
use binder::{Hierarchy, Id, Model, Progress};
use binder_answers::visible;
use serde::Serialize;

use crate::args::InfoArgs;
use crate::files::read_data;
use crate::models::is_model;
use crate::progress::Bars;
use crate::terminal::{bold, counted, counted_with, grouped, print, print_json};

pub(crate) fn run(args: &InfoArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let bars = Bars::default();
    let model = if is_model(&args.source) { Some(Model::open(&args.source)?) } else { None };
    let hierarchy = match &model {
        Some(model) => Arc::clone(model.hierarchy()),
        None => Arc::new(read_data(&args.source, &args.reading, &args.json)?),
    };
    let read = Instant::now();
    bars.start("counting", None);
    let source = args.source.display().to_string();
    let mut report = Report::new(&source, &hierarchy)?;
    report.model = model.as_ref().map(ModelReport::new);
    report.seconds = read.elapsed().as_secs_f64();
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text())?) }
}

/// How many of the widest and of the deepest concepts are named.
const NAMED: usize = 3;

/// How many roots the text names; the JSON object has all.
const ROOTS: usize = 5;

#[derive(Serialize)]
struct Report<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelReport<'a>>,
    entities: usize,
    direct: u64,
    indirect: u64,
    closure: u64,
    roots: usize,
    root_names: Vec<&'a str>,
    leaves: usize,
    depth: u32,
    deepest: Vec<Deep<'a>>,
    widest: Vec<Wide<'a>>,
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

/// A concept and the length of the longest path up from it.
#[derive(Serialize)]
struct Deep<'a> {
    concept: &'a str,
    depth: u32,
}

/// A concept and how many children it has.
#[derive(Serialize)]
struct Wide<'a> {
    concept: &'a str,
    children: usize,
}

/// What a model file says about its codes.
#[derive(Serialize)]
struct ModelReport<'a> {
    /// How the codes were made: encode or train.
    method: Option<&'a str>,
    bits: usize,
    words: usize,
    /// Whether a check of all pairs found no error; null where no check was noted.
    exact: Option<bool>,
    /// The settings of the run that made the codes.
    notes: &'a BTreeMap<String, String>,
}

impl<'a> ModelReport<'a> {
    fn new(model: &'a Model) -> Self {
        let notes = model.notes();
        Self {
            method: notes.get("method").map(String::as_str),
            bits: model.codes().bits(),
            words: model.codes().words_per_row(),
            exact: model.is_exact(),
            notes,
        }
    }

    fn text(&self) -> String {
        let exact = match self.exact {
            Some(true) => "exact: no error on any pair",
            Some(false) => "with errors on some pairs",
            None => "not checked on all pairs; binder eval does it",
        };
        let method = match self.method {
            Some("train") => "trained",
            Some("encode") => "encoded",
            _ => "of unknown origin",
        };
        let bits = counted(self.bits, "bit");
        let mut text = format!("  a model, {method}: {bits} per concept, {exact}\n");
        let settings: Vec<_> =
            self.notes.iter().map(|(key, value)| format!("{key} {value}")).collect();
        if !settings.is_empty() {
            let _ = writeln!(text, "  settings: {}", settings.join(", "));
        }
        text
    }
}

impl<'a> Report<'a> {
    fn new(source: &'a str, hierarchy: &'a Hierarchy) -> anyhow::Result<Self> {
        let (direct, closure) = (hierarchy.direct() as u64, hierarchy.closure_len());
        let definitions = hierarchy.definitions().checked();
        let definitions = definitions.with_context(|| format!("{source}: the definitions"))?;
        let deep = |id| Deep { concept: hierarchy.name(id), depth: hierarchy.depth_of(id) };
        let wide =
            |id| Wide { concept: hierarchy.name(id), children: hierarchy.children(id).len() };
        Ok(Self {
            source,
            model: None,
            entities: hierarchy.len(),
            direct,
            indirect: closure - direct,
            closure,
            roots: hierarchy.roots().count(),
            root_names: hierarchy.roots().map(|id| hierarchy.name(id)).collect(),
            leaves: hierarchy.leaves().count(),
            depth: hierarchy.depth(),
            deepest: most(hierarchy, |id| hierarchy.depth_of(id) as usize).map(deep).collect(),
            widest: most(hierarchy, |id| hierarchy.children(id).len()).map(wide).collect(),
            multi_parent: hierarchy.multi_parent(),
            cycles: hierarchy.merged_cycles(),
            labels: hierarchy.ids().filter(|&id| hierarchy.label(id).is_some()).count(),
            aliases: hierarchy.aliases().len(),
            synonyms: hierarchy.all_synonyms().len(),
            definitions: definitions.iter().filter(|text| !text.is_empty()).count(),
            dropped: hierarchy.dropped(),
            reading: hierarchy.reading(),
            seconds: 0.0,
            total_seconds: 0.0,
        })
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
        if let Some(model) = &self.model {
            text += &model.text();
        }
        for (name, count, meaning) in rows {
            let _ = writeln!(
                text,
                "{}",
                format!("  {name:<16}{:>18}  {meaning}", grouped(count)).trim_end()
            );
        }
        text += &self.named();
        for what in self.left_out() {
            let _ = writeln!(text, "  left out: {what}");
        }
        text
    }

    /// The roots, the widest and the deepest concepts by name.
    fn named(&self) -> String {
        let mut text = String::new();
        let mut line = |what: &str, names: &[String]| {
            if !names.is_empty() {
                let _ = writeln!(text, "  {what:<9} {}", names.join(", "));
            }
        };
        let mut roots: Vec<String> =
            self.root_names.iter().take(ROOTS).map(|name| visible(name).into_owned()).collect();
        if self.roots > ROOTS {
            roots.push("…".to_owned());
        }
        line("roots:", &roots);
        let wide = |wide: &Wide<'_>| {
            let children = counted_with(wide.children, "child", "children");
            format!("{} ({children})", visible(wide.concept))
        };
        line("widest:", &self.widest.iter().map(wide).collect::<Vec<_>>());
        let deep = |deep: &Deep<'_>| format!("{} ({} down)", visible(deep.concept), deep.depth);
        line("deepest:", &self.deepest.iter().map(deep).collect::<Vec<_>>());
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

/// The few concepts of which `size` is largest and not 0, the largest first.
fn most(hierarchy: &Hierarchy, size: impl Fn(Id) -> usize) -> impl Iterator<Item = Id> {
    let mut ids: Vec<Id> = hierarchy.ids().filter(|&id| size(id) > 0).collect();
    ids.sort_by_key(|&id| (std::cmp::Reverse(size(id)), id));
    ids.truncate(NAMED);
    ids.into_iter()
}
