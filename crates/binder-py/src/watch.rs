//! Long work: it runs on a thread of its own without the interpreter's lock, while the caller's thread, which alone hears Ctrl-C, waits for
//! it, draws its progress and gives it up when asked to.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use binder::Progress;
use pyo3::prelude::*;

use crate::pool::pool;

/// How often the caller's thread looks up.
const TICK: Duration = Duration::from_millis(50);

/// What the work says of itself, and what it is told.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    stage: Mutex<(String, Option<u64>)>,
    /// Steps of the stage.
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
        // Nothing has begun as long as nothing has a name.
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

    /// Draws, unless it has drawn a moment ago.
    pub(crate) fn show(&mut self, stage: &str, done: u64, total: Option<u64>) -> PyResult<()> {
        let Some(bar) = self.bar.as_ref().filter(|_| self.last.elapsed() >= TICK) else {
            return Ok(());
        };
        self.last = Instant::now();
        bar.call_method1("show", (stage, done, total)).map(|_| ())
    }
}

/// Exclusively: a receiver may change threads, but not be shared by them.
fn wait<T>(receive: &mut mpsc::Receiver<T>) -> Result<T, RecvTimeoutError> {
    receive.recv_timeout(TICK)
}

/// Does the work and gives what comes of it. On Ctrl-C, or when the bar fails, the work is given up and the exception goes on.
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
            // Nobody listens any more when the work was given up.
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
