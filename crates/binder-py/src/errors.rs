//! The library's errors as the exceptions of `binder/errors.py`.

use std::io;

use binder::encode::EncodeError;
use binder::grow::GrowError;
use binder::model::{ModelError, ModelProblem};
use binder::query::QueryError;
use binder::read::{Problem, ReadError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The exceptions that Python people expect.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Data or a setting that cannot be: also a `ValueError`.
    Value,
    /// A concept that is not there: also a `KeyError`.
    Concept,
    /// A file that is not there: also a `FileNotFoundError`.
    NotFound,
    /// A file that cannot be read or written: also an `OSError`.
    File,
    /// Work that was given up: also a `KeyboardInterrupt`.
    Cancelled,
}

impl Kind {
    fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::File,
        }
    }

    fn class(self, py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        static CLASSES: [PyOnceLock<Py<PyType>>; 4] = [const { PyOnceLock::new() }; 4];
        let (at, name) = match self {
            Self::Value => (0, "InputError"),
            Self::Concept => (1, "UnknownConcept"),
            Self::NotFound => (2, "NotFound"),
            Self::File => (3, "FileError"),
            Self::Cancelled => return Ok(py.get_type::<pyo3::exceptions::PyKeyboardInterrupt>()),
        };
        CLASSES[at].import(py, "binder.errors", name).cloned()
    }

    /// The exception with a message.
    pub(crate) fn error(self, message: &str) -> PyErr {
        Python::attach(|py| match self.class(py) {
            Ok(class) => PyErr::from_type(class, in_python(message)),
            Err(error) => error,
        })
    }
}

/// The library speaks of settings as the command line does: `--with-self` is `with_self` here.
fn in_python(message: &str) -> String {
    let option = |word: &str| match word.strip_prefix("--") {
        Some(name) if name.starts_with(|c: char| c.is_ascii_lowercase()) => name.replace('-', "_"),
        _ => word.to_owned(),
    };
    message.split(' ').map(option).collect::<Vec<_>>().join(" ")
}

/// Any error of the library as an exception.
pub(crate) fn python(error: impl Into<binder::Error>) -> PyErr {
    let error = error.into();
    kind(&error).error(&error.to_string())
}

fn kind(error: &binder::Error) -> Kind {
    use binder::Error;
    match error {
        Error::Read(ReadError { problem, .. }) => match problem {
            Problem::NotFound => Kind::NotFound,
            Problem::Io(error) => Kind::of_io(error),
            Problem::UnknownConcept(_) => Kind::Concept,
            _ => Kind::Value,
        },
        Error::Model(ModelError { problem: ModelProblem::Io(error), .. }) => Kind::of_io(error),
        Error::Write { error, .. } => Kind::of_io(error),
        Error::Query(QueryError::Unknown { .. } | QueryError::Ambiguous { .. }) => Kind::Concept,
        Error::Grow(GrowError::NoParent(_)) => Kind::Concept,
        Error::Cancelled(_) | Error::Encode(EncodeError::Cancelled(_)) => Kind::Cancelled,
        Error::Missing { .. } => Kind::Concept,
        _ => Kind::Value,
    }
}
