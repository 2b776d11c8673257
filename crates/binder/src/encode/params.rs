use super::forest::Kept;
use crate::Error;
use crate::codes::MAX_BITS;

/// How much work to spend on saving bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effort {
    /// Forest and columns only: near-linear, more bits.
    Fast,
    /// Seconds.
    #[default]
    Normal,
    /// Minutes, for as few bits as can be found.
    Max,
}

impl Effort {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Normal, Self::Max];

    /// What the command line and the model's notes call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::Max => "max",
        }
    }
}

/// What to encode for.
///
/// ```
/// use binder::encode::{Effort, EncodeParams};
/// let params = EncodeParams { bits: Some(64), effort: Effort::Max, ..Default::default() };
/// assert!(params.check().is_ok());
/// assert!(EncodeParams { bits: Some(0), ..Default::default() }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EncodeParams {
    /// How much work to spend.
    pub effort: Effort,
    /// The most bits a code may have. Without it, as many as it takes to be exact.
    pub bits: Option<usize>,
    /// Same seed, same codes.
    pub seed: u64,
}

impl EncodeParams {
    /// Says what is wrong with the settings before any work.
    pub fn check(&self) -> Result<(), Error> {
        match self.bits {
            Some(bits) if bits == 0 || bits > MAX_BITS => Err(Error::Bits(bits)),
            _ => Ok(()),
        }
    }
}

/// The most patience at normal effort: large hierarchies take more columns instead of more time.
const MOST_PATIENCE: u64 = 12_000_000;

/// Of hierarchies with more concepts, one forest is tried at normal effort, and no column is dropped.
const LARGE: usize = 100_000;

/// An effort in figures, for a given hierarchy. Work is counted in blocks of 512 concepts looked at, times words of a code, never in time, so that results
/// do not depend on the machine.
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
    /// `extra` is the number of parents beyond the first of every concept: what keeps a hierarchy from being a forest.
    pub(super) fn new(effort: Effort, concepts: usize, extra: usize) -> Self {
        let leave = 2_000 + concepts / 40;
        let patience = 400_000.min(1_000 * concepts as u64) + 30 * concepts as u64 + 350 * extra as u64;
        match effort {
            Effort::Fast => Self { kept: &[Kept::Deepest], leave: 0, patience: 0, settle: 0, shrink: 0 },
            Effort::Normal => Self {
                kept: if concepts > LARGE { &[Kept::Deepest] } else { &[Kept::Deepest, Kept::Narrowest] },
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
