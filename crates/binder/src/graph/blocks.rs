//! Reachability for 512 concepts at a time, for graphs so dense that walking them concept by
//! concept takes too long.
//!
//! For a block of 512 ids, every concept gets one bit per concept of the block: is it above (or
//! below) me? Bits are inherited by OR along the pairs, one cache line a pair, so everything costs
//! `n / 512` times the number of pairs, however many ways lead up.

use rayon::prelude::*;

use super::Rows;
use crate::bits::{Block, Id, id};

/// A step of a walk, with its heap, costs about as much as eight ORs of a block.
const ORS_A_STEP: usize = 8;

/// Walks of this many steps are never worth giving up: they take milliseconds.
const SHORT: usize = 1 << 20;

/// How many steps walks may take on a graph before blocks are the better way.
pub(super) fn budget(rows: &Rows) -> usize {
    let ors = rows.len().div_ceil(Block::SIZE).saturating_mul(rows.len() + rows.items());
    SHORT.max(ors / ORS_A_STEP)
}

/// Which way bits are inherited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From parents, whose ids are lower.
    Down,
    /// From children, whose ids are higher.
    Up,
}

/// How many concepts are above each, given the rows of parents.
pub(super) fn ancestor_counts(parents: &Rows) -> Vec<u64> {
    counts(parents, Way::Down)
}

/// How many concepts are below each, given the rows of children.
pub(super) fn descendant_counts(children: &Rows) -> Vec<u64> {
    counts(children, Way::Up)
}

fn counts(rows: &Rows, way: Way) -> Vec<u64> {
    let none = || vec![0; rows.len()];
    let of_block = |mut counts: Vec<u64>, block: usize| {
        inherit(rows, block, way, |concept, _, reached| {
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
        inherit(parents, block, Way::Down, |concept, inherited, _| {
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

/// Hands over for each concept which of the block it reaches through its relatives, and which it
/// reaches in all.
fn inherit(rows: &Rows, block: usize, way: Way, mut each: impl FnMut(Id, Block, Block)) {
    let (first, n) = (block * Block::SIZE, rows.len());
    // Nothing on this side of the block reaches into it.
    let (low, high) = if way == Way::Down { (first, n) } else { (0, (first + Block::SIZE).min(n)) };
    let mut reached_by = vec![Block::ZERO; high - low];
    let mut visit = |concept: usize| {
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
        each(id(concept), inherited, inherited | direct);
    };
    match way {
        Way::Down => (low..high).for_each(&mut visit),
        Way::Up => (low..high).rev().for_each(&mut visit),
    }
}
