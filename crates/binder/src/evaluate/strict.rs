//! The published runs' reading of equal codes: two concepts with one code are *not* is-a, in either
//! direction.
//!
//! The paper's equation 1 says that they are, both ways, and so does everything else here. Its
//! tables were made the other way, so whoever compares with them wants both numbers.

use rayon::prelude::*;

use super::{Confusion, Evaluation, judge};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;

/// What [`all_pairs`](super::all_pairs) `judged`, with equal codes as not is-a.
///
/// Each unordered pair of equal codes was predicted both ways; whichever of these two pairs is true
/// becomes a miss.
pub fn all_pairs_strict(codes: &Codes, hierarchy: &Hierarchy, judged: &Evaluation) -> Confusion {
    let Evaluation { confusion, equal_pairs } = *judged;
    if equal_pairs == 0 {
        return confusion;
    }
    let equal = |child: Id| {
        let same = |parent: &Id| codes.row(child) == codes.row(*parent);
        hierarchy.ancestors(child).iter().filter(|&parent| same(parent)).count() as u64
    };
    let true_ones: u64 = hierarchy.ids().into_par_iter().map(equal).sum();
    let false_ones = 2 * equal_pairs - true_ones;
    Confusion {
        tp: confusion.tp - true_ones,
        fp: confusion.fp - false_ones,
        false_negatives: confusion.false_negatives + true_ones,
        tn: confusion.tn + false_ones,
    }
}

/// [`listed`](super::listed) with equal codes as not is-a.
pub fn listed_strict(codes: &Codes, positives: &[(Id, Id)], negatives: &[(Id, Id)]) -> Confusion {
    let predicts =
        |child, parent| codes.is_a(child, parent) && codes.row(child) != codes.row(parent);
    judge(positives, negatives, predicts)
}
