use std::fmt;
use std::io;
use std::path::Path;

use crate::model::ModelProblem;

/// Why a checkpoint could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct CheckpointError {
    /// The file.
    pub path: String,
    /// What is wrong; part of the message, so not its source as well.
    pub problem: CheckpointProblem,
}

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointProblem {
    /// It is not there, or cannot be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// It is a folder, a pipe or a device.
    #[error("not a regular file; give the path of a checkpoint")]
    NotAFile,
    /// It ends before its header says, or goes on after.
    #[error("the checkpoint is not as long as its header says; remove it to start anew")]
    Length,
    /// It is something else.
    #[error("not a checkpoint of binder train; give the path of one, or of a file that is not there yet")]
    Foreign,
    /// It is of a version this program does not know.
    #[error("checkpoint format {0}, but this program knows only {version}; go on with the binder that wrote it", version = super::VERSION)]
    Version(String),
    /// Some byte of it has changed.
    #[error("the checksum does not match: the checkpoint is damaged; remove it to start anew")]
    Checksum,
    /// A part of it is missing or of the wrong kind.
    #[error("{name}: {problem}; the checkpoint was not written by binder, so remove it to start anew")]
    Part {
        /// Which part.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl CheckpointProblem {
    /// Says that a part is not as it should be.
    pub(super) fn part(name: &'static str, problem: impl ToString) -> Self {
        Self::Part { name, problem: problem.to_string() }
    }

    /// Says which file it was.
    pub(super) fn of(self, path: &Path) -> CheckpointError {
        CheckpointError { path: path.display().to_string(), problem: self }
    }
}

/// Checkpoints are files of the same make as models; only what to do about a bad one differs.
impl From<ModelProblem> for CheckpointProblem {
    fn from(problem: ModelProblem) -> Self {
        match problem {
            ModelProblem::Io(error) => Self::Io(error),
            ModelProblem::NotAFile => Self::NotAFile,
            ModelProblem::Length => Self::Length,
            ModelProblem::NotSafetensors(_) | ModelProblem::NotBinder => Self::Foreign,
            ModelProblem::Version(version) => Self::Version(version),
            ModelProblem::Checksum => Self::Checksum,
            ModelProblem::Tensor { name, problem } => Self::Part { name, problem },
        }
    }
}

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// It was begun with other data or settings.
    #[error(
        "the checkpoint is of another run ({}); give what it was begun with, or another checkpoint to start anew",
        listed(.0)
    )]
    Differs(Vec<Difference>),
    /// It is further than the run is to go.
    #[error("the checkpoint has {done} epochs, more than the {asked} of --epochs; ask for at least {done}")]
    Past {
        /// The epochs that are done.
        done: u32,
        /// The epochs asked for.
        asked: u32,
    },
}

/// A setting, or a part of the data, that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Which; settings are named as in the notes of a model.
    pub what: String,
    /// What the run was begun with.
    pub then: String,
    /// What it is now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} then, {} now", self.what, self.then, self.now)
    }
}

fn listed(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
