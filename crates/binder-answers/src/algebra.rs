use binder::query::{Derived, Index, QueryError, Term};
use serde::Serialize;

use crate::Page;
use crate::name::names_of;

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
    /// The cursor of the next page, if one of the lists goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Standing {
    /// What is all of some concepts at once. The page is that of every list.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn meet(index: &Index, concepts: &[impl Term], page: Page) -> Result<Self, QueryError> {
        Ok(Self::new(index, all_names(index, concepts)?, &index.meet(concepts)?, page))
    }

    /// What some concepts have in common. The page is that of every list.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn join(index: &Index, concepts: &[impl Term], page: Page) -> Result<Self, QueryError> {
        Ok(Self::new(index, all_names(index, concepts)?, &index.join(concepts)?, page))
    }

    /// The value of an expression. The page is that of every list.
    ///
    /// # Errors
    ///
    /// When the expression cannot be read, or a concept in it is not known.
    pub fn of_expression(index: &Index, text: &str, page: Page) -> Result<Self, QueryError> {
        Ok(Self::new(index, vec![text.to_owned()], &index.evaluate(text)?, page))
    }

    fn new(index: &Index, of: Vec<String>, derived: &Derived<'_>, page: Page) -> Self {
        let outline = Self::outline(index, of, derived, page);
        let next = page.next(outline.count).or(outline.next);
        let below = page.names(index, index.by_generality(&derived.below));
        Self { below, next, ..outline }
    }

    /// What a code stands for that was derived from what `of` says. `below` stays empty: it may be
    /// the whole model, and not everybody wants it by name.
    pub fn outline(index: &Index, of: Vec<String>, derived: &Derived<'_>, page: Page) -> Self {
        let above = index.bottoms(&derived.above);
        let general = index.tops(&derived.below);
        Self {
            of,
            bits: derived.code.ones().collect(),
            named: names_of(index, derived.named()),
            next: page.next(above.len().max(general.len())),
            nearest_above: page.names(index, above),
            count: derived.below.len(),
            most_general_below: page.names(index, general),
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
    /// The cursor of the next page, if one of the lists goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Complement {
    /// What a concept is not. The page is that of both lists.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn new(index: &Index, concept: impl Term, page: Page) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let complement = index.complement(concept)?;
        let unlike = &complement.derived.above;
        let disjoint = index.tops(&complement.disjoint);
        Ok(Self {
            concept: concept.name().to_owned(),
            bits: complement.derived.code.ones().collect(),
            count: unlike.len(),
            shares_no_attribute: page.names(index, index.by_generality(unlike)),
            disjoint_count: complement.disjoint.len(),
            next: page.next(unlike.len().max(disjoint.len())),
            disjoint: page.names(index, disjoint),
        })
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
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn new(index: &Index, concept: impl Term) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let formal = index.formal_concept(concept)?;
        let extent = names_of(index, index.by_generality(&formal.extent));
        let (concept, count) = (concept.name().to_owned(), extent.len());
        Ok(Self { concept, intent: formal.intent, count, extent })
    }
}

fn all_names(index: &Index, concepts: &[impl Term]) -> Result<Vec<String>, QueryError> {
    concepts.iter().map(|concept| Ok(index.concept(concept)?.name().to_owned())).collect()
}
