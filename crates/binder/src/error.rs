use crate::hierarchy::{CycleError, TooManyNames};
use crate::model::ModelError;
use crate::read::ReadError;

/// Everything that can go wrong in this library, by the stage it went wrong in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A source could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Pairs form a cycle.
    #[error(transparent)]
    Cycle(#[from] CycleError),
    /// More names than ids.
    #[error(transparent)]
    TooManyNames(#[from] TooManyNames),
    /// A model file could not be read or written.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A concept could not be added to a model.
    #[error(transparent)]
    Grow(#[from] crate::grow::GrowError),
    /// A setting of the training that cannot be.
    #[error(transparent)]
    Param(#[from] crate::train::ParamError),
    /// A checkpoint could not be read or written.
    #[error(transparent)]
    Checkpoint(#[from] crate::train::CheckpointError),
    /// A run cannot go on from a checkpoint.
    #[error(transparent)]
    Resume(#[from] crate::train::ResumeError),
    /// A hierarchy that could not be encoded.
    #[error(transparent)]
    Encode(#[from] crate::encode::EncodeError),
    /// Work that was given up.
    #[error(transparent)]
    Cancelled(#[from] crate::Cancelled),
    /// A question without an answer.
    #[error(transparent)]
    Query(#[from] crate::query::QueryError),
    /// A model could not be written in another format.
    #[error(transparent)]
    Export(#[from] crate::export::ExportError),
    /// A code width that is not supported.
    #[error("{0} bits a code; choose from 1 to {max}", max = crate::codes::MAX_BITS)]
    Bits(usize),
    /// A number of words that is no number of rows.
    #[error("{words} words are no whole number of rows of {stride} words")]
    Words {
        /// How many words there are.
        words: usize,
        /// How many a row takes.
        stride: usize,
    },
    /// A bit set past the last.
    #[error("row {row} has a bit set past the last of its {bits}")]
    Padding {
        /// The first such row.
        row: usize,
        /// How many bits a code has.
        bits: usize,
    },
    /// Codes for another number of concepts.
    #[error("{codes} codes for {concepts} concepts; there must be one for each")]
    Lengths {
        /// How many concepts there are.
        concepts: usize,
        /// How many codes there are.
        codes: usize,
    },
    /// Concepts of one thing are missing from another.
    #[error(
        "{count} of the concepts in {of} are not in {missing_from}, the first is {first:?}; use the data that the model was made from"
    )]
    Missing {
        /// How many.
        count: usize,
        /// What has them.
        of: String,
        /// What lacks them.
        missing_from: String,
        /// The first of them.
        first: String,
    },
    /// A share of the pairs that cannot be drawn.
    #[error("{0} % of the indirect pairs; at most 90 are left after test and validation")]
    Percentage(u32),
    /// A closure that is too large to be drawn from.
    #[error(
        "the closure has {pairs} pairs, more than the {most} that can be divided; divide a part of the hierarchy"
    )]
    TooManyPairs {
        /// How many there are.
        pairs: u64,
        /// How many there may be.
        most: u64,
    },
    /// A name that would break the lines of a list of pairs.
    #[error(
        "the name {0:?} has a tab or a line break in it and cannot stand in a list of pairs; rename the concept"
    )]
    UnwritableName(String),
    /// A file could not be written.
    #[error("{path}: {error}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}
