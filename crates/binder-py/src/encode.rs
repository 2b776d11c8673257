//! Exact codes, checked on every pair.

use std::sync::Arc;

use binder::encode::EncodeParams;
use binder::model::Encoded;
use pyo3::prelude::*;

use crate::errors::{chosen, python};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::watch::watched;

/// The model that `binder encode` makes.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/_make.py has them by name")]
pub(crate) fn encode(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    bits: Option<usize>,
    words: Option<usize>,
    room: usize,
    effort: &str,
    seed: u64,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let limited = EncodeParams::default().bits(bits).words(words);
    let params = limited.room(room).effort(chosen("effort", effort)?).seed(seed);
    params.check().map_err(python)?;
    let hierarchy = Arc::clone(&hierarchy.inner);
    let index = watched(py, bar, |watch| {
        binder::encode_with(hierarchy, &params, watch).map(Encoded::into_index)
    })?;
    Ok(index.map_err(python)?.into())
}
