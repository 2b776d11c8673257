use crate::checkpoint::ResumeError;
use crate::codes::CodesError;
use crate::container::FileError;
use crate::encode::EncodeError;
use crate::export::ExportError;
use crate::grow::GrowError;
use crate::hierarchy::{ClosureError, CycleError, HierarchyError, TooManyNames};
use crate::memory::MemoryError;
use crate::model::ModelError;
#[cfg(feature = "place")]
use crate::place::PlaceError;
use crate::progress::Cancelled;
use crate::query::{DefineError, QueryError};
use crate::read::{Problem, ReadError};
#[cfg(feature = "split")]
use crate::split::SplitError;
use crate::train::ParamError;
use crate::update::UpdateError;

/// Everything that can go wrong in this library, by the stage it went wrong in.
///
/// Messages state facts. Variants are typed, so that a front end can add advice in its own words.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Data could not be read.
    #[error(transparent)]
    Read(ReadError),
    /// The pairs do not form a hierarchy.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// Codes are not valid.
    #[error(transparent)]
    Codes(CodesError),
    /// A hierarchy could not be split.
    #[cfg(feature = "split")]
    #[error(transparent)]
    Split(SplitError),
    /// A hierarchy could not be encoded.
    #[error(transparent)]
    Encode(EncodeError),
    /// A training setting is not valid.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A run cannot continue from a checkpoint.
    #[error(transparent)]
    Resume(ResumeError),
    /// A model or checkpoint file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A model cannot be built, or does not fit the data.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A concept could not be added to a model.
    #[error(transparent)]
    Grow(GrowError),
    /// A model could not be brought to a new version of its hierarchy.
    #[error(transparent)]
    Update(UpdateError),
    /// A placer could not be fitted.
    #[cfg(feature = "place")]
    #[error(transparent)]
    Place(PlaceError),
    /// A question cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A model could not be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The work would take more memory than it may, at whatever stage.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled, at whatever stage.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A result with this library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        match error.problem {
            Problem::Cancelled(cancelled) => Self::Cancelled(cancelled),
            Problem::Memory(error) => Self::Memory(error),
            _ => Self::Read(error),
        }
    }
}

impl From<EncodeError> for Error {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            EncodeError::Codes(error) => error.into(),
            EncodeError::Memory(error) => Self::Memory(error),
            other => Self::Encode(other),
        }
    }
}

impl From<CodesError> for Error {
    fn from(error: CodesError) -> Self {
        match error {
            CodesError::Memory(error) => Self::Memory(error),
            other => Self::Codes(other),
        }
    }
}

#[cfg(feature = "split")]
impl From<SplitError> for Error {
    fn from(error: SplitError) -> Self {
        match error {
            SplitError::Memory(error) => Self::Memory(error),
            SplitError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Split(other),
        }
    }
}

impl From<ClosureError> for Error {
    fn from(error: ClosureError) -> Self {
        match error {
            ClosureError::Memory(error) => Self::Memory(error),
            ClosureError::Cancelled(cancelled) => Self::Cancelled(cancelled),
        }
    }
}

impl From<ResumeError> for Error {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Memory(error) => Self::Memory(error),
            other => Self::Resume(other),
        }
    }
}

impl From<GrowError> for Error {
    fn from(error: GrowError) -> Self {
        match error {
            GrowError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Grow(other),
        }
    }
}

impl From<UpdateError> for Error {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            UpdateError::Encode(error) => error.into(),
            other => Self::Update(other),
        }
    }
}

#[cfg(feature = "place")]
impl From<PlaceError> for Error {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Memory(error) => Self::Memory(error),
            PlaceError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            PlaceError::Encode(error) => error.into(),
            other => Self::Place(other),
        }
    }
}

impl From<DefineError> for Error {
    fn from(error: DefineError) -> Self {
        match error {
            DefineError::Query(error) => error.into(),
            DefineError::Grow(error) => error.into(),
        }
    }
}

impl From<CycleError> for Error {
    fn from(error: CycleError) -> Self {
        Self::Hierarchy(error.into())
    }
}

impl From<TooManyNames> for Error {
    fn from(error: TooManyNames) -> Self {
        Self::Hierarchy(error.into())
    }
}
