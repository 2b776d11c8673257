use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

use super::ones;

/// The largest number of bits that a code may have.
pub const MAX_BITS: usize = 4096;

/// The number of words that a code of `bits` bits takes.
pub(crate) fn words_per_code(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// A mask of the bits that the last word of a code uses; the others are padding.
pub(crate) fn last_word_mask(bits: usize) -> u64 {
    u64::MAX >> (words_per_code(bits) * 64 - bits)
}

/// Whether `child` has every bit of `parent`: the meaning of is-a, for the words of two codes.
///
/// # Examples
///
/// ```
/// use binder::bits::covers;
/// assert!(covers(&[0b110], &[0b100]));
/// assert!(!covers(&[0b101], &[0b010]));
/// ```
#[inline]
pub fn covers(child: &[u64], parent: &[u64]) -> bool {
    child.iter().zip(parent).all(|(child, parent)| parent & !child == 0)
}

/// How many bits of `parent` are missing in `child`: the paper's number of good bits, `G`.
pub(crate) fn missing_bits(child: &[u64], parent: &[u64]) -> u32 {
    // Most words miss no bit. Without a popcount instruction, testing for zero is cheaper than
    // counting.
    let missing = child.iter().zip(parent).map(|(child, parent)| parent & !child);
    missing.filter(|&bits| bits != 0).map(u64::count_ones).sum()
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

/// The bits that are set in the words of a code, ascending.
pub(crate) fn ones_of(words: &[u64]) -> impl Iterator<Item = u16> + '_ {
    let bit =
        |word: usize, bit: u32| u16::try_from(word * 64 + bit as usize).expect("MAX_BITS fits");
    words.iter().enumerate().flat_map(move |(at, &word)| ones(word).map(move |one| bit(at, one)))
}

/// One code as a value.
///
/// Codes form a lattice: `|` gives the bits of either (the meet of two concepts, "what is both"),
/// `&` the bits that both have (their join, "what they have in common"), `!` all bits that are not
/// set.
///
/// ```text
///      animal 000         pet | dog   = 110   puppy is both
///      /        \         cat & puppy = 100   both are pets
///  pet 100     dog 010    !pet        = 011
///   /    \      /
/// cat 101  puppy 110
/// ```
///
/// # Examples
///
/// ```
/// use binder::bits::Code;
/// let (cat, pet): (Code, Code) = ("101".parse()?, "100".parse()?);
/// assert!(cat.covers(&pet) && !pet.covers(&cat));
/// assert_eq!((&cat & &pet).to_string(), "100");
/// assert_eq!((!&pet).ones().collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), binder::bits::Malformed>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// Bit `j` is bit `j % 64` of word `j / 64`; bits past the last are zero.
    words: Box<[u64]>,
    /// The width, from 0 to [`MAX_BITS`]. `words` has exactly as many words as this width needs.
    bits: usize,
}

impl Code {
    /// A code of `bits` zero bits.
    ///
    /// # Panics
    ///
    /// When `bits` exceeds [`MAX_BITS`].
    pub fn zeros(bits: usize) -> Self {
        assert!(bits <= MAX_BITS, "{bits} bits; a code has at most {MAX_BITS}");
        Self { words: vec![0; words_per_code(bits)].into(), bits }
    }

    /// A code whose `bits` bits are all set.
    ///
    /// # Panics
    ///
    /// When `bits` exceeds [`MAX_BITS`].
    pub fn ones_everywhere(bits: usize) -> Self {
        !&Self::zeros(bits)
    }

    /// A copy of one row of codes. Its padding bits must be zero.
    pub(crate) fn from_row(bits: usize, row: &[u64]) -> Self {
        debug_assert_eq!(row.len(), words_per_code(bits));
        Self { words: row.into(), bits }
    }

    /// The width: how many bits the code has, set or not.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The words of the code. Bit `j` is bit `j % 64` of word `j / 64`; bits past the last are
    /// zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether a bit is set.
    ///
    /// # Panics
    ///
    /// When the code has no such bit.
    pub fn has(&self, bit: usize) -> bool {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets a bit.
    ///
    /// # Panics
    ///
    /// When the code has no such bit.
    pub fn insert(&mut self, bit: usize) {
        assert!(bit < self.bits, "bit {bit} of {}", self.bits);
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// The bits that are set, ascending.
    pub fn ones(&self) -> impl Iterator<Item = u16> + '_ {
        ones_of(&self.words)
    }

    /// Whether this code has every bit of `parent`, that is, whether it is-a `parent`. Codes of
    /// different widths never cover each other.
    pub fn covers(&self, parent: &Self) -> bool {
        self.bits == parent.bits && covers(&self.words, &parent.words)
    }

    fn zip(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        assert_eq!(self.bits, other.bits, "the codes have different widths");
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        Self { words, bits: self.bits }
    }
}

impl BitOr for &Code {
    type Output = Code;

    /// The bits that at least one of the codes has.
    ///
    /// # Panics
    ///
    /// When the codes have different widths.
    fn bitor(self, other: Self) -> Code {
        self.zip(other, |a, b| a | b)
    }
}

impl BitAnd for &Code {
    type Output = Code;

    /// The bits that both codes have.
    ///
    /// # Panics
    ///
    /// When the codes have different widths.
    fn bitand(self, other: Self) -> Code {
        self.zip(other, |a, b| a & b)
    }
}

impl Not for &Code {
    type Output = Code;

    /// The bits that are not set.
    fn not(self) -> Code {
        let mut words: Box<[u64]> = self.words.iter().map(|word| !word).collect();
        if let Some(last) = words.last_mut() {
            *last &= last_word_mask(self.bits);
        }
        Code { words, bits: self.bits }
    }
}

impl fmt::Display for Code {
    /// Writes the bits as ones and zeros, the first bit first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |bit| if self.has(bit) { '1' } else { '0' };
        f.pad(&(0..self.bits).map(digit).collect::<String>())
    }
}

/// The error for a text that is not a code: it has other characters than ones and zeros, or more
/// than [`MAX_BITS`] of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a code is written as up to {MAX_BITS} ones and zeros")]
pub struct Malformed;

impl std::str::FromStr for Code {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        if text.len() > MAX_BITS {
            return Err(Malformed);
        }
        let mut code = Self::zeros(text.len());
        for (bit, digit) in text.bytes().enumerate() {
            match digit {
                b'0' => {}
                b'1' => code.insert(bit),
                _ => return Err(Malformed),
            }
        }
        Ok(code)
    }
}
