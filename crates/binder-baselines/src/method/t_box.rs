use crate::embedding::{Embedding, End, Shape};
use crate::lanes::{add, sums_of_logs};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;
use crate::stages::Stages;

use super::boxes::{
    Corners, Shares, log_smooth_slope, log_smooth_slope_of, not_far, smooth, smooth_of,
    smooth_power,
};

/// t-Boxes (Boratko et al. 2021): Gumbel boxes with a temperature for every concept and dimension.
///
/// What is learnt are the lower corner z, the negated upper corner w, and b and q, which stand for
/// the temperatures of the corners and of the sides:
///
/// ```text
///   β = 0.0001 + (100 − 0.0001) sg(b)        τ = 0.01 + (1000 − 0.01) sg(q)
/// ```
///
/// A pair has the mean of both ends' temperatures, also for the size of the child's own box:
///
/// ```text
///   M = β log(e^(z_p/β) + e^(z_c/β))   M' the same with w   x = −M − M'   y = −z_c − w_c
///   s = Σ log sp(x/τ) − log sp(y/τ) = log P(p | c)
/// ```
///
/// With f = log sp, f' = sg / sp, ω = sg((z_p − z_c)/β), e = |z_p − z_c|/β, and ω', e' for w:
///
/// ```text
///   g = f'(x/τ)/τ     ∂z_p = −g ω     ∂z_c = −g (1 − ω) + f'(y/τ)/τ     w as z, with ω'
///   ∂β = −g (l(e) + l(e')),  l(e) = log(1 + e^−e) + e sg(−e)            half to each end
///   ∂τ = (f'(y/τ) y − f'(x/τ) x) / τ²                                   half to each end
/// ```
///
/// The code of Boratko et al. adds 1e-23 to every side; we bound its logarithm from below instead,
/// at e^−80, which an `f32` can hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TBox {
    pub(crate) dim: usize,
    /// The spread of the corners at the start.
    pub(crate) start: f64,
}

/// The least and the largest temperature, and the one at the start.
struct Range {
    least: f64,
    most: f64,
    first: f64,
}

const CORNERS: Range = Range { least: 1e-4, most: 100.0, first: 0.01 };
const SIDES: Range = Range { least: 0.01, most: 1000.0, first: 1.0 };

impl Range {
    #[inline(always)]
    fn temperature<R: Real>(&self, learnt: R) -> R {
        R::of(self.least) + R::of(self.most - self.least) * learnt.sigmoid()
    }

    #[inline(always)]
    fn slope<R: Real>(&self, learnt: R) -> R {
        let share = learnt.sigmoid();
        R::of(self.most - self.least) * share * (R::ONE - share)
    }

    /// What is learnt, for the temperature at the start.
    fn start(&self) -> f64 {
        let share = (self.first - self.least) / (self.most - self.least);
        libm::log(share / (1.0 - share))
    }
}

/// The four parts of a row: both corners and both temperatures.
#[inline(always)]
fn parts<R>(row: &[R], dim: usize) -> [&[R]; 4] {
    let (corners, temperatures) = row.split_at(2 * dim);
    let (lower, upper) = corners.split_at(dim);
    let (beta, tau) = temperatures.split_at(dim);
    [lower, upper, beta, tau]
}

#[inline(always)]
fn parts_mut<R>(row: &mut [R], dim: usize) -> [&mut [R]; 4] {
    let (corners, temperatures) = row.split_at_mut(2 * dim);
    let (lower, upper) = corners.split_at_mut(dim);
    let (beta, tau) = temperatures.split_at_mut(dim);
    [lower, upper, beta, tau]
}

impl Embedding for TBox {
    fn shape(&self) -> Shape {
        Shape { learnt: 4 * self.dim, derived: 4 * self.dim, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::LogProbability
    }

    /// In every dimension, two normal numbers in order.
    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        let [lower, upper, beta, tau] = parts_mut(row, self.dim);
        for (lower, upper) in lower.iter_mut().zip(upper) {
            let (one, other) = (draws.normal() * self.start, draws.normal() * self.start);
            (*lower, *upper) = (Real::of(one.min(other)), Real::of(-one.max(other)));
        }
        beta.fill(Real::of(CORNERS.start()));
        tau.fill(Real::of(SIDES.start()));
    }

    #[inline(always)]
    fn derive<R: Real>(&self, _: &[R], row: &[R], derived: &mut [R]) {
        let [_, _, b, q] = parts(row, self.dim);
        let (corners, temperatures) = derived.split_at_mut(2 * self.dim);
        let (beta, tau) = temperatures.split_at_mut(self.dim);
        corners.copy_from_slice(&row[..2 * self.dim]);
        add(
            [b, q],
            [beta, tau],
            #[inline(always)]
            |[b, q]| [CORNERS.temperature(b), SIDES.temperature(q)],
        );
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let [z_p, w_p, beta_p, tau_p] = parts(parent, self.dim);
        let [z_c, w_c, beta_c, tau_c] = parts(child, self.dim);
        let half = R::of(0.5);
        let [common, own] = sums_of_logs(
            [z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c],
            #[inline(always)]
            |[z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c]| {
                let beta = half * (beta_p + beta_c);
                let (sharp, cold) = (R::ONE / beta, R::ONE / (half * (tau_p + tau_c)));
                let corners = Corners::new((z_p, z_c), (w_p, w_c), beta, sharp);
                [smooth(corners.side * cold), smooth((-z_c - w_c) * cold)]
            },
        );
        common - own
    }

    /// In stages: for one pair at a time, every operation waits for the one before.
    #[inline(always)]
    fn scores<'a, R: Real + 'a>(&self, pair: impl Fn(usize) -> [&'a [R]; 2], scores: &mut [R]) {
        let half = R::of(0.5);
        let mut stages = Stages::<R, 5>::new(self.dim);
        let together = stages.pairs();
        for (first, scores) in (0..).step_by(together).zip(scores.chunks_mut(together)) {
            stages.clear();
            for number in first..first + scores.len() {
                let [parent, child] = pair(number);
                let [z_p, w_p, beta_p, tau_p] = parts(parent, self.dim);
                let [z_c, w_c, beta_c, tau_c] = parts(child, self.dim);
                stages.add(
                    [z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c],
                    #[inline(always)]
                    |[z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c]| {
                        let beta = half * (beta_p + beta_c);
                        let (sharp, cold) = (R::ONE / beta, R::ONE / (half * (tau_p + tau_c)));
                        let [sums, larger] = Corners::before_log((z_p, z_c), (w_p, w_c), sharp);
                        [sums, larger, beta, cold, (-z_c - w_c) * cold]
                    },
                );
            }
            stages.then(
                #[inline(always)]
                |[sums, larger, beta, cold, own]| {
                    let common = Corners::side_of([sums, larger], beta) * cold;
                    [common, own, R::ZERO, R::ZERO, R::ZERO]
                },
            );
            stages.then(
                #[inline(always)]
                |[common, own, ..]| {
                    let ([x, x_power], [y, y_power]) = (smooth_power(common), smooth_power(own));
                    [x, x_power, y, y_power, R::ZERO]
                },
            );
            stages.then(
                #[inline(always)]
                |[x, x_power, y, y_power, _]| {
                    let (common, own) = (smooth_of([x, x_power]), smooth_of([y, y_power]));
                    [common, own, R::ZERO, R::ZERO, R::ZERO]
                },
            );
            for (number, score) in scores.iter_mut().enumerate() {
                *score = stages.sum_of_logs(number, 0) - stages.sum_of_logs(number, 1);
            }
        }
    }

    #[inline(always)]
    fn gradient<R: Real>(
        &self,
        slope: R,
        parent: &[R],
        child: &[R],
        to_parent: &mut [R],
        to_child: &mut [R],
    ) {
        let [z_p, w_p, beta_p, tau_p] = parts(parent, self.dim);
        let [z_c, w_c, beta_c, tau_c] = parts(child, self.dim);
        let [to_z_p, to_w_p, to_beta_p, to_tau_p] = parts_mut(to_parent, self.dim);
        let [to_z_c, to_w_c, to_beta_c, to_tau_c] = parts_mut(to_child, self.dim);
        let half = R::of(0.5);
        add(
            [z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c],
            [to_z_p, to_w_p, to_beta_p, to_tau_p, to_z_c, to_w_c, to_beta_c, to_tau_c],
            #[inline(always)]
            |[z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c]| {
                let beta = half * (beta_p + beta_c);
                let (sharp, cold) = (R::ONE / beta, R::ONE / (half * (tau_p + tau_c)));
                let corners = Corners::new((z_p, z_c), (w_p, w_c), beta, sharp);
                let (x, y) = (corners.side, -z_c - w_c);
                let by_x = slope * cold * log_smooth_slope(x * cold);
                let by_y = slope * cold * log_smooth_slope(y * cold);
                let shares = corners.shares();
                let (z_share, w_share) = (shares.lower * by_x, shares.upper * by_x);
                let by_beta = -half * by_x * shares.by_beta;
                let by_tau = half * cold * (by_y * y - by_x * x);
                [
                    -z_share,
                    -w_share,
                    by_beta,
                    by_tau,
                    z_share - by_x + by_y,
                    w_share - by_x + by_y,
                    by_beta,
                    by_tau,
                ]
            },
        );
    }

    /// In stages, as scores are.
    #[inline(always)]
    fn gradients<'a, R: Real + 'a>(
        &self,
        own: &'a [R],
        ends: usize,
        end: impl Fn(usize) -> End<'a, R>,
        to_own: &mut [R],
        _: &mut [R],
    ) {
        let half = R::of(0.5);
        let [to_z, to_w, to_beta, to_tau] = parts_mut(to_own, self.dim);
        let mut stages = Stages::<R, 8>::new(self.dim);
        let together = stages.pairs();
        for first in (0..ends).step_by(together) {
            let round = first..ends.min(first + together);
            stages.clear();
            for number in round.clone() {
                let [parent, child] = end(number).rows(own);
                let [z_p, w_p, beta_p, tau_p] = parts(parent, self.dim);
                let [z_c, w_c, beta_c, tau_c] = parts(child, self.dim);
                stages.add(
                    [z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c],
                    #[inline(always)]
                    |[z_p, w_p, beta_p, tau_p, z_c, w_c, beta_c, tau_c]| {
                        let beta = half * (beta_p + beta_c);
                        let (sharp, cold) = (R::ONE / beta, R::ONE / (half * (tau_p + tau_c)));
                        let ([sums, larger], shares) =
                            Corners::shares_before_log((z_p, z_c), (w_p, w_c), sharp);
                        let Shares { lower, upper, by_beta } = shares;
                        [sums, larger, beta, cold, -z_c - w_c, lower, upper, by_beta]
                    },
                );
            }
            stages.then(
                #[inline(always)]
                |[sums, larger, beta, cold, y, lower, upper, by_beta]| {
                    let log = sums.ln();
                    [larger - beta * log, y, cold, lower, upper, log + by_beta, R::ZERO, R::ZERO]
                },
            );
            stages.then(
                #[inline(always)]
                |[x, y, cold, lower, upper, by_beta, ..]| {
                    let ([_, of_x], [_, of_y]) = (smooth_power(x * cold), smooth_power(y * cold));
                    [x, y, cold, lower, upper, by_beta, of_x, of_y]
                },
            );
            stages.then(
                #[inline(always)]
                |[x, y, cold, lower, upper, by_beta, of_x, of_y]| {
                    let by_x = log_smooth_slope_of([not_far(x * cold), of_x]);
                    let by_y = log_smooth_slope_of([not_far(y * cold), of_y]);
                    [x, y, cold, lower, upper, by_beta, by_x, by_y]
                },
            );
            for number in round {
                let End { slope, is_parent, .. } = end(number);
                stages.add_to(
                    number - first,
                    [&mut *to_z, &mut *to_w, &mut *to_beta, &mut *to_tau],
                    #[inline(always)]
                    |[x, y, cold, lower, upper, by_beta, by_x, by_y]| {
                        let (by_x, by_y) = (slope * cold * by_x, slope * cold * by_y);
                        let (z_share, w_share) = (lower * by_x, upper * by_x);
                        let by_beta = -half * by_x * by_beta;
                        let by_tau = half * cold * (by_y * y - by_x * x);
                        if is_parent {
                            [-z_share, -w_share, by_beta, by_tau]
                        } else {
                            [z_share - by_x + by_y, w_share - by_x + by_y, by_beta, by_tau]
                        }
                    },
                );
            }
        }
    }

    #[inline(always)]
    fn chain<R: Real>(
        &self,
        _: &[R],
        row: &[R],
        _: &[R],
        slopes: &[R],
        to_row: &mut [R],
        _: &mut [R],
    ) {
        let [of_z, of_w, of_beta, of_tau] = parts(slopes, self.dim);
        let [_, _, b, q] = parts(row, self.dim);
        let to = parts_mut(to_row, self.dim);
        add(
            [of_z, of_w, of_beta, of_tau, b, q],
            to,
            #[inline(always)]
            |[z, w, beta, tau, b, q]| [z, w, beta * CORNERS.slope(b), tau * SIDES.slope(q)],
        );
    }
}
