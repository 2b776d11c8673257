use super::forest::Kept;
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

/// How to encode. Start from the default and change what you like.
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
    /// The most bits a code may have. Without it, as many as it takes to be exact.
    pub bits: Option<usize>,
    /// Same seed, same codes.
    pub seed: u64,
}

impl EncodeParams {
    /// Spends more or less work.
    #[must_use]
    pub fn effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// Allows so many bits a code, or, without a number, as many as it takes to be exact.
    #[must_use]
    pub fn bits(self, bits: impl Into<Option<usize>>) -> Self {
        Self { bits: bits.into(), ..self }
    }

    /// Takes another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks the settings before any work.
    ///
    /// # Errors
    ///
    /// When codes cannot have so many bits.
    pub fn check(&self) -> Result<(), CodesError> {
        self.bits.map_or(Ok(()), check_bits)
    }
}

/// The most patience at normal effort: large hierarchies take more columns instead of more time.
const MOST_PATIENCE: u64 = 12_000_000;

/// Of hierarchies with more concepts, one forest is tried at normal effort, and no column is
/// dropped.
const LARGE: usize = 100_000;

/// An effort in figures, for a given hierarchy. Work is counted in blocks of 512 concepts looked
/// at, times words of a code, never in time, so that results do not depend on the machine.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The forests to try.
    pub(super) kept: &'static [Kept],
    /// Critical pairs that columns leave to the walk; 0 where there is no walk.
    pub(super) leave: usize,
    /// Work that a walk goes on for without getting better.
    pub(super) patience: u64,
    /// Work for making the codes exact, before a column is added to help.
    pub(super) settle: u64,
    /// Work for dropping columns afterwards.
    pub(super) shrink: u64,
}

impl Plan {
    /// `extra` is the number of parents beyond the first of every concept: what keeps a hierarchy
    /// from being a forest.
    pub(super) fn new(effort: Effort, concepts: usize, extra: usize) -> Self {
        let leave = 2_000 + concepts / 40;
        let patience =
            400_000.min(1_000 * concepts as u64) + 30 * concepts as u64 + 350 * extra as u64;
        match effort {
            Effort::Fast => {
                Self { kept: &[Kept::Deepest], leave: 0, patience: 0, settle: 0, shrink: 0 }
            }
            Effort::Normal => Self {
                kept: if concepts > LARGE {
                    &[Kept::Deepest]
                } else {
                    &[Kept::Deepest, Kept::Narrowest]
                },
                leave,
                patience: patience.min(MOST_PATIENCE),
                settle: 12 * patience.min(MOST_PATIENCE),
                shrink: if concepts > LARGE { 0 } else { patience.min(MOST_PATIENCE) },
            },
            Effort::Max => Self {
                kept: &Kept::ALL,
                leave: 3 * leave,
                patience: 10 * patience,
                settle: 200 * patience,
                shrink: 200 * patience,
            },
        }
    }
}
