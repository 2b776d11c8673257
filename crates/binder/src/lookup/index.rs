use std::cmp::Reverse;

use fst::automaton::Str;
use fst::{Automaton, IntoStreamer, Map, Streamer};

use super::identifier::{halves, is_in_namespace, spellings};
use super::inflection::other_numbers;
use super::keys::Keys;
use super::spelling::normal;
use super::{Hit, Match, search};
use crate::bits::Id;
use crate::hierarchy::Hierarchy;

/// An index of everything that concepts are called: names, alternative ids, labels and synonyms.
///
/// Case is ignored, and words may be joined by spaces, `_` or `-`. A label with commas (`dog,
/// domestic dog`) counts as several. All keys, and what follows each word in them, are in one
/// finite-state transducer, so a search visits only keys with a matching prefix.
pub struct NameIndex {
    /// From a key to its range in `entries`: the start, times 2³², plus the length.
    map: Map<Vec<u8>>,
    entries: Vec<Entry>,
    /// For each concept, how many are below it in a spanning forest: a measure of how likely it is
    /// to be meant that takes no time on any hierarchy.
    below: Vec<u32>,
}

/// A concept under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// Whether the key starts inside the text, at a word after the first.
    pub(super) inside: bool,
    pub(super) concept: Id,
    pub(super) by: Match,
    /// The place among the concepts with this key, or [`NO_RANK`].
    pub(super) rank: u32,
}

/// The rank where the source has none: after all others.
pub(super) const NO_RANK: u32 = u32::MAX;

/// What a text may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meanings {
    /// How the text leads to the first concept.
    pub by: Match,
    /// The concepts, the likeliest first; never empty.
    pub concepts: Vec<Id>,
}

impl std::fmt::Debug for NameIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NameIndex").field("keys", &self.map.len()).finish_non_exhaustive()
    }
}

impl NameIndex {
    /// The names of a hierarchy's concepts.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let (map, entries) = Keys::of(hierarchy).sorted();
        Self { map, entries, below: below(hierarchy) }
    }

    /// What a text may mean in the hierarchy that the index was made from; `None` if it is not
    /// known. The [module](super) says in which order ways are tried.
    pub fn meanings(&self, text: &str, hierarchy: &Hierarchy) -> Option<Meanings> {
        self.whole(text, hierarchy).or_else(|| self.beginning_with(&normal(text)))
    }

    /// The same for whole names only: a text that is the beginning of a name is not known. This is
    /// for programs, where a cut-off name is a mistake and not a habit.
    pub fn whole(&self, text: &str, hierarchy: &Hierarchy) -> Option<Meanings> {
        let one = |by| move |concept| Meanings { by, concepts: vec![concept] };
        if let Some(concept) = hierarchy.id(text) {
            return Some(one(Match::Name)(concept));
        }
        let known = |name: String| hierarchy.id(&name);
        if let Some(concept) = spellings(text).into_iter().find_map(known) {
            return Some(one(Match::Identifier)(concept));
        }
        let key = normal(text);
        let in_other_number =
            || other_numbers(&key).into_iter().find_map(|key| self.called(&key, |_| true));
        self.called(&key, |_| true)
            .or_else(|| self.in_namespace(text, hierarchy))
            .or_else(in_other_number)
    }

    /// The concepts that are called exactly `key`, the likeliest first.
    fn called(&self, key: &str, wanted: impl Fn(Id) -> bool) -> Option<Meanings> {
        let entries = self.map.get(key).map(|value| self.group(value))?;
        let whole = entries.iter().filter(|entry| !entry.inside && wanted(entry.concept));
        self.ordered(whole.copied().collect())
    }

    /// The meanings of a CURIE whose prefix is not known.
    fn in_namespace(&self, text: &str, hierarchy: &Hierarchy) -> Option<Meanings> {
        let (prefix, local) = halves(text)?;
        let wanted = |concept| is_in_namespace(hierarchy.name(concept), prefix);
        let found = self.called(&normal(local), wanted)?;
        Some(Meanings { by: Match::Identifier, ..found })
    }

    fn beginning_with(&self, key: &str) -> Option<Meanings> {
        if key.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        self.each(Str::new(key).starts_with(), |_, value| {
            found.extend(self.group(value).iter().filter(|entry| !entry.inside).copied());
        });
        let found = self.ordered(found)?;
        Some(Meanings { by: Match::Beginning, ..found })
    }

    fn ordered(&self, mut entries: Vec<Entry>) -> Option<Meanings> {
        let likelihood = |entry: &Entry| (entry.by, entry.rank, Reverse(self.below(entry.concept)));
        entries.sort_by_key(|entry| (likelihood(entry), entry.concept));
        let by = entries.first()?.by;
        let mut seen = hashbrown::HashSet::new();
        let concepts = entries.into_iter().map(|entry| entry.concept);
        Some(Meanings { by, concepts: concepts.filter(|&concept| seen.insert(concept)).collect() })
    }

    /// The concepts that are called much like a text, the best match first: those that are called
    /// so, then those whose name starts with it, then those with a word that starts with it, then
    /// those with all its words in any order, then those with one typing error (two if the text has
    /// more than four letters). Among equal matches the source's rank decides, then the length,
    /// then how many concepts are below.
    pub fn search(&self, text: &str, most: usize) -> Vec<Hit> {
        search::search(self, text, most)
    }

    pub(super) fn each(&self, automaton: impl Automaton, mut each: impl FnMut(&str, u64)) {
        let mut stream = self.map.search(automaton).into_stream();
        while let Some((key, value)) = stream.next() {
            each(std::str::from_utf8(key).expect("keys were strings"), value);
        }
    }

    /// The entries of a key, by what the transducer has for it.
    pub(super) fn group(&self, value: u64) -> &[Entry] {
        let part = |value: u64| {
            usize::try_from(value & u64::from(u32::MAX)).expect("an index fits in usize")
        };
        &self.entries[part(value >> 32)..][..part(value)]
    }

    /// The value of a key in the transducer.
    pub(super) fn value(&self, key: &str) -> Option<u64> {
        self.map.get(key)
    }

    /// How many concepts are below one in the spanning forest.
    pub(super) fn below(&self, concept: Id) -> u32 {
        self.below[concept as usize]
    }

    /// The number of concepts.
    pub(super) fn concepts(&self) -> usize {
        self.below.len()
    }
}

/// For each concept, how many are below it when each counts for its last parent only.
fn below(hierarchy: &Hierarchy) -> Vec<u32> {
    let mut below = vec![0u32; hierarchy.len()];
    for concept in hierarchy.ids().rev() {
        if let Some(&parent) = hierarchy.parents(concept).last() {
            below[parent as usize] += below[concept as usize] + 1;
        }
    }
    below
}
