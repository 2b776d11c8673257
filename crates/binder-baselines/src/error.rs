use binder::Cancelled;
use binder::checkpoint::ResumeError;
use binder::container::{ContainerError, FileError};
use binder::model::ModelError;
use binder::train::ParamError;

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting is not valid.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// There is nothing to train on.
    #[error("there are no training pairs")]
    NoPairs,
    /// Every pair of different concepts is a training pair.
    #[error("every pair of concepts is a training pair, so there is nothing to tell them from")]
    NoNegatives,
    /// The numbers have grown beyond all bounds.
    #[error("the loss of epoch {epoch} is not a number: the steps are too large")]
    Diverged {
        /// The epoch.
        epoch: u32,
    },
    /// A model file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A checkpoint has tensors that do not fit the method.
    #[error("the checkpoint is damaged: {0}")]
    Checkpoint(ContainerError),
    /// A model does not fit the data.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A run cannot continue from a checkpoint.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;
