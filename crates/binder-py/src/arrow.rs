//! Names from Arrow's C stream, which pandas, polars, pyarrow and DuckDB all provide: no copy, and
//! no need for pyarrow.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatchReader};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::errors::Kind;

/// The batches in a capsule that `__arrow_c_stream__` returned.
pub(crate) fn batches(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let stream =
        capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of that name holds a valid stream (the Arrow PyCapsule interface); the
    // stream is moved out of the capsule and marked as released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(|error| wrong(&error))
}

pub(crate) fn wrong(error: &ArrowError) -> PyErr {
    Kind::Value.error(&format!("the Arrow data cannot be read: {error}"))
}

/// The position of a column, by its name or, without a name, by its place among two.
pub(crate) fn column(
    reader: &RecordBatchStreamReader,
    name: Option<&str>,
    place: usize,
) -> PyResult<usize> {
    let schema = reader.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    match name {
        Some(name) => names.iter().position(|&other| other == name),
        None => (names.len() == 2 || place == 0 && names.len() == 1).then_some(place),
    }
    .ok_or_else(|| {
        let wanted = name.map_or("child and parent".to_owned(), |name| format!("{name:?}"));
        let remedy = "choose two with columns=(\"child\", \"parent\")";
        Kind::Value.error(&format!("no column for {wanted} among {}; {remedy}", names.join(", ")))
    })
}

/// The names in a column, of any of Arrow's types for text.
pub(crate) fn texts(column: &dyn Array) -> PyResult<Vec<&str>> {
    let texts: Option<Vec<&str>> = match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        DataType::Utf8View => column.as_string_view().iter().collect(),
        DataType::Dictionary(..) => return dictionary(column),
        other => {
            let message =
                format!("names are text, and a column is {other}; convert it to strings first");
            return Err(Kind::Value.error(&message));
        }
    };
    texts.ok_or_else(missing)
}

fn dictionary(column: &dyn Array) -> PyResult<Vec<&str>> {
    let coded = column.as_any_dictionary();
    if column.null_count() > 0 {
        return Err(missing());
    }
    if column.is_empty() {
        return Ok(Vec::new());
    }
    let values = texts(coded.values().as_ref())?;
    Ok(coded.normalized_keys().into_iter().map(|key| values[key]).collect())
}

fn missing() -> PyErr {
    Kind::Value.error("a name is missing (null); leave such rows out")
}
