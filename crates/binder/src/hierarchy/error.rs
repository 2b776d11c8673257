use std::fmt;

use super::TooManyNames;
use crate::memory::MemoryError;
use crate::progress::Cancelled;

/// Why there is no closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClosureError {
    /// It would take more memory than it may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Why a hierarchy cannot be built from pairs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The pairs form a cycle.
    #[error(transparent)]
    Cycle(#[from] CycleError),
    /// There are more names than ids.
    #[error(transparent)]
    TooManyNames(#[from] TooManyNames),
}

/// A cycle among the pairs: each concept is a child of the next, and the last is a child of the
/// first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleError {
    /// The names along the cycle, child before parent, each name once.
    pub names: Vec<String>,
}

/// Names at each end of a long cycle that the message shows; `names` has them all.
const SHOWN: usize = 10;

impl std::error::Error for CycleError {}

impl fmt::Display for CycleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pairs form a cycle: ")?;
        let shown = if self.names.len() > 2 * SHOWN { SHOWN } else { self.names.len() };
        for name in &self.names[..shown] {
            write!(f, "{name} is-a ")?;
        }
        if shown < self.names.len() {
            write!(f, "… ({} more) … is-a ", self.names.len() - 2 * SHOWN)?;
            for name in &self.names[self.names.len() - SHOWN..] {
                write!(f, "{name} is-a ")?;
            }
        }
        let first = self.names.first().map_or("", String::as_str);
        f.write_str(first)
    }
}
