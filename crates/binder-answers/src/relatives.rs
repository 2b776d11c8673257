use binder::Id;
use binder::query::{Concept, Index, QueryError, Term};
use serde::Serialize;

use crate::name::names_of;

/// The part of a long list that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many to pass over.
    pub offset: usize,
    /// How many to give at most.
    pub limit: usize,
}

impl Page {
    /// All of it.
    pub const ALL: Self = Self { offset: 0, limit: usize::MAX };

    /// The beginning: at most so many.
    pub fn first(limit: usize) -> Self {
        Self { offset: 0, limit }
    }

    /// The names of the concepts on this page.
    pub(crate) fn names(self, index: &Index, concepts: Vec<Id>) -> Vec<String> {
        names_of(index, concepts.into_iter().skip(self.offset).take(self.limit))
    }
}

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
        let all = index.hypernyms(concept)?;
        let found = if nearest { index.most_specific(&all) } else { index.by_generality(&all) };
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
        let all = index.hyponyms(concept)?;
        let found = if nearest { index.tops(&all) } else { index.by_generality(&all) };
        Ok(Self::new(index, concept, found, nearest, page))
    }

    fn new(index: &Index, concept: Concept<'_>, found: Vec<Id>, nearest: bool, page: Page) -> Self {
        let (concept, count) = (concept.name().to_owned(), found.len());
        Self { concept, count, concepts: page.names(index, found), nearest }
    }
}
