//! Where an unseen concept belongs, from its name and its definition.
//!
//! ```text
//!            animal                 "labradoodle: a cross between a Labrador and a poodle"
//!           /      \                 candidates  dog, labrador, poodle, animal, …
//!        dog        cat              signs       both names in the definition are below dog; texts
//!       /    \                                   that share words are below dog; the code that
//!  labrador  poodle                              the words predict is most like that of dog
//!                                    answer      dog 0.9, poodle 0.05, …; safe: dog
//! ```
//!
//! [`Placer::fit`] counts the words of all names and definitions, learns to predict codes from
//! words, and hides some leaves to learn how much each sign is worth. Nothing else is needed: no
//! pretrained weights, no network.
//!
//! | file | what it has |
//! |---|---|
//! | `words`, `senses`, `profile` | a text as words, names as concepts, a concept as tokens |
//! | `postings`, `lexicon`, `subtrees` | who has a token; BM25, centroids; words of subtrees |
//! | `predictor` | code bits from words |
//! | `vectors`, `tensors`, `floats` | vectors that others have learnt, if there are any |
//! | `space`, `encoder` | what they say about concepts; an encoder that makes them of texts |
//! | `evidence` | candidates, and a row of features for each |
//! | `trees` | the rows' scores: gradient-boosted trees with a softmax over candidates |
//! | `calibration`, `estimate` | how sure an answer may be; how much memory is needed |
//! | `hide`, `fit`, `answer`, `evaluate`, `file` | what is done with them |
//!
//! Everything is the same on any number of threads.

mod answer;
mod calibration;
mod encoder;
mod estimate;
mod evaluate;
mod evidence;
mod features;
mod file;
mod fit;
mod floats;
mod hide;
mod lexicon;
mod postings;
mod predictor;
mod profile;
mod question;
mod senses;
mod space;
mod subtrees;
mod tensors;
#[cfg(test)]
mod tests;
mod trees;
mod vectors;
mod votes;
mod words;

pub use answer::{Answer, Place, Why};
pub use encoder::{Encoder, EncoderError};
pub use evaluate::{
    Asking, Bin, PlaceEvaluation, Scores, calibration_error, evaluate, evaluate_with, wu_palmer,
};
pub use hide::Hide;
pub use space::{Embeddings, Encoding};
pub use tensors::TensorsProblem;
pub use vectors::{RowsProblem, Vectors, VectorsError, vector};

use std::sync::{Mutex, OnceLock};

use crate::encode::EncodeError;
use crate::grow::Growth;
use crate::hierarchy::ClosureError;
use crate::memory::MemoryError;
use crate::model::Model;
use crate::progress::Cancelled;

use votes::Room;

/// Why a placer cannot be fitted or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// No concept has a label, a synonym or a definition.
    #[error("the concepts have no labels, synonyms or definitions to learn from")]
    NoTexts,
    /// Too few leaves to hide some of them.
    #[error("{leaves} leaves are too few to learn from; at least {least} are needed")]
    TooFew {
        /// How many there are.
        leaves: usize,
        /// How many are needed.
        least: usize,
    },
    /// The concepts could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The placer knows concepts that a model does not have.
    #[error(
        "the placer is for another model: {missing} of its concepts are missing, the first is \
         {first:?}"
    )]
    OtherModel {
        /// How many.
        missing: usize,
        /// The first of them.
        first: String,
    },
    /// Vectors cannot be read or used.
    #[error(transparent)]
    Vectors(#[from] VectorsError),
    /// An encoder cannot be opened or used.
    #[error(transparent)]
    Encoder(#[from] EncoderError),
    /// More memory than may be used.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<ClosureError> for PlaceError {
    fn from(error: ClosureError) -> Self {
        match error {
            ClosureError::Memory(error) => Self::Memory(error),
            ClosureError::Cancelled(cancelled) => Self::Cancelled(cancelled),
        }
    }
}

/// The settings of [`Placer::fit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceParams {
    /// The most leaves that are hidden to learn from.
    pub hidden: usize,
    /// The number of trees.
    pub trees: usize,
    /// One hidden leaf in so many is also asked for by its name alone; 0 for none.
    pub names_only: usize,
    /// The seed of random numbers.
    pub seed: u64,
}

impl Default for PlaceParams {
    fn default() -> Self {
        Self { hidden: 3000, trees: 150, names_only: 8, seed: 0 }
    }
}

impl PlaceParams {
    /// The same settings with another number of hidden leaves.
    #[must_use]
    pub fn hidden(self, hidden: usize) -> Self {
        Self { hidden, ..self }
    }

    /// The same settings with another number of trees.
    #[must_use]
    pub fn trees(self, trees: usize) -> Self {
        Self { trees, ..self }
    }

    /// The same settings with another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// Finds the place of unseen concepts.
#[derive(Debug)]
pub struct Placer {
    model: Model,
    embeddings: Embeddings,
    learnt: fit::Learnt,
    trees: trees::Trees,
    calibration: calibration::Calibration,
    rooms: Rooms,
    /// Made when a code is first asked for.
    growth: OnceLock<Growth>,
}

impl Placer {
    fn new(
        model: Model,
        embeddings: Embeddings,
        learnt: fit::Learnt,
        trees: trees::Trees,
        calibration: calibration::Calibration,
    ) -> Self {
        let (rooms, growth) = (Rooms::default(), OnceLock::new());
        Self { model, embeddings, learnt, trees, calibration, rooms, growth }
    }

    /// The model that places are found in.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The vectors that it was fitted with.
    pub fn embeddings(&self) -> &Embeddings {
        &self.embeddings
    }

    /// The same placer with the encoder that it was fitted with, so that whoever asks need not give
    /// a vector. Without it, a text has none, and answers are worse than they could be.
    ///
    /// # Errors
    ///
    /// When it was fitted with another encoder or with none.
    pub fn with_encoder(mut self, encoder: Encoder) -> Result<Self, EncoderError> {
        let wanted = self.embeddings.encoder.as_ref().ok_or(EncoderError::NotFitted)?;
        let (found, wanted) = (encoder.fingerprint(), wanted.fingerprint());
        if found != wanted {
            let (found, wanted) = (found.to_owned(), wanted.to_owned());
            return Err(EncoderError::Other { found, wanted });
        }
        self.embeddings.encoder = Some(Encoding::of(encoder));
        Ok(self)
    }

    /// Whether it was fitted with an encoder that it does not have now.
    pub fn lacks_encoder(&self) -> bool {
        self.embeddings.encoder.as_ref().is_some_and(|encoding| encoding.encoder().is_none())
    }

    /// Checks that a model has all concepts that this placer may name. It may have more of them:
    /// those that were added since.
    ///
    /// # Errors
    ///
    /// When it lacks some.
    pub fn check_model(&self, model: &Model) -> Result<(), PlaceError> {
        let own = self.model.hierarchy();
        let lacks = |&concept: &crate::bits::Id| model.hierarchy().id(own.name(concept)).is_none();
        match own.ids().find(lacks) {
            None => Ok(()),
            Some(first) => Err(PlaceError::OtherModel {
                missing: own.ids().filter(lacks).count(),
                first: own.name(first).to_owned(),
            }),
        }
    }

    fn growth(&self) -> &Growth {
        self.growth.get_or_init(|| Growth::new(&self.model))
    }
}

/// Rooms that are not in use.
#[derive(Debug, Default)]
struct Rooms(Mutex<Vec<Room>>);

impl Rooms {
    fn take(&self, make: impl FnOnce() -> Room) -> Room {
        let free = self.0.lock().ok().and_then(|mut rooms| rooms.pop());
        free.unwrap_or_else(make)
    }

    fn give(&self, room: Room) {
        if let Ok(mut rooms) = self.0.lock() {
            rooms.push(room);
        }
    }
}

/// A count as a number of 32 bits.
fn number(count: usize) -> u32 {
    crate::bits::id(count)
}
