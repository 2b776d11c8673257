use binder::Progress;

/// Receives what an experiment has to say while it runs.
///
/// Progress within a stage comes through [`binder::Progress`]. An experiment also asks
/// [`Progress::is_cancelled`] before every epoch; after a yes it ends with an error, and finished
/// runs stay recorded. All methods do nothing by default, and `()` is the listener that ignores
/// everything.
pub trait Listener: Progress {
    /// Something that should stay readable: a run has ended.
    fn line(&self, text: &str) {
        let _ = text;
    }

    /// What the current stage is doing right now; replaces the last message.
    fn message(&self, text: &str) {
        let _ = text;
    }

    /// Something the user should know but did not ask for, such as a data set that is skipped.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// The current stage has ended, and the next one may take a while to begin.
    fn finish(&self) {}
}

impl Listener for () {}
