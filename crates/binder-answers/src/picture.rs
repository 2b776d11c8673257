use binder::hierarchy::Id;
use binder::query::Index;
use serde::Serialize;

use crate::name::name_of;
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
    pub fn new(index: &Index, concept: Id, most_children: usize) -> Self {
        let around = index.neighbourhood(concept, most_children);
        let text = tree::text(&around.hierarchy, &around.codes);
        Self { concept: name_of(index, concept), left_out: around.left_out, text }
    }
}
