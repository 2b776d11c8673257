//! A hierarchy as an indented tree, with codes as circles. A concept of several parents stands
//! below its first.

use binder::Id;
use binder::{Codes, Hierarchy};

use crate::visible;

/// ●●○○○○○○ for a code.
pub fn circles(codes: &Codes, concept: Id) -> String {
    (0..codes.bits()).map(|bit| if codes.get(concept, bit) { '●' } else { '○' }).collect()
}

/// Children that stand below a concept here.
pub fn children(hierarchy: &Hierarchy, parent: Id) -> impl DoubleEndedIterator<Item = Id> + '_ {
    let first = move |child: &Id| hierarchy.parents(*child).first() == Some(&parent);
    hierarchy.children(parent).iter().copied().filter(first)
}

/// The tree with lines: for each concept in turn, what stands before its name.
pub fn lines(hierarchy: &Hierarchy) -> Vec<(String, Id)> {
    let mut lines: Vec<(String, Id)> = Vec::new();
    // What is left to print: the lead of a concept's own line, that of those below it, and the concept.
    let mut open: Vec<(String, String, Id)> =
        hierarchy.roots().map(|root| (String::new(), String::new(), root)).collect();
    open.reverse();
    while let Some((own, below, concept)) = open.pop() {
        lines.push((own, concept));
        let last = children(hierarchy, concept).next_back();
        for child in children(hierarchy, concept).rev() {
            let (branch, rest) =
                if Some(child) == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((format!("{below}{branch}"), format!("{below}{rest}"), child));
        }
    }
    lines
}

/// The tree with lines, a concept and its code a line.
pub fn text(hierarchy: &Hierarchy, codes: &Codes) -> String {
    let named = |(lead, concept): (String, Id)| (lead + &visible(hierarchy.name(concept)), concept);
    let lines: Vec<(String, Id)> = lines(hierarchy).into_iter().map(named).collect();
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0) + 2;
    lines
        .iter()
        .map(|(line, concept)| format!("{line:<width$}{}\n", circles(codes, *concept)))
        .collect()
}
