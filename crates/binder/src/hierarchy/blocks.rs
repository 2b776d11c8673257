//! Reachability for 512 concepts at a time, for graphs so dense that walking them concept by concept takes too long.
//!
//! For a block of 512 ids, every concept gets one bit per concept of the block: is it above (or below) me? Bits are inherited by OR along the pairs,
//! one cache line a pair, so everything costs `n / 512` times the number of pairs, however many ways lead up.

use rayon::prelude::*;

use super::{Id, Rows, id};
use crate::codes::kernels::Lane;

/// Ids in a block: the bits of a [`Lane`].
const BLOCK: usize = 512;

/// A step of a walk, with its heap, costs about as much as eight ORs of a block.
const ORS_A_STEP: usize = 8;

/// Walks of this many steps are never worth giving up: they take milliseconds.
const SHORT: usize = 1 << 20;

/// How many steps walks may take on a graph before blocks are the better way.
pub(super) fn budget(rows: &Rows) -> usize {
    let ors = rows.len().div_ceil(BLOCK).saturating_mul(rows.len() + rows.items());
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
        inherit(rows, block, way, |concept, _, reached| counts[concept as usize] += reached.count());
        counts
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    (0..rows.len().div_ceil(BLOCK)).into_par_iter().fold(none, of_block).reduce(none, add)
}

/// For each (concept, parent) pair in the order of the rows, whether the parent is also an ancestor of another parent.
pub(super) fn implied(parents: &Rows) -> Vec<bool> {
    let of_block = |block: usize| {
        let mut implied = Vec::new();
        inherit(parents, block, Way::Down, |concept, inherited, _| {
            for (at, &parent) in parents.row(concept).iter().enumerate() {
                if parent as usize / BLOCK == block && inherited.has(parent as usize % BLOCK) {
                    implied.push(parents.start(concept) + at);
                }
            }
        });
        implied
    };
    let mut marks = vec![false; parents.items()];
    let found: Vec<usize> =
        (0..parents.len().div_ceil(BLOCK)).into_par_iter().flat_map_iter(of_block).collect();
    found.into_iter().for_each(|at| marks[at] = true);
    marks
}

/// Hands over for each concept which of the block it reaches through its relatives, and which it reaches in all.
fn inherit(rows: &Rows, block: usize, way: Way, mut each: impl FnMut(Id, Lane, Lane)) {
    let (first, n) = (block * BLOCK, rows.len());
    // Nothing on this side of the block reaches into it.
    let (low, high) = if way == Way::Down { (first, n) } else { (0, (first + BLOCK).min(n)) };
    let mut lanes = vec![Lane::ZERO; high - low];
    let mut visit = |concept: usize| {
        let (mut inherited, mut direct) = (Lane::ZERO, Lane::ZERO);
        for relative in rows.row(id(concept)).iter().map(|&relative| relative as usize) {
            if (low..high).contains(&relative) {
                inherited = inherited | lanes[relative - low];
            }
            if relative / BLOCK == block {
                direct.set(relative % BLOCK, true);
            }
        }
        lanes[concept - low] = inherited | direct;
        each(id(concept), inherited, inherited | direct);
    };
    match way {
        Way::Down => (low..high).for_each(&mut visit),
        Way::Up => (low..high).rev().for_each(&mut visit),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Hierarchy;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        /// Enough concepts for several blocks.
        #[test]
        fn blocks_count_as_walks_do(pairs in proptest::collection::vec((0..1100u32, 0..1100u32), 1000..1800)) {
            let names = pairs.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.max(b).to_string(), a.min(b).to_string()));
            let hierarchy = Hierarchy::from_pairs(names).unwrap();
            let (ancestors, descendants) = (ancestor_counts(&hierarchy.parents), descendant_counts(&hierarchy.children));
            for concept in hierarchy.ids() {
                prop_assert_eq!(ancestors[concept as usize], hierarchy.ancestors(concept).len() as u64);
                prop_assert_eq!(descendants[concept as usize], hierarchy.descendants(concept).len() as u64);
            }
            prop_assert!(!implied(&hierarchy.parents).contains(&true));
            // Every pair of the closure that is not direct is implied.
            let closure = hierarchy.closure();
            let marks = implied(&closure);
            for (at, (child, parent)) in closure.pairs().enumerate() {
                prop_assert_eq!(marks[at], hierarchy.parents(child).binary_search(&parent).is_err());
            }
        }
    }

    #[test]
    fn layers_that_are_all_above_each_other_are_counted_and_reduced() {
        let layers = |every_pair: bool| {
            let pairs = (0..3000u32).flat_map(move |child| {
                let nearest = (child / 100 * 100).saturating_sub(100);
                let first = if every_pair { 0 } else { nearest };
                (first..child / 100 * 100).map(move |parent| (child.to_string(), parent.to_string()))
            });
            Hierarchy::from_pairs(pairs).unwrap()
        };
        let (sparse, dense) = (layers(false), layers(true));
        assert_eq!(sparse.direct(), 29 * 100 * 100);
        assert_eq!(
            (dense.direct(), dense.dropped().implied),
            (sparse.direct(), 100 * 100 * (29 * 30 / 2 - 29))
        );
        assert_eq!(
            (sparse.closure_len(), dense.closure_len()),
            (100 * 100 * 29 * 30 / 2, 100 * 100 * 29 * 30 / 2)
        );
        assert_eq!(sparse.descendant_counts().iter().sum::<u64>(), sparse.closure_len());
    }
}
