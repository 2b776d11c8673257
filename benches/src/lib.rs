//! What the benchmarks work on: real and generated hierarchies, and exact codes for them.

use std::collections::VecDeque;

use binder::hierarchy::Id;
use binder::{Codes, Columns, Hierarchy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random tree: each concept hangs under one of the 1,000 before it, or under any with one chance in eight.
pub fn random_tree(concepts: u32, seed: u64) -> String {
    use std::fmt::Write;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = String::with_capacity(concepts as usize * 22);
    for child in 1..concepts {
        let from = if rng.random_ratio(1, 8) { 0 } else { child.saturating_sub(1000) };
        writeln!(lines, "c{child}\tc{}", rng.random_range(from..child)).expect("a string takes all");
    }
    lines
}

/// Codes of `bits` bits without a single error, or `None` where this simple construction needs more.
///
/// First a code for the tree of last parents: the children of a concept get different sets of the same size (none holds
/// another), small subtrees in groups, and sibling subtrees share the bits below. ORed down all pairs, every true pair holds. Then
/// columns against the false ones: each column is a set of concepts closed under children, which holds the
/// parents and none of the children of as many false pairs as fit.
pub fn exact_codes(hierarchy: &Hierarchy, bits: usize) -> Option<Codes> {
    let mut codes = forest_codes(hierarchy, bits)?;
    let mut false_pairs = false_pairs(&codes, hierarchy);
    let mut free =
        (0..bits).filter(|&bit| hierarchy.ids().all(|id| !codes.get(id, bit))).collect::<VecDeque<_>>();
    while !false_pairs.is_empty() {
        let column = separating_column(&mut false_pairs, hierarchy);
        let bit = free.pop_front()?;
        hierarchy.ids().filter(|&id| column[id as usize]).for_each(|id| codes.set(id, bit, true));
    }
    Some(codes)
}

/// A concept, or a group of small subtrees, in the tree that is coded.
struct Node {
    concept: Option<Id>,
    parts: Vec<Node>,
    width: usize,
}

fn forest_codes(hierarchy: &Hierarchy, bits: usize) -> Option<Codes> {
    let mut parts: Vec<Vec<Node>> = hierarchy.ids().map(|_| Vec::new()).collect();
    let mut top = Vec::new();
    for id in hierarchy.ids().rev() {
        let node = node(Some(id), std::mem::take(&mut parts[id as usize]));
        hierarchy.parents(id).last().map_or(&mut top, |&parent| &mut parts[parent as usize]).push(node);
    }
    let top = node(None, top);
    let mut codes = (top.width <= bits).then(|| Codes::zeros(hierarchy.len(), bits))?.ok()?;
    assign(&top, 0, &mut codes);
    hierarchy.pairs().for_each(|(child, parent)| codes.inherit(child, parent));
    Some(codes)
}

fn node(concept: Option<Id>, mut parts: Vec<Node>) -> Node {
    parts.sort_by_key(|part| part.width);
    let widest = parts.last().map_or(0, |part| part.width);
    // A group of the smallest costs nothing while it is no wider than the widest subtree.
    while let Some(most) = (2..parts.len()).rev().find(|&k| set_bits(k) + parts[k - 1].width <= widest) {
        let rest = parts.split_off(most);
        let group = node(None, std::mem::replace(&mut parts, rest));
        let at = parts.partition_point(|part| part.width < group.width);
        parts.insert(at, group);
    }
    let width = set_bits(parts.len()) + parts.last().map_or(0, |part| part.width);
    Node { concept, parts, width }
}

/// The fewest bits with `count` different sets of half of them.
fn set_bits(count: usize) -> usize {
    if count == 0 { 0 } else { (1..).find(|&bits| choose_half(bits) >= count).unwrap_or(0) }
}

fn choose_half(bits: usize) -> usize {
    (0..bits / 2).fold(1, |ways, taken| ways * (bits - taken) / (taken + 1))
}

fn assign(node: &Node, first: usize, codes: &mut Codes) {
    let bits = set_bits(node.parts.len());
    let mut set = (1u64 << bits.div_ceil(2)) - 1;
    for part in &node.parts {
        mark(part, set, first, codes);
        assign(part, first + bits, codes);
        // Gosper: the next larger number with as many ones.
        let low = set & set.wrapping_neg();
        let carried = set + low;
        set = carried | ((set ^ carried) / low) >> 2;
    }
}

/// Gives a set to a part's concept, or to every concept at the top of a group.
fn mark(part: &Node, set: u64, first: usize, codes: &mut Codes) {
    match part.concept {
        Some(concept) => {
            (0..64).filter(|bit| set >> bit & 1 == 1).for_each(|bit| codes.set(concept, first + bit, true));
        }
        None => part.parts.iter().for_each(|part| mark(part, set, first, codes)),
    }
}

fn false_pairs(codes: &Codes, hierarchy: &Hierarchy) -> Vec<(Id, Id)> {
    let columns = Columns::new(codes);
    let below = |parent: Id| {
        let truly = hierarchy.descendants(parent);
        let found: Vec<Id> = columns.supersets(codes.row(parent)).iter().collect();
        found
            .into_iter()
            .filter(move |child| *child != parent && truly.binary_search(child).is_err())
            .map(move |child| (child, parent))
    };
    hierarchy.ids().flat_map(below).collect()
}

/// A set of concepts closed under children, that keeps apart and takes out of `pairs` as many as fit, in order.
fn separating_column(pairs: &mut Vec<(Id, Id)>, hierarchy: &Hierarchy) -> Vec<bool> {
    let (mut inside, mut barred) = (vec![false; hierarchy.len()], vec![false; hierarchy.len()]);
    pairs.retain(|&(child, parent)| {
        if inside[child as usize] || barred[parent as usize] {
            return true;
        }
        hierarchy.descendants(parent).into_iter().chain([parent]).for_each(|id| inside[id as usize] = true);
        hierarchy.ancestors(child).into_iter().chain([child]).for_each(|id| barred[id as usize] = true);
        false
    });
    inside
}
