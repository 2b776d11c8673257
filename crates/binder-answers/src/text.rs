//! Answers as people read them.

use std::borrow::Borrow;
use std::fmt::Write as _;

use binder::query::Index;

use crate::{
    Answer, Bit, Complement, Description, Explanation, Formal, IsA, Nearest, Picture, Relatives,
    SearchResult, Standing, counted, counted_with, grouped, visible,
};

/// How a text is to look.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Marks what stands out.
    pub bold: fn(&str) -> String,
    /// The most concepts to list, a row each.
    pub rows: usize,
    /// How to see the others, where not all are listed: it follows "… and 12 more".
    pub rest: &'static str,
}

impl Style {
    /// Nothing stands out, and everything is listed.
    pub const PLAIN: Self = Self { bold: str::to_owned, rows: usize::MAX, rest: "" };

    fn bold(&self, text: &str) -> String {
        (self.bold)(text)
    }
}

impl Answer {
    /// The answer in several lines. Labels are taken from the index.
    pub fn text(&self, index: &Index, style: &Style) -> String {
        let page = Writer { index, style };
        match self {
            Self::IsA(is_a) => verdict(is_a, style),
            Self::Hypernyms(above) => {
                page.relatives(above, ["hypernym", "hypernyms"], ["parent", "parents"])
            }
            Self::Hyponyms(below) => {
                page.relatives(below, ["hyponym", "hyponyms"], ["child", "children"])
            }
            Self::Meet(standing) => page.meet(standing),
            Self::Join(standing) => page.join(standing),
            Self::Expr(standing) => page.expression(standing),
            Self::Complement(complement) => page.complement(complement),
            Self::Nearest(nearest) => similar(nearest, style),
            Self::Explain(explanation) => explanation.text(style),
            Self::Describe(description) => description.text(index, style),
            Self::Formal(formal) => page.formal(formal),
            Self::Search(result) => search(result),
            Self::Picture(picture) => drawing(picture),
        }
    }

    /// The answer in one line, for a file of questions. Tabs stand between names.
    pub fn line(&self) -> String {
        match self {
            Self::IsA(is_a) => if is_a.is_a { "yes" } else { "no" }.to_owned(),
            Self::Hypernyms(list) | Self::Hyponyms(list) => list.concepts.join("\t"),
            Self::Meet(standing) | Self::Expr(standing) => standing.most_general_below.join("\t"),
            Self::Join(standing) => standing.nearest_above.join("\t"),
            Self::Complement(complement) => complement.disjoint.join("\t"),
            Self::Nearest(nearest) => {
                tabbed(nearest.concepts.iter().map(|scored| &*scored.concept))
            }
            Self::Search(result) => tabbed(result.concepts.iter().map(|found| &*found.concept)),
            Self::Formal(formal) => formal.extent.join("\t"),
            Self::Explain(why) if why.is_a => format!("yes: {}", why.chain.join(" → ")),
            Self::Explain(why) => {
                let bits: Vec<u16> = why.missing.iter().map(|missing| missing.bit).collect();
                format!("no: lacks {}", numbers(&bits))
            }
            Self::Describe(description) => description.code.clone(),
            Self::Picture(picture) => tabbed(picture.text.lines()),
        }
    }
}

impl Explanation {
    /// The answer and its reasons, in several lines.
    pub fn text(&self, style: &Style) -> String {
        let (child, parent) = (visible(&self.child), visible(&self.parent));
        if self.is_a {
            return format!(
                "{}: {child} is-a {parent}\n  {}\n  {parent} has {}, and {child} has them all\n",
                style.bold("yes"),
                joined(&self.chain, " → "),
                counted(self.shared.len(), "bit"),
            );
        }
        let mut text = format!("{}: {child} is not {parent}\n", style.bold("no"));
        for missing in &self.missing {
            let source = source(missing, &self.parent);
            let _ =
                writeln!(text, "  {child} lacks bit {}, which {parent} has {source}", missing.bit);
        }
        let _ = writeln!(text, "  what both are: {}", or_nothing(&self.lowest_common_hypernyms));
        text
    }
}

impl Description {
    /// All about a concept, in several lines. The labels of its children are taken from the index.
    pub fn text(&self, index: &Index, style: &Style) -> String {
        let mut text = style.bold(&visible(&self.concept));
        if let Some(label) = &self.label {
            let _ = write!(text, "  {}", visible(label));
        }
        let circles = self.code.replace('1', "●").replace('0', "○");
        let _ = writeln!(text, "\n  {circles}");
        if let Some(definition) = &self.definition {
            let _ = writeln!(text, "  {}", visible(definition));
        }
        let others: Vec<String> = self.other_names().map(str::to_owned).collect();
        if !others.is_empty() {
            let _ = writeln!(text, "  also called {}", joined(&others, ", "));
        }
        let (above, below) =
            (counted_u64(self.hypernyms, "hypernym"), counted_u64(self.hyponyms, "hyponym"));
        let _ = writeln!(text, "  is-a {} ({above} in all)", or_nothing(&self.parents));
        let _ =
            writeln!(text, "  covers {below}; information content {:.2}", self.information_content);
        for bit in &self.bits {
            let _ = writeln!(text, "  bit {:<4} {}", bit.bit, source(bit, &self.concept));
        }
        if !self.children.is_empty() {
            text += "  directly below:\n";
            text += &Writer { index, style }.rows(&self.children);
        }
        text
    }
}

impl Description {
    /// Synonyms and alternative ids, without what the label says already.
    fn other_names(&self) -> impl Iterator<Item = &str> {
        let label = self.label.as_deref().unwrap_or_default();
        let said = move |name: &&str| label == *name || label.split(", ").any(|part| part == *name);
        let names = self.synonyms.iter().chain(&self.aliases).map(String::as_str);
        names.filter(move |name| !said(name))
    }
}

/// Writes what lists concepts: their labels are in the index.
struct Writer<'a> {
    index: &'a Index,
    style: &'a Style,
}

impl Writer<'_> {
    /// A concept a row with its label, and how many were left out.
    fn rows(&self, names: &[String]) -> String {
        let shown = &names[..names.len().min(self.style.rows)];
        let width = shown.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(40);
        let hierarchy = self.index.hierarchy();
        let mut text = String::new();
        for name in shown {
            let label = hierarchy.id(name).and_then(|concept| hierarchy.label(concept));
            let (name, label) = (visible(name), visible(label.unwrap_or_default()));
            let row = format!("  {name:<width$}  {label}");
            let _ = writeln!(text, "{}", row.trim_end());
        }
        if shown.len() < names.len() {
            let more = grouped(names.len() - shown.len());
            let _ = writeln!(text, "  … and {more} more{}", self.style.rest);
        }
        text
    }

    /// `kind` and `nearest` are what one and many of them are called.
    fn relatives(&self, list: &Relatives, kind: [&str; 2], nearest: [&str; 2]) -> String {
        let [one, many] = if list.nearest { nearest } else { kind };
        let (head, count) =
            (self.style.bold(&visible(&list.concept)), counted_with(list.count, one, many));
        format!("{head}: {count}\n{}", self.rows(&list.concepts))
    }

    /// What is all of some concepts. (What is above the code is no answer here: together, the bits
    /// of two concepts may cover those of a third.)
    fn meet(&self, standing: &Standing) -> String {
        let head = self.style.bold(&joined(&standing.of, " & "));
        match (&standing.named[..], standing.count) {
            (_, 0) => format!("{head}: nothing is all of this\n"),
            ([], count) => {
                let below = counted(count, "concept");
                let rows = self.rows(&standing.most_general_below);
                format!("{head}: {below}, the most general:\n{rows}")
            }
            (named, count) => {
                let below = counted(count - 1, "concept");
                format!("{head}: {}, with {below} below\n", joined(named, ", "))
            }
        }
    }

    fn join(&self, standing: &Standing) -> String {
        let head = self.style.bold(&joined(&standing.of, " | "));
        let count = counted(standing.nearest_above.len(), "lowest common hypernym");
        format!("{head}: {count}\n{}", self.rows(&standing.nearest_above))
    }

    fn expression(&self, standing: &Standing) -> String {
        let head = self.style.bold(&joined(&standing.of, " "));
        let mut text = format!("{head}\n  bits   {}\n", numbers(&standing.bits));
        if !standing.named.is_empty() {
            let _ = writeln!(text, "  is     {}", joined(&standing.named, ", "));
        }
        let _ = writeln!(text, "  has all bits of    {}", or_nothing(&standing.nearest_above));
        if standing.count == 0 {
            return text + "  nothing has all its bits\n";
        }
        let below = counted(standing.count, "concept");
        let _ = writeln!(text, "  {below} with all its bits, the most general:");
        text + &self.rows(&standing.most_general_below)
    }

    fn complement(&self, complement: &Complement) -> String {
        let head = self.style.bold(&format!("not {}", visible(&complement.concept)));
        let unlike = counted(complement.count, "concept");
        let disjoint = counted(complement.disjoint_count, "concept");
        format!(
            "{head}\n  no attribute in common: {unlike}\n  \
             no hyponym in common: {disjoint}, the most general:\n{}",
            self.rows(&complement.disjoint),
        )
    }

    fn formal(&self, formal: &Formal) -> String {
        let (head, bits) = (self.style.bold(&visible(&formal.concept)), numbers(&formal.intent));
        let extent = counted(formal.count, "concept");
        format!("{head}\n  intent  bits {bits}\n  extent  {extent}\n{}", self.rows(&formal.extent))
    }
}

fn verdict(answer: &IsA, style: &Style) -> String {
    let (child, parent) = (visible(&answer.child), visible(&answer.parent));
    match answer.is_a {
        true => format!("{}: {child} is-a {parent}\n", style.bold("yes")),
        false => format!("{}: {child} is not {parent}\n", style.bold("no")),
    }
}

fn similar(nearest: &Nearest, style: &Style) -> String {
    let mut text = format!("{} by {}\n", style.bold(&visible(&nearest.concept)), nearest.by);
    for scored in &nearest.concepts {
        let _ = writeln!(text, "  {:<7.4} {}", scored.score, visible(&scored.concept));
    }
    text
}

fn search(SearchResult { text, concepts }: &SearchResult) -> String {
    if concepts.is_empty() {
        return format!("nothing is spelt like {text:?}\n");
    }
    let width = concepts.iter().map(|found| found.concept.chars().count()).max().unwrap_or(0);
    concepts
        .iter()
        .map(|found| format!("{:<width$}  {}\n", visible(&found.concept), visible(&found.found)))
        .collect()
}

fn drawing(picture: &Picture) -> String {
    match picture.left_out {
        0 => picture.text.clone(),
        more => {
            format!("{}… and {}\n", picture.text, counted_with(more, "more child", "more children"))
        }
    }
}

/// Where a concept has a bit from.
fn source(bit: &Bit, concept: &str) -> String {
    let own = bit.from.iter().any(|name| name == concept);
    let source =
        if own { "of its own".to_owned() } else { format!("from {}", joined(&bit.from, ", ")) };
    match bit.owners.saturating_sub(bit.from.len()) {
        0 => source,
        others => format!("{source} ({} use it elsewhere)", counted(others, "other")),
    }
}

fn counted_u64(count: u64, thing: &str) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), thing)
}

/// Names in a row, as a terminal may show them.
fn joined(names: &[String], between: &str) -> String {
    names.iter().map(|name| visible(name)).collect::<Vec<_>>().join(between)
}

fn or_nothing(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { joined(names, ", ") }
}

fn numbers(bits: &[u16]) -> String {
    if bits.is_empty() {
        return "none".to_owned();
    }
    bits.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
}

fn tabbed(parts: impl Iterator<Item = impl Borrow<str>>) -> String {
    parts.collect::<Vec<_>>().join("\t")
}
