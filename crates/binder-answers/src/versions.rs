//! Two versions of a hierarchy: what differs, and what an update of a model did.

use std::fmt::Write;

use binder::diff::{self, ClosureDiff, Diff, TextsDiff};
use binder::update::Updated;
use binder::{Hierarchy, Id, Model};
use serde::Serialize;

use crate::{Style, counted, grouped, visible};

/// What differs between two versions of a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Whether nothing does.
    pub same: bool,
    /// The size of the old version.
    pub old: Version,
    /// The size of the new version.
    pub new: Version,
    /// Concepts that only the new version has.
    pub added: Vec<String>,
    /// Concepts that only the old version has.
    pub removed: Vec<String>,
    /// Concepts with another name.
    pub renamed: Vec<Renamed>,
    /// Concepts whose name others have taken over.
    pub merged: Vec<Merged>,
    /// Concepts with other direct parents.
    pub moved: Vec<Moved>,
    /// The pairs of the closure that differ.
    pub closure: ClosureDiff,
    /// How many concepts of both versions have other concepts above them.
    pub relocated: usize,
    /// The texts that differ.
    pub texts: TextsDiff,
}

/// The size of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Concepts.
    pub entities: usize,
    /// Direct pairs.
    pub direct: usize,
    /// All pairs.
    pub closure: u64,
}

/// A concept with another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Renamed {
    /// Its name in the old version.
    pub old: String,
    /// Its name in the new version.
    pub new: String,
}

/// A concept whose name another has taken over, as an alias.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// The concept of the old version.
    pub old: String,
    /// The concept of the new version.
    pub into: String,
}

/// A concept with other direct parents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Its name in the new version.
    pub concept: String,
    /// Parents that it did not have before.
    pub gained: Vec<String>,
    /// Parents that it does not have any more.
    pub lost: Vec<String>,
}

impl Differences {
    /// A difference of the library, with names.
    pub fn new((old, new): (&Hierarchy, &Hierarchy), diff: &Diff) -> Self {
        let renamed = |&(was, is): &(Id, Id)| Renamed { old: name(old, was), new: name(new, is) };
        let merged =
            |&(was, into): &(Id, Id)| Merged { old: name(old, was), into: name(new, into) };
        let moved = |moved: &diff::Moved| Moved {
            concept: name(new, moved.concept),
            gained: moved.gained.iter().map(|&parent| name(new, parent)).collect(),
            lost: moved.lost.iter().map(|&parent| name(old, parent)).collect(),
        };
        Self {
            same: diff.is_empty(),
            old: Version::of(old),
            new: Version::of(new),
            added: diff.added().map(|concept| name(new, concept)).collect(),
            removed: diff.removed().map(|concept| name(old, concept)).collect(),
            renamed: diff.renamed.iter().map(renamed).collect(),
            merged: diff.merged.iter().map(merged).collect(),
            moved: diff.moved.iter().map(moved).collect(),
            closure: diff.closure,
            relocated: diff.relocated.len(),
            texts: diff.texts,
        }
    }

    /// What differs, in several lines; `called` is what to call the versions.
    pub fn text(&self, called: [&str; 2], style: &Style) -> String {
        let mut text = String::new();
        for (called, version) in called.into_iter().zip([self.old, self.new]) {
            let _ = writeln!(
                text,
                "{}: {}, {} direct pairs, {} in the closure",
                (style.bold)(called),
                counted(version.entities, "concept"),
                grouped(version.direct as u64),
                grouped(version.closure),
            );
        }
        if self.same {
            return text + "  no difference\n";
        }
        let arrow = |old: &str, new: &str| format!("{} → {}", visible(old), visible(new));
        let plain = |names: &[String]| names.iter().map(|it| visible(it).into_owned()).collect();
        let kinds: [(&str, Vec<String>); 5] = [
            ("added", plain(&self.added)),
            ("removed", plain(&self.removed)),
            ("renamed", self.renamed.iter().map(|it| arrow(&it.old, &it.new)).collect()),
            ("merged", self.merged.iter().map(|it| arrow(&it.old, &it.into)).collect()),
            ("moved", self.moved.iter().map(Moved::text).collect()),
        ];
        for (kind, concepts) in kinds.iter().filter(|(_, concepts)| !concepts.is_empty()) {
            let count = (style.bold)(&grouped(concepts.len() as u64));
            let _ = writeln!(text, "  {kind:8} {count}");
            for concept in concepts.iter().take(style.rows) {
                let _ = writeln!(text, "    {concept}");
            }
            if style.rows > 0 && concepts.len() > style.rows {
                let more = grouped((concepts.len() - style.rows) as u64);
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
            (texts.alternative_ids, "list of alternative ids"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let concepts = counted(count, "concept");
            let _ = writeln!(text, "  texts    {concepts} of both with another {what}");
        }
    }
}

fn name(version: &Hierarchy, concept: Id) -> String {
    version.name(concept).to_owned()
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

impl Moved {
    fn text(&self) -> String {
        let list = |names: &[String]| match names {
            [] => "nothing".to_owned(),
            names => names.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", "),
        };
        format!("{}: {} → {}", visible(&self.concept), list(&self.lost), list(&self.gained))
    }
}

/// What an update of a model did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct UpdateReport {
    /// Concepts of the new version.
    pub entities: usize,
    /// Concepts that only the new version has.
    pub added: usize,
    /// Concepts that only the old version has.
    pub removed: usize,
    /// Concepts with another name.
    pub renamed: usize,
    /// Concepts whose name others have taken over.
    pub merged: usize,
    /// Concepts with other direct parents.
    pub moved: usize,
    /// Concepts of both versions that have other concepts above them, so that their codes change.
    pub relocated: usize,
    /// Concepts of both versions.
    pub kept: usize,
    /// Those of them whose code is the same.
    pub stayed: usize,
    /// The bits of a code.
    pub bits: usize,
    /// How many of them were appended.
    pub appended_bits: usize,
    /// The words of a code.
    pub words: usize,
    /// The same of the old model.
    pub words_before: usize,
    /// True pairs that the codes give.
    pub tp: u64,
    /// False pairs that the codes give.
    pub fp: u64,
    /// True pairs that the codes miss.
    #[serde(rename = "fn")]
    pub false_negatives: u64,
    /// F1 over all pairs.
    pub f1: f64,
}

impl UpdateReport {
    /// The figures of an update.
    pub fn new(old: &Model, updated: &Updated) -> Self {
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
        }
    }

    /// What differs and how many codes stay, in several lines.
    pub fn text(&self, style: &Style) -> String {
        let [added, removed, renamed, moved] =
            [self.added, self.removed, self.renamed, self.moved].map(|count| grouped(count as u64));
        let mut text = format!(
            "  {added} added, {removed} removed, {renamed} renamed, {moved} with other parents\n"
        );
        let changed = self.kept - self.stayed;
        let _ = writeln!(
            text,
            "  {} of {} old codes stay ({:.2} %); {} concepts have others above them",
            (style.bold)(&grouped(self.stayed as u64)),
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
