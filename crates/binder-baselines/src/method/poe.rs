use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, add_scaled, sum};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Probabilistic order embeddings (Lai & Hockenmaier 2017).
///
/// A concept is the cone of all points at least as large as its vector E, under the measure e^−x in
/// every dimension. The cone of E has the probability Π e^−E; that of two concepts together has the
/// larger of both in every dimension. So
///
/// ```text
/// log P(p | c) = −Σ max(E_p, E_c) + Σ E_c = −Σ [E_p − E_c]+ = s
/// ∂E_p = −1 where E_p > E_c, else 0           ∂E_c = −∂E_p
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Poe {
    pub(crate) dim: usize,
    pub(crate) start: f64,
}

impl Embedding for Poe {
    fn shape(&self) -> Shape {
        Shape { learnt: self.dim, derived: self.dim, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::LogProbability
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
        -sum(
            [parent, child],
            #[inline(always)]
            |[parent, child]| (parent - child).positive(),
        )
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
        add(
            [parent, child],
            [to_parent, to_child],
            #[inline(always)]
            |[parent, child]| {
                let step = if parent > child { slope } else { R::ZERO };
                [-step, step]
            },
        );
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
