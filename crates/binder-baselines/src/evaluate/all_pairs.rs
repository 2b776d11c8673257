use binder::bits::{VectorWork, vectorised};
use binder::evaluate::Confusion;
use binder::graph::Rows;
use binder::{Cancelled, Hierarchy, Id, Progress};
use rayon::prelude::*;

use super::Judgement;
use super::curve::{Curve, Negatives, key};
use super::radix;
use super::ranks::{RankSums, Ranks};
use crate::score::Scores;

/// Children and parents that are scored together, so that their rows stay in the cache.
const CHILDREN: Id = 64;
const PARENTS: Id = 256;

/// Blocks of children that share one count of negatives. Fewer would leave threads without work,
/// more would take more memory.
const COUNTS: usize = 64;

/// Negatives at or above the least positive that are sorted together. Sorted, they are counted in
/// one pass over the positives, not by a search for each.
const SORTED: usize = 1 << 20;

/// Judges scores on all n² − n pairs against a hierarchy's closure.
///
/// The positives are scored first. A negative is then only counted, by where it lies among them, so
/// memory grows with the positives alone (and a few megabytes for each thread).
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
    let false_negatives = positives.len() as u64 - tp;
    let confusion = Confusion { tp, fp, false_negatives, tn: negatives - fp };
    let measures = curve.measures(&counted, threshold, confusion);
    Ok(Judgement { measures, mrr: ranks.mrr(), hits: ranks.hits() })
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
        let mut listed = Listed::default();
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
                    self.child(child, parents.clone(), ranks, &mut part.fp, &mut listed);
                }
                if listed.keys.len() >= SORTED {
                    listed.count(self.curve, &mut part.counted);
                }
            }
            ranks.iter().for_each(|ranks| ranks.add_to(&mut part.ranks));
        }
        listed.count(self.curve, &mut part.counted);
        Ok(part)
    }

    /// Counts the negatives of one child among some parents.
    fn child(
        &self,
        child: Id,
        parents: std::ops::Range<Id>,
        ranks: &mut Ranks,
        fp: &mut u64,
        listed: &mut Listed,
    ) {
        let mut buffer = [0.0; PARENTS as usize];
        let scores = &mut buffer[..(parents.end - parents.start) as usize];
        self.scores.of_child(child, parents.clone(), scores);
        // What is no negative compares as false with everything.
        let above = self.closure.row(child);
        let first = above.partition_point(|&parent| parent < parents.start);
        let positives = above[first..].iter().take_while(|&&parent| parent < parents.end);
        for parent in positives.chain(parents.contains(&child).then_some(&child)) {
            scores[(parent - parents.start) as usize] = f32::NAN;
        }
        let (threshold, least) = (self.threshold, self.curve.least());
        *fp += vectorised(CountNegatives { scores, threshold, least, ranks, listed });
    }
}

/// The keys of negatives that are still to be counted.
#[derive(Debug, Default)]
struct Listed {
    keys: Vec<u32>,
    spare: Vec<u32>,
}

impl Listed {
    /// Adds the keys of the scores that are at least `least`.
    #[inline(always)]
    fn add(&mut self, scores: &[f32], least: f32) {
        let mut length = self.keys.len();
        self.keys.resize(length + scores.len(), 0);
        for &score in scores {
            self.keys[length] = key(score);
            length += usize::from(score >= least);
        }
        self.keys.truncate(length);
    }

    /// Counts and forgets them.
    fn count(&mut self, curve: &Curve, counted: &mut Negatives) {
        radix::sort(&mut self.keys, &mut self.spare);
        curve.count_sorted(&self.keys, counted);
        self.keys.clear();
    }
}

/// Counts the scores of a child's negatives, and gives how many are at or above the threshold.
struct CountNegatives<'a> {
    scores: &'a [f32],
    threshold: f32,
    least: f32,
    ranks: &'a mut Ranks,
    listed: &'a mut Listed,
}

impl VectorWork for CountNegatives<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let at_least =
            |bound: f32| self.scores.iter().map(|&score| u32::from(score >= bound)).sum::<u32>();
        if at_least(self.least) > 0 {
            self.listed.add(self.scores, self.least);
        }
        self.ranks.count_all(self.scores);
        at_least(self.threshold).into()
    }
}
