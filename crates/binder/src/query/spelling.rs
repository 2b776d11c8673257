//! How texts are compared: case and word separators are ignored, and typing errors are tolerated.

use fst::Automaton;

/// Longer prefixes are compared only up to this many letters, because the automaton grows with the
/// length.
pub(super) const LONGEST: usize = 16;

/// The number of typing errors, and the number of letters from the first difference on.
pub(super) type Unlike = (usize, usize);

/// The text in lower case, with words separated by one space.
pub(super) fn normal(text: &str) -> String {
    let mut key = String::new();
    push_normal(&mut key, text);
    key
}

pub(super) fn push_normal(key: &mut String, text: &str) {
    let start = key.len();
    for char in text.chars() {
        if char.is_whitespace() || matches!(char, '_' | '-') {
            if key.len() > start && !key.ends_with(' ') {
                key.push(' ');
            }
        } else if char.is_ascii() {
            key.push(char.to_ascii_lowercase());
        } else {
            key.extend(char.to_lowercase());
        }
    }
    if key.len() > start && key.ends_with(' ') {
        key.pop();
    }
}

/// How much the prefix of a key differs from the text searched for: the distance, and the number of
/// letters from the first difference on. People seldom mistype the first letter.
pub(super) fn likeness(wanted: &[char], key: &str) -> Unlike {
    let same = wanted.iter().zip(key.chars()).take_while(|(a, b)| **a == *b).count();
    (distance(wanted, key), wanted.len() - same)
}

/// The minimum number of edits that turn `wanted` into a prefix of `key`. An edit inserts, deletes
/// or replaces a letter, or swaps two adjacent ones.
fn distance(wanted: &[char], key: &str) -> usize {
    let key: Vec<char> = key.chars().take(wanted.len() + 2).collect();
    // rows[j][i]: the edits that turn the first i letters of `wanted` into the first j of `key`.
    let mut rows: Vec<Vec<usize>> = vec![(0..=wanted.len()).collect()];
    for (j, letter) in key.iter().enumerate() {
        let mut row = vec![j + 1];
        for (i, other) in wanted.iter().enumerate() {
            let change = rows[j][i] + usize::from(letter != other);
            let swapped = i > 0 && j > 0 && (wanted[i - 1], *other) == (*letter, key[j - 1]);
            let swap = if swapped { rows[j - 1][i - 1] + 1 } else { usize::MAX };
            row.push(change.min(rows[j][i + 1] + 1).min(row[i] + 1).min(swap));
        }
        rows.push(row);
    }
    rows.iter().map(|row| row[wanted.len()]).min().unwrap_or(0)
}

/// Accepts keys with a prefix that is at most `typos` edits away from a text.
///
/// Its state is a row of the table that [`distance`] fills. The automaton of the fst crate computes
/// all states in advance, which takes three of the four milliseconds of a search. This one computes
/// only the rows that keys reach. It works on bytes, so a letter of two bytes counts twice; the
/// final ranking uses `distance`.
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
        let letters = |wanted: &str, key| distance(&wanted.chars().collect::<Vec<_>>(), key);
        assert_eq!(letters("retriever", "retriever.n.01"), 0);
        assert_eq!(letters("retreiver", "retriever.n.01"), 1);
        assert_eq!(letters("dgo", "dog"), 1);
        assert_eq!(letters("", "dog"), 0);
        assert_eq!(letters("dog", ""), 3);
    }

    #[test]
    fn word_separators_are_equal() {
        assert_eq!(normal("  Golden_retriever--DOG "), "golden retriever dog");
        assert_eq!(normal("_-"), "");
    }
}
