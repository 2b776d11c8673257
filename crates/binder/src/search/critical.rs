//! False pairs, found block by block, and of them only those that matter.
//!
//! A column separates `(x, y)`, "x is-a y" for all the codes know, when it holds `y` and not `x`.
//! It holds everything below what it holds, so then it also separates every `(x', y')` with `x'`
//! above `x` and `y'` below `y`. So only *critical* pairs need separating: `x` as low as possible
//! (all its children are truly below `y`), `y` as high as possible (all its parents are truly above
//! `x`). Every false pair leads to a critical one that is false too: a child of `x` has all bits of
//! `x`, a parent of `y` none beyond those of `y`.

use rayon::prelude::*;

use super::Pair;
use crate::bits::{Id, IdSet, id};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::progress::{Cancelled, Progress};

/// Children that are searched between two checks of how many pairs there are; a constant, so that
/// the list does not depend on threads.
const ROUND: usize = 1 << 14;

/// Children that are searched at once; a whole number of these is a round.
const PIECE: usize = 1 << 10;

/// A round that finds so many times as many pairs as asked for is not finished.
const TOO_MANY: usize = 3;

/// The most pairs listed for one child in one go; the others are found next time.
const MOST_PER_CHILD: usize = 4096;

/// Critical false pairs.
#[derive(Debug)]
pub(crate) struct Critical {
    pub(crate) pairs: Vec<Pair>,
    /// Whether these are all there are.
    pub(crate) complete: bool,
}

/// The critical false pairs of codes that miss no is-a; stops soon after `most`. Children are taken
/// in an order that is spread over all.
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
            found.complete &= list.len() < MOST_PER_CHILD;
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

/// A step that visits every one of `n` places.
fn coprime_step(n: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (n * 5 / 13 + 1..).find(|&step| gcd(step, n.max(1)) == 1).unwrap_or(1)
}

/// The parents of a child's critical false pairs. `marked` comes empty and is left so.
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
    let truly = |parent: Id| marked.contains(parent);
    // A parent of `y` may be `x` itself: nothing looks more alike than a concept and its only
    // child.
    let highest =
        |&parent: &Id| dag.parents(parent).iter().all(|&above| above == child || truly(above));
    let lowest = |&parent: &Id| {
        dag.children(child).iter().all(|&below| below == parent || closure.is_below(below, parent))
    };
    let looks_above = columns.subsets(codes.row(child));
    let found = looks_above
        .iter()
        .filter(|&parent| parent != child)
        .filter(highest)
        .filter(|&parent| !truly(parent))
        .filter(lowest)
        .take(MOST_PER_CHILD)
        .map(|parent| (child, parent))
        .collect();
    above.iter().for_each(|&concept| marked.remove(concept));
    found
}

/// All false pairs by parent, or nothing when there are more than `most`.
pub(crate) fn all_false_pairs(
    codes: &Codes,
    closure: &Closure<'_>,
    most: usize,
) -> Option<Vec<Pair>> {
    let columns = Columns::new(codes);
    let of = |parent: Id| {
        let truly = closure.below(parent);
        let found = columns.supersets(codes.row(parent));
        found
            .iter()
            .filter(|child| *child != parent && truly.binary_search(child).is_err())
            .map(|child| (child, parent))
            .take(most + 1)
            .collect::<Vec<_>>()
    };
    let mut pairs = Vec::new();
    for start in (0..codes.len()).step_by(ROUND / 16) {
        let round = id(start)..id((start + ROUND / 16).min(codes.len()));
        let lists: Vec<Vec<Pair>> = round.into_par_iter().map(of).collect();
        lists.into_iter().for_each(|list| pairs.extend(list));
        if pairs.len() > most {
            return None;
        }
    }
    Some(pairs)
}
