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
mod hierarchy;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod patch;
mod sql;
#[cfg(test)]
mod tests;
mod tsv;
mod word2vec;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use error::ExportError;
pub use hierarchy::{Notation, write_hierarchy, write_hierarchy_to};
pub use patch::{Patch, write_patch};
pub use sql::{Dialect, Script};

use crate::model::Model;
use crate::output::Together;

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
    /// Parquet: id, name, label, aliases, the words c0, c1, …, `code`, all words as one column of
    /// bytes, and `rank`. A second file has the ranges of ranks below each concept.
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
/// A file appears whole or not at all. NumPy arrays cannot hold names, so these go to a second
/// file, and a third has the checksums of both: `x.npy`, `x.names.txt` and `x.sfv`. A Parquet file
/// is one table, so the ranges of ranks are a second: `x.parquet` and `x.ranges.parquet`. All are
/// put in place together. If the machine fails just then, the checksums tell that the files do not
/// match.
///
/// # Errors
///
/// When the format cannot hold the model, or a file cannot be written.
pub fn write(model: &Model, format: &Format, path: &Path) -> Result<Written, ExportError> {
    format.check(model)?;
    let mut files = Files::default();
    if let Format::Npy { .. } = format {
        files.fill(&names_path(path), |out| npy::names(model.hierarchy(), out))?;
        files.fill(path, |out| format.fill(model, out))?;
        files.fill_checksums(&checksums_path(path))?;
    } else {
        files.fill(path, |out| format.fill(model, out))?;
    }
    #[cfg(feature = "parquet")]
    if has_ranges(format, path) {
        files.fill(&ranges_path(path), |out| parquet::write_ranges(model, out))?;
    }
    let renamed =
        if *format == Format::Word2vec { word2vec::renamed(model.hierarchy()) } else { 0 };
    files.put_in_place(path, renamed)
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

/// The files of an export, before they have their names.
#[derive(Default)]
struct Files {
    together: Together,
    /// The path, the size and the checksum of each.
    filled: Vec<(PathBuf, u64, u32)>,
}

impl Files {
    fn fill(
        &mut self,
        path: &Path,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let mut sum = crc32fast::Hasher::new();
        let mut bytes = 0;
        self.together
            .fill(path, |out| fill(&mut Summed { out, bytes: &mut bytes, sum: &mut sum }))
            .map_err(|error| unwritable(path, error))?;
        self.filled.push((path.to_owned(), bytes, sum.finalize()));
        Ok(())
    }

    /// The checksums of the files so far, in the format of `cksfv` and `rhash`: a name and the
    /// CRC-32 of the file in each line.
    fn fill_checksums(&mut self, path: &Path) -> Result<(), ExportError> {
        let line = |(path, _, sum): &(PathBuf, u64, u32)| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("{name} {sum:08x}\n")
        };
        let lines: String = self.filled.iter().map(line).collect();
        self.fill(path, |out| out.write_all(lines.as_bytes()))
    }

    /// Gives all files their names. The requested one is first in the result.
    fn put_in_place(self, requested: &Path, renamed: usize) -> Result<Written, ExportError> {
        self.together.put_in_place().map_err(|(path, error)| unwritable(&path, error))?;
        let bytes = self.filled.iter().map(|(_, bytes, _)| bytes).sum();
        let mut files: Vec<PathBuf> = self.filled.into_iter().map(|(path, ..)| path).collect();
        files.sort_by_key(|path| path != requested);
        Ok(Written { files, bytes, renamed })
    }
}

/// Counts and sums what is written.
struct Summed<'a> {
    out: &'a mut (dyn Write + Send),
    bytes: &'a mut u64,
    sum: &'a mut crc32fast::Hasher,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        *self.bytes += written as u64;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn unwritable(path: &Path, error: io::Error) -> ExportError {
    ExportError::Write { path: path.display().to_string(), error }
}

/// Whether an export to this path has a second file with ranges. A stream, such as a pipe, takes
/// one table only.
pub fn has_ranges(format: &Format, path: &Path) -> bool {
    #[cfg(feature = "parquet")]
    let is_table = matches!(format, Format::Parquet { .. });
    #[cfg(not(feature = "parquet"))]
    let is_table = {
        _ = format;
        false
    };
    is_table && !std::fs::metadata(path).is_ok_and(|there| !there.is_file())
}

/// Where the ranges go that belong to a table of concepts: `x.ranges.parquet` for `x.parquet`.
pub fn ranges_path(concepts: &Path) -> PathBuf {
    concepts.with_extension("ranges.parquet")
}

/// Where the names go that belong to an array: `x.names.txt` for `x.npy`.
pub fn names_path(array: &Path) -> PathBuf {
    array.with_extension("names.txt")
}

/// Where the checksums go that belong to an array and its names: `x.sfv` for `x.npy`.
pub fn checksums_path(array: &Path) -> PathBuf {
    array.with_extension("sfv")
}
