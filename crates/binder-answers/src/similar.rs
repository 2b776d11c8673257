use binder::Choice;
use binder::query::{Index, Measure, QueryError, Term};
use serde::Serialize;

use crate::name::name_of;

/// The concepts most like one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nearest {
    /// The concept.
    pub concept: String,
    /// The measure.
    pub by: &'static str,
    /// The nearest first.
    pub concepts: Vec<Scored>,
}

/// A concept and how alike it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scored {
    /// The concept.
    pub concept: String,
    /// How alike: a distance for Hamming, else a similarity up to 1.
    pub score: f64,
}

impl Nearest {
    /// At most `most` concepts, those most like `to`.
    ///
    /// # Errors
    ///
    /// When `to` is not known, or a measure goes along pairs and the model keeps none.
    pub fn new(index: &Index, to: impl Term, most: usize, by: Measure) -> Result<Self, QueryError> {
        let to = index.concept(to)?;
        let scored = |(concept, score)| Scored { concept: name_of(index, concept), score };
        let concepts = index.nearest(to, most, by)?.into_iter().map(scored).collect();
        Ok(Self { concept: to.name().to_owned(), by: by.name(), concepts })
    }
}

/// Concepts found by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchResult {
    /// What was sought.
    pub text: String,
    /// The likeliest first.
    pub concepts: Vec<Found>,
}

/// A concept that was found by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Found {
    /// The concept.
    pub concept: String,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// What was found of its name, label or synonym, in small letters.
    pub found: String,
    /// How many typing errors apart.
    pub typos: usize,
    /// How the text leads to it: name, label, synonym, loose-synonym, beginning or similar.
    pub by: &'static str,
}

impl SearchResult {
    /// At most `most` concepts that are named much like a text.
    pub fn new(index: &Index, text: &str, most: usize) -> Self {
        let hits = index.names().search(text, most).into_iter();
        let found = hits.map(|hit| Found {
            concept: name_of(index, hit.concept),
            label: index.hierarchy().label(hit.concept).map(str::to_owned),
            definition: index.hierarchy().definition(hit.concept).map(str::to_owned),
            found: hit.text,
            typos: hit.typos,
            by: hit.by.name(),
        });
        Self { text: text.to_owned(), concepts: found.collect() }
    }
}
