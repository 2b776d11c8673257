use std::collections::BTreeMap;

use binder::evaluate::Confusion;
use binder::{Hierarchy, Id};
use rayon::prelude::*;

use super::curve::Curve;
use super::ranks::{RankSums, Ranks};
use super::{Judgement, Measures};
use crate::score::Scores;

/// Judges scores on listed (child, parent) pairs: those that are is-a and those that are not.
/// Parents are ranked among all concepts that neither `truth` nor the list has above the child.
pub fn listed(
    scores: &dyn Scores,
    threshold: f32,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
    truth: &Hierarchy,
) -> Judgement {
    let of_positives = scores.of_pairs(positives);
    let measures = of_scores(&of_positives, &scores.of_pairs(negatives), threshold);
    let ranks = ranks(scores, positives, &of_positives, truth);
    Judgement { measures, mrr: ranks.mrr(), hits: ranks.hits() }
}

/// [`listed`] without the ranks. They take a score for each concept and each child of the list,
/// which can be a thousand times as many as there are listed pairs.
pub fn measures(
    scores: &dyn Scores,
    threshold: f32,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
) -> Measures {
    of_scores(&scores.of_pairs(positives), &scores.of_pairs(negatives), threshold)
}

fn of_scores(of_positives: &[f32], of_negatives: &[f32], threshold: f32) -> Measures {
    let mut confusion = Confusion::default();
    of_positives.iter().for_each(|&score| confusion.count(score >= threshold, true));
    of_negatives.iter().for_each(|&score| confusion.count(score >= threshold, false));
    let curve = Curve::new(of_positives);
    let mut counted = curve.no_negatives();
    of_negatives.iter().for_each(|&score| curve.count(score, &mut counted));
    curve.measures(&counted, threshold, confusion)
}

fn ranks(
    scores: &dyn Scores,
    positives: &[(Id, Id)],
    of_positives: &[f32],
    truth: &Hierarchy,
) -> RankSums {
    let mut by_child: BTreeMap<Id, Vec<(Id, f32)>> = BTreeMap::new();
    for (&(child, parent), &score) in positives.iter().zip(of_positives) {
        by_child.entry(child).or_default().push((parent, score));
    }
    let children: Vec<_> = by_child.into_iter().collect();
    let of_child = |(child, parents): &(Id, Vec<(Id, f32)>)| {
        let mut above = truth.ancestors(*child);
        above.extend(parents.iter().map(|(parent, _)| *parent));
        above.push(*child);
        above.sort_unstable();
        let mut ranks = Ranks::new(parents.iter().map(|(_, score)| *score).collect());
        let mut all = vec![0.0; scores.concepts()];
        scores.of_child(*child, truth.ids(), &mut all);
        for (other, &score) in truth.ids().zip(&all) {
            if score >= ranks.least() && above.binary_search(&other).is_err() {
                ranks.count(score);
            }
        }
        let mut sums = RankSums::default();
        ranks.add_to(&mut sums);
        sums
    };
    let sums: Vec<_> = children.par_iter().map(of_child).collect();
    sums.iter().fold(RankSums::default(), RankSums::and)
}
