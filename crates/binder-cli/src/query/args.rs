use std::path::PathBuf;

use binder::query::Measure;
use binder_answers::{Page, Question};
use clap::{Args, Parser, Subcommand};

use crate::args::choice;
use crate::files::Force;

/// `binder query`.
///
/// A concept is given by its name, an identifier (CURIE or IRI), its label, a synonym, or an
/// unambiguous prefix of one of these. Where several share a word, the likeliest is taken, and a
/// note says which. Without a question, it shows a prompt if standard input is a terminal, and otherwise reads one
/// question per line.
#[derive(Debug, Args)]
#[command(subcommand_value_name = "QUESTION", subcommand_help_heading = "Questions")]
pub(crate) struct QueryArgs {
    /// The model file, or data to encode first: a path, or a built-in such as wordnet
    pub(crate) model: PathBuf,
    /// Answer the questions in a file, one per line, such as `hyponyms dog.n.01`; a line with two
    /// names separated by a tab asks whether the first is-a the second. Prints one answer per line.
    /// `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// Print the result as one JSON object on standard output, and nothing else there; with
    /// --batch, one object per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Accept only whole names and alternative ids for concepts, no labels, synonyms or beginnings:
    /// for scripts
    #[arg(long, global = true)]
    pub(crate) exact_names: bool,
    #[command(subcommand)]
    pub(crate) question: Option<QuestionArgs>,
}

/// A question on the command line.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum QuestionArgs {
    /// Is CHILD a PARENT?
    IsA {
        child: String,
        parent: String,
        /// Exit with code 1 if the answer is no
        #[arg(long)]
        exit_code: bool,
    },
    /// Everything above a concept, the most general first
    Hypernyms(ListArgs),
    /// Everything below a concept, the most general first
    Hyponyms(ListArgs),
    /// The meet: what is all of these concepts at once
    Meet {
        #[arg(required = true, value_name = "CONCEPT")]
        concepts: Vec<String>,
    },
    /// The join: what these concepts have in common, their lowest common hypernyms
    Join {
        #[arg(required = true, value_name = "CONCEPT")]
        concepts: Vec<String>,
    },
    /// The complement: what shares no bit with a concept, and what has no common hyponym with it
    Complement { concept: String },
    /// Evaluate an expression: a & b is the meet, a | b the join, !a the complement; with ( ) and
    /// "quoted names"
    Expr {
        #[arg(required = true, value_name = "EXPRESSION")]
        words: Vec<String>,
    },
    /// The most similar concepts
    Nearest {
        concept: String,
        /// The similarity measure
        #[arg(long, default_value_t = Measure::Jaccard, value_parser = choice::<Measure>())]
        by: Measure,
        /// How many
        #[arg(short, long, default_value_t = 10)]
        count: usize,
    },
    /// Explain why CHILD is or is not a PARENT
    Explain { child: String, parent: String },
    /// Everything about a concept: its place, its bits and their meanings
    Describe { concept: String },
    /// The formal concept: its extent (the concepts) and its intent (the bits)
    Formal { concept: String },
    /// Find concepts by words in a name, label or synonym; typing errors are tolerated
    Search {
        #[arg(required = true)]
        words: Vec<String>,
        /// How many
        #[arg(short, long, default_value_t = 10)]
        count: usize,
    },
    /// Draw a concept, everything above it and its children, with their bits as circles
    Picture {
        concept: String,
        /// The maximum number of children to draw
        #[arg(long, default_value_t = 12)]
        children: usize,
        /// Write an SVG file instead of printing
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        force: Force,
    },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ListArgs {
    pub(crate) concept: String,
    /// Only the nearest ones: its parents or its children
    #[arg(long)]
    pub(crate) nearest: bool,
    /// List at most N concepts; the count includes all
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

impl ListArgs {
    fn page(&self) -> Page {
        self.limit.map_or(Page::ALL, Page::first)
    }
}

/// A question on one line, from a file or the prompt.
#[derive(Debug, Parser)]
#[command(
    name = "",
    no_binary_name = true,
    disable_version_flag = true,
    disable_help_flag = true,
    disable_help_subcommand = true
)]
pub(crate) struct Line {
    #[command(subcommand)]
    pub(crate) question: QuestionArgs,
}

impl QuestionArgs {
    /// The question itself, without options for the output.
    pub(crate) fn question(&self) -> Question {
        match self.clone() {
            Self::IsA { child, parent, .. } => Question::IsA { child, parent },
            Self::Hypernyms(list) => Question::Hypernyms {
                page: list.page(),
                concept: list.concept,
                nearest: list.nearest,
            },
            Self::Hyponyms(list) => Question::Hyponyms {
                page: list.page(),
                concept: list.concept,
                nearest: list.nearest,
            },
            Self::Meet { concepts } => Question::Meet { concepts },
            Self::Join { concepts } => Question::Join { concepts },
            Self::Complement { concept } => Question::Complement { concept },
            Self::Expr { words } => Question::Expr { text: words.join(" ") },
            Self::Nearest { concept, by, count } => Question::Nearest { concept, by, count },
            Self::Explain { child, parent } => Question::Explain { child, parent },
            Self::Describe { concept } => Question::Describe { concept },
            Self::Formal { concept } => Question::Formal { concept },
            Self::Search { words, count } => Question::Search { text: words.join(" "), count },
            Self::Picture { concept, children, .. } => Question::Picture { concept, children },
        }
    }

    /// Parses a line with the syntax of the command line.
    pub(crate) fn parse(line: &str) -> anyhow::Result<Self> {
        let words = words(line).ok_or_else(|| anyhow::anyhow!("a quote is not closed"))?;
        Line::try_parse_from(words)
            .map(|line| line.question)
            .map_err(|error| anyhow::anyhow!(short(&error)))
    }

    /// The words that can start a question.
    pub(crate) fn words() -> Vec<String> {
        use clap::CommandFactory;
        Line::command().get_subcommands().map(|question| question.get_name().to_owned()).collect()
    }
}

/// Splits a line into words; `None` if a quote is not closed. Double quotes keep a name with spaces
/// together. An apostrophe is a letter, as in `coeur_d'alene_lake.n.01`.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut left = line.chars();
    while let Some(char) = left.next() {
        match char {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if quoted => word.get_or_insert_default().push(left.next()?),
            _ if char.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

/// The error without clap's advice to use --help, which does not exist at a prompt or in a file.
fn short(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("; ").trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_keep_names_together() {
        let words = |line| super::words(line).map(|words| words.join("|"));
        assert_eq!(
            words("is-a  coeur_d'alene_lake.n.01 lake.n.01"),
            Some("is-a|coeur_d'alene_lake.n.01|lake.n.01".to_owned())
        );
        assert_eq!(words("describe \"a \\\"b\\\" c\""), Some("describe|a \"b\" c".to_owned()));
        assert_eq!(words("search \"\""), Some("search|".to_owned()));
        assert_eq!(words("is-a \"dog"), None);
        assert_eq!(words("  "), Some(String::new()));
    }
}
