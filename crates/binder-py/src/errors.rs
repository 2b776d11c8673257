//! The library's errors as the exceptions of `binder/errors.py`.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use binder::container::{ContainerError, FileError};
use binder::export::ExportError;
use binder::grow::GrowError;
use binder::model::ModelError;
use binder::output::LockError;
use binder::place::{EncoderError, PlaceError, VectorsError};
use binder::query::QueryError;
use binder::read::{Problem, ReadError};
use binder::split::SplitError;
use binder::{Error, UnknownChoice};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::remedy;

/// The exceptions that Python users expect.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Invalid data or an invalid setting: also a `ValueError`.
    Value,
    /// A concept that is not there: also a `KeyError`.
    Concept,
    /// A file that is not there: also a `FileNotFoundError`.
    NotFound,
    /// A file that cannot be read or written: also an `OSError`.
    File,
    /// Work that would take too much memory: also a `MemoryError`.
    Memory,
    /// Work that was cancelled: a `KeyboardInterrupt`.
    Cancelled,
}

impl Kind {
    fn of(error: &Error) -> Self {
        match error {
            Error::Read(ReadError { problem, .. }) => match problem {
                Problem::NotFound => Self::NotFound,
                Problem::Io(error) => Self::of_io(error),
                Problem::UnknownConcept(_) => Self::Concept,
                _ => Self::Value,
            },
            Error::File(FileError { problem: ContainerError::Io(error), .. })
            | Error::Split(SplitError::Write { error, .. })
            | Error::Export(ExportError::Write { error, .. }) => Self::of_io(error),
            Error::Query(
                QueryError::Unknown { .. }
                | QueryError::UnknownId { .. }
                | QueryError::Ambiguous { .. },
            )
            | Error::Grow(GrowError::NoParent(_))
            | Error::Model(ModelError::Missing { .. }) => Self::Concept,
            Error::Place(
                PlaceError::Vectors(VectorsError::Read { error, .. })
                | PlaceError::Encoder(EncoderError::Read { error, .. }),
            ) => Self::of_io(error),
            Error::Memory(_) => Self::Memory,
            Error::Cancelled(_) => Self::Cancelled,
            _ => Self::Value,
        }
    }

    fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::File,
        }
    }

    fn class(self, py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        static CLASSES: [PyOnceLock<Py<PyType>>; 5] = [const { PyOnceLock::new() }; 5];
        let (at, name) = match self {
            Self::Value => (0, "InputError"),
            Self::Concept => (1, "UnknownConcept"),
            Self::NotFound => (2, "NotFound"),
            Self::File => (3, "FileError"),
            Self::Memory => (4, "MemoryLimit"),
            Self::Cancelled => return Ok(py.get_type::<pyo3::exceptions::PyKeyboardInterrupt>()),
        };
        CLASSES[at].import(py, "binder.errors", name).cloned()
    }

    /// The exception with a message.
    pub(crate) fn error(self, message: &str) -> PyErr {
        Python::attach(|py| match self.class(py) {
            Ok(class) => PyErr::from_type(class, message.to_owned()),
            Err(error) => error,
        })
    }
}

/// Any error of the library as an exception, with what to do about it.
pub(crate) fn python<E: Into<Error>>(error: E) -> PyErr {
    let error = error.into();
    with_remedy(&error, remedy::of(&error))
}

/// The same for a file of pairs, which is read without options.
pub(crate) fn in_pairs_file(error: ReadError) -> PyErr {
    let remedy = remedy::of_pairs_file(&error.problem);
    with_remedy(&error.into(), remedy)
}

/// The exception for a file that others are writing.
pub(crate) fn locked(error: &LockError) -> PyErr {
    match error {
        LockError::Held { .. } => Kind::File.error(&format!("{error}; {}", remedy::OF_LOCK)),
        _ => Kind::File.error(&error.to_string()),
    }
}

/// The same for the bytes of a model file.
pub(crate) fn in_bytes(problem: ContainerError) -> PyErr {
    python(FileError { path: PathBuf::from("these bytes"), kind: "model", problem })
}

fn with_remedy(error: &Error, remedy: Option<String>) -> PyErr {
    let message = match remedy {
        Some(remedy) => format!("{error}; {remedy}"),
        None => error.to_string(),
    };
    Kind::of(error).error(&message)
}

/// The choice of that name for a setting.
pub(crate) fn chosen<T: FromStr<Err = UnknownChoice>>(setting: &str, name: &str) -> PyResult<T> {
    name.parse().map_err(|unknown| no_choice(setting, &unknown, ""))
}

/// The same for a setting that may be something else, too.
pub(crate) fn chosen_or<T: FromStr<Err = UnknownChoice>>(
    setting: &str,
    name: &str,
    other: &str,
) -> PyResult<T> {
    name.parse().map_err(|unknown| no_choice(setting, &unknown, &format!(", or give {other}")))
}

fn no_choice(setting: &str, UnknownChoice { name, choices }: &UnknownChoice, other: &str) -> PyErr {
    let choices = choices.join(", ");
    Kind::Value.error(&format!("{setting} is {name:?}; choose one of {choices}{other}"))
}
