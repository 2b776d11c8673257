use binder::Id;
use binder::query::{Concept, Index, QueryError, Term};
use serde::Serialize;

use crate::Page;

/// Concepts above or below one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Relatives {
    /// The concept.
    pub concept: String,
    /// Of all, also where not all are listed.
    pub count: usize,
    /// Those that were asked for, by name.
    pub concepts: Vec<String>,
    /// The cursor of the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Whether only the nearest were asked for: the text calls them parents or children.
    #[serde(skip)]
    pub nearest: bool,
}

impl Relatives {
    /// What is above a concept, the most general first; or only the nearest, its parents.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn above(
        index: &Index,
        concept: impl Term,
        nearest: bool,
        page: Page,
    ) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let found = Self::all_above(index, concept, nearest)?;
        Ok(Self::new(index, concept, found, nearest, page))
    }

    /// What is below a concept, the most general first; or only the nearest, its children.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn below(
        index: &Index,
        concept: impl Term,
        nearest: bool,
        page: Page,
    ) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let found = Self::all_below(index, concept, nearest)?;
        Ok(Self::new(index, concept, found, nearest, page))
    }

    /// The ids of everything above a concept, or only of its parents, in the same order.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn all_above(
        index: &Index,
        concept: impl Term,
        nearest: bool,
    ) -> Result<Vec<Id>, QueryError> {
        let all = index.hypernyms(concept)?;
        Ok(if nearest { index.most_specific(&all) } else { index.by_generality(&all) })
    }

    /// The ids of everything below a concept, or only of its children, in the same order.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn all_below(
        index: &Index,
        concept: impl Term,
        nearest: bool,
    ) -> Result<Vec<Id>, QueryError> {
        let all = index.hyponyms(concept)?;
        Ok(if nearest { index.tops(&all) } else { index.by_generality(&all) })
    }

    fn new(index: &Index, concept: Concept<'_>, found: Vec<Id>, nearest: bool, page: Page) -> Self {
        let (concept, count) = (concept.name().to_owned(), found.len());
        Self { concept, count, next: page.next(count), concepts: page.names(index, found), nearest }
    }
}
