use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::Texts;
use crate::bits::Id;

/// A two-way mapping between names and dense ids: the `i`-th distinct name has id `i`.
///
/// The hash table holds only ids and compares the names in the list, so each name is stored once.
///
/// # Examples
///
/// ```
/// use binder::hierarchy::Names;
/// let mut names = Names::default();
/// assert_eq!(names.intern("animal"), Ok(0));
/// assert_eq!(names.intern("dog"), Ok(1));
/// assert_eq!(names.intern("animal"), Ok(0));
/// assert_eq!((names.name(1), names.id("cat")), ("dog", None));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Texts,
    /// Every id below `texts.len()` exactly once, found by the hash of its name.
    index: HashTable<Id>,
    hasher: DefaultHashBuilder,
}

/// The error for more distinct names than there are 32-bit ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {max} concepts; split the hierarchy into parts", max = Id::MAX)]
pub struct TooManyNames;

impl Names {
    /// The id of `name`. A new name gets the next free id.
    ///
    /// # Errors
    ///
    /// When the name is new and no id is free.
    pub fn intern(&mut self, name: &str) -> Result<Id, TooManyNames> {
        let hash = self.hasher.hash_one(name);
        let Self { texts, index, .. } = self;
        if let Some(&id) = index.find(hash, |&id| texts.get(id as usize) == name) {
            return Ok(id);
        }
        let id = Id::try_from(texts.len()).ok().filter(|&id| id != Id::MAX).ok_or(TooManyNames)?;
        if index.len() == index.capacity() {
            self.grow();
        }
        let Self { texts, index, hasher } = self;
        texts.push(name);
        index.insert_unique(hash, id, |&id| hasher.hash_one(texts.get(id as usize)));
        Ok(id)
    }

    /// Makes room for more names.
    ///
    /// A table that grows by itself goes through its old slots, so it looks up the name of one
    /// random id after the other. In the order of the ids, the names are read in one go. The old
    /// table is not needed for that and is given back first.
    fn grow(&mut self) {
        let Self { texts, index, hasher } = self;
        *index = HashTable::new();
        // At least one more than there are: the table takes the next power of two.
        *index = HashTable::with_capacity(texts.len() + 1);
        for (id, name) in (0..).zip(texts.iter()) {
            index.insert_unique(hasher.hash_one(name), id, |&id: &Id| {
                hasher.hash_one(texts.get(id as usize))
            });
        }
    }

    /// The id of `name`, if it has one.
    pub fn id(&self, name: &str) -> Option<Id> {
        let hash = self.hasher.hash_one(name);
        self.index.find(hash, |&id| self.texts.get(id as usize) == name).copied()
    }

    /// The name of `id`.
    ///
    /// # Panics
    ///
    /// When no name has that id.
    pub fn name(&self, id: Id) -> &str {
        self.texts.get(id as usize)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The names in the order of their ids.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The same names under new ids: `order[new] = old`, and the other way round `position[old] =
    /// new`. Names whose position is `Id::MAX` are dropped.
    ///
    /// The hash of a name does not depend on its id, so the table stays and only its ids change.
    pub(crate) fn reordered(self, order: &[Id], position: &[Id]) -> Self {
        let Self { texts: old_texts, mut index, hasher } = self;
        let renumber = |id: &mut Id| {
            *id = position[*id as usize];
            *id != Id::MAX
        };
        let (texts, ()) = rayon::join(|| old_texts.in_order(order), || index.retain(renumber));
        Self { texts, index, hasher }
    }

    /// Names from a list of distinct names. The error is the index of the first duplicate.
    pub(crate) fn from_distinct(texts: Texts) -> Result<Self, Id> {
        let hasher = DefaultHashBuilder::default();
        let mut index = HashTable::with_capacity(texts.len());
        for id in 0..crate::bits::id(texts.len()) {
            let name = texts.get(id as usize);
            let hash = hasher.hash_one(name);
            if index.find(hash, |&other: &Id| texts.get(other as usize) == name).is_some() {
                return Err(id);
            }
            index.insert_unique(hash, id, |&id| hasher.hash_one(texts.get(id as usize)));
        }
        Ok(Self { texts, index, hasher })
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Names {}
