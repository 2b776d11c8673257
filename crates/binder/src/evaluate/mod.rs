//! Evaluates codes over all n² − n ordered pairs (never a sample) or over listed pairs.

mod mistakes;
mod references;
mod strict;

pub use mistakes::{Mistake, first_listed_mistakes, first_mistakes};
pub use references::{
    closure_on_all_pairs, closure_on_listed, descendants_at_threshold, descendants_on_all_pairs,
    descendants_on_all_pairs_at, descendants_on_listed, descendants_threshold,
};
pub use strict::{all_pairs_strict, listed_strict};

use rayon::prelude::*;
use serde::Serialize;

use crate::bits::{Id, id};
use crate::codes::{Codes, Columns};
use crate::hierarchy::Hierarchy;
use crate::progress::{Cancelled, Progress};

/// The confusion matrix of a prediction: how often it was right and wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// Pairs that are is-a and predicted so.
    pub tp: u64,
    /// Pairs that are not is-a but predicted so.
    pub fp: u64,
    /// Pairs that are is-a but not predicted so.
    #[serde(rename = "fn")]
    pub false_negatives: u64,
    /// Pairs that are not is-a and not predicted so.
    pub tn: u64,
}

impl Confusion {
    /// Counts one pair.
    pub fn count(&mut self, predicted: bool, truly: bool) {
        *match (predicted, truly) {
            (true, true) => &mut self.tp,
            (true, false) => &mut self.fp,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.tn,
        } += 1;
    }

    /// The matrix from the numbers of all pairs, of true pairs, of predicted pairs, and of pairs
    /// that are both true and predicted.
    fn from_sizes(all: u64, truly: u64, predicted: u64, both: u64) -> Self {
        Self {
            tp: both,
            fp: predicted - both,
            false_negatives: truly - both,
            tn: all + both - predicted - truly,
        }
    }

    /// The number of pairs judged.
    pub fn pairs(&self) -> u64 {
        self.tp + self.fp + self.false_negatives + self.tn
    }

    /// The number of pairs judged wrongly.
    pub fn errors(&self) -> u64 {
        self.fp + self.false_negatives
    }

    /// The share of predicted pairs that are true; 1 if no pair is predicted.
    pub fn precision(&self) -> f64 {
        share(self.tp, self.tp + self.fp)
    }

    /// The share of true pairs that are predicted; 1 if no pair is true.
    pub fn recall(&self) -> f64 {
        share(self.tp, self.tp + self.false_negatives)
    }

    /// The harmonic mean of precision and recall, `2 tp / (2 tp + fp + fn)`; 1 if no pair is true
    /// and none is predicted.
    pub fn f1(&self) -> f64 {
        share(2 * self.tp, 2 * self.tp + self.errors())
    }

    /// The share of pairs judged correctly.
    pub fn accuracy(&self) -> f64 {
        share(self.tp + self.tn, self.pairs())
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs are far below 2^53")]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The result of evaluating codes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// Right and wrong predictions.
    pub confusion: Confusion,
    /// The number of unordered pairs of concepts with equal codes; for listed pairs, how many of
    /// them have equal codes. Equal codes are predicted is-a in both directions, so among all pairs
    /// each such pair is at least one error.
    pub equal_pairs: u64,
}

/// Evaluates codes over all n² − n ordered pairs against the hierarchy's closure.
///
/// The codes predict `Σ_y |{x : code(x) ⊇ code(y)}| − n` pairs, counted by columns. If the codes
/// predict every *direct* pair, they predict all true pairs, because ⊇ is transitive. Otherwise the
/// true pairs that they predict are counted one by one.
///
/// # Examples
///
/// ```
/// use binder::{Hierarchy, codes::Codes, evaluate};
/// let pets = Hierarchy::from_pairs([("pet", "animal"), ("cat", "pet")])?;
/// let codes = Codes::from_words(1, vec![0, 1, 1])?; // animal, pet, cat
/// let confusion = evaluate::all_pairs(&codes, &pets).confusion;
/// assert_eq!((confusion.tp, confusion.fp), (3, 1)); // pet is-a cat is wrong
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// When there is not one code for each concept.
pub fn all_pairs(codes: &Codes, hierarchy: &Hierarchy) -> Evaluation {
    all_pairs_with(codes, hierarchy, &()).expect("`()` never cancels")
}

/// Evaluates like [`all_pairs`], with progress.
///
/// # Errors
///
/// When the work is cancelled.
///
/// # Panics
///
/// When there is not one code for each concept.
pub fn all_pairs_with(
    codes: &Codes,
    hierarchy: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Evaluation, Cancelled> {
    with_columns(codes, &Columns::new(codes), hierarchy, progress)
}

/// Evaluates like [`all_pairs_with`], with columns that the caller already has.
///
/// # Errors
///
/// When the work is cancelled.
///
/// # Panics
///
/// When there is not one code for each concept.
pub fn with_columns(
    codes: &Codes,
    columns: &Columns,
    hierarchy: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Evaluation, Cancelled> {
    assert_eq!(codes.len(), hierarchy.len(), "one code for each concept");
    let n = codes.len() as u64;
    progress.start("checking all pairs", Some(n));
    let predicted = predicted_pairs(codes, columns, hierarchy, progress)?;
    let truly = hierarchy.closure_len();
    let both = if hierarchy.pairs().all(|(child, parent)| codes.is_a(child, parent)) {
        truly
    } else {
        true_pairs_predicted(codes, hierarchy)
    };
    let all = n * n.saturating_sub(1);
    let confusion = Confusion::from_sizes(all, truly, predicted, both);
    // Equal codes say is-a both ways, and at most one of the two is true.
    let equal_pairs = if confusion.fp == 0 { 0 } else { codes.equal_pairs() };
    Ok(Evaluation { confusion, equal_pairs })
}

/// The number of concepts that a thread counts at a time.
const CHUNK: usize = 1024;

/// The number of ordered pairs of different concepts that the codes predict to be is-a.
fn predicted_pairs(
    codes: &Codes,
    columns: &Columns,
    hierarchy: &Hierarchy,
    progress: &dyn Progress,
) -> Result<u64, Cancelled> {
    let n = codes.len();
    let count = |chunk: usize| {
        progress.go_on()?;
        let concepts = id(chunk * CHUNK)..id((chunk * CHUNK + CHUNK).min(n));
        // The last parent is the nearest, so its supersets are the ones most likely known.
        let above = |concept: Id| hierarchy.parents(concept).last().copied();
        let count = columns.count_supersets_of_each(codes, concepts, above);
        progress.advance(CHUNK as u64);
        Ok(count)
    };
    let chunks = (0..n.div_ceil(CHUNK)).into_par_iter();
    let with_self: u64 = chunks.map(count).try_reduce(|| 0, |a, b| Ok(a + b))?;
    Ok(with_self - codes.len() as u64)
}

fn true_pairs_predicted(codes: &Codes, hierarchy: &Hierarchy) -> u64 {
    let predicted = |child: Id| {
        hierarchy.ancestors(child).into_iter().filter(|&parent| codes.is_a(child, parent)).count()
    };
    hierarchy.ids().into_par_iter().map(|child| predicted(child) as u64).sum()
}

/// Evaluates codes over listed (child, parent) pairs.
///
/// # Panics
///
/// When a listed concept has no code.
pub fn listed(codes: &Codes, positives: &[(Id, Id)], negatives: &[(Id, Id)]) -> Evaluation {
    let confusion = judge(positives, negatives, |child, parent| codes.is_a(child, parent));
    let equal = |&&(child, parent): &&(Id, Id)| codes.row(child) == codes.row(parent);
    Evaluation {
        confusion,
        equal_pairs: positives.iter().chain(negatives).filter(equal).count() as u64,
    }
}

/// The confusion matrix of any predictor over listed pairs.
pub(crate) fn judge(
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
    predicts: impl Fn(Id, Id) -> bool,
) -> Confusion {
    let mut confusion = Confusion::default();
    positives.iter().for_each(|&(child, parent)| confusion.count(predicts(child, parent), true));
    negatives.iter().for_each(|&(child, parent)| confusion.count(predicts(child, parent), false));
    confusion
}
