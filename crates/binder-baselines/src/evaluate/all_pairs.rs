use binder::evaluate::Confusion;
use binder::graph::Rows;
use binder::{Cancelled, Hierarchy, Id, Progress};
use rayon::prelude::*;

use super::Judgement;
use super::curve::{Curve, Negatives};
use super::ranks::{RankSums, Ranks};
use crate::score::Scores;

/// Children and parents that are scored together, so that their rows stay in the cache.
const CHILDREN: Id = 64;
const PARENTS: Id = 256;

/// Blocks of children that share one count of negatives. Fewer would leave threads without work,
/// more would take more memory.
const COUNTS: usize = 64;

/// Judges scores on all n² − n pairs against a hierarchy's closure.
///
/// The positives are scored first. A negative is then only counted, by where it lies among them, so
/// memory grows with the positives alone.
///
/// # Errors
///
/// When the work is cancelled.
///
/// # Panics
///
/// When there is not one row for each concept.
pub fn all_pairs(
    scores: &dyn Scores,
    threshold: f32,
    truth: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Judgement, Cancelled> {
    assert_eq!(scores.concepts(), truth.len(), "one row for each concept");
    progress.start("judging all pairs", Some(truth.len() as u64));
    let closure = truth.closure();
    let positives: Vec<_> = closure.pairs().collect();
    let of_positives = scores.of_pairs(&positives);
    let curve = Curve::new(&of_positives);
    let judge = Judge { scores, threshold, closure: &closure, curve: &curve, progress };
    let blocks: Vec<Id> = truth.ids().step_by(CHILDREN as usize).collect();
    let parts = blocks.par_chunks(blocks.len().div_ceil(COUNTS).max(1));
    let parts: Result<Vec<_>, Cancelled> = parts.map(|blocks| judge.blocks(blocks)).collect();
    let none = Part { counted: curve.no_negatives(), fp: 0, ranks: RankSums::default() };
    let Part { counted, fp, ranks } = parts?.iter().fold(none, Part::and);
    let n = truth.len() as u64;
    let negatives = n * n.saturating_sub(1) - positives.len() as u64;
    let tp = of_positives.iter().filter(|&&score| score >= threshold).count() as u64;
    let measures = curve.measures(&counted, negatives);
    Ok(Judgement {
        threshold,
        confusion: Confusion {
            tp,
            fp,
            false_negatives: positives.len() as u64 - tp,
            tn: negatives - fp,
        },
        best_threshold: measures.best_threshold,
        best_f1: measures.best_f1,
        auc: measures.auc,
        average_precision: measures.average_precision,
        mrr: ranks.mrr(),
        hits: ranks.hits(),
    })
}

struct Judge<'a> {
    scores: &'a dyn Scores,
    threshold: f32,
    closure: &'a Rows,
    curve: &'a Curve,
    progress: &'a dyn Progress,
}

/// What some children give.
struct Part {
    counted: Negatives,
    /// Negatives at or above the threshold.
    fp: u64,
    ranks: RankSums,
}

impl Part {
    fn and(self, other: &Self) -> Self {
        Self {
            counted: self.counted.and(&other.counted),
            fp: self.fp + other.fp,
            ranks: self.ranks.and(&other.ranks),
        }
    }
}

impl Judge<'_> {
    /// Judges blocks of children, given by their first.
    fn blocks(&self, blocks: &[Id]) -> Result<Part, Cancelled> {
        let mut part =
            Part { counted: self.curve.no_negatives(), fp: 0, ranks: RankSums::default() };
        for &first in blocks {
            if self.progress.is_cancelled() {
                return Err(Cancelled);
            }
            #[expect(clippy::cast_possible_truncation, reason = "there are no more than ids")]
            let concepts = self.scores.concepts() as Id;
            let children = first..concepts.min(first + CHILDREN);
            self.progress.advance(u64::from(children.end - children.start));
            let ranks = |child| {
                let pairs: Vec<_> =
                    self.closure.row(child).iter().map(|&parent| (child, parent)).collect();
                Ranks::new(self.scores.of_pairs(&pairs))
            };
            let mut ranks: Vec<_> = children.clone().map(ranks).collect();
            for parents in (0..concepts).step_by(PARENTS as usize) {
                let parents = parents..concepts.min(parents + PARENTS);
                for (child, ranks) in children.clone().zip(&mut ranks) {
                    self.child(child, parents.clone(), ranks, &mut part);
                }
            }
            ranks.iter().for_each(|ranks| ranks.add_to(&mut part.ranks));
        }
        Ok(part)
    }

    /// Counts the negatives of one child among some parents.
    fn child(&self, child: Id, parents: std::ops::Range<Id>, ranks: &mut Ranks, part: &mut Part) {
        let mut buffer = [0.0; PARENTS as usize];
        let scores = &mut buffer[..(parents.end - parents.start) as usize];
        self.scores.of_child(child, parents.clone(), scores);
        let (least, least_of_child) = (self.curve.least(), ranks.least());
        let floor = least.min(self.threshold);
        let above = self.closure.row(child);
        for (parent, &score) in parents.zip(&*scores) {
            if score < floor || parent == child || above.binary_search(&parent).is_ok() {
                continue;
            }
            part.fp += u64::from(score >= self.threshold);
            if score >= least {
                self.curve.count(score, &mut part.counted);
            }
            if score >= least_of_child {
                ranks.count(score);
            }
        }
    }
}
