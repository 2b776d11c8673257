use super::once_heap::OnceHeap;
use super::{Rows, blocks};
use crate::bits::{Id, id};

/// Renumbers pairs by `position[old]` and drops the implied ones. Returns the parents of each
/// concept and the number of pairs dropped. The new ids must be a depth-first topological order.
pub(super) fn renumbered_and_reduced(
    pairs: impl Iterator<Item = (Id, Id)> + Clone,
    position: &[Id],
    concepts: usize,
) -> (Rows, usize) {
    let new = |old: Id| position[old as usize];
    let renumbered = pairs.map(|(child, parent)| (new(child), new(parent)));
    let all = Rows::from_pairs(concepts, renumbered).with_sorted_rows();
    // A pair is implied only beside another one of its child.
    if (0..id(concepts)).all(|child| all.row(child).len() < 2) {
        return (all, 0);
    }
    let reduced = reduced(&all);
    let implied = all.items() - reduced.items();
    (reduced, implied)
}

/// The transitive reduction: drops every parent that is also an ancestor of another parent.
///
/// Ids must be a depth-first topological order ([`super::order`]). Then the parent with the highest
/// id is never implied. Link every concept to that parent only: this gives a tree, in which the
/// concepts under `p` are exactly the ids from `p` to `tree_end[p]`. So most implied parents are
/// found by two compares. The others are found by walking up from the parents, highest id first,
/// through rows that are reduced already. The walk ignores ids below the lowest undecided parent.
/// Where the walks exceed their budget, blocks decide instead.
///
/// ```text
/// parents of puppy: animal 0, dog 1   tree_end[animal] = 3 > 1 = dog, so animal is implied
/// ```
fn reduced(parents: &Rows) -> Rows {
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
    let mut climb = Climb::new();
    for concept in 0..id(parents.len()) {
        let row = parents.row(concept);
        if row.len() < 2 {
            reduced.push(row.iter().copied());
            continue;
        }
        // The row ascends, so if any parent is under `p` in the tree, the next one is.
        let in_tree =
            |i: usize| row.get(i + 1).is_some_and(|&next| next < tree_end[row[i] as usize]);
        let undecided: Vec<Id> = (0..row.len()).filter(|&i| !in_tree(i)).map(|i| row[i]).collect();
        let implied = climb.implied(&undecided, &reduced);
        reduced.push(undecided.into_iter().filter(|p| implied.binary_search(p).is_err()));
        if climb.steps > blocks::budget(parents) {
            return None;
        }
    }
    Some(reduced)
}

/// Whether no pair is implied by others. Any topological order of the ids will do.
pub(super) fn is_reduced(parents: &Rows) -> bool {
    let mut climb = Climb::new();
    for concept in 0..id(parents.len()) {
        if !climb.implied(parents.row(concept), parents).is_empty() {
            return false;
        }
        if climb.steps > blocks::budget(parents) {
            return !blocks::implied(parents).contains(&true);
        }
    }
    true
}

/// For each concept, one past the last id under it in the tree of highest parents ([`reduced`]).
fn tree_ends(parents: &Rows) -> Vec<Id> {
    let mut ends: Vec<Id> = (1..=id(parents.len())).collect();
    for concept in (0..id(parents.len())).rev() {
        if let Some(&highest) = parents.row(concept).last() {
            ends[highest as usize] = ends[highest as usize].max(ends[concept as usize]);
        }
    }
    ends
}

/// Finds implied parents by walking up.
struct Climb {
    /// Scratch space, kept for the next row.
    heap: OnceHeap<Id>,
    /// The number of pairs followed so far, to be compared with the budget.
    steps: usize,
}

impl Climb {
    fn new() -> Self {
        Self { heap: OnceHeap::new(), steps: 0 }
    }

    /// The members of `row` (ascending) that are ancestors of others in it, ascending.
    fn implied(&mut self, row: &[Id], parents: &Rows) -> Vec<Id> {
        let mut implied = Vec::new();
        let [lowest, .., _] = *row else { return implied };
        self.heap.clear();
        self.heap.extend(row.iter().copied());
        while let Some(here) = self.heap.pop() {
            self.steps += parents.row(here).len();
            for &above in parents.row(here).iter().filter(|&&above| above >= lowest) {
                if row.binary_search(&above).is_ok() {
                    implied.push(above);
                }
                self.heap.extend([above]);
            }
        }
        implied.sort_unstable();
        implied
    }
}
