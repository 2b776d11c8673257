use std::io;

/// Why a model file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct ModelError {
    /// The file.
    pub path: String,
    /// What is wrong; part of the message, so not its source as well.
    pub problem: ModelProblem,
}

/// What is wrong with a model file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// It is not there, or cannot be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// It is a folder, a pipe or a device.
    #[error("not a regular file; give the path of a model file")]
    NotAFile,
    /// It ends before its header says, or goes on after.
    #[error(
        "the file is not as long as its header says; it was cut off or added to, so make or copy it again"
    )]
    Length,
    /// It is no safetensors file.
    #[error("not a model file: {0}; make one with binder encode or binder train")]
    NotSafetensors(String),
    /// It is a safetensors file of something else.
    #[error("a safetensors file, but not of binder; make one with binder encode or binder train")]
    NotBinder,
    /// It is of a version this program does not know.
    #[error("model format {0}, but this program knows only {version}; use a newer binder", version = super::VERSION)]
    Version(String),
    /// Some byte of it has changed.
    #[error("the checksum does not match: the file is damaged, so make or copy it again")]
    Checksum,
    /// A part of it is missing or of the wrong kind.
    #[error("tensor {name}: {problem}; the file was not written by binder")]
    Tensor {
        /// Which part.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl From<io::Error> for ModelProblem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl ModelProblem {
    /// Says that a tensor is not as it should be.
    pub(super) fn tensor(name: &'static str, problem: impl ToString) -> Self {
        Self::Tensor { name, problem: problem.to_string() }
    }

    /// Says which file it was.
    pub(super) fn of(self, path: &std::path::Path) -> ModelError {
        ModelError { path: path.display().to_string(), problem: self }
    }
}
