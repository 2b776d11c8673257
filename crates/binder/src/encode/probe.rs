//! Tells before the work that exact codes of a dense graph would be too wide.
//!
//! In a graph in which most concepts have several unrelated parents, codes grow with a power of the
//! number of concepts, and the work grows with its square. Ids are a topological order, so the
//! first `m` ids and the pairs among them are a hierarchy of their own. Two such beginnings, one
//! twice as long as the other, are encoded at effort `fast`; the width `w` of the longer and the
//! ratio `r` of both give an estimate for all `n` concepts:
//!
//! ```text
//! 5,000 concepts: 430 bits    10,000 concepts: 728 bits, so r = 1.69
//! 40,000 concepts: about 728 · 1.69² = 2,080 bits
//! ```

use super::params::Plan;
use super::{Effort, EncodeError, stages};
use crate::bits::MAX_BITS;
use crate::graph::{Closure, Dag};
use crate::progress::Progress;

/// The length of the longer beginning. Its encoding takes a few seconds in the densest graphs.
const BEGINNING: usize = 10_000;

/// Graphs with fewer concepts than this are encoded at once: the work is small.
const MIN_CONCEPTS: usize = 3 * BEGINNING;

/// Graphs with at least this many parents beyond the first for each ten concepts are dense. The
/// Gene Ontology has 6, WordNet's nouns less than 1.
const DENSE: usize = 8;

/// An estimate counts when it exceeds the widest codes this many times; below that, the codes are
/// made and their width is known.
const CERTAINTY: f64 = 1.5;

/// Returns an error if exact codes of the graph would be much wider than codes can be.
pub(super) fn check_width(
    dag: &Dag,
    extra_parents: usize,
    progress: &dyn Progress,
) -> Result<(), EncodeError> {
    let concepts = dag.concepts();
    if concepts < MIN_CONCEPTS || extra_parents * 10 < concepts * DENSE {
        return Ok(());
    }
    let half = beginning_width(dag, BEGINNING / 2, progress)?;
    let whole = beginning_width(dag, BEGINNING, progress)?;
    let estimate = match (half, whole) {
        (Some(half), Some(whole)) => estimate(half, whole, concepts),
        // The beginning alone is too wide.
        _ => f64::INFINITY,
    };
    if estimate < MAX_BITS as f64 * CERTAINTY {
        return Ok(());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of that order")]
    let bits = estimate.min(1e9) as usize;
    Err(EncodeError::TooDense { bits: whole.map(|_| bits), judged: BEGINNING, most: MAX_BITS })
}

/// The width of all codes, from that of two beginnings.
fn estimate(half: usize, whole: usize, concepts: usize) -> f64 {
    let doublings = (concepts as f64 / BEGINNING as f64).log2();
    whole as f64 * (whole as f64 / half as f64).powf(doublings)
}

/// The width of the codes of the first `concepts` ids; nothing if it is too large.
fn beginning_width(
    dag: &Dag,
    concepts: usize,
    progress: &dyn Progress,
) -> Result<Option<usize>, EncodeError> {
    let beginning = dag.beginning(concepts);
    let closure = Closure::new(&beginning);
    let plan = Plan::new(Effort::Fast, concepts, 0);
    match stages::covered(&closure, &plan, MAX_BITS, progress) {
        Ok(covered) if covered.left == 0 => Ok(Some(covered.codes.bits())),
        Ok(_) | Err(EncodeError::TooManyBits { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_grows_by_the_same_factor_with_each_doubling() {
        assert!((estimate(430, 728, 10_000) - 728.0).abs() < 1e-6);
        assert!((estimate(500, 1000, 40_000) - 4000.0).abs() < 1e-6);
    }
}
