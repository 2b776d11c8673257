//! Exact codes: *a* is-a *b* exactly when *a* has every bit of *b*, for all n² − n pairs, in as few
//! bits as can be found.
//!
//! Every column (the concepts that have a bit) is closed under children. So a child has every bit
//! of its parents, no is-a is ever missed, and all that is left to do is to separate: for every
//! pair `(x, y)` that is not is-a, some column holds `y` and not `x`. The fewest columns that do so
//! are the 2-dimension of the order, which is NP-hard to find; this is a heuristic.
//!
//! ```text
//!         animal 000         1. forest      one parent each, coded by antichains, handed down all pairs
//!        /        \          2. critical    the false pairs that matter, found block by block
//!    pet 100     dog 010     3. cover       columns that separate most of them
//!     /    \      /          4. walk        a local search that mends the rest
//! cat 101   puppy 110        5. shrink      drop a column, walk again
//! ```
//!
//! Work is bounded by counting blocks of codes looked at, never by the clock, and random numbers
//! are computed from the seed and a counter: the same hierarchy and settings give the same codes on
//! any machine with any number of threads.

mod antichain;
mod bound;
mod cover;
mod first_fit;
mod forest;
mod params;
mod stages;

pub use params::{Effort, EncodeParams};

use crate::bits::{Id, MAX_BITS};
use crate::codes::{Codes, CodesError, Columns};
use crate::graph::{Closure, Dag};
use crate::hierarchy::Hierarchy;
use crate::memory::MemoryError;
use crate::progress::{Cancelled, Progress};
use params::Plan;
use stages::Covered;

/// Why a hierarchy could not be encoded.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// Codes would be wider than codes can be.
    #[error(
        "exact codes would take {bits} bits or more, and a code has at most {most}; encode a part \
         of the hierarchy"
    )]
    TooManyBits {
        /// How many it would take at least.
        bits: usize,
        /// How many there can be.
        most: usize,
    },
    /// A number of bits that no code has.
    #[error(transparent)]
    Codes(#[from] CodesError),
    /// Codes that were to be exact and are not.
    #[error(
        "the codes are not exact, which is a bug in Binder; please report it with the data it happens on"
    )]
    NotExact,
    /// Encoding would take more memory than it may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl EncodeError {
    /// Codes of so many bits that cannot be made.
    fn of_codes(error: CodesError, bits: usize) -> Self {
        match error {
            CodesError::Bits(_) => Self::TooManyBits { bits, most: MAX_BITS },
            CodesError::Memory(error) => Self::Memory(error),
            other => Self::Codes(other),
        }
    }
}

/// Codes and how good they are.
#[derive(Debug, Clone)]
pub struct Encoding {
    /// One code per concept. No is-a is missed.
    pub codes: Codes,
    /// Bits that the forest alone took.
    pub forest_bits: usize,
    /// Bits that no exact codes can do without.
    pub lower_bound: usize,
}

/// A concept and the false pairs it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// The concept.
    pub concept: Id,
    /// Concepts that look like they were above it.
    pub false_parents: u64,
    /// Concepts that look like they were below it.
    pub false_children: u64,
}

/// Encodes a hierarchy: exactly, or as well as `params.bits` allow. See the [module](self).
///
/// [`binder::encode`](crate::encode()) does the same, checks every pair and makes a model of it.
///
/// # Examples
///
/// ```
/// use binder::{Hierarchy, encode, evaluate};
/// let pets = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")];
/// let pets = Hierarchy::from_pairs(pets)?;
/// let encoding = encode::codes(&pets, &encode::EncodeParams::default(), &())?;
/// assert_eq!(evaluate::all_pairs(&encoding.codes, &pets).confusion.errors(), 0);
/// assert_eq!((encoding.codes.bits(), encoding.lower_bound), (3, 3));
/// # Ok::<(), binder::Error>(())
/// ```
///
/// # Errors
///
/// When the settings cannot be, when exact codes would be too wide, and when the work is cancelled.
pub fn codes(
    hierarchy: &Hierarchy,
    params: &EncodeParams,
    progress: &dyn Progress,
) -> Result<Encoding, EncodeError> {
    params.check()?;
    let dag = hierarchy.dag();
    let lower_bound = bound::lower_bound(dag);
    if extra_parents(dag) == 0 {
        let codes = forest::forest_codes(dag, forest::Kept::Deepest)?;
        if params.bits.is_none_or(|most| codes.bits() <= most) {
            return Ok(Encoding { forest_bits: codes.bits(), codes, lower_bound });
        }
    }
    let closure = Closure::new(dag);
    let (forest_bits, mut codes) = attempt(&closure, params, lower_bound, progress)?;
    // A search that starts early can end up wider than columns alone, on small hierarchies.
    if params.effort != Effort::Fast && params.bits.is_none() && hierarchy.len() <= SMALL {
        let fast = params.effort(Effort::Fast);
        let (_, other) = attempt(&closure, &fast, lower_bound, progress)?;
        codes = if other.bits() < codes.bits() { other } else { codes };
    }
    Ok(Encoding { codes, forest_bits, lower_bound })
}

/// Hierarchies of so many concepts are encoded in more than one way.
const SMALL: usize = 5_000;

/// The bits of the forest, and the codes that an effort leads to.
fn attempt(
    closure: &Closure<'_>,
    params: &EncodeParams,
    lower_bound: usize,
    progress: &dyn Progress,
) -> Result<(usize, Codes), EncodeError> {
    let most = params.bits.unwrap_or(MAX_BITS);
    let extra = extra_parents(closure.dag());
    let plan = Plan::new(params.effort, closure.dag().concepts(), extra);
    let Covered { forest: forest_bits, codes, left } =
        stages::covered(closure, &plan, most, progress)?;
    let too_wide = EncodeError::TooManyBits { bits: MAX_BITS + 1, most: MAX_BITS };
    if params.bits.is_none() && left > 0 && codes.bits() >= most {
        return Err(too_wide);
    }
    let codes = stages::cut(codes, most)?;
    if plan.settle == 0 || extra == 0 && codes.bits() >= forest_bits {
        return Ok((forest_bits, codes));
    }
    let (mut codes, exact) = stages::settle(codes, closure, &plan, most, params.seed, progress)?;
    if !exact && params.bits.is_none() {
        return Err(too_wide);
    }
    if exact {
        codes = stages::shrink(codes, closure, &plan, lower_bound, params.seed, progress)?;
    }
    Ok((forest_bits, codes))
}

/// The codes that an effort's search starts from.
#[cfg(test)]
pub(crate) fn covered_codes(closure: &Closure<'_>, effort: Effort) -> Result<Codes, EncodeError> {
    let dag = closure.dag();
    let plan = Plan::new(effort, dag.concepts(), extra_parents(dag));
    Ok(stages::covered(closure, &plan, MAX_BITS, &())?.codes)
}

/// Parents beyond the first of every concept: none in a forest, whose codes are exact from the
/// start.
fn extra_parents(dag: &Dag) -> usize {
    dag.len() + dag.roots().count() - dag.concepts()
}

/// The concepts with the most false pairs in codes that miss no is-a, at most `most` of them.
pub fn most_lost(codes: &Codes, hierarchy: &Hierarchy, most: usize) -> Vec<Lost> {
    use rayon::prelude::*;
    let columns = Columns::new(codes);
    let (above, below) = (hierarchy.ancestor_counts(), hierarchy.descendant_counts());
    let count = |concept: Id| {
        let row = codes.row(concept);
        // The concept itself is found both ways.
        let false_parents = columns.count_subsets(row) - 1 - above[concept as usize];
        let false_children = columns.count_supersets(row) - 1 - below[concept as usize];
        Lost { concept, false_parents, false_children }
    };
    let lost = hierarchy.ids().into_par_iter().map(count);
    let mut lost: Vec<Lost> =
        lost.filter(|lost| lost.false_parents + lost.false_children > 0).collect();
    lost.sort_by_key(|lost| {
        (std::cmp::Reverse(lost.false_parents + lost.false_children), lost.concept)
    });
    lost.truncate(most);
    lost
}
