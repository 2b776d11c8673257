use std::fmt;

use crate::memory::MemoryError;

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// It was begun with other data or settings.
    #[error(
        "the checkpoint is of another run ({})",
        listed(.0)
    )]
    Differs(Vec<Difference>),
    /// It is further than the run is to go.
    #[error(
        "the checkpoint has {done} epochs, more than the {asked} asked for; ask for at least {done}"
    )]
    Past {
        /// The epochs that are done.
        done: u32,
        /// The epochs asked for.
        asked: u32,
    },
    /// An epoch would take more memory than it may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
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
