use rayon::prelude::*;

use crate::bits::Id;

/// A list of strings in one allocation. Each string costs its bytes and eight more, which matters
/// for ten million names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// All strings, one after the other without separators.
    text: String,
    /// Where string `i` ends; it starts where string `i - 1` ends. Never decreasing.
    ends: Vec<usize>,
}

impl Texts {
    /// An empty list with room for `count` strings of `bytes` bytes in all.
    pub fn with_capacity(count: usize, bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ends: Vec::with_capacity(count) }
    }

    /// A list of the strings that follow one another in a text, by their lengths; `None` unless the
    /// lengths end at the end of the text, and none inside a letter.
    pub(crate) fn from_lengths(text: String, lengths: impl Iterator<Item = u32>) -> Option<Self> {
        let mut end = 0usize;
        let ends = lengths.map(|length| {
            end = end.checked_add(length as usize)?;
            text.is_char_boundary(end).then_some(end)
        });
        let ends: Vec<usize> = ends.collect::<Option<_>>()?;
        (end == text.len()).then_some(Self { text, ends })
    }

    /// The strings at the places that `order` lists, in that order.
    pub(crate) fn in_order(&self, order: &[Id]) -> Self {
        let mut bytes = 0;
        let ends = order.iter().map(|&at| {
            bytes += self.ends[at as usize] - self.start(at as usize);
            bytes
        });
        let ends: Vec<usize> = ends.collect();
        let mut text = vec![0; bytes];
        let (mut pieces, mut rest, mut start) = (Vec::new(), text.as_mut_slice(), 0);
        for (places, ends) in order.chunks(PIECE).zip(ends.chunks(PIECE)) {
            let end = ends.last().copied().unwrap_or(start);
            let (piece, after) = rest.split_at_mut(end - start);
            pieces.push((places, piece));
            (rest, start) = (after, end);
        }
        pieces.into_par_iter().for_each(|(places, mut piece)| {
            for &at in places {
                let string = self.get(at as usize).as_bytes();
                let (here, after) = piece.split_at_mut(string.len());
                here.copy_from_slice(string);
                piece = after;
            }
        });
        let text = String::from_utf8(text).expect("strings one after the other are a string");
        Self { text, ends }
    }

    /// Appends a string.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// The string at `index`.
    ///
    /// # Panics
    ///
    /// When there is no such string.
    pub fn get(&self, index: usize) -> &str {
        &self.text[self.start(index)..self.ends[index]]
    }

    /// Where the string at `index` starts.
    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] }
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The bytes of all strings, one after the other without separators.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Where each string ends within [`bytes`](Self::bytes).
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }
}

/// The number of strings that a thread copies at a time.
const PIECE: usize = 1 << 14;

impl<'a> FromIterator<&'a str> for Texts {
    fn from_iter<T: IntoIterator<Item = &'a str>>(texts: T) -> Self {
        let mut list = Self::default();
        for text in texts {
            list.push(text);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn strings_are_copied_in_any_order(
            strings in proptest::collection::vec(".{0,4}", 1..50), places in any::<[u16; 40]>()
        ) {
            let texts: Texts = strings.iter().map(String::as_str).collect();
            let order: Vec<Id> = (places.iter().cycle().take(2 * PIECE + 5))
                .map(|&at| Id::from(at) % crate::bits::id(strings.len()))
                .collect();
            let wanted: Texts = order.iter().map(|&at| strings[at as usize].as_str()).collect();
            prop_assert_eq!(texts.in_order(&order), wanted);
        }
    }
}
