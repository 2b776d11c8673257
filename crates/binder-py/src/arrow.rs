//! Names from Arrow's C stream, which pandas, polars, pyarrow and DuckDB all provide: no copy, and
//! no need for pyarrow.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
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

/// The names in a column, of any of Arrow's types for text. Missing names are empty texts if they
/// are allowed.
pub(crate) fn texts(column: &dyn Array, missing_allowed: bool) -> PyResult<Vec<&str>> {
    if column.null_count() > 0 && !missing_allowed {
        let message = "a name is missing (null); leave such rows out, or say what their answer is \
                       with missing=";
        return Err(Kind::Value.error(message));
    }
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().map(Option::unwrap_or_default).collect(),
        DataType::LargeUtf8 => {
            column.as_string::<i64>().iter().map(Option::unwrap_or_default).collect()
        }
        DataType::Utf8View => {
            column.as_string_view().iter().map(Option::unwrap_or_default).collect()
        }
        DataType::Dictionary(..) => return dictionary(column),
        DataType::Null => vec![""; column.len()],
        other => {
            let message =
                format!("names are text, and a column is {other}; convert it to strings first");
            return Err(Kind::Value.error(&message));
        }
    })
}

fn dictionary(column: &dyn Array) -> PyResult<Vec<&str>> {
    let coded = column.as_any_dictionary();
    let values = texts(coded.values().as_ref(), true)?;
    if values.is_empty() {
        return Ok(vec![""; column.len()]);
    }
    let keys = coded.normalized_keys().into_iter();
    Ok(keys.map(|key| values.get(key).copied().unwrap_or_default()).collect())
}
