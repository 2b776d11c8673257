use crate::embedding::{Embedding, End, Shape};
use crate::lanes::{add, sums_of_logs};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;
use crate::stages::Stages;

use super::boxes::{
    Corners, log_smooth_slope, log_smooth_slope_of, smooth, smooth_of, smooth_power,
};

/// Gumbel boxes (Dasgupta et al. 2020).
///
/// A concept is a box whose corners are random, with Gumbel distributions of one temperature β.
/// Then the expected size of the box that two have in common is smooth, and its corners are
///
/// ```text
///   M = β log(e^(z_p/β) + e^(z_c/β))     the lower corner; the upper one is −M' of the negated ones
///   sp_τ(x) = τ sp(x/τ)                  a side, smoothed once more with the temperature τ
///   s = Σ log sp_τ(−M − M' − γ) − Σ log sp_τ(Z_c − z_c − γ) = log P(p | c)    γ = 2 · 0.5772… β
/// ```
///
/// What is learnt is a centre C and a size L: h = sp_τ(L), z = C − h, Z = C + h. The derived row
/// has z, −Z and the logarithm of the box's own size. With x a side, f = log sp_τ, f' = sg(x/τ) /
/// sp_τ(x), ω = sg((z_p − z_c)/β) and ω' the same with −Z:
///
/// ```text
///   ∂z_p = −f' ω      ∂z_c = −f' (1 − ω)      ∂(−Z_p) = −f' ω'      ∂(−Z_c) = −f' (1 − ω')
/// chain: ∂C = ∂z − ∂(−Z)      ∂L = (2 f'(2h − γ) ∂size − ∂z − ∂(−Z)) sg(L/τ)
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct GumbelBox {
    pub(crate) dim: usize,
    /// β, the temperature of the corners.
    pub(crate) intersection: f64,
    /// τ, the temperature of the sides.
    pub(crate) volume: f64,
    /// Centres start uniform between plus and minus this.
    pub(crate) start: f64,
}

/// The mean of the standard Gumbel distribution.
const EULER: f64 = 0.577_215_664_901_532_9;

impl GumbelBox {
    /// γ.
    fn gap(&self) -> f64 {
        2.0 * EULER * self.intersection
    }
}

impl Embedding for GumbelBox {
    fn shape(&self) -> Shape {
        Shape { learnt: 2 * self.dim, derived: 2 * self.dim + 1, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::LogProbability
    }

    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        let (centre, size) = row.split_at_mut(self.dim);
        let value = |draws: &mut Draws| self.start * (2.0 * draws.uniform() - 1.0);
        centre.iter_mut().for_each(|number| *number = Real::of(value(draws)));
        size.fill(0.0);
    }

    #[inline(always)]
    fn derive<R: Real>(&self, _: &[R], row: &[R], derived: &mut [R]) {
        let (centre, size) = row.split_at(self.dim);
        let (tau, cold) = (R::of(self.volume), R::of(1.0 / self.volume));
        let gap = R::of(self.gap());
        let (corners, own) = derived.split_at_mut(2 * self.dim);
        let (lower, upper) = corners.split_at_mut(self.dim);
        add(
            [centre, size],
            [lower, upper],
            #[inline(always)]
            |[centre, size]| {
                let half = tau * (size * cold).softplus();
                [centre - half, -centre - half]
            },
        );
        let [own_size] = sums_of_logs(
            [size],
            #[inline(always)]
            |[size]| {
                let half = tau * (size * cold).softplus();
                [smooth((half + half - gap) * cold)]
            },
        );
        own[0] = own_size;
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let d = self.dim;
        let (beta, sharp) = (R::of(self.intersection), R::of(1.0 / self.intersection));
        let (cold, gap) = (R::of(1.0 / self.volume), R::of(self.gap()));
        let [common] = sums_of_logs(
            [&parent[..d], &parent[d..2 * d], &child[..d], &child[d..2 * d]],
            #[inline(always)]
            |[lower_p, upper_p, lower_c, upper_c]| {
                let corners = Corners::new((lower_p, lower_c), (upper_p, upper_c), beta, sharp);
                [smooth((corners.side - gap) * cold)]
            },
        );
        common - child[2 * d]
    }

    /// In stages: for one pair at a time, every operation waits for the one before.
    #[inline(always)]
    fn scores<'a, R: Real + 'a>(&self, pair: impl Fn(usize) -> [&'a [R]; 2], scores: &mut [R]) {
        let d = self.dim;
        let (beta, sharp) = (R::of(self.intersection), R::of(1.0 / self.intersection));
        let (cold, gap) = (R::of(1.0 / self.volume), R::of(self.gap()));
        let mut stages = Stages::<R, 2>::new(d);
        let together = stages.pairs();
        for (first, scores) in (0..).step_by(together).zip(scores.chunks_mut(together)) {
            stages.clear();
            for number in first..first + scores.len() {
                let [parent, child] = pair(number);
                stages.add(
                    [&parent[..d], &parent[d..2 * d], &child[..d], &child[d..2 * d]],
                    #[inline(always)]
                    |[lower_p, upper_p, lower_c, upper_c]| {
                        Corners::before_log((lower_p, lower_c), (upper_p, upper_c), sharp)
                    },
                );
            }
            stages.then(
                #[inline(always)]
                |corners| [(Corners::side_of(corners, beta) - gap) * cold, R::ZERO],
            );
            stages.then(
                #[inline(always)]
                |[side, _]| smooth_power(side),
            );
            stages.then(
                #[inline(always)]
                |side| [smooth_of(side), R::ZERO],
            );
            for (number, score) in scores.iter_mut().enumerate() {
                let [_, child] = pair(first + number);
                *score = stages.sum_of_logs(number, 0) - child[2 * d];
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
        let d = self.dim;
        let (beta, sharp) = (R::of(self.intersection), R::of(1.0 / self.intersection));
        let (cold, gap) = (R::of(1.0 / self.volume), R::of(self.gap()));
        let (to_lower_p, to_upper_p) = to_parent[..2 * d].split_at_mut(d);
        let (to_corners_c, to_size) = to_child.split_at_mut(2 * d);
        let (to_lower_c, to_upper_c) = to_corners_c.split_at_mut(d);
        add(
            [&parent[..d], &parent[d..2 * d], &child[..d], &child[d..2 * d]],
            [to_lower_p, to_upper_p, to_lower_c, to_upper_c],
            #[inline(always)]
            |[lower_p, upper_p, lower_c, upper_c]| {
                let corners = Corners::new((lower_p, lower_c), (upper_p, upper_c), beta, sharp);
                let by_side = -slope * cold * log_smooth_slope((corners.side - gap) * cold);
                let shares = corners.shares();
                let (lower, upper) = (shares.lower * by_side, shares.upper * by_side);
                [lower, upper, by_side - lower, by_side - upper]
            },
        );
        to_size[0] += -slope;
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
        let d = self.dim;
        let (beta, sharp) = (R::of(self.intersection), R::of(1.0 / self.intersection));
        let (cold, gap) = (R::of(1.0 / self.volume), R::of(self.gap()));
        let (to_corners, to_size) = to_own.split_at_mut(2 * d);
        let (to_lower, to_upper) = to_corners.split_at_mut(d);
        let mut stages = Stages::<R, 4>::new(d);
        let together = stages.pairs();
        for first in (0..ends).step_by(together) {
            let round = first..ends.min(first + together);
            stages.clear();
            for number in round.clone() {
                let [parent, child] = end(number).rows(own);
                stages.add(
                    [&parent[..d], &parent[d..2 * d], &child[..d], &child[d..2 * d]],
                    #[inline(always)]
                    |[lower_p, upper_p, lower_c, upper_c]| {
                        let ([sums, larger], shares) = Corners::shares_before_log(
                            (lower_p, lower_c),
                            (upper_p, upper_c),
                            sharp,
                        );
                        [sums, larger, shares.lower, shares.upper]
                    },
                );
            }
            stages.then(
                #[inline(always)]
                |[sums, larger, lower, upper]| {
                    let side = (Corners::side_of([sums, larger], beta) - gap) * cold;
                    [side, R::ZERO, lower, upper]
                },
            );
            stages.then(
                #[inline(always)]
                |[side, _, lower, upper]| {
                    let [near, power] = smooth_power(side);
                    [near, power, lower, upper]
                },
            );
            stages.then(
                #[inline(always)]
                |[near, power, lower, upper]| {
                    [log_smooth_slope_of([near, power]), R::ZERO, lower, upper]
                },
            );
            for number in round {
                let End { slope, is_parent, .. } = end(number);
                stages.add_to(
                    number - first,
                    [&mut *to_lower, &mut *to_upper],
                    #[inline(always)]
                    |[by_side, _, lower, upper]| {
                        let by_side = -slope * cold * by_side;
                        let (lower, upper) = (lower * by_side, upper * by_side);
                        if is_parent { [lower, upper] } else { [by_side - lower, by_side - upper] }
                    },
                );
                if !is_parent {
                    to_size[0] += -slope;
                }
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
        let d = self.dim;
        let (tau, cold, gap) = (R::of(self.volume), R::of(1.0 / self.volume), R::of(self.gap()));
        let (to_centre, to_size) = to_row.split_at_mut(d);
        let of_size = slopes[2 * d];
        add(
            [&row[d..], &slopes[..d], &slopes[d..2 * d]],
            [to_centre, to_size],
            #[inline(always)]
            |[size, lower, upper]| {
                let half = tau * (size * cold).softplus();
                let own = log_smooth_slope((half + half - gap) * cold) * cold * of_size;
                [lower - upper, (own + own - lower - upper) * (size * cold).sigmoid()]
            },
        );
    }
}
