use fst::Automaton;
use fst::automaton::Str;
use hashbrown::HashMap;

use super::index::Entry;
use super::inflection::other_numbers;
use super::spelling::{LONGEST, Misspelt, Unlike, likeness, normal};
use super::{Match, NameIndex};
use crate::bits::{Id, IdSet};

/// A search result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The number of letters that differ from the text searched for.
    pub typos: usize,
    /// Whether it was found by a word after the first.
    pub inside: bool,
    /// How the text leads to the concept.
    pub by: Match,
    /// The part of its name, label or synonym that was found, in lower case.
    pub text: String,
    /// The concept.
    pub concept: Id,
}

/// How well a key matches a text, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// It is the text.
    Whole,
    /// It is the text in another number.
    OtherNumber,
    /// It starts with the text.
    Start,
    /// A later word in it starts with the text.
    Inside,
    /// The concept has all words of the text, in any order.
    AnyOrder,
    /// It is the text with typing errors.
    Misspelt,
    /// It starts with the text, or a word in it does, with typing errors.
    MisspeltStart,
    MisspeltInside,
}

/// What decides the order of hits, the first field first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Quality {
    class: Class,
    unlike: Unlike,
    /// For whole texts, the kind of match.
    by: Option<Match>,
    rank: u32,
    /// The length first; after typing errors, the likeliest concept first.
    weight: (u32, u32),
    /// Position and length of the key in the texts of [`BestHits`].
    start: usize,
    length: usize,
    found_by: Match,
}

/// What is spelt like the text.
const NO_ERROR: Unlike = (0, false);

/// See [`NameIndex::search`].
pub(super) fn search(names: &NameIndex, text: &str, most: usize) -> Vec<Hit> {
    let key = normal(text);
    if key.is_empty() {
        return Vec::new();
    }
    let mut best = BestHits { names, of: HashMap::new(), texts: String::new() };
    names.each(Str::new(&key).starts_with(), |found, value| {
        let class = if found.len() == key.len() { Class::Whole } else { Class::Start };
        best.add(class, NO_ERROR, found, names.group(value));
    });
    for other in other_numbers(&key) {
        if let Some(value) = names.value(&other) {
            best.add(Class::OtherNumber, NO_ERROR, &other, names.group(value));
        }
    }
    if best.of.len() < most && key.contains(' ') {
        in_any_order(&key, &mut best);
    }
    if best.of.len() < most {
        misspelt(&key, &mut best);
    }
    best.first(most)
}

/// Adds the concepts that have all words of the text, in any order and each in any of their names.
fn in_any_order(key: &str, best: &mut BestHits<'_>) {
    let names = best.names;
    let with = |word: &str| {
        let mut found = IdSet::new(names.concepts());
        names.each(Str::new(word).starts_with(), |_, value| {
            found.extend(names.group(value).iter().map(|entry| entry.concept));
        });
        found
    };
    let found = key.split(' ').map(with).reduce(|all, one| all & one);
    let Some(found) = found.filter(|found| !found.is_empty()) else { return };
    // The longest word is the rarest, more likely than not.
    let longest = key.split(' ').max_by_key(|word| word.len()).unwrap_or(key);
    names.each(Str::new(longest).starts_with(), |text, value| {
        let entries = names.group(value).iter().filter(|entry| found.contains(entry.concept));
        best.add(Class::AnyOrder, NO_ERROR, text, &entries.copied().collect::<Vec<_>>());
    });
}

/// Adds keys with a misspelt prefix. Prefixes with two adjacent letters swapped, or with `f` for
/// `ph`, are tried directly, because the automaton would count two errors. The automaton finds the
/// others.
fn misspelt(key: &str, best: &mut BestHits<'_>) {
    let names = best.names;
    let wanted: Vec<char> = key.chars().take(LONGEST).collect();
    let mut near: Vec<String> = Vec::new();
    for at in 1..wanted.len() {
        let mut swapped = wanted.clone();
        swapped.swap(at - 1, at);
        near.push(swapped.into_iter().collect());
    }
    let text: String = wanted.iter().collect();
    near.extend(["f", "ph"].into_iter().zip(["ph", "f"]).flat_map(|(from, to)| {
        let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
        places
            .into_iter()
            .map(|at| format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
            .collect::<Vec<_>>()
    }));
    for other in near {
        names.each(Str::new(&other).starts_with(), |found, value| {
            best.add_misspelt(&wanted, found, names.group(value));
        });
    }
    names.each(Misspelt::new(&wanted), |found, value| {
        best.add_misspelt(&wanted, found, names.group(value));
    });
}

/// The best hit of each concept.
struct BestHits<'a> {
    names: &'a NameIndex,
    of: HashMap<Id, Quality>,
    texts: String,
}

impl BestHits<'_> {
    fn add_misspelt(&mut self, wanted: &[char], text: &str, entries: &[Entry]) {
        let (whole, unlike) = likeness(wanted, text);
        let class = if whole { Class::Misspelt } else { Class::MisspeltStart };
        self.add(class, unlike, text, entries);
    }

    fn add(&mut self, class: Class, unlike: Unlike, text: &str, entries: &[Entry]) {
        let start = self.texts.len();
        self.texts += text;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        for &Entry { inside, concept, by, rank } in entries {
            let rare = u32::MAX - self.names.below(concept);
            let class = match class {
                Class::Start | Class::Whole | Class::OtherNumber if inside => Class::Inside,
                Class::Misspelt | Class::MisspeltStart if inside => Class::MisspeltInside,
                class => class,
            };
            let is_whole = matches!(class, Class::Whole | Class::OtherNumber);
            let weight = if class < Class::Misspelt { (length, rare) } else { (rare, length) };
            let new = Quality {
                class,
                unlike,
                by: is_whole.then_some(by),
                rank: if is_whole { rank } else { 0 },
                weight,
                start,
                length: text.len(),
                found_by: match class {
                    Class::Whole | Class::OtherNumber => by,
                    Class::Start => Match::Beginning,
                    _ => Match::Similar,
                },
            };
            // Texts come in order, so the first of two equally good ones stays.
            self.of.entry(concept).and_modify(|old| *old = new.min(*old)).or_insert(new);
        }
    }

    fn first(self, most: usize) -> Vec<Hit> {
        let text = |of: &Quality| &self.texts[of.start..of.start + of.length];
        let mut hits: Vec<_> = self.of.iter().map(|(&concept, &hit)| (hit, concept)).collect();
        let order = |(hit, concept): &(Quality, Id)| {
            let Quality { class, unlike, by, rank, weight, .. } = *hit;
            ((class, unlike, by), (rank, weight), text(hit), *concept)
        };
        if most < hits.len() {
            hits.select_nth_unstable_by(most, |a, b| order(a).cmp(&order(b)));
            hits.truncate(most);
        }
        hits.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let hit = |(of, concept): (Quality, Id)| Hit {
            typos: of.unlike.0,
            inside: matches!(of.class, Class::Inside | Class::AnyOrder | Class::MisspeltInside),
            by: of.found_by,
            text: text(&of).to_owned(),
            concept,
        };
        hits.into_iter().map(hit).collect()
    }
}
