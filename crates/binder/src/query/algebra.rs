use super::{Concept, Index, QueryError, Term};
use crate::bits::{Code, Id, IdSet};

/// A code that need not belong to a concept, and its place among the concepts.
#[derive(Debug, Clone)]
pub struct Derived<'a> {
    index: &'a Index,
    /// The bits.
    pub code: Code,
    /// The concepts that have all of these bits: those with exactly this code, and everything
    /// below.
    pub below: IdSet,
    /// The concepts that have no other bits: those with exactly this code, and everything above.
    pub above: IdSet,
}

impl<'a> Derived<'a> {
    /// The concepts with exactly this code; at most one if codes are exact.
    pub fn named(&self) -> Vec<Id> {
        (&self.below & &self.above).into_iter().collect()
    }

    /// The most specific concepts at or above it. For a join, these are the lowest common
    /// hypernyms.
    pub fn nearest_above(&self) -> impl Iterator<Item = Concept<'a>> + use<'a> {
        let (index, nearest) = (self.index, self.index.bottoms(&self.above));
        nearest.into_iter().map(|id| Concept { index, id })
    }

    /// The most general concepts at or below it. For a meet, these are the broadest concepts that
    /// are all of its parts.
    pub fn most_general_below(&self) -> impl Iterator<Item = Concept<'a>> + use<'a> {
        let (index, general) = (self.index, self.index.tops(&self.below));
        general.into_iter().map(|id| Concept { index, id })
    }
}

/// What a concept is not; see [`Index::complement`].
#[derive(Debug, Clone)]
pub struct Complement<'a> {
    /// All bits that the concept lacks. A concept above this code shares no bit with the concept,
    /// so the two have no common hypernym except one without bits.
    pub derived: Derived<'a>,
    /// The concepts that have no common hyponym with it: nothing is both.
    pub disjoint: IdSet,
}

/// A formal concept (Ganter & Wille 1999), in the context whose objects are the concepts and whose
/// attributes are the bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormalConcept {
    /// The objects: the concept and its hyponyms.
    pub extent: IdSet,
    /// The attributes: its bits.
    pub intent: Vec<u16>,
}

impl Index {
    /// The place of a code among the concepts.
    ///
    /// # Panics
    ///
    /// When the code does not have the width of the model's codes.
    pub fn derived(&self, code: Code) -> Derived<'_> {
        assert_eq!(
            code.bits(),
            self.codes().bits(),
            "the code must have the width of the model's codes"
        );
        let (below, above) =
            (self.columns.supersets(code.words()), self.columns.subsets(code.words()));
        Derived { index: self, code, below, above }
    }

    /// The meet: what is all of these concepts at once. Its code has every bit that at least one of
    /// them has. If nothing is below it, nothing is all of them. The meet of no concepts has no
    /// bits, so everything is below it.
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

    /// The join: what these concepts have in common. Its code has the bits that all of them have.
    /// The most specific concepts above it are their lowest common hypernyms; a hierarchy that is
    /// not a tree may have several. The join of no concepts has every bit.
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

    /// The complement: what a concept is not.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn complement(&self, concept: impl Term) -> Result<Complement<'_>, QueryError> {
        let concept = concept.resolve(self)?;
        let derived = self.derived(!&self.codes().code(concept));
        Ok(Complement { derived, disjoint: self.disjoint(concept) })
    }

    /// The formal concept of a concept: its extent and its intent.
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

    /// The concepts that have no common hyponym with `concept`. All others are at or above
    /// something at or below it, so one walk up from there finds them.
    fn disjoint(&self, concept: Id) -> IdSet {
        let mut reached = self.columns.supersets(self.codes().row(concept));
        let mut open: Vec<Id> = reached.iter().collect();
        while let Some(next) = open.pop() {
            for &above in self.nearest_above().row(next) {
                if !reached.contains(above) {
                    reached.insert(above);
                    open.push(above);
                }
            }
        }
        IdSet::all(self.codes().len()) - reached
    }
}
