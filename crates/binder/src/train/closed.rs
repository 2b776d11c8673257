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

use rayon::prelude::*;

use super::epoch::EpochReport;
use super::flip::FlipRule;
use super::gradient::missing_bit;
use super::loss::Loss;
use super::pairs::Walk;
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::codes::kernels::{self, Kernels};
use crate::codes::{BLOCK, Columns};
use crate::hierarchy::{Id, Rows, id};
use crate::random::{Purpose, Stream};

/// False positives looked at for one child in one epoch.
const MOST_A_CHILD: usize = 32;

/// A false positive counts for at most 2 to this power.
const MOST_ZEAL: u32 = 12;

/// Trains by closed flips.
#[derive(Debug)]
pub(super) struct ClosedTrainer<'a> {
    pairs: &'a TrainingPairs,
    params: &'a ValidTrainParams,
    rule: FlipRule,
    kernels: &'static Kernels,
}

/// What one look at all pairs found.
struct Look {
    /// For each concept and bit, how many pairs only that bit of the concept keeps apart.
    alone: Vec<u16>,
    /// Critical false positives: the false parents of each child, none of whose own parents is false for it; and turned round.
    parents: Rows,
    children: Rows,
    /// All false positives, critical or not.
    false_positives: u64,
}

/// A flip of one bit in a concept with all below it (to set it) or all above it (to clear it).
#[derive(Debug, Clone, Copy)]
struct Flip {
    concept: Id,
    bit: usize,
    set: bool,
}

impl<'a> ClosedTrainer<'a> {
    pub(super) fn new(pairs: &'a TrainingPairs, params: &'a ValidTrainParams) -> Self {
        let rule = FlipRule::new(params.rate, params.bias);
        Self { pairs, params, rule, kernels: kernels::best() }
    }

    /// One epoch: all false positives, the best flip of each concept that is in one, and chance.
    pub(super) fn epoch(&self, codes: &mut Codes, epoch: u64) -> EpochReport {
        let look = self.look(codes, epoch);
        let flips = self.choose(codes, &look, epoch);
        let mut report =
            EpochReport { loss: Loss { missing: 0, false_positives: look.false_positives }, flips: 0 };
        let mut walk = Walk::new(self.pairs);
        for flip in flips {
            report.flips += flip.apply(codes, &mut walk);
        }
        report
    }

    fn look(&self, codes: &Codes, epoch: u64) -> Look {
        let columns = Columns::with_kernels(codes, self.kernels);
        let (n, bits) = (codes.len(), codes.bits());
        let mut alone = vec![0u16; n * bits];
        let found: Vec<(Vec<Id>, u64)> = alone
            .par_chunks_mut(bits)
            .enumerate()
            .map_init(
                || Walk::new(self.pairs),
                |walk, (concept, alone)| {
                    self.look_below(codes, &columns, id(concept), walk, alone);
                    self.look_above(codes, &columns, id(concept), walk, alone, epoch)
                },
            )
            .collect();
        let critical =
            (0..).zip(&found).flat_map(|(child, (parents, _))| parents.iter().map(move |&p| (child, p)));
        let parents = Rows::from_pairs(n, critical.clone());
        let children = parents.transposed();
        Look { alone, parents, children, false_positives: found.iter().map(|(_, count)| count).sum() }
    }

    /// Counts, for each bit of a concept, the pairs below it that this bit alone keeps apart.
    fn look_below(&self, codes: &Codes, columns: &Columns, concept: Id, walk: &mut Walk, alone: &mut [u16]) {
        let (code, descendants) = (codes.row(concept), walk.below(concept));
        columns.near_below(code, |block, _, one| {
            for at in one.without(descendants[block]).iter() {
                count(alone, missing_bit(codes.row(id(block * BLOCK) + at), code));
            }
        });
    }

    /// The same above it, for the bits that it lacks; and its critical false parents, with the number of all false ones.
    fn look_above(
        &self,
        codes: &Codes,
        columns: &Columns,
        concept: Id,
        walk: &mut Walk,
        alone: &mut [u16],
        epoch: u64,
    ) -> (Vec<Id>, u64) {
        let code = codes.row(concept);
        walk.above(concept);
        let (mut false_parents, mut all) = (Vec::new(), 0);
        columns.near_above(code, |block, zero, one| {
            let ancestors = walk.found()[block];
            for at in one.without(ancestors).iter() {
                count(alone, missing_bit(code, codes.row(id(block * BLOCK) + at)));
            }
            for at in zero.without(ancestors).iter() {
                let parent = id(block * BLOCK) + at;
                all += 1;
                if self.pairs.parents(parent).iter().all(|&above| walk.has_found(above)) {
                    false_parents.push(parent);
                }
            }
        });
        let turn = Stream::new(self.params.seed, epoch, Purpose::Turns, concept).word(0);
        (some(&false_parents, turn), all)
    }

    /// The flips of an epoch, clearing ones first.
    fn choose(&self, codes: &Codes, look: &Look, epoch: u64) -> Vec<Flip> {
        let propose = |set: bool, partners: &Rows| -> Vec<Flip> {
            let concepts =
                (0..id(codes.len())).into_par_iter().filter(|&concept| !partners.row(concept).is_empty());
            concepts
                .map_init(
                    || Chooser::new(self, codes, look),
                    |chooser, concept| chooser.best(concept, set, epoch),
                )
                .flatten_iter()
                .collect()
        };
        let mut flips = propose(false, &look.parents);
        flips.extend(propose(true, &look.children));
        flips
    }
}

/// Finds the best flip of one concept after the other.
struct Chooser<'a> {
    trainer: &'a ClosedTrainer<'a>,
    codes: &'a Codes,
    look: &'a Look,
    walk: Walk<'a>,
    /// By bit; by whole words for the counting kernel.
    gains: Vec<i64>,
    counts: Vec<u32>,
    partners: Vec<Id>,
}

impl<'a> Chooser<'a> {
    fn new(trainer: &'a ClosedTrainer<'a>, codes: &'a Codes, look: &'a Look) -> Self {
        let columns = codes.words_per_row() * 64;
        Self {
            trainer,
            codes,
            look,
            walk: Walk::new(trainer.pairs),
            gains: vec![0; codes.bits()],
            counts: vec![0; columns],
            partners: Vec::new(),
        }
    }

    /// The best flip of a concept, if chance will have it.
    ///
    /// What a concept would mend counts for it once in half of the epochs, twice in a quarter, four times in an eighth, and so on: a false
    /// positive that cannot be mended without breaking others will break them in time, and those may be mended elsewhere.
    fn best(&mut self, concept: Id, set: bool, epoch: u64) -> Option<Flip> {
        let stream = Stream::new(self.trainer.params.seed, epoch, Purpose::Flips, concept);
        let [turn, luck, zeal] = [0, 1, 2].map(|at| stream.word(u64::from(set) * 3 + at));
        self.weigh(concept, set, 1 << zeal.trailing_zeros().min(MOST_ZEAL));
        let bits = self.codes.bits();
        let first = usize::try_from(turn % bits as u64).expect("below the number of bits");
        let open = (first..bits).chain(0..first).filter(|&bit| self.codes.get(concept, bit) != set);
        let bit = open.max_by_key(|&bit| self.gains[bit])?;
        let gain = self.gains[bit] * i64::from(self.trainer.params.beta);
        (luck < self.trainer.rule.chance(gain)).then_some(Flip { concept, bit, set })
    }

    /// What each bit gains if it is flipped in everything the flip would touch: what it mends, `zeal` times, less what it breaks.
    fn weigh(&mut self, concept: Id, set: bool, zeal: i64) {
        let (look, bits) = (self.look, self.codes.bits());
        if set {
            self.walk.below(concept)
        } else {
            self.walk.above(concept)
        };
        self.gains.fill(0);
        self.partners.clear();
        for &touched in self.walk.order() {
            let (row, alone) = (self.codes.row(touched), &look.alone[touched as usize * bits..][..bits]);
            for (bit, (gain, &alone)) in self.gains.iter_mut().zip(alone).enumerate() {
                let flips = (row[bit / 64] >> (bit % 64) & 1 == 1) != set;
                *gain -= i64::from(if flips { alone } else { 0 });
            }
            let partners = if set { look.children.row(touched) } else { look.parents.row(touched) };
            self.partners.extend(partners.iter().filter(|&&partner| !self.walk.has_found(partner)));
        }
        self.counts.fill(0);
        let stride = self.codes.words_per_row();
        (self.trainer.kernels.column_counts)(self.codes.words(), stride, &self.partners, &mut self.counts);
        let all = self.partners.len() as i64;
        for (gain, &ones) in self.gains.iter_mut().zip(&self.counts) {
            // Setting a bit mends what lacks it; clearing one mends what has it.
            *gain += zeal * if set { all - i64::from(ones) } else { i64::from(ones) };
        }
    }
}

impl Flip {
    fn apply(self, codes: &mut Codes, walk: &mut Walk) -> u64 {
        if self.set {
            walk.below(self.concept)
        } else {
            walk.above(self.concept)
        };
        let mut flips = 0;
        for &concept in walk.order() {
            flips += u64::from(codes.get(concept, self.bit) != self.set);
            codes.set(concept, self.bit, self.set);
        }
        flips
    }
}

fn count(alone: &mut [u16], bit: Option<u16>) {
    if let Some(bit) = bit {
        alone[usize::from(bit)] = alone[usize::from(bit)].saturating_add(1);
    }
}

/// At most [`MOST_A_CHILD`] of some concepts, beginning anywhere.
fn some(concepts: &[Id], turn: u64) -> Vec<Id> {
    if concepts.len() <= MOST_A_CHILD {
        return concepts.to_vec();
    }
    let first = usize::try_from(turn % concepts.len() as u64).expect("below a length");
    let mut some: Vec<Id> = concepts[first..].iter().chain(concepts).take(MOST_A_CHILD).copied().collect();
    some.sort_unstable();
    some
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::loss::{loss, missing_bits};
    use super::super::negatives::list_all;
    use super::super::run::first_codes;
    use super::super::{Init, Recipe, TrainParams};
    use super::*;

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
            let trainer = ClosedTrainer::new(&pairs, &params);
            let (mut codes, negatives) = (first_codes(&pairs, &params).unwrap(), list_all(&pairs));
            for epoch in 1..8 {
                let before = loss(&codes, &pairs, &negatives);
                prop_assert_eq!(before.missing, 0);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch).loss, before);
            }
            prop_assert_eq!(loss(&codes, &pairs, &negatives).missing, 0);
        }

        #[test]
        fn what_only_one_bit_keeps_apart_is_counted(pairs in pairs(), bits in 1..40usize, seed in any::<u64>()) {
            let params = settings(bits, seed);
            let trainer = ClosedTrainer::new(&pairs, &params);
            let codes = first_codes(&pairs, &params).unwrap();
            let mut alone = vec![0u16; 25 * bits];
            for (child, parent) in list_all(&pairs) {
                if missing_bits(codes.row(child), codes.row(parent)) == 1 {
                    let bit = usize::from(missing_bit(codes.row(child), codes.row(parent)).unwrap());
                    alone[child as usize * bits + bit] += 1;
                    alone[parent as usize * bits + bit] += 1;
                }
            }
            prop_assert_eq!(trainer.look(&codes, 1).alone, alone);
        }

        #[test]
        fn pairs_that_go_round_in_a_circle_do_no_harm(edges in proptest::collection::vec((0..12u32, 0..12u32), 1..30), seed in any::<u64>()) {
            let pairs = TrainingPairs::new(12, &edges);
            let params = TrainParams { bits: 16, seed, ..Recipe::Best.params(true) }.check(12).unwrap();
            let (trainer, mut codes) = (ClosedTrainer::new(&pairs, &params), first_codes(&pairs, &params).unwrap());
            for epoch in 1..20 {
                trainer.epoch(&mut codes, epoch);
                prop_assert_eq!(loss(&codes, &pairs, &[]).missing, 0);
            }
        }
    }
}
