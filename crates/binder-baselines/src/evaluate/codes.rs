use std::ops::Range;

use binder::bits::{VectorWork, vectorised};
use binder::{Codes, Id};

use crate::score::Scores;

/// The scores of codes: minus the number of the parent's bits that the child lacks. A pair is is-a
/// where it is 0.
pub fn code_scores(codes: &Codes) -> impl Scores + '_ {
    CodeScores(codes)
}

struct CodeScores<'a>(&'a Codes);

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a code has at most 4,096 bits")]
fn score(parent: &[u64], child: &[u64]) -> f32 {
    let lacking = parent.iter().zip(child).map(|(parent, child)| (parent & !child).count_ones());
    -(lacking.sum::<u32>() as f32)
}

impl Scores for CodeScores<'_> {
    fn concepts(&self) -> usize {
        self.0.len()
    }

    fn of_child(&self, child: Id, parents: Range<Id>, scores: &mut [f32]) {
        vectorised(OfChild { codes: self.0, child, parents, scores });
    }

    fn of_pairs(&self, pairs: &[(Id, Id)]) -> Vec<f32> {
        let of = |&(child, parent): &(Id, Id)| score(self.0.row(parent), self.0.row(child));
        pairs.iter().map(of).collect()
    }
}

struct OfChild<'a> {
    codes: &'a Codes,
    child: Id,
    parents: Range<Id>,
    scores: &'a mut [f32],
}

impl VectorWork for OfChild<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let child = self.codes.row(self.child);
        for (parent, to) in self.parents.zip(self.scores) {
            *to = score(self.codes.row(parent), child);
        }
    }
}
