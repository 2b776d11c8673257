//! Reads hierarchies from files in many formats. The entry is [`read`].
//!
//! | format | child and parent | texts |
//! |---|---|---|
//! | tsv, csv, spaces, parquet, arrow, JSON records | two columns, told by the header, by type or by options | columns of labels, synonyms, definitions |
//! | paths, level columns, outline, JSON trees, newick | a name and the one above it | what stands beside the name |
//! | graphml, dot, JSON graphs | the two ends of an edge | data of the nodes |
//! | wordnet, lmf | a synset and its hypernym | lemmas, glosses |
//! | obo, obograph | a term and what `is_a` names, other relations on request | names, synonyms, definitions, alternative ids |
//! | functional, owlxml | the classes of `SubClassOf`; the names in intersections | annotations |
//! | turtle, ntriples, nquads, trig, n3, rdfxml, jsonld | `rdfs:subClassOf`, `skos:broader`, `skos:narrower`, other properties on request | `rdfs:label`, SKOS labels, `rdfs:comment`, definitions |
//!
//! [`Hierarchy::reading`] says what was taken for child and parent, with one example.
//! docs/formats.md has the details.
//!
//! A source is read completely or not at all. Any fault is a [`ReadError`] that says where it is
//! and what is wrong.

mod annotations;
#[cfg(feature = "parquet")]
mod arrow;
#[cfg(feature = "builtin")]
pub mod builtin;
mod collect;
mod dot;
#[cfg(any(feature = "rdf", feature = "xml"))]
mod entities;
mod error;
mod format;
mod functional;
#[cfg(feature = "xml")]
mod graphml;
mod json;
mod kind;
#[cfg(any(feature = "rdf", feature = "xml"))]
mod lines;
#[cfg(feature = "xml")]
mod lmf;
mod newick;
#[cfg(feature = "obo")]
mod obo;
mod options;
mod outline;
mod owl;
#[cfg(feature = "xml")]
mod owlxml;
mod paths;
mod places;
#[cfg(feature = "rdf")]
mod rdf;
mod relations;
mod table;
mod text;
mod unpack;
mod wordnet;
#[cfg(feature = "xml")]
mod xml;
#[cfg(feature = "compression")]
mod zipped;

use std::io::Read;
use std::path::Path;

#[cfg(feature = "builtin")]
pub use builtin::Builtin;
pub use error::{ColumnsFault, Position, Problem, ReadError};
pub use format::Format;
pub use options::{Column, ReadOption, ReadOptions};

use crate::bits::Id;
use crate::hierarchy::Hierarchy;
use crate::progress::Progress;
use collect::Collector;
use kind::Kind;
use text::Text;
use unpack::Unpacked;

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
    let is_missing = path != Path::new("-") && path.try_exists().is_ok_and(|there| !there);
    if is_missing && unpack::member_of(path).is_none() {
        return Err(ReadError::of(&path.display().to_string(), Problem::NotFound));
    }
    if path.is_dir()
        || Format::by_name(path) == Some(Format::WordNet)
        || options.format == Some(Format::WordNet)
    {
        return wordnet::read(path, options, progress);
    }
    read_source(Unpacked::open(path, options, progress)?, Format::by_name(path), options, progress)
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
    read_source(
        Unpacked::new(source, name, options, progress)?,
        Format::by_name(Path::new(name)),
        options,
        progress,
    )
}

/// Reads a hierarchy from batches of Arrow columns, as [`read`](crate::read()) reads a Parquet file:
/// the names of the columns say what they hold, or the options do. Errors use `name` as the name of
/// the file.
///
/// # Errors
///
/// When the columns do not hold a hierarchy, or when reading is cancelled.
#[cfg(feature = "parquet")]
pub fn read_batches(
    schema: &arrow_schema::Schema,
    batches: impl Iterator<Item = Result<arrow_array::RecordBatch, arrow_schema::ArrowError>>,
    name: &str,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    options.check(Format::Arrow, name)?;
    let mut collector = Collector::new(options);
    arrow::fill(name, Format::Arrow, schema, batches, &mut collector)?;
    progress.start("arranging", None);
    collector.finish(name)
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
    table::each_pair(text, format, options, each)
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

/// The format of a text: the one that was told, or what the structure says beyond doubt, or what the
/// name or the first lines say.
fn format_of(
    text: &Text<'_>,
    by_name: Option<Format>,
    options: &ReadOptions,
) -> Result<Format, ReadError> {
    // The format of an empty file is unknown, but in every format it is the empty hierarchy.
    let empty = || text.peek().trim_ascii().is_empty().then_some(Format::Tsv);
    let structure = Format::by_structure(text.peek());
    if let (Some(told), Some(found)) = (options.format, structure) {
        check_structure(told, found).map_err(|problem| ReadError::of(text.file(), problem))?;
    }
    let by_name = by_name.filter(|name| structure.is_none_or(|found| is_kind_of(*name, found)));
    let content = || Format::by_content(text.peek());
    let found = options.format.or(by_name).or(structure).or_else(content).or_else(empty);
    let format = found.ok_or_else(|| ReadError::of(text.file(), Problem::UnknownFormat))?;
    options.check(format, text.file())?;
    Ok(format)
}

/// Whether a file that is called one format may be what its structure says.
fn is_kind_of(called: Format, found: Format) -> bool {
    let is_json = |format: Format| {
        matches!(format, Format::Json | Format::JsonLines | Format::JsonLd | Format::ObographJson)
    };
    let is_xml = |format: Format| {
        matches!(format, Format::RdfXml | Format::OwlXml | Format::GraphMl | Format::Lmf)
    };
    // A text that begins with a bracket may be JSON or Newick, Turtle or TriG.
    let may_begin_so = matches!(called, Format::Turtle | Format::TriG | Format::N3 | Format::Obo);
    called == found
        || (is_json(called) && is_json(found) && called != Format::Json)
        || (is_xml(called) && found == Format::RdfXml)
        || (may_begin_so && is_json(found))
}

/// Refuses to read JSON or XML as something that is neither.
fn check_structure(told: Format, found: Format) -> Result<(), Problem> {
    let has_own = told.is_edge_list()
        || matches!(told, Format::Paths | Format::Outline | Format::Obo | Format::NTriples);
    if has_own && told != found && !is_kind_of(told, found) {
        let (found, wanted) = (format!("this looks like {found}"), told.to_string());
        return Err(Problem::OtherKind { found, wanted });
    }
    Ok(())
}

fn read_source(
    source: Unpacked<'_>,
    by_name: Option<Format>,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    let file = source.file().to_owned();
    let mut collector = Collector::new(options);
    match source.kind() {
        Some(kind @ (Kind::Parquet | Kind::Arrow | Kind::ArrowStream)) => {
            fill_from_columns(source, kind, &mut collector)?;
        }
        _ => {
            let text = Text::of(source)?;
            let format = format_of(&text, by_name, options)?;
            fill(text, format, &mut collector)?;
        }
    }
    progress.start("arranging", None);
    collector.finish(&file)
}

/// Hands what the columns of a Parquet or Arrow file say to the collector.
fn fill_from_columns(
    source: Unpacked<'_>,
    kind: Kind,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let format = if kind == Kind::Parquet { Format::Parquet } else { Format::Arrow };
    let options = collector.options;
    if let Some(told) = options.format.filter(|told| *told != format) {
        let (found, wanted) = (format!("this is {kind}"), told.to_string());
        return Err(ReadError::of(source.file(), Problem::OtherKind { found, wanted }));
    }
    options.check(format, source.file())?;
    #[cfg(feature = "parquet")]
    return arrow::read(source, collector);
    #[cfg(not(feature = "parquet"))]
    Err(ReadError::of(source.file(), Problem::NotBuilt { format, feature: "parquet" }))
}

/// Hands what a text says to the collector.
fn fill(text: Text<'_>, format: Format, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    match format {
        Format::Tsv | Format::Csv | Format::Spaces => table::read(text, format, collector),
        Format::Paths => paths::read(text, collector),
        Format::Outline => outline::read(text, collector),
        Format::Json => json::read(text, collector),
        Format::JsonLines => json::read_lines(text, collector),
        Format::ObographJson => json::read_obograph(text, collector),
        Format::Dot => dot::read(text, collector),
        Format::Newick => newick::read(text, collector),
        Format::Functional => functional::read(text, collector),
        #[cfg(feature = "xml")]
        Format::GraphMl => graphml::read(text, collector),
        #[cfg(feature = "xml")]
        Format::Lmf => lmf::read(text, collector),
        #[cfg(feature = "xml")]
        Format::OwlXml => owlxml::read(text, collector),
        #[cfg(not(feature = "xml"))]
        Format::GraphMl | Format::Lmf | Format::OwlXml => Err(not_built(&text, format, "xml")),
        #[cfg(feature = "obo")]
        Format::Obo => obo::read(text, collector),
        #[cfg(not(feature = "obo"))]
        Format::Obo => Err(not_built(&text, format, "obo")),
        #[cfg(feature = "rdf")]
        Format::Turtle
        | Format::NTriples
        | Format::NQuads
        | Format::TriG
        | Format::N3
        | Format::RdfXml
        | Format::JsonLd => rdf::read(text, format, collector),
        #[cfg(not(feature = "rdf"))]
        Format::Turtle
        | Format::NTriples
        | Format::NQuads
        | Format::TriG
        | Format::N3
        | Format::RdfXml
        | Format::JsonLd => Err(not_built(&text, format, "rdf")),
        Format::Parquet | Format::Arrow => {
            let (found, wanted) = ("this is a text".to_owned(), format.to_string());
            Err(ReadError::of(text.file(), Problem::OtherKind { found, wanted }))
        }
        Format::WordNet => {
            Err(ReadError::of(text.file(), Problem::Unsuitable(NOT_A_FOLDER.to_owned())))
        }
    }
}

#[cfg(not(all(feature = "csv", feature = "obo", feature = "rdf", feature = "xml")))]
fn not_built(text: &Text<'_>, format: Format, feature: &'static str) -> ReadError {
    ReadError::of(text.file(), Problem::NotBuilt { format, feature })
}
