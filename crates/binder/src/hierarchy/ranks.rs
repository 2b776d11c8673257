//! An order of the concepts in which the descendants of each are few ranges.
//!
//! ```text
//!         animal 0            A database that stores the rank of a concept finds "everything that
//!        /        \           is a dog" by `rank BETWEEN 1 AND 2`, with an ordinary index.
//!     dog 1      pet 3
//!         \      /  \         dog 1–2, pet 3–4 and 2: puppy has two parents, and can stand beside
//!        puppy 2   cat 4      one of them only.
//! ```
//!
//! In a tree, depth-first order makes every set of descendants one range. A concept with several
//! parents stands below one of them. Each ancestor that it has only by another parent then gets
//! another range, at most. So it stands below the parent with the most ancestors: there are fewest
//! others. docs/sql.md compares the orders.

use std::ops::RangeInclusive;

use super::Hierarchy;
use crate::bits::{Id, id};
use crate::graph::Rows;

/// The rank of every concept in an order that makes the descendants of each few ranges.
///
/// # Examples
///
/// ```
/// use binder::Hierarchy;
/// let pets = [
///     ("dog", "animal"), ("pet", "animal"), ("puppy", "dog"), ("puppy", "pet"), ("cat", "pet"),
/// ];
/// let pets = Hierarchy::from_pairs(pets)?;
/// let ranks = pets.ranks();
/// let of = |name| ranks.of(pets.id(name).expect("a pet"));
/// assert_eq!(of("animal"), 0);
/// let below = |name| pets.descendants(pets.id(name).expect("a pet"));
/// assert_eq!(ranks.ranges(below("animal")), [1..=4]);
/// assert_eq!(ranks.ranges(below("dog")), [of("puppy")..=of("puppy")]);
/// # Ok::<(), binder::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    /// The rank of each concept: a permutation of the ids.
    of: Vec<Id>,
}

impl Hierarchy {
    /// The ranks of the concepts. They depend on the pairs and the order of ids alone.
    pub fn ranks(&self) -> Ranks {
        let (dag, concepts) = (self.dag(), self.len());
        let above = dag.ancestor_counts();
        let root = id(concepts);
        let kept = |concept: Id| {
            let parents = dag.parents(concept).iter().copied();
            // The first of the parents with the most ancestors.
            let best = parents.rev().max_by_key(|&parent| above[parent as usize]);
            best.unwrap_or(root)
        };
        let below =
            Rows::from_pairs(concepts + 1, dag.ids().map(|concept| (kept(concept), concept)));
        let (mut of, mut next) = (vec![0; concepts], 0);
        let mut open: Vec<Id> = below.row(root).iter().rev().copied().collect();
        while let Some(concept) = open.pop() {
            of[concept as usize] = next;
            next += 1;
            open.extend(below.row(concept).iter().rev());
        }
        Ranks { of }
    }
}

impl Ranks {
    /// The rank of a concept.
    ///
    /// # Panics
    ///
    /// When no concept has that id.
    pub fn of(&self, concept: Id) -> Id {
        self.of[concept as usize]
    }

    /// All ranks, in the order of ids.
    pub fn as_slice(&self) -> &[Id] {
        &self.of
    }

    /// The ranks of some concepts as ranges, ascending, as few as possible.
    ///
    /// # Panics
    ///
    /// When there is no concept with one of the ids.
    pub fn ranges(&self, concepts: impl IntoIterator<Item = Id>) -> Vec<RangeInclusive<Id>> {
        let mut ranks: Vec<Id> = concepts.into_iter().map(|concept| self.of(concept)).collect();
        ranks.sort_unstable();
        let mut ranges: Vec<RangeInclusive<Id>> = Vec::new();
        for rank in ranks {
            match ranges.last_mut() {
                Some(last) if rank <= last.end().saturating_add(1) => *last = *last.start()..=rank,
                _ => ranges.push(rank..=rank),
            }
        }
        ranges
    }
}
