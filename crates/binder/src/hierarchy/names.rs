use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::Texts;
use crate::bits::Id;

/// Names ↔ dense ids: the `i`-th distinct name seen has id `i`.
///
/// The hash table holds ids only and reads the names where they lie, so a name is stored once.
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Texts,
    /// Every id below `texts.len()` exactly once, found by the hash of its name.
    index: HashTable<Id>,
    hasher: DefaultHashBuilder,
}

/// More distinct names than a 32-bit id can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {max} concepts; split the hierarchy into parts", max = Id::MAX)]
pub struct TooManyNames;

impl Names {
    /// The id of `name`, given to it now if it is new.
    pub fn intern(&mut self, name: &str) -> Result<Id, TooManyNames> {
        let hash = self.hasher.hash_one(name);
        let Self { texts, index, hasher } = self;
        if let Some(&id) = index.find(hash, |&id| texts.get(id as usize) == name) {
            return Ok(id);
        }
        let id = Id::try_from(texts.len()).ok().filter(|&id| id != Id::MAX).ok_or(TooManyNames)?;
        texts.push(name);
        index.insert_unique(hash, id, |&id| hasher.hash_one(texts.get(id as usize)));
        Ok(id)
    }

    /// The id of `name`, if it has one.
    pub fn id(&self, name: &str) -> Option<Id> {
        let hash = self.hasher.hash_one(name);
        self.index.find(hash, |&id| self.texts.get(id as usize) == name).copied()
    }

    /// The name of `id`. Panics when no name has that id.
    pub fn name(&self, id: Id) -> &str {
        self.texts.get(id as usize)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The names in the order of their ids.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The same names under new ids: `order[new] = old`. Ids that `order` leaves out are forgotten.
    pub(crate) fn reordered(self, order: &[Id]) -> Self {
        let mut texts = Texts::with_capacity(order.len(), self.texts.bytes().len());
        for &old in order {
            texts.push(self.name(old));
        }
        drop(self);
        Self::from_distinct(texts).expect("names were distinct under their old ids")
    }

    /// Names from a list without repetition; the second of two equal names comes back as the error.
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
