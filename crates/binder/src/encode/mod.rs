//! Exact codes: *a* is-a *b* exactly when *a* has every bit of *b*, for all n² − n pairs, with few
//! bits.
//!
//! Every column (the concepts that have a bit) is closed under children. So a child has every bit
//! of its parents, and no is-a is ever missed. The rest of the task is to separate: for every pair
//! `(x, y)` that is not is-a, some column must have `y` and not `x`. The smallest number of columns
//! that do so is the 2-dimension of the order. It is NP-hard to find, so this is a heuristic.
//!
//! ```text
//!         animal 000         1. forest      antichain codes of a forest, inherited along all pairs
//!        /        \          2. critical    critical false pairs, found block by block
//!    pet 100     dog 010     3. cover       new columns that separate most of them
//!     /    \      /          4. settle      a local search that mends the others
//! cat 101   puppy 110        5. shrink      drop a column, search again
//!                            6. words       once more, if few bits are beyond whole words
//! ```
//!
//! Work is limited by counting the blocks scanned, never by the clock. Random numbers are computed
//! from the seed and a counter. So the same hierarchy and settings give the same codes on any
//! machine with any number of threads.

mod antichain;
mod bound;
mod cover;
mod first_fit;
mod forest;
mod params;
mod probe;
mod stages;

pub use params::{Effort, EncodeParams};
pub(crate) use stages::{fewer_false_pairs, with_columns_against, without_empty_columns};

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
    /// Exact codes would be too wide.
    #[error("exact codes would take {bits} bits or more, and a code has at most {most}")]
    TooManyBits {
        /// A lower bound of the number of bits it would take.
        bits: usize,
        /// The largest number of bits that a code may have.
        most: usize,
    },
    /// An estimate says that exact codes would be much too wide, because the pairs are so dense.
    #[error(
        "exact codes would take {}, judging from the first {judged} concepts, and a code has at \
         most {most}; concepts have too many unrelated parents", about(*bits, *most)
    )]
    TooDense {
        /// The estimated number of bits, unless the codes of the first concepts are too wide.
        bits: Option<usize>,
        /// The number of concepts that the estimate rests on.
        judged: usize,
        /// The largest number of bits that a code may have.
        most: usize,
    },
    /// A number of bits that codes cannot have.
    #[error(transparent)]
    Codes(#[from] CodesError),
    /// The codes should be exact, and the check found an error.
    #[error(
        "the codes are not exact, which is a bug in Binder; please report it with the data it \
         happens on"
    )]
    NotExact,
    /// Encoding would take more memory than it may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

fn about(bits: Option<usize>, most: usize) -> String {
    bits.map_or(format!("far more than {most} bits"), |bits| format!("about {bits} bits"))
}

impl EncodeError {
    /// The error for codes of `bits` bits that cannot be made.
    pub(crate) fn of_codes(error: CodesError, bits: usize) -> Self {
        match error {
            CodesError::Bits(_) => Self::TooManyBits { bits, most: MAX_BITS },
            CodesError::Memory(error) => Self::Memory(error),
            other => Self::Codes(other),
        }
    }
}

/// The codes of a hierarchy, with figures about their width.
#[derive(Debug, Clone)]
pub struct Encoding {
    /// One code per concept. No is-a is missed.
    pub codes: Codes,
    /// The number of bits that the codes of the forest took.
    pub forest_bits: usize,
    /// A lower bound of the number of bits of exact codes.
    pub lower_bound: usize,
}

/// A concept with the number of its false pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// The concept.
    pub concept: Id,
    /// The number of concepts that only the codes put above it.
    pub false_parents: u64,
    /// The number of concepts that only the codes put below it.
    pub false_children: u64,
}

/// Encodes a hierarchy: exactly, or as well as possible with a limit of bits or words. The
/// [module](self) describes how.
///
/// [`binder::encode`](crate::encode()) does the same, checks every pair and returns a model.
///
/// # Examples
///
/// ```
/// use binder::{Hierarchy, encode, evaluate};
/// let parents = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet")];
/// let pets = Hierarchy::from_pairs(parents.into_iter().chain([("puppy", "dog")]))?;
/// let encoding = encode::codes(&pets, &encode::EncodeParams::default(), &())?;
/// assert_eq!(evaluate::all_pairs(&encoding.codes, &pets).confusion.errors(), 0);
/// assert_eq!((encoding.codes.bits(), encoding.lower_bound), (3, 3));
/// # Ok::<(), binder::Error>(())
/// ```
///
/// # Errors
///
/// When the settings are not valid, when exact codes would be too wide, or when the work is
/// cancelled.
pub fn codes(
    hierarchy: &Hierarchy,
    params: &EncodeParams,
    progress: &dyn Progress,
) -> Result<Encoding, EncodeError> {
    params.check()?;
    let encoding = without_room(hierarchy, &params.without_room(), progress)?;
    if params.room == 0 {
        return Ok(encoding);
    }
    let wider = encoding.codes.with_room(params.room);
    let bits = encoding.codes.bits() + params.room;
    let codes = wider.map_err(|error| EncodeError::of_codes(error, bits))?;
    Ok(Encoding { codes, ..encoding })
}

/// Encodes a hierarchy; there is no room for later versions in the codes.
fn without_room(
    hierarchy: &Hierarchy,
    params: &EncodeParams,
    progress: &dyn Progress,
) -> Result<Encoding, EncodeError> {
    let dag = hierarchy.dag();
    let lower_bound = bound::lower_bound(dag);
    if let Some(codes) = forest_alone(dag, params, lower_bound)? {
        return Ok(Encoding { forest_bits: codes.bits(), codes, lower_bound });
    }
    let closure = Closure::new(dag);
    match params.most() {
        Some(most) => limited(&closure, params, most, lower_bound, progress),
        None => exact(&closure, params, lower_bound, progress),
    }
}

/// The codes of a forest, which are exact, if they are narrow enough and no column is to be dropped.
/// At normal effort none is where a code takes a single word, which is what counts.
fn forest_alone(
    dag: &Dag,
    params: &EncodeParams,
    lower_bound: usize,
) -> Result<Option<Codes>, EncodeError> {
    if extra_parents(dag) > 0 {
        return Ok(None);
    }
    let limited = params.most().is_some_and(|most| most < MAX_BITS);
    let codes = forest::forest_codes(dag, forest::Kept::Deepest, limited)?;
    let is_final = Plan::new(params.effort, dag.concepts(), 0).shrink == 0
        || codes.bits() <= lower_bound.max(1)
        || params.effort == Effort::Normal && codes.words_per_row() == 1;
    let fits = params.most().is_none_or(|most| codes.bits() <= most);
    Ok((fits && is_final).then_some(codes))
}

/// Exact codes.
fn exact(
    closure: &Closure<'_>,
    params: &EncodeParams,
    lower_bound: usize,
    progress: &dyn Progress,
) -> Result<Encoding, EncodeError> {
    let params = EncodeParams { bits: None, words: None, ..*params };
    let extra = extra_parents(closure.dag());
    if extra > 0 {
        probe::check_width(closure.dag(), extra, progress)?;
    }
    let mut found = attempt(closure, &params, lower_bound, progress)?;
    for &effort in lesser(params.effort, closure.dag().concepts()) {
        if found.codes.bits() > lower_bound.max(1) {
            let other = attempt(closure, &params.effort(effort), lower_bound, progress)?;
            if other.codes.bits() < found.codes.bits() {
                found.codes = other.codes;
            }
        }
    }
    let Attempted { forest_bits, codes, .. } = found;
    Ok(Encoding { codes, forest_bits, lower_bound })
}

/// Codes of at most `most` bits: exact if they are found, else with few false pairs.
fn limited(
    closure: &Closure<'_>,
    params: &EncodeParams,
    most: usize,
    lower_bound: usize,
    progress: &dyn Progress,
) -> Result<Encoding, EncodeError> {
    let mut found = limited_attempt(closure, params, most, lower_bound, progress)?;
    for &effort in lesser(params.effort, closure.dag().concepts()) {
        if !found.exact {
            let params = params.effort(effort);
            let other = limited_attempt(closure, &params, most, lower_bound, progress)?;
            if covered_pairs(&other.codes) < covered_pairs(&found.codes) {
                found = Attempted { forest_bits: found.forest_bits, ..other };
            }
        }
    }
    let Attempted { forest_bits, codes, .. } = found;
    Ok(Encoding { codes, forest_bits, lower_bound })
}

/// Codes of at most `most` bits with one effort.
///
/// A search that starts with few bits may end with many false pairs where one that starts with more
/// and drops them ends exact: on the 2⁵ sets of five elements, 130 false pairs with 5 bits, which
/// are enough. So if the first codes are not exact, and exact codes are within reach, these are made
/// too, and what is beyond `most` bits is dropped.
fn limited_attempt(
    closure: &Closure<'_>,
    params: &EncodeParams,
    most: usize,
    lower_bound: usize,
    progress: &dyn Progress,
) -> Result<Attempted, EncodeError> {
    let first = attempt(closure, params, lower_bound, progress)?;
    if first.exact || !within_reach(closure, most, progress)? {
        return Ok(first);
    }
    let wide = match exact(closure, params, lower_bound, progress) {
        Err(EncodeError::TooManyBits { .. } | EncodeError::TooDense { .. }) => return Ok(first),
        wide => wide?.codes,
    };
    if wide.bits() <= most {
        return Ok(Attempted { codes: wide, exact: true, ..first });
    }
    let plan = plan(closure, params.effort);
    let mut codes = stages::cut(wide, most)?;
    if plan.settle > 0 {
        codes = stages::settle(codes, closure, &plan, most, params.seed, progress)?.codes;
    }
    let is_better = covered_pairs(&codes) < covered_pairs(&first.codes);
    Ok(if is_better { Attempted { codes, ..first } } else { first })
}

/// Whether exact codes might have `most` bits, and take little time to find: columns alone need at
/// most [`SPARE`] more than twice as many. The search then saves up to half of them, and nearly all
/// in small lattices.
fn within_reach(
    closure: &Closure<'_>,
    most: usize,
    progress: &dyn Progress,
) -> Result<bool, EncodeError> {
    let enough = most.saturating_mul(2).saturating_add(SPARE).min(MAX_BITS);
    let fast = plan(closure, Effort::Fast);
    Ok(closure.dag().concepts() <= params::MEDIUM
        && stages::covered(closure, &fast, enough, progress)?.left == 0)
}

/// The bits that columns alone may take beyond twice a limit, a word.
const SPARE: usize = 64;

/// The number of pairs that the codes say are is-a, those of concepts with themselves included.
fn covered_pairs(codes: &Codes) -> u64 {
    let columns = Columns::new(codes);
    codes.rows().map(|row| columns.count_supersets(row)).sum()
}

/// The efforts that are tried as well, since they take little beside the one that is asked for. A
/// search that starts early can end up wider than one that starts late, or than columns alone.
fn lesser(effort: Effort, concepts: usize) -> &'static [Effort] {
    match effort {
        Effort::Max => &[Effort::Normal],
        Effort::Normal if concepts <= SMALL => &[Effort::Fast],
        _ => &[],
    }
}

/// Hierarchies with at most this many concepts are also encoded with columns alone.
const SMALL: usize = 5_000;

/// What one way to codes has given.
struct Attempted {
    /// The number of bits of the forest.
    forest_bits: usize,
    codes: Codes,
    exact: bool,
}

/// Codes by the stages of one plan, within the limit of the settings, if there is one.
fn attempt(
    closure: &Closure<'_>,
    params: &EncodeParams,
    lower_bound: usize,
    progress: &dyn Progress,
) -> Result<Attempted, EncodeError> {
    let most = params.most().unwrap_or(MAX_BITS);
    let plan = plan(closure, params.effort);
    let Covered { forest: forest_bits, codes, left } =
        stages::covered(closure, &plan, most, progress)?;
    let too_wide = EncodeError::TooManyBits { bits: MAX_BITS + 1, most: MAX_BITS };
    if params.most().is_none() && left > 0 && codes.bits() >= most {
        return Err(too_wide);
    }
    let is_exact = left == 0 && codes.bits() <= most;
    let codes = stages::cut(codes, most)?;
    // Nothing to mend, and nothing to drop.
    let drops = plan.shrink > 0 || stages::beyond_whole_words(codes.bits(), lower_bound).is_some();
    let is_final = is_exact && (!drops || codes.bits() <= lower_bound.max(1));
    if plan.settle == 0 || is_final {
        return Ok(Attempted { forest_bits, codes, exact: is_exact });
    }
    let seed = params.seed;
    let mut settled = stages::settle(codes, closure, &plan, most, seed, progress)?;
    if !settled.exact && params.most().is_none() {
        return Err(too_wide);
    }
    if settled.exact {
        settled = stages::shrink(settled, closure, &plan, lower_bound, seed, progress)?;
        settled = stages::whole_words(settled, closure, &plan, lower_bound, seed, progress)?;
    }
    Ok(Attempted { forest_bits, codes: settled.codes, exact: settled.exact })
}

fn plan(closure: &Closure<'_>, effort: Effort) -> Plan {
    let dag = closure.dag();
    Plan::new(effort, dag.concepts(), extra_parents(dag))
}

/// The codes from which the search starts, for one effort.
#[cfg(test)]
pub(crate) fn covered_codes(closure: &Closure<'_>, effort: Effort) -> Result<Codes, EncodeError> {
    Ok(stages::covered(closure, &plan(closure, effort), MAX_BITS, &())?.codes)
}

/// The number of parents beyond the first of each concept. It is 0 for a forest, whose first codes
/// are already exact.
fn extra_parents(dag: &Dag) -> usize {
    dag.len() + dag.roots().count() - dag.concepts()
}

/// The concepts with the most false pairs, at most `most` of them. The codes must miss no is-a.
///
/// # Panics
///
/// When there is not one code for each concept.
pub fn most_lost(codes: &Codes, hierarchy: &Hierarchy, most: usize) -> Vec<Lost> {
    use rayon::prelude::*;
    let columns = Columns::new(codes);
    let (above, below) = (hierarchy.ancestor_counts(), hierarchy.descendant_counts());
    let count = |concept: Id| {
        let row = codes.row(concept);
        // Both counts include the concept itself.
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
