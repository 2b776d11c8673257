//! The file format of models, checkpoints, baselines and placers: safetensors with a checksum over
//! every byte.
//!
//! Equal contents give equal files: the header is sorted, and nothing that varies between equal
//! runs goes into it. A file is replaced atomically. Everything is checked before anything is used.

mod hierarchy;
mod read;
mod write;

pub use hierarchy::{hierarchy_tensors, widest_first};
#[cfg(feature = "mmap")]
pub(crate) use read::map;
pub(crate) use read::missing;
pub use read::{Reader, read_file};
pub use write::{Tensor, save, to_bytes};

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a model or checkpoint file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The file does not exist, or cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path is a folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// The file is shorter or longer than its header says.
    #[error("the file is not as long as its header says: it was cut off or added to")]
    Length,
    /// The file is not a safetensors file.
    #[error("not a safetensors file: {0}")]
    NotSafetensors(String),
    /// The file is a safetensors file, but of something else.
    #[error("a safetensors file, but not a Binder {expected}{}", it_is(*found))]
    OtherFormat {
        /// The expected kind: `model`, `checkpoint`, `baseline` or `placer`.
        expected: &'static str,
        /// The kind that it is, if it is one of Binder's.
        found: Option<&'static str>,
    },
    /// The file has a format version that this library does not know.
    #[error("format version {found}, but only {} known", are(.known))]
    Version {
        /// The version of the file.
        found: String,
        /// The versions that can be read.
        known: &'static [&'static str],
    },
    /// At least one byte has changed.
    #[error("the checksum does not match: the file is damaged")]
    Checksum,
    /// A tensor or an entry of the metadata is missing or of the wrong kind.
    #[error("{name}: {problem}; the file was not written by Binder")]
    Part {
        /// Which one.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl ContainerError {
    /// An error about one part of the file.
    pub fn tensor(name: &'static str, problem: impl ToString) -> Self {
        Self::Part { name, problem: problem.to_string() }
    }
}

/// The versions, as "1 is" or "1 and 2 are".
fn are(versions: &[&str]) -> String {
    match versions {
        [one] => format!("{one} is"),
        several => format!("{} are", several.join(" and ")),
    }
}

/// Which file is wrong, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The expected kind: `model`, `checkpoint`, `baseline` or `placer`.
    pub kind: &'static str,
    /// What is wrong. It is part of the message, so it is not given as the source too.
    pub problem: ContainerError,
}

/// How a file identifies itself.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The entry `format` of the metadata.
    pub name: &'static str,
    /// The entry `format_version` of the files that can be read; the last is the one that is
    /// written. A version is added when a reader of the one before could misread a file.
    pub versions: &'static [&'static str],
    /// The kind, for messages: `model`, `checkpoint`, `baseline` or `placer`.
    pub kind: &'static str,
}

impl Format {
    /// The version that is written.
    pub fn version(self) -> &'static str {
        self.versions.last().copied().unwrap_or_default()
    }

    /// An error that names the file.
    pub fn error(self, path: &Path, problem: impl Into<ContainerError>) -> FileError {
        FileError { path: path.to_owned(), kind: self.kind, problem: problem.into() }
    }
}

/// What is said of a file that is one of Binder's, but of another kind.
fn it_is(found: Option<&str>) -> String {
    found.map_or(String::new(), |found| format!(": it is a {found}"))
}

/// The kinds of files, by the entry `format` of their metadata.
const KINDS: [(&str, &str); 5] = [
    ("binder", "model"),
    ("binder-checkpoint", "checkpoint"),
    ("binder-baseline", "baseline"),
    ("binder-baseline-checkpoint", "checkpoint of a baseline"),
    ("binder-placer", "placer"),
];

/// The kind of file that says this of itself, if it is one of Binder's.
fn kind_of(format: Option<&str>) -> Option<&'static str> {
    KINDS.iter().find(|(name, _)| Some(*name) == format).map(|(_, kind)| *kind)
}
