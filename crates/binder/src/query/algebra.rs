use rayon::prelude::*;

use super::{Concept, Index, QueryError, Term};
use crate::bits::{Code, Id, IdSet, covers};

/// A code that need not belong to a concept, and where it stands among those that do.
#[derive(Debug, Clone)]
pub struct Derived<'a> {
    index: &'a Index,
    /// The bits.
    pub code: Code,
    /// The concepts that have all of them: whatever has this very code, and everything below.
    pub below: IdSet,
    /// The concepts that have no others: whatever has this very code, and everything above.
    pub above: IdSet,
}

impl<'a> Derived<'a> {
    /// The concepts with exactly this code: at most one, where codes are exact.
    pub fn named(&self) -> Vec<Id> {
        (&self.below & &self.above).into_iter().collect()
    }

    /// The most specific concepts at or above it: of a join, the lowest common hypernyms.
    pub fn nearest_above(&self) -> impl Iterator<Item = Concept<'a>> + use<'a> {
        let (index, nearest) = (self.index, self.index.most_specific(&self.above));
        nearest.into_iter().map(|id| Concept { index, id })
    }

    /// The most general concepts at or below it: of a meet, what is all of its parts.
    pub fn most_general_below(&self) -> impl Iterator<Item = Concept<'a>> + use<'a> {
        let (index, general) = (self.index, self.index.tops(&self.below));
        general.into_iter().map(|id| Concept { index, id })
    }
}

/// What a concept is not.
#[derive(Debug, Clone)]
pub struct Complement<'a> {
    /// All bits that the concept lacks. No concept but one without bits is above both. What stands
    /// above this code shares no bit with the concept, and so no hypernym but one without bits.
    pub derived: Derived<'a>,
    /// Concepts with which it has no hyponym in common: nothing is both.
    pub disjoint: IdSet,
}

/// The formal concept of a word (Ganter & Wille 1999), in the context whose objects are the
/// concepts and whose attributes are the bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormalConcept {
    /// The objects: the concept and its hyponyms.
    pub extent: IdSet,
    /// The attributes: its bits.
    pub intent: Vec<u16>,
}

impl Index {
    /// Where a code stands.
    ///
    /// # Panics
    ///
    /// When the code is not as wide as those of the model.
    pub fn derived(&self, code: Code) -> Derived<'_> {
        assert_eq!(code.bits(), self.codes().bits(), "a code as wide as those of the model");
        let (below, above) =
            (self.columns.supersets(code.words()), self.columns.subsets(code.words()));
        Derived { index: self, code, below, above }
    }

    /// What is all of these concepts at once: the bits that at least one of them has. Nothing below
    /// means that nothing is all of them. Of no concept, it is what everything is.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn meet<T: Term>(
        &self,
        concepts: impl IntoIterator<Item = T>,
    ) -> Result<Derived<'_>, QueryError> {
        let start = Code::zeros(self.codes().bits());
        let both = |all: Code, code: &Code| &all | code;
        Ok(self.derived(self.fold(concepts, start, both)?))
    }

    /// What these concepts have in common: the bits that all of them have. The most specific above
    /// are their lowest common hypernyms; a hierarchy that is not a tree may have several. Of no
    /// concept, it is every bit.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn join<T: Term>(
        &self,
        concepts: impl IntoIterator<Item = T>,
    ) -> Result<Derived<'_>, QueryError> {
        let start = Code::ones_everywhere(self.codes().bits());
        let common = |all: Code, code: &Code| &all & code;
        Ok(self.derived(self.fold(concepts, start, common)?))
    }

    fn fold<T: Term>(
        &self,
        concepts: impl IntoIterator<Item = T>,
        start: Code,
        op: impl Fn(Code, &Code) -> Code,
    ) -> Result<Code, QueryError> {
        concepts.into_iter().try_fold(start, |code, concept| {
            Ok(op(code, &self.codes().code(concept.resolve(self)?)))
        })
    }

    /// What a concept is not.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn complement(&self, concept: impl Term) -> Result<Complement<'_>, QueryError> {
        let concept = concept.resolve(self)?;
        let derived = self.derived(!&self.codes().code(concept));
        Ok(Complement { derived, disjoint: self.disjoint(concept) })
    }

    /// A concept's extent and intent.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn formal_concept(&self, concept: impl Term) -> Result<FormalConcept, QueryError> {
        let code = self.codes().code(concept.resolve(self)?);
        let extent = self.columns.supersets(code.words());
        Ok(FormalConcept { extent, intent: code.ones().collect() })
    }

    /// The value of an expression such as `flying & vehicle`; see [`super::Expression`].
    ///
    /// # Errors
    ///
    /// When the expression cannot be read, or a concept in it is not known.
    pub fn evaluate(&self, expression: &str) -> Result<Derived<'_>, QueryError> {
        Ok(self.derived(super::Expression::parse(expression)?.code(self)?))
    }

    /// The concepts below which nothing is also below `concept`. Whatever is above or below it
    /// cannot be one; for the others, a concept is sought that has the bits of both.
    fn disjoint(&self, concept: Id) -> IdSet {
        let code = self.codes().row(concept);
        let is_disjoint = |&other: &Id| {
            let row = self.codes().row(other);
            let both = || -> Vec<u64> { code.iter().zip(row).map(|(a, b)| a | b).collect() };
            !covers(row, code) && !covers(code, row) && !self.columns.any_superset(&both())
        };
        let disjoint: Vec<Id> =
            self.hierarchy().ids().into_par_iter().filter(is_disjoint).collect();
        IdSet::from_ids(self.codes().len(), disjoint)
    }
}
