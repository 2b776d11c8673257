use std::fmt;
use std::io;

use super::{Format, ReadOption};
use crate::hierarchy::{CycleError, TooManyNames};
use crate::memory::{MemoryError, Size};
use crate::progress::Cancelled;

/// Why a source could not be read: where the fault is and what is wrong. A front end adds what to
/// do about it in its own words, from the [`Problem`].
///
/// ```text
/// animals.tsv:17:6: expected 2 columns, found 3
/// ```
#[derive(Debug)]
pub struct ReadError {
    /// The file as the user named it; `standard input` for `-`.
    pub file: String,
    /// Where the fault is; absent where it concerns the whole file.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: Problem,
}

/// A line and, where it is known, a column in it. Both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column in characters; absent where the fault concerns the whole line.
    pub column: Option<u64>,
}

/// What is wrong with a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file does not exist or may not be read, or reading failed.
    #[error("{0}")]
    Io(io::Error),
    /// There is neither a file nor a built-in with that name.
    #[error("no such file, and no built-in has that name{}", built_ins())]
    NotFound,
    /// Reading was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The compressed stream stops before its end.
    #[error("the compressed data is incomplete; download or write the file again")]
    Truncated,
    /// The compressed stream is damaged.
    #[error("the compressed data is damaged ({0}); download or write the file again")]
    Damaged(String),
    /// A NUL byte, which is not allowed in any text format.
    #[error("NUL byte; this is not a text file, or it is UTF-16: convert it to UTF-8")]
    Nul,
    /// The text starts with the byte-order mark of UTF-16.
    #[error("this is UTF-16; convert it, for example with iconv -f utf-16 -t utf-8")]
    Utf16,
    /// Bytes that are not UTF-8.
    #[error("invalid UTF-8; convert the file, for example with iconv -f latin1 -t utf-8")]
    NotUtf8,
    /// A line that is too long.
    #[error("line of more than {limit} bytes; this is not a text file with one record per line")]
    LongLine {
        /// The largest number of bytes that a line may have.
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
        /// The expected number of columns.
        expected: usize,
        /// The number of columns in the row.
        found: usize,
        /// The probable reason.
        likely: ColumnsFault,
    },
    /// A chosen column that does not exist: its name is not in the header, or its number is beyond
    /// the last column.
    #[error("no column {wanted}; the columns are {known}")]
    NoColumn {
        /// The chosen name or number.
        wanted: String,
        /// The names in the header, or the range of numbers.
        known: String,
    },
    /// A concept without a name.
    #[error("empty name; every row needs a child and a parent")]
    EmptyName,
    /// A name that is not among the known concepts.
    #[error("{0:?} is not a known concept")]
    UnknownConcept(String),
    /// The text does not follow its format's grammar.
    #[error("not valid {format}: {message}")]
    Syntax {
        /// The format it was read as.
        format: Format,
        /// The message of the parser.
        message: String,
    },
    /// Neither the name nor the content of the file tells its format.
    #[error("cannot detect the format from the name or the content")]
    UnknownFormat,
    /// A format that this build cannot read.
    #[error(
        "{format} files cannot be read by this build, which leaves out the feature {feature:?}"
    )]
    NotBuilt {
        /// The format.
        format: Format,
        /// The cargo feature that adds it.
        feature: &'static str,
    },
    /// A compressed file, in a build without decompression.
    #[error(
        "compressed files cannot be read by this build, which leaves out the feature \
         \"compression\""
    )]
    Compressed,
    /// An option that the format would ignore.
    #[error(
        "the option {} is for {}, and this is read as {format}",
        option.name(),
        option.applies_to()
    )]
    OptionIgnored {
        /// The option.
        option: ReadOption,
        /// The format that the source is read as.
        format: Format,
    },
    /// An option together with a built-in, which takes none.
    #[error(
        "a built-in takes no options for reading, and {} is one; ./{name} would be a file",
        .option.name()
    )]
    BuiltinOption {
        /// The built-in.
        name: String,
        /// The option.
        option: ReadOption,
    },
    /// An empty comment mark.
    #[error("the comment mark is empty, so every line would be a comment")]
    EmptyCommentMark,
    /// The source of a list of pairs is not an edge list.
    #[error("a list of pairs must be an edge list, and this is read as {0}")]
    NotAnEdgeList(Format),
    /// A source of the wrong kind for its format, such as a file for a folder.
    #[error("{0}")]
    Unsuitable(String),
    /// The pairs form a cycle.
    #[error(transparent)]
    Cycle(CycleError),
    /// There are more names than ids.
    #[error(transparent)]
    TooManyNames(TooManyNames),
}

/// The probable reason for a wrong number of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnsFault {
    /// The row looks like a comment, and no comment mark was chosen.
    CommentLine,
    /// The columns are separated by another character.
    OtherSeparator,
    /// The row has another number of columns than the first row.
    Ragged,
    /// There are more than two columns, and none were chosen.
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

    /// An error in a line, at a column if one is given.
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

    /// The meaning of an I/O error: the error that [`super::text::Text`] wrapped in it, a
    /// cancellation, or the failure itself.
    pub(crate) fn from_io(file: &str, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(inner) => inner,
            Err(error) => Self::of(file, io_problem(error)),
        }
    }
}

/// The problem that an I/O error stands for. Readers can only return I/O errors, so a cancellation
/// arrives wrapped in one.
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
