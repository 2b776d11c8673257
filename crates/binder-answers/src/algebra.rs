use binder::hierarchy::Id;
use binder::query::{Derived, Index, QueryError};
use serde::Serialize;

use crate::Page;
use crate::name::{name_of, names_of};

/// What a derived code stands for: a meet, a join or the value of an expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Standing {
    /// What it was derived from.
    pub of: Vec<String>,
    /// The bits.
    pub bits: Vec<u16>,
    /// The concepts with this very code.
    pub named: Vec<String>,
    /// The most specific concepts at or above it: of a join, the lowest common hypernyms.
    pub nearest_above: Vec<String>,
    /// How many concepts are at or below it.
    pub count: usize,
    /// The most general of those.
    pub most_general_below: Vec<String>,
    /// The concepts at or below it, the most general first.
    pub below: Vec<String>,
}

impl Standing {
    /// What is all of some concepts at once. The page is that of every list.
    pub fn meet(index: &Index, concepts: &[Id], page: Page) -> Self {
        Self::new(index, names_of(index, concepts.iter().copied()), &index.meet(concepts), page)
    }

    /// What some concepts have in common. The page is that of every list.
    pub fn join(index: &Index, concepts: &[Id], page: Page) -> Self {
        Self::new(index, names_of(index, concepts.iter().copied()), &index.join(concepts), page)
    }

    /// The value of an expression. The page is that of every list.
    pub fn of_expression(index: &Index, text: &str, page: Page) -> Result<Self, QueryError> {
        Ok(Self::new(index, vec![text.to_owned()], &index.evaluate(text)?, page))
    }

    fn new(index: &Index, of: Vec<String>, derived: &Derived, page: Page) -> Self {
        let below = page.names(index, index.by_generality(&derived.below));
        Self { below, ..Self::outline(index, of, derived, page) }
    }

    /// What a code stands for that was derived from what `of` says. `below` stays empty: it may be
    /// the whole model, and not everybody wants it by name.
    pub fn outline(index: &Index, of: Vec<String>, derived: &Derived, page: Page) -> Self {
        Self {
            of,
            bits: derived.bits(),
            named: names_of(index, derived.named()),
            nearest_above: page.names(index, index.most_specific(&derived.above)),
            count: derived.below.count(),
            most_general_below: page.names(index, index.tops(&derived.below)),
            below: Vec::new(),
        }
    }
}

/// What a concept is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Complement {
    /// The concept.
    pub concept: String,
    /// The bits that it lacks.
    pub bits: Vec<u16>,
    /// How many concepts share no bit with it.
    pub count: usize,
    /// Concepts that share no bit with it.
    pub shares_no_attribute: Vec<String>,
    /// How many concepts have no hyponym in common with it.
    pub disjoint_count: usize,
    /// The most general of the concepts that have no hyponym in common with it.
    pub disjoint: Vec<String>,
}

impl Complement {
    /// What a concept is not. The page is that of both lists.
    pub fn new(index: &Index, concept: Id, page: Page) -> Self {
        let complement = index.complement(concept);
        Self {
            concept: name_of(index, concept),
            bits: complement.derived.bits(),
            count: complement.unlike.count(),
            shares_no_attribute: page.names(index, index.by_generality(&complement.unlike)),
            disjoint_count: complement.disjoint.count(),
            disjoint: page.names(index, index.tops(&complement.disjoint)),
        }
    }
}

/// The formal concept of a word, as formal concept analysis has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Formal {
    /// The concept.
    pub concept: String,
    /// The attributes: its bits.
    pub intent: Vec<u16>,
    /// How many objects there are.
    pub count: usize,
    /// The objects: the concept and its hyponyms, the most general first.
    pub extent: Vec<String>,
}

impl Formal {
    /// The extent and the intent of a concept.
    pub fn new(index: &Index, concept: Id) -> Self {
        let formal = index.formal_concept(concept);
        let extent = names_of(index, index.by_generality(&formal.extent));
        let (concept, count) = (name_of(index, concept), extent.len());
        Self { concept, intent: formal.intent, count, extent }
    }
}
