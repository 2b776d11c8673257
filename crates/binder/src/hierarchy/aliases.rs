use super::Names;
use crate::bits::Id;

/// Names that lead to a concept beside its own: alternative ids, and the other names of a merged
/// cycle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    names: Names,
    /// The concept of alias `i`; as long as `names`.
    concepts: Vec<Id>,
}

impl Aliases {
    /// Aliases from names without repetition and the concept of each.
    pub(crate) fn new(names: Names, concepts: Vec<Id>) -> Self {
        debug_assert_eq!(names.len(), concepts.len());
        Self { names, concepts }
    }

    /// The concept that `alias` leads to.
    pub fn concept(&self, alias: &str) -> Option<Id> {
        self.names.id(alias).map(|id| self.concepts[id as usize])
    }

    /// All aliases and their concepts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Id)> {
        self.names.texts().iter().zip(self.concepts.iter().copied())
    }

    /// How many aliases there are.
    pub fn len(&self) -> usize {
        self.concepts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }
}
