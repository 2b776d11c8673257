/// Receives the progress of long work, and may cancel it. The library never prints; a front end may
/// draw a progress bar.
///
/// By default all methods do nothing and the work is never cancelled. `()` is such a receiver.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use binder::Progress;
///
/// /// Cancels the work when the flag is set.
/// struct Flag(AtomicBool);
///
/// impl Progress for Flag {
///     fn is_cancelled(&self) -> bool {
///         self.0.load(Ordering::Relaxed)
///     }
/// }
///
/// let (toy, codes) = (binder::Hierarchy::read("toy")?, binder::codes::Codes::zeros(15, 1)?);
/// let flag = Flag(AtomicBool::new(true));
/// assert!(binder::evaluate::all_pairs_with(&codes, &toy, &flag).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Progress: Sync {
    /// A new stage starts. It has `total` steps, if that is known.
    fn start(&self, stage: &str, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// This many more steps of the stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Whether the work is cancelled. Called often and from any thread. After it returns true, the
    /// work ends soon with the error [`Cancelled`].
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl dyn Progress + '_ {
    /// Returns an error if the work is cancelled.
    pub(crate) fn go_on(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The error of work that was cancelled by [`Progress::is_cancelled`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Progress for () {}
