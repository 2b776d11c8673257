use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, add_scaled, dot};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// ComplEx (Trouillon et al. 2016), with one relation.
///
/// Every concept has a complex vector R + iI; all share a complex vector w0 + i w1. The score is
/// the real part of a product of three, which is not symmetric:
///
/// ```text
/// s = Re Σ (w0 + i w1)(R_p + i I_p)‾(R_c + i I_c), up to the sign of w1
///   = Σ R_p w0 R_c + I_p w0 I_c + R_p w1 I_c − I_p w1 R_c
/// ```
///
/// Derived, a concept has A = (R w0 − I w1, I w0 + R w1) as a parent and B = (R, I) as a child:
///
/// ```text
/// s = A_p · B_c          ∂A_p = B_c   ∂B_c = A_p
/// chain                  ∂R = ∂A1 w0 + ∂A2 w1 + ∂B1     ∂w0 = Σ ∂A1 R + ∂A2 I
///                        ∂I = ∂A2 w0 − ∂A1 w1 + ∂B2     ∂w1 = Σ ∂A2 R − ∂A1 I
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComplEx {
    pub(crate) dim: usize,
    pub(crate) start: f64,
}

impl Embedding for ComplEx {
    fn shape(&self) -> Shape {
        Shape { learnt: 2 * self.dim, derived: 4 * self.dim, shared: 2 * self.dim }
    }

    fn loss(&self) -> Loss {
        Loss::Logit
    }

    fn start(&self, draws: &mut Draws, row: &mut [f32]) {
        fill_normal(draws, self.start, row);
    }

    fn start_shared(&self, draws: &mut Draws, shared: &mut [f32]) {
        fill_normal(draws, 1.0, shared);
    }

    #[inline(always)]
    fn derive<R: Real>(&self, shared: &[R], row: &[R], derived: &mut [R]) {
        let (r, i) = row.split_at(self.dim);
        let (w0, w1) = shared.split_at(self.dim);
        let (a, b) = derived.split_at_mut(2 * self.dim);
        let (a1, a2) = a.split_at_mut(self.dim);
        add(
            [r, i, w0, w1],
            [a1, a2],
            #[inline(always)]
            |[r, i, w0, w1]| [r * w0 - i * w1, i * w0 + r * w1],
        );
        b.copy_from_slice(row);
    }

    #[inline(always)]
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R {
        dot(&parent[..2 * self.dim], &child[2 * self.dim..])
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
        let half = 2 * self.dim;
        add_scaled(&mut to_parent[..half], slope, &child[half..]);
        add_scaled(&mut to_child[half..], slope, &parent[..half]);
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
        let (r, i) = row.split_at(self.dim);
        let (w0, w1) = shared.split_at(self.dim);
        let (of_a, of_b) = slopes.split_at(2 * self.dim);
        let (a1, a2) = of_a.split_at(self.dim);
        add_scaled(to_row, R::ONE, of_b);
        let (to_r, to_i) = to_row.split_at_mut(self.dim);
        add(
            [a1, a2, w0, w1],
            [to_r, to_i],
            #[inline(always)]
            |[a1, a2, w0, w1]| [a1 * w0 + a2 * w1, a2 * w0 - a1 * w1],
        );
        let (to_w0, to_w1) = to_shared.split_at_mut(self.dim);
        add(
            [a1, a2, r, i],
            [to_w0, to_w1],
            #[inline(always)]
            |[a1, a2, r, i]| [a1 * r + a2 * i, a2 * r - a1 * i],
        );
    }
}
