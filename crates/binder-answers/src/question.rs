use binder::query::{Index, Measure, QueryError};

use crate::{
    Answer, Complement, Description, Explanation, Formal, IsA, Nearest, Page, Picture, Relatives,
    SearchResult, Standing,
};

/// What can be asked.
///
/// A concept goes by its name, an identifier, its label, a synonym, or the beginning of one that is
/// the beginning of nothing else ([`Index::read_as`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Is `child` a `parent`?
    IsA {
        /// The concept that may be a kind of the other.
        child: String,
        /// The concept that may cover it.
        parent: String,
    },
    /// What is above a concept?
    Hypernyms {
        /// The concept.
        concept: String,
        /// Only its parents.
        nearest: bool,
        /// The part of the list that is wanted.
        page: Page,
    },
    /// What is below a concept?
    Hyponyms {
        /// The concept.
        concept: String,
        /// Only its children.
        nearest: bool,
        /// The part of the list that is wanted.
        page: Page,
    },
    /// What is all of these at once?
    Meet {
        /// The concepts.
        concepts: Vec<String>,
    },
    /// What do these have in common?
    Join {
        /// The concepts.
        concepts: Vec<String>,
    },
    /// What is the value of an expression?
    Expr {
        /// The expression, as [`Expression`](binder::query::Expression) reads it.
        text: String,
    },
    /// What is a concept not?
    Complement {
        /// The concept.
        concept: String,
    },
    /// Which concepts are most like one?
    Nearest {
        /// The concept.
        concept: String,
        /// How to measure.
        by: Measure,
        /// How many.
        count: usize,
    },
    /// Why is `child` a `parent`, or why not?
    Explain {
        /// The child.
        child: String,
        /// The parent.
        parent: String,
    },
    /// What is known about a concept?
    Describe {
        /// The concept.
        concept: String,
    },
    /// What are the extent and the intent of a concept?
    Formal {
        /// The concept.
        concept: String,
    },
    /// Which concepts are named much like a text?
    Search {
        /// The text.
        text: String,
        /// How many.
        count: usize,
    },
    /// What is around a concept, drawn?
    Picture {
        /// The concept.
        concept: String,
        /// The most children to draw.
        children: usize,
    },
}

/// Answers a question.
///
/// # Errors
///
/// When a concept is not known, when a text is the beginning of several names, when an expression cannot be read, and
/// when a measure goes along pairs and the model keeps none.
pub fn answer(index: &Index, question: &Question) -> Result<Answer, QueryError> {
    Ok(match question {
        Question::IsA { child, parent } => Answer::IsA(IsA::new(index, child, parent)?),
        Question::Hypernyms { concept, nearest, page } => {
            Answer::Hypernyms(Relatives::above(index, concept, *nearest, *page)?)
        }
        Question::Hyponyms { concept, nearest, page } => {
            Answer::Hyponyms(Relatives::below(index, concept, *nearest, *page)?)
        }
        Question::Meet { concepts } => Answer::Meet(Standing::meet(index, concepts, Page::ALL)?),
        Question::Join { concepts } => Answer::Join(Standing::join(index, concepts, Page::ALL)?),
        Question::Expr { text } => Answer::Expr(Standing::of_expression(index, text, Page::ALL)?),
        Question::Complement { concept } => {
            Answer::Complement(Complement::new(index, concept, Page::ALL)?)
        }
        Question::Nearest { concept, by, count } => {
            Answer::Nearest(Nearest::new(index, concept, *count, *by)?)
        }
        Question::Explain { child, parent } => {
            Answer::Explain(Explanation::new(index, child, parent)?)
        }
        Question::Describe { concept } => {
            Answer::Describe(Description::new(index, concept, Page::ALL)?)
        }
        Question::Formal { concept } => Answer::Formal(Formal::new(index, concept)?),
        Question::Search { text, count } => Answer::Search(SearchResult::new(index, text, *count)),
        Question::Picture { concept, children } => {
            Answer::Picture(Picture::new(index, concept, *children)?)
        }
    })
}
