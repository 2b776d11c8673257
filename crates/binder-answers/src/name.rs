#![allow(single_use_lifetimes, reason = "the macro that makes a schema writes such code")]

use binder::Id;
use binder::query::Index;
use serde::Serialize;

/// A concept by name and label, as a line of a long list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Named<'a> {
    /// The concept.
    pub concept: &'a str,
    /// What people call it.
    pub label: Option<&'a str>,
}

impl<'a> Named<'a> {
    /// A concept of an index.
    pub fn new(index: &'a Index, concept: Id) -> Self {
        Self { concept: index.name(concept), label: index.hierarchy().label(concept) }
    }
}

/// The names of concepts.
pub fn names_of(index: &Index, concepts: impl IntoIterator<Item = Id>) -> Vec<String> {
    concepts.into_iter().map(|concept| name_of(index, concept)).collect()
}

/// The name of a concept.
pub(crate) fn name_of(index: &Index, concept: Id) -> String {
    index.name(concept).to_owned()
}
