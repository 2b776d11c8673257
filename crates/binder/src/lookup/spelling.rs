//! How texts are compared: case, word separators and the way letters are composed are ignored, and
//! typing errors are tolerated.

use fst::Automaton;
use unicode_normalization::UnicodeNormalization;

/// Longer prefixes are compared only up to this many letters, because the automaton grows with the
/// length.
pub(super) const LONGEST: usize = 16;

/// The number of typing errors, and whether the first letter is one of them.
pub(super) type Unlike = (usize, bool);

/// The text with its case folded, its letters composed, and words separated by one space.
pub(super) fn normal(text: &str) -> String {
    let mut key = String::new();
    push_normal(&mut key, text);
    key
}

pub(super) fn push_normal(key: &mut String, text: &str) {
    let start = key.len();
    if text.is_ascii() {
        text.chars().for_each(|char| push_char(key, start, char));
    } else {
        // macOS hands out names with accents apart from their letters, others with both in one.
        text.nfkc().for_each(|char| push_char(key, start, char));
    }
    if key.len() > start && key.ends_with(' ') {
        key.pop();
    }
}

fn push_char(key: &mut String, start: usize, char: char) {
    if char.is_whitespace() || matches!(char, '_' | '-') {
        if key.len() > start && !key.ends_with(' ') {
            key.push(' ');
        }
    } else if char.is_ascii() {
        key.push(char.to_ascii_lowercase());
    } else {
        // Through the upper case, ß is ss, and both small sigmas are one.
        key.extend(char.to_uppercase().flat_map(char::to_lowercase));
    }
}

/// How much a key, or the beginning of it, differs from the text searched for: whether the whole key
/// is as near as its beginning, the distance, and whether the first letter differs, which people
/// seldom mistype.
pub(super) fn likeness(wanted: &[char], key: &str) -> (bool, Unlike) {
    let (beginning, whole) = distances(wanted, key);
    (whole == Some(beginning), (beginning, key.chars().next() != wanted.first().copied()))
}

/// The minimum number of edits that turn `wanted` into a prefix of `key`, and into `key` itself
/// unless it is much longer. An edit inserts, deletes or replaces a letter, swaps two adjacent ones,
/// or writes `f` for `ph` or the other way round.
fn distances(wanted: &[char], key: &str) -> (usize, Option<usize>) {
    let mut left = key.chars();
    let key: Vec<char> = left.by_ref().take(wanted.len() + 2).collect();
    // rows[j][i]: the edits that turn the first i letters of `wanted` into the first j of `key`.
    let mut rows: Vec<Vec<usize>> = vec![(0..=wanted.len()).collect()];
    for (j, &letter) in key.iter().enumerate() {
        let mut row = vec![j + 1];
        for (i, &other) in wanted.iter().enumerate() {
            let before = (i.checked_sub(1).map(|i| wanted[i]), j.checked_sub(1).map(|j| key[j]));
            let mut least = rows[j][i] + usize::from(letter != other);
            least = least.min(rows[j][i + 1] + 1).min(row[i] + 1);
            if before == (Some(letter), Some(other)) {
                least = least.min(rows[j - 1][i - 1] + 1);
            }
            if (before.0, other, letter) == (Some('p'), 'h', 'f') {
                least = least.min(rows[j][i - 1] + 1);
            }
            if (other, before.1, letter) == ('f', Some('p'), 'h') {
                least = least.min(rows[j - 1][i] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    let to = |row: &Vec<usize>| row[wanted.len()];
    let whole = if left.next().is_none() { rows.last().map(to) } else { None };
    (rows.iter().map(to).min().unwrap_or(0), whole)
}

/// Accepts keys with a prefix that is at most `typos` edits away from a text.
///
/// Its state is a row of the table that [`distances`] fills. The automaton of the fst crate computes
/// all states in advance, which takes three of the four milliseconds of a search. This one computes
/// only the rows that keys reach. It works on bytes, so a letter of two bytes counts twice; the
/// final ranking uses `distances`.
pub(super) struct Misspelt {
    wanted: Vec<u8>,
    typos: u8,
}

/// `row[i]`: the edits that turn the first i bytes of the text into the bytes so far. `None` once a
/// prefix has matched.
pub(super) type MisspeltState = Option<[u8; 4 * LONGEST + 1]>;

impl Misspelt {
    pub(super) fn new(wanted: &[char]) -> Self {
        let typos = if wanted.len() > 4 { 2 } else { 1 };
        Self { wanted: wanted.iter().collect::<String>().into_bytes(), typos }
    }

    fn settled(&self, row: [u8; 4 * LONGEST + 1]) -> MisspeltState {
        (row[self.wanted.len()] > self.typos).then_some(row)
    }
}

impl Automaton for Misspelt {
    type State = MisspeltState;

    fn start(&self) -> MisspeltState {
        let mut row = [u8::MAX; 4 * LONGEST + 1];
        row.iter_mut()
            .zip(0..=self.wanted.len())
            .for_each(|(cell, i)| *cell = u8::try_from(i).unwrap_or(u8::MAX));
        self.settled(row)
    }

    fn is_match(&self, state: &MisspeltState) -> bool {
        state.is_none()
    }

    fn can_match(&self, state: &MisspeltState) -> bool {
        state.is_none_or(|row| row[..=self.wanted.len()].iter().any(|&cell| cell <= self.typos))
    }

    fn will_always_match(&self, state: &MisspeltState) -> bool {
        state.is_none()
    }

    fn accept(&self, state: &MisspeltState, byte: u8) -> MisspeltState {
        let row = (*state)?;
        let mut next = row;
        next[0] = row[0].saturating_add(1);
        for (i, &wanted) in self.wanted.iter().enumerate() {
            let change = row[i].saturating_add(u8::from(wanted != byte));
            next[i + 1] = change.min(row[i + 1].saturating_add(1)).min(next[i].saturating_add(1));
        }
        self.settled(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_to_prefixes() {
        let letters = |wanted: &str, key| distances(&wanted.chars().collect::<Vec<_>>(), key).0;
        assert_eq!(letters("retriever", "retriever.n.01"), 0);
        assert_eq!(letters("retreiver", "retriever.n.01"), 1);
        assert_eq!(letters("dgo", "dog"), 1);
        assert_eq!(letters("", "dog"), 0);
        assert_eq!(letters("dog", ""), 3);
        assert_eq!((letters("elefant", "elephant"), letters("phish", "fish")), (1, 1));
    }

    #[test]
    fn whole_keys_are_told_from_beginnings() {
        let like = |wanted: &str, key| likeness(&wanted.chars().collect::<Vec<_>>(), key);
        assert_eq!(like("dgo", "dog"), (true, (1, false)));
        assert_eq!(like("dgo", "dogma"), (false, (1, false)));
        assert_eq!(like("dgo", "do"), (true, (1, false)));
        assert_eq!(like("dgo", "go"), (true, (1, true)));
    }

    #[test]
    fn word_separators_are_equal() {
        assert_eq!(normal("  Golden_retriever--DOG "), "golden retriever dog");
        assert_eq!(normal("_-"), "");
    }

    #[test]
    fn letters_are_compared_whatever_their_case_and_composition() {
        assert_eq!(normal("Cafe\u{301}"), normal("CAFÉ"));
        assert_eq!(normal("STRASSE"), normal("Straße"));
        assert_eq!(normal("ΟΔΟΣ"), normal("οδος"));
        assert_eq!(normal("ﬁsh\u{3000}ｍｅａｌ"), "fish meal");
    }
}
