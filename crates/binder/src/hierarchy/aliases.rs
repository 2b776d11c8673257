use super::Names;
use crate::bits::Id;

/// Additional names of concepts: alternative ids, and the other names of a merged cycle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    /// The aliases; alias `i` is the one with id `i` here.
    names: Names,
    /// The concept of alias `i`; has the same length as `names`.
    concepts: Vec<Id>,
}

impl Aliases {
    /// Aliases from distinct names and the concept of each.
    pub(crate) fn new(names: Names, concepts: Vec<Id>) -> Self {
        debug_assert_eq!(names.len(), concepts.len());
        Self { names, concepts }
    }

    /// The concept that `alias` stands for, if it is an alias.
    pub fn concept(&self, alias: &str) -> Option<Id> {
        self.names.id(alias).map(|id| self.concepts[id as usize])
    }

    /// All aliases and their concepts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Id)> {
        self.names.texts().iter().zip(self.concepts.iter().copied())
    }

    /// The aliases of each of `concepts` concepts.
    pub(crate) fn of_each(&self, concepts: usize) -> Vec<Vec<&str>> {
        let mut of = vec![Vec::new(); concepts];
        for (alias, id) in self.iter() {
            of[id as usize].push(alias);
        }
        of
    }

    /// The number of aliases.
    pub fn len(&self) -> usize {
        self.concepts.len()
    }

    /// Whether there are no aliases.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }
}
