//! Reads hierarchies from files in many formats. The entry is [`read`].
//!
//! | format | pairs | concepts | labels | aliases |
//! |---|---|---|---|---|
//! | tsv, csv, spaces | one per line, child first | every name | – | – |
//! | wordnet | `@` hypernym, `@i` instance hypernym | every synset, named as NLTK does (`dog.n.01`) | its lemmas; each is a synonym with its place among the senses of the word; the gloss is the definition | – |
//! | obo | `is_a`, other relations on request | every term that is not obsolete | `name` | `alt_id` |
//! | turtle, ntriples, rdfxml | `rdfs:subClassOf`, `skos:broader`, `skos:narrower` | both ends, and every class or SKOS concept that is not deprecated | `skos:prefLabel`, `rdfs:label` | – |
//!
//! A source is read completely or not at all. Any fault is a [`ReadError`] that says where it is
//! and what is wrong.

#[cfg(feature = "builtin")]
pub mod builtin;
mod edges;
#[cfg(feature = "rdf")]
mod entities;
mod error;
mod format;
#[cfg(feature = "obo")]
mod obo;
mod options;
#[cfg(feature = "rdf")]
mod rdf;
mod text;
mod wordnet;

use std::io::Read;
use std::path::Path;

#[cfg(feature = "builtin")]
pub use builtin::Builtin;
pub use error::{ColumnsFault, Position, Problem, ReadError};
pub use format::Format;
pub use options::{Column, ReadOption, ReadOptions};

use crate::bits::Id;
use crate::hierarchy::{Hierarchy, HierarchyBuilder};
use crate::progress::Progress;
use text::Text;

/// The message for a source that is read as WordNet and is not a folder.
const NOT_A_FOLDER: &str = "WordNet is a folder with data.noun and index.noun; give the folder";

impl Hierarchy {
    /// Reads a hierarchy from a built-in's name, a path, or `-` for standard input.
    ///
    /// The format is detected from the name and the content; [`read`](crate::read()) takes options.
    /// A built-in takes precedence over a file of the same name; `./toy` is the file.
    ///
    /// # Examples
    ///
    /// ```
    /// let toy = binder::Hierarchy::read("toy")?;
    /// assert_eq!((toy.len(), toy.direct(), toy.closure_len()), (15, 14, 33));
    /// # Ok::<(), binder::read::ReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the source cannot be read. The error says where and why.
    pub fn read(source: impl AsRef<Path>) -> Result<Self, ReadError> {
        read(source, &ReadOptions::default(), &())
    }
}

/// Reads a hierarchy like [`Hierarchy::read`], with options and progress.
///
/// # Errors
///
/// When the source cannot be read, or when reading is cancelled.
pub fn read(
    source: impl AsRef<Path>,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    let path = source.as_ref();
    #[cfg(feature = "builtin")]
    if let Some(builtin) = path.to_str().and_then(|name| name.parse::<Builtin>().ok()) {
        options.check_for_builtin(&path.to_string_lossy())?;
        return Ok(builtin.load());
    }
    if path != Path::new("-") && path.try_exists().is_ok_and(|there| !there) {
        return Err(ReadError::of(&path.display().to_string(), Problem::NotFound));
    }
    if path.is_dir()
        || Format::by_name(path) == Some(Format::WordNet)
        || options.format == Some(Format::WordNet)
    {
        return wordnet::read(path, options, progress);
    }
    read_text(Text::open(path, options, progress)?, Format::by_name(path), options, progress)
}

/// Reads a hierarchy from bytes in any format except WordNet's. Errors use `name` as the name of
/// the file, and its extension may tell the format.
///
/// # Examples
///
/// ```
/// use binder::read::{ReadOptions, read_from};
/// let csv = "puppy,dog\ndog,animal\n";
/// let hierarchy = read_from(csv.as_bytes(), "pets.csv", &ReadOptions::default(), &())?;
/// assert_eq!((hierarchy.len(), hierarchy.direct()), (3, 2));
/// # Ok::<(), binder::read::ReadError>(())
/// ```
///
/// # Errors
///
/// When the bytes cannot be read as a hierarchy, or when reading is cancelled.
pub fn read_from(
    source: impl Read,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    read_text(
        Text::new(source, name, options, progress)?,
        Format::by_name(Path::new(name)),
        options,
        progress,
    )
}

/// Calls `each` with every (child, parent) of an edge list, in order. Nothing is deduplicated or
/// reduced. A problem that `each` returns becomes an error with the file and the line.
///
/// # Errors
///
/// When the source is not an edge list or cannot be read, when `each` returns a problem, or when
/// reading is cancelled.
pub fn for_each_pair(
    source: impl AsRef<Path>,
    options: &ReadOptions,
    progress: &dyn Progress,
    each: impl FnMut(&str, &str) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let source = source.as_ref();
    let text = Text::open(source, options, progress)?;
    let format = format_of(&text, Format::by_name(source), options)?;
    if !format.is_edge_list() {
        return Err(ReadError::of(text.file(), Problem::NotAnEdgeList(format)));
    }
    edges::each_pair(text, format, options, each)
}

/// Reads the pairs of an edge list as ids of `concepts`.
///
/// # Errors
///
/// When the source is not an edge list or cannot be read, when it has a name that is not in
/// `concepts`, or when reading is cancelled.
pub fn known_pairs(
    source: impl AsRef<Path>,
    options: &ReadOptions,
    concepts: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Vec<(Id, Id)>, ReadError> {
    let mut pairs = Vec::new();
    for_each_pair(source, options, progress, |child, parent| {
        let id =
            |name: &str| concepts.id(name).ok_or_else(|| Problem::UnknownConcept(name.to_owned()));
        pairs.push((id(child)?, id(parent)?));
        Ok(())
    })?;
    Ok(pairs)
}

fn format_of(
    text: &Text<'_>,
    by_name: Option<Format>,
    options: &ReadOptions,
) -> Result<Format, ReadError> {
    // The format of an empty file is unknown, but in every format it is the empty hierarchy.
    let empty = || text.peek().trim_ascii().is_empty().then_some(Format::Tsv);
    let content = || Format::by_content(text.peek());
    let found = options.format.or(by_name).or_else(content).or_else(empty);
    let format = found.ok_or_else(|| ReadError::of(text.file(), Problem::UnknownFormat))?;
    options.check(format, text.file())?;
    if format == Format::RdfXml && Format::is_owl_xml(text.peek()) {
        let what = "OWL/XML, which is not RDF; save it as RDF/XML or Turtle, for example with \
                    Protégé or robot convert";
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
            edges::each_pair(text, format, options, |child, parent| {
                builder.pair(child, parent)?;
                Ok(builder.check_memory()?)
            })?;
        }
        #[cfg(feature = "obo")]
        Format::Obo => obo::read(text, options, &mut builder)?,
        #[cfg(feature = "rdf")]
        Format::Turtle | Format::NTriples | Format::RdfXml => {
            rdf::read(text, format, options, &mut builder)?;
        }
        #[cfg(not(feature = "obo"))]
        Format::Obo => {
            return Err(ReadError::of(&file, Problem::NotBuilt { format, feature: "obo" }));
        }
        #[cfg(not(feature = "rdf"))]
        Format::Turtle | Format::NTriples | Format::RdfXml => {
            return Err(ReadError::of(&file, Problem::NotBuilt { format, feature: "rdf" }));
        }
        Format::WordNet => {
            return Err(ReadError::of(&file, Problem::Unsuitable(NOT_A_FOLDER.to_owned())));
        }
    }
    progress.start("arranging", None);
    builder.build(options.cycles).map_err(|cycle| ReadError::of(&file, cycle))
}
