//! Which flips happen.

use rayon::prelude::*;

use super::look::Look;
use super::{ClosedTrainer, Flip};
use crate::Codes;
use crate::codes::kernels;
use crate::hierarchy::{Id, Rows, id};
use crate::random::{Purpose, Stream};
use crate::train::pairs::Walk;

/// False positives looked at for one child in one epoch.
const MOST_A_CHILD: usize = 32;

/// A false positive counts for at most 2 to this power.
const MOST_ZEAL: u32 = 12;

/// Critical false positives: the false parents of each child, none of whose own parents is false for it, and turned round.
///
/// A flip that mends a critical pair mends those that led to it: a false parent's parent has no bit beyond it.
struct Critical {
    parents: Rows,
    children: Rows,
}

impl ClosedTrainer<'_> {
    /// The flips of an epoch, clearing ones first.
    pub(super) fn choose(&self, codes: &Codes, look: &Look, epoch: u64) -> Vec<Flip> {
        let critical = self.critical(look, epoch);
        let propose = |set: bool, partners: &Rows| -> Vec<Flip> {
            let concepts =
                (0..id(codes.len())).into_par_iter().filter(|&concept| !partners.row(concept).is_empty());
            let start = || Chooser::new(self, codes, look, &critical);
            concepts
                .map_init(start, |chooser, concept| chooser.best(concept, set, epoch))
                .flatten_iter()
                .collect()
        };
        let mut flips = propose(false, &critical.parents);
        flips.extend(propose(true, &critical.children));
        flips
    }

    /// Some critical false positives of every child that has any.
    fn critical(&self, look: &Look, epoch: u64) -> Critical {
        let of_child = |walk: &mut Walk, child: Id| {
            walk.above(child);
            let truly = |above: &Id| walk.has_found(*above);
            let highest = |parent: &Id| self.pairs.parents(*parent).iter().all(truly);
            let parents: Vec<Id> = look.false_parents(child).iter().copied().filter(highest).collect();
            let turn = Stream::new(self.params.seed, epoch, Purpose::Turns, child).word(0);
            some(&parents, turn).into_iter().map(|parent| (child, parent)).collect::<Vec<_>>()
        };
        let children: Vec<Id> = look.false_children().collect();
        let pairs: Vec<Vec<(Id, Id)>> =
            children.into_par_iter().map_init(|| Walk::new(&self.pairs), of_child).collect();
        let parents = Rows::from_pairs(self.pairs.concepts(), pairs.iter().flatten().copied());
        Critical { children: parents.transposed(), parents }
    }
}

/// Finds the best flip of one concept after the other.
struct Chooser<'a> {
    trainer: &'a ClosedTrainer<'a>,
    codes: &'a Codes,
    look: &'a Look,
    critical: &'a Critical,
    walk: Walk<'a>,
    /// By bit; by whole words for the counting kernel.
    gains: Vec<i64>,
    counts: Vec<u32>,
    partners: Vec<Id>,
}

impl<'a> Chooser<'a> {
    fn new(trainer: &'a ClosedTrainer<'a>, codes: &'a Codes, look: &'a Look, critical: &'a Critical) -> Self {
        let columns = codes.words_per_row() * 64;
        Self {
            trainer,
            codes,
            look,
            critical,
            walk: Walk::new(&trainer.pairs),
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
        let critical = self.critical;
        self.walk.closed(concept, set);
        self.gains.fill(0);
        self.partners.clear();
        for &touched in self.walk.order() {
            let (row, alone) = (self.codes.row(touched), self.look.alone(touched));
            for (bit, (gain, &alone)) in self.gains.iter_mut().zip(alone).enumerate() {
                let flips = (row[bit / 64] >> (bit % 64) & 1 == 1) != set;
                *gain -= i64::from(if flips { alone } else { 0 });
            }
            let partners = if set { critical.children.row(touched) } else { critical.parents.row(touched) };
            self.partners.extend(partners.iter().filter(|&&partner| !self.walk.has_found(partner)));
        }
        self.counts.fill(0);
        let stride = self.codes.words_per_row();
        (kernels::best().column_counts)(self.codes.words(), stride, &self.partners, &mut self.counts);
        let all = self.partners.len() as i64;
        for (gain, &ones) in self.gains.iter_mut().zip(&self.counts) {
            // Setting a bit mends what lacks it; clearing one mends what has it.
            *gain += zeal * if set { all - i64::from(ones) } else { i64::from(ones) };
        }
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
