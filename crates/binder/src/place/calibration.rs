//! How sure an answer may be: scores as chances that come true as often as they say.
//!
//! A softmax divides 1 among all candidates, also where a concept has two parents and each gets a
//! half. What is asked for is the chance that a place is a parent at all. It is learnt from hidden
//! concepts that the trees have not seen, in two steps: a temperature for the softmax, and a line
//! in the logits,
//!
//! ```text
//!   p = σ(slope · logit(share) + offset)        share of the softmax → chance of being a parent
//! ```

use std::ops::Range;

use rayon::prelude::*;

use super::trees::{Table, Trees, weighted};

/// What turns scores into chances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Calibration {
    /// What scores are divided by.
    pub(super) temperature: f64,
    pub(super) slope: f64,
    pub(super) offset: f64,
}

/// A line that is far from "chances are shares" needs evidence: this is what so many places say.
const PRIOR: f64 = 8.0;

/// Steps of Newton's method. It converges in a few.
const STEPS: usize = 25;

impl Calibration {
    /// Chances are shares of the softmax.
    pub(super) fn of_shares(temperature: f64) -> Self {
        Self { temperature, slope: 1.0, offset: 0.0 }
    }

    /// Learns from queries that trees have not seen.
    pub(super) fn fit(judged: &[Judged]) -> Self {
        let loss = |temperature: f64| judged.iter().map(|part| part.loss(temperature)).sum::<f64>();
        let steps = (20..=120).map(|step| f64::from(step) / 40.0);
        let losses = steps.map(|temperature| (loss(temperature), temperature));
        let best = losses.min_by(|a, b| a.0.total_cmp(&b.0));
        let temperature = best.map_or(1.0, |(_, temperature)| temperature);
        let firsts: Vec<(f64, bool)> =
            judged.iter().flat_map(|part| part.first_places(temperature)).collect();
        let (slope, offset) = line(&firsts);
        Self { temperature, slope, offset }
    }

    /// The chance that a place is a parent which has this share of the softmax.
    pub(super) fn chance(&self, share: f64) -> f64 {
        sigmoid(self.slope * logit(share) + self.offset)
    }

    /// A chance as it is said. Whoever adds a concept from 0.8 on wants 92 % of those to be right,
    /// and of WordNet's hidden leaves (draw 101) with a chance of 0.8 to 0.9, 83 % were. So 0.8 is
    /// said of 0.88, and what is between 0.7 and 1 follows.
    pub(super) fn said(&self, share: f64) -> f64 {
        let (from, sure, said) = (0.7, 0.88, 0.8);
        match self.chance(share) {
            p if p < from => p,
            p if p < sure => from + (p - from) * (said - from) / (sure - from),
            p => said + (p - sure) * (1.0 - said) / (1.0 - sure),
        }
    }
}

/// Queries, and the scores that trees which have not seen them give to their candidates.
pub(super) struct Judged {
    table: Table,
    scores: Vec<f64>,
}

impl Judged {
    pub(super) fn new(trees: &Trees, table: Table) -> Self {
        let rows = table.values.par_chunks_exact(table.width.max(1));
        let scores = rows.map(|row| f64::from(trees.score(row))).collect();
        Self { table, scores }
    }

    /// The rows of each query, with their shares of the softmax.
    fn shares(&self, temperature: f64) -> impl Iterator<Item = (Range<usize>, Vec<f64>)> + '_ {
        self.table.starts.windows(2).map(move |bounds| {
            let rows = bounds[0]..bounds[1];
            let scores: Vec<f64> =
                self.scores[rows.clone()].iter().map(|score| score / temperature).collect();
            let shares = weighted(&scores, self.table.weights[rows.clone()].iter().copied());
            (rows, shares)
        })
    }

    /// How surprising the right candidates are.
    fn loss(&self, temperature: f64) -> f64 {
        let of_query = |(rows, shares): (Range<usize>, Vec<f64>)| {
            let wanted = shares.into_iter().zip(&self.table.wanted[rows]);
            wanted
                .map(|(share, &wanted)| -f64::from(wanted) * libm::log(share.max(1e-12)))
                .sum::<f64>()
        };
        self.shares(temperature).map(of_query).sum()
    }

    /// The share of each query's likeliest candidate, and whether it is right. The last row of a
    /// query stands for none of them.
    fn first_places(&self, temperature: f64) -> Vec<(f64, bool)> {
        let of_query = |(rows, shares): (Range<usize>, Vec<f64>)| {
            let weighed = shares.iter().zip(&self.table.weights[rows.clone()]);
            let single: Vec<f64> =
                weighed.map(|(share, &weight)| share / f64::from(weight)).collect();
            let candidates = 0..single.len().checked_sub(1)?;
            let best =
                candidates.max_by(|&a, &b| single[a].total_cmp(&single[b]).then(b.cmp(&a)))?;
            Some((single[best], self.table.wanted[rows.start + best] > 0.0))
        };
        self.shares(temperature).filter_map(of_query).collect()
    }
}

/// Slope and offset with the least log-loss, and [`PRIOR`] for a slope of 1 and an offset of 0.
fn line(firsts: &[(f64, bool)]) -> (f64, f64) {
    let (mut slope, mut offset) = (1.0, 0.0);
    for _ in 0..STEPS {
        let mut gradient = [PRIOR * (slope - 1.0), PRIOR * offset];
        let mut curve = [PRIOR, 0.0, PRIOR];
        for &(share, right) in firsts {
            let x = logit(share);
            let p = sigmoid(slope * x + offset);
            let (error, weight) = (p - f64::from(u8::from(right)), p * (1.0 - p));
            gradient = [gradient[0] + error * x, gradient[1] + error];
            curve = [curve[0] + weight * x * x, curve[1] + weight * x, curve[2] + weight];
        }
        let scale = curve[0] * curve[2] - curve[1] * curve[1];
        slope -= (curve[2] * gradient[0] - curve[1] * gradient[1]) / scale;
        offset -= (curve[0] * gradient[1] - curve[1] * gradient[0]) / scale;
        // Newton's steps may overshoot. Likelier places are never said to be less likely.
        slope = slope.clamp(0.2, 5.0);
        offset = offset.clamp(-5.0, 5.0);
    }
    (slope, offset)
}

fn logit(share: f64) -> f64 {
    let share = share.clamp(1e-9, 1.0 - 1e-9);
    libm::log(share / (1.0 - share))
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many places of each share, of which so many are right.
    fn places(of: &[(f64, usize, usize)]) -> Vec<(f64, bool)> {
        let each = |&(share, count, right): &(f64, usize, usize)| {
            (0..count).map(move |at| (share, at < right))
        };
        of.iter().flat_map(each).collect()
    }

    #[test]
    fn what_comes_true_stays() {
        let (slope, offset) = line(&places(&[(0.2, 500, 100), (0.5, 400, 200), (0.9, 500, 450)]));
        assert!((slope - 1.0).abs() < 0.02 && offset.abs() < 0.02, "{slope} {offset}");
    }

    #[test]
    fn halves_of_two_parents_are_two_right_places() {
        let (slope, offset) = line(&places(&[(0.3, 400, 240), (0.5, 400, 380), (0.1, 400, 60)]));
        let calibration = Calibration { slope, offset, temperature: 1.0 };
        assert!(calibration.chance(0.5) > 0.85, "{calibration:?}");
        assert!((calibration.chance(0.1) - 0.15).abs() < 0.08, "{calibration:?}");
    }

    #[test]
    fn few_places_change_little_and_none_nothing() {
        assert_eq!(line(&[]), (1.0, 0.0));
        let (slope, offset) = line(&places(&[(0.5, 4, 4)]));
        assert!((slope - 1.0).abs() < 0.1 && offset > 0.0 && offset < 0.5, "{slope} {offset}");
    }

    #[test]
    fn chances_rise_with_shares() {
        let calibration = Calibration { slope: 1.3, offset: 0.4, temperature: 1.0 };
        let said: Vec<f64> = (0..=100).map(|at| calibration.said(f64::from(at) / 100.0)).collect();
        assert!(said.windows(2).all(|pair| pair[0] < pair[1]), "{said:?}");
        assert!(said[0] >= 0.0 && said[100] <= 1.0);
        assert!((Calibration::of_shares(1.0).said(0.88) - 0.8).abs() < 1e-9);
    }
}
