//! Flips that keep every training pair: the epoch of the recipe `best`.
//!
//! The paper flips single bits, so a bit that a whole subtree ought to take (or a concept and all above it to lose) has to cross a wall
//! of missing bits, each at the price α; with a large α it never does. We flip such a bit at once in everything that the training pairs
//! ask for: a bit is *added* to a concept with all below it, or *removed* from a concept with all above it. Codes that
//! begin without a missing bit never miss one, and the loss is what the false positives cost:
//!
//! ```text
//!        animal                    puppy looks like a cat. Either cat takes a bit that puppy lacks (and kitten with it),
//!       /      \                   or puppy loses a bit of cat's (and dog and animal with it, where they have it).
//!     dog      cat 100
//!      |        |                  A flip gains the false positives that it mends, and loses the pairs that
//!  puppy 101  kitten 110           only the flipped bit keeps apart, over everything that it touches.
//! ```
//!
//! Every epoch looks at all pairs. Each concept in a false positive proposes its best flip, which happens with the paper's chance.

mod choose;
mod look;

use super::epoch::EpochReport;
use super::flip::FlipRule;
use super::loss::Loss;
use super::pairs::Walk;
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::hierarchy::Id;
use look::Look;

/// Trains by closed flips.
#[derive(Debug)]
pub(super) struct ClosedTrainer<'a> {
    /// The training pairs without those that follow from others: walks are shorter, and find the same.
    pairs: TrainingPairs,
    params: &'a ValidTrainParams,
    rule: FlipRule,
    /// What is known of the codes that the last epoch left.
    look: Option<Look>,
}

/// A flip of one bit in a concept with all below it (to set it) or all above it (to clear it).
#[derive(Debug, Clone, Copy)]
struct Flip {
    concept: Id,
    bit: usize,
    set: bool,
}

impl<'a> ClosedTrainer<'a> {
    pub(super) fn new(pairs: &TrainingPairs, params: &'a ValidTrainParams) -> Self {
        Self { pairs: pairs.reduced(), params, rule: FlipRule::new(params.rate, params.bias), look: None }
    }

    /// One epoch: all false positives, the best flip of each concept that is in one, and chance.
    pub(super) fn epoch(&mut self, codes: &mut Codes, epoch: u64) -> EpochReport {
        let look = self.look.take().unwrap_or_else(|| Look::new(codes, &self.pairs));
        let flips = self.choose(codes, &look, epoch);
        let loss = Loss { missing: 0, false_positives: look.false_positives() };
        let (mut changed, mut walk) = (Vec::new(), Walk::new(&self.pairs));
        let before = codes.clone();
        for flip in flips {
            flip.apply(codes, &mut walk, &mut changed);
        }
        let report = EpochReport { loss, flips: changed.len() as u64 };
        changed.sort_unstable();
        changed.dedup();
        self.look = look.after(&before, codes, &changed, &self.pairs);
        report
    }
}

impl Flip {
    /// Flips the bit wherever it has to be, and says where.
    fn apply(self, codes: &mut Codes, walk: &mut Walk, changed: &mut Vec<Id>) {
        walk.closed(self.concept, self.set);
        for &concept in walk.order() {
            if codes.get(concept, self.bit) != self.set {
                codes.set(concept, self.bit, self.set);
                changed.push(concept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::loss::{loss, missing_bits};
    use super::super::negatives::list_all;
    use super::super::run::first_codes;
    use super::super::{Init, Recipe, TrainParams};
    use super::*;
    use crate::codes::missing_bit;

    fn pairs() -> impl Strategy<Value = TrainingPairs> {
        proptest::collection::vec((0..25u32, 0..25u32), 1..60).prop_map(|edges| {
            let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a.max(b), a.min(b))).collect();
            TrainingPairs::new(25, &edges)
        })
    }

    fn settings(bits: usize, seed: u64) -> ValidTrainParams {
        let init = [Init::Inherited, Init::Ones, Init::Random][(seed % 3) as usize].clone();
        TrainParams { bits, seed, init, ..Recipe::Best.params(true) }.check(25).unwrap()
    }

    proptest! {
        #[test]
        fn no_training_pair_is_ever_missed_and_every_false_positive_is_seen(pairs in pairs(), bits in 1..70usize, seed in any::<u64>()) {
            let params = settings(bits, seed);
            let mut trainer = ClosedTrainer::new(&pairs, &params);
            let (mut codes, negatives) = (first_codes(&pairs, &params).unwrap(), list_all(&pairs));
            for epoch in 1..8 {
                let before = loss(&codes, &pairs, &negatives);
                prop_assert_eq!(before.missing, 0);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch).loss, before);
                if let Some(look) = &trainer.look {
                    prop_assert!(look.same_as(&Look::new(&codes, &pairs)));
                }
            }
            prop_assert_eq!(loss(&codes, &pairs, &negatives).missing, 0);
        }

        #[test]
        fn what_only_one_bit_keeps_apart_is_counted(pairs in pairs(), bits in 1..40usize, seed in any::<u64>()) {
            let params = settings(bits, seed);
            let codes = first_codes(&pairs, &params).unwrap();
            let mut alone = vec![0u32; 25 * bits];
            for (child, parent) in list_all(&pairs) {
                if missing_bits(codes.row(child), codes.row(parent)) == 1 {
                    let bit = usize::from(missing_bit(codes.row(child), codes.row(parent)).unwrap());
                    alone[child as usize * bits + bit] += 1;
                    alone[parent as usize * bits + bit] += 1;
                }
            }
            let look = Look::new(&codes, &pairs);
            prop_assert_eq!((0..25).flat_map(|concept| look.alone(concept).to_vec()).collect::<Vec<_>>(), alone);
        }

        #[test]
        fn pairs_that_go_round_in_a_circle_do_no_harm(edges in proptest::collection::vec((0..12u32, 0..12u32), 1..30), seed in any::<u64>()) {
            let pairs = TrainingPairs::new(12, &edges);
            let params = TrainParams { bits: 16, seed, ..Recipe::Best.params(true) }.check(12).unwrap();
            let (mut trainer, mut codes) = (ClosedTrainer::new(&pairs, &params), first_codes(&pairs, &params).unwrap());
            for epoch in 1..20 {
                trainer.epoch(&mut codes, epoch);
                prop_assert_eq!(loss(&codes, &pairs, &[]).missing, 0);
            }
        }
    }
}
