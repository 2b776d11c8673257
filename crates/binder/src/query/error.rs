use crate::bits::Id;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No concept of that name.
    #[error("no concept is named {name:?}{}", is_it(.nearest))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names spelt much like it, the nearest first.
        nearest: Vec<String>,
    },
    /// A number that is not a concept's.
    #[error("no concept has number {id}; there are {concepts}, numbered from 0")]
    UnknownId {
        /// What was asked for.
        id: Id,
        /// How many concepts there are.
        concepts: usize,
    },
    /// A label, or the beginning of a name, of several concepts.
    #[error("{name:?} may be {}; give the whole name", listed(.candidates, *.count))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The first names that it may stand for.
        candidates: Vec<String>,
        /// How many there are.
        count: usize,
    },
    /// An expression that cannot be read.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A similarity along the hierarchy, of a model that keeps none.
    #[error(
        "the model keeps no pairs, so nothing can be measured along them; hamming and jaccard need none"
    )]
    NoHierarchy,
}

/// Where and why an expression cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}\n  {text}\n  {:>column$}", '^')]
pub struct ExpressionError {
    /// The expression.
    pub text: String,
    /// The place, from 1, counted in characters.
    pub column: usize,
    /// What is wrong there, and what to do.
    pub problem: String,
}

fn is_it(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; is it {}?", listed(names, names.len())),
    }
}

/// "a, b or c", and how many more there are.
fn listed(names: &[String], count: usize) -> String {
    match names {
        [one] if count == 1 => one.clone(),
        [first @ .., last] if count == names.len() => format!("{} or {last}", first.join(", ")),
        some => format!("{} or {} others", some.join(", "), count - some.len()),
    }
}
