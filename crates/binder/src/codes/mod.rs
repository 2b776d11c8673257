//! Bit codes: one row of bits per concept, and the same bits by columns.
//!
//! `a` is-a `b` when `a`'s code has every bit of `b`'s: `code(a) & code(b) == code(b)`. Five concepts, three bits:
//!
//! ```text
//!         animal 000          rows ([`Codes`])      columns ([`Columns`])
//!        /        \           animal  0 0 0         bit 0: pet, cat, puppy
//!    pet 100     dog 010      pet     1 0 0         bit 1: dog, puppy
//!     /    \      /           cat     1 0 1         bit 2: cat
//! cat 101   puppy 110         dog     0 1 0
//!                             puppy   1 1 0         puppy ⊇ pet, puppy ⊇ dog, cat ⊉ dog: the third bit tells
//! ```                                               cat from a pet in general.
//!
//! Rows answer "is `a` a `b`?" in one cache line. Columns answer "who is below `b`?" for 512 concepts at a time.

mod columns;
pub mod kernels;
mod near;
mod rowset;
mod transpose;

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;

pub(crate) use columns::BLOCK;
pub use columns::{Columns, Partners};
pub use rowset::RowSet;
pub(crate) use rowset::ones;
pub(crate) use transpose::transpose;

use crate::Error;
use crate::hierarchy::Id;

/// The widest code.
pub const MAX_BITS: usize = 4096;

/// `len` codes of `bits` bits each, row by row in 64-bit words.
///
/// Bit `j` of a row is bit `j % 64` of its word `j / 64`. Bits past the last are zero, so rows compare and hash as
/// words.
#[derive(Debug, Clone)]
pub struct Codes {
    words: Words,
    len: usize,
    /// From 1 to [`MAX_BITS`].
    bits: usize,
    /// Words a row: `bits` divided by 64, rounded up.
    stride: usize,
}

#[derive(Debug, Clone)]
enum Words {
    Owned(Vec<u64>),
    /// Words inside a mapped file, in this machine's byte order and aligned; `bytes` says where.
    Mapped {
        map: Arc<memmap2::Mmap>,
        bytes: std::ops::Range<usize>,
    },
}

/// Words per row for codes of `bits` bits.
pub(crate) fn stride(bits: usize) -> usize {
    bits.div_ceil(64)
}

impl Codes {
    /// `len` codes of `bits` zero bits.
    pub fn zeros(len: usize, bits: usize) -> Result<Self, Error> {
        Self::check(bits, &[])?;
        Self::from_words(bits, vec![0; len * stride(bits)])
    }

    /// Codes from their words; the bits past the last must be zero.
    pub fn from_words(bits: usize, words: Vec<u64>) -> Result<Self, Error> {
        Self::check(bits, &words)?;
        let stride = stride(bits);
        Ok(Self { len: words.len() / stride, bits, stride, words: Words::Owned(words) })
    }

    /// Codes that stay in a mapped file. The bytes must be aligned and in this machine's byte order.
    pub(crate) fn mapped(
        bits: usize,
        map: Arc<memmap2::Mmap>,
        bytes: std::ops::Range<usize>,
    ) -> Result<Self, Error> {
        let words: &[u64] = bytemuck::cast_slice(&map[bytes.clone()]);
        Self::check(bits, words)?;
        let stride = stride(bits);
        Ok(Self { len: words.len() / stride, bits, stride, words: Words::Mapped { map, bytes } })
    }

    fn check(bits: usize, words: &[u64]) -> Result<(), Error> {
        if bits == 0 || bits > MAX_BITS {
            return Err(Error::Bits(bits));
        }
        let stride = stride(bits);
        if !words.len().is_multiple_of(stride) {
            return Err(Error::Words { words: words.len(), stride });
        }
        let past = !last_word_mask(bits);
        match words.chunks_exact(stride).position(|row| row[stride - 1] & past != 0) {
            Some(row) => Err(Error::Padding { row, bits }),
            None => Ok(()),
        }
    }

    /// How many codes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bits a code has.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// How many words a row has.
    pub fn words_per_row(&self) -> usize {
        self.stride
    }

    /// All words, row by row.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::Owned(words) => words,
            Words::Mapped { map, bytes } => bytemuck::cast_slice(&map[bytes.clone()]),
        }
    }

    /// All words, to be written; codes in a mapped file are copied first. The bits past the last must stay zero.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.owned()
    }

    fn owned(&mut self) -> &mut Vec<u64> {
        if let Words::Mapped { .. } = self.words {
            self.words = Words::Owned(self.words().to_vec());
        }
        match &mut self.words {
            Words::Owned(words) => words,
            Words::Mapped { .. } => unreachable!("just copied"),
        }
    }

    /// The code of a concept.
    #[inline]
    pub fn row(&self, id: Id) -> &[u64] {
        let start = id as usize * self.stride;
        &self.words()[start..start + self.stride]
    }

    /// All codes in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, u64> {
        self.words().chunks_exact(self.stride)
    }

    /// Whether a concept has a bit.
    pub fn get(&self, id: Id, bit: usize) -> bool {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        self.row(id)[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Gives a concept a bit, or takes it.
    pub fn set(&mut self, id: Id, bit: usize, on: bool) {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        let at = id as usize * self.stride + bit / 64;
        let word = &mut self.words_mut()[at];
        *word = *word & !(1 << (bit % 64)) | u64::from(on) << (bit % 64);
    }

    /// Gives a concept every bit of another.
    pub fn inherit(&mut self, child: Id, parent: Id) {
        for word in 0..self.stride {
            let above = self.row(parent)[word];
            let at = child as usize * self.stride + word;
            self.words_mut()[at] |= above;
        }
    }

    /// Whether the child's code has every bit of the parent's.
    #[inline]
    pub fn is_a(&self, child: Id, parent: Id) -> bool {
        let words = self.words();
        match self.stride {
            1 => fixed_is_a::<1>(words, child, parent),
            2 => fixed_is_a::<2>(words, child, parent),
            3 => fixed_is_a::<3>(words, child, parent),
            4 => fixed_is_a::<4>(words, child, parent),
            _ => covers(self.row(child), self.row(parent)),
        }
    }

    /// All concepts whose code has every bit of `code`, by a scan of all rows.
    pub fn supersets(&self, code: &[u64]) -> RowSet {
        self.scan(code, kernels::best().supersets)
    }

    /// All concepts whose code has no bit beyond those of `code`, by a scan of all rows.
    pub fn subsets(&self, code: &[u64]) -> RowSet {
        self.scan(code, kernels::best().subsets)
    }

    fn scan(&self, code: &[u64], kernel: kernels::RowScan) -> RowSet {
        assert_eq!(code.len(), self.stride, "a code of another width");
        let mut found = RowSet::empty(self.len);
        kernel(self.words(), code, found.words_mut());
        found
    }

    /// For each bit, how many of `concepts` have it.
    pub fn column_counts(&self, concepts: &[Id]) -> Vec<u32> {
        let mut counts = vec![0; self.stride * 64];
        (kernels::best().column_counts)(self.words(), self.stride, concepts, &mut counts);
        counts.truncate(self.bits);
        counts
    }

    /// How many unordered pairs of concepts have equal codes.
    pub fn equal_pairs(&self) -> u64 {
        let hasher = hashbrown::DefaultHashBuilder::default();
        let mut seen: HashTable<(&[u64], u64)> = HashTable::with_capacity(self.len);
        let mut pairs = 0;
        for row in self.rows() {
            let entry =
                seen.entry(hasher.hash_one(row), |(other, _)| *other == row, |(row, _)| hasher.hash_one(row));
            let (_, times) = entry.or_insert((row, 0)).into_mut();
            pairs += *times;
            *times += 1;
        }
        pairs
    }

    /// The same codes with more bits, all zero.
    pub(crate) fn widened(&self, more: usize) -> Result<Self, Error> {
        let mut wider = Self::zeros(self.len, self.bits + more)?;
        let stride = wider.stride;
        for (row, wide) in self.rows().zip(wider.words_mut().chunks_exact_mut(stride)) {
            wide[..self.stride].copy_from_slice(row);
        }
        Ok(wider)
    }

    /// Appends the code of one more concept; it must be as wide as the others.
    pub(crate) fn push(&mut self, code: &[u64]) {
        assert_eq!(code.len(), self.stride, "a code of another width");
        self.owned().extend_from_slice(code);
        self.len += 1;
    }

    /// The codes of `order`'s concepts, in that order.
    pub(crate) fn reordered(&self, order: &[Id]) -> Self {
        let words = order.iter().flat_map(|&id| self.row(id)).copied().collect();
        Self { words: Words::Owned(words), len: order.len(), ..*self }
    }
}

impl PartialEq for Codes {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits && self.words() == other.words()
    }
}

impl Eq for Codes {}

/// Ones where the last word of a row may have them.
pub(crate) fn last_word_mask(bits: usize) -> u64 {
    u64::MAX >> (stride(bits) * 64 - bits)
}

/// Whether `child` has every bit of `parent`: the meaning of everything in this module.
#[inline]
pub fn covers(child: &[u64], parent: &[u64]) -> bool {
    child.iter().zip(parent).all(|(child, parent)| parent & !child == 0)
}

/// [`covers`] for rows of a width known at compile time: no loop, no branch.
#[inline]
fn fixed_is_a<const W: usize>(words: &[u64], child: Id, parent: Id) -> bool {
    let (rows, _) = words.as_chunks::<W>();
    let (child, parent) = (&rows[child as usize], &rows[parent as usize]);
    let mut missing = 0;
    for word in 0..W {
        missing |= parent[word] & !child[word];
    }
    missing == 0
}

/// The first bit that `parent` has and `child` lacks.
#[inline]
pub(crate) fn missing_bit(child: &[u64], parent: &[u64]) -> Option<u16> {
    if let (&[child, child_2], &[parent, parent_2]) = (child, parent) {
        // The usual width, without a loop.
        let (first, second) = (parent & !child, parent_2 & !child_2);
        let (start, bits) = if first == 0 { (64, second) } else { (0, first) };
        return if bits == 0 { None } else { u16::try_from(start + bits.trailing_zeros()).ok() };
    }
    let missing = child.iter().zip(parent).map(|(child, parent)| parent & !child);
    let (word, bits) = missing.enumerate().find(|&(_, bits)| bits != 0)?;
    u16::try_from(word * 64 + bits.trailing_zeros() as usize).ok()
}
