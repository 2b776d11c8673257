use binder::query::{Index, QueryError, Term};
use serde::Serialize;

/// Whether one concept is another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IsA {
    /// The child.
    pub child: String,
    /// The parent.
    pub parent: String,
    /// The answer.
    pub is_a: bool,
}

impl IsA {
    /// Whether `child` is a `parent`.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn new(index: &Index, child: impl Term, parent: impl Term) -> Result<Self, QueryError> {
        let (child, parent) = (index.concept(child)?, index.concept(parent)?);
        let is_a = index.is_a(child, parent)?;
        Ok(Self { child: child.name().to_owned(), parent: parent.name().to_owned(), is_a })
    }
}

/// The answers to many pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManyIsA {
    /// For each pair in turn; null where a text is not known, or is the beginning of several
    /// names.
    pub is_a: Vec<Option<bool>>,
    /// How many pairs have a name that is not known.
    pub unknown: usize,
}

impl ManyIsA {
    /// Whether each child is a parent. Texts are understood as in every question.
    pub fn new<'a>(index: &Index, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let id = |text: &str| index.known(text);
        let known = |(child, parent)| Some(index.codes().is_a(id(child)?, id(parent)?));
        let is_a: Vec<Option<bool>> = pairs.into_iter().map(known).collect();
        Self { unknown: is_a.iter().filter(|answer| answer.is_none()).count(), is_a }
    }
}
