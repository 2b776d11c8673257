//! The structures, each as its users would build it from the direct pairs.

use std::collections::HashSet;
use std::mem::size_of;
use std::ops::RangeInclusive;

use binder::encode::EncodeParams;
use binder::graph::Rows;
use binder::hierarchy::Ranks;
use binder::{Hierarchy, Id, Index, encode_with};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use roaring::RoaringBitmap;

/// What is asked of each structure. A question that it cannot answer without reading all of itself
/// has no answer.
pub(crate) trait Structure {
    /// Memory for what the questions need, without names.
    fn bytes(&self) -> usize;

    /// Whether `child` is-a `parent`; true of a concept and itself.
    fn is_a(&self, child: Id, parent: Id) -> bool;

    /// Everything above a concept, without itself, in any order.
    fn ancestors(&self, of: Id) -> Option<Vec<Id>>;

    /// Everything below a concept, without itself, in any order.
    fn descendants(&self, of: Id) -> Option<Vec<Id>>;

    /// The common ancestors of two concepts (which count as their own) that have no other below
    /// them.
    fn lowest_common(&self, one: Id, other: Id) -> Option<Vec<Id>> {
        let mut common: Vec<Id> = self.ancestors(one)?;
        common.push(one);
        common.retain(|&above| self.is_a(other, above));
        let lowest = |id: &Id| !common.iter().any(|below| below != id && self.is_a(*below, *id));
        Some(common.iter().filter(|id| lowest(id)).copied().collect())
    }
}

/// How a structure is built from a hierarchy.
pub(crate) type Build = fn(&Hierarchy) -> Box<dyn Structure>;

/// All structures with their names.
pub(crate) fn builders() -> [(&'static str, Build); 6] {
    [
        ("Binder's codes", |hierarchy| Box::new(Codes::new(hierarchy))),
        ("hash set of the closure", |hierarchy| Box::new(PairSet::new(hierarchy))),
        ("sorted lists, up and down", |hierarchy| Box::new(Lists::new(hierarchy))),
        ("roaring bitmaps, up and down", |hierarchy| Box::new(Bitmaps::new(hierarchy))),
        ("intervals of a depth-first order", |hierarchy| Box::new(Intervals::new(hierarchy))),
        ("walk through the graph (petgraph)", |hierarchy| Box::new(Walk::new(hierarchy))),
    ]
}

/// Exact codes and their columns.
struct Codes(Index);

impl Codes {
    fn new(hierarchy: &Hierarchy) -> Self {
        let encoded = encode_with(hierarchy.clone(), &EncodeParams::default(), &());
        Self(encoded.expect("a hierarchy is encoded").into_index())
    }
}

impl Structure for Codes {
    /// Codes, their columns, and the number of bits of each code.
    fn bytes(&self) -> usize {
        let codes = self.0.codes();
        let columns = codes.bits() * codes.len().div_ceil(8);
        codes.len() * (codes.words_per_row() * 8 + size_of::<u16>()) + columns
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        self.0.codes().is_a(child, parent)
    }

    fn ancestors(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.0.hypernyms(of).ok()?.iter().collect())
    }

    fn descendants(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.0.hyponyms(of).ok()?.iter().collect())
    }

    fn lowest_common(&self, one: Id, other: Id) -> Option<Vec<Id>> {
        Some(self.0.join([one, other]).ok()?.nearest_above().map(|concept| concept.id()).collect())
    }
}

/// Every pair of the closure in one hash set.
struct PairSet(HashSet<(Id, Id)>);

impl PairSet {
    fn new(hierarchy: &Hierarchy) -> Self {
        let closure = hierarchy.closure();
        let above = |child: Id| closure.row(child).iter().map(move |&parent| (child, parent));
        Self(hierarchy.ids().flat_map(above).collect())
    }
}

impl Structure for PairSet {
    /// A byte beside each place, and an eighth of the places free, as std's tables have it.
    fn bytes(&self) -> usize {
        (self.0.capacity() * 8 / 7).next_power_of_two() * (size_of::<(Id, Id)>() + 1)
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        child == parent || self.0.contains(&(child, parent))
    }

    fn ancestors(&self, _: Id) -> Option<Vec<Id>> {
        None
    }

    fn descendants(&self, _: Id) -> Option<Vec<Id>> {
        None
    }
}

/// The sorted ancestors and the sorted descendants of each concept.
struct Lists {
    above: Rows,
    below: Vec<Vec<Id>>,
}

impl Lists {
    fn new(hierarchy: &Hierarchy) -> Self {
        let above = hierarchy.closure();
        let below = turned(&above, hierarchy);
        Self { above, below }
    }
}

impl Structure for Lists {
    fn bytes(&self) -> usize {
        let pairs: usize = self.below.iter().map(Vec::len).sum();
        2 * pairs * size_of::<Id>() + self.below.len() * (size_of::<usize>() + size_of::<Vec<Id>>())
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        child == parent || self.above.row(child).binary_search(&parent).is_ok()
    }

    fn ancestors(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.above.row(of).to_vec())
    }

    fn descendants(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.below[of as usize].clone())
    }
}

/// The ancestors and the descendants of each concept as compressed bitmaps.
struct Bitmaps {
    above: Vec<RoaringBitmap>,
    below: Vec<RoaringBitmap>,
}

impl Bitmaps {
    fn new(hierarchy: &Hierarchy) -> Self {
        let closure = hierarchy.closure();
        let bitmap = |ids: &[Id]| {
            let mut bitmap: RoaringBitmap = ids.iter().copied().collect();
            bitmap.optimize();
            bitmap
        };
        let above = hierarchy.ids().map(|id| bitmap(closure.row(id))).collect();
        let below = turned(&closure, hierarchy).iter().map(|ids| bitmap(ids)).collect();
        Self { above, below }
    }
}

impl Structure for Bitmaps {
    fn bytes(&self) -> usize {
        let size = |bitmap: &RoaringBitmap| size_of::<RoaringBitmap>() + bitmap.serialized_size();
        self.above.iter().chain(&self.below).map(size).sum()
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        child == parent || self.above[child as usize].contains(parent)
    }

    fn ancestors(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.above[of as usize].iter().collect())
    }

    fn descendants(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.below[of as usize].iter().collect())
    }
}

/// The descendants of each concept as ranges of a depth-first order. Ancestors are found by walking
/// up.
struct Intervals {
    hierarchy: Hierarchy,
    ranks: Ranks,
    /// The concept of each rank.
    by_rank: Vec<Id>,
    ranges: Vec<Vec<RangeInclusive<Id>>>,
}

impl Intervals {
    fn new(hierarchy: &Hierarchy) -> Self {
        let (closure, ranks) = (hierarchy.closure(), hierarchy.ranks());
        let below = turned(&closure, hierarchy);
        let ranges = hierarchy.ids().map(|id| {
            let with_itself = std::iter::once(id).chain(below[id as usize].iter().copied());
            ranks.ranges(with_itself)
        });
        let mut by_rank = vec![0; hierarchy.len()];
        hierarchy.ids().for_each(|id| by_rank[ranks.of(id) as usize] = id);
        Self { ranges: ranges.collect(), ranks, by_rank, hierarchy: hierarchy.clone() }
    }
}

impl Structure for Intervals {
    /// The ranges, the ranks there and back, and the direct parents.
    fn bytes(&self) -> usize {
        let ranges: usize = self.ranges.iter().map(Vec::len).sum();
        let vectors = self.ranges.len() * size_of::<Vec<RangeInclusive<Id>>>();
        let graph = (self.hierarchy.direct() + self.ranges.len()) * size_of::<Id>();
        ranges * size_of::<RangeInclusive<Id>>() + vectors + graph + 2 * 4 * self.ranges.len()
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        let (rank, ranges) = (self.ranks.of(child), &self.ranges[parent as usize]);
        let after = ranges.partition_point(|range| *range.start() <= rank);
        after > 0 && ranges[after - 1].contains(&rank)
    }

    fn ancestors(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.hierarchy.ancestors(of))
    }

    fn descendants(&self, of: Id) -> Option<Vec<Id>> {
        let all = self.ranges[of as usize].iter().cloned().flatten();
        Some(all.map(|rank| self.by_rank[rank as usize]).filter(|&id| id != of).collect())
    }
}

/// Nothing but the direct pairs: every question is a walk.
struct Walk(DiGraph<(), (), Id>);

impl Walk {
    fn new(hierarchy: &Hierarchy) -> Self {
        let mut graph = DiGraph::with_capacity(hierarchy.len(), hierarchy.direct());
        hierarchy.ids().for_each(|_| _ = graph.add_node(()));
        for (child, parent) in hierarchy.pairs() {
            graph.add_edge(NodeIndex::from(child), NodeIndex::from(parent), ());
        }
        Self(graph)
    }

    /// Everything that a walk from a concept meets, without itself. The walk remembers what it has
    /// seen in a set of its own, so that a short walk does not clear a bit for each concept.
    fn walk(&self, from: Id, direction: Direction) -> Vec<Id> {
        let (mut seen, mut found) = (HashSet::from([from]), vec![from]);
        let mut at = 0;
        while at < found.len() {
            let next = self.0.neighbors_directed(NodeIndex::from(found[at]), direction);
            found.extend(next.map(id).filter(|&node| seen.insert(node)));
            at += 1;
        }
        found.swap_remove(0);
        found
    }
}

impl Structure for Walk {
    /// As petgraph has it: two links of each concept, two ends and two links of each pair.
    fn bytes(&self) -> usize {
        (2 * self.0.node_count() + 4 * self.0.edge_count()) * size_of::<Id>()
    }

    fn is_a(&self, child: Id, parent: Id) -> bool {
        child == parent || self.walk(child, Direction::Outgoing).contains(&parent)
    }

    fn ancestors(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.walk(of, Direction::Outgoing))
    }

    fn descendants(&self, of: Id) -> Option<Vec<Id>> {
        Some(self.walk(of, Direction::Incoming))
    }
}

fn id(node: NodeIndex<Id>) -> Id {
    Id::try_from(node.index()).expect("nodes are numbered as concepts are")
}

/// The closure the other way round: the sorted descendants of each concept.
fn turned(closure: &Rows, hierarchy: &Hierarchy) -> Vec<Vec<Id>> {
    let mut below = vec![Vec::new(); hierarchy.len()];
    for child in hierarchy.ids() {
        closure.row(child).iter().for_each(|&parent| below[parent as usize].push(child));
    }
    below
}
