use std::fmt;

use super::{Format, Problem, ReadError};
use crate::choice::choices;
use crate::hierarchy::Cycles;
use crate::memory;

/// How to read a source. By default the format is detected, the child comes first, and there is no
/// header.
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
    /// The format. Without it, the file's name and first lines tell the format.
    pub format: Option<Format>,
    /// Edge lists: the columns of child and parent. Without it, there must be exactly two columns.
    pub columns: Option<(Column, Column)>,
    /// Edge lists: the first row is a header. Columns chosen by name imply it.
    pub header: bool,
    /// Edge lists: the parent comes first.
    pub reversed: bool,
    /// Edge lists: lines that start with this are comments.
    pub comment: Option<String>,
    /// What to do about cycles.
    pub cycles: Cycles,
    /// OBO: relations that count as is-a in addition to `is_a`, for example `part_of`.
    pub relations: Vec<String>,
    /// RDF: the preferred language of labels, for example `de`. English by default.
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
    /// An option that applies only to some formats, by the name of its field.
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
    /// The name that people write.
    pub(super) fn name(self) -> &'static str {
        crate::choice::Choice::name(self)
    }

    /// The sources that the option applies to, in words.
    pub fn applies_to(self) -> &'static str {
        crate::choice::Choice::help(self)
    }
}

impl ReadOptions {
    /// The largest number of bytes of text.
    pub(super) fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or_else(memory::limit)
    }

    /// Refuses names that are too long.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Problem> {
        let (bytes, limit) = (name.len(), self.max_name_bytes.unwrap_or(MAX_NAME_BYTES));
        if bytes > limit { Err(Problem::LongName { bytes, limit }) } else { Ok(()) }
    }

    /// The options that were set, without `cycles` and the limits, which apply to every format.
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

    /// Refuses all options for a built-in, which is always read the same way and has no cycles.
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
        let applies = |option: &ReadOption| match option {
            ReadOption::Columns
            | ReadOption::Header
            | ReadOption::Reversed
            | ReadOption::Comment => format.is_edge_list(),
            ReadOption::Relations => format == Format::Obo,
            ReadOption::Language => format.is_rdf(),
            ReadOption::Verbs => format == Format::WordNet,
            ReadOption::Format => true,
        };
        if let Some(option) = self.given().find(|option| !applies(option)) {
            return Err(ReadError::of(file, Problem::OptionIgnored { option, format }));
        }
        if self.comment.as_deref() == Some("") {
            return Err(ReadError::of(file, Problem::EmptyCommentMark));
        }
        Ok(())
    }
}

/// A column of an edge list, by number or by name.
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
