//! The native half of the Python package `binder`; the other half is `python/binder`.
//!
//! This half does the work and takes and returns ids and arrays. The other half takes and returns
//! names, and has the documentation. Long work runs without the interpreter's lock ([`watch`]) in a
//! thread pool of this module ([`pool`]), so that other Python threads go on and Ctrl-C works.

mod answers;
mod arrays;
mod arrow;
mod baseline;
mod embeddings;
mod encode;
mod errors;
mod evaluate;
mod export;
mod hierarchy;
mod memo;
mod model;
mod names;
mod place;
mod plain;
mod pool;
mod read;
mod remedy;
mod reproduce;
mod saving;
mod split;
mod train;
mod versions;
mod watch;

/// `binder._core`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use super::baseline::{Baseline, baseline_methods, fit_baseline};
    #[pymodule_export]
    use super::embeddings::Embeddings;
    #[pymodule_export]
    use super::encode::encode;
    #[pymodule_export]
    use super::evaluate::{evaluate_all, evaluate_listed};
    #[pymodule_export]
    use super::export::export;
    #[pymodule_export]
    use super::hierarchy::Hierarchy;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::place::{Placer, evaluate_placer, fit_placer};
    #[pymodule_export]
    use super::pool::{memory_limit, set_memory_limit, set_threads, threads};
    #[pymodule_export]
    use super::read::{from_arrow, from_columns, from_pairs, known_pairs, read, read_bytes};
    #[pymodule_export]
    use super::reproduce::{experiments, reproduce};
    #[pymodule_export]
    use super::split::{Split, split};
    #[pymodule_export]
    use super::train::{Epoch, train};
    #[pymodule_export]
    use super::versions::{Update, diff, update};

    use pyo3::prelude::*;

    /// The version of the package, and of the library in it.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
