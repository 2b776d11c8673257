use std::fmt;
use std::io;

use super::Format;
use crate::builtin::Builtin;
use crate::hierarchy::{CycleError, TooManyNames};

/// Why a source could not be read: where, what, and what to do about it.
///
/// ```text
/// animals.tsv:17:6: expected 2 columns, found 3; choose two with --columns 1,2
/// ```
#[derive(Debug)]
pub struct ReadError {
    /// The file as the user named it; `standard input` for `-`.
    pub file: String,
    /// Line and column, both from 1; the column counts characters. Absent where the whole file is at fault.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A line and, where it is known, a column in it, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The character within the line; absent where the whole line is at fault.
    pub column: Option<u64>,
}

/// What is wrong with a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file is not there, or may not be read, or reading failed half-way.
    #[error("{0}")]
    Io(io::Error),
    /// There is neither a file nor a built-in of that name.
    #[error("no such file, and no built-in has that name; the built-ins are {}", Builtin::ALL.map(Builtin::name).join(", "))]
    NotFound,
    /// The compressed stream stops before its end.
    #[error("the compressed data ends in the middle; the file was cut off, so fetch or write it again")]
    Truncated,
    /// The compressed stream is damaged.
    #[error("the compressed data is damaged ({0}); fetch or write the file again")]
    Damaged(String),
    /// A NUL byte, which no text format has.
    #[error("NUL byte; this is not a text file, or it is UTF-16: convert it to UTF-8")]
    Nul,
    /// Text in another encoding that says so at its start.
    #[error("this is UTF-16; convert it, for example with iconv -f utf-16 -t utf-8")]
    Utf16,
    /// Bytes that are not UTF-8.
    #[error("invalid UTF-8; convert the file, for example with iconv -f latin1 -t utf-8")]
    NotUtf8,
    /// A line beyond any sensible length.
    #[error("line of more than {limit} bytes; this is not a text file of one record a line")]
    LongLine {
        /// The most bytes a line may have.
        limit: usize,
    },
    /// A row of an edge list with the wrong number of columns.
    #[error("expected {expected} columns, found {found}; {remedy}")]
    Columns {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
        /// What to do.
        remedy: &'static str,
    },
    /// A column asked for by a name that the header does not have, or a number beyond the last.
    #[error("no column {wanted}; the columns are {known}")]
    NoColumn {
        /// The name or number asked for.
        wanted: String,
        /// The header's names or their count.
        known: String,
    },
    /// A concept without a name.
    #[error("empty name; every row needs a child and a parent")]
    EmptyName,
    /// A name that nothing is known of.
    #[error("{0:?} is not a concept of the model; check the spelling, or use the model made from these data")]
    UnknownConcept(String),
    /// The text does not follow its format's grammar.
    #[error("not valid {format}: {message}; correct the file, or force another format with --format")]
    Syntax {
        /// The format it was read as.
        format: Format,
        /// What the parser says.
        message: String,
    },
    /// The format could be told neither by the name nor by the content.
    #[error("cannot tell the format; say it with --format and one of {}", Format::ALL.map(Format::name).join(", "))]
    UnknownFormat,
    /// A format that is a folder was asked of a file or standard input, or the other way round.
    #[error("{0}")]
    Unsuitable(String),
    /// The pairs form a cycle.
    #[error(transparent)]
    Cycle(CycleError),
    /// More names than ids.
    #[error(transparent)]
    TooManyNames(TooManyNames),
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Place { line, column }) = self.place {
            write!(f, "{line}:")?;
            column.map_or(Ok(()), |column| write!(f, "{column}:"))?;
        }
        write!(f, " {}", self.problem)
    }
}

impl ReadError {
    /// An error about a whole file.
    pub(crate) fn of(file: &str, problem: impl Into<Problem>) -> Self {
        Self { file: file.to_owned(), place: None, problem: problem.into() }
    }

    /// An error in a line, and at a column where there is one.
    pub(crate) fn at(file: &str, line: u64, column: Option<u64>, problem: impl Into<Problem>) -> Self {
        Self { file: file.to_owned(), place: Some(Place { line, column }), problem: problem.into() }
    }

    /// What an I/O error says of `file`: the error that [`super::text::Text`] put inside it, or the failure itself.
    pub(crate) fn from_io(file: &str, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(inner) => inner,
            Err(error) => Self::of(file, Problem::Io(error)),
        }
    }
}

impl From<TooManyNames> for Problem {
    fn from(error: TooManyNames) -> Self {
        Self::TooManyNames(error)
    }
}

impl From<CycleError> for Problem {
    fn from(error: CycleError) -> Self {
        Self::Cycle(error)
    }
}
