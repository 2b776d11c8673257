use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, dot, sum};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Poincaré embeddings (Nickel & Kiela 2017), with a term for the direction.
///
/// A concept is a point of the unit ball, at the distance d from another:
///
/// ```text
/// cosh d(p, c) = 1 + z,   z = 2 |x_p − x_c|² / (q_p q_c),   q = 1 − |x|²
/// ```
///
/// What is learnt is a vector y without bounds, x = y / (1 + t) with t = √(1 + |y|²), so that no
/// step can leave the ball; then q = 2 / (1 + t). The published method trains the distance alone,
/// and afterwards judges by −(1 + α(|x_p| − |x_c|)) d. We train what we judge by, with the term of
/// the Lorentzian distance: parents should be nearer the origin, whose distance is ρ = log((1 +
/// |x|) / (1 − |x|)) = log(|y| + t).
///
/// ```text
/// s = −d − α sp(ρ_p − ρ_c)                   with x, q and ρ as the derived row
/// ∂z = −1 / √(z (z + 2)) = −h                f = 4 h / (q_p q_c)
/// ∂x_p = −f (x_p − x_c)   ∂q_p = h z / q_p   ∂ρ_p = −α sg(ρ_p − ρ_c)
/// ∂x_c = −∂x_p            ∂q_c = h z / q_c   ∂ρ_c = −∂ρ_p
/// chain: ∂y = ∂x / (1 + t) − (∂x·y + 2 ∂q) y / (t (1 + t)²) + ∂ρ y / (|y| t)
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Poincare {
    pub(crate) dim: usize,
    pub(crate) start: f64,
    /// α, the weight of the direction.
    pub(crate) direction: f64,
}

/// z is taken to be at least this: the slope of the distance has no bound where two points meet.
const LEAST_Z: f64 = 1e-6;

/// A norm is taken to be at least this where it divides.
const LEAST_NORM: f64 = 1e-6;

impl Poincare {
    /// z for two derived rows.
    #[inline(always)]
    fn z<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let d = self.dim;
        let apart = sum(
            [&parent[..d], &child[..d]],
            #[inline(always)]
            |[parent, child]| {
                let by = parent - child;
                by * by
            },
        );
        ((apart + apart) / (parent[d] * child[d])).larger(R::of(LEAST_Z))
    }
}

impl Embedding for Poincare {
    fn shape(&self) -> Shape {
        Shape { learnt: self.dim, derived: self.dim + 2, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::LogProbability
    }

    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        fill_normal(draws, self.start, row);
    }

    #[inline(always)]
    fn derive<R: Real>(&self, _: &[R], row: &[R], derived: &mut [R]) {
        let square = dot(row, row);
        let t = (R::ONE + square).sqrt();
        let into_ball = R::ONE / (R::ONE + t);
        add(
            [row],
            [&mut derived[..self.dim]],
            #[inline(always)]
            |[y]| [y * into_ball],
        );
        derived[self.dim] = into_ball + into_ball;
        derived[self.dim + 1] = (square.sqrt() + t).ln();
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let z = self.z(parent, child);
        // arcosh(1 + z) = log(1 + z + √(z (z + 2))).
        let distance = (R::ONE + z + (z * (z + R::of(2.0))).sqrt()).ln();
        let outwards = parent[self.dim + 1] - child[self.dim + 1];
        -distance - R::of(self.direction) * outwards.softplus()
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
        let z = self.z(parent, child);
        if z > R::of(LEAST_Z) {
            let h = slope / (z * (z + R::of(2.0))).sqrt();
            let f = R::of(4.0) * h / (parent[d] * child[d]);
            add(
                [&parent[..d], &child[..d]],
                [&mut to_parent[..d], &mut to_child[..d]],
                #[inline(always)]
                |[parent, child]| {
                    let step = f * (parent - child);
                    [-step, step]
                },
            );
            to_parent[d] += h * z / parent[d];
            to_child[d] += h * z / child[d];
        }
        let of_norm = slope * R::of(self.direction) * (parent[d + 1] - child[d + 1]).sigmoid();
        to_parent[d + 1] += -of_norm;
        to_child[d + 1] += of_norm;
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
        let (of_x, others) = slopes.split_at(self.dim);
        let square = dot(row, row);
        let t = (R::ONE + square).sqrt();
        let norm = square.sqrt().larger(R::of(LEAST_NORM));
        let into_ball = R::ONE / (R::ONE + t);
        let inwards = (dot(of_x, row) + others[0] + others[0]) * into_ball * into_ball / t;
        let outwards = others[1] / (norm * t) - inwards;
        add(
            [of_x, row],
            [to_row],
            #[inline(always)]
            |[slope, y]| [slope * into_ball + outwards * y],
        );
    }
}
