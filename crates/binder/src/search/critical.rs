//! Finds false pairs block by block, and the critical ones among them.
//!
//! Let `(x, y)` be a false pair. A column separates it when it has `y` and not `x`. A column is
//! closed under children, so it then also separates every `(x', y')` with `x'` above `x` and `y'`
//! below `y`. So only *critical* pairs need to be separated: `x` is as low as possible (all its
//! children are below `y` in truth) and `y` is as high as possible (all its parents are above `x`
//! in truth). From every false pair, going down from `x` and up from `y` leads to a critical pair
//! that is also false, because a child of `x` has all bits of `x`, and a parent of `y` has no bit
//! beyond those of `y`.
//!
//! Few parents can be in a critical pair with `x`, whatever the codes are. If `x` has children, they
//! are above the first of these and not above `x`. Otherwise they are roots or children of what is
//! above `x`. Where these are few, they are tried one by one; where they are many, as below a
//! concept with a thousand children, the codes are searched by columns.
//!
//! ```text
//!         animal             critical with cat     dog, a child of animal; puppy is not, since dog
//!        /      \                                  above it is not above cat
//!     pet       dog          critical with pet     none: nothing else is above its first child, cat
//!     /  \      /            critical with puppy   cat, a child of pet
//!  cat    puppy
//! ```

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
    let finder = Finder::new(codes, closure);
    let n = codes.len();
    let step = coprime_step(n);
    progress.start("finding critical pairs", Some(n as u64));
    let mut found = Critical { pairs: Vec::new(), complete: true };
    for start in (0..n).step_by(PIECE) {
        progress.go_on()?;
        let piece = (start..(start + PIECE).min(n)).into_par_iter().map(|at| id(at * step % n));
        let pairs = |marked: &mut IdSet, child| finder.pairs(child, marked);
        let lists: Vec<Vec<Pair>> = piece.map_init(|| IdSet::new(n), pairs).collect();
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

/// Finds the critical false pairs of one child after the other.
struct Finder<'a> {
    codes: &'a Codes,
    columns: Columns,
    closure: &'a Closure<'a>,
    roots: Vec<Id>,
}

impl<'a> Finder<'a> {
    fn new(codes: &'a Codes, closure: &'a Closure<'a>) -> Self {
        let roots = closure.dag().roots().collect();
        Self { codes, columns: Columns::new(codes), closure, roots }
    }

    /// The critical false pairs of a child, by parent. `marked` is scratch space: it must be empty
    /// and is left empty.
    fn pairs(&self, child: Id, marked: &mut IdSet) -> Vec<Pair> {
        let (dag, above) = (self.closure.dag(), self.closure.above(child));
        above.iter().for_each(|&concept| marked.insert(concept));
        let is_above = |parent: Id| marked.contains(parent);
        // A parent of `y` may be `x` itself: a concept and its only child often have equal codes.
        let is_highest =
            |parent: Id| dag.parents(parent).iter().all(|&above| above == child || is_above(above));
        let is_lowest = |parent: Id| {
            let is_below = |&below: &Id| below == parent || self.closure.is_below(below, parent);
            dag.children(child).iter().all(is_below)
        };
        let mut found = Vec::new();
        self.possible(child, &above, |parent| {
            let is_false = parent != child && !is_above(parent);
            if is_false && is_highest(parent) && is_lowest(parent) {
                found.push((child, parent));
            }
        });
        found.sort_unstable();
        found.truncate(MAX_PER_CHILD);
        above.iter().for_each(|&concept| marked.remove(concept));
        found
    }

    /// Calls `each` once with every parent that the codes put above a child and that may be in a
    /// critical pair with it.
    fn possible(&self, child: Id, above: &[Id], mut each: impl FnMut(Id)) {
        let (dag, codes) = (self.closure.dag(), self.codes);
        if !dag.children(child).is_empty() || self.are_few(above) {
            self.related(child, above, |parent| {
                if codes.is_a(child, parent) {
                    each(parent);
                }
            });
        } else {
            self.columns.each_subset(codes.row(child), each);
        }
    }

    /// Calls `each` once with every concept that may be in a critical pair with a child, whatever
    /// the codes are.
    fn related(&self, child: Id, above: &[Id], mut each: impl FnMut(Id)) {
        let dag = self.closure.dag();
        if let Some(&first) = dag.children(child).first() {
            return self.closure.above(first).iter().chain([&first]).for_each(|&it| each(it));
        }
        self.roots.iter().for_each(|&root| each(root));
        for &concept in above {
            // What has several parents comes with the first of them.
            let is_first = |below: &&Id| dag.parents(**below)[0] == concept;
            dag.children(concept).iter().filter(is_first).for_each(|&below| each(below));
        }
    }

    /// Whether roots and children of these concepts are tried faster than found by columns, which
    /// takes time in proportion to the number of all concepts.
    fn are_few(&self, above: &[Id]) -> bool {
        let dag = self.closure.dag();
        let most = dag.concepts() / CONCEPTS_PER_TRIED + MIN_TRIED;
        let mut count = self.roots.len();
        count <= most
            && above.iter().all(|&concept| {
                count += dag.children(concept).len();
                count <= most
            })
    }
}

/// To search this many concepts by columns takes as long as to try one.
const CONCEPTS_PER_TRIED: usize = 128;

/// So many are tried in any case.
const MIN_TRIED: usize = 256;

/// Whether a pair that is not is-a is critical: whether its child is as low as possible and its
/// parent as high. That depends on the hierarchy alone, not on the codes.
pub(super) fn is_critical(closure: &Closure<'_>, (child, parent): Pair) -> bool {
    let dag = closure.dag();
    let is_lowest = |&below: &Id| below == parent || closure.is_below(below, parent);
    let is_highest = |&above: &Id| above == child || closure.is_below(child, above);
    dag.parents(parent).iter().all(is_highest) && dag.children(child).iter().all(is_lowest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hierarchy::testing::hierarchies;
    use crate::search::inherited_codes;

    proptest! {
        #[test]
        fn exactly_the_critical_false_pairs_are_found(
            hierarchy in hierarchies(), bits in 1..20usize, seed in any::<u64>()
        ) {
            let closure = Closure::new(hierarchy.dag());
            let codes = inherited_codes(hierarchy.dag(), bits, seed).unwrap();
            let mut found = critical_pairs(&codes, &closure, usize::MAX, &()).unwrap().pairs;
            found.sort_unstable();
            let is_false = |x: Id, y: Id| x != y && codes.is_a(x, y) && !closure.is_below(x, y);
            let ids = || hierarchy.ids();
            let all = ids().flat_map(|x| ids().map(move |y| (x, y)));
            let wanted = all.filter(|&(x, y)| is_false(x, y) && is_critical(&closure, (x, y)));
            prop_assert_eq!(&found, &wanted.collect::<Vec<_>>());
            let finder = Finder::new(&codes, &closure);
            for (x, y) in found {
                let mut by_columns = false;
                finder.columns.each_subset(codes.row(x), |it| by_columns |= it == y);
                prop_assert!(by_columns);
            }
        }
    }
}
