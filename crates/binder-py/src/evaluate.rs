//! Codes evaluated over all pairs or over listed ones, next to two baselines that need no codes.

use binder::Error;
use binder::evaluate::{self, Confusion};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::arrays::judged_by;
use crate::errors::python;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::watch::watched;

/// tp, fp, fn, tn.
type Counts = (u64, u64, u64, u64);

/// The codes' counts, the pairs with equal codes, the counts of the closure of the training pairs,
/// and those of "many descendants".
type Verdict = (Counts, u64, Counts, Counts);

fn counts(confusion: Confusion) -> Counts {
    (confusion.tp, confusion.fp, confusion.false_negatives, confusion.tn)
}

/// All pairs of a hierarchy's concepts.
#[pyfunction]
pub(crate) fn evaluate_all(
    py: Python<'_>,
    model: &Model,
    truth: &Hierarchy,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Verdict> {
    let (index, truth) = (&model.index, &truth.inner);
    let verdict = watched(py, bar, |watch| {
        let codes = index.model().codes_for(truth.names(), "the hierarchy")?;
        let judged = evaluate::all_pairs_with(&codes, truth, watch)?;
        let closure = evaluate::closure_on_all_pairs(index.hierarchy(), truth);
        let descendants = evaluate::descendants_on_all_pairs(truth);
        Ok::<_, Error>((
            counts(judged.confusion),
            judged.equal_pairs,
            counts(closure),
            counts(descendants),
        ))
    })?;
    verdict.map_err(python)
}

/// Listed pairs by the model's ids.
#[pyfunction]
pub(crate) fn evaluate_listed(
    py: Python<'_>,
    model: &Model,
    positives: PyReadonlyArray2<'_, u32>,
    negatives: PyReadonlyArray2<'_, u32>,
) -> PyResult<Verdict> {
    let (index, concepts) = (&model.index, model.index.codes().len());
    let (positives, negatives) = judged_by(&positives, &negatives, concepts)?;
    watched(py, None, |_| {
        let hierarchy = index.hierarchy();
        let judged = evaluate::listed(index.codes(), &positives, &negatives);
        let closure = evaluate::closure_on_listed(hierarchy, &positives, &negatives);
        let descendants = evaluate::descendants_on_listed(hierarchy, &positives, &negatives);
        (counts(judged.confusion), judged.equal_pairs, counts(closure), counts(descendants))
    })
}
