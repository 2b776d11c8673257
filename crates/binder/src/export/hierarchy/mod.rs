//! The hierarchy itself, without codes, in formats that others read: so that a model can be turned
//! back into data. Binder reads each of them again.

mod dot;
mod graphml;
mod json;
mod obo;
mod table;
mod turtle;

use std::io::{self, Write};
use std::path::Path;

use super::{ExportError, Files, Written};
use crate::bits::Id;
use crate::choice::{Choice, choices};
use crate::hierarchy::{Hierarchy, Synonym};

choices! {
    /// How a hierarchy is written.
    pub enum Notation {
        /// A child and a parent per line, with a tab between them; names only
        Edges = "edges",
        /// A table: id, label, parent, synonym, definition; a concept may take several rows
        Csv = "csv",
        /// A list of objects: id, label, parents, synonyms, definition
        Json = "json",
        /// OBO 1.2
        Obo = "obo",
        /// Turtle: owl:Class, rdfs:subClassOf, rdfs:label, synonyms, skos:definition
        Turtle = "ttl",
        /// Graphviz; names and labels
        Dot = "dot",
        /// GraphML: label, definition and synonyms of nodes
        GraphMl = "graphml",
    }
}

/// Writes a hierarchy to a file, which appears whole or not at all.
///
/// # Examples
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pets.obo");
/// use binder::Hierarchy;
/// use binder::export::{Notation, write_hierarchy};
/// let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
/// write_hierarchy(&pets, Notation::Obo, &path)?;
/// # #[cfg(feature = "obo")]
/// assert_eq!(Hierarchy::read(&path)?, pets);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the notation cannot hold a name, or the file cannot be written.
pub fn write_hierarchy(
    hierarchy: &Hierarchy,
    notation: Notation,
    path: &Path,
) -> Result<Written, ExportError> {
    notation.check(hierarchy)?;
    let mut files = Files::default();
    files.fill(path, |out| notation.fill(hierarchy, out))?;
    files.put_in_place(path, 0)
}

/// Writes a hierarchy to a stream.
///
/// # Errors
///
/// When the notation cannot hold a name, or the stream fails.
pub fn write_hierarchy_to(
    hierarchy: &Hierarchy,
    notation: Notation,
    out: &mut (dyn Write + Send),
) -> Result<(), ExportError> {
    notation.check(hierarchy)?;
    notation.fill(hierarchy, out).and_then(|()| out.flush()).map_err(ExportError::Stream)
}

impl Notation {
    /// Looks for names that would not come back, before anything is written.
    fn check(self, hierarchy: &Hierarchy) -> Result<(), ExportError> {
        let unfit: fn(&str) -> bool = match self {
            Self::Edges => table::is_unfit_for_lines,
            Self::Obo => obo::is_unfit,
            Self::GraphMl => graphml::is_unfit,
            Self::Dot => dot::is_unfit,
            Self::Csv | Self::Json | Self::Turtle => str::is_empty,
        };
        let mut names = hierarchy.names().texts().iter();
        match names.find(|name| unfit(name)) {
            Some(name) => Err(ExportError::Name { name: name.to_owned(), format: self.name() }),
            None => Ok(()),
        }
    }

    fn fill(self, hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Edges => table::write_edges(hierarchy, out),
            Self::Csv => table::write_csv(hierarchy, out),
            Self::Json => json::write(hierarchy, out),
            Self::Obo => obo::write(hierarchy, out),
            Self::Turtle => turtle::write(hierarchy, out),
            Self::Dot => dot::write(hierarchy, out),
            Self::GraphMl => graphml::write(hierarchy, out),
        }
    }
}

/// The names of a concept's parents.
fn parents(hierarchy: &Hierarchy, id: Id) -> impl ExactSizeIterator<Item = &str> {
    hierarchy.parents(id).iter().map(|&parent| hierarchy.name(parent))
}

/// The texts of a concept's synonyms.
fn synonyms(hierarchy: &Hierarchy, id: Id) -> impl ExactSizeIterator<Item = &str> {
    hierarchy.synonyms(id).map(|Synonym { text, .. }| text)
}
