//! The kernels in plain code, which define what the other versions must compute.

use super::{Kernels, distances, near_rows};
use crate::bits::{Block, Id, ones};

pub(super) static KERNELS: Kernels = Kernels {
    all,
    none,
    all_but_one,
    none_but_one,
    column_counts,
    near_below: near_rows::<true>,
    near_above: near_rows::<false>,
    compare,
    distances,
};

fn all(blocks: &[Block], columns: &[u16]) -> Block {
    columns.iter().fold(Block([u64::MAX; 8]), |all, &column| all & blocks[usize::from(column)])
}

fn none(blocks: &[Block], columns: &[u16]) -> Block {
    columns
        .iter()
        .fold(Block([u64::MAX; 8]), |none, &column| none & not(blocks[usize::from(column)]))
}

fn all_but_one(blocks: &[Block], columns: &[u16]) -> (Block, Block) {
    but_one(columns.iter().map(|&column| blocks[usize::from(column)]))
}

fn none_but_one(blocks: &[Block], columns: &[u16]) -> (Block, Block) {
    but_one(columns.iter().map(|&column| not(blocks[usize::from(column)])))
}

/// The concepts that are in all sets, and those that are in all but one.
fn but_one(sets: impl Iterator<Item = Block>) -> (Block, Block) {
    sets.fold((Block([u64::MAX; 8]), Block::ZERO), |(zero, one), set| {
        (zero & set, one & set | zero & not(set))
    })
}

fn not(block: Block) -> Block {
    Block(block.0.map(|word| !word))
}

fn column_counts(words: &[u64], stride: usize, rows: &[Id], counts: &mut [u32]) {
    for &row in rows {
        let start = row as usize * stride;
        for (at, &word) in words[start..start + stride].iter().enumerate() {
            ones(word).for_each(|bit| counts[at * 64 + bit as usize] += 1);
        }
    }
}

pub(super) fn compare(numbers: &[i64], bounds: [i64; 2]) -> (u64, [u64; 2]) {
    let (mut zero, mut reaching) = (0, [0; 2]);
    for (bit, &number) in numbers.iter().enumerate() {
        zero |= u64::from(number == 0) << bit;
        for (reaching, bound) in reaching.iter_mut().zip(bounds) {
            *reaching |= u64::from(number >= bound) << bit;
        }
    }
    (zero, reaching)
}
