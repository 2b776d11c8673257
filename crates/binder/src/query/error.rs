use crate::bits::Id;

/// Why a question cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No concept has that name.
    #[error("no concept is named {name:?}{}", is_it(.nearest))]
    Unknown {
        /// The name in the question.
        name: String,
        /// Similar names, the most similar first.
        nearest: Vec<String>,
    },
    /// No concept has that id.
    #[error("no concept has number {id}; there are {concepts}, numbered from 0")]
    UnknownId {
        /// The id in the question.
        id: Id,
        /// The number of concepts.
        concepts: usize,
    },
    /// The text is the beginning of several names.
    #[error("{name:?} may be {}; give the whole name", listed(.candidates, *.count))]
    Ambiguous {
        /// The text in the question.
        name: String,
        /// The first names that it may mean.
        candidates: Vec<String>,
        /// The number of all such names.
        count: usize,
    },
    /// An expression cannot be parsed.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A similarity along the hierarchy was requested, but the model has no pairs.
    #[error("the model has no pairs, and this measure needs them; hamming and jaccard do not")]
    NoHierarchy,
}

/// Where and why an expression cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}\n  {text}\n  {:>column$}", '^')]
pub struct ExpressionError {
    /// The expression.
    pub text: String,
    /// The column of the error in characters, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub problem: String,
}

fn is_it(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; is it {}?", listed(names, names.len())),
    }
}

/// The names as "a, b or c", with the number of further ones.
fn listed(names: &[String], count: usize) -> String {
    match names {
        [one] if count == 1 => one.clone(),
        [first @ .., last] if count == names.len() => format!("{} or {last}", first.join(", ")),
        some => format!("{} or {} others", some.join(", "), count - some.len()),
    }
}
