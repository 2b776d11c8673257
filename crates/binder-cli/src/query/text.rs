//! Answers as people read them.

use std::fmt::Write as _;
use std::io::IsTerminal;

use binder::query::{About, Bit, Index, NotThat, Place, Scored, Why};

use super::answer::Answer;
use super::args::Question;
use crate::output::{bold, counted, grouped};

/// The most names listed on a terminal, unless a limit was given.
const ON_TERMINAL: usize = 40;

/// An answer in several lines.
pub(crate) fn text(index: &Index, answer: &Answer, question: &Question) -> String {
    match answer {
        Answer::IsA { child, parent, is_a } => match is_a {
            true => format!("{}: {child} is-a {parent}\n", bold("yes")),
            false => format!("{}: {child} is not {parent}\n", bold("no")),
        },
        Answer::Hypernyms(list) | Answer::Hyponyms(list) => {
            format!(
                "{}: {}\n{}",
                bold(&list.concept),
                kind(answer, question, list.count),
                rows(index, &list.concepts)
            )
        }
        Answer::Meet(place) => meet(index, place),
        Answer::Join(place) => join(index, place),
        Answer::Expr(place) => stands(index, place),
        Answer::Complement(not) => not_that(index, not),
        Answer::Nearest { concept, by, concepts } => {
            let line = |scored: &Scored| format!("  {:<7.4} {}\n", scored.score, scored.concept);
            format!("{} by {by}\n{}", bold(concept), concepts.iter().map(line).collect::<String>())
        }
        Answer::Explain(why) => explain(why),
        Answer::Describe(about) => describe(index, about),
        Answer::Formal { concept, intent, count, extent } => {
            let extent_size = counted(*count, "concept");
            format!(
                "{}\n  intent  bits {}\n  extent  {extent_size}\n{}",
                bold(concept),
                numbers(intent),
                rows(index, extent)
            )
        }
        Answer::Search { text, concepts } if concepts.is_empty() => {
            format!("nothing is spelt like {text:?}\n")
        }
        Answer::Search { concepts, .. } => {
            let width =
                concepts.iter().map(|found| found.concept.chars().count()).max().unwrap_or(0);
            concepts
                .iter()
                .map(|found| format!("{:<width$}  {}\n", found.concept, found.found))
                .collect()
        }
        Answer::Picture { text, left_out: 0, .. } => text.clone(),
        Answer::Picture { text, left_out, .. } => {
            format!(
                "{text}… and {}\n",
                counted(*left_out, "more child").replace("childs", "children")
            )
        }
    }
}

/// "12 hyponyms", "3 children".
fn kind(answer: &Answer, question: &Question, count: usize) -> String {
    let nearest =
        matches!(question, Question::Hypernyms(list) | Question::Hyponyms(list) if list.nearest);
    let (one, many) = match (answer, nearest) {
        (Answer::Hypernyms(_), true) => ("parent", "parents"),
        (Answer::Hypernyms(_), false) => ("hypernym", "hypernyms"),
        (_, true) => ("child", "children"),
        (_, false) => ("hyponym", "hyponyms"),
    };
    crate::output::counted_with(count, one, many)
}

/// A concept a line with its label; on a terminal not more than one can look at.
fn rows(index: &Index, names: &[String]) -> String {
    let most = if std::io::stdout().is_terminal() { ON_TERMINAL } else { usize::MAX };
    let shown = &names[..names.len().min(most)];
    let width = shown.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for name in shown {
        let label = index.hierarchy().id(name).and_then(|concept| index.hierarchy().label(concept));
        let line = format!("  {name:<width$}  {}", label.unwrap_or_default());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if shown.len() < names.len() {
        let _ = writeln!(
            text,
            "  … and {} more; piped elsewhere all are printed",
            grouped(names.len() - shown.len())
        );
    }
    text
}

/// What is all of some concepts. (What is above the code is no answer here: together, the bits of
/// two may cover those of a third.)
fn meet(index: &Index, place: &Place) -> String {
    let head = bold(&place.of.join(" & "));
    match (&place.named[..], place.count) {
        (_, 0) => format!("{head}: nothing is all of this\n"),
        ([], count) => {
            let covered = counted(count, "concept");
            format!(
                "{head}: {covered}, the most general:\n{}",
                rows(index, &place.most_general_below)
            )
        }
        (named, count) => {
            format!("{head}: {}, with {} below\n", named.join(", "), counted(count - 1, "concept"))
        }
    }
}

/// What some concepts have in common.
fn join(index: &Index, place: &Place) -> String {
    let count = counted(place.nearest_above.len(), "lowest common hypernym");
    format!("{}: {count}\n{}", bold(&place.of.join(" | ")), rows(index, &place.nearest_above))
}

/// Where the value of an expression stands.
fn stands(index: &Index, place: &Place) -> String {
    let mut text = format!("{}\n  bits   {}\n", bold(&place.of.join(" ")), numbers(&place.bits));
    if !place.named.is_empty() {
        let _ = writeln!(text, "  is     {}", place.named.join(", "));
    }
    let _ = writeln!(text, "  has all bits of    {}", or_nothing(&place.nearest_above));
    if place.count == 0 {
        return text + "  nothing has all its bits\n";
    }
    let _ = writeln!(
        text,
        "  {} with all its bits, the most general:",
        counted(place.count, "concept")
    );
    text + &rows(index, &place.most_general_below)
}

fn not_that(index: &Index, not: &NotThat) -> String {
    format!(
        "{}\n  no attribute in common: {}\n  no hyponym in common: {}, the most general:\n{}",
        bold(&format!("not {}", not.concept)),
        counted(not.count, "concept"),
        counted(not.disjoint_count, "concept"),
        rows(index, &not.disjoint),
    )
}

fn explain(why: &Why) -> String {
    let Why { child, parent, .. } = why;
    if why.is_a {
        let bits = counted(why.shared.len(), "bit");
        return format!(
            "{}: {child} is-a {parent}\n  {}\n  {parent} has {bits}, and {child} has them all\n",
            bold("yes"),
            why.chain.join(" → "),
        );
    }
    let mut text = format!("{}: {child} is not {parent}\n", bold("no"));
    for missing in &why.missing {
        let _ = writeln!(
            text,
            "  {child} lacks bit {}, which {parent} has {}",
            missing.bit,
            from(missing, parent)
        );
    }
    let _ = writeln!(text, "  what both are: {}", or_nothing(&why.lowest_common_hypernyms));
    text
}

/// Where a concept has a bit from.
fn from(bit: &Bit, concept: &str) -> String {
    let of_its_own = bit.from.iter().any(|name| name == concept);
    let source =
        if of_its_own { "of its own".to_owned() } else { format!("from {}", bit.from.join(", ")) };
    match bit.owners.saturating_sub(bit.from.len()) {
        0 => source,
        others => format!("{source} ({} use it elsewhere)", counted(others, "other")),
    }
}

fn describe(index: &Index, about: &About) -> String {
    let mut text = bold(&about.concept);
    if let Some(label) = &about.label {
        let _ = write!(text, "  {label}");
    }
    let circles = about.code.replace('1', "●").replace('0', "○");
    let _ = writeln!(text, "\n  {circles}");
    if !about.aliases.is_empty() {
        let _ = writeln!(text, "  also called {}", about.aliases.join(", "));
    }
    let _ = writeln!(
        text,
        "  is-a {} ({} in all)",
        or_nothing(&about.parents),
        counted_u64(about.hypernyms, "hypernym")
    );
    let covered = counted_u64(about.hyponyms, "hyponym");
    let _ =
        writeln!(text, "  covers {covered}; information content {:.2}", about.information_content);
    for bit in &about.bits {
        let _ = writeln!(text, "  bit {:<4} {}", bit.bit, from(bit, &about.concept));
    }
    if !about.children.is_empty() {
        let _ = writeln!(text, "  directly below:");
        text += &rows(index, &about.children);
    }
    text
}

fn counted_u64(count: u64, thing: &str) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), thing)
}

fn or_nothing(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn numbers(bits: &[u16]) -> String {
    if bits.is_empty() {
        "none".to_owned()
    } else {
        bits.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// An answer in one line, for a file of questions: names are parted by tabs.
pub(crate) fn line(answer: &Answer) -> String {
    match answer {
        Answer::IsA { is_a, .. } => if *is_a { "yes" } else { "no" }.to_owned(),
        Answer::Hypernyms(list) | Answer::Hyponyms(list) => list.concepts.join("\t"),
        Answer::Meet(place) | Answer::Expr(place) => place.most_general_below.join("\t"),
        Answer::Join(place) => place.nearest_above.join("\t"),
        Answer::Complement(not) => not.disjoint.join("\t"),
        Answer::Nearest { concepts, .. } => joined(concepts.iter().map(|scored| &scored.concept)),
        Answer::Search { concepts, .. } => joined(concepts.iter().map(|found| &found.concept)),
        Answer::Formal { extent, .. } => extent.join("\t"),
        Answer::Explain(why) if why.is_a => format!("yes: {}", why.chain.join(" → ")),
        Answer::Explain(why) => {
            let bits: Vec<u16> = why.missing.iter().map(|missing| missing.bit).collect();
            format!("no: lacks {}", numbers(&bits))
        }
        Answer::Describe(about) => about.code.clone(),
        Answer::Picture { text, .. } => text.lines().collect::<Vec<_>>().join("\t"),
    }
}

fn joined(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    names.fold(String::new(), |line, name| {
        if line.is_empty() { name.as_ref().to_owned() } else { line + "\t" + name.as_ref() }
    })
}
