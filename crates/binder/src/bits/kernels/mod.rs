//! The inner loops over codes and blocks, each in up to three versions that give the same result.
//!
//! `scalar` defines the result. The others use wider registers and are property-tested equal to it.

mod scalar;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
#[macro_use]
mod vector;

#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod avx512;

use super::cpu::Cpu;
use super::{Block, Id};

/// `(blocks, columns)`: the concepts that have (or lack) all the chosen columns.
pub(crate) type BlockScan = fn(&[Block], &[u16]) -> Block;

/// `(blocks, columns)`: the concepts that have (or lack) all the chosen columns, and those that
/// have (or lack) all but one.
pub(crate) type NearScan = fn(&[Block], &[u16]) -> (Block, Block);

/// `(words, words per row, rows, counts)`: adds to `counts[j]` how many chosen rows have bit `j`.
pub(crate) type ColumnCounts = fn(&[u64], usize, &[Id], &mut [u32]);

/// `(words, code, rows, near)`: appends to `near` the chosen rows that at most one bit separates
/// from `code`; the width of a row is that of `code`.
pub(crate) type NearRows = fn(&[u64], &[u64], &[Id], &mut Vec<Id>);

/// `(numbers, bounds)`: bit masks that say which of up to 64 numbers are zero, and which are at
/// least each of the bounds.
pub(crate) type Compare = fn(&[i64], [i64; 2]) -> (u64, [u64; 2]);

/// `(rows, code, distances)`: the Hamming distance of each row to `code`; the width of a row is
/// that of `code`.
pub(crate) type Distances = fn(&[u64], &[u64], &mut [u16]);

/// One version of every inner loop.
#[derive(Debug)]
pub(crate) struct Kernels {
    /// Concepts with all the columns.
    pub(crate) all: BlockScan,
    /// Concepts with none of the columns.
    pub(crate) none: BlockScan,
    /// Concepts with all the columns, and with all but one.
    pub(crate) all_but_one: NearScan,
    /// Concepts with none of the columns, and with exactly one.
    pub(crate) none_but_one: NearScan,
    /// How many of the chosen rows have each bit.
    pub(crate) column_counts: ColumnCounts,
    /// Rows that lack at most one bit of a code.
    pub(crate) near_below: NearRows,
    /// Rows that have at most one bit that a code lacks.
    pub(crate) near_above: NearRows,
    /// Numbers that are zero, and numbers that are at least a bound.
    pub(crate) compare: Compare,
    /// Hamming distances.
    pub(crate) distances: Distances,
}

impl Kernels {
    /// The version for the current level.
    pub(crate) fn current() -> &'static Self {
        Self::of(Cpu::current())
    }

    /// The version for a level that the machine has.
    fn of(cpu: Cpu) -> &'static Self {
        match cpu {
            Cpu::Scalar => &scalar::KERNELS,
            #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
            Cpu::Avx2 => &avx2::KERNELS,
            #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
            Cpu::Avx512 => &avx512::KERNELS,
        }
    }
}

/// Writes to `out` how many bits of each row differ from `code`. Inlined into one version per
/// instruction set.
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

/// Appends the chosen rows with at most one bit that the parent has and the child lacks. Inlined
/// into one version per instruction set, which brings the instruction that counts bits.
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

/// [`near_rows`] for a width known at compile time. Every row is written after the last one kept;
/// increasing the count keeps it. So there is no branch to mispredict.
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
        // SAFETY: `check_rows` has checked that all rows are in the table.
        let code_of_row = unsafe { table.get_unchecked(row as usize) };
        // SAFETY: `count` is at most the number of rows before this one, and there is room for all.
        *unsafe { kept.get_unchecked_mut(count) } = row;
        count += usize::from(missing_bits::<BELOW>(code_of_row, code) <= 1);
    }
    near.truncate(start + count);
}

#[inline(always)]
fn missing_bits<const BELOW: bool>(row: &[u64], code: &[u64]) -> u32 {
    let missing = |(row, code): (&u64, &u64)| if BELOW { code & !row } else { row & !code };
    row.iter().zip(code).map(missing).map(u64::count_ones).sum()
}
