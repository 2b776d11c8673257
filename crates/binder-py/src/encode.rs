//! Exact codes, checked on every pair.

use binder::encode::{Effort, EncodeParams};
use binder::evaluate;
use pyo3::prelude::*;

use crate::errors::{Kind, python};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::watch::watched;

/// The model that `binder encode` makes.
#[pyfunction]
pub(crate) fn encode(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    bits: Option<usize>,
    effort: &str,
    seed: u64,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let params = EncodeParams { effort: self::effort(effort)?, bits, seed };
    params.check().map_err(python)?;
    let model = watched(py, bar, |watch| {
        let encoding = binder::encode::encode(hierarchy, &params, watch)?;
        let judged = evaluate::all_pairs_with(&encoding.codes, hierarchy, watch)?;
        encoding.model(hierarchy, &params, &judged).map(Model::from)
    })?;
    model.map_err(python)
}

fn effort(name: &str) -> PyResult<Effort> {
    Effort::ALL.into_iter().find(|effort| effort.name() == name).ok_or_else(|| {
        let names = Effort::ALL.map(Effort::name).join(", ");
        Kind::Value.error(&format!("effort is {name:?}; choose one of {names}"))
    })
}
