//! The paper's theorem as a procedure.

use super::{ValidTrainParams, negatives};
use crate::bits::{Id, id, missing_bits};
use crate::codes::Codes;
use crate::graph::{Graph, Rows};
use crate::progress::Cancelled;

/// Flips one bit at a time while that lowers the loss, until no single flip does: the procedure of
/// the paper's theorem.
///
/// With b = 0 a bit flips only if its gradient is positive, and flipping it alone lowers the loss
/// by exactly that much. The loss is a whole number, so this terminates, and then no code at
/// Hamming distance one is better. The negatives are drawn once. The paper flips with a chance; we
/// flip at once, because a bit with a chance to flip does so sooner or later.
///
/// Returns the number of flips. `watch` is called with the gain of each flip and may cancel the
/// work.
///
/// # Errors
///
/// When `watch` cancels the work.
pub fn descend(
    codes: &mut Codes,
    pairs: &Graph,
    params: &ValidTrainParams,
    mut watch: impl FnMut(u64) -> Result<(), Cancelled>,
) -> Result<u64, Cancelled> {
    let negatives = negatives_without_self(pairs, params);
    let descent = Descent {
        pairs,
        params,
        parents: rows(codes.len(), &negatives, false),
        children: rows(codes.len(), &negatives, true),
    };
    let (mut flips, mut settled) = (0, 0);
    for concept in (0..id(codes.len())).cycle() {
        if settled == codes.len() {
            break;
        }
        let flipped = descent.settle(codes, concept, &mut watch)?;
        flips += flipped;
        settled = if flipped == 0 { settled + 1 } else { 1 };
    }
    Ok(flips)
}

/// The negatives of epoch 0, without pairs of a concept with itself, which no bit can separate.
pub fn negatives_without_self(pairs: &Graph, params: &ValidTrainParams) -> Vec<(Id, Id)> {
    let mut negatives = negatives::list(pairs, params.negatives, params.sampling, params.seed, 0);
    negatives.retain(|(child, parent)| child != parent);
    negatives
}

fn rows(concepts: usize, negatives: &[(Id, Id)], reversed: bool) -> Rows {
    Rows::from_pairs(
        concepts,
        negatives
            .iter()
            .map(|&(child, parent)| if reversed { (parent, child) } else { (child, parent) }),
    )
}

struct Descent<'a> {
    pairs: &'a Graph,
    params: &'a ValidTrainParams,
    /// Parents of each concept in negative pairs.
    parents: Rows,
    /// Children of each concept in negative pairs.
    children: Rows,
}

impl Descent<'_> {
    /// Flips bits of a concept, the one with the largest gain first, until no flip lowers the loss.
    /// Returns the number of flips.
    fn settle(
        &self,
        codes: &mut Codes,
        concept: Id,
        watch: &mut impl FnMut(u64) -> Result<(), Cancelled>,
    ) -> Result<u64, Cancelled> {
        let mut flips = 0;
        loop {
            let gains = (0..codes.bits()).map(|bit| (self.gain(codes, concept, bit), bit));
            // In case of a tie, the first bit.
            let (gain, bit) = gains.rev().max_by_key(|&(gain, _)| gain).unwrap_or_default();
            let Ok(gain @ 1..) = u64::try_from(gain) else { return Ok(flips) };
            codes.set(concept, bit, !codes.get(concept, bit));
            watch(gain)?;
            flips += 1;
        }
    }

    /// The amount by which flipping one bit lowers the loss.
    fn gain(&self, codes: &Codes, concept: Id, bit: usize) -> i64 {
        let has = |id: Id| codes.get(id, bit);
        let count =
            |ids: &[Id], wanted: bool| ids.iter().filter(|&&id| has(id) == wanted).count() as i64;
        let children_without = count(self.pairs.children(concept), false);
        let positive = count(self.pairs.parents(concept), true) - children_without;
        let mut negative = 0;
        for &parent in self.parents.row(concept) {
            negative += negative_gain(codes, (concept, parent), has(concept), has(parent), true);
        }
        for &child in self.children.row(concept) {
            negative += negative_gain(codes, (child, concept), has(child), has(concept), false);
        }
        let sign = if has(concept) { -1 } else { 1 };
        i64::from(self.params.alpha) * sign * positive + i64::from(self.params.beta) * negative
    }
}

/// The gain of flipping a bit of the child (or of the parent) of a negative pair, given that bit at
/// both ends.
fn negative_gain(
    codes: &Codes,
    (child, parent): (Id, Id),
    child_has: bool,
    parent_has: bool,
    of_child: bool,
) -> i64 {
    match (missing_bits(codes.row(child), codes.row(parent)), child_has, parent_has) {
        (0, true, true) if of_child => 1,
        (0, false, false) if !of_child => 1,
        (1, false, true) => -1,
        _ => 0,
    }
}
