use binder::query::{Index, QueryError, Term};
use serde::Serialize;

use crate::tree;

/// A concept, what is above it and what is directly below, drawn as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Picture {
    /// The concept.
    pub concept: String,
    /// How many children were left out.
    pub left_out: usize,
    /// The drawing: a concept a line, with its bits as circles.
    pub text: String,
}

impl Picture {
    /// Draws a concept with everything above it and at most so many children.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn new(
        index: &Index,
        concept: impl Term,
        most_children: usize,
    ) -> Result<Self, QueryError> {
        let concept = index.concept(concept)?;
        let around = index.neighbourhood(concept, most_children)?;
        let text = tree::text(&around.hierarchy, &around.codes);
        Ok(Self { concept: concept.name().to_owned(), left_out: around.left_out, text })
    }
}
