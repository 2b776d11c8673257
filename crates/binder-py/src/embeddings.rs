//! `binder._core.Embeddings`: vectors that others have learnt, for a placer.

use std::path::PathBuf;

use binder::Error;
use binder::place::{Embeddings as Given, Encoder, PlaceError, Vectors};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::{Kind, python};
use crate::pool::without_lock;

/// Vectors of words and of concepts, or an encoder that makes them.
#[derive(Debug)]
#[pyclass(module = "binder._core", frozen)]
pub(crate) struct Embeddings {
    pub(crate) inner: Given,
}

#[pymethods]
impl Embeddings {
    /// Reads the files of words and of concepts, and opens the folder of an encoder. `rows` are
    /// concepts' vectors with their names, instead of a file.
    #[new]
    #[pyo3(signature = (vectors=None, embeddings=None, rows=None, encoder=None))]
    fn new(
        py: Python<'_>,
        vectors: Option<PathBuf>,
        embeddings: Option<PathBuf>,
        rows: Option<(Vec<String>, PyReadonlyArray2<'_, f32>)>,
        encoder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let rows = rows.map(|(names, rows)| (names, rows.shape()[1], numbers(&rows)));
        let read = move || -> Result<Given, PlaceError> {
            let mut given = Given::default();
            if let Some(file) = vectors {
                given = given.words(Vectors::read(file)?);
            }
            if let Some(file) = embeddings {
                given = given.concepts(Vectors::read(file)?);
            }
            if let Some((names, dimension, numbers)) = rows {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let vectors = Vectors::from_rows("embeddings", &names, &numbers, dimension)?;
                given = given.concepts(vectors);
            }
            if let Some(folder) = encoder {
                given = given.encoder(Encoder::open(folder)?);
            }
            Ok(given)
        };
        let inner = without_lock(py, read)?.map_err(|error| python(Error::from(error)))?;
        Ok(Self { inner })
    }
}

fn numbers(rows: &PyReadonlyArray2<'_, f32>) -> Vec<f32> {
    rows.as_array().iter().copied().collect()
}

/// The vectors that were given for concepts that are asked for; an error if some are not numbers.
pub(crate) fn vectors(
    given: Vec<Option<PyReadonlyArray1<'_, f32>>>,
) -> PyResult<Vec<Option<Vec<f32>>>> {
    let vector = |given: Option<PyReadonlyArray1<'_, f32>>| {
        let vector: Option<Vec<f32>> =
            given.map(|given| given.as_array().iter().copied().collect());
        match vector.iter().flatten().all(|number| number.is_finite()) {
            true => Ok(vector),
            false => Err(Kind::Value.error("embedding has a number that is infinite or NaN")),
        }
    };
    given.into_iter().map(vector).collect()
}
