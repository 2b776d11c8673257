use binder::Choice;
use binder::lookup::Match;
use binder::query::{Expression, Index, QueryError};
use serde::Serialize;

use crate::name::{name_of, names_of};
use crate::{Question, counted, visible};

/// How a text in a question was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Taken {
    /// The text.
    pub text: String,
    /// The concept that it was taken for.
    pub concept: String,
    /// What people call the concept.
    pub label: Option<String>,
    /// How the text leads to it: name, identifier, label, synonym, loose-synonym or beginning.
    pub by: &'static str,
    /// How many concepts it may mean.
    pub senses: usize,
    /// The likeliest of the others.
    pub others: Vec<String>,
}

/// How many others are named.
const OTHERS: usize = 5;

impl Taken {
    /// How a text is understood.
    ///
    /// # Errors
    ///
    /// When the text stands for no concept, or is the beginning of several.
    pub fn new(index: &Index, text: &str) -> Result<Self, QueryError> {
        let reading = index.read_as(text)?;
        Ok(Self {
            text: text.to_owned(),
            concept: name_of(index, reading.concept),
            label: index.hierarchy().label(reading.concept).map(str::to_owned),
            by: reading.by.name(),
            senses: 1 + reading.others.len(),
            others: names_of(index, reading.others.into_iter().take(OTHERS)),
        })
    }

    /// How the texts of a question are understood that are not simply names. A text that is not
    /// understood is left out: the answer says so.
    pub fn of(index: &Index, question: &Question) -> Vec<Self> {
        let taken = texts(question).into_iter().filter_map(|text| Self::new(index, &text).ok());
        taken.filter(|taken| taken.by != Match::Name.name()).collect()
    }

    /// The same in one line: `dog: dog.n.01, the first of 7 senses; others: frump.n.01, dog.n.03`.
    pub fn line(&self) -> String {
        let mut line = format!("{}: {}", visible(&self.text), visible(&self.concept));
        if self.others.is_empty() {
            let label = self.label.as_ref().filter(|label| !self.concept.contains(*label));
            return line + &label.map_or(String::new(), |label| format!(" ({})", visible(label)));
        }
        let others: Vec<_> = self.others.iter().map(|other| visible(other)).collect();
        line += &format!(", the first of {}; ", counted(self.senses, "sense"));
        line += &format!("others: {}", others.join(", "));
        if self.others.len() + 1 < self.senses { line + ", …" } else { line }
    }
}

/// The texts in a question that stand for concepts, each once.
fn texts(question: &Question) -> Vec<String> {
    let texts = match question {
        Question::IsA { child, parent } | Question::Explain { child, parent } => {
            vec![child.clone(), parent.clone()]
        }
        Question::Hypernyms { concept, .. }
        | Question::Hyponyms { concept, .. }
        | Question::Complement { concept }
        | Question::Nearest { concept, .. }
        | Question::Describe { concept }
        | Question::Formal { concept }
        | Question::Picture { concept, .. } => vec![concept.clone()],
        Question::Meet { concepts } | Question::Join { concepts } => concepts.clone(),
        Question::Expr { text } => match Expression::parse(text) {
            Ok(parsed) => parsed.names().into_iter().map(str::to_owned).collect(),
            Err(_) => Vec::new(),
        },
        Question::Search { .. } => Vec::new(),
    };
    let mut seen = std::collections::HashSet::new();
    texts.into_iter().filter(|text| seen.insert(text.clone())).collect()
}
