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
            keys.add_name(hierarchy.name(concept), concept);
            if let Some(label) = hierarchy.label(concept) {
                keys.add_label(label, concept);
            }
        }
        for (alias, concept) in hierarchy.aliases().iter() {
            keys.add(alias, concept, Match::Name, NO_RANK);
        }
        for (concept, synonym) in hierarchy.all_synonyms().iter() {
            let rank = if synonym.rank == 0 { NO_RANK } else { synonym.rank };
            keys.add(synonym.text, concept, synonym.scope.into(), rank);
        }
        keys
    }

    /// A name, and the word in it: `dog` of `dog.n.01`, `Medical Clinic` of
    /// `http://schema.org/MedicalClinic`.
    fn add_name(&mut self, name: &str, concept: Id) {
        self.add(name, concept, Match::Name, NO_RANK);
        if let Some((lemma, number)) = sense(name) {
            return self.add(lemma, concept, Match::Label, number);
        }
        let local = local_name(name);
        if local.len() < name.len() {
            self.add(local, concept, Match::Label, NO_RANK);
        }
        if let Some(words) = camel_words(local) {
            self.add(&words, concept, Match::Label, NO_RANK);
        }
    }

    /// A label. One with commas, such as `dog, domestic dog`, is several.
    fn add_label(&mut self, label: &str, concept: Id) {
        self.add(label, concept, Match::Label, NO_RANK);
        let parts = label.split(", ").filter(|part| part.len() < label.len());
        parts.for_each(|part| self.add(part, concept, Match::Label, NO_RANK));
    }

    /// Adds a text as a key, and the rest of it from each later word as further keys.
    fn add(&mut self, text: &str, concept: Id, by: Match, rank: u32) {
        let start = self.text.len();
        push_normal(&mut self.text, text);
        let end = self.text.len();
        let mut push = |start, inside| {
            self.spans.push((start..end, Entry { inside, concept, by, rank }));
        };
        push(start, false);
        let spaces = memchr::memchr_iter(b' ', &self.text.as_bytes()[start..]);
        spaces.for_each(|at| push(start + at + 1, true));
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
