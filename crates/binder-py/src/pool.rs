//! The thread pool.
//!
//! A forked process (`multiprocessing` and many data loaders fork) has no thread but the one that
//! forked, so work given to the pool of the parent process would wait for ever. The pool knows
//! which process it belongs to, and another process makes its own.

use std::sync::{Arc, Mutex, PoisonError};

use binder::memory;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::Kind;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn build(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|at| format!("binder-{at}"))
        .build();
    pool.map(Arc::new).map_err(|error| Kind::Value.error(&format!("{threads} threads: {error}")))
}

/// This process's pool.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some((process, pool)) if *process == std::process::id() => Ok(Arc::clone(pool)),
        _ => {
            let pool = build(0)?;
            // The threads of the old pool are not in this process; dropping it would wait for them.
            std::mem::forget(kept.replace((std::process::id(), Arc::clone(&pool))));
            Ok(pool)
        }
    }
}

/// Does work without the interpreter's lock, on all threads.
pub(crate) fn without_lock<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// Does work on all threads. The caller keeps the interpreter's lock, because the work reads
/// Python's own memory.
pub(crate) fn with_lock<T: Send>(_: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    Ok(pool()?.install(work))
}

/// Sets the number of threads; 0 is one for each core, or what RAYON_NUM_THREADS says.
#[pyfunction]
pub(crate) fn set_threads(count: usize) -> PyResult<()> {
    let pool = build(count)?;
    *POOL.lock().unwrap_or_else(PoisonError::into_inner) = Some((std::process::id(), pool));
    Ok(())
}

/// Sets the most bytes that a stage may take; nothing stands for what the machine has.
#[pyfunction]
pub(crate) fn set_memory_limit(bytes: Option<u64>) {
    memory::set_limit(bytes);
}

/// The most bytes that a stage may take.
#[pyfunction]
pub(crate) fn memory_limit() -> u64 {
    memory::limit()
}

/// How many threads are used.
#[pyfunction]
pub(crate) fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}
