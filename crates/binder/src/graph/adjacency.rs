use std::borrow::Cow;

use super::{Rows, depth_first, positions, reduce};
use crate::bits::{Id, id};

/// A set of (child, parent) pairs, by child and by parent.
///
/// # Examples
///
/// ```
/// use binder::graph::Graph;
/// let pets = Graph::new(5, [(1, 0), (3, 0), (2, 1), (4, 1), (4, 3), (4, 3)]);
/// assert_eq!((pets.concepts(), pets.len()), (5, 5)); // duplicates count once
/// assert_eq!(pets.parents(4), [1, 3]);
/// assert_eq!(pets.children(0), [1, 3]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Parents of each child, ascending and without duplicates.
    parents: Rows,
    /// Children of each parent, ascending. Always `parents` transposed.
    children: Rows,
}

impl Graph {
    /// A graph of `concepts` concepts from their pairs. Duplicates count once; pairs of a concept
    /// with itself are ignored.
    ///
    /// # Panics
    ///
    /// When an id is not below `concepts`.
    pub fn new(concepts: usize, pairs: impl IntoIterator<Item = (Id, Id)>) -> Self {
        let mut pairs: Vec<_> =
            pairs.into_iter().filter(|(child, parent)| child != parent).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self::from_rows(Rows::from_pairs(concepts, pairs.iter().copied()))
    }

    /// A graph from the parents of each child, which must be ascending.
    pub(crate) fn from_rows(parents: Rows) -> Self {
        Self { children: parents.transposed(), parents }
    }

    /// A graph from the parents of each child and the same transposed.
    pub(super) fn from_both(parents: Rows, children: Rows) -> Self {
        debug_assert_eq!(children, parents.transposed());
        Self { parents, children }
    }

    /// The number of concepts, with or without pairs.
    pub fn concepts(&self) -> usize {
        self.parents.len()
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.parents.items()
    }

    /// Whether the graph has no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All ids.
    pub fn ids(&self) -> std::ops::Range<Id> {
        0..id(self.concepts())
    }

    /// The parents of a concept, ascending.
    ///
    /// # Panics
    ///
    /// When the graph has no such concept.
    #[inline]
    pub fn parents(&self, child: Id) -> &[Id] {
        self.parents.row(child)
    }

    /// The children of a concept, ascending.
    ///
    /// # Panics
    ///
    /// When the graph has no such concept.
    pub fn children(&self, parent: Id) -> &[Id] {
        self.children.row(parent)
    }

    /// All (child, parent) pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        self.parents.pairs()
    }

    /// Whether the graph has the pair.
    ///
    /// # Panics
    ///
    /// When the graph has no concept `child`.
    #[inline]
    pub fn contains(&self, child: Id, parent: Id) -> bool {
        self.parents(child).binary_search(&parent).is_ok()
    }

    /// The parents of all concepts.
    pub(super) fn parent_rows(&self) -> &Rows {
        &self.parents
    }

    /// The children of all concepts.
    pub(super) fn child_rows(&self) -> &Rows {
        &self.children
    }

    /// All concepts, parents before children. Concepts on or below a cycle have no such order and
    /// come last.
    pub(crate) fn parents_first(&self) -> Vec<Id> {
        let mut order = depth_first(&self.children, self.ids());
        if order.len() < self.concepts() {
            let position = positions(&order, self.concepts());
            order.extend(self.ids().filter(|&concept| position[concept as usize] == Id::MAX));
        }
        order
    }

    /// The pairs that do not follow from others; all pairs if there is a cycle.
    pub(crate) fn reduced(&self) -> Cow<'_, Self> {
        let order = depth_first(&self.children, self.ids());
        if order.len() < self.concepts() {
            return Cow::Borrowed(self);
        }
        let position = positions(&order, self.concepts());
        let (reduced, _) = reduce::renumbered_and_reduced(self.iter(), &position, order.len());
        if reduced.items() == self.len() {
            return Cow::Borrowed(self);
        }
        let old = |new: Id| order[new as usize];
        let pairs = reduced.pairs().map(|(child, parent)| (old(child), old(parent)));
        Cow::Owned(Self::new(self.concepts(), pairs))
    }
}
