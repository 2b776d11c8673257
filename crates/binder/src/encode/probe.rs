//! Tells before the work that exact codes of a dense graph would be too wide.
//!
//! In a graph in which most concepts have several unrelated parents, codes grow with a power of the
//! number of concepts, and the work grows with its square. Ids are a topological order, so the
//! first `m` ids and the pairs among them are a hierarchy of their own. Two such beginnings, one
//! twice as long as the other, are encoded at effort `fast`; the width `w` of the longer and the
//! ratio `r` of both give an estimate for all `n` concepts:
//!
//! ```text
//! 40,000 concepts are twice 10,000, and twice again: about w · r² bits
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
const CERTAINTY: f64 = 1.25;

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
    let too_dense = |bits| EncodeError::TooDense { bits, judged: BEGINNING, most: MAX_BITS };
    match estimated_width(dag, BEGINNING, progress)? {
        Some(bits) if bits as f64 > MAX_BITS as f64 * CERTAINTY => Err(too_dense(Some(bits))),
        Some(_) => Ok(()),
        None => Err(too_dense(None)),
    }
}

/// The width of all codes, from that of two beginnings; nothing if a beginning alone is too wide.
fn estimated_width(
    dag: &Dag,
    beginning: usize,
    progress: &dyn Progress,
) -> Result<Option<usize>, EncodeError> {
    let Some(half) = beginning_width(dag, beginning / 2, progress)? else { return Ok(None) };
    let Some(whole) = beginning_width(dag, beginning, progress)? else { return Ok(None) };
    let doublings = (dag.concepts() as f64 / beginning as f64).log2();
    let estimate = whole as f64 * (whole as f64 / half as f64).powf(doublings);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of that order")]
    Ok(Some(estimate.min(1e9) as usize))
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
    use crate::hierarchy::Hierarchy;

    /// Every concept has three parents, any that came before: a chain of hashes chooses them.
    fn dense(concepts: u64) -> Hierarchy {
        let name = |at: u64| format!("c{at}");
        let mut state = 1u64;
        let mut before = |child: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % child
        };
        let pairs = (1..concepts).flat_map(|child| [child; 3]).map(|child| (child, before(child)));
        let pairs: Vec<_> = pairs.map(|(child, parent)| (name(child), name(parent))).collect();
        Hierarchy::from_pairs(pairs).expect("parents come first")
    }

    #[test]
    fn a_beginning_tells_how_wide_the_codes_are() {
        let hierarchy = dense(1600);
        let dag = hierarchy.dag();
        let width = beginning_width(dag, 1600, &()).expect("no limit").expect("narrow enough");
        let estimate = estimated_width(dag, 800, &()).expect("no limit").expect("narrow enough");
        assert!(estimate < 2 * width && width < 2 * estimate, "{estimate} for {width}");
    }

    #[test]
    fn small_graphs_and_ontologies_are_not_judged() {
        let hierarchy = dense(100);
        assert_eq!(check_width(hierarchy.dag(), 200, &()), Ok(()));
    }
}
