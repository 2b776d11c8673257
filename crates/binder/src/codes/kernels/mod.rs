//! The inner loops, each in up to three versions that give the same answer.
//!
//! `scalar` is the meaning. The others use wider registers and are property-tested equal to it. The best that
//! the machine has is chosen once, at run time; `BINDER_KERNELS=scalar`, `avx2` or `avx512` in the environment
//! chooses a lesser one, to compare.

mod scalar;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
#[macro_use]
mod vector;

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx512;

use std::ops::{BitAnd, BitOr};
use std::sync::OnceLock;

use super::ones;
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

    /// Whether there is none. Comparing with [`ZERO`](Self::ZERO) would be a call.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The concepts of this lane that are not in another.
    pub(crate) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The concepts, ascending.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> {
        (0..8).zip(self.0).flat_map(|(at, word)| ones(word).map(move |bit| at * 64 + bit))
    }

    /// Whether concept `at` is in.
    pub(crate) fn has(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Takes concept `at` out if it is in, and puts it in if not.
    pub(crate) fn flip(&mut self, at: usize) {
        self.0[at / 64] ^= 1 << (at % 64);
    }

    /// All but concept `at`.
    pub(crate) fn without_one(mut self, at: u32) -> Self {
        self.put(at as usize, false);
        self
    }

    /// Puts concept `at` in or takes it out.
    pub(crate) fn put(&mut self, at: usize, on: bool) {
        self.0[at / 64] &= !(1 << (at % 64));
        self.set(at, on);
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

/// `(words, code, rows, near)`: appends to `near` the chosen rows that are kept apart from `code` by at most one bit; the width
/// of a row is that of `code`.
pub type NearRows = fn(&[u64], &[u64], &[Id], &mut Vec<Id>);

/// `(code, ones, offset, weight, gradient)`: for each bit `weight * (ones - offset)`, negated where `code` has the bit.
pub type SignedCounts = fn(&[u64], &[u32], i64, i64, &mut [i64]);

/// `(gradients, bounds)`: which of up to 64 numbers are zero, and which are at least each of the bounds.
pub type SortOut = fn(&[i64], [i64; 2]) -> (u64, [u64; 2]);

/// `(key, from, bound, out)`: fills `out` with numbers below `bound` from the stream of random words with that key.
pub type Draw = fn(u64, u64, u32, &mut [u32]);

/// `(key, from, chance, asked)`: which of the asked bits happen, each with the same chance in units of 2^-64, by the stream of random
/// words with that key.
pub type Happen = fn(u64, u64, u64, u64) -> u64;

/// `(rows, code, distances)`: the Hamming distance of each row to `code`; the width of a row is that of `code`.
pub type Distances = fn(&[u64], &[u64], &mut [u16]);

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
    /// Rows that lack at most one bit of a code.
    pub near_below: NearRows,
    /// Rows of which a code lacks at most one bit.
    pub near_above: NearRows,
    /// Counts of ones as signed, weighted numbers.
    pub signed_counts: SignedCounts,
    /// Zero and large numbers.
    pub sort_out: SortOut,
    /// Random numbers.
    pub draw: Draw,
    /// Random bits.
    pub happen: Happen,
    /// Hamming distances.
    pub distances: Distances,
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

/// Writes down how many bits of each row differ from `code`. Inlined into one version per processor, as below.
#[inline(always)]
fn distances(rows: &[u64], code: &[u64], out: &mut [u16]) {
    match code.len() {
        1 => fixed_distances::<1>(rows, code, out),
        2 => fixed_distances::<2>(rows, code, out),
        _ => rows
            .chunks_exact(code.len())
            .zip(out)
            .for_each(|(row, out)| *out = row.iter().zip(code).map(|(a, b)| ones_in(a ^ b)).sum()),
    }
}

#[inline(always)]
fn fixed_distances<const W: usize>(rows: &[u64], code: &[u64], out: &mut [u16]) {
    let (rows, _) = rows.as_chunks::<W>();
    for (row, out) in rows.iter().zip(out) {
        *out = (0..W).map(|word| ones_in(row[word] ^ code[word])).sum();
    }
}

#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "a word has 64 bits")]
fn ones_in(word: u64) -> u16 {
    word.count_ones() as u16
}

/// Appends the chosen rows with at most one bit that the parent has and the child lacks. Inlined into one version per processor, which
/// brings the instruction that counts bits.
#[inline(always)]
fn near_rows<const BELOW: bool>(words: &[u64], code: &[u64], rows: &[Id], near: &mut Vec<Id>) {
    match code.len() {
        1 => fixed_near_rows::<1, BELOW>(words, code, rows, near),
        2 => fixed_near_rows::<2, BELOW>(words, code, rows, near),
        3 => fixed_near_rows::<3, BELOW>(words, code, rows, near),
        4 => fixed_near_rows::<4, BELOW>(words, code, rows, near),
        stride => {
            let row = |row: Id| &words[row as usize * stride..][..stride];
            near.extend(rows.iter().filter(|&&at| missing_bits::<BELOW>(row(at), code) <= 1));
        }
    }
}

/// Panics unless all rows are in the table.
#[inline(always)]
fn check_rows(rows: &[Id], table: usize) {
    let last = rows.iter().fold(0, |last, &row| last.max(row));
    assert!(rows.is_empty() || (last as usize) < table, "row {last} of {table}");
}

/// Every row is written behind the last one kept, and kept by counting it: no branch to mispredict.
#[inline(always)]
fn fixed_near_rows<const W: usize, const BELOW: bool>(
    words: &[u64],
    code: &[u64],
    rows: &[Id],
    near: &mut Vec<Id>,
) {
    let (table, _) = words.as_chunks::<W>();
    let code: &[u64; W] = code.try_into().expect("matched on its length");
    check_rows(rows, table.len());
    let start = near.len();
    near.resize(start + rows.len(), 0);
    let kept = &mut near[start..];
    let mut count = 0;
    for &row in rows {
        // SAFETY: the rows are in the table.
        let code_of_row = unsafe { table.get_unchecked(row as usize) };
        // SAFETY: `count` is at most the number of rows before this one, and there is room for all.
        *unsafe { kept.get_unchecked_mut(count) } = row;
        count += usize::from(missing_bits::<BELOW>(code_of_row, code) <= 1);
    }
    near.truncate(start + count);
}

#[inline(always)]
fn signed_counts(code: &[u64], ones: &[u32], offset: i64, weight: i64, out: &mut [i64]) {
    for ((&word, ones), out) in code.iter().zip(ones.chunks_exact(64)).zip(out.chunks_exact_mut(64)) {
        for bit in 0..64 {
            // 0 or -1: negating is inverting and adding one.
            let sign = -(word >> bit & 1).cast_signed();
            out[bit] = ((weight * (i64::from(ones[bit]) - offset)) ^ sign) - sign;
        }
    }
}

#[inline(always)]
fn draw(key: u64, from: u64, bound: u32, out: &mut [u32]) {
    crate::random::below(key, from, bound, out);
}

#[inline(always)]
fn happen(key: u64, from: u64, chance: u64, asked: u64) -> u64 {
    crate::random::happen(key, from, chance, asked)
}

#[inline(always)]
fn missing_bits<const BELOW: bool>(row: &[u64], code: &[u64]) -> u32 {
    let missing = |(row, code): (&u64, &u64)| if BELOW { code & !row } else { row & !code };
    row.iter().zip(code).map(missing).map(u64::count_ones).sum()
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
