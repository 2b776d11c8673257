use std::collections::BinaryHeap;

use super::{Id, Rows, blocks, id};

/// The transitive reduction: drops every parent that is also an ancestor of another parent.
///
/// Ids must be a depth-first topological order ([`super::order`]). Then the highest parent of a concept
/// is never implied, and the concepts that hang under `p` by their highest parents are exactly the ids from `p`
/// to `tree_end[p]`: most implied parents are found by two compares. The rest is decided by walking up
/// from the parents, highest id first, through rows that are reduced already, no lower than the lowest
/// parent in doubt. Where the walks are long, blocks decide instead.
///
/// ```text
/// parents of puppy: animal 0, dog 1   tree_end[animal] = 3 > 1 = dog, so animal is implied
/// ```
pub(super) fn reduced(parents: &Rows) -> Rows {
    reduced_by_walking(parents).unwrap_or_else(|| {
        let implied = blocks::implied(parents);
        let mut reduced = Rows::with_capacity(parents.len(), parents.items());
        for concept in 0..id(parents.len()) {
            let marks = &implied[parents.start(concept)..];
            reduced.push(
                parents
                    .row(concept)
                    .iter()
                    .zip(marks)
                    .filter(|(_, implied)| !**implied)
                    .map(|(&parent, _)| parent),
            );
        }
        reduced
    })
}

fn reduced_by_walking(parents: &Rows) -> Option<Rows> {
    let tree_end = tree_ends(parents);
    let mut reduced = Rows::with_capacity(parents.len(), parents.items());
    let mut walk = Walk::default();
    for concept in 0..id(parents.len()) {
        let row = parents.row(concept);
        if row.len() < 2 {
            reduced.push(row.iter().copied());
            continue;
        }
        // The row ascends: if any parent hangs under `p`, the one after `p` does.
        let in_tree = |i: usize| row.get(i + 1).is_some_and(|&next| next < tree_end[row[i] as usize]);
        let in_doubt: Vec<Id> = (0..row.len()).filter(|&i| !in_tree(i)).map(|i| row[i]).collect();
        let implied = walk.implied(&in_doubt, &reduced);
        reduced.push(in_doubt.into_iter().filter(|p| implied.binary_search(p).is_err()));
        if walk.steps > blocks::budget(parents) {
            return None;
        }
    }
    Some(reduced)
}

/// Whether no pair is implied by others. Asks of the ids only that parents come first.
pub(super) fn is_reduced(parents: &Rows) -> bool {
    let mut walk = Walk::default();
    for concept in 0..id(parents.len()) {
        if !walk.implied(parents.row(concept), parents).is_empty() {
            return false;
        }
        if walk.steps > blocks::budget(parents) {
            return !blocks::implied(parents).contains(&true);
        }
    }
    true
}

/// One past the last id that hangs under each concept by highest parents.
fn tree_ends(parents: &Rows) -> Vec<Id> {
    let mut ends: Vec<Id> = (1..=id(parents.len())).collect();
    for concept in (0..id(parents.len())).rev() {
        if let Some(&highest) = parents.row(concept).last() {
            ends[highest as usize] = ends[highest as usize].max(ends[concept as usize]);
        }
    }
    ends
}

/// The heap of one walk, kept to be used again.
#[derive(Default)]
struct Walk {
    heap: BinaryHeap<Id>,
    /// Pairs that all walks so far went along.
    steps: usize,
}

impl Walk {
    /// Which of `row` (ascending) are ancestors of others in it, ascending.
    fn implied(&mut self, row: &[Id], parents: &Rows) -> Vec<Id> {
        let mut implied = Vec::new();
        let [lowest, .., _] = *row else { return implied };
        self.heap.clear();
        self.heap.extend(row);
        while let Some(here) = self.heap.pop() {
            while self.heap.peek() == Some(&here) {
                self.heap.pop();
            }
            self.steps += parents.row(here).len();
            for &above in parents.row(here).iter().filter(|&&above| above >= lowest) {
                if row.binary_search(&above).is_ok() {
                    implied.push(above);
                }
                self.heap.push(above);
            }
        }
        implied.sort_unstable();
        implied
    }
}
