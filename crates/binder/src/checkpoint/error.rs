use std::fmt;

use crate::memory::MemoryError;

/// Why a run cannot continue from a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The run started with other data or settings.
    #[error(
        "the checkpoint belongs to another run ({})",
        listed(.0)
    )]
    Differs(Vec<Difference>),
    /// The checkpoint has more epochs than were requested.
    #[error(
        "the checkpoint has {done} epochs, more than the {asked} requested; request at least {done}"
    )]
    Past {
        /// The epochs that are done.
        done: u32,
        /// The epochs requested.
        asked: u32,
    },
    /// An epoch would take more memory than it may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A setting, or a part of the data, that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What has changed. Settings have the same names as in the notes of a model.
    pub what: String,
    /// Its value when the run started.
    pub then: String,
    /// Its value now.
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
