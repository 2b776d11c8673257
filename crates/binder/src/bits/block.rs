use std::ops::{BitAnd, BitOr};

use super::ones;

/// One bit for each of 512 concepts, in one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Block(pub(crate) [u64; 8]);

impl Block {
    /// The number of concepts in a block.
    pub(crate) const SIZE: usize = 512;

    /// The block with no concept set.
    pub(crate) const ZERO: Self = Self([0; 8]);

    /// The block with the first `count` concepts set; all of them when `count` is 512 or more.
    pub(crate) fn first(count: usize) -> Self {
        let word = |at: usize| match count.saturating_sub(at * 64) {
            64.. => u64::MAX,
            left => (1 << left) - 1,
        };
        Self(std::array::from_fn(word))
    }

    /// The number of concepts that are set.
    pub(crate) fn count(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether no concept is set. The fold is inlined; comparing with [`ZERO`](Self::ZERO) would be
    /// a function call.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The concepts of this block that are not in another.
    pub(crate) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The positions of the concepts that are set, ascending.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        (0..8).zip(self.0).flat_map(|(at, word)| ones(word).map(move |bit| at * 64 + bit))
    }

    /// Whether concept `at` is set.
    pub(crate) fn has(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Clears concept `at` if it is set, and sets it otherwise.
    pub(crate) fn flip(&mut self, at: usize) {
        self.0[at / 64] ^= 1 << (at % 64);
    }

    /// The same block with concept `at` cleared.
    pub(crate) fn without_one(mut self, at: u32) -> Self {
        self.assign(at as usize, false);
        self
    }

    /// Sets concept `at` if `on`, and clears it otherwise.
    pub(crate) fn assign(&mut self, at: usize, on: bool) {
        self.0[at / 64] &= !(1 << (at % 64));
        self.set(at, on);
    }

    /// Sets concept `at` if `on`; leaves it as it is otherwise.
    pub(crate) fn set(&mut self, at: usize, on: bool) {
        self.0[at / 64] |= u64::from(on) << (at % 64);
    }
}

impl BitAnd for Block {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Block {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
