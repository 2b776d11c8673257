use super::forest::Kept;
use crate::bits::MAX_BITS;
use crate::choice::choices;
use crate::codes::{CodesError, check_bits};

choices! {
    /// How much work to spend on saving bits.
    #[derive(Default)]
    pub enum Effort {
        /// Near-linear time, more bits
        Fast = "fast",
        /// Seconds
        #[default]
        Normal = "normal",
        /// Minutes, the fewest bits
        Max = "max",
    }
}

/// The settings of [`encode`](crate::encode()). Start from the default and change some of them.
///
/// # Examples
///
/// ```
/// use binder::encode::{Effort, EncodeParams};
/// let params = EncodeParams::default().bits(64).effort(Effort::Max).seed(7);
/// assert!(params.check().is_ok());
/// assert!(EncodeParams::default().bits(0).check().is_err());
/// ```
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[non_exhaustive]
pub struct EncodeParams {
    /// How much work to spend.
    pub effort: Effort,
    /// The largest number of bits that a code may have. Without it, as many as exact codes need.
    pub bits: Option<usize>,
    /// The largest number of 64-bit words that a code may have. A code takes whole words, so this
    /// is what counts for memory and time.
    pub words: Option<usize>,
    /// The number of bits that every concept has, as room for later versions: they separate nothing
    /// yet, and [`update`](crate::update()) changes fewer codes where it can clear one of them.
    pub room: usize,
    /// The seed of random numbers. The same seed gives the same codes.
    pub seed: u64,
}

impl EncodeParams {
    /// The same settings with another effort.
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// The same settings with another limit for the bits of a code; `None` means as many as exact
    /// codes need.
    #[must_use]
    pub fn bits(self, bits: impl Into<Option<usize>>) -> Self {
        Self { bits: bits.into(), ..self }
    }

    /// The same settings with another limit for the words of a code; `None` means as many as exact
    /// codes need.
    #[must_use]
    pub fn words(self, words: impl Into<Option<usize>>) -> Self {
        Self { words: words.into(), ..self }
    }

    /// The same settings with so many bits of room for later versions.
    #[must_use]
    pub fn room(self, room: usize) -> Self {
        Self { room, ..self }
    }

    /// The largest number of bits that a code may have by both limits, if there is one.
    pub fn most(&self) -> Option<usize> {
        let in_words = self.words.map(|words| words.saturating_mul(64));
        self.bits.into_iter().chain(in_words).min()
    }

    /// The same settings with another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks the settings before any work.
    ///
    /// # Errors
    ///
    /// When codes cannot have that many bits or words, or when the room leaves none of them.
    pub fn check(&self) -> Result<(), CodesError> {
        self.most().map_or(Ok(()), check_bits)?;
        let (room, most) = (self.room, self.most().unwrap_or(MAX_BITS));
        if room < most { Ok(()) } else { Err(CodesError::Room { room, most }) }
    }

    /// The settings of the codes before they get their room.
    pub(super) fn without_room(&self) -> Self {
        let bits = self.most().map(|most| most - self.room);
        Self { bits, words: None, room: 0, ..*self }
    }
}

/// At most so many critical pairs, and 2,000 more, are left to the search at normal effort. More
/// would save bits of large hierarchies at the price of seconds.
const MOST_LEFT: usize = 11_000;

/// For hierarchies with more concepts than this, normal effort drops no columns: to begin a search
/// takes a good part of a second.
pub(super) const MEDIUM: usize = 30_000;

/// For hierarchies with more concepts than this, normal effort tries one forest, and the codes of a
/// forest stay as they are at any effort.
const LARGE: usize = 100_000;

/// An effort in figures, for a given hierarchy. Work is counted in rows and blocks that a search
/// looks at, some 15 million of them in a second. It is never measured in time, so that results do
/// not depend on the machine.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The forests to try.
    pub(super) kept: &'static [Kept],
    /// The number of critical pairs that columns leave to the search; 0 if there is no search.
    pub(super) leave: usize,
    /// The work after which a search without improvement stops.
    pub(super) patience: u64,
    /// The budget of work for making the codes exact. After it, searches are shorter.
    pub(super) settle: u64,
    /// The work of annealing codes that cannot be exact.
    pub(super) anneal: u64,
    /// The budget of work for dropping columns.
    pub(super) shrink: u64,
    /// How many single columns may resist before no more are dropped.
    pub(super) failures: usize,
}

impl Plan {
    /// The plan for a hierarchy. `extra` is the number of parents beyond the first of each concept;
    /// it is 0 for a forest.
    pub(super) fn new(effort: Effort, concepts: usize, extra: usize) -> Self {
        let leave = 2_000 + (concepts / 4).min(MOST_LEFT);
        let size = (concepts + extra) as u64;
        // Small hierarchies are settled, or cannot be, after little work.
        let least = (400 * concepts as u64).min(500_000);
        match effort {
            Effort::Fast => Self {
                kept: &[Kept::Deepest],
                leave: 0,
                patience: 0,
                settle: 0,
                anneal: 0,
                shrink: 0,
                failures: 0,
            },
            Effort::Normal => Self {
                kept: if concepts > LARGE {
                    &[Kept::Deepest]
                } else {
                    &[Kept::Deepest, Kept::Narrowest]
                },
                leave,
                patience: least + 60 * size,
                settle: 5_000_000 + 800 * size,
                anneal: (4_000 * size).min(5_000_000 + 800 * size),
                shrink: if concepts > MEDIUM { 0 } else { 3_000_000 + 150 * size },
                failures: 1,
            },
            Effort::Max => Self {
                kept: &Kept::ALL,
                leave: 2 * leave,
                patience: 40 * least + 400 * size,
                settle: 100_000_000 + 20_000 * size,
                anneal: (80_000 * size).min(100_000_000 + 20_000 * size),
                shrink: if extra == 0 && concepts > LARGE {
                    0
                } else {
                    100_000_000 + 10_000 * size
                },
                failures: 8,
            },
        }
    }
}
