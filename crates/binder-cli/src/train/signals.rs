use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use binder::Progress;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::shell::command;

/// What asks a process to end.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Whether the user (Ctrl-C) or the system (a shutdown, a batch queue) has asked the process to
/// end.
pub(crate) struct Signals(Arc<AtomicBool>);

impl Signals {
    /// Catches signals from now on. The first one only sets a flag; a second ends the process at
    /// once.
    pub(crate) fn catch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            // In this order: a signal must find what the one before it left, not what it leaves
            // itself.
            flag::register_conditional_shutdown(
                signal,
                Interrupted::EXIT_CODE.into(),
                Arc::clone(&asked),
            )?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }
}

/// Work stops when a signal asks for it.
impl Progress for Signals {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A run was interrupted by a signal and saved.
#[derive(Debug)]
pub(crate) struct Interrupted {
    epoch: u32,
    epochs: u32,
    command: OsString,
}

impl Interrupted {
    /// The exit code that shells report for a process ended by Ctrl-C.
    pub(crate) const EXIT_CODE: u8 = 130;

    /// `more` has the options that the command to resume needs in addition.
    pub(super) fn new(epoch: u32, epochs: u32, more: &[&OsStr]) -> Self {
        let words = std::env::args_os().chain(more.iter().map(OsString::from));
        Self { epoch, epochs, command: command(words) }
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = Path::new(&self.command).display();
        write!(
            f,
            "stopped after epoch {} of {} and saved; resume with\n  {command}",
            self.epoch, self.epochs
        )
    }
}

impl std::error::Error for Interrupted {}
