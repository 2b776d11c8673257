use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether the user (Ctrl-C) or the system (a shutdown, a batch queue) asks the process to end.
pub(super) struct Signals(Arc<AtomicBool>);

impl Signals {
    /// From now on the first such signal only asks; a second ends the process at once.
    pub(super) fn catch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a signal must find what the one before it left, not what it leaves itself.
            flag::register_conditional_shutdown(signal, Interrupted::EXIT_CODE.into(), Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    pub(super) fn ask_to_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A run was stopped from outside and saved.
#[derive(Debug)]
pub(crate) struct Interrupted {
    epoch: u32,
    epochs: u32,
    command: OsString,
}

impl Interrupted {
    /// What shells report for a process that Ctrl-C ended.
    pub(crate) const EXIT_CODE: u8 = 130;

    /// `more` is what the command that goes on has beyond the one that was stopped.
    pub(super) fn new(epoch: u32, epochs: u32, more: &[&OsStr]) -> Self {
        let words = std::env::args_os().chain(more.iter().map(OsString::from));
        let command = words.map(|word| quoted(&word)).collect::<Vec<_>>().join(OsStr::new(" "));
        Self { epoch, epochs, command }
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = Path::new(&self.command).display();
        write!(f, "stopped after epoch {} of {} and saved; go on with\n  {command}", self.epoch, self.epochs)
    }
}

impl std::error::Error for Interrupted {}

/// A word as a shell takes it.
fn quoted(word: &OsStr) -> OsString {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => word.to_owned(),
        Some(text) => format!("'{}'", text.replace('\'', r"'\''")).into(),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, quoted_word) in
            [("--on", "--on"), ("my data", "'my data'"), ("it's", r"'it'\''s'"), ("", "''"), ("$x", "'$x'")]
        {
            assert_eq!(quoted(OsStr::new(word)), quoted_word);
        }
    }
}
