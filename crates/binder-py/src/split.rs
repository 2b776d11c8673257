//! `binder._core.Split`.

use std::path::PathBuf;

use binder::split::split_with;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::pairs;
use crate::errors::python;
use crate::hierarchy::Hierarchy;
use crate::watch::watched;

/// A hierarchy's pairs, divided for link prediction.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Split(binder::split::Split);

/// Divides a hierarchy.
#[pyfunction]
pub(crate) fn split(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    percentages: Vec<u32>,
    seed: u64,
) -> PyResult<Split> {
    let split = watched(py, None, |watch| split_with(&hierarchy.inner, &percentages, seed, watch))?;
    split.map(Split).map_err(python)
}

#[pymethods]
impl Split {
    /// Pairs to learn from, by percentage of the indirect ones.
    fn train<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sets = PyDict::new(py);
        for (percentage, train) in &self.0.train {
            sets.set_item(percentage, pairs(py, train.iter().copied())?)?;
        }
        Ok(sets)
    }

    /// valid, valid_neg, test, test_neg.
    fn held_out<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray2<u32>>>> {
        let sets = [&self.0.valid, &self.0.valid_neg, &self.0.test, &self.0.test_neg];
        sets.into_iter().map(|set| pairs(py, set.iter().copied())).collect()
    }

    /// Writes the files that `binder split` writes.
    fn save(&self, hierarchy: &Hierarchy, folder: PathBuf) -> PyResult<()> {
        self.0.save(&hierarchy.inner, folder).map_err(python)
    }
}
