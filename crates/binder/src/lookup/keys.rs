//! The keys under which concepts are found.

use std::ops::Range;

use fst::Map;
use rayon::prelude::*;

use super::Match;
use super::identifier::local_name;
use super::index::{Entry, NO_RANK};
use super::spelling::push_normal;
use crate::bits::Id;
use crate::hierarchy::Hierarchy;

/// Collects keys for the transducer. Each text is stored in `text` once; the keys that start at its
/// later words are slices of it.
#[derive(Default)]
pub(super) struct Keys {
    text: String,
    spans: Vec<(Range<usize>, Entry)>,
}

impl Keys {
    /// Everything that the concepts of a hierarchy are called.
    pub(super) fn of(hierarchy: &Hierarchy) -> Self {
        let mut keys = Self::default();
        for concept in hierarchy.ids() {
            keys.add_name(hierarchy.name(concept), concept, hierarchy.synonyms(concept).len() > 0);
            let label = hierarchy.label(concept).unwrap_or_default();
            keys.add_label(label, concept, hierarchy);
            for synonym in hierarchy.synonyms(concept) {
                let in_label = parts(label).any(|part| part == synonym.text);
                let by = if in_label { Match::Label } else { synonym.scope.into() };
                let rank = if synonym.rank == 0 { NO_RANK } else { synonym.rank };
                keys.add(synonym.text, Entry { by, rank, ..label_of(concept) });
            }
        }
        for (alias, concept) in hierarchy.aliases().iter() {
            keys.add(alias, Entry { by: Match::Name, ..label_of(concept) });
        }
        keys
    }

    /// A name, and the word in it: `dog` of `dog.n.01`, unless a synonym has it, and `Medical
    /// Clinic` of `http://schema.org/MedicalClinic`.
    fn add_name(&mut self, name: &str, concept: Id, has_synonyms: bool) {
        let label = label_of(concept);
        if let Some((lemma, rank)) = sense(name) {
            self.add_whole(name, Entry { by: Match::Name, ..label });
            if !has_synonyms {
                self.add(lemma, Entry { rank, ..label });
            }
            return;
        }
        self.add(name, Entry { by: Match::Name, ..label });
        let local = local_name(name);
        if local.len() < name.len() {
            self.add(local, label);
        }
        if let Some(words) = camel_words(local) {
            self.add(&words, label);
        }
    }

    /// A label. One with commas, such as `dog, domestic dog`, is several; those that are synonyms
    /// too are added with these.
    fn add_label(&mut self, label: &str, concept: Id, hierarchy: &Hierarchy) {
        if label.is_empty() {
            return;
        }
        self.add_whole(label, label_of(concept));
        for part in parts(label) {
            if !hierarchy.synonyms(concept).any(|synonym| synonym.text == part) {
                self.add(part, label_of(concept));
            }
        }
    }

    /// Adds a text as a key, and the rest of it from each later word as further keys.
    fn add(&mut self, text: &str, entry: Entry) {
        let span = self.add_whole(text, entry);
        for at in memchr::memchr_iter(b' ', &self.text.as_bytes()[span.clone()]) {
            let later = span.start + at + 1..span.end;
            self.spans.push((later, Entry { inside: true, ..entry }));
        }
    }

    /// Adds a text as a key.
    fn add_whole(&mut self, text: &str, entry: Entry) -> Range<usize> {
        let start = self.text.len();
        push_normal(&mut self.text, text);
        let span = start..self.text.len();
        self.spans.push((span.clone(), entry));
        span
    }

    /// The transducer and the entries of all keys. Where a concept has a key in several ways, the
    /// surest way and the smallest rank stay.
    pub(super) fn sorted(self) -> (Map<Vec<u8>>, Vec<Entry>) {
        let Self { text, mut spans } = self;
        let key = |span: &Range<usize>| &text[span.clone()];
        spans.par_sort_unstable_by(|(a, one), (b, other)| key(a).cmp(key(b)).then(one.cmp(other)));
        spans.dedup_by(|(a, later), (b, first)| {
            let same = (first.inside, first.concept) == (later.inside, later.concept);
            let same = same && key(a) == key(b);
            if same {
                first.rank = first.rank.min(later.rank);
            }
            same
        });
        let mut start = 0u64;
        let groups = spans.chunk_by(|(a, _), (b, _)| key(a) == key(b)).map(|group| {
            let value = start << 32 | group.len() as u64;
            start += group.len() as u64;
            (key(&group[0].0), value)
        });
        let map = Map::from_iter(groups).expect("keys are sorted and distinct");
        (map, spans.iter().map(|(_, entry)| *entry).collect())
    }
}

/// An entry for the label of a concept.
fn label_of(concept: Id) -> Entry {
    Entry { inside: false, concept, by: Match::Label, rank: NO_RANK }
}

/// What a label with commas is made of; the label itself if it has none.
fn parts(label: &str) -> impl Iterator<Item = &str> {
    label.split(", ")
}

/// The lemma and the number of a sense, if a name is one as NLTK writes it: `dog.n.01`.
fn sense(name: &str) -> Option<(&str, u32)> {
    let (rest, number) = name.rsplit_once('.')?;
    let (lemma, part) = rest.rsplit_once('.')?;
    let is_sense = matches!(part, "n" | "v" | "a" | "r" | "s") && number.len() >= 2;
    (is_sense && !lemma.is_empty()).then_some((lemma, number.parse().ok()?))
}

/// The words of a name in camel case, with spaces; `None` if it is one word or has spaces already.
fn camel_words(name: &str) -> Option<String> {
    let is_end = |(a, b): &(char, char)| a.is_lowercase() && b.is_uppercase();
    let letters = || name.chars().zip(name.chars().skip(1));
    if name.contains(char::is_whitespace) || !letters().any(|pair| is_end(&pair)) {
        return None;
    }
    let mut words: String = name.chars().take(1).collect();
    for (before, letter) in letters() {
        if is_end(&(before, letter)) {
            words.push(' ');
        }
        words.push(letter);
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_names() {
        assert_eq!(sense("dog.n.01"), Some(("dog", 1)));
        assert_eq!(sense("u.s.a.n.02"), Some(("u.s.a", 2)));
        assert_eq!(sense("version.2.01"), None);
        assert_eq!(sense(".n.01"), None);
        assert_eq!(camel_words("MedicalClinic").as_deref(), Some("Medical Clinic"));
        assert_eq!(camel_words("HPO"), None);
        assert_eq!(camel_words("dog"), None);
    }
}
