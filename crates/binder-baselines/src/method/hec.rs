use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, add_scaled, dot};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Hyperbolic entailment cones (Ganea et al. 2018).
///
/// A concept is a point of the unit ball with a cone that opens outwards, the narrower the nearer
/// the rim. A child should lie in the cone of its parent: ξ, the angle at the parent between the
/// cone's axis and the child, should be at most ψ, half the opening.
///
/// ```text
///   ψ(r) = asin(K (1 − r²) / r)       K = aperture · ε / (1 − ε²)
///   s = min(0, ψ(r_p) − ξ)
/// ```
///
/// Points have polar coordinates: a direction u = A / |A| and a radius r = ε + (1 − 2ε) sg(T),
/// which stays where cones exist. With κ = u_p · u_c, a = r_p², b = r_c², m = r_p r_c κ,
///
/// ```text
///   N = m (1 + a) − a (1 + b)    Δ = a + b − 2m    G = 1 + ab − 2m    Q = r_p √(Δ G)
///   cos ξ = C = N / Q
/// ```
///
/// The vectors are in it through κ alone, so the gradient of a pair is three numbers:
///
/// ```text
///   C_m = (1 + a) / Q + C (1/Δ + 1/G)             h = 1 / √(1 − C²)
///   C_a = (m − 1 − b) / Q − C (1/(2a) + 1/(2Δ) + b/(2G))
///   C_b = −a / Q − C (1/(2Δ) + a/(2G))
///   ∂κ   = h C_m r_p r_c
///   ∂r_p = h (2 r_p C_a + C_m r_c κ) + ψ'(r_p)    ψ' = −K (1 + r²) / (r² √(1 − sin² ψ))
///   ∂r_c = h (2 r_c C_b + C_m r_p κ)
/// chain: ∂u_p = ∂κ u_c, ∂u_c = ∂κ u_p;  ∂A = (∂u − (∂u·u) u) / |A|;  ∂T = ∂r (1 − 2ε) σ (1 − σ)
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hec {
    pub(crate) dim: usize,
    pub(crate) aperture: f64,
    pub(crate) epsilon: f64,
}

/// |cos ξ| is at most 1 minus this. Beyond it the angle has no slope.
const CLAMP: f64 = 1e-6;

/// A norm is taken to be at least this where it divides.
const LEAST_NORM: f64 = 1e-9;

/// The cosine of ξ and what its slopes are made of.
struct Angle<R> {
    m: R,
    a: R,
    b: R,
    delta: R,
    g: R,
    q: R,
    cosine: R,
}

impl<R: Real> Angle<R> {
    #[inline(always)]
    fn new(kappa: R, parent: R, child: R) -> Self {
        let (m, a, b) = (parent * child * kappa, parent * parent, child * child);
        let least = R::of(1e-12);
        let delta = (a + b - m - m).larger(least);
        let g = (R::ONE + a * b - m - m).larger(least);
        let q = parent * (delta * g).sqrt();
        let cosine = (m * (R::ONE + a) - a * (R::ONE + b)) / q;
        Self { m, a, b, delta, g, q, cosine }
    }

    /// The cosine between ±(1 − CLAMP), and whether it was there before.
    #[inline(always)]
    fn clamped(&self) -> (R, bool) {
        let bound = R::of(1.0 - CLAMP);
        (self.cosine.larger(-bound).smaller(bound), self.cosine < bound && self.cosine > -bound)
    }
}

impl Hec {
    /// K.
    fn constant(&self) -> f64 {
        self.aperture * self.epsilon / (1.0 - self.epsilon * self.epsilon)
    }

    /// sin ψ, which is at most 1.
    #[inline(always)]
    fn sine<R: Real>(&self, r: R) -> R {
        (R::of(self.constant()) * (R::ONE - r * r) / r).smaller(R::ONE)
    }

    /// sg(T) for a radius.
    #[inline(always)]
    fn share<R: Real>(&self, r: R) -> R {
        (r - R::of(self.epsilon)) / R::of(1.0 - 2.0 * self.epsilon)
    }
}

impl Embedding for Hec {
    fn shape(&self) -> Shape {
        Shape { learnt: self.dim + 1, derived: self.dim + 2, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::Margin
    }

    /// Any direction; a radius away from the ends.
    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        let (direction, radius) = row.split_at_mut(self.dim);
        fill_normal(draws, 1.0, direction);
        let share = 0.5 + 0.9 * (draws.uniform() - 0.5);
        radius[0] = Real::of(libm::log(share / (1.0 - share)));
    }

    #[inline(always)]
    fn derive<R: Real>(&self, _: &[R], row: &[R], derived: &mut [R]) {
        let (direction, radius) = row.split_at(self.dim);
        let norm = dot(direction, direction).sqrt().larger(R::of(LEAST_NORM));
        let r = R::of(self.epsilon) + R::of(1.0 - 2.0 * self.epsilon) * radius[0].sigmoid();
        add_scaled(&mut derived[..self.dim], R::ONE / norm, direction);
        derived[self.dim] = r;
        derived[self.dim + 1] = self.sine(r).asin();
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let d = self.dim;
        let angle = Angle::new(dot(&parent[..d], &child[..d]), parent[d], child[d]);
        (parent[d + 1] - angle.clamped().0.acos()).smaller(R::ZERO)
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
        let (r_p, r_c) = (parent[d], child[d]);
        let kappa = dot(&parent[..d], &child[..d]);
        let angle = Angle::new(kappa, r_p, r_c);
        let (cosine, inside) = angle.clamped();
        if parent[d + 1] >= cosine.acos() {
            return;
        }
        // The slope of ψ goes to the radius when rows are chained, once for each concept.
        to_parent[d + 1] += slope;
        if !inside {
            return;
        }
        let (half, two) = (R::of(0.5), R::of(2.0));
        let Angle { m, a, b, delta, g, q, .. } = angle;
        let h = slope / (R::ONE - cosine * cosine).sqrt();
        let by_m = (R::ONE + a) / q + cosine * (R::ONE / delta + R::ONE / g);
        let by_a = (m - R::ONE - b) / q - cosine * half * (R::ONE / a + R::ONE / delta + b / g);
        let by_b = -a / q - cosine * half * (R::ONE / delta + a / g);
        let by_kappa = h * by_m * r_p * r_c;
        to_parent[d] += h * (two * r_p * by_a + by_m * r_c * kappa);
        to_child[d] += h * (two * r_c * by_b + by_m * r_p * kappa);
        add(
            [&parent[..d], &child[..d]],
            [&mut to_parent[..d], &mut to_child[..d]],
            #[inline(always)]
            |[parent, child]| [by_kappa * child, by_kappa * parent],
        );
    }

    #[inline(always)]
    fn chain<R: Real>(
        &self,
        _: &[R],
        row: &[R],
        derived: &[R],
        slopes: &[R],
        to_row: &mut [R],
        _: &mut [R],
    ) {
        let d = self.dim;
        let (of_u, others) = slopes.split_at(d);
        let (u, r) = (&derived[..d], derived[d]);
        let norm = dot(&row[..d], &row[..d]).sqrt().larger(R::of(LEAST_NORM));
        let along = dot(of_u, u);
        add(
            [of_u, u],
            [&mut to_row[..d]],
            #[inline(always)]
            |[slope, u]| [(slope - along * u) / norm],
        );
        let sine = self.sine(r);
        let width = if sine < R::ONE {
            R::of(self.constant()) * (R::ONE + r * r) / (r * r * (R::ONE - sine * sine).sqrt())
        } else {
            R::ZERO
        };
        let share = self.share(r);
        let by_share = (others[0] - others[1] * width) * R::of(1.0 - 2.0 * self.epsilon);
        to_row[d] += by_share * share * (R::ONE - share);
    }
}
