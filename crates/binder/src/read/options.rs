use std::fmt;

use super::{Format, Problem, ReadError};
use crate::choice::choices;
use crate::hierarchy::Cycles;
use crate::memory;

/// How to read a source. By default the format is detected, and the first rows of a table tell
/// whether there is a header and which columns are child and parent; failing that, the child comes
/// first.
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
    /// Tables: the columns of child and parent. Without it, the header tells them, or there must be
    /// exactly two columns.
    pub columns: Option<(Column, Column)>,
    /// Tables: whether the first row is a header. Without it, the rows tell. Columns chosen by name
    /// imply one.
    pub header: Option<bool>,
    /// Tables: the column of the child alone.
    pub child: Option<Column>,
    /// Tables: the column of the parent alone.
    pub parent: Option<Column>,
    /// Tables: the column of labels. RDF: the property of labels, by its IRI or prefixed name.
    pub label: Option<Column>,
    /// Tables: columns of synonyms. RDF: properties of synonyms.
    pub aliases: Vec<Column>,
    /// Tables: the column of definitions. RDF: the property of definitions.
    pub definition: Option<Column>,
    /// Tables: only rows with this value in this column count.
    pub relation_column: Option<(Column, String)>,
    /// Tables: what separates several parents or synonyms in one cell.
    pub cell_separator: Option<String>,
    /// Tables and path lines: the character that separates columns or the parts of a path. Without
    /// it, the first lines tell.
    pub delimiter: Option<char>,
    /// Tables and graphs: the parent comes first.
    pub reversed: bool,
    /// Tables, path lines and outlines: lines that start with this are comments.
    pub comment: Option<String>,
    /// What to do about cycles.
    pub cycles: Cycles,
    /// Ontologies: relations that count as is-a in addition to the usual ones. For OBO by name, for
    /// example `part_of`; for RDF by IRI or prefixed name, for example `wdt:P279`, with `^` before
    /// it where the parent is the subject.
    pub relations: Vec<String>,
    /// OBO: lines that are not valid are left out and counted, instead of being an error.
    pub lenient: bool,
    /// RDF: the preferred language of labels, for example `de`. English by default.
    pub language: Option<String>,
    /// WordNet and WN-LMF: verbs instead of nouns.
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
        /// tables
        Columns = "columns",
        /// tables
        Header = "header",
        /// tables
        Child = "child",
        /// tables
        Parent = "parent",
        /// tables and RDF files
        Label = "label",
        /// tables and RDF files
        Aliases = "alias",
        /// tables and RDF files
        Definition = "definition",
        /// tables
        RelationColumn = "relation-column",
        /// tables
        CellSeparator = "cell-separator",
        /// tables and path lines
        Delimiter = "delimiter",
        /// tables, trees and graphs
        Reversed = "reversed",
        /// tables, path lines and outlines
        Comment = "comment",
        /// ontologies
        Relations = "relations",
        /// OBO files
        Lenient = "lenient",
        /// RDF files
        Language = "language",
        /// WordNet folders and WN-LMF files
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
            (self.header.is_some(), ReadOption::Header),
            (self.child.is_some(), ReadOption::Child),
            (self.parent.is_some(), ReadOption::Parent),
            (self.label.is_some(), ReadOption::Label),
            (!self.aliases.is_empty(), ReadOption::Aliases),
            (self.definition.is_some(), ReadOption::Definition),
            (self.relation_column.is_some(), ReadOption::RelationColumn),
            (self.cell_separator.is_some(), ReadOption::CellSeparator),
            (self.delimiter.is_some(), ReadOption::Delimiter),
            (self.reversed, ReadOption::Reversed),
            (self.comment.is_some(), ReadOption::Comment),
            (!self.relations.is_empty(), ReadOption::Relations),
            (self.lenient, ReadOption::Lenient),
            (self.language.is_some(), ReadOption::Language),
            (self.verbs, ReadOption::Verbs),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// The columns of tables that were chosen.
    pub(super) fn chosen_columns(&self) -> impl Iterator<Item = &Column> {
        let both = self.columns.iter().flat_map(|(child, parent)| [child, parent]);
        let single = [&self.child, &self.parent, &self.label, &self.definition];
        let relation = self.relation_column.iter().map(|(column, _)| column);
        both.chain(single.into_iter().flatten()).chain(&self.aliases).chain(relation)
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
            ReadOption::Lenient => format == Format::Obo,
            ReadOption::Columns
            | ReadOption::Child
            | ReadOption::Parent
            | ReadOption::RelationColumn
            | ReadOption::CellSeparator => format.is_table(),
            ReadOption::Label | ReadOption::Aliases | ReadOption::Definition => {
                format.is_table() || format.has_languages()
            }
            ReadOption::Header => format.is_edge_list(),
            ReadOption::Delimiter => {
                matches!(format, Format::Csv | Format::Tsv | Format::Paths)
            }
            ReadOption::Reversed => format.is_table() || format.is_tree() || format.is_graph(),
            ReadOption::Comment => {
                format.is_edge_list() || matches!(format, Format::Paths | Format::Outline)
            }
            ReadOption::Relations => format.is_ontology(),
            ReadOption::Language => format.has_languages(),
            ReadOption::Verbs => matches!(format, Format::WordNet | Format::Lmf),
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

/// A column of a table, by number or by name.
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
