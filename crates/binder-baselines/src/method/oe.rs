use crate::embedding::{Embedding, Shape, fill_normal};
use crate::lanes::{add, add_scaled, sum};
use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// Order embeddings (Vendrov et al. 2016).
///
/// A concept is a vector E. A child should be at least as large as its parent in every dimension:
///
/// ```text
///       child ●                δ = [E_p − E_c]+    what the parent has too much
///    parent ●    ∘ no          s = −Σ δ²
///                              ∂E_p = −2 δ         ∂E_c = 2 δ
/// ```
///
/// "At least as large" is transitive, so pairs that were never seen follow from those that were.
/// Vendrov et al. keep E from 0 up; as in the code of Boratko et al. 2021, we do not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Oe {
    pub(crate) dim: usize,
    pub(crate) start: f64,
}

impl Embedding for Oe {
    fn shape(&self) -> Shape {
        Shape { learnt: self.dim, derived: self.dim, shared: 0 }
    }

    fn loss(&self) -> Loss {
        Loss::Margin
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
        let square = |too_much: R| too_much * too_much;
        -sum(
            [parent, child],
            #[inline(always)]
            |[parent, child]| square((parent - child).positive()),
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
        let twice = slope + slope;
        add(
            [parent, child],
            [to_parent, to_child],
            #[inline(always)]
            |[parent, child]| {
                let step = twice * (parent - child).positive();
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
