//! Data for the benchmarks: real and generated hierarchies, and exact codes for them.

mod shapes;

pub use shapes::{Shape, shaped_dag};

use binder::encode::{self, Effort, EncodeParams};
use binder::{Codes, Hierarchy};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A random tree as an edge list. The parent of a concept is one of the 1,000 before it, or, with
/// probability 1/8, any earlier concept.
pub fn random_tree(concepts: u32, seed: u64) -> String {
    use std::fmt::Write;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = String::with_capacity(concepts as usize * 22);
    for child in 1..concepts {
        let from = if rng.random_ratio(1, 8) { 0 } else { child.saturating_sub(1000) };
        writeln!(lines, "c{child}\tc{}", rng.random_range(from..child))
            .expect("writing to a string does not fail");
    }
    lines
}

/// A tree like that of all species: about 30 levels at a million concepts, and one parent of
/// `star` leaves; a fifth of the concepts have a star of up to 60 leaves below them.
///
/// Inner concepts hang under any inner one before them, and most concepts are leaves, as in NCBI's
/// taxonomy.
pub fn wide_tree(concepts: u32, star: u32, seed: u64) -> String {
    use std::fmt::Write;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = String::with_capacity(concepts as usize * 22);
    let mut inner: Vec<u32> = vec![0];
    let (widest, mut last) = (concepts.saturating_sub(star).max(1), 0);
    let mut pair = |child: u32, parent: u32| {
        writeln!(lines, "c{child}\tc{parent}").expect("a string takes all");
    };
    while last + 1 < widest {
        last += 1;
        let (concept, parent) = (last, inner[rng.random_range(0..inner.len())]);
        pair(concept, parent);
        inner.push(concept);
        let leaves = if rng.random_ratio(1, 5) { rng.random_range(1..=60) } else { 0 };
        for _ in 0..leaves.min(widest - 1 - last) {
            last += 1;
            pair(last, concept);
        }
    }
    (last + 1..concepts).for_each(|leaf| pair(leaf, last / 2));
    lines
}

/// A random hierarchy in which every concept has `parents` parents, any that came before.
///
/// No ontology is like that: codes need many bits, because hardly any two concepts are alike.
pub fn dense_dag(concepts: u32, parents: u32, seed: u64) -> String {
    use std::fmt::Write;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = String::with_capacity(concepts as usize * parents as usize * 14);
    for child in 1..concepts {
        for _ in 0..parents {
            writeln!(lines, "c{child}\tc{}", rng.random_range(0..child))
                .expect("a string takes all");
        }
    }
    lines
}

/// A random hierarchy with one root as an edge list. Two concepts in five have a second parent: 1.4
/// direct pairs per concept, and about 25 ancestors each at 200,000 concepts.
///
/// As in ontologies, most second parents are relatives: a sibling of the first parent. The others
/// are `strangers` (in a thousand second parents), which may be any earlier concept. With 10 or 50
/// strangers, 20,000 concepts need 254 or 263 bits at fast effort.
pub fn random_dag(concepts: u32, strangers: u32, seed: u64) -> String {
    use std::fmt::Write;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parents: Vec<u32> = vec![0];
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); concepts as usize];
    let mut lines = String::with_capacity(concepts as usize * 30);
    for child in 1..concepts {
        let first = rng.random_range(child / 6..child.div_ceil(2));
        writeln!(lines, "c{child}\tc{first}").expect("writing to a string does not fail");
        if rng.random_ratio(2, 5) {
            let cousins = &children[parents[first as usize] as usize];
            let related = cousins.partition_point(|&cousin| cousin < first);
            let second = match related {
                1.. if !rng.random_ratio(strangers, 1000) => cousins[rng.random_range(0..related)],
                _ => rng.random_range(0..child),
            };
            writeln!(lines, "c{child}\tc{second}").expect("writing to a string does not fail");
        }
        parents.push(first);
        children[first as usize].push(child);
    }
    lines
}

/// Exact codes at fast effort, widened with empty columns to `bits` bits if they need fewer.
pub fn exact_codes(hierarchy: &Hierarchy, bits: usize) -> Option<Codes> {
    let params = EncodeParams::default().effort(Effort::Fast);
    let codes = encode::codes(hierarchy, &params, &()).ok()?.codes;
    let (stride, wide) = (codes.words_per_row(), bits.div_ceil(64));
    let words = codes.rows().flat_map(|row| (0..wide).map(|at| row.get(at).copied().unwrap_or(0)));
    (codes.bits() <= bits && stride <= wide)
        .then(|| Codes::from_words(bits, words.collect()).ok())?
}

/// The examples of the project's README, run as tests. They are here because this package is never
/// published: a published one cannot include a file from outside its folder.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
