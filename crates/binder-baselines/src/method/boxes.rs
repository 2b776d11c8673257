//! What both kinds of boxes are made of.

use crate::real::Real;

/// A smooth maximum: β log(e^(a/β) + e^(b/β)) = max(a, b) + β log(1 + e^(−|a − b|/β)). `sharp` is
/// 1/β.
#[inline(always)]
pub(super) fn meet<R: Real>(a: R, b: R, beta: R, sharp: R) -> R {
    a.larger(b) + beta * (-(a - b).abs() * sharp).exp().ln_1p()
}

/// log log(1 + e^x). Below this, where e^x would soon underflow, it stays as it is: boxes so far
/// apart attract each other no more.
const FAR: f64 = -80.0;

/// log log(1 + e^x), the logarithm of a smoothed side.
#[inline(always)]
pub(super) fn log_softplus<R: Real>(x: R) -> R {
    x.larger(R::of(FAR)).softplus().ln()
}

/// The slope of [`log_softplus`]: sg(x) / sp(x).
#[inline(always)]
pub(super) fn log_softplus_slope<R: Real>(x: R) -> R {
    let near = x.larger(R::of(FAR));
    near.sigmoid() / near.softplus()
}
