//! Hierarchies from the files people have, behind one door: [`read`].
//!
//! | format | pairs | concepts | labels | aliases |
//! |---|---|---|---|---|
//! | tsv, csv, spaces | one a line, child first | every name | – | – |
//! | wordnet | `@` hypernym, `@i` instance hypernym | every synset, named as NLTK does (`dog.n.01`) | its lemmas | – |
//! | obo | `is_a`, other relations on request | every term that is not obsolete | `name` | `alt_id` |
//! | turtle, ntriples, rdfxml | `rdfs:subClassOf`, `skos:broader`, `skos:narrower` | both ends, and every class or SKOS concept that is not deprecated | `skos:prefLabel`, `rdfs:label` | – |
//!
//! A source is read whole or not at all: any fault is a [`ReadError`] that says where and what to do.

mod edges;
mod entities;
mod error;
mod format;
mod obo;
mod rdf;
mod text;
mod wordnet;

use std::fmt;
use std::io::Read;
use std::path::Path;

pub use error::{Place, Problem, ReadError};
pub use format::Format;

use crate::builtin::Builtin;
use crate::hierarchy::{Cycles, HierarchyBuilder, Id};
use crate::{Hierarchy, Progress};
use text::Text;

/// What to say when WordNet is asked of something that is no folder.
const NOT_A_FOLDER: &str = "WordNet is a folder with data.noun and index.noun; give the folder";

/// How to read a source. The default suits most: detect the format, child first, no header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
}

impl ReadOptions {
    /// Built-ins are read one way only, and have no cycles.
    fn check_for_builtin(&self, name: &str) -> Result<(), ReadError> {
        let plain = Self { cycles: self.cycles, ..Self::default() };
        if *self == plain {
            return Ok(());
        }
        let what = "a built-in takes no options for reading; leave them out, or give a path such as ./toy for a file";
        Err(ReadError::of(name, Problem::Unsuitable(what.to_owned())))
    }

    /// Refuses options that the format would ignore.
    fn check(&self, format: Format, file: &str) -> Result<(), ReadError> {
        let edges = matches!(format, Format::Tsv | Format::Csv | Format::Spaces);
        let rdf = matches!(format, Format::Turtle | Format::NTriples | Format::RdfXml);
        let for_edges = self.columns.is_some() || self.header || self.reversed || self.comment.is_some();
        let checks = [
            (for_edges && !edges, "--columns, --header, --reversed and --comment are for edge lists"),
            (!self.relations.is_empty() && format != Format::Obo, "--relation is for OBO files"),
            (self.language.is_some() && !rdf, "--language is for RDF files"),
            (self.verbs && format != Format::WordNet, "--verbs is for WordNet folders"),
        ];
        let unsuitable = |what: String| Err(ReadError::of(file, Problem::Unsuitable(what)));
        if let Some((_, what)) = checks.into_iter().find(|(wrong, _)| *wrong) {
            return unsuitable(format!("{what}, and this is read as {format}; leave it out"));
        }
        if self.comment.as_deref() == Some("") {
            return unsuitable("every line starts with an empty comment mark; say which mark".to_owned());
        }
        Ok(())
    }
}

/// A column of an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// Reads a hierarchy from a built-in's name, a path, or `-` for standard input.
///
/// A built-in's name wins over a file of that name; `./toy` is the file.
///
/// ```
/// let toy = binder::read("toy", &Default::default(), &())?;
/// assert_eq!((toy.len(), toy.direct(), toy.closure_len()), (15, 14, 33));
/// # Ok::<(), binder::read::ReadError>(())
/// ```
pub fn read(source: &str, options: &ReadOptions, progress: &dyn Progress) -> Result<Hierarchy, ReadError> {
    if let Some(builtin) = Builtin::by_name(source) {
        options.check_for_builtin(source)?;
        return Ok(builtin.load());
    }
    let path = Path::new(source);
    if source != "-" && path.try_exists().is_ok_and(|there| !there) {
        return Err(ReadError::of(source, Problem::NotFound));
    }
    if path.is_dir()
        || Format::by_name(path) == Some(Format::WordNet)
        || options.format == Some(Format::WordNet)
    {
        return wordnet::read(path, options, progress);
    }
    read_text(Text::open(path, progress)?, Format::by_name(path), options, progress)
}

/// Reads a hierarchy from bytes in any format but WordNet's; `name` stands for the file in errors and tells
/// the format where its ending does.
pub fn read_from(
    source: impl Read,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    read_text(Text::new(source, name, progress)?, Format::by_name(Path::new(name)), options, progress)
}

/// Hands every (child, parent) of an edge list to `each`, as it stands there: nothing is deduplicated or
/// reduced. A problem that `each` reports comes back with the file and the line.
pub fn for_each_pair(
    source: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
    each: impl FnMut(&str, &str) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let text = Text::open(Path::new(source), progress)?;
    let format = format_of(&text, Format::by_name(Path::new(source)), options)?;
    if !matches!(format, Format::Tsv | Format::Csv | Format::Spaces) {
        let what =
            format!("pairs come as an edge list, and this is read as {format}; force one with --format tsv");
        return Err(ReadError::of(source, Problem::Unsuitable(what)));
    }
    edges::each_pair(text, format, options, each)
}

/// The pairs of an edge list by their ids in `concepts`, all of which must be there.
pub fn known_pairs(
    source: &str,
    options: &ReadOptions,
    concepts: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Vec<(Id, Id)>, ReadError> {
    let mut pairs = Vec::new();
    for_each_pair(source, options, progress, |child, parent| {
        let id = |name: &str| concepts.id(name).ok_or_else(|| Problem::UnknownConcept(name.to_owned()));
        pairs.push((id(child)?, id(parent)?));
        Ok(())
    })?;
    Ok(pairs)
}

fn format_of(text: &Text<'_>, by_name: Option<Format>, options: &ReadOptions) -> Result<Format, ReadError> {
    // An empty file has no format to tell, and as any of them it is the empty hierarchy.
    let empty = || text.peek().trim_ascii().is_empty().then_some(Format::Tsv);
    let content = || Format::by_content(text.peek());
    let told = options.format.or(by_name).or_else(content).or_else(empty);
    let format = told.ok_or_else(|| ReadError::of(text.file(), Problem::UnknownFormat))?;
    options.check(format, text.file())?;
    if format == Format::RdfXml && Format::is_owl_xml(text.peek()) {
        let what = "OWL/XML, which is not RDF; save it as RDF/XML or Turtle, for example with Protégé or robot convert";
        return Err(ReadError::of(text.file(), Problem::Unsuitable(what.to_owned())));
    }
    Ok(format)
}

fn read_text(
    text: Text<'_>,
    by_name: Option<Format>,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    let format = format_of(&text, by_name, options)?;
    let file = text.file().to_owned();
    let mut builder = HierarchyBuilder::default();
    match format {
        Format::Tsv | Format::Csv | Format::Spaces => {
            edges::each_pair(text, format, options, |child, parent| Ok(builder.pair(child, parent)?))?;
        }
        Format::Obo => obo::read(text, options, &mut builder)?,
        Format::Turtle | Format::NTriples | Format::RdfXml => rdf::read(text, format, options, &mut builder)?,
        Format::WordNet => {
            return Err(ReadError::of(&file, Problem::Unsuitable(NOT_A_FOLDER.to_owned())));
        }
    }
    progress.start("arranging", None);
    builder.build(options.cycles).map_err(|cycle| ReadError::of(&file, cycle))
}
