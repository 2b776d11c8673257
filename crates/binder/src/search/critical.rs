//! Finds false pairs block by block, and the critical ones among them.
//!
//! Let `(x, y)` be a false pair. A column separates it when it has `y` and not `x`. A column is
//! closed under children, so it then also separates every `(x', y')` with `x'` above `x` and `y'`
//! below `y`. So only *critical* pairs need to be separated: `x` is as low as possible (all its
//! children are below `y` in truth) and `y` is as high as possible (all its parents are above `x`
//! in truth). From every false pair, going down from `x` and up from `y` leads to a critical pair
//! that is also false, because a child of `x` has all bits of `x`, and a parent of `y` has no bit
//! beyond those of `y`.

use rayon::prelude::*;

use super::Pair;
use crate::bits::{Id, IdSet, id};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::progress::{Cancelled, Progress};

/// The number of children that are searched between two checks of the number of pairs. A constant,
/// so that the list does not depend on the number of threads.
const ROUND: usize = 1 << 14;

/// The number of children that are searched at once. Divides [`ROUND`].
const PIECE: usize = 1 << 10;

/// A round is not finished when it finds this many times as many pairs as were asked for.
const TOO_MANY: usize = 3;

/// The largest number of pairs listed for one child. A later call finds the others.
const MAX_PER_CHILD: usize = 4096;

/// Critical false pairs.
#[derive(Debug)]
pub(crate) struct Critical {
    pub(crate) pairs: Vec<Pair>,
    /// Whether these are all critical false pairs.
    pub(crate) complete: bool,
}

/// The critical false pairs of monotone codes. Stops soon after `most` pairs. The order of the
/// children is spread over all ids, so that an incomplete list is representative.
pub(crate) fn critical_pairs(
    codes: &Codes,
    closure: &Closure<'_>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Critical, Cancelled> {
    let columns = Columns::new(codes);
    let n = codes.len();
    let step = coprime_step(n);
    progress.start("finding critical pairs", Some(n as u64));
    let mut found = Critical { pairs: Vec::new(), complete: true };
    for start in (0..n).step_by(PIECE) {
        progress.go_on()?;
        let piece = (start..(start + PIECE).min(n)).into_par_iter().map(|at| id(at * step % n));
        let lists: Vec<Vec<Pair>> = piece
            .map_init(
                || IdSet::new(n),
                |marked, child| false_parents(codes, &columns, closure, child, marked),
            )
            .collect();
        for list in lists {
            found.complete &= list.len() < MAX_PER_CHILD;
            found.pairs.extend(list);
        }
        let end = start + PIECE;
        progress.advance((end.min(n) - start) as u64);
        // In a dense graph, a whole round would take too much memory.
        let enough = if end.is_multiple_of(ROUND) { most } else { most.saturating_mul(TOO_MANY) };
        if found.pairs.len() >= enough && end < n {
            found.complete = false;
            break;
        }
    }
    Ok(found)
}

/// A step size whose multiples, modulo `n`, visit each of `n` positions once.
fn coprime_step(n: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (n * 5 / 13 + 1..).find(|&step| gcd(step, n.max(1)) == 1).unwrap_or(1)
}

/// The critical false pairs of a child. `marked` is scratch space: it must be empty and is left
/// empty.
fn false_parents(
    codes: &Codes,
    columns: &Columns,
    closure: &Closure<'_>,
    child: Id,
    marked: &mut IdSet,
) -> Vec<Pair> {
    let dag = closure.dag();
    let above = closure.above(child);
    above.iter().for_each(|&concept| marked.insert(concept));
    let is_above = |parent: Id| marked.contains(parent);
    // A parent of `y` may be `x` itself: a concept and its only child often have equal codes.
    let highest =
        |&parent: &Id| dag.parents(parent).iter().all(|&above| above == child || is_above(above));
    let lowest = |&parent: &Id| {
        dag.children(child).iter().all(|&below| below == parent || closure.is_below(below, parent))
    };
    let predicted = columns.subsets(codes.row(child));
    let found = predicted
        .iter()
        .filter(|&parent| parent != child)
        .filter(highest)
        .filter(|&parent| !is_above(parent))
        .filter(lowest)
        .take(MAX_PER_CHILD)
        .map(|parent| (child, parent))
        .collect();
    above.iter().for_each(|&concept| marked.remove(concept));
    found
}

/// Whether a pair that is not is-a is critical: whether its child is as low as possible and its
/// parent as high. That depends on the hierarchy alone, not on the codes.
pub(super) fn is_critical(closure: &Closure<'_>, (child, parent): Pair) -> bool {
    let dag = closure.dag();
    let is_lowest = |&below: &Id| below == parent || closure.is_below(below, parent);
    let is_highest = |&above: &Id| above == child || closure.is_below(child, above);
    dag.parents(parent).iter().all(is_highest) && dag.children(child).iter().all(is_lowest)
}
