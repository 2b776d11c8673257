//! Where an unseen concept belongs, from its name and its definition.

mod answer;
mod evaluate;
mod evidence;
mod file;
mod fit;
mod hide;
mod lexicon;
mod postings;
mod predictor;
mod profile;
mod senses;
mod subtrees;
mod trees;
mod words;

pub use answer::{Answer, Place, Why};
pub use evaluate::{Asking, PlaceEvaluation, Scores, evaluate};
pub use hide::Hide;

use std::sync::{Mutex, OnceLock};

use crate::encode::EncodeError;
use crate::grow::Growth;
use crate::hierarchy::ClosureError;
use crate::memory::MemoryError;
use crate::model::Model;
use crate::progress::Cancelled;

use evidence::Room;

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
        Self { hidden: 3000, trees: 150, names_only: 6, seed: 0 }
    }
}

/// Finds the place of unseen concepts.
#[derive(Debug)]
pub struct Placer {
    model: Model,
    learnt: fit::Learnt,
    trees: trees::Trees,
    /// What the trees' scores are divided by to be as sure as they are right.
    temperature: f64,
    rooms: Rooms,
    /// Made when a code is first asked for.
    growth: OnceLock<Growth>,
}

impl Placer {
    fn new(
        model: Model,
        learnt: fit::Learnt,
        trees: trees::Trees,
        temperature: f64,
        rooms: Rooms,
    ) -> Self {
        Self { model, learnt, trees, temperature, rooms, growth: OnceLock::new() }
    }

    /// The model that places are found in.
    pub fn model(&self) -> &Model {
        &self.model
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
