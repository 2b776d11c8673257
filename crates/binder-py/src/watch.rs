//! Long work runs on a thread of its own without the interpreter's lock. Meanwhile the caller's
//! thread, the only one that Python tells of Ctrl-C, waits for it, shows its progress, and cancels
//! it on Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use binder::Progress;
use pyo3::prelude::*;

use crate::pool::pool;

/// How often the caller's thread checks for Ctrl-C and shows progress.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The progress of the work, and whether it is cancelled.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    stage: Mutex<(String, Option<u64>)>,
    /// Steps of the stage that are done.
    done: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress for Watch {
    fn start(&self, stage: &str, total: Option<u64>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (stage.to_owned(), total);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Watch {
    fn show(&self, bar: &mut Bar<'_>) -> PyResult<()> {
        let (stage, total) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // No stage has begun.
        if stage.is_empty() {
            return Ok(());
        }
        bar.show(&stage, self.done.load(Ordering::Relaxed), total)
    }
}

/// A progress bar of `binder/_progress.py`, or none.
#[derive(Debug)]
pub(crate) struct Bar<'py> {
    bar: Option<Bound<'py, PyAny>>,
    last: Instant,
}

impl<'py> Bar<'py> {
    pub(crate) fn new(bar: Option<Bound<'py, PyAny>>) -> Self {
        Self { bar, last: Instant::now() }
    }

    /// Draws, unless it did a moment ago.
    pub(crate) fn show(&mut self, stage: &str, done: u64, total: Option<u64>) -> PyResult<()> {
        let Some(bar) = self.bar.as_ref().filter(|_| self.last.elapsed() >= TICK) else {
            return Ok(());
        };
        self.last = Instant::now();
        bar.call_method1("show", (stage, done, total)).map(|_| ())
    }
}

/// Takes the receiver by `&mut`: it may be sent to another thread, but not shared with one.
fn wait<T>(receive: &mut mpsc::Receiver<T>) -> Result<T, RecvTimeoutError> {
    receive.recv_timeout(TICK)
}

/// Does the work and returns its result. On Ctrl-C, or when the bar fails, the work is cancelled
/// and the exception is raised.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    bar: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let (pool, watch, mut bar) = (pool()?, Watch::default(), Bar::new(bar));
    let (send, mut receive) = mpsc::channel();
    thread::scope(|scope| {
        let watch = &watch;
        let worker = scope.spawn(move || {
            // Nobody receives it when the work was cancelled.
            let _ = send.send(pool.install(|| work(watch)));
        });
        loop {
            match py.detach(|| wait(&mut receive)) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = py.detach(|| worker.join()).expect_err("it ended without a result");
                    std::panic::resume_unwind(panic)
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let heard = py.check_signals().and_then(|()| watch.show(&mut bar));
            if let Err(error) = heard {
                watch.cancelled.store(true, Ordering::Relaxed);
                let _ = py.detach(|| worker.join());
                return Err(error);
            }
        }
    })
}
