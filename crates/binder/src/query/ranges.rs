use std::ops::RangeInclusive;

use super::{Index, QueryError, Term};
use crate::bits::Id;
use crate::hierarchy::Ranks;

impl Index {
    /// The ranks of a concept and everything below it, as few ranges. A table that stores
    /// [`Index::ranks`] finds its rows with an ordinary index.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::Hierarchy;
    /// let pets = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "dog")];
    /// let index = binder::encode(&Hierarchy::from_pairs(pets)?)?.into_index();
    /// assert_eq!(index.ranges("animal")?, [0..=4]);
    /// assert_eq!(index.ranges("dog")?.len(), 1);
    /// # Ok::<(), binder::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn ranges(&self, concept: impl Term) -> Result<Vec<RangeInclusive<Id>>, QueryError> {
        let concept = concept.resolve(self)?;
        let all = self.columns.supersets(self.codes().row(concept));
        Ok(self.ranks().ranges(all.iter()))
    }

    /// The rank of every concept: an order in which the descendants of each are few ranges.
    pub fn ranks(&self) -> &Ranks {
        self.ranks.get_or_init(|| self.hierarchy().ranks())
    }
}
