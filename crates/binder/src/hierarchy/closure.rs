use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Hierarchy, Id, Rows, blocks};

impl Hierarchy {
    /// Everything above a concept, ascending: its direct and indirect parents.
    ///
    /// Parents have smaller ids than their children, so walking up in descending order of ids meets every
    /// ancestor once and in order, whatever the number of ways that lead to it.
    pub fn ancestors(&self, of: Id) -> Vec<Id> {
        let mut heap: BinaryHeap<Id> = self.parents(of).iter().copied().collect();
        let mut found = Vec::new();
        while let Some(here) = heap.pop() {
            if found.last() != Some(&here) {
                found.push(here);
                heap.extend(self.parents(here));
            }
        }
        found.reverse();
        found
    }

    /// Everything below a concept, ascending: its direct and indirect children.
    pub fn descendants(&self, of: Id) -> Vec<Id> {
        let mut heap: BinaryHeap<Reverse<Id>> =
            self.children(of).iter().map(|&child| Reverse(child)).collect();
        let mut found = Vec::new();
        while let Some(Reverse(here)) = heap.pop() {
            if found.last() != Some(&here) {
                found.push(here);
                heap.extend(self.children(here).iter().map(|&child| Reverse(child)));
            }
        }
        found
    }

    /// Whether `child` is below `parent`, by walking up from `child` no lower than `parent`.
    pub fn is_a(&self, child: Id, parent: Id) -> bool {
        let mut heap: BinaryHeap<Id> = BinaryHeap::from([child]);
        while let Some(here) = heap.pop() {
            if self.parents(here).binary_search(&parent).is_ok() {
                return true;
            }
            while heap.peek() == Some(&here) {
                heap.pop();
            }
            heap.extend(self.parents(here).iter().filter(|&&above| above > parent));
        }
        false
    }

    /// The ancestors of every concept, ascending: the transitive closure, without reflexive pairs.
    pub fn closure(&self) -> Rows {
        let mut closure = Rows::with_capacity(self.len(), 8 * self.len());
        let mut row = Vec::new();
        for concept in self.ids() {
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
        closure
    }

    /// How many concepts are above each.
    ///
    /// No list of ancestors is kept. Walking up in descending order of ids, as soon as one concept
    /// `u` is left to visit, all that remains is `u` and its ancestors, which are counted already; below a
    /// single parent that is so at once. Chains, trees and ladders of diamonds cost a few steps a concept; a graph so dense that
    /// the walks are long is counted in blocks.
    pub fn ancestor_counts(&self) -> Vec<u64> {
        self.ancestor_counts_by_walking().unwrap_or_else(|| blocks::ancestor_counts(&self.parents))
    }

    fn ancestor_counts_by_walking(&self) -> Option<Vec<u64>> {
        let mut counts = Vec::with_capacity(self.len());
        let (mut heap, mut steps) = (BinaryHeap::new(), 0);
        for concept in self.ids() {
            heap.extend(self.parents(concept));
            let mut visited = 0;
            while let Some(here) = heap.pop() {
                while heap.peek() == Some(&here) {
                    heap.pop();
                }
                visited += 1;
                if heap.is_empty() {
                    visited += counts[here as usize];
                } else {
                    heap.extend(self.parents(here));
                    steps += self.parents(here).len();
                }
            }
            if steps > blocks::budget(&self.parents) {
                return None;
            }
            counts.push(visited);
        }
        Some(counts)
    }

    /// How many concepts are below each: by adding up where nobody has two parents, by walking up from everyone where the closure is small, and
    /// in blocks otherwise.
    pub fn descendant_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.len()];
        if self.multi_parent() == 0 {
            for concept in self.ids().rev() {
                self.parents(concept)
                    .iter()
                    .for_each(|&parent| counts[parent as usize] += counts[concept as usize] + 1);
            }
        } else if self.closure_len() <= blocks::budget(&self.parents) as u64 {
            for concept in self.ids() {
                self.ancestors(concept).into_iter().for_each(|above| counts[above as usize] += 1);
            }
        } else {
            counts = blocks::descendant_counts(&self.children);
        }
        counts
    }

    /// How many (child, ancestor) pairs the closure holds.
    pub fn closure_len(&self) -> u64 {
        self.ancestor_counts().iter().sum()
    }
}
