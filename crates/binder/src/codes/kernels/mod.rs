//! The inner loops, each in up to three versions that give the same answer.
//!
//! `scalar` is the meaning. The others use wider registers and are property-tested equal to it. The best that
//! the machine has is chosen once, at run time; `BINDER_KERNELS=scalar`, `avx2` or `avx512` in the environment
//! chooses a lesser one, to compare.

mod scalar;

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx512;

use std::ops::{BitAnd, BitOr};
use std::sync::OnceLock;

use crate::hierarchy::Id;

/// One bit for each of 512 concepts, in one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lane(pub [u64; 8]);

impl Lane {
    /// No concept.
    pub const ZERO: Self = Self([0; 8]);

    /// The first `count` concepts; all when `count` is 512 or more.
    pub fn first(count: usize) -> Self {
        let word = |at: usize| match count.saturating_sub(at * 64) {
            64.. => u64::MAX,
            left => (1 << left) - 1,
        };
        Self(std::array::from_fn(word))
    }

    /// How many concepts.
    pub fn count(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether concept `at` is in.
    pub(crate) fn has(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Puts concept `at` in, if `on`.
    pub(crate) fn set(&mut self, at: usize, on: bool) {
        self.0[at / 64] |= u64::from(on) << (at % 64);
    }
}

impl BitAnd for Lane {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Lane {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

/// `(rows, code, found)`: sets bit `i` of `found` for each row `i` that stands in the relation to `code`; the
/// width of a row is that of `code`. `found` comes in as zeros.
pub type RowScan = fn(&[u64], &[u64], &mut [u64]);

/// `(lanes, columns)`: the concepts that stand in the relation to all the chosen columns of a block.
pub type BlockScan = fn(&[Lane], &[u16]) -> Lane;

/// `(lanes, columns)`: the concepts that do so in all columns, and those that do so in all but one.
pub type BlockPartners = fn(&[Lane], &[u16]) -> (Lane, Lane);

/// `(words, words per row, rows, counts)`: adds to `counts[j]` the number of chosen rows that have bit `j`.
pub type ColumnCounts = fn(&[u64], usize, &[Id], &mut [u32]);

/// One version of every inner loop.
#[derive(Debug)]
pub struct Kernels {
    /// What `BINDER_KERNELS` calls it.
    pub name: &'static str,
    /// Rows that have every bit of a code.
    pub supersets: RowScan,
    /// Rows that have no bit beyond a code's.
    pub subsets: RowScan,
    /// Concepts with all the columns.
    pub all: BlockScan,
    /// Concepts with none of the columns.
    pub none: BlockScan,
    /// Concepts with all the columns, and with all but one.
    pub all_but_one: BlockPartners,
    /// Concepts with none of the columns, and with exactly one.
    pub none_but_one: BlockPartners,
    /// How many of some rows have each bit.
    pub column_counts: ColumnCounts,
}

/// The versions this machine can run, the best last.
pub fn available() -> Vec<&'static Kernels> {
    #[allow(unused_mut, reason = "grows only where there are wider registers")]
    let mut versions = vec![&scalar::KERNELS];
    #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
    {
        versions.extend(avx2::kernels());
        versions.extend(avx512::kernels());
    }
    versions
}

/// The best version this machine can run, or the one that `BINDER_KERNELS` names if it can run that.
pub fn best() -> &'static Kernels {
    static BEST: OnceLock<&Kernels> = OnceLock::new();
    BEST.get_or_init(|| asked_for().unwrap_or_else(|_| available().last().expect("scalar is always there")))
}

/// The version that `BINDER_KERNELS` names; what it names, if this machine has no such version.
pub fn asked_for() -> Result<&'static Kernels, Option<String>> {
    let name = std::env::var("BINDER_KERNELS").ok().filter(|name| !name.is_empty()).ok_or(None)?;
    available().into_iter().find(|kernels| kernels.name == name).ok_or(Some(name))
}

/// The words of `code`, repeated over `W` registers of `N` words: register by register what eight (or four) rows
/// would hold if each were `code`.
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
fn pattern<const N: usize, const W: usize>(code: &[u64]) -> [[u64; N]; W] {
    std::array::from_fn(|register| std::array::from_fn(|word| code[(register * N + word) % W]))
}

/// A bit for the first word of each of `rows` rows of `width` words.
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
const fn first_lanes(rows: usize, width: usize) -> u32 {
    let (mut bits, mut row) = (0, 0);
    while row < rows {
        bits |= 1 << (row * width);
        row += 1;
    }
    bits
}

/// Scans the rows that do not fill a register; the first of them is row `at`.
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
fn scan_rest<const SUPERSETS: bool>(rows: &[u64], at: usize, code: &[u64], found: &mut [u64]) {
    for (at, row) in (at..).zip(rows.chunks_exact(code.len())) {
        let (child, parent) = if SUPERSETS { (row, code) } else { (code, row) };
        found[at / 64] |= u64::from(super::covers(child, parent)) << (at % 64);
    }
}
