//! Reachability for 512 concepts at a time, for graphs so dense that walking them concept by
//! concept takes too long.
//!
//! For a block of 512 ids, every concept gets one bit per concept of the block, which says whether
//! that concept is above (or below) it. Bits are inherited by OR along the pairs, one cache line
//! per pair. So the total cost is `n / 512` times the number of pairs, however many paths lead up.

use rayon::prelude::*;

use super::Rows;
use crate::bits::{Block, Id, id};

/// One step of a walk, which uses a heap, costs about as much as eight ORs of a block.
const ORS_PER_STEP: usize = 8;

/// The smallest budget. Walks of this many steps take milliseconds, so they are never abandoned.
const MIN_BUDGET: usize = 1 << 20;

/// How many steps walks may take on a graph before blocks are faster.
pub(super) fn budget(rows: &Rows) -> usize {
    let ors = rows.len().div_ceil(Block::SIZE).saturating_mul(rows.len() + rows.items());
    MIN_BUDGET.max(ors / ORS_PER_STEP)
}

/// The direction in which bits are inherited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From parents, whose ids are lower.
    Down,
    /// From children, whose ids are higher.
    Up,
}

/// For each concept, how many concepts are above it, given the rows of parents.
pub(super) fn ancestor_counts(parents: &Rows) -> Vec<u64> {
    counts(parents, Direction::Down)
}

/// For each concept, how many concepts are below it, given the rows of children.
pub(super) fn descendant_counts(children: &Rows) -> Vec<u64> {
    counts(children, Direction::Up)
}

fn counts(rows: &Rows, direction: Direction) -> Vec<u64> {
    let none = || vec![0; rows.len()];
    let of_block = |mut counts: Vec<u64>, block: usize| {
        inherit(rows, block, direction, |concept, _, reached| {
            counts[concept as usize] += reached.count();
        });
        counts
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    (0..rows.len().div_ceil(Block::SIZE)).into_par_iter().fold(none, of_block).reduce(none, add)
}

/// For each (concept, parent) pair in the order of the rows, whether the parent is also an ancestor
/// of another parent.
pub(super) fn implied(parents: &Rows) -> Vec<bool> {
    let of_block = |block: usize| {
        let mut implied = Vec::new();
        inherit(parents, block, Direction::Down, |concept, inherited, _| {
            for (at, &parent) in parents.row(concept).iter().enumerate() {
                if parent as usize / Block::SIZE == block
                    && inherited.has(parent as usize % Block::SIZE)
                {
                    implied.push(parents.start(concept) + at);
                }
            }
        });
        implied
    };
    let mut marks = vec![false; parents.items()];
    let found: Vec<usize> =
        (0..parents.len().div_ceil(Block::SIZE)).into_par_iter().flat_map_iter(of_block).collect();
    found.into_iter().for_each(|at| marks[at] = true);
    marks
}

/// Calls `visit` for each concept with the concepts of the block that it reaches through its
/// relatives, and with all concepts of the block that it reaches.
fn inherit(
    rows: &Rows,
    block: usize,
    direction: Direction,
    mut visit: impl FnMut(Id, Block, Block),
) {
    let (first, n) = (block * Block::SIZE, rows.len());
    // Concepts outside this range cannot reach into the block, because parents have lower ids.
    let (low, high) = match direction {
        Direction::Down => (first, n),
        Direction::Up => (0, (first + Block::SIZE).min(n)),
    };
    let mut reached_by = vec![Block::ZERO; high - low];
    let mut inherit_one = |concept: usize| {
        let (mut inherited, mut direct) = (Block::ZERO, Block::ZERO);
        for relative in rows.row(id(concept)).iter().map(|&relative| relative as usize) {
            if (low..high).contains(&relative) {
                inherited = inherited | reached_by[relative - low];
            }
            if relative / Block::SIZE == block {
                direct.set(relative % Block::SIZE, true);
            }
        }
        reached_by[concept - low] = inherited | direct;
        visit(id(concept), inherited, inherited | direct);
    };
    match direction {
        Direction::Down => (low..high).for_each(&mut inherit_one),
        Direction::Up => (low..high).rev().for_each(&mut inherit_one),
    }
}
