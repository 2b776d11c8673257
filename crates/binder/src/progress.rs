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
}

impl Progress for () {}
