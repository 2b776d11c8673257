//! `binder._core.Baseline`: one of the vector embeddings that codes are compared with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use binder::Progress;
use binder::graph::Graph;
use binder::train::scoring_negatives;
use binder_baselines::{
    Baseline as Trained, BaselineParams, Error, Filter, Method, Training, ValidBaselineParams,
    Validation, evaluate,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Pairs, judged_by, pairs_from};
use crate::errors::{Kind, chosen, in_bytes, python};
use crate::hierarchy::Hierarchy;
use crate::pool::without_lock;
use crate::train::{On, learnt_from};
use crate::watch::{Watch, watched};

/// Vectors of concepts, and the score from which a pair is taken to be is-a.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Baseline {
    inner: Arc<Trained>,
}

/// tp, fp, fn, tn; then the best threshold, its F1, AUC, average precision and MRR.
type Judged = ((u64, u64, u64, u64), [f64; 5]);

/// The names of all methods.
#[pyfunction]
pub(crate) fn baseline_methods() -> Vec<&'static str> {
    <Method as binder::Choice>::ALL.iter().map(|&method| binder::Choice::name(method)).collect()
}

/// The model that `binder baseline` makes. `source` is what the model notes of listed pairs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/baselines.py has them by name")]
pub(crate) fn fit_baseline(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    method: &str,
    on: On<'_>,
    source: &str,
    valid: Option<(PyReadonlyArray2<'_, u32>, PyReadonlyArray2<'_, u32>)>,
    settings: BTreeMap<String, String>,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Baseline> {
    let mut params = BaselineParams::of(chosen("method", method)?);
    for (name, value) in &settings {
        params.set(name, value).map_err(python)?;
    }
    let params = params.check().map_err(python)?;
    let pairs = learnt_from(py, &on, hierarchy)?;
    let concepts = hierarchy.inner.len();
    let (scored_on, scored): (_, (Pairs, Pairs)) = match &valid {
        Some((positives, negatives)) => ("valid", judged_by(positives, negatives, concepts)?),
        None => ("training", (pairs.iter().collect(), scoring_negatives(&pairs, params.seed))),
    };
    let validation = Validation { positives: &scored.0, negatives: &scored.1 };
    let trained = watched(py, bar, |watch| {
        let mut training_avoids = None;
        if params.filter == Filter::Closure {
            let all = hierarchy.inner.closure();
            training_avoids = Some(Graph::new(concepts, all.pairs().chain(pairs.iter())));
        }
        let avoided = training_avoids.as_ref().unwrap_or(&pairs);
        let training = learn(&pairs, avoided, &params, validation, watch)?;
        Ok::<_, Error>(training.model(&hierarchy.inner, source, scored_on))
    })?;
    Ok(Baseline { inner: Arc::new(trained.map_err(of_baseline)?) })
}

fn learn<'a>(
    pairs: &Graph,
    avoided: &'a Graph,
    params: &'a ValidBaselineParams,
    validation: Validation<'a>,
    watch: &Watch,
) -> Result<Training<'a>, Error> {
    let mut training = Training::new(pairs, avoided, params, validation)?;
    watch.start("training", Some(params.epochs.into()));
    while !training.is_over() {
        training.step(watch)?;
        watch.advance(1);
    }
    Ok(training)
}

/// An error of a baseline as an exception.
fn of_baseline(error: Error) -> PyErr {
    match error {
        Error::Param(error) => python(error),
        Error::File(error) => python(error),
        Error::Model(error) => python(error),
        Error::Cancelled(error) => python(error),
        other => Kind::Value.error(&other.to_string()),
    }
}

#[pymethods]
impl Baseline {
    /// A baseline from its file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = without_lock(py, || Trained::open(path))?.map_err(python)?;
        Ok(Self { inner: Arc::new(opened) })
    }

    /// Writes its file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        without_lock(py, || self.inner.save(path))?.map_err(python)
    }

    /// A baseline from the bytes of its file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let opened = without_lock(py, || Trained::from_bytes(bytes))?.map_err(in_bytes)?;
        Ok(Self { inner: Arc::new(opened) })
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = without_lock(py, || self.inner.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn hierarchy(&self) -> Hierarchy {
        Arc::clone(self.inner.hierarchy()).into()
    }

    #[getter]
    fn method(&self) -> String {
        self.inner.method().to_string()
    }

    #[getter]
    fn threshold(&self) -> f32 {
        self.inner.threshold().at
    }

    #[getter]
    fn notes(&self) -> BTreeMap<String, String> {
        self.inner.notes().clone()
    }

    /// One row of numbers per concept.
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let shape = [self.inner.hierarchy().len(), self.inner.numbers()];
        self.inner.vectors().to_vec().into_pyarray(py).reshape(shape)
    }

    /// The scores of (child, parent) pairs of ids.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        pairs: PyReadonlyArray2<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let pairs = pairs_from(&pairs, self.inner.hierarchy().len())?;
        let scores = without_lock(py, || self.inner.scores().of_pairs(&pairs))?;
        Ok(scores.into_pyarray(py))
    }

    /// Judges it over all pairs of a hierarchy's concepts.
    fn judge(
        &self,
        py: Python<'_>,
        truth: &Hierarchy,
        bar: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Judged> {
        let truth = &truth.inner;
        let judged = watched(py, bar, |watch| {
            let scores = self.inner.scores_for(truth.names(), "the hierarchy")?;
            Ok::<_, Error>(evaluate::all_pairs(&*scores, self.inner.threshold().at, truth, watch)?)
        })?;
        let judged = judged.map_err(of_baseline)?;
        let measures = judged.measures;
        let counts = measures.confusion;
        Ok((
            (counts.tp, counts.fp, counts.false_negatives, counts.tn),
            [
                f64::from(measures.best_threshold),
                measures.best_f1,
                measures.auc,
                measures.average_precision,
                judged.mrr,
            ],
        ))
    }
}
