//! The meaning of the kernels, in plain code.

use super::{Kernels, Lane, distances, draw, happen, near_rows, signed_counts};
use crate::codes::covers;
use crate::codes::rowset::ones;
use crate::hierarchy::Id;

pub(super) static KERNELS: Kernels = Kernels {
    name: "scalar",
    supersets,
    subsets,
    all,
    none,
    all_but_one,
    none_but_one,
    column_counts,
    near_below: near_rows::<true>,
    near_above: near_rows::<false>,
    signed_counts,
    sort_out,
    draw,
    happen,
    distances,
};

pub(super) fn supersets(rows: &[u64], code: &[u64], found: &mut [u64]) {
    for (at, row) in rows.chunks_exact(code.len()).enumerate() {
        found[at / 64] |= u64::from(covers(row, code)) << (at % 64);
    }
}

pub(super) fn subsets(rows: &[u64], code: &[u64], found: &mut [u64]) {
    for (at, row) in rows.chunks_exact(code.len()).enumerate() {
        found[at / 64] |= u64::from(covers(code, row)) << (at % 64);
    }
}

fn all(lanes: &[Lane], columns: &[u16]) -> Lane {
    columns.iter().fold(Lane([u64::MAX; 8]), |all, &column| all & lanes[usize::from(column)])
}

fn none(lanes: &[Lane], columns: &[u16]) -> Lane {
    columns.iter().fold(Lane([u64::MAX; 8]), |none, &column| none & not(lanes[usize::from(column)]))
}

fn all_but_one(lanes: &[Lane], columns: &[u16]) -> (Lane, Lane) {
    but_one(columns.iter().map(|&column| lanes[usize::from(column)]))
}

fn none_but_one(lanes: &[Lane], columns: &[u16]) -> (Lane, Lane) {
    but_one(columns.iter().map(|&column| not(lanes[usize::from(column)])))
}

/// Concepts in all of some sets, and concepts in all but one.
fn but_one(sets: impl Iterator<Item = Lane>) -> (Lane, Lane) {
    sets.fold((Lane([u64::MAX; 8]), Lane::ZERO), |(zero, one), set| (zero & set, one & set | zero & not(set)))
}

fn not(lane: Lane) -> Lane {
    Lane(lane.0.map(|word| !word))
}

fn column_counts(words: &[u64], stride: usize, rows: &[Id], counts: &mut [u32]) {
    for &row in rows {
        let start = row as usize * stride;
        for (at, &word) in words[start..start + stride].iter().enumerate() {
            ones(word).for_each(|bit| counts[at * 64 + bit as usize] += 1);
        }
    }
}

pub(super) fn sort_out(numbers: &[i64], bounds: [i64; 2]) -> (u64, [u64; 2]) {
    let (mut zero, mut large) = (0, [0; 2]);
    for (bit, &number) in numbers.iter().enumerate() {
        zero |= u64::from(number == 0) << bit;
        for (large, bound) in large.iter_mut().zip(bounds) {
            *large |= u64::from(number >= bound) << bit;
        }
    }
    (zero, large)
}
