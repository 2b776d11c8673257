use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use super::{Id, id};

/// A set of concepts, one bit each.
///
/// # Examples
///
/// ```
/// use binder::bits::IdSet;
/// let mut pets = IdSet::new(5);
/// pets.extend([2, 4]);
/// let dogs = IdSet::from_ids(5, [3, 4]);
/// assert_eq!((&pets & &dogs).into_iter().collect::<Vec<_>>(), [4]);
/// assert_eq!((&pets | &dogs).len(), 3);
/// assert!(pets.contains(2) && !dogs.contains(2));
/// for id in &pets {
///     assert!(id == 2 || id == 4);
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdSet {
    /// Bit `id % 64` of word `id / 64` is one when `id` is in the set. Bits past `concepts` are
    /// zero, so that sets compare and count as words.
    words: Vec<u64>,
    /// The number of concepts the set was made for; every id in it is below this.
    concepts: usize,
}

impl IdSet {
    /// The empty set, with room for ids below `concepts`.
    pub fn new(concepts: usize) -> Self {
        Self { words: vec![0; concepts.div_ceil(64)], concepts }
    }

    /// The set of all ids below `concepts`.
    pub fn all(concepts: usize) -> Self {
        let mut words = vec![u64::MAX; concepts.div_ceil(64)];
        if let Some(last) = words.last_mut() {
            *last >>= concepts.next_multiple_of(64) - concepts;
        }
        Self { words, concepts }
    }

    /// The set of the given ids, all of which are below `concepts`.
    ///
    /// # Panics
    ///
    /// When an id is not below `concepts`.
    pub fn from_ids(concepts: usize, ids: impl IntoIterator<Item = Id>) -> Self {
        let mut set = Self::new(concepts);
        set.extend(ids);
        set
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many concepts are in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a concept is in the set.
    pub fn contains(&self, concept: Id) -> bool {
        let concept = concept as usize;
        concept < self.concepts && self.words[concept / 64] >> (concept % 64) & 1 == 1
    }

    /// Adds a concept to the set.
    ///
    /// # Panics
    ///
    /// When the id is not below the number of concepts that the set was made for.
    pub fn insert(&mut self, concept: Id) {
        assert!((concept as usize) < self.concepts, "concept {concept} of {}", self.concepts);
        self.words[concept as usize / 64] |= 1 << (concept % 64);
    }

    /// Removes a concept from the set, if it is there.
    pub fn remove(&mut self, concept: Id) {
        if let Some(word) = self.words.get_mut(concept as usize / 64) {
            *word &= !(1 << (concept % 64));
        }
    }

    /// The concepts in the set, ascending.
    pub fn iter(&self) -> Ids<std::iter::Copied<std::slice::Iter<'_, u64>>> {
        Ids::new(self.words.iter().copied())
    }

    /// The words, for kernels to fill. Bits past the last concept must stay zero.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    fn combine(&mut self, other: &Self, op: impl Fn(u64, u64) -> u64) {
        assert_eq!(self.concepts, other.concepts, "the sets are for different numbers of concepts");
        self.words.iter_mut().zip(&other.words).for_each(|(word, &other)| *word = op(*word, other));
    }
}

impl fmt::Debug for IdSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl Extend<Id> for IdSet {
    fn extend<T: IntoIterator<Item = Id>>(&mut self, ids: T) {
        ids.into_iter().for_each(|id| self.insert(id));
    }
}

/// An iterator over the concepts of an [`IdSet`], ascending.
#[derive(Debug, Clone)]
pub struct Ids<W> {
    /// The words that were not started yet, with their indices.
    words: std::iter::Enumerate<W>,
    /// The first concept of the current word.
    first: Id,
    /// The bits of the current word that were not returned yet.
    word: u64,
}

impl<W: Iterator<Item = u64>> Ids<W> {
    fn new(words: W) -> Self {
        Self { words: words.enumerate(), first: 0, word: 0 }
    }
}

impl<W: Iterator<Item = u64>> Iterator for Ids<W> {
    type Item = Id;

    #[inline]
    fn next(&mut self) -> Option<Id> {
        while self.word == 0 {
            let (at, word) = self.words.next()?;
            (self.first, self.word) = (id(at * 64), word);
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.first + bit)
    }
}

/// The words of a borrowed set.
type Borrowed<'a> = std::iter::Copied<std::slice::Iter<'a, u64>>;

impl<'a> IntoIterator for &'a IdSet {
    type Item = Id;
    type IntoIter = Ids<Borrowed<'a>>;

    fn into_iter(self) -> Ids<Borrowed<'a>> {
        self.iter()
    }
}

impl IntoIterator for IdSet {
    type Item = Id;
    type IntoIter = Ids<std::vec::IntoIter<u64>>;

    fn into_iter(self) -> Ids<std::vec::IntoIter<u64>> {
        Ids::new(self.words.into_iter())
    }
}

/// Implements a set operator by value, by reference and in place. The operators panic when the sets
/// were made for different numbers of concepts.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $op:expr) => {
        impl $assign<&IdSet> for IdSet {
            fn $assign_method(&mut self, other: &IdSet) {
                self.combine(other, $op);
            }
        }

        impl $trait for IdSet {
            type Output = IdSet;

            fn $method(mut self, other: IdSet) -> IdSet {
                self.combine(&other, $op);
                self
            }
        }

        impl $trait for &IdSet {
            type Output = IdSet;

            fn $method(self, other: &IdSet) -> IdSet {
                let mut result = self.clone();
                result.combine(other, $op);
                result
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

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
