use std::io;
use std::path::{Path, PathBuf};

/// Why an experiment could not be finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, splitting, training or encoding failed, or was cancelled.
    #[error(transparent)]
    Binder(#[from] binder::Error),
    /// Another embedding could not be trained.
    #[error(transparent)]
    Method(#[from] binder_baselines::Error),
    /// Settings cannot be chosen, because there are no validation pairs.
    #[error(
        "there are no validation pairs to choose settings by: a hierarchy without indirect pairs has \
         none to hold out; give others"
    )]
    NoValidation,
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that would be overwritten is not one of ours.
    #[error(
        "{}:{line}: {problem}; binder did not write this file: rename or remove it, or choose \
         another folder",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first line that is not as expected.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The ledger of finished runs is in use.
    #[error(
        "{}: another run is writing it; wait for it to end, or choose another folder",
        path.display()
    )]
    Locked {
        /// The ledger.
        path: PathBuf,
    },
    /// Runs are missing, and none may be run.
    #[error("{missing} of the runs are not finished; run them first")]
    Unfinished {
        /// How many.
        missing: usize,
    },
    /// None of the requested data sets is available.
    #[error("no data set is left")]
    NoData,
    /// The folder of data sets is not there.
    #[error("{}: no such folder of data sets", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder of splits lacks a file.
    #[error("{}: has no {name}.tsv or {name}.tsv.gz", folder.display())]
    MissingSplit {
        /// The folder.
        folder: PathBuf,
        /// The file, without its ending.
        name: String,
    },
    /// A hierarchy is too large to be drawn as a tree.
    #[error(
        "{concepts} concepts of {bits} bits are too many to draw; draw at most {max} concepts",
        max = crate::tree::MOST_CONCEPTS
    )]
    TooLargeToDraw {
        /// How many concepts there are.
        concepts: usize,
        /// How many bits a code has.
        bits: usize,
    },
    /// A drawing could not be made.
    #[error("a drawing could not be made: {0}")]
    Drawing(String),
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Error {
    /// Turns the error of an operation on `path` into ours.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::File { path: path.to_owned(), error }
    }

    /// For a file that binder did not write.
    pub(crate) fn foreign(path: &Path, line: usize, problem: impl Into<String>) -> Self {
        Self::Foreign { path: path.to_owned(), line, problem: problem.into() }
    }
}

/// The stages of the library, each with an error of its own.
macro_rules! from_stages {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Binder(error.into())
            }
        })+
    };
}

from_stages!(
    binder::Cancelled,
    binder::codes::CodesError,
    binder::container::FileError,
    binder::encode::EncodeError,
    binder::model::ModelError,
    binder::read::ReadError,
    binder::split::SplitError,
    binder::train::ParamError,
);
