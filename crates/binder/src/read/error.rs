use std::fmt;
use std::io;

use super::{Format, ReadOption};
use crate::hierarchy::{CycleError, TooManyNames};
use crate::memory::{MemoryError, Size};
use crate::progress::Cancelled;

/// Why a source could not be read: where and what. A front end adds what to do about it in its own
/// words, from the [`Problem`].
///
/// ```text
/// animals.tsv:17:6: expected 2 columns, found 3
/// ```
#[derive(Debug)]
pub struct ReadError {
    /// The file as the user named it; `standard input` for `-`.
    pub file: String,
    /// Line and column, both from 1; the column counts characters. Absent where the whole file is
    /// at fault.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: Problem,
}

/// A line and, where it is known, a column in it, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
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
    #[error("no such file, and no built-in has that name{}", built_ins())]
    NotFound,
    /// Reading was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The compressed stream stops before its end.
    #[error(
        "the compressed data ends in the middle; the file was cut off, so fetch or write it again"
    )]
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
    /// More text than is read from one source.
    #[error("more than {} of text, unpacked", Size(*limit))]
    TooLong {
        /// The most bytes that are read.
        limit: u64,
    },
    /// A name beyond any sensible length.
    #[error("name of {bytes} bytes; the longest that is taken has {limit}")]
    LongName {
        /// How many it has.
        bytes: usize,
        /// How many a name may have.
        limit: usize,
    },
    /// The names and pairs would take more memory than they may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A file that is called compressed and has nothing in it.
    #[error(
        "the file is empty, and no compressed file is; it was not written to its end, so fetch or \
         write it again"
    )]
    EmptyCompressed,
    /// A row of an edge list with the wrong number of columns.
    #[error("expected {expected} columns, found {found}")]
    Columns {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
        /// What is probably the reason.
        likely: ColumnsFault,
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
    #[error("{0:?} is not a known concept")]
    UnknownConcept(String),
    /// The text does not follow its format's grammar.
    #[error("not valid {format}: {message}")]
    Syntax {
        /// The format it was read as.
        format: Format,
        /// What the parser says.
        message: String,
    },
    /// The format could be told neither by the name nor by the content.
    #[error("cannot tell the format by name or content")]
    UnknownFormat,
    /// A format that is not compiled in.
    #[error(
        "{format} files cannot be read by this build, which leaves out the feature {feature:?}"
    )]
    NotBuilt {
        /// The format.
        format: Format,
        /// The cargo feature that brings it.
        feature: &'static str,
    },
    /// A compressed file, for a build without decompression.
    #[error(
        "compressed files cannot be read by this build, which leaves out the feature \"compression\""
    )]
    Compressed,
    /// An option that the format would ignore.
    #[error("the option {} is for {}, and this is read as {format}", option.name(), option.applies_to())]
    OptionIgnored {
        /// The option.
        option: ReadOption,
        /// The format that the source is read as.
        format: Format,
    },
    /// An option together with a built-in, which is read one way only.
    #[error("a built-in takes no options for reading, and {} is one; ./{name} would be a file", .option.name())]
    BuiltinOption {
        /// The built-in.
        name: String,
        /// The option.
        option: ReadOption,
    },
    /// A comment mark that every line starts with.
    #[error("every line starts with an empty comment mark")]
    EmptyCommentMark,
    /// Pairs were wanted from a source that is not an edge list.
    #[error("pairs come as an edge list, and this is read as {0}")]
    NotAnEdgeList(Format),
    /// A source that is not what its format asks for.
    #[error("{0}")]
    Unsuitable(String),
    /// The pairs form a cycle.
    #[error(transparent)]
    Cycle(CycleError),
    /// More names than ids.
    #[error(transparent)]
    TooManyNames(TooManyNames),
}

/// What is probably the reason for a wrong number of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnsFault {
    /// A comment line, though no comment mark was given.
    CommentLine,
    /// Columns separated by something else.
    OtherSeparator,
    /// A row that differs from the first.
    Ragged,
    /// More than two columns, of which none were chosen.
    NotChosen,
}

#[cfg(feature = "builtin")]
fn built_ins() -> String {
    use crate::choice::Choice;
    let names: Vec<_> = super::Builtin::ALL.iter().map(|builtin| builtin.name()).collect();
    format!("; the built-ins are {}", names.join(", "))
}

#[cfg(not(feature = "builtin"))]
fn built_ins() -> &'static str {
    ""
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:")?;
            column.map_or(Ok(()), |column| write!(f, "{column}:"))?;
        }
        write!(f, " {}", self.problem)
    }
}

impl ReadError {
    /// An error about a whole file.
    pub(crate) fn of(file: &str, problem: impl Into<Problem>) -> Self {
        Self { file: file.to_owned(), position: None, problem: problem.into() }
    }

    /// An error in a line, and at a column where there is one.
    pub(crate) fn at(
        file: &str,
        line: u64,
        column: Option<u64>,
        problem: impl Into<Problem>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            position: Some(Position { line, column }),
            problem: problem.into(),
        }
    }

    /// What an I/O error says of `file`: the error that [`super::text::Text`] put inside it, a
    /// cancellation, or the failure itself.
    pub(crate) fn from_io(file: &str, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(inner) => inner,
            Err(error) => Self::of(file, io_problem(error)),
        }
    }
}

/// What an I/O error means: a cancellation comes through readers as an error like any other.
pub(super) fn io_problem(error: io::Error) -> Problem {
    match error.downcast::<Cancelled>() {
        Ok(cancelled) => Problem::Cancelled(cancelled),
        Err(error) => Problem::Io(error),
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
