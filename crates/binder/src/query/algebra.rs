use rayon::prelude::*;

use super::{Index, QueryError, bits_of};
use crate::codes::{RowSet, covers, last_word_mask};
use crate::hierarchy::Id;

/// A code that need not belong to a concept, and where it stands among those that do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The bits.
    pub code: Vec<u64>,
    /// The concepts that have all of them: whatever has this very code, and everything below.
    pub below: RowSet,
    /// The concepts that have no others: whatever has this very code, and everything above.
    pub above: RowSet,
}

impl Derived {
    /// The bits, ascending.
    pub fn bits(&self) -> Vec<u16> {
        bits_of(&self.code)
    }

    /// The concepts with exactly this code: at most one, where codes are exact.
    pub fn named(&self) -> Vec<Id> {
        self.below.iter().filter(|&concept| self.above.contains(concept)).collect()
    }
}

/// What a concept is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complement {
    /// All bits that the concept lacks. No concept but one without bits is above both.
    pub derived: Derived,
    /// Concepts that share no bit with it, and so no hypernym but one without bits.
    pub unlike: RowSet,
    /// Concepts with which it has no hyponym in common: nothing is both.
    pub disjoint: RowSet,
}

/// The formal concept of a word (Ganter & Wille 1999), in the context whose objects are the concepts and whose attributes are the bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormalConcept {
    /// The objects: the concept and its hyponyms.
    pub extent: RowSet,
    /// The attributes: its bits.
    pub intent: Vec<u16>,
}

impl Index {
    /// Where a code stands. It must be as wide as the model's.
    pub fn derived(&self, code: Vec<u64>) -> Derived {
        let (below, above) = (self.columns.supersets(&code), self.columns.subsets(&code));
        Derived { code, below, above }
    }

    /// What is all of these concepts at once: the bits that at least one of them has. Nobody below means that nothing is all of
    /// them. Of no concept, it is what everything is.
    pub fn meet(&self, concepts: &[Id]) -> Derived {
        self.derived(self.fold(concepts, self.no_bits(), |all, word| all | word))
    }

    /// What these concepts have in common: the bits that all of them have. The most specific above are their lowest common
    /// hypernyms; a hierarchy that is no tree may have several. Of no concept, it is every bit.
    pub fn join(&self, concepts: &[Id]) -> Derived {
        self.derived(self.fold(concepts, self.every_bit(), |common, word| common & word))
    }

    /// What a concept is not.
    pub fn complement(&self, concept: Id) -> Complement {
        let derived = self.derived(self.inverse(self.codes().row(concept)));
        Complement { unlike: derived.above.clone(), disjoint: self.disjoint(concept), derived }
    }

    /// A concept's extent and intent.
    pub fn formal_concept(&self, concept: Id) -> FormalConcept {
        let code = self.codes().row(concept);
        FormalConcept { extent: self.columns.supersets(code), intent: bits_of(code) }
    }

    /// The value of an expression such as `flying & vehicle`; see [`super::Expression`].
    pub fn evaluate(&self, expression: &str) -> Result<Derived, QueryError> {
        let code = super::Expression::parse(expression)?.code(self)?;
        Ok(self.derived(code))
    }

    /// The bits that a code lacks.
    pub(super) fn inverse(&self, code: &[u64]) -> Vec<u64> {
        self.every_bit().iter().zip(code).map(|(every, word)| every & !word).collect()
    }

    pub(super) fn no_bits(&self) -> Vec<u64> {
        vec![0; self.codes().words_per_row()]
    }

    pub(super) fn every_bit(&self) -> Vec<u64> {
        let mut code = vec![u64::MAX; self.codes().words_per_row()];
        if let Some(last) = code.last_mut() {
            *last = last_word_mask(self.codes().bits());
        }
        code
    }

    fn fold(&self, concepts: &[Id], mut code: Vec<u64>, op: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        for &concept in concepts {
            code.iter_mut().zip(self.codes().row(concept)).for_each(|(all, &word)| *all = op(*all, word));
        }
        code
    }

    /// The concepts below which nothing is also below `concept`. Whatever is above or below it cannot be one; for the others,
    /// somebody is sought who has the bits of both.
    fn disjoint(&self, concept: Id) -> RowSet {
        let code = self.codes().row(concept);
        let apart = |other: Id| {
            let row = self.codes().row(other);
            let both = || -> Vec<u64> { code.iter().zip(row).map(|(a, b)| a | b).collect() };
            !covers(row, code) && !covers(code, row) && !self.columns.any_superset(&both())
        };
        let apart: Vec<Id> = self.hierarchy().ids().into_par_iter().filter(|&other| apart(other)).collect();
        let mut found = RowSet::empty(self.codes().len());
        apart.into_iter().for_each(|other| found.insert(other));
        found
    }
}
