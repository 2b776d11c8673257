use binder::query::{Index, QueryError};
use serde::Serialize;

use crate::{
    Complement, Description, Explanation, Formal, IsA, Nearest, Picture, Question, Relatives,
    SearchResult, Standing, Taken, answer,
};

/// The answer to a [`Question`](crate::Question). As JSON it says what the question was.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "question", rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Answer {
    /// Whether one concept is another.
    IsA(IsA),
    /// What is above a concept.
    Hypernyms(Relatives),
    /// What is below a concept.
    Hyponyms(Relatives),
    /// What is all of some concepts at once.
    Meet(Standing),
    /// What some concepts have in common.
    Join(Standing),
    /// The value of an expression.
    Expr(Standing),
    /// What a concept is not.
    Complement(Complement),
    /// The concepts most like one.
    Nearest(Nearest),
    /// Why a concept is, or is not, another.
    Explain(Explanation),
    /// All about a concept.
    Describe(Description),
    /// The extent and the intent of a concept.
    Formal(Formal),
    /// Concepts found by name.
    Search(SearchResult),
    /// A drawing of a concept and its neighbours.
    Picture(Picture),
}

/// An answer, and how the question was understood.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// How texts were understood that are not simply names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<Taken>,
}

impl Asked {
    /// Answers a question, and says how it was understood.
    ///
    /// # Errors
    ///
    /// As [`answer`].
    pub fn new(index: &Index, question: &Question) -> Result<Self, QueryError> {
        Ok(Self { answer: answer(index, question)?, taken: Taken::of(index, question) })
    }
}
