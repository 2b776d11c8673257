use binder::hierarchy::Id;
use binder::query::Index;
use serde::Serialize;

use crate::name::name_of;

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
    pub fn new(index: &Index, child: Id, parent: Id) -> Self {
        let is_a = index.is_a(child, parent);
        Self { child: name_of(index, child), parent: name_of(index, parent), is_a }
    }
}

/// The answers to many pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManyIsA {
    /// For each pair in turn; null where a name is not known.
    pub is_a: Vec<Option<bool>>,
    /// How many pairs have a name that is not known.
    pub unknown: usize,
}

impl ManyIsA {
    /// Whether each child is a parent. Only whole names and aliases are known here.
    pub fn new<'a>(index: &Index, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let id = |name: &str| index.hierarchy().id(name);
        let known = |(child, parent)| Some(index.is_a(id(child)?, id(parent)?));
        let is_a: Vec<Option<bool>> = pairs.into_iter().map(known).collect();
        Self { unknown: is_a.iter().filter(|answer| answer.is_none()).count(), is_a }
    }
}
