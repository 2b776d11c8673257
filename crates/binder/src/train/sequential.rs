//! The paper's theorem as a procedure.

use super::{ValidTrainParams, negatives};
use crate::bits::{Id, id, missing_bits};
use crate::codes::Codes;
use crate::graph::{Graph, Rows};
use crate::progress::Cancelled;

/// Flips one bit at a time, whenever that alone lowers the loss, until no single flip does: the
/// procedure of the paper's theorem.
///
/// With b = 0 a bit flips only if its gradient is positive, and flipped alone it lowers the loss by
/// exactly that much. The loss is a whole number, so this ends, and it ends where no code at
/// Hamming distance one is better. The negatives are drawn once and stay. The paper flips with a
/// chance; we flip at once, because a bit that may flip will in the end.
///
/// Gives the number of flips. `watch` sees what each one gained, and may end the work.
pub fn descend(
    codes: &mut Codes,
    pairs: &Graph,
    params: &ValidTrainParams,
    mut watch: impl FnMut(u64) -> Result<(), Cancelled>,
) -> Result<u64, Cancelled> {
    let negatives = distinct_negatives(pairs, params);
    let descent = Descent {
        pairs,
        params,
        parents: rows(codes.len(), &negatives, false),
        children: rows(codes.len(), &negatives, true),
    };
    let (mut flips, mut still) = (0, 0);
    for concept in (0..id(codes.len())).cycle() {
        if still == codes.len() {
            break;
        }
        let gained = descent.settle(codes, concept, &mut watch)?;
        flips += gained;
        still = if gained == 0 { still + 1 } else { 1 };
    }
    Ok(flips)
}

/// The negatives of epoch 0, without pairs of a concept with itself: no flip mends those.
pub fn distinct_negatives(pairs: &Graph, params: &ValidTrainParams) -> Vec<(Id, Id)> {
    let mut negatives = negatives::list(pairs, params.negatives, params.sampling, params.seed, 0);
    negatives.retain(|(child, parent)| child != parent);
    negatives
}

fn rows(concepts: usize, negatives: &[(Id, Id)], turned: bool) -> Rows {
    Rows::from_pairs(
        concepts,
        negatives
            .iter()
            .map(|&(child, parent)| if turned { (parent, child) } else { (child, parent) }),
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
    /// Flips bits of a concept, the best first, until none lowers the loss; gives the number of
    /// flips.
    fn settle(
        &self,
        codes: &mut Codes,
        concept: Id,
        watch: &mut impl FnMut(u64) -> Result<(), Cancelled>,
    ) -> Result<u64, Cancelled> {
        let mut flips = 0;
        loop {
            let gains = (0..codes.bits()).map(|bit| (self.gain(codes, concept, bit), bit));
            // Of equal gains the first bit.
            let (gain, bit) = gains.rev().max_by_key(|&(gain, _)| gain).unwrap_or_default();
            let Ok(gain @ 1..) = u64::try_from(gain) else { return Ok(flips) };
            codes.set(concept, bit, !codes.get(concept, bit));
            watch(gain)?;
            flips += 1;
        }
    }

    /// By how much flipping one bit lowers the loss.
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

/// What flipping a bit of the child (or the parent) of a negative pair gains, given that bit at
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
