//! Ids and pairs between NumPy and the library.

use binder::Id;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::Kind;

/// (child, parent) pairs by the ids of their concepts.
pub(crate) type Pairs = Vec<(Id, Id)>;

/// An array of ids in either of the usual types. Neither is copied.
#[derive(FromPyObject)]
pub(crate) enum Ids<'py> {
    /// The type of every array of ids that is returned.
    #[pyo3(transparent)]
    Small(PyReadonlyArray1<'py, u32>),
    /// NumPy's own type for integers.
    #[pyo3(transparent)]
    Wide(PyReadonlyArray1<'py, i64>),
}

/// A number that may be the id of a concept.
pub(crate) trait Number: Copy + Sync {
    /// The id, if there can be such an id.
    fn id(self) -> Option<Id>;

    /// The number as people write it.
    fn text(self) -> String;
}

impl Number for u32 {
    fn id(self) -> Option<Id> {
        Some(self)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Number for i64 {
    fn id(self) -> Option<Id> {
        Id::try_from(self).ok()
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// The error for a number that is not the id of a concept.
pub(crate) fn no_concept(number: &str, concepts: usize) -> PyErr {
    Kind::Concept
        .error(&format!("no concept has number {number}; there are {concepts}, numbered from 0"))
}

/// The id that a number is; an error if no concept has it.
pub(crate) fn checked(number: i64, concepts: usize) -> PyResult<Id> {
    let id = number.id().filter(|&id| (id as usize) < concepts);
    id.ok_or_else(|| no_concept(&number.text(), concepts))
}

/// An array of ids for Python.
pub(crate) fn ids(py: Python<'_>, ids: Vec<Id>) -> Bound<'_, PyArray1<Id>> {
    ids.into_pyarray(py)
}

/// An array [m, 2] of pairs for Python.
pub(crate) fn pairs(
    py: Python<'_>,
    pairs: impl IntoIterator<Item = (Id, Id)>,
) -> PyResult<Bound<'_, PyArray2<Id>>> {
    let flat: Vec<Id> = pairs.into_iter().flat_map(|(child, parent)| [child, parent]).collect();
    let rows = flat.len() / 2;
    flat.into_pyarray(py).reshape([rows, 2])
}

/// The pairs of an array [m, 2]; an error if an id is not a concept's.
pub(crate) fn pairs_from(array: &PyReadonlyArray2<'_, Id>, concepts: usize) -> PyResult<Pairs> {
    if array.shape()[1] != 2 {
        let message =
            format!("pairs have 2 columns, child and parent; these have {}", array.shape()[1]);
        return Err(Kind::Value.error(&message));
    }
    let view = array.as_array();
    let pairs = view.rows().into_iter().map(|row| (row[0], row[1]));
    let pairs: Pairs = pairs.collect();
    let wrong = pairs
        .iter()
        .flat_map(|&(child, parent)| [child, parent])
        .find(|&id| id as usize >= concepts);
    wrong.map_or(Ok(pairs), |id| Err(no_concept(&id.to_string(), concepts)))
}

/// Pairs that are is-a and pairs that are not, to judge by. Both must have at least one: scores on
/// nothing are perfect.
pub(crate) fn judged_by(
    positives: &PyReadonlyArray2<'_, Id>,
    negatives: &PyReadonlyArray2<'_, Id>,
    concepts: usize,
) -> PyResult<(Pairs, Pairs)> {
    let some = |name: &str, array| {
        let pairs = pairs_from(array, concepts)?;
        let missing = || Kind::Value.error(&format!("there are no {name}; give at least one pair"));
        if pairs.is_empty() { Err(missing()) } else { Ok(pairs) }
    };
    Ok((some("positives", positives)?, some("negatives", negatives)?))
}
