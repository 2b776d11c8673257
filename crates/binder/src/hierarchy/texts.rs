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
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
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

impl<'a> FromIterator<&'a str> for Texts {
    fn from_iter<T: IntoIterator<Item = &'a str>>(texts: T) -> Self {
        let mut list = Self::default();
        for text in texts {
            list.push(text);
        }
        list
    }
}
