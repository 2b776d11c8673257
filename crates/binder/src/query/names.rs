use hashbrown::HashMap;

use fst::automaton::Str;
use fst::{Automaton, IntoStreamer, Map, Streamer};
use rayon::prelude::*;

use super::QueryError;
use super::spelling::{LONGEST, Misspelt, Unlike, likeness, normal, push_normal};
use crate::bits::Id;
use crate::hierarchy::Hierarchy;

/// An index of names, aliases and labels. It finds them by prefix and by the prefix of any word in
/// them, and tolerates typing errors.
///
/// Case is ignored, and words may be joined by spaces, `_` or `-`. A label with commas (`dog,
/// domestic dog`) counts as several. All keys are in one finite-state transducer, so a search
/// visits only keys with a matching prefix.
pub struct NameIndex {
    /// From a key to its range in `entries`: the start, times 2³², plus the length.
    map: Map<Vec<u8>>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Whether the key starts inside the text, at a word after the first.
    inside: bool,
    concept: Id,
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The number of letters that differ from the text searched for.
    pub typos: usize,
    /// Whether it was found by a word after the first.
    pub inside: bool,
    /// The part of its name, alias or label that was found, in lower case.
    pub text: String,
    /// The concept.
    pub concept: Id,
}

impl std::fmt::Debug for NameIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NameIndex").field("keys", &self.map.len()).finish_non_exhaustive()
    }
}

/// The maximum number of candidates that an error lists.
const LISTED: usize = 5;

impl NameIndex {
    /// The names of a hierarchy's concepts.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let mut keys = Keys::default();
        for concept in hierarchy.ids() {
            keys.add(hierarchy.name(concept), concept);
            if let Some(label) = hierarchy.label(concept) {
                keys.add(label, concept);
                let parts = label.split(", ").filter(|part| part.len() < label.len());
                parts.for_each(|part| keys.add(part, concept));
            }
        }
        hierarchy.aliases().iter().for_each(|(alias, concept)| keys.add(alias, concept));
        keys.sorted()
    }

    /// The concept of a text: a complete alias or label, or an unambiguous prefix. The hierarchy
    /// itself looks up complete names.
    pub(super) fn find(&self, text: &str, hierarchy: &Hierarchy) -> Result<Id, QueryError> {
        let key = normal(text);
        let whole = |value: u64| {
            self.group(value).iter().filter(|entry| !entry.inside).map(|entry| entry.concept)
        };
        let mut found: Vec<Id> = self.map.get(&key).into_iter().flat_map(whole).collect();
        if found.is_empty() && !key.is_empty() {
            self.each(Str::new(&key).starts_with(), |_, value| found.extend(whole(value)));
            found.sort_unstable();
            found.dedup();
        }
        match found[..] {
            [concept] => Ok(concept),
            [] => Err(self.unknown(text, hierarchy)),
            _ => {
                let candidates =
                    found.iter().take(LISTED).map(|&concept| hierarchy.name(concept).to_owned());
                Err(QueryError::Ambiguous {
                    name: text.to_owned(),
                    candidates: candidates.collect(),
                    count: found.len(),
                })
            }
        }
    }

    fn unknown(&self, text: &str, hierarchy: &Hierarchy) -> QueryError {
        let nearest =
            self.search(text, 3).into_iter().map(|hit| hierarchy.name(hit.concept).to_owned());
        QueryError::Unknown { name: text.to_owned(), nearest: nearest.collect() }
    }

    /// The concepts whose names are most similar to a text, the best match first: those whose name
    /// starts with it, then those with a word that starts with it, then those with one typing error
    /// (two if the text has more than four letters). Among equal matches, the shortest comes first.
    pub fn search(&self, text: &str, most: usize) -> Vec<Hit> {
        let key = normal(text);
        if key.is_empty() {
            return Vec::new();
        }
        let mut best = BestHits::default();
        self.each(Str::new(&key).starts_with(), |found, value| {
            best.add((0, 0), found, self.group(value));
        });
        if best.of.len() < most {
            self.misspelt(&key, &mut best);
        }
        best.first(most)
    }

    /// Adds keys with a misspelt prefix. Prefixes with two adjacent letters swapped are tried
    /// directly, because the automaton would count a swap as two errors. The automaton finds the
    /// others.
    fn misspelt(&self, key: &str, best: &mut BestHits) {
        let wanted: Vec<char> = key.chars().take(LONGEST).collect();
        for at in 1..wanted.len() {
            let mut swapped = wanted.clone();
            swapped.swap(at - 1, at);
            let swapped: String = swapped.into_iter().collect();
            self.each(Str::new(&swapped).starts_with(), |found, value| {
                best.add(likeness(&wanted, found), found, self.group(value));
            });
        }
        self.each(Misspelt::new(&wanted), |found, value| {
            best.add(likeness(&wanted, found), found, self.group(value));
        });
    }

    fn each(&self, automaton: impl Automaton, mut each: impl FnMut(&str, u64)) {
        let mut stream = self.map.search(automaton).into_stream();
        while let Some((key, value)) = stream.next() {
            each(std::str::from_utf8(key).expect("keys were strings"), value);
        }
    }

    fn group(&self, value: u64) -> &[Entry] {
        let part = |value: u64| {
            usize::try_from(value & u64::from(u32::MAX)).expect("an index fits in usize")
        };
        &self.entries[part(value >> 32)..][..part(value)]
    }
}

/// The best hit of each concept.
#[derive(Default)]
struct BestHits {
    /// The typing errors, whether it starts inside the text, the length, and the position in
    /// `texts`.
    of: HashMap<Id, (Unlike, bool, usize, usize)>,
    texts: String,
}

impl BestHits {
    fn add(&mut self, unlike: Unlike, text: &str, entries: &[Entry]) {
        let start = self.texts.len();
        self.texts += text;
        for &Entry { inside, concept } in entries {
            let new = (unlike, inside, text.len(), start);
            // Texts come in order, so the first of two equally good ones stays.
            self.of.entry(concept).and_modify(|old| *old = new.min(*old)).or_insert(new);
        }
    }

    fn first(self, most: usize) -> Vec<Hit> {
        let text = |start: usize, length: usize| &self.texts[start..start + length];
        let mut hits: Vec<_> = self.of.iter().map(|(&concept, &hit)| (hit, concept)).collect();
        let order = |&((unlike, inside, length, start), concept): &(_, Id)| {
            (unlike, inside, length, text(start, length), concept)
        };
        if most < hits.len() {
            hits.select_nth_unstable_by(most, |a, b| order(a).cmp(&order(b)));
            hits.truncate(most);
        }
        hits.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let hit = |(((typos, _), inside, length, start), concept)| Hit {
            typos,
            inside,
            text: text(start, length).to_owned(),
            concept,
        };
        hits.into_iter().map(hit).collect()
    }
}

/// Collects keys for the transducer. Each text is stored in `text` once; the keys that start at its
/// later words are slices of it.
#[derive(Default)]
struct Keys {
    text: String,
    spans: Vec<(std::ops::Range<usize>, Entry)>,
}

impl Keys {
    /// Adds a text as a key, and the rest of it from each later word as further keys.
    fn add(&mut self, text: &str, concept: Id) {
        let start = self.text.len();
        push_normal(&mut self.text, text);
        let end = self.text.len();
        let mut push = |start, inside| self.spans.push((start..end, Entry { inside, concept }));
        push(start, false);
        let spaces = memchr::memchr_iter(b' ', &self.text.as_bytes()[start..]);
        spaces.for_each(|at| push(start + at + 1, true));
    }

    fn sorted(mut self) -> NameIndex {
        let text = &self.text;
        let key = |span: &std::ops::Range<usize>| &text[span.clone()];
        self.spans
            .par_sort_unstable_by(|(a, one), (b, other)| key(a).cmp(key(b)).then(one.cmp(other)));
        self.spans.dedup_by(|(a, one), (b, other)| key(a) == key(b) && one == other);
        let mut start = 0u64;
        let groups = self.spans.chunk_by(|(a, _), (b, _)| key(a) == key(b)).map(|group| {
            let value = start << 32 | group.len() as u64;
            start += group.len() as u64;
            (key(&group[0].0), value)
        });
        let map = Map::from_iter(groups).expect("keys are sorted and distinct");
        NameIndex { map, entries: self.spans.iter().map(|(_, entry)| *entry).collect() }
    }
}
