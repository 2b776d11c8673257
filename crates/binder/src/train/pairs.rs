use crate::hierarchy::{Id, Rows};

/// The positive pairs that are learnt from, by child and by parent.
#[derive(Debug, Clone)]
pub struct TrainingPairs {
    /// Parents of each child, ascending, each once.
    parents: Rows,
    /// Children of each parent; `parents` transposed.
    children: Rows,
}

impl TrainingPairs {
    /// The pairs of `concepts` concepts; duplicates and pairs of a concept with itself count once and not at all.
    pub fn new(concepts: usize, pairs: &[(Id, Id)]) -> Self {
        let mut pairs: Vec<_> = pairs.iter().copied().filter(|(child, parent)| child != parent).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let parents = Rows::from_pairs(concepts, pairs.into_iter());
        Self { children: parents.transposed(), parents }
    }

    /// How many concepts there are, with or without pairs.
    pub fn concepts(&self) -> usize {
        self.parents.len()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.parents.items()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parents of a concept, ascending.
    pub fn parents(&self, child: Id) -> &[Id] {
        self.parents.row(child)
    }

    /// The children of a concept, ascending.
    pub fn children(&self, parent: Id) -> &[Id] {
        self.children.row(parent)
    }

    /// All (child, parent) pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        self.parents.pairs()
    }

    /// Whether the pair is there.
    pub fn contains(&self, child: Id, parent: Id) -> bool {
        self.parents(child).binary_search(&parent).is_ok()
    }
}
