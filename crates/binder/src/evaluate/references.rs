//! Two reference predictors that need no codes, to compare scores with.
//!
//! The symbolic closure of the training pairs scores 100 % on the usual link-prediction tests,
//! because the test pairs follow from the direct pairs. The "many descendants" baseline ignores the
//! child. Its score shows how far the popularity of the parent alone goes.

use rayon::prelude::*;

use super::{Confusion, judge};
use crate::bits::Id;
use crate::hierarchy::Hierarchy;

/// Evaluates the closure of `train` as a predictor of listed pairs, which are ids of `train`.
pub fn closure_on_listed(
    train: &Hierarchy,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> Confusion {
    judge(positives, negatives, |child, parent| train.is_strictly_below(child, parent))
}

/// Evaluates the closure of `train` as a predictor of all pairs of `truth`'s concepts. Concepts
/// that only `train` has do not count. Concepts of `train` that are one concept in `truth` count as
/// one.
pub fn closure_on_all_pairs(train: &Hierarchy, truth: &Hierarchy) -> Confusion {
    let truly = truth.closure_len();
    if train == truth {
        return Confusion::from_sizes(all(truth), truly, truly, truly);
    }
    let in_truth: Vec<Option<Id>> =
        train.names().texts().iter().map(|name| truth.id(name)).collect();
    let mut in_train = vec![Vec::new(); truth.len()];
    for (trained, true_id) in (0..).zip(&in_truth) {
        true_id.iter().for_each(|&id| in_train[id as usize].push(trained));
    }
    let count = |child: Id| {
        let above = in_train[child as usize].iter().flat_map(|&trained| train.ancestors(trained));
        let mut predicted: Vec<Id> =
            above.filter_map(|above| in_truth[above as usize]).filter(|&p| p != child).collect();
        predicted.sort_unstable();
        predicted.dedup();
        let truly = truth.ancestors(child);
        let both = predicted.iter().filter(|parent| truly.binary_search(parent).is_ok()).count();
        (predicted.len() as u64, both as u64)
    };
    let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    let (predicted, both) = truth.ids().into_par_iter().map(count).reduce(|| (0, 0), add);
    Confusion::from_sizes(all(truth), truly, predicted, both)
}

fn all(truth: &Hierarchy) -> u64 {
    truth.len() as u64 * (truth.len() as u64).saturating_sub(1)
}

/// Evaluates the "many descendants" baseline on listed pairs, which are ids of `train`: every
/// concept is-a `p` if the number of `p`'s descendants in `train` reaches a threshold. The
/// threshold with the best F1 on these pairs is used, so the score is an upper bound for this
/// baseline.
pub fn descendants_on_listed(
    train: &Hierarchy,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> Confusion {
    best_threshold(train, positives, negatives).1
}

/// The threshold that [`descendants_on_listed`] uses. With it, the threshold can be chosen on one
/// list and [used on another](descendants_at_threshold).
pub fn descendants_threshold(
    train: &Hierarchy,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> u64 {
    best_threshold(train, positives, negatives).0
}

/// Evaluates the "many descendants" baseline at a given threshold on listed pairs, which are ids of
/// `train`.
pub fn descendants_at_threshold(
    train: &Hierarchy,
    threshold: u64,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> Confusion {
    let descendants = train.descendant_counts();
    judge(positives, negatives, |_, parent| descendants[parent as usize] >= threshold)
}

/// The threshold with the best F1 on the listed pairs, and its confusion matrix. Without positives
/// the threshold is one that no concept reaches.
fn best_threshold(
    train: &Hierarchy,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> (u64, Confusion) {
    let descendants = train.descendant_counts();
    let of = |pairs: &[(Id, Id)]| {
        let mut counts: Vec<u64> =
            pairs.iter().map(|&(_, parent)| descendants[parent as usize]).collect();
        counts.sort_unstable();
        counts
    };
    let (positive, negative) = (of(positives), of(negatives));
    let at_least =
        |sorted: &[u64], count: u64| (sorted.len() - sorted.partition_point(|&c| c < count)) as u64;
    let (truly, judged) = (positive.len() as u64, (positive.len() + negative.len()) as u64);
    let at = |&threshold: &u64| {
        let both = at_least(&positive, threshold);
        (
            threshold,
            Confusion::from_sizes(judged, truly, both + at_least(&negative, threshold), both),
        )
    };
    let better = |best: (u64, Confusion), next: (u64, Confusion)| {
        if next.1.f1() > best.1.f1() { next } else { best }
    };
    let nothing = (u64::MAX, Confusion::from_sizes(judged, truly, 0, 0));
    positive.iter().map(at).reduce(better).unwrap_or(nothing)
}

/// Evaluates the "many descendants" baseline, with the best threshold, on all pairs of `truth`'s
/// concepts.
pub fn descendants_on_all_pairs(truth: &Hierarchy) -> Confusion {
    let mut descendants = truth.descendant_counts();
    descendants.sort_unstable_by(|a, b| b.cmp(a));
    let (truly, others) = (descendants.iter().sum(), truth.len().saturating_sub(1) as u64);
    let (mut predicted, mut both) = (0, 0);
    let by_threshold = descendants.iter().map(|&count| {
        predicted += others;
        both += count;
        Confusion::from_sizes(all(truth), truly, predicted, both)
    });
    best(by_threshold).unwrap_or_default()
}

/// Evaluates the "many descendants" baseline at a given threshold on all pairs of `truth`'s
/// concepts.
pub fn descendants_on_all_pairs_at(truth: &Hierarchy, threshold: u64) -> Confusion {
    let counts = truth.descendant_counts();
    let (truly, others) = (counts.iter().sum(), truth.len().saturating_sub(1) as u64);
    let taken = counts.iter().filter(|&&count| count >= threshold);
    let (predicted, both) =
        taken.fold((0, 0), |(predicted, both), count| (predicted + others, both + count));
    Confusion::from_sizes(all(truth), truly, predicted, both)
}

/// The matrix with the best F1; the first one in case of a tie.
fn best(confusions: impl Iterator<Item = Confusion>) -> Option<Confusion> {
    confusions.reduce(|best, next| if next.f1() > best.f1() { next } else { best })
}
