use crate::loss::Loss;
use crate::random::Draws;
use crate::real::Real;

/// How many numbers a method has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Numbers learnt for each concept: a *row*.
    pub learnt: usize,
    /// Numbers computed from a row before pairs are scored: a *derived row*.
    pub derived: usize,
    /// Numbers learnt once for all concepts.
    pub shared: usize,
}

/// An end of a pair, as its own row sees it.
#[derive(Debug, Clone, Copy)]
pub struct End<'a, R> {
    /// The slope of the loss by the score.
    pub slope: R,
    /// The derived row at the other end.
    pub other: &'a [R],
    /// Whether the own row is the parent.
    pub is_parent: bool,
}

impl<'a, R> End<'a, R> {
    /// The rows of parent and child.
    #[inline(always)]
    pub(crate) fn rows(&self, own: &'a [R]) -> [&'a [R]; 2] {
        if self.is_parent { [own, self.other] } else { [self.other, own] }
    }
}

/// A method: how concepts are vectors, and how likely a pair is.
///
/// ```text
///   row ──derive──▶ derived row ┐                  once for each concept and batch
///                               ├─score─▶ s(p, c)  once for each pair
///   row ──derive──▶ derived row ┘
///   row ◀──chain─── slopes of derived rows ◀─gradient─ slope of s
/// ```
///
/// What is expensive and belongs to one concept goes into `derive`, because a concept is in
/// hundreds of pairs of a batch. `gradient` adds to the slopes of two derived rows; `chain` carries
/// their sum on to the row, once for each concept and batch.
///
/// To add a method, write a file beside the others with its derivation, and add its line to the
/// list in `method/mod.rs`. The tests there compare its gradient with differences.
pub trait Embedding: Sync {
    /// How many numbers there are.
    fn shape(&self) -> Shape;

    /// The loss that suits the scores.
    fn loss(&self) -> Loss;

    /// The row that a concept starts with.
    fn start(&self, draws: &mut Draws, row: &mut [f32]);

    /// The shared numbers that a run starts with.
    fn start_shared(&self, draws: &mut Draws, shared: &mut [f32]) {
        let _ = (draws, shared);
    }

    /// Computes a derived row, which is zero before.
    fn derive<R: Real>(&self, shared: &[R], row: &[R], derived: &mut [R]);

    /// The score of a pair, larger if it is likelier, from the derived rows of both ends.
    fn score<R: Real>(&self, parent: &[R], child: &[R]) -> R;

    /// The scores of several pairs, from the derived rows of (parent, child): those of
    /// [`score`](Self::score), bit for bit. A method that has a faster way for many pairs says so
    /// here.
    #[inline(always)]
    fn scores<'a, R: Real + 'a>(&self, pair: impl Fn(usize) -> [&'a [R]; 2], scores: &mut [R]) {
        for (number, score) in scores.iter_mut().enumerate() {
            let [parent, child] = pair(number);
            *score = self.score(parent, child);
        }
    }

    /// Adds `slope` times the derivative of the score to the slopes of both derived rows.
    fn gradient<R: Real>(
        &self,
        slope: R,
        parent: &[R],
        child: &[R],
        to_parent: &mut [R],
        to_child: &mut [R],
    );

    /// Adds to the slopes of one derived row what its pairs with others give it, `ends` of them in
    /// their order: what [`gradient`](Self::gradient) adds to that row, bit for bit. `unused` is
    /// room for what it adds to the others. A method that has a faster way for many pairs says so
    /// here.
    #[inline(always)]
    fn gradients<'a, R: Real + 'a>(
        &self,
        own: &'a [R],
        ends: usize,
        end: impl Fn(usize) -> End<'a, R>,
        to_own: &mut [R],
        unused: &mut [R],
    ) {
        for End { slope, other, is_parent } in (0..ends).map(end) {
            if is_parent {
                self.gradient(slope, own, other, to_own, unused);
            } else {
                self.gradient(slope, other, own, unused, to_own);
            }
        }
    }

    /// Adds to the slopes of a row and of the shared numbers what follows from `slopes`, those of
    /// its derived row.
    fn chain<R: Real>(
        &self,
        shared: &[R],
        row: &[R],
        derived: &[R],
        slopes: &[R],
        to_row: &mut [R],
        to_shared: &mut [R],
    );
}

/// Fills a row with numbers from the normal distribution of this standard deviation.
pub(crate) fn fill_normal(draws: &mut Draws, deviation: f64, row: &mut [f32]) {
    row.iter_mut().for_each(|value| *value = Real::of(draws.normal() * deviation));
}
