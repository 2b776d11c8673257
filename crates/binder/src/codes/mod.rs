//! Bit codes: one row of bits per concept, and the same bits by columns.
//!
//! `a` is-a `b` when `a`'s code has every bit of `b`'s: `code(a) & code(b) == code(b)`. Five
//! concepts, three bits:
//!
//! ```text
//!         animal 000          rows ([`Codes`])      columns ([`Columns`])
//!        /        \           animal  0 0 0         bit 0: pet, cat, puppy
//!    pet 100     dog 010      pet     1 0 0         bit 1: dog, puppy
//!     /    \      /           cat     1 0 1         bit 2: cat
//! cat 101   puppy 110         dog     0 1 0
//!                             puppy   1 1 0
//! ```
//!
//! Here puppy ⊇ pet, puppy ⊇ dog and cat ⊉ dog. Bit 2 separates pet from cat: a pet in general is
//! not a cat.
//!
//! Rows answer "is `a` a `b`?" with one cache line per code. Columns answer "which concepts are
//! below `b`?" for 512 concepts at a time.

mod columns;

use std::hash::BuildHasher;

use hashbrown::HashTable;

pub use columns::Columns;

use crate::bits::kernels::Kernels;
use crate::bits::{Code, Id, MAX_BITS, covers, last_word_mask, words_per_code};
use crate::memory::{self, MemoryError, Stage};

/// Why codes cannot be made, from words or of a given width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodesError {
    /// A code width that is not supported.
    #[error("{0} bits a code; choose from 1 to {MAX_BITS}")]
    Bits(usize),
    /// A number of words that is not a whole number of rows.
    #[error("{words} words are not a whole number of rows of {words_per_row} words")]
    Words {
        /// The number of words.
        words: usize,
        /// The number of words in a row.
        words_per_row: usize,
    },
    /// A padding bit that is set.
    #[error("row {row} has a bit set past the last of its {bits}")]
    Padding {
        /// The first such row.
        row: usize,
        /// The number of bits in a code.
        bits: usize,
    },
    /// Room for later versions that leaves no bits.
    #[error("{room} bits of room in codes of at most {most} bits; choose less room")]
    Room {
        /// The bits of room.
        room: usize,
        /// The largest number of bits that a code may have.
        most: usize,
    },
    /// Codes, or learning them, would take more memory than they may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Checks a code width.
///
/// # Errors
///
/// When `bits` is 0 or more than [`MAX_BITS`].
pub fn check_bits(bits: usize) -> Result<(), CodesError> {
    if bits == 0 || bits > MAX_BITS { Err(CodesError::Bits(bits)) } else { Ok(()) }
}

/// The codes of all concepts, row by row in 64-bit words.
///
/// Bit `j` of a row is bit `j % 64` of its word `j / 64`. Bits past the last are zero, so rows
/// compare and hash as words.
///
/// # Examples
///
/// ```
/// use binder::codes::Codes;
/// let mut codes = Codes::zeros(3, 2)?; // animal, pet, cat
/// codes.set(1, 0, true);
/// codes.set(2, 1, true);
/// codes.inherit(2, 1);
/// assert!(codes.is_a(2, 1) && codes.is_a(1, 0) && !codes.is_a(1, 2));
/// # Ok::<(), binder::codes::CodesError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Codes {
    words: Words,
    /// The number of rows; `words` has `len * stride` words.
    len: usize,
    /// From 1 to [`MAX_BITS`].
    bits: usize,
    /// Words per row: `bits` divided by 64, rounded up.
    stride: usize,
}

/// Where the words are.
#[derive(Debug, Clone)]
enum Words {
    Owned(Vec<u64>),
    /// In the range `bytes` of a mapped file, aligned and in this machine's byte order.
    #[cfg(feature = "mmap")]
    Mapped {
        map: std::sync::Arc<memmap2::Mmap>,
        bytes: std::ops::Range<usize>,
    },
}

impl Codes {
    /// `len` codes of `bits` zero bits.
    ///
    /// # Errors
    ///
    /// When codes cannot have that many bits.
    pub fn zeros(len: usize, bits: usize) -> Result<Self, CodesError> {
        Self::check(bits, &[])?;
        memory::check(Stage::Codes, (len as u64).saturating_mul(8 * words_per_code(bits) as u64))?;
        Self::from_words(bits, vec![0; len * words_per_code(bits)])
    }

    /// Codes from their words, row by row.
    ///
    /// # Errors
    ///
    /// When codes cannot have that many bits, when the words are not a whole number of rows, or
    /// when a bit past the last is set.
    pub fn from_words(bits: usize, words: Vec<u64>) -> Result<Self, CodesError> {
        Self::check(bits, &words)?;
        let stride = words_per_code(bits);
        Ok(Self { len: words.len() / stride, bits, stride, words: Words::Owned(words) })
    }

    /// Codes that stay in a mapped file. The bytes must be aligned and in this machine's byte
    /// order.
    #[cfg(feature = "mmap")]
    pub(crate) fn mapped(
        bits: usize,
        map: std::sync::Arc<memmap2::Mmap>,
        bytes: std::ops::Range<usize>,
    ) -> Result<Self, CodesError> {
        let words: &[u64] = bytemuck::cast_slice(&map[bytes.clone()]);
        Self::check(bits, words)?;
        let stride = words_per_code(bits);
        Ok(Self { len: words.len() / stride, bits, stride, words: Words::Mapped { map, bytes } })
    }

    fn check(bits: usize, words: &[u64]) -> Result<(), CodesError> {
        check_bits(bits)?;
        let stride = words_per_code(bits);
        if !words.len().is_multiple_of(stride) {
            return Err(CodesError::Words { words: words.len(), words_per_row: stride });
        }
        let past = !last_word_mask(bits);
        match words.chunks_exact(stride).position(|row| row[stride - 1] & past != 0) {
            Some(row) => Err(CodesError::Padding { row, bits }),
            None => Ok(()),
        }
    }

    /// The number of codes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no codes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of bits in a code.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The number of words in a row.
    pub fn words_per_row(&self) -> usize {
        self.stride
    }

    /// All words, row by row.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::Owned(words) => words,
            #[cfg(feature = "mmap")]
            Words::Mapped { map, bytes } => bytemuck::cast_slice(&map[bytes.clone()]),
        }
    }

    /// All words, for writing. Codes in a mapped file are copied to memory first. The bits past the
    /// last must stay zero.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.owned()
    }

    fn owned(&mut self) -> &mut Vec<u64> {
        #[cfg(feature = "mmap")]
        if let Words::Mapped { .. } = self.words {
            self.words = Words::Owned(self.words().to_vec());
        }
        match &mut self.words {
            Words::Owned(words) => words,
            #[cfg(feature = "mmap")]
            Words::Mapped { .. } => unreachable!("just copied"),
        }
    }

    /// The code of a concept, as words.
    ///
    /// # Panics
    ///
    /// When there is no such concept.
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
    ///
    /// # Panics
    ///
    /// When there is no such concept or no such bit.
    pub fn get(&self, id: Id, bit: usize) -> bool {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        self.row(id)[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets a bit of a concept if `on`, and clears it otherwise.
    ///
    /// # Panics
    ///
    /// When there is no such concept or no such bit.
    pub fn set(&mut self, id: Id, bit: usize, on: bool) {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        let at = id as usize * self.stride + bit / 64;
        let word = &mut self.words_mut()[at];
        *word = *word & !(1 << (bit % 64)) | u64::from(on) << (bit % 64);
    }

    /// Gives `child` every bit of `parent`, in addition to its own.
    ///
    /// # Panics
    ///
    /// When there is no such concept.
    pub fn inherit(&mut self, child: Id, parent: Id) {
        for word in 0..self.stride {
            let above = self.row(parent)[word];
            let at = child as usize * self.stride + word;
            self.words_mut()[at] |= above;
        }
    }

    /// Whether the child's code has every bit of the parent's.
    ///
    /// # Panics
    ///
    /// When there is no such concept.
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

    /// A copy of the code of a concept.
    ///
    /// # Panics
    ///
    /// When there is no such concept.
    pub fn code(&self, id: Id) -> Code {
        Code::from_row(self.bits, self.row(id))
    }

    /// For each bit, how many of `concepts` have it.
    ///
    /// # Panics
    ///
    /// When one of the concepts does not exist.
    pub fn column_counts(&self, concepts: &[Id]) -> Vec<u32> {
        let mut counts = vec![0; self.stride * 64];
        (Kernels::current().column_counts)(self.words(), self.stride, concepts, &mut counts);
        counts.truncate(self.bits);
        counts
    }

    /// The number of unordered pairs of concepts with equal codes.
    pub fn equal_pairs(&self) -> u64 {
        let hasher = hashbrown::DefaultHashBuilder::default();
        let mut seen: HashTable<(&[u64], u64)> = HashTable::with_capacity(self.len);
        let mut pairs = 0;
        for row in self.rows() {
            let entry = seen.entry(
                hasher.hash_one(row),
                |(other, _)| *other == row,
                |(row, _)| hasher.hash_one(row),
            );
            let (_, times) = entry.or_insert((row, 0)).into_mut();
            pairs += *times;
            *times += 1;
        }
        pairs
    }

    /// The same codes with `more` zero bits appended.
    pub(crate) fn widened(&self, more: usize) -> Result<Self, CodesError> {
        let mut wider = Self::zeros(self.len, self.bits + more)?;
        let stride = wider.stride;
        for (row, wide) in self.rows().zip(wider.words_mut().chunks_exact_mut(stride)) {
            wide[..self.stride].copy_from_slice(row);
        }
        Ok(wider)
    }

    /// The same codes with `more` bits appended that every concept has.
    pub(crate) fn with_room(&self, more: usize) -> Result<Self, CodesError> {
        let mut wider = self.widened(more)?;
        let mut ones = vec![0; wider.stride];
        (self.bits..wider.bits).for_each(|bit| ones[bit / 64] |= 1 << (bit % 64));
        for row in wider.words_mut().chunks_exact_mut(ones.len()) {
            row.iter_mut().zip(&ones).for_each(|(word, ones)| *word |= ones);
        }
        Ok(wider)
    }

    /// Appends the code of one more concept; it must be as wide as the others.
    pub(crate) fn push(&mut self, code: &[u64]) {
        assert_eq!(code.len(), self.stride, "the code has another width");
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

/// [`covers`] for rows of a width known at compile time, without a loop or a branch.
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
