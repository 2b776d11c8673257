//! Exports of a model for other tools. Each format has a file; [`write()`] is the entry point.
//!
//! | format | output | for |
//! |---|---|---|
//! | [`Format::Tsv`] | a line per concept, with the bits as `0` and `1` | people, scripts, spreadsheets |
//! | [`Format::Npy`] | an array, and the names in a separate text file | NumPy and tools based on it |
//! | [`Format::Word2vec`] | a line per concept, name and numbers | gensim's `KeyedVectors`, and most tools for word vectors |
//! | [`Format::Parquet`] | a column per word of the code | DuckDB, Spark, ClickHouse, pandas, warehouses |
//! | [`Format::Sql`] | a script: tables, data and the function `is_a` | PostgreSQL, DuckDB |
//!
//! `docs/export.md` shows each format, and `docs/sql.md` shows queries for databases.
//!
//! ```
//! use binder::export::{self, Format};
//! # use binder::{Codes, Hierarchy, Model};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pets.tsv");
//! let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
//! let model = Model::new(pets, Codes::from_words(2, vec![0b00, 0b01, 0b10])?)?;
//! export::write(&model, &Format::Tsv, &path)?;
//! let lines = "id\tname\tlabel\taliases\tbits\n0\tpet\t\t\t00\n1\tdog\t\t\t10\n2\tcat\t\t\t01\n";
//! assert_eq!(std::fs::read_to_string(&path)?, lines);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod concepts;
mod error;
mod escape;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod sql;
#[cfg(test)]
mod tests;
mod tsv;
mod word2vec;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use error::ExportError;
pub use sql::{Dialect, Script};

use crate::model::Model;
use crate::output;

/// An export format with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Tab-separated values: id, name, label, aliases, bits.
    Tsv,
    /// A NumPy array, and the names in a separate file.
    Npy {
        /// Whether to write one byte (0 or 1) per bit, u8 [n, bits], instead of words, u64 [n,
        /// words].
        unpacked: bool,
    },
    /// The text format of word2vec.
    Word2vec,
    /// Parquet: id, name, label, aliases, the words c0, c1, … and `code`, all words as one column
    /// of bytes.
    #[cfg(feature = "parquet")]
    Parquet {
        /// Whether words are signed numbers with the same bits, for engines without unsigned ones:
        /// Spark, Trino, BigQuery.
        signed: bool,
    },
    /// An SQL script for a database.
    Sql(Script),
}

impl Format {
    /// Whether the format is text, which can go to a terminal or a pipe.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Tsv | Self::Word2vec | Self::Sql(_))
    }

    /// Checks that the format can hold the model, before anything is written.
    fn check(&self, model: &Model) -> Result<(), ExportError> {
        match self {
            Self::Tsv | Self::Npy { .. } => Ok(()),
            Self::Word2vec => word2vec::check(model),
            #[cfg(feature = "parquet")]
            Self::Parquet { .. } => parquet::check(model),
            Self::Sql(script) => script.check(model),
        }
    }

    fn fill(&self, model: &Model, out: &mut (dyn Write + Send)) -> io::Result<()> {
        match self {
            Self::Tsv => tsv::write(model, out),
            Self::Npy { unpacked: false } => npy::packed(model.codes(), out),
            Self::Npy { unpacked: true } => npy::unpacked(model.codes(), out),
            Self::Word2vec => word2vec::write(model, out),
            #[cfg(feature = "parquet")]
            Self::Parquet { signed } => parquet::write(model, *signed, out),
            Self::Sql(script) => script.write(model, out),
        }
    }
}

/// The files that an export wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The files. The requested one comes first.
    pub files: Vec<PathBuf>,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The number of names that had to be changed; 0 for every format except word2vec.
    pub renamed: usize,
}

/// Writes a model's codes and names in another format.
///
/// Each file is written atomically. NumPy arrays cannot hold names, so these go to a second file:
/// `x.npy` and `x.names.txt`.
///
/// # Errors
///
/// When the format cannot hold the model, or a file cannot be written.
pub fn write(model: &Model, format: &Format, path: &Path) -> Result<Written, ExportError> {
    format.check(model)?;
    let (mut files, mut bytes) = (vec![path.to_owned()], 0);
    if let Format::Npy { .. } = format {
        let names = names_path(path);
        bytes += put(&names, |out| npy::names(model.hierarchy(), out))?;
        files.push(names);
    }
    bytes += put(path, |out| format.fill(model, out))?;
    let renamed =
        if *format == Format::Word2vec { word2vec::renamed(model.hierarchy()) } else { 0 };
    Ok(Written { files, bytes, renamed })
}

/// Writes a model's codes and names to a stream. A NumPy array comes without its names.
///
/// # Errors
///
/// When the format cannot hold the model, or the stream fails.
pub fn write_to(
    model: &Model,
    format: &Format,
    out: &mut (dyn Write + Send),
) -> Result<(), ExportError> {
    format.check(model)?;
    format.fill(model, out).and_then(|()| out.flush()).map_err(ExportError::Stream)
}

/// Writes a file and counts its bytes. They are not asked for afterwards: the file is in place then,
/// and nothing should fail any more.
fn put(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<u64, ExportError> {
    let mut bytes = 0;
    output::write(path, |out| fill(&mut Counted { out, bytes: &mut bytes }))
        .map_err(|error| unwritable(path, error))?;
    Ok(bytes)
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut (dyn Write + Send),
    bytes: &'a mut u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        *self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn unwritable(path: &Path, error: io::Error) -> ExportError {
    ExportError::Write { path: path.display().to_string(), error }
}

/// Where the names go that belong to an array: `x.names.txt` for `x.npy`.
pub fn names_path(array: &Path) -> PathBuf {
    array.with_extension("names.txt")
}
