//! Answers as plain Python data: dictionaries, lists, strings and numbers.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

use crate::errors::Kind;

/// Plain data, to be converted to Python objects.
#[derive(Debug)]
pub(crate) struct Plain(Value);

/// An answer as plain data. Does not need the interpreter's lock.
pub(crate) fn plain(answer: &impl Serialize) -> PyResult<Plain> {
    serde_json::to_value(answer).map(Plain).map_err(|error| Kind::Value.error(&error.to_string()))
}

impl<'py> IntoPyObject<'py> for Plain {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            Value::Null => Ok(py.None().into_bound(py)),
            Value::Bool(value) => value.into_bound_py_any(py),
            Value::Number(number) => match number.as_u64() {
                Some(whole) => whole.into_bound_py_any(py),
                None => number.as_f64().into_bound_py_any(py),
            },
            Value::String(text) => text.into_bound_py_any(py),
            Value::Array(values) => Ok(PyList::new(py, values.into_iter().map(Plain))?.into_any()),
            Value::Object(fields) => {
                let dict = PyDict::new(py);
                for (name, value) in fields {
                    dict.set_item(name, Plain(value))?;
                }
                Ok(dict.into_any())
            }
        }
    }
}
