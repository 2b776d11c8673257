//! Strict evaluation: two concepts with equal codes count as *not* is-a, in either direction.
//!
//! By the paper's equation 1 they are is-a in both directions, and everything else here follows
//! that. The paper's tables were made with strict evaluation, so a comparison with them needs both
//! numbers.

use rayon::prelude::*;

use super::{Confusion, Evaluation, judge};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;

/// Turns the result of [`all_pairs`](super::all_pairs), `judged`, into the strict one, in which
/// equal codes are not is-a.
///
/// Each unordered pair of equal codes was predicted in both directions. If one of these two pairs
/// is true, it becomes a false negative; the others become true negatives.
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

/// Evaluates listed pairs like [`listed`](super::listed), with equal codes as not is-a.
///
/// # Panics
///
/// When a listed concept has no code.
pub fn listed_strict(codes: &Codes, positives: &[(Id, Id)], negatives: &[(Id, Id)]) -> Confusion {
    let predicts =
        |child, parent| codes.is_a(child, parent) && codes.row(child) != codes.row(parent);
    judge(positives, negatives, predicts)
}
