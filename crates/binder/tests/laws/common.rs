//! Random hierarchies and codes for the laws, and the data sets where they are available.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use binder::{Codes, Hierarchy, Id};
use proptest::prelude::*;

/// (child, parent) numbers in the order of a file.
pub(crate) type NumberPairs = Vec<(usize, usize)>;

/// Pairs without cycles over fewer than `most` concepts, in any order, with duplicates. The numbers
/// are not a topological order.
pub(crate) fn acyclic_pairs(most: usize) -> impl Strategy<Value = NumberPairs> {
    (2..most).prop_flat_map(move |n| {
        let ranks = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        let pairs = proptest::collection::vec((0..n, 0..n), 0..3 * n);
        (ranks, pairs).prop_map(|(ranks, pairs)| {
            let upward = |(a, b): (usize, usize)| if ranks[a] > ranks[b] { (a, b) } else { (b, a) };
            pairs.into_iter().filter(|(a, b)| a != b).map(upward).collect()
        })
    })
}

/// Any pairs, with cycles and reflexive pairs.
pub(crate) fn any_pairs(most: usize) -> impl Strategy<Value = NumberPairs> {
    (1..most).prop_flat_map(|n| proptest::collection::vec((0..n, 0..n), 0..2 * n))
}

pub(crate) fn named(pairs: &[(usize, usize)]) -> Vec<(String, String)> {
    pairs.iter().map(|(child, parent)| (format!("c{child}"), format!("c{parent}"))).collect()
}

pub(crate) fn hierarchy(pairs: &[(usize, usize)]) -> Hierarchy {
    Hierarchy::from_pairs(named(pairs)).expect("no cycle")
}

/// All (descendant, ancestor) names by Warshall's algorithm: the closure by definition.
pub(crate) fn closure_by_definition(pairs: &[(String, String)]) -> BTreeSet<(String, String)> {
    let mut closure: BTreeSet<_> =
        pairs.iter().filter(|(child, parent)| child != parent).cloned().collect();
    let names: BTreeSet<_> =
        pairs.iter().flat_map(|(child, parent)| [child.clone(), parent.clone()]).collect();
    for middle in &names {
        let below: Vec<_> = closure
            .iter()
            .filter(|(_, parent)| parent == middle)
            .map(|(child, _)| child.clone())
            .collect();
        let above: Vec<_> = closure
            .iter()
            .filter(|(child, _)| child == middle)
            .map(|(_, parent)| parent.clone())
            .collect();
        for child in &below {
            closure.extend(above.iter().map(|parent| (child.clone(), parent.clone())));
        }
    }
    closure
}

pub(crate) fn names_of(
    hierarchy: &Hierarchy,
    pairs: impl IntoIterator<Item = (Id, Id)>,
) -> BTreeSet<(String, String)> {
    let name = |id: Id| hierarchy.name(id).to_owned();
    pairs.into_iter().map(|(child, parent)| (name(child), name(parent))).collect()
}

/// Codes of any width. A bit is one with probability `2^-k` for varying `k`, so that some concepts
/// are supersets and some are not.
pub(crate) fn codes(most_rows: usize, most_bits: usize) -> impl Strategy<Value = Codes> {
    (0..most_rows, 1..=most_bits, 0..4u32, any::<u64>()).prop_map(|(rows, bits, rarity, seed)| {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand::rngs::ChaCha8Rng::seed_from_u64(seed);
        let mut codes = Codes::zeros(rows, bits).expect("a width in range");
        for row in 0..u32::try_from(rows).expect("few") {
            for bit in 0..bits {
                codes.set(row, bit, rng.random_ratio(1, 1 << rarity));
            }
        }
        codes
    })
}

/// The folder of the benchmark data. If there is none, prints what is skipped.
pub(crate) fn data(test: &str) -> Option<PathBuf> {
    let folder =
        std::env::var_os("BINDER_DATA").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        skipped(test, "BINDER_DATA names no folder with the benchmark data");
    }
    folder
}

/// Prints that a test was skipped. Writes directly to standard error, because the test harness
/// captures the usual output.
pub(crate) fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}
