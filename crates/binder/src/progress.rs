/// What long work reports to whoever waits for it. The library never prints; a front end draws a
/// bar.
///
/// All methods do nothing by default. `()` ignores everything.
pub trait Progress: Sync {
    /// A stage begins: `total` steps of it where that is known.
    fn start(&self, stage: &str, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// More steps of the stage are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Whether the work is cancelled. Asked now and then from any thread; after a yes the work ends
    /// soon, with [`Cancelled`].
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl dyn Progress + '_ {
    /// An error when the work is cancelled.
    pub(crate) fn go_on(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The work was cancelled: [`Progress::is_cancelled`] said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Progress for () {}
