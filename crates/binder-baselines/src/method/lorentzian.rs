use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, dot, sum};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Lorentzian distance (Law et al. 2019), with a term for the direction.
///
/// A concept is a vector x, lifted to the hyperboloid by t = √(|x|² + 1). The squared Lorentzian
/// distance of two is
///
/// ```text
/// D = 2 (t_p t_c − x_p · x_c − 1) = |x_p − x_c|² − (t_p − t_c)² ≥ 0
/// ```
///
/// The second form does not cancel where norms are large, so it is the one computed. Parents should
/// be nearer the origin, r = |x|:
///
/// ```text
/// s = −D − α sp(r_p − r_c)         with x, t and r as the derived row
/// ∂x_p = −2 (x_p − x_c)            ∂t_p = 2 (t_p − t_c)        ∂r_p = −α sg(r_p − r_c)
/// ∂x_c = −∂x_p                     ∂t_c = −∂t_p                ∂r_c = −∂r_p
/// chain: ∂x += (∂t / t + ∂r / r) x
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lorentzian {
    pub(crate) dim: usize,
    pub(crate) start: f64,
    /// α, the weight of the direction.
    pub(crate) direction: f64,
}

/// A norm is taken to be at least this where it divides.
const LEAST_NORM: f64 = 1e-6;

impl Embedding for Lorentzian {
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
        derived[..self.dim].copy_from_slice(row);
        derived[self.dim] = (square + R::ONE).sqrt();
        derived[self.dim + 1] = square.sqrt().larger(R::of(LEAST_NORM));
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        let d = self.dim;
        let apart = sum(
            [&parent[..d], &child[..d]],
            #[inline(always)]
            |[parent, child]| {
                let by = parent - child;
                by * by
            },
        );
        let lifted = parent[d] - child[d];
        let distance = (apart - lifted * lifted).positive();
        -distance - R::of(self.direction) * (parent[d + 1] - child[d + 1]).softplus()
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
        let twice = slope + slope;
        add(
            [&parent[..d], &child[..d]],
            [&mut to_parent[..d], &mut to_child[..d]],
            #[inline(always)]
            |[parent, child]| {
                let step = twice * (parent - child);
                [-step, step]
            },
        );
        let of_time = twice * (parent[d] - child[d]);
        let outwards = (parent[d + 1] - child[d + 1]).sigmoid();
        let of_norm = slope * R::of(self.direction) * outwards;
        to_parent[d] += of_time;
        to_child[d] += -of_time;
        to_parent[d + 1] += -of_norm;
        to_child[d + 1] += of_norm;
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
        let outwards = slopes[d] / derived[d] + slopes[d + 1] / derived[d + 1];
        add(
            [&slopes[..d], row],
            [to_row],
            #[inline(always)]
            |[slope, x]| [slope + outwards * x],
        );
    }
}
