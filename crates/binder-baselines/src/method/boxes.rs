//! What both kinds of boxes are made of.

use crate::real::Real;

/// The corners that two boxes have in common in one dimension, and their slopes.
///
/// A common corner is a smooth maximum, β log(e^(a/β) + e^(b/β)) = max(a, b) + β log(1 + e^−e) with
/// e = |a − b|/β. The side is minus the sum of both, so it takes one logarithm, that of the product
/// (1 + e^−e)(1 + e^−e'), and the slopes take one division.
pub(super) struct Corners<R> {
    /// Minus both corners: how long the common side is.
    pub(super) side: R,
    lower: Corner<R>,
    upper: Corner<R>,
    /// log((1 + e^−e)(1 + e^−e')).
    log: R,
}

/// One corner of two boxes.
struct Corner<R> {
    larger: R,
    /// Whether the parent's is the larger.
    of_parent: bool,
    /// e = |a − b| / β.
    apart: R,
    /// 1 + e^−e.
    sum: R,
}

impl<R: Real> Corner<R> {
    #[inline(always)]
    fn new(parent: R, child: R, sharp: R) -> Self {
        let apart = (parent - child).abs() * sharp;
        let (larger, of_parent) = (parent.larger(child), parent > child);
        Self { larger, of_parent, apart, sum: R::ONE + (-apart).exp() }
    }

    /// ω, the share of the parent, from that of the larger.
    #[inline(always)]
    fn share(&self, of_larger: R) -> R {
        if self.of_parent { of_larger } else { R::ONE - of_larger }
    }
}

/// What the slopes of a common side are made of.
pub(super) struct Shares<R> {
    /// The parent's share of the lower and of the upper corner.
    pub(super) lower: R,
    pub(super) upper: R,
    /// The slope of both corners by the temperature: Σ log(1 + e^−e) + e sg(−e).
    pub(super) by_beta: R,
}

impl<R: Real> Shares<R> {
    #[inline(always)]
    fn new(lower: &Corner<R>, upper: &Corner<R>, log: R) -> Self {
        let part = R::ONE / (lower.sum * upper.sum);
        // 1 / (1 + e^−e), the share of the larger.
        let (of_lower, of_upper) = (upper.sum * part, lower.sum * part);
        let rest = lower.apart * (R::ONE - of_lower) + upper.apart * (R::ONE - of_upper);
        Self { lower: lower.share(of_lower), upper: upper.share(of_upper), by_beta: log + rest }
    }
}

impl<R: Real> Corners<R> {
    /// From the lower and the negated upper corners, (parent, child) each. `sharp` is 1/β.
    #[inline(always)]
    pub(super) fn new(lower: (R, R), upper: (R, R), beta: R, sharp: R) -> Self {
        let lower = Corner::new(lower.0, lower.1, sharp);
        let upper = Corner::new(upper.0, upper.1, sharp);
        let log = (lower.sum * upper.sum).ln();
        Self { side: -lower.larger - upper.larger - beta * log, lower, upper, log }
    }

    /// The side in two stages. The first gives (1 + e^−e)(1 + e^−e') and the side but for the
    /// logarithm of that; [`side_of`](Self::side_of) is the second.
    #[inline(always)]
    pub(super) fn before_log(lower: (R, R), upper: (R, R), sharp: R) -> [R; 2] {
        let lower = Corner::new(lower.0, lower.1, sharp);
        let upper = Corner::new(upper.0, upper.1, sharp);
        [lower.sum * upper.sum, -lower.larger - upper.larger]
    }

    /// The side, from what [`before_log`](Self::before_log) gives.
    #[inline(always)]
    pub(super) fn side_of([sums, larger]: [R; 2], beta: R) -> R {
        larger - beta * sums.ln()
    }

    /// Like [`before_log`](Self::before_log), with the shares; in their slope by the temperature
    /// the logarithm is still missing.
    #[inline(always)]
    pub(super) fn shares_before_log(lower: (R, R), upper: (R, R), sharp: R) -> ([R; 2], Shares<R>) {
        let lower = Corner::new(lower.0, lower.1, sharp);
        let upper = Corner::new(upper.0, upper.1, sharp);
        (
            [lower.sum * upper.sum, -lower.larger - upper.larger],
            Shares::new(&lower, &upper, R::ZERO),
        )
    }

    #[inline(always)]
    pub(super) fn shares(&self) -> Shares<R> {
        Shares::new(&self.lower, &self.upper, self.log)
    }
}

/// Below this, where e^x would soon underflow, a side stays as it is: boxes so far apart attract
/// each other no more.
const FAR: f64 = -80.0;

/// x, where it is not far.
#[inline(always)]
pub(super) fn not_far<R: Real>(x: R) -> R {
    x.larger(R::of(FAR))
}

/// sp(x), a smoothed side.
#[inline(always)]
pub(super) fn smooth<R: Real>(x: R) -> R {
    not_far(x).softplus()
}

/// sp(x) in two stages: first x, where it is not far, and a power of it.
#[inline(always)]
pub(super) fn smooth_power<R: Real>(x: R) -> [R; 2] {
    let near = not_far(x);
    [near, (-near.abs()).exp()]
}

/// sp(x), from what [`smooth_power`] gives.
#[inline(always)]
pub(super) fn smooth_of<R: Real>([near, power]: [R; 2]) -> R {
    near.positive() + power.ln_1p()
}

/// The slope of log sp(x): sg(x) / sp(x), with one power.
#[inline(always)]
pub(super) fn log_smooth_slope<R: Real>(x: R) -> R {
    log_smooth_slope_of(smooth_power(x))
}

/// The slope of log sp(x), from what [`smooth_power`] gives.
#[inline(always)]
pub(super) fn log_smooth_slope_of<R: Real>([near, power]: [R; 2]) -> R {
    let softplus = near.positive() + power.ln_1p();
    let above = if near > R::ZERO { R::ONE } else { power };
    above / ((R::ONE + power) * softplus)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn meet(a: f64, b: f64, beta: f64) -> f64 {
        a.max(b) + beta * libm::log1p(libm::exp(-(a - b).abs() / beta))
    }

    proptest! {
        /// Against the plain formulas, corner by corner; the short numbers within their precision.
        #[test]
        fn common_sides_are_those_of_the_formulas(
            z in (-2.0f64..2.0, -2.0f64..2.0), w in (-2.0f64..2.0, -2.0f64..2.0),
            log_beta in -9.0f64..4.0
        ) {
            let beta = libm::exp(log_beta);
            let corners = Corners::new(z, w, beta, 1.0 / beta);
            let plain = -meet(z.0, z.1, beta) - meet(w.0, w.1, beta);
            prop_assert!((corners.side - plain).abs() < 1e-12 * plain.abs().max(beta).max(1.0));
            let sigmoid = |x: f64| 1.0 / (1.0 + libm::exp(-x));
            let shares = corners.shares();
            prop_assert!((shares.lower - sigmoid((z.0 - z.1) / beta)).abs() < 1e-12);
            prop_assert!((shares.upper - sigmoid((w.0 - w.1) / beta)).abs() < 1e-12);
            let by_beta = |a: f64, b: f64| {
                let e = (a - b).abs() / beta;
                libm::log1p(libm::exp(-e)) + e * sigmoid(-e)
            };
            let plain_slope = by_beta(z.0, z.1) + by_beta(w.0, w.1);
            prop_assert!((shares.by_beta - plain_slope).abs() < 1e-9);
            let short = |x: f64| -> f32 { Real::of(x) };
            let pair = |(a, b): (f64, f64)| (short(a), short(b));
            let fast = Corners::new(pair(z), pair(w), short(beta), short(1.0 / beta));
            let error = (f64::from(fast.side) - plain).abs();
            prop_assert!(error < 1e-6 * plain.abs().max(beta).max(4.0), "{error}");
        }

        #[test]
        fn slopes_of_sides_are_those_of_the_formula(x in -90.0f64..90.0) {
            let near = x.max(FAR);
            let plain = 1.0 / (1.0 + libm::exp(-near)) / libm::log1p(libm::exp(near));
            prop_assert!((log_smooth_slope(x) / plain - 1.0).abs() < 1e-12);
            let short: f32 = Real::of(x);
            let fast = f64::from(log_smooth_slope(short));
            prop_assert!((fast / plain - 1.0).abs() < 2e-5, "{fast} {plain}");
        }
    }
}
