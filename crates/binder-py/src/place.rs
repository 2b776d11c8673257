//! `binder._core.Placer`: where unseen concepts belong.

use std::path::PathBuf;
use std::sync::Arc;

use binder::place::{Asking, Encoder, PlaceError, PlaceParams, Placer as Fitted, evaluate_with};
use binder::{Cancelled, Error, Progress};
use binder_answers::{Placed, Style};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::embeddings::{Embeddings, vectors};
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
    embeddings: &Embeddings,
    hidden: usize,
    trees: usize,
    seed: u64,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Placer> {
    let (model, embeddings) = (model.index.model().clone(), embeddings.inner.clone());
    let fitted = watched(py, bar, |watch| {
        let params = params(hidden, trees, seed);
        Fitted::fit_with(model, embeddings, &params, watch).map_err(Error::from)
    })?;
    Ok(Placer { inner: Arc::new(fitted.map_err(python)?) })
}

/// What `binder place eval` finds.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/_placer.py has them by name")]
pub(crate) fn evaluate_placer(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    embeddings: &Embeddings,
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
    let embeddings = embeddings.inner.clone();
    let found = watched(py, bar, |watch| {
        let params = params(hidden, trees, seed);
        evaluate_with(&hierarchy.inner, embeddings, &asking, &params, watch).map_err(Error::from)
    })?;
    plain(&found.map_err(python)?)
}

#[pymethods]
impl Placer {
    /// A placer from its file, with the encoder in a folder if it was fitted with one.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, encoder: Option<PathBuf>) -> PyResult<Self> {
        let opened = without_lock(py, || Fitted::open(path))?.map_err(python)?;
        let Some(folder) = encoder else { return Ok(Self { inner: Arc::new(opened) }) };
        let with_encoder = || opened.with_encoder(Encoder::open(folder)?);
        let opened = without_lock(py, with_encoder)?.map_err(PlaceError::from).map_err(python)?;
        Ok(Self { inner: Arc::new(opened) })
    }

    /// Whether it was fitted with an encoder that it does not have now.
    fn lacks_encoder(&self) -> bool {
        self.inner.lacks_encoder()
    }

    /// How many numbers the vector of a concept has, if it was fitted with such vectors.
    fn dimension(&self) -> Option<usize> {
        self.inner.embeddings().concepts.as_ref().map(binder::place::Vectors::dimension)
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

    /// Where concepts of these names and definitions belong, each as data and as text. There is a
    /// vector for each of them, or None.
    fn place(
        &self,
        py: Python<'_>,
        asked: Vec<(String, String)>,
        given: Vec<Option<PyReadonlyArray1<'_, f32>>>,
        top: usize,
    ) -> PyResult<Vec<(Plain, String)>> {
        let given = vectors(given)?;
        let nothing = |(name, definition): &(String, String)| {
            name.trim().is_empty() && definition.trim().is_empty()
        };
        if asked.iter().any(nothing) {
            let message = "nothing to place; give a name, a definition, or both";
            return Err(Kind::Value.error(message));
        }
        let placer = &self.inner;
        let answer = |(name, definition): &(String, String), vector: &Option<Vec<f32>>| {
            let placed = match vector {
                Some(vector) => {
                    let answer = placer.place_with(name, definition, vector);
                    let answer = answer.map_err(PlaceError::from).map_err(python)?;
                    Placed::from_answer(placer, name, answer, top)
                }
                None => Placed::new(placer, name, definition, top),
            };
            Ok((plain(&placed)?, placed.text(&Style::PLAIN).trim_end().to_owned()))
        };
        watched(py, None, |watch| {
            let one = |(asked, vector)| match watch.is_cancelled() {
                true => Err(python(Cancelled)),
                false => answer(asked, vector),
            };
            asked.par_iter().zip(&given).map(one).collect()
        })?
    }

    /// Checks that a model has the concepts of this placer.
    fn check_model(&self, model: &Model) -> PyResult<()> {
        self.inner.check_model(model.index.model()).map_err(python)
    }
}
