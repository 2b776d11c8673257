use std::ops::{BitAnd, BitXor, SubAssign};

use crate::hierarchy::{Id, id};

/// A set of concepts as one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowSet {
    /// Bits past `len` are zero.
    words: Vec<u64>,
    len: usize,
}

impl RowSet {
    /// Every concept out of `len`.
    pub fn all(len: usize) -> Self {
        let mut words = vec![u64::MAX; len.div_ceil(64)];
        if let Some(last) = words.last_mut() {
            *last >>= words_gap(len);
        }
        Self { words, len }
    }

    /// No concept out of `len`.
    pub fn empty(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Whether no concept is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many concepts are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a concept is in the set.
    pub fn contains(&self, concept: Id) -> bool {
        let concept = concept as usize;
        concept < self.len && self.words[concept / 64] >> (concept % 64) & 1 == 1
    }

    /// Puts a concept into the set.
    pub fn insert(&mut self, concept: Id) {
        assert!((concept as usize) < self.len, "concept {concept} of {}", self.len);
        self.words[concept as usize / 64] |= 1 << (concept % 64);
    }

    /// Takes a concept out of the set.
    pub fn remove(&mut self, concept: Id) {
        if let Some(word) = self.words.get_mut(concept as usize / 64) {
            *word &= !(1 << (concept % 64));
        }
    }

    /// The concepts in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Id> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| ones(word).map(move |bit| id(at * 64) + bit))
    }

    /// The words, to be filled by kernels; bits past the last concept must stay zero.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

impl BitXor for RowSet {
    type Output = Self;

    /// The concepts in one set but not in both.
    fn bitxor(mut self, other: Self) -> Self {
        assert_eq!(self.len, other.len, "sets of the same concepts");
        self.words.iter_mut().zip(other.words).for_each(|(word, other)| *word ^= other);
        self
    }
}

impl BitAnd for RowSet {
    type Output = Self;

    /// The concepts in both sets.
    fn bitand(mut self, other: Self) -> Self {
        assert_eq!(self.len, other.len, "sets of the same concepts");
        self.words.iter_mut().zip(other.words).for_each(|(word, other)| *word &= other);
        self
    }
}

impl SubAssign<&Self> for RowSet {
    /// Takes the concepts of another set out of this one.
    fn sub_assign(&mut self, other: &Self) {
        assert_eq!(self.len, other.len, "sets of the same concepts");
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }
}

/// Bits of the last word that stand for no concept.
fn words_gap(len: usize) -> usize {
    len.next_multiple_of(64) - len
}

/// The positions of the ones in a word, ascending.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}
