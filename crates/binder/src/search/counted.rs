//! Which pairs a search counts.

use rayon::prelude::*;

use super::Pair;
use super::critical::{critical_pairs, is_critical};
use crate::bits::{Id, id};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::progress::{Cancelled, Progress};

/// The false pairs and near pairs that a search counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// The critical ones: when none of them is false, no pair is. They are few, but where codes
    /// cannot be exact, one of them may stand for one false pair or for thousands.
    Critical,
    /// All of them.
    All,
}

impl Counted {
    /// Whether a pair that is not is-a counts.
    pub(super) fn includes(self, closure: &Closure<'_>, pair: Pair) -> bool {
        match self {
            Self::Critical => is_critical(closure, pair),
            Self::All => true,
        }
    }

    /// The work of going through so many false pairs, each of which takes about a quarter of the
    /// time of a row. Critical ones are few beside the rows that a search looks at, and count
    /// nothing.
    pub(super) fn work(self, pairs: usize) -> u64 {
        match self {
            Self::Critical => 0,
            Self::All => pairs as u64 / 4,
        }
    }

    /// The false pairs of monotone codes that count, unless there are more than about `most`.
    pub(super) fn false_pairs(
        self,
        codes: &Codes,
        closure: &Closure<'_>,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Pair>>, Cancelled> {
        match self {
            Self::Critical => {
                let found = critical_pairs(codes, closure, most, progress)?;
                Ok(found.complete.then_some(found.pairs))
            }
            Self::All => all_false_pairs(codes, closure, most, progress),
        }
    }
}

/// The children whose false pairs are listed between two checks of their number.
const PIECE: usize = 1 << 10;

/// All false pairs of monotone codes, unless there are more than `most`.
fn all_false_pairs(
    codes: &Codes,
    closure: &Closure<'_>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Option<Vec<Pair>>, Cancelled> {
    let columns = Columns::new(codes);
    progress.start("finding false pairs", Some(codes.len() as u64));
    let mut found = Vec::new();
    for start in (0..codes.len()).step_by(PIECE) {
        progress.go_on()?;
        let end = (start + PIECE).min(codes.len());
        let piece = (start..end).into_par_iter().map(id);
        // Counted before they are listed: a piece of a large hierarchy may have millions of pairs.
        let count = |child: Id| {
            let truly_above = closure.above(child).len() as u64 + 1;
            columns.count_subsets(codes.row(child)) - truly_above
        };
        if found.len() as u64 + piece.clone().map(count).sum::<u64>() > most as u64 {
            return Ok(None);
        }
        let list = |child: Id| {
            let mut pairs = Vec::new();
            columns.each_subset(codes.row(child), |parent| {
                if parent != child && !closure.is_below(child, parent) {
                    pairs.push((child, parent));
                }
            });
            pairs
        };
        found.extend(piece.map(list).collect::<Vec<_>>().into_iter().flatten());
        progress.advance((end - start) as u64);
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hierarchy::testing::hierarchies;
    use crate::search::inherited_codes;

    proptest! {
        #[test]
        fn all_false_pairs_are_found_unless_they_are_too_many(
            hierarchy in hierarchies(), bits in 1..20usize, seed in any::<u64>()
        ) {
            let closure = Closure::new(hierarchy.dag());
            let codes = inherited_codes(hierarchy.dag(), bits, seed).unwrap();
            let is_false = |&(x, y): &Pair| x != y && codes.is_a(x, y) && !closure.is_below(x, y);
            let pairs = hierarchy.ids().flat_map(|x| hierarchy.ids().map(move |y| (x, y)));
            let wanted: Vec<Pair> = pairs.filter(is_false).collect();
            let found = |most| all_false_pairs(&codes, &closure, most, &()).unwrap();
            prop_assert_eq!(found(wanted.len()), Some(wanted.clone()));
            if !wanted.is_empty() {
                prop_assert_eq!(found(wanted.len() - 1), None);
            }
        }
    }
}
