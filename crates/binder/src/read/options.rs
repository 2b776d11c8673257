use std::fmt;

use super::{Format, Problem, ReadError};
use crate::choice::choices;
use crate::hierarchy::Cycles;
use crate::memory;

/// How to read a source. The default suits most: detect the format, child first, no header.
///
/// # Examples
///
/// ```
/// use binder::read::{Column, ReadOptions};
/// let mut options = ReadOptions::default();
/// options.columns = Some((Column::from("child"), Column::from("parent")));
/// options.comment = Some("#".to_owned());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format, instead of finding it out from the file's name and first lines.
    pub format: Option<Format>,
    /// Edge lists: where child and parent stand; otherwise there must be exactly two columns.
    pub columns: Option<(Column, Column)>,
    /// Edge lists: the first row is a header. Columns chosen by name imply it.
    pub header: bool,
    /// Edge lists: the parent comes first.
    pub reversed: bool,
    /// Edge lists: lines that start with this are comments.
    pub comment: Option<String>,
    /// What to do about cycles.
    pub cycles: Cycles,
    /// OBO: relations that count as is-a beside `is_a`, for example `part_of`.
    pub relations: Vec<String>,
    /// RDF: the language whose labels are preferred, for example `de`; English if none is given.
    pub language: Option<String>,
    /// WordNet: verbs instead of nouns.
    pub verbs: bool,
    /// The most bytes of text, once unpacked; as many as
    /// [memory may be used](crate::memory::limit) if none is given.
    pub max_bytes: Option<u64>,
    /// The most bytes of a name; 65,536 if none is given.
    pub max_name_bytes: Option<usize>,
}

/// The longest name that is taken unless another limit is given.
const MAX_NAME_BYTES: usize = 1 << 16;

choices! {
    /// An option that only some formats know, by the name of its field.
    pub enum ReadOption {
        /// edge lists
        Columns = "columns",
        /// edge lists
        Header = "header",
        /// edge lists
        Reversed = "reversed",
        /// edge lists
        Comment = "comment",
        /// OBO files
        Relations = "relations",
        /// RDF files
        Language = "language",
        /// WordNet folders
        Verbs = "verbs",
        /// files
        Format = "format",
    }
}

impl ReadOption {
    /// What people write for it.
    pub(super) fn name(self) -> &'static str {
        crate::choice::Choice::name(self)
    }

    /// Which sources know it, in words.
    pub fn applies_to(self) -> &'static str {
        crate::choice::Choice::help(self)
    }
}

impl ReadOptions {
    /// The most bytes of text.
    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or_else(memory::limit)
    }

    /// Refuses names that are too long.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Problem> {
        let (bytes, limit) = (name.len(), self.max_name_bytes.unwrap_or(MAX_NAME_BYTES));
        if bytes > limit { Err(Problem::LongName { bytes, limit }) } else { Ok(()) }
    }

    /// The options that were set, but for cycles and limits, which every format knows.
    fn given(&self) -> impl Iterator<Item = ReadOption> {
        let given = [
            (self.format.is_some(), ReadOption::Format),
            (self.columns.is_some(), ReadOption::Columns),
            (self.header, ReadOption::Header),
            (self.reversed, ReadOption::Reversed),
            (self.comment.is_some(), ReadOption::Comment),
            (!self.relations.is_empty(), ReadOption::Relations),
            (self.language.is_some(), ReadOption::Language),
            (self.verbs, ReadOption::Verbs),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// Built-ins are read one way only, and have no cycles.
    #[cfg(feature = "builtin")]
    pub(super) fn check_for_builtin(&self, name: &str) -> Result<(), ReadError> {
        match self.given().next() {
            None => Ok(()),
            Some(option) => {
                Err(ReadError::of(name, Problem::BuiltinOption { name: name.to_owned(), option }))
            }
        }
    }

    /// Refuses options that the format would ignore.
    pub(super) fn check(&self, format: Format, file: &str) -> Result<(), ReadError> {
        let suits = |option: &ReadOption| match option {
            ReadOption::Columns
            | ReadOption::Header
            | ReadOption::Reversed
            | ReadOption::Comment => format.is_edge_list(),
            ReadOption::Relations => format == Format::Obo,
            ReadOption::Language => format.is_rdf(),
            ReadOption::Verbs => format == Format::WordNet,
            ReadOption::Format => true,
        };
        if let Some(option) = self.given().find(|option| !suits(option)) {
            return Err(ReadError::of(file, Problem::OptionIgnored { option, format }));
        }
        if self.comment.as_deref() == Some("") {
            return Err(ReadError::of(file, Problem::EmptyCommentMark));
        }
        Ok(())
    }
}

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Column {
    /// By number, from 1.
    Number(usize),
    /// By its name in the header.
    Name(String),
}

impl From<&str> for Column {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Number)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => write!(f, "{name:?}"),
        }
    }
}
