//! `binder._core.Placer`: where unseen concepts belong.

use std::path::PathBuf;
use std::sync::Arc;

use binder::place::{Asking, PlaceParams, Placer as Fitted, evaluate};
use binder::{Cancelled, Error, Progress};
use binder_answers::{Placed, Style};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::errors::{Kind, chosen, in_bytes, python};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::plain::{Plain, plain};
use crate::pool::without_lock;
use crate::watch::watched;

/// Finds the place of unseen concepts from their names and definitions.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Placer {
    inner: Arc<Fitted>,
}

fn params(hidden: usize, trees: usize, seed: u64) -> PlaceParams {
    PlaceParams::default().hidden(hidden).trees(trees).seed(seed)
}

/// The placer that `binder place fit` makes.
#[pyfunction]
pub(crate) fn fit_placer(
    py: Python<'_>,
    model: &Model,
    hidden: usize,
    trees: usize,
    seed: u64,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Placer> {
    let model = model.index.model().clone();
    let fitted = watched(py, bar, |watch| {
        Fitted::fit(model, &params(hidden, trees, seed), watch).map_err(Error::from)
    })?;
    Ok(Placer { inner: Arc::new(fitted.map_err(python)?) })
}

/// What `binder place eval` finds.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/_placer.py has them by name")]
pub(crate) fn evaluate_placer(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    hide: &str,
    share: f64,
    names_only: bool,
    draw: u64,
    hidden: usize,
    trees: usize,
    seed: u64,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Plain> {
    if !(share > 0.0 && share <= 0.5) {
        return Err(Kind::Value.error(&format!("share is {share}; choose from above 0 to 0.5")));
    }
    let hide = chosen("hide", hide)?;
    let asking = Asking::default().hide(hide).share(share).names_only(names_only).seed(draw);
    let found = watched(py, bar, |watch| {
        let params = params(hidden, trees, seed);
        evaluate(&hierarchy.inner, &asking, &params, watch).map_err(Error::from)
    })?;
    plain(&found.map_err(python)?)
}

#[pymethods]
impl Placer {
    /// A placer from its file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = without_lock(py, || Fitted::open(path))?.map_err(python)?;
        Ok(Self { inner: Arc::new(opened) })
    }

    /// Writes its file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        without_lock(py, || self.inner.save(path))?.map(|_| ()).map_err(python)
    }

    /// A placer from the bytes of its file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let opened = without_lock(py, || Fitted::from_bytes(bytes))?.map_err(in_bytes)?;
        Ok(Self { inner: Arc::new(opened) })
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = without_lock(py, || self.inner.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model that places are found in.
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(without_lock(py, || self.inner.model().clone().into_index())?.into())
    }

    fn __len__(&self) -> usize {
        self.inner.model().hierarchy().len()
    }

    /// Where concepts of these names and definitions belong, each as data and as text.
    fn place(
        &self,
        py: Python<'_>,
        asked: Vec<(String, String)>,
        top: usize,
    ) -> PyResult<Vec<(Plain, String)>> {
        let nothing = |(name, definition): &(String, String)| {
            name.trim().is_empty() && definition.trim().is_empty()
        };
        if asked.iter().any(nothing) {
            let message = "nothing to place; give a name, a definition, or both";
            return Err(Kind::Value.error(message));
        }
        let placer = &self.inner;
        let answer = |(name, definition): &(String, String)| {
            let placed = Placed::new(placer, name, definition, top);
            Ok((plain(&placed)?, placed.text(&Style::PLAIN).trim_end().to_owned()))
        };
        watched(py, None, |watch| {
            asked
                .par_iter()
                .map(
                    |asked| {
                        if watch.is_cancelled() { Err(python(Cancelled)) } else { answer(asked) }
                    },
                )
                .collect()
        })?
    }

    /// Checks that a model has the concepts of this placer.
    fn check_model(&self, model: &Model) -> PyResult<()> {
        self.inner.check_model(model.index.model()).map_err(python)
    }
}
