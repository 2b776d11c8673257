//! Every negative, group by group: concepts with equal codes are counted together.
//!
//! In the first epochs there are few different codes, and nearly every pair is near. Which pairs
//! have a gradient, and which, depends on the codes alone, except that relatives are no negatives.
//! So the gradient is summed up over all pairs of *different codes*, times the number of concepts
//! that have them, and what the relatives of each concept have contributed is taken back:
//!
//! ```text
//! gradient of a concept = Σ over all codes of (concepts with it) × (gradient of the pair)
//!                       − Σ over ancestors, descendants and itself of (gradient of the pair)
//! ```

use std::collections::HashMap;

use rayon::prelude::*;

use crate::bits::kernels::Kernels;
use crate::bits::{Block, Id, id, missing_bit, missing_bits};
use crate::codes::{Codes, Columns};
use crate::graph::Reach;

/// The largest amount of memory for the sums of groups, in bytes. Other sums are computed again for
/// each concept.
const MAX_BYTES: usize = 64 << 20;

/// The concepts in groups of equal codes.
pub(super) struct Groups<'a> {
    all: &'a Codes,
    kernels: &'static Kernels,
    /// The group of each concept.
    of: Vec<Id>,
    /// The code of each group.
    codes: Codes,
    /// The number of concepts in each group.
    sizes: Vec<i64>,
    /// The columns of `codes`.
    columns: Columns,
    /// What all concepts together contribute to the gradient of a group's concepts, for groups of
    /// more than one.
    sums: Vec<Option<Sum>>,
}

/// What other concepts contribute to the gradient of a concept.
#[derive(Debug, Clone, Default)]
struct Sum {
    /// The gradient of each bit, without the weight. The padding of the last word is never read.
    gains: Vec<i64>,
    /// The number of concepts that are a false parent.
    parents: i64,
}

/// Scratch space of a thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Groups or concepts that no bit separates and that count once; empty between uses.
    single: Vec<Id>,
    /// Counts of ones per column.
    ones: Vec<u32>,
    sum: Sum,
}

impl<'a> Groups<'a> {
    /// The groups, if there are so few different codes that they are worthwhile.
    pub(super) fn worthwhile(codes: &'a Codes, kernels: &'static Kernels) -> Option<Self> {
        let mut groups: HashMap<&[u64], Id> = HashMap::new();
        let (mut of, mut sizes, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for row in codes.rows() {
            let group = *groups.entry(row).or_insert_with(|| {
                sizes.push(0);
                words.extend_from_slice(row);
                id(sizes.len() - 1)
            });
            sizes[group as usize] += 1;
            of.push(group);
        }
        if sizes.len() > codes.len() / 4 * 3 {
            return None;
        }
        let distinct = Codes::from_words(codes.bits(), words).ok()?;
        let columns = Columns::with_kernels(&distinct, kernels);
        let sums = vec![None; sizes.len()];
        let mut groups = Self { all: codes, kernels, of, codes: distinct, sizes, columns, sums };
        groups.sum_up();
        Some(groups)
    }

    /// Computes the sums of groups of more than one concept, the largest first.
    fn sum_up(&mut self) {
        let mut largest: Vec<Id> = (0..id(self.sizes.len())).collect();
        largest.retain(|&group| self.sizes[group as usize] > 1);
        largest.sort_by_key(|&group| std::cmp::Reverse(self.sizes[group as usize]));
        largest.truncate(MAX_BYTES / (self.width() * size_of::<i64>()).max(1));
        let sum = |scratch: &mut Scratch, &group: &Id| {
            self.sum_of_all(self.codes.row(group), scratch);
            scratch.sum.clone()
        };
        let sums: Vec<Sum> = largest.par_iter().map_init(Scratch::default, sum).collect();
        for (group, sum) in largest.into_iter().zip(sums) {
            self.sums[group as usize] = Some(sum);
        }
    }

    /// The number of columns, padded to whole words.
    fn width(&self) -> usize {
        self.codes.words_per_row() * 64
    }

    /// Writes what the negatives of a concept add to the gradient of each bit, without the weight.
    /// Returns the number of false parents.
    pub(super) fn gains(
        &self,
        concept: Id,
        reach: &mut Reach<'_>,
        scratch: &mut Scratch,
        out: &mut [i64],
    ) -> u64 {
        let group = self.of[concept as usize];
        let parents = if let Some(sum) = &self.sums[group as usize] {
            out.copy_from_slice(&sum.gains);
            sum.parents
        } else {
            self.sum_of_all(self.codes.row(group), scratch);
            out.copy_from_slice(&scratch.sum.gains);
            scratch.sum.parents
        };
        let related = self.take_back_relatives(concept, reach, scratch, out);
        u64::try_from(parents).unwrap_or(0).saturating_sub(related)
    }

    /// Sums up over all concepts, as parents and as children, what they contribute to the gradient
    /// of a concept with this code.
    fn sum_of_all(&self, code: &[u64], scratch: &mut Scratch) {
        let Scratch { single, ones, sum: Sum { gains, parents } } = scratch;
        let (codes, sizes, stride) = (&self.codes, &self.sizes, self.codes.words_per_row());
        gains.clear();
        gains.resize(self.width(), 0);
        *parents = 0;
        for is_parent in [true, false] {
            let mut listed = 0;
            let near = |block: usize, zero: Block, one: Block| {
                let first = id(block * Block::SIZE);
                for group in one.iter().map(|at| first + at) {
                    let bit = only_bit(code, codes.row(group), is_parent);
                    gains[bit] -= sizes[group as usize];
                }
                for group in zero.iter().map(|at| first + at) {
                    let size = sizes[group as usize];
                    listed += size;
                    if size == 1 {
                        single.push(group);
                    } else {
                        add_weighted(codes.row(group), size, !is_parent, gains);
                    }
                }
            };
            if is_parent {
                self.columns.near_above(code, near);
                *parents = listed;
            } else {
                self.columns.near_below(code, near);
            }
            let count = self.kernels.column_counts;
            add_counts(count, codes.words(), stride, single, (1, !is_parent), ones, gains);
        }
    }

    /// Takes back what the relatives of a concept and the concept itself contribute to its
    /// gradient. Returns how many of its ancestors no bit separates from it.
    fn take_back_relatives(
        &self,
        concept: Id,
        reach: &mut Reach<'_>,
        scratch: &mut Scratch,
        out: &mut [i64],
    ) -> u64 {
        let (codes, code, mut related) = (self.all, self.all.row(concept), 0);
        let Scratch { single, ones, .. } = scratch;
        for is_parent in [true, false] {
            if is_parent {
                reach.above(concept);
            } else {
                reach.below(concept);
            }
            for &relative in reach.order() {
                let row = codes.row(relative);
                let (child, parent) = if is_parent { (code, row) } else { (row, code) };
                match missing_bits(child, parent) {
                    0 => single.push(relative),
                    1 => out[only_bit(code, row, is_parent)] += 1,
                    _ => {}
                }
            }
            if is_parent {
                related = single.len() as u64;
            }
            let (count, stride) = (self.kernels.column_counts, codes.words_per_row());
            add_counts(count, codes.words(), stride, single, (-1, !is_parent), ones, out);
        }
        related
    }
}

/// The first bit that separates a code from another, which is its parent or its child; 0 if none
/// does.
fn only_bit(code: &[u64], other: &[u64], is_parent: bool) -> usize {
    let bit = if is_parent { missing_bit(code, other) } else { missing_bit(other, code) };
    usize::from(bit.unwrap_or(0))
}

/// Adds `weight` to each bit for each of the rows that has it (or that lacks it, if `lacking`).
/// Empties the list of rows.
fn add_counts(
    count: crate::bits::kernels::ColumnCounts,
    words: &[u64],
    stride: usize,
    rows: &mut Vec<Id>,
    (weight, lacking): (i64, bool),
    ones: &mut Vec<u32>,
    out: &mut [i64],
) {
    if rows.is_empty() {
        return;
    }
    ones.clear();
    ones.resize(out.len(), 0);
    count(words, stride, rows, ones);
    let all = rows.len() as i64;
    for (out, &ones) in out.iter_mut().zip(ones.iter()) {
        let ones = i64::from(ones);
        *out += weight * if lacking { all - ones } else { ones };
    }
    rows.clear();
}

per_cpu! {
    /// Adds `weight` to each bit that the row has (or lacks, if `lacking`).
    fn add_weighted(row: &[u64], weight: i64, lacking: bool, out: &mut [i64]) {
        let flip = 0u64.wrapping_sub(u64::from(lacking));
        for (&word, out) in row.iter().zip(out.chunks_exact_mut(64)) {
            let word = word ^ flip;
            for (bit, out) in out.iter_mut().enumerate() {
                *out += weight & -(word >> bit & 1).cast_signed();
            }
        }
    }
}
