use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add_multiples, add_scaled, dot};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// A bilinear form (RESCAL with one relation, Nickel et al. 2011).
///
/// Every concept has two vectors, U where it is the parent and V where it is the child; all share a
/// matrix W of d × d numbers.
///
/// ```text
/// s = U_pᵀ W V_c
/// ```
///
/// A pair would cost d² products. Derived once for each concept and batch, A = U W makes it d:
///
/// ```text
/// s = A_p · V_c          ∂A_p = V_c   ∂V_c = A_p
/// chain                  ∂U = ∂A Wᵀ   ∂W = Uᵀ ∂A
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bilinear {
    pub(crate) dim: usize,
    pub(crate) start: f64,
}

impl Embedding for Bilinear {
    fn shape(&self) -> Shape {
        Shape { learnt: 2 * self.dim, derived: 2 * self.dim, shared: self.dim * self.dim }
    }

    fn loss(&self) -> Loss {
        Loss::Logit
    }

    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        fill_normal(draws, self.start, row);
    }

    /// W is uniform between ±1/√d, so that a score starts with the variance of a scalar product.
    #[expect(clippy::cast_precision_loss, reason = "a dimension is far below 2^53")]
    fn start_shared(&self, draws: &mut Draws, shared: &mut [f32]) {
        let bound = 1.0 / (self.dim as f64).sqrt();
        let value = |draws: &mut Draws| bound * (2.0 * draws.uniform() - 1.0);
        shared.iter_mut().for_each(|number| *number = Real::of(value(draws)));
    }

    #[inline(always)]
    fn derive<R: Real>(&self, shared: &[R], row: &[R], derived: &mut [R]) {
        let (u, v) = row.split_at(self.dim);
        let (a, as_child) = derived.split_at_mut(self.dim);
        add_multiples(a, u, shared);
        as_child.copy_from_slice(v);
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
        shared: &[R],
        row: &[R],
        _: &[R],
        slopes: &[R],
        to_row: &mut [R],
        to_shared: &mut [R],
    ) {
        let (of_a, of_v) = slopes.split_at(self.dim);
        let (to_u, to_v) = to_row.split_at_mut(self.dim);
        for (to, of_matrix) in to_u.iter_mut().zip(shared.chunks_exact(self.dim)) {
            *to += dot(of_a, of_matrix);
        }
        add_scaled(to_v, R::ONE, of_v);
        for (&u, to_matrix) in row.iter().zip(to_shared.chunks_exact_mut(self.dim)) {
            add_scaled(to_matrix, u, of_a);
        }
    }
}
