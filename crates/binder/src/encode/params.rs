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

    /// The same settings with another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks the settings before any work.
    ///
    /// # Errors
    ///
    /// When codes cannot have that many bits.
    pub fn check(&self) -> Result<(), CodesError> {
        self.bits.map_or(Ok(()), check_bits)
    }
}

/// The largest patience at normal effort. Large hierarchies get more columns instead of more time.
const MAX_PATIENCE: u64 = 12_000_000;

/// For hierarchies with more concepts than this, normal effort tries one forest and drops no
/// columns.
const LARGE: usize = 100_000;

/// Max effort searches for fewer bits by epochs only where an epoch takes milliseconds.
const MEDIUM: usize = 20_000;

/// An effort in figures, for a given hierarchy. Work is counted as the number of blocks of 512
/// concepts scanned, times the words of a code. It is never measured in time, so that results do
/// not depend on the machine.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The forests to try.
    pub(super) kept: &'static [Kept],
    /// The number of critical pairs that columns leave to the search; 0 if there is no search.
    pub(super) leave: usize,
    /// The work after which a search without improvement stops.
    pub(super) patience: u64,
    /// The budget of work for making the codes exact. After it, more columns are added at a time.
    pub(super) settle: u64,
    /// The budget of work for dropping columns.
    pub(super) shrink: u64,
    /// Epochs without improvement after which the search for fewer bits gives up; 0 if there is
    /// none.
    pub(super) epochs: u64,
}

impl Plan {
    /// The plan for a hierarchy. `extra` is the number of parents beyond the first of each concept;
    /// it is 0 for a forest.
    pub(super) fn new(effort: Effort, concepts: usize, extra: usize) -> Self {
        let leave = 2_000 + concepts / 40;
        let patience =
            400_000.min(1_000 * concepts as u64) + 30 * concepts as u64 + 350 * extra as u64;
        match effort {
            Effort::Fast => Self {
                kept: &[Kept::Deepest],
                leave: 0,
                patience: 0,
                settle: 0,
                shrink: 0,
                epochs: 0,
            },
            Effort::Normal => Self {
                kept: if concepts > LARGE {
                    &[Kept::Deepest]
                } else {
                    &[Kept::Deepest, Kept::Narrowest]
                },
                leave,
                patience: patience.min(MAX_PATIENCE),
                settle: 12 * patience.min(MAX_PATIENCE),
                shrink: if concepts > LARGE { 0 } else { patience.min(MAX_PATIENCE) },
                epochs: 0,
            },
            Effort::Max => Self {
                kept: &Kept::ALL,
                leave: 3 * leave,
                patience: 10 * patience,
                settle: 200 * patience,
                shrink: 200 * patience,
                epochs: if concepts > MEDIUM { 0 } else { epochs_of(concepts) },
            },
        }
    }
}

/// Epochs without improvement that max effort waits for: an epoch takes time in proportion to the
/// concepts, so small hierarchies get more of them.
fn epochs_of(concepts: usize) -> u64 {
    (4_000_000 / concepts.max(1) as u64).clamp(100, 4_000)
}
