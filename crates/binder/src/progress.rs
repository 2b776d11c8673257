/// What long work tells whoever waits for it. The library never prints; the command line draws a bar.
///
/// All methods do nothing by default, and `()` is the listener that does not listen.
pub trait Progress: Sync {
    /// A stage begins: `total` steps of it where that is known.
    fn start(&self, stage: &str, total: Option<u64>) {
        let _ = (stage, total);
    }

    /// So many steps of the stage are done, since the last time.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Whether the work is no longer wanted. Asked now and then from any thread; after a yes it ends soon, with [`Cancelled`].
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl dyn Progress + '_ {
    /// An error when the work is no longer wanted.
    pub(crate) fn go_on(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Whoever waited for the work gave it up: [`Progress::is_cancelled`] said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end, as was asked")]
pub struct Cancelled;

impl Progress for () {}
