use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add_scaled, dot};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Similarity: a scalar product.
///
/// Every concept has two vectors: U where it is the parent, V where it is the child. The score is
///
/// ```text
/// s = U_p · V_c          ∂U_p = V_c   ∂V_c = U_p
/// ```
///
/// It knows nothing of an order, and serves as the simplest thing that could work: with enough
/// dimensions it can represent any set of pairs, but what it has not seen it can only guess.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sim {
    pub(crate) dim: usize,
    pub(crate) start: f64,
}

impl Embedding for Sim {
    fn shape(&self) -> Shape {
        Shape { learnt: 2 * self.dim, derived: 2 * self.dim, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::Logit
    }

    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        fill_normal(draws, self.start, row);
    }

    #[inline(always)]
    fn derive<R: Real>(&self, _: &[R], row: &[R], derived: &mut [R]) {
        derived.copy_from_slice(row);
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        dot(&parent[..self.dim], &child[self.dim..])
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
        add_scaled(&mut to_parent[..self.dim], slope, &child[self.dim..]);
        add_scaled(&mut to_child[self.dim..], slope, &parent[..self.dim]);
    }

    #[inline(always)]
    fn chain<R: Real>(
        &self,
        _: &[R],
        _: &[R],
        _: &[R],
        slopes: &[R],
        to_row: &mut [R],
        _: &mut [R],
    ) {
        add_scaled(to_row, R::ONE, slopes);
    }
}
