//! The three losses of a positive pair and its negatives.
//!
//! With `s0` the score of the positive, `s1 … sK` those of its negatives, `w` the weight of the
//! negatives, sp(x) = log(1 + e^x) and sg(x) = 1 / (1 + e^−x):
//!
//! - [`Loss::Logit`], for scores of any size. The negatives are weighted by themselves, `q` =
//!   softmax(s1 … sK), and the weights are part of what is differentiated:
//!   `(1−w) sp(−s0) + w Σ qk nk`, `nk = sp(sk)`. With `n̄ = Σ qk nk`,
//!   `∂s0 = −(1−w) sg(−s0)` and `∂sk = w qk (sg(sk) + nk − n̄)`.
//! - [`Loss::LogProbability`], for scores that are log-probabilities, at most 0:
//!   `−(1−w) s0 + w Σ qk nk`, `nk = −log(1 − e^sk)`, `q = softmax(sk + nk)`. With
//!   `ok = e^sk / (1 − e^sk)`, `∂s0 = −(1−w)` and `∂sk = w qk (ok + (nk − n̄)(1 + ok))`.
//! - [`Loss::Margin`]: `−(1−w) s0 + w/K Σ [m + sk]+`. `∂s0 = −(1−w)`, `∂sk = w/K` where
//!   `m + sk > 0`.

use crate::real::{Real, polynomial};

/// A loss. The module has the formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Logistic, for scores of any size.
    Logit,
    /// Negative log-likelihood, for scores that are log-probabilities.
    LogProbability,
    /// A margin, for scores that are negated costs.
    Margin,
}

/// The weights of a loss.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weights<R> {
    /// `w`, the share of the negatives.
    pub(crate) negatives: R,
    /// `m`.
    pub(crate) margin: R,
}

/// A log-probability stays below this: log(1 − e^s) has no value at 0.
const LARGEST_LOG_PROBABILITY: f64 = -1e-7;

impl Loss {
    /// The loss of the scores, the positive's first. `slopes` gets the derivatives.
    #[inline(always)]
    pub(crate) fn of<R: Real>(self, scores: &[R], weights: Weights<R>, slopes: &mut [R]) -> R {
        match self {
            Self::Logit => logit(scores, weights.negatives, slopes),
            Self::LogProbability => log_probability(scores, weights.negatives, slopes),
            Self::Margin => margin(scores, weights, slopes),
        }
    }
}

#[inline(always)]
fn logit<R: Real>(scores: &[R], w: R, slopes: &mut [R]) -> R {
    let (positive, negatives) = (scores[0], &scores[1..]);
    slopes[0] = -(R::ONE - w) * (-positive).sigmoid();
    let slopes = &mut slopes[1..];
    softmax(negatives, slopes);
    let mut mean = R::ZERO;
    for (&score, &weight) in negatives.iter().zip(&*slopes) {
        mean += weight * score.softplus();
    }
    for (&score, slope) in negatives.iter().zip(slopes) {
        *slope = w * *slope * (score.sigmoid() + score.softplus() - mean);
    }
    (R::ONE - w) * (-positive).softplus() + w * mean
}

#[inline(always)]
fn log_probability<R: Real>(scores: &[R], w: R, slopes: &mut [R]) -> R {
    let (positive, negatives) = (scores[0], &scores[1..]);
    slopes[0] = -(R::ONE - w);
    let slopes = &mut slopes[1..];
    let below = |score: R| score.smaller(R::of(LARGEST_LOG_PROBABILITY));
    for (&score, slope) in negatives.iter().zip(&mut *slopes) {
        *slope = below(score) + surprise(below(score));
    }
    softmax_in_place(slopes);
    let mut mean = R::ZERO;
    for (&score, &weight) in negatives.iter().zip(&*slopes) {
        mean += weight * surprise(below(score));
    }
    for (&score, slope) in negatives.iter().zip(slopes) {
        let surprise = surprise(below(score));
        // e^s / (1 − e^s) = e^(s + n).
        let odds = (below(score) + surprise).exp();
        *slope = w * *slope * (odds + (surprise - mean) * (R::ONE + odds));
    }
    -(R::ONE - w) * positive + w * mean
}

/// −log(1 − e^s) for s < 0: where e^s is near 1, the difference comes from e^s − 1 itself.
#[inline(always)]
fn surprise<R: Real>(score: R) -> R {
    // 1 − e^s = −s (1 + s/2 + s²/6 + …): eight terms are exact to the last digit for s > −0.5.
    let series = polynomial!(
        score,
        R::of(1.0 / 40_320.0),
        R::of(1.0 / 5040.0),
        R::of(1.0 / 720.0),
        R::of(1.0 / 120.0),
        R::of(1.0 / 24.0),
        R::of(1.0 / 6.0),
        R::of(0.5),
        R::ONE
    );
    let near = -score * series;
    let far = R::ONE - score.exp();
    let rest = if score > R::of(-0.5) { near } else { far };
    -rest.ln()
}

#[inline(always)]
fn margin<R: Real>(scores: &[R], weights: Weights<R>, slopes: &mut [R]) -> R {
    let (positive, negatives) = (scores[0], &scores[1..]);
    #[expect(clippy::cast_precision_loss, reason = "a number of negatives is far below 2^53")]
    let each = weights.negatives / R::of(negatives.len().max(1) as f64);
    slopes[0] = -(R::ONE - weights.negatives);
    let mut over = R::ZERO;
    for (&score, slope) in negatives.iter().zip(&mut slopes[1..]) {
        let by = weights.margin + score;
        over += by.positive();
        *slope = if by > R::ZERO { each } else { R::ZERO };
    }
    -(R::ONE - weights.negatives) * positive + each * over
}

#[inline(always)]
fn softmax<R: Real>(scores: &[R], weights: &mut [R]) {
    weights.copy_from_slice(scores);
    softmax_in_place(weights);
}

#[inline(always)]
fn softmax_in_place<R: Real>(scores: &mut [R]) {
    let Some(&first) = scores.first() else { return };
    let largest = scores.iter().fold(first, |largest, &score| largest.larger(score));
    let mut sum = R::ZERO;
    for score in &mut *scores {
        *score = (*score - largest).exp();
    }
    for &score in &*scores {
        sum += score;
    }
    let share = R::ONE / sum;
    for score in scores {
        *score = *score * share;
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const WEIGHTS: Weights<f64> = Weights { negatives: 0.9, margin: 1.0 };

    fn value(loss: Loss, scores: &[f64]) -> f64 {
        loss.of(scores, WEIGHTS, &mut vec![0.0; scores.len()])
    }

    fn check(loss: Loss, scores: &[f64]) -> Result<(), TestCaseError> {
        let mut slopes = vec![0.0; scores.len()];
        loss.of(scores, WEIGHTS, &mut slopes);
        for at in 0..scores.len() {
            let moved = |by: f64| {
                let mut scores = scores.to_vec();
                scores[at] += by;
                value(loss, &scores)
            };
            let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            let error = (slope - slopes[at]).abs();
            prop_assert!(error < 1e-6 * slope.abs().max(1.0), "{slope} {}", slopes[at]);
        }
        let (short, mut fast): (Vec<f32>, _) =
            (scores.iter().map(|&score| Real::of(score)).collect(), vec![0f32; scores.len()]);
        let weights = Weights { negatives: 0.9f32, margin: 1.0 };
        let (fast_loss, plain) = (loss.of(&short, weights, &mut fast), value(loss, scores));
        prop_assert!((f64::from(fast_loss) - plain).abs() < 1e-5 * plain.abs().max(1.0));
        for (fast, slope) in fast.iter().zip(&slopes) {
            prop_assert!((f64::from(*fast) - slope).abs() < 1e-4 * slope.abs().max(0.01));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn slopes_are_those_of_the_logistic_loss(scores in vec(-15.0f64..15.0, 2..20)) {
            check(Loss::Logit, &scores)?;
        }

        #[test]
        fn slopes_are_those_of_the_log_probability_loss(scores in vec(-15.0f64..-0.01, 2..20)) {
            check(Loss::LogProbability, &scores)?;
        }

        #[test]
        fn slopes_are_those_of_the_margin_loss(scores in vec(-5.0f64..0.0, 2..20)) {
            prop_assume!(scores.iter().all(|score| (score + 1.0).abs() > 1e-5));
            check(Loss::Margin, &scores)?;
        }
    }

    #[test]
    fn a_certain_negative_has_a_finite_loss() {
        let mut slopes = [0.0f32; 3];
        let weights = Weights { negatives: 0.9, margin: 1.0 };
        let loss = Loss::LogProbability.of(&[-0.5, 0.0, -3.0], weights, &mut slopes);
        assert!(loss.is_finite() && slopes.iter().all(|slope| slope.is_finite()), "{slopes:?}");
    }
}
