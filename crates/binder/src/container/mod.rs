//! The file that models and checkpoints are kept in: safetensors with a checksum over every byte.
//!
//! Equal contents are equal files: the header is sorted, and nothing that varies between equal runs
//! goes into it. A file is put in place in one step. On reading, everything is checked before
//! anything is used.

mod read;
mod write;

#[cfg(feature = "mmap")]
pub(crate) use read::map;
pub(crate) use read::{Reader, missing, read_file};
pub(crate) use write::{Tensor, save, to_bytes};

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file of ours.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// It is not there, or cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// It ends before its header says, or goes on after.
    #[error("the file is not as long as its header says: it was cut off or added to")]
    Length,
    /// It is not a safetensors file.
    #[error("not a safetensors file: {0}")]
    NotSafetensors(String),
    /// It is a safetensors file of something else.
    #[error("a safetensors file, but not a {expected} of Binder")]
    OtherFormat {
        /// What it was to be: `model` or `checkpoint`.
        expected: &'static str,
    },
    /// It is of a version that this library does not know.
    #[error("format version {found}, but only {known} is known")]
    Version {
        /// The version of the file.
        found: String,
        /// The newest version that can be read.
        known: &'static str,
    },
    /// Some byte of it has changed.
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
    /// Says that a part is not as it should be.
    pub(crate) fn tensor(name: &'static str, problem: impl ToString) -> Self {
        Self::Part { name, problem: problem.to_string() }
    }
}

/// Which file is wrong, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What it was to be: `model` or `checkpoint`.
    pub kind: &'static str,
    /// What is wrong; part of the message, so not its source as well.
    pub problem: ContainerError,
}

/// What a file of ours says that it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    /// The entry `format` of the metadata.
    pub(crate) name: &'static str,
    /// The entry `format_version`: it changes when a reader of the last one could misread a file.
    pub(crate) version: &'static str,
    /// What people call it: `model` or `checkpoint`.
    pub(crate) kind: &'static str,
}

impl Format {
    /// Says which file has a problem.
    pub(crate) fn error(self, path: &Path, problem: impl Into<ContainerError>) -> FileError {
        FileError { path: path.to_owned(), kind: self.kind, problem: problem.into() }
    }
}
