use std::cmp::Reverse;
use std::ops::Deref;
use std::sync::OnceLock;

use super::once_heap::OnceHeap;
use super::{Graph, Rows, blocks, reduce};
use crate::bits::{Id, id};
use crate::progress::{Cancelled, Progress};

/// The number of concepts between two reports of progress.
const CLOSURE_STEP: Id = 1 << 12;

/// A graph without cycles and without implied pairs, whose ids are a topological order: **a
/// parent's id is always below its children's**. So "parents first" is a plain loop over the ids.
///
/// A graph built by [`arranged`](Self::arranged) also has a depth-first order: the concepts under
/// one parent lie close together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dag {
    graph: Graph,
    /// Length of the longest path up from each concept.
    depths: Vec<u32>,
    /// The number of pairs in the closure; counted on first use, because that takes long.
    closure_len: OnceLock<u64>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new(0, [])
    }
}

impl PartialEq for Dag {
    fn eq(&self, other: &Self) -> bool {
        self.graph == other.graph
    }
}

impl Eq for Dag {}

impl Deref for Dag {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

impl Dag {
    /// Renumbers `concepts` concepts by their `position` in the order that
    /// [`depth_first`](super::depth_first) gives for the same pairs, and drops the implied pairs.
    /// Returns the graph and the number of pairs dropped.
    pub(crate) fn arranged(
        position: &[Id],
        concepts: usize,
        pairs: impl Iterator<Item = (Id, Id)> + Clone,
    ) -> (Self, usize) {
        let (parents, implied) = reduce::renumbered_and_reduced(pairs, position, concepts);
        (Self::new(parents), implied)
    }

    /// A graph from the parents of each concept. The error says which law they break.
    pub(crate) fn checked(parents: Rows) -> Result<Self, &'static str> {
        let rows = || (0..id(parents.len())).map(|child| (child, parents.row(child)));
        if rows().any(|(child, row)| row.iter().any(|&parent| parent >= child)) {
            return Err("a parent does not come before its child");
        }
        if rows().any(|(_, row)| !row.is_sorted_by(|a, b| a < b)) {
            return Err("pairs are not in ascending order");
        }
        if !reduce::is_reduced(&parents) {
            return Err("a pair is implied by others");
        }
        Ok(Self::new(parents))
    }

    fn new(parents: Rows) -> Self {
        let (depths, children) = rayon::join(|| depths(&parents), || parents.transposed());
        let graph = Graph::from_both(parents, children);
        Self { graph, depths, closure_len: OnceLock::new() }
    }

    /// The first `concepts` ids and the pairs among them. Their ancestors are among them too.
    pub(crate) fn beginning(&self, concepts: usize) -> Self {
        let concepts = concepts.min(self.concepts());
        let pairs = (0..id(concepts)).map(|child| self.parents(child).len()).sum();
        let mut parents = Rows::with_capacity(concepts, pairs);
        (0..id(concepts)).for_each(|child| parents.push(self.parents(child).iter().copied()));
        Self::new(parents)
    }

    /// The pairs as a graph.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Length of the longest path up from a concept; 0 for a root.
    pub(crate) fn depth_of(&self, concept: Id) -> u32 {
        self.depths[concept as usize]
    }

    /// Length of the longest path from a root to a leaf, in pairs.
    pub(crate) fn depth(&self) -> u32 {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// Concepts without a parent.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Id> + '_ {
        self.ids().filter(|&id| self.parents(id).is_empty())
    }

    /// Everything above a concept, ascending: its direct and indirect parents.
    pub(crate) fn ancestors(&self, of: Id) -> Vec<Id> {
        let (mut heap, mut found) = (OnceHeap::new(), Vec::new());
        heap.extend(self.parents(of).iter().copied());
        while let Some(here) = heap.pop() {
            found.push(here);
            heap.extend(self.parents(here).iter().copied());
        }
        found.reverse();
        found
    }

    /// Everything below a concept, ascending: its direct and indirect children.
    pub(crate) fn descendants(&self, of: Id) -> Vec<Id> {
        let (mut heap, mut found) = (OnceHeap::new(), Vec::new());
        heap.extend(self.children(of).iter().map(|&child| Reverse(child)));
        while let Some(Reverse(here)) = heap.pop() {
            found.push(here);
            heap.extend(self.children(here).iter().map(|&child| Reverse(child)));
        }
        found
    }

    /// Whether `child` is strictly below `parent`. Walks up from `child` and ignores ids below
    /// `parent`, which cannot lead to it.
    pub(crate) fn is_below(&self, child: Id, parent: Id) -> bool {
        let mut heap = OnceHeap::new();
        heap.extend([child]);
        while let Some(here) = heap.pop() {
            if self.contains(here, parent) {
                return true;
            }
            heap.extend(self.parents(here).iter().copied().filter(|&above| above > parent));
        }
        false
    }

    /// The ancestors of every concept, ascending: the transitive closure, without reflexive pairs.
    pub(crate) fn closure(&self) -> Rows {
        self.closure_with(&()).expect("() never cancels")
    }

    /// [`closure`](Self::closure) with progress.
    pub(crate) fn closure_with(&self, progress: &dyn Progress) -> Result<Rows, Cancelled> {
        let pairs = usize::try_from(self.closure_len()).unwrap_or(0);
        let mut closure = Rows::with_capacity(self.concepts(), pairs);
        let mut row = Vec::new();
        progress.start("computing the closure", Some(self.concepts() as u64));
        for concept in self.ids() {
            if concept.is_multiple_of(CLOSURE_STEP) {
                progress.go_on()?;
                progress.advance(CLOSURE_STEP.min(id(self.concepts()) - concept).into());
            }
            row.clear();
            for &parent in self.parents(concept) {
                row.extend_from_slice(closure.row(parent));
                row.push(parent);
            }
            if self.parents(concept).len() > 1 {
                row.sort_unstable();
                row.dedup();
            }
            closure.push(row.iter().copied());
        }
        Ok(closure)
    }

    /// The number of (child, ancestor) pairs in the closure.
    pub(crate) fn closure_len(&self) -> u64 {
        *self.closure_len.get_or_init(|| self.ancestor_counts().iter().sum())
    }

    /// The memory that the [closure](Self::closure) takes, in bytes.
    pub(crate) fn closure_bytes(&self) -> u64 {
        self.closure_len() * size_of::<Id>() as u64 + 8 * self.concepts() as u64
    }

    /// For each concept, how many concepts are above it.
    ///
    /// No list of ancestors is kept. The walk goes up in descending order of ids. When only one
    /// concept `u` is left to visit, the rest is `u` and its ancestors, and their number is known
    /// already. A concept with a single parent needs no walk at all. Chains, trees and ladders of
    /// diamonds cost a few steps per concept. Where a graph is so dense that the walks exceed their
    /// budget, blocks count instead.
    pub(crate) fn ancestor_counts(&self) -> Vec<u64> {
        self.ancestor_counts_by_walking()
            .unwrap_or_else(|| blocks::ancestor_counts(self.parent_rows()))
    }

    fn ancestor_counts_by_walking(&self) -> Option<Vec<u64>> {
        let mut counts = Vec::with_capacity(self.concepts());
        let (mut heap, mut steps) = (OnceHeap::new(), 0);
        let budget = blocks::budget(self.parent_rows());
        for concept in self.ids() {
            heap.extend(self.parents(concept).iter().copied());
            let mut visited = 0;
            while let Some(here) = heap.pop() {
                visited += 1;
                if heap.is_empty() {
                    visited += counts[here as usize];
                } else {
                    heap.extend(self.parents(here).iter().copied());
                    steps += self.parents(here).len();
                }
            }
            if steps > budget {
                return None;
            }
            counts.push(visited);
        }
        Some(counts)
    }

    /// For each concept, how many concepts are below it. In a forest the counts of the children are
    /// added up; where the closure is small, every concept is counted at each of its ancestors;
    /// otherwise blocks count.
    pub(crate) fn descendant_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.concepts()];
        if self.ids().all(|concept| self.parents(concept).len() < 2) {
            for concept in self.ids().rev() {
                for &parent in self.parents(concept) {
                    counts[parent as usize] += counts[concept as usize] + 1;
                }
            }
        } else if self.closure_len() <= blocks::budget(self.parent_rows()) as u64 {
            for concept in self.ids() {
                self.ancestors(concept).into_iter().for_each(|above| counts[above as usize] += 1);
            }
        } else {
            counts = blocks::descendant_counts(self.child_rows());
        }
        counts
    }
}

/// Length of the longest path up from each concept.
fn depths(parents: &Rows) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(parents.len());
    for concept in 0..id(parents.len()) {
        let above = parents.row(concept).iter().map(|&parent| depths[parent as usize] + 1).max();
        depths.push(above.unwrap_or(0));
    }
    depths
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{depth_first, positions};
    use super::*;

    /// A graph from any pairs; the larger number of each becomes the child.
    fn dag(concepts: usize, pairs: impl IntoIterator<Item = (Id, Id)>) -> (Dag, usize) {
        let downwards = pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b)));
        let graph = Graph::new(concepts, downwards);
        let order = depth_first(graph.child_rows(), graph.ids());
        Dag::arranged(&positions(&order, concepts), order.len(), graph.iter())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        /// Enough concepts for several blocks.
        #[test]
        fn blocks_and_walks_give_the_same_counts(
            pairs in proptest::collection::vec((0..1100u32, 0..1100u32), 1000..1800)
        ) {
            let (dag, _) = dag(1100, pairs);
            let ancestors = blocks::ancestor_counts(dag.parent_rows());
            let descendants = blocks::descendant_counts(dag.child_rows());
            for concept in dag.ids() {
                let at = concept as usize;
                prop_assert_eq!(ancestors[at], dag.ancestors(concept).len() as u64);
                prop_assert_eq!(descendants[at], dag.descendants(concept).len() as u64);
            }
            prop_assert!(!blocks::implied(dag.parent_rows()).contains(&true));
            // Every pair of the closure that is not direct is implied.
            let closure = dag.closure();
            let marks = blocks::implied(&closure);
            for (at, (child, parent)) in closure.pairs().enumerate() {
                prop_assert_eq!(marks[at], !dag.contains(child, parent));
            }
        }

        #[test]
        fn reduction_keeps_the_closure_for_any_order_of_ids(
            pairs in proptest::collection::vec((0..30u32, 0..30u32), 0..90)
        ) {
            // 7 and 30 have no common divisor, so this permutes the ids.
            let shuffled = |id: u32| id * 7 % 30;
            let pairs = pairs.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.max(b), a.min(b)));
            let graph = Graph::new(30, pairs.map(|(a, b)| (shuffled(a), shuffled(b))));
            let reduced = graph.reduced();
            let (mut all, mut rest) = (Vec::new(), Vec::new());
            for concept in graph.ids() {
                super::super::Reach::new(&graph).above(concept).clone_into(&mut all);
                super::super::Reach::new(&reduced).above(concept).clone_into(&mut rest);
                prop_assert_eq!(&all, &rest);
            }
            prop_assert_eq!(reduced.reduced().len(), reduced.len());
        }
    }

    #[test]
    fn dense_layers_are_counted_and_reduced() {
        let layers = |every_pair: bool| {
            dag(
                3000,
                (0..3000u32).flat_map(move |child| {
                    let nearest = (child / 100 * 100).saturating_sub(100);
                    let first = if every_pair { 0 } else { nearest };
                    (first..child / 100 * 100).map(move |parent| (child, parent))
                }),
            )
        };
        let ((sparse, none), (dense, implied)) = (layers(false), layers(true));
        assert_eq!((sparse.len(), none), (29 * 100 * 100, 0));
        assert_eq!((dense.len(), implied), (sparse.len(), 100 * 100 * (29 * 30 / 2 - 29)));
        let closure = 100 * 100 * 29 * 30 / 2;
        assert_eq!((sparse.closure_len(), dense.closure_len()), (closure, closure));
        assert_eq!(sparse.descendant_counts().iter().sum::<u64>(), closure);
    }
}
