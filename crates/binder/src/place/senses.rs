//! From a name to the concepts that are called so, the likeliest first.

use hashbrown::HashMap;

use super::words::{Word, key, words};
use crate::bits::Id;
use crate::hierarchy::Hierarchy;

/// No name of more words is looked for in a text.
pub(super) const LONGEST_NAME: usize = 5;

/// The concepts of every name.
#[derive(Debug, Default)]
pub(super) struct Senses {
    /// By the key of the name; (rank, concept), ascending.
    by_key: HashMap<String, Vec<(u32, Id)>>,
}

impl Senses {
    /// The names of all concepts of a hierarchy.
    pub(super) fn new(hierarchy: &Hierarchy) -> Self {
        let mut by_key: HashMap<String, Vec<(u32, Id)>> = HashMap::new();
        for concept in hierarchy.ids() {
            for (name, rank) in names(hierarchy, concept) {
                let key = key(&words(name));
                if !key.is_empty() {
                    by_key.entry(key).or_default().push((rank, concept));
                }
            }
        }
        for senses in by_key.values_mut() {
            senses.sort_unstable();
            let mut seen = Vec::new();
            senses.retain(|&(_, concept)| {
                let new = !seen.contains(&concept);
                seen.push(concept);
                new
            });
        }
        Self { by_key }
    }

    /// The concepts called so, with the likeliest first.
    pub(super) fn of(&self, key: &str) -> &[(u32, Id)] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// The longest known name that ends at the end of a phrase; or, where there is none, of the
    /// phrase without its last word, and so on. Where it is in the phrase, and its key.
    pub(super) fn ending(&self, phrase: &[Word]) -> Option<(std::ops::Range<usize>, String)> {
        (1..=phrase.len()).rev().find_map(|end| {
            let first = end.saturating_sub(LONGEST_NAME);
            (first..end).find_map(|start| {
                let key = key(&phrase[start..end]);
                self.by_key.contains_key(&key).then_some((start..end, key))
            })
        })
    }

    /// The known names in a text, from left to right: the longest at each place.
    pub(super) fn mentioned(&self, text: &[Word]) -> Vec<(std::ops::Range<usize>, String)> {
        let (mut found, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let last = text.len().min(start + LONGEST_NAME);
            let name = (start + 1..=last).rev().find_map(|end| {
                let key = key(&text[start..end]);
                self.by_key.contains_key(&key).then_some((start..end, key))
            });
            start = name.as_ref().map_or(start + 1, |(range, _)| range.end);
            found.extend(name);
        }
        found
    }
}

/// What a concept is called, and its place among those that are called so, 0 if nobody says. The
/// label comes first, unless it only lists the synonyms, as in WordNet: `dog, domestic dog`. A
/// concept without a label and synonyms is called by its name.
pub(super) fn names(hierarchy: &Hierarchy, concept: Id) -> Vec<(&str, u32)> {
    let synonyms: Vec<(&str, u32)> =
        hierarchy.synonyms(concept).map(|synonym| (synonym.text, synonym.rank)).collect();
    match hierarchy.label(concept) {
        Some(label) if !lists(label, &synonyms) => {
            let others = synonyms.into_iter().filter(|(text, _)| *text != label);
            std::iter::once((label, 0)).chain(others).collect()
        }
        None if synonyms.is_empty() => vec![(hierarchy.name(concept), 0)],
        _ => synonyms,
    }
}

/// Whether a label is nothing but the synonyms, with commas between them.
fn lists(label: &str, synonyms: &[(&str, u32)]) -> bool {
    let mut rest = Some(label);
    for (at, (text, _)) in synonyms.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        rest = rest.and_then(|rest| rest.strip_prefix(comma)?.strip_prefix(text));
    }
    rest == Some("") && !synonyms.is_empty()
}

/// What a concept is called first of all.
pub(super) fn first_name(hierarchy: &Hierarchy, concept: Id) -> &str {
    names(hierarchy, concept).first().map_or("", |(name, _)| name)
}
