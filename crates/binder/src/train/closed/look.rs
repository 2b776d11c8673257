//! What is at stake in codes: false positives, and pairs that a single bit keeps apart.
//!
//! One look at all pairs finds them. After that only pairs of changed concepts can have changed: what they were in is taken back, and what
//! they are in now is added, which costs a hundredth of a new look once few flips happen.

use rayon::prelude::*;

use crate::Codes;
use crate::codes::{BLOCK, Columns, missing_bit};
use crate::hierarchy::{Id, id};
use crate::train::TrainingPairs;
use crate::train::pairs::Walk;

/// When more than one in so many concepts has changed, a new look is cheaper.
const FEW: usize = 8;

/// The false parents listed for one child; more are counted, and found by the next new look.
const MOST_LISTED: usize = 256;

/// False positives, and pairs that a single bit keeps apart.
#[derive(Debug)]
pub(super) struct Look {
    columns: Columns,
    bits: usize,
    /// For each concept and bit, how many pairs only that bit of the concept keeps apart.
    alone: Vec<u32>,
    /// The false parents of each child, ascending; a new look lists [`MOST_LISTED`] of them at most.
    false_parents: Vec<Vec<Id>>,
    /// All false positives, listed or not.
    false_positives: u64,
    /// Whether all are listed. If not, there is nothing to bring up to date.
    complete: bool,
}

/// A pair that is not is-a and matters, and the one bit that keeps it apart, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stake {
    child: Id,
    parent: Id,
    bit: Option<u16>,
}

impl Look {
    /// Looks at all pairs.
    pub(super) fn new(codes: &Codes, pairs: &TrainingPairs) -> Self {
        let (columns, bits) = (Columns::new(codes), codes.bits());
        let mut alone = vec![0u32; codes.len() * bits];
        let look = |walk: &mut Walk, (concept, alone): (usize, &mut [u32])| {
            let (mut parents, mut count) = (Vec::new(), 0u64);
            let mut see = |stake: Stake, above: bool| match stake.bit {
                Some(bit) => alone[usize::from(bit)] += 1,
                None if above => {
                    count += 1;
                    if parents.len() < MOST_LISTED {
                        parents.push(stake.parent);
                    }
                }
                None => {}
            };
            stakes_below(codes, &columns, id(concept), walk, |stake| see(stake, false));
            stakes_above(codes, &columns, id(concept), walk, |stake| see(stake, true));
            (parents, count)
        };
        let found: Vec<(Vec<Id>, u64)> =
            alone.par_chunks_mut(bits).enumerate().map_init(|| Walk::new(pairs), look).collect();
        let false_positives = found.iter().map(|(_, count)| count).sum();
        let complete = found.iter().all(|(parents, count)| parents.len() as u64 == *count);
        let false_parents = found.into_iter().map(|(parents, _)| parents).collect();
        Self { columns, bits, alone, false_parents, false_positives, complete }
    }

    /// The same of codes of which only some concepts have changed, if it is worth while to know.
    pub(super) fn after(
        mut self,
        before: &Codes,
        after: &Codes,
        changed: &[Id],
        pairs: &TrainingPairs,
    ) -> Option<Self> {
        if !self.complete || changed.len() > after.len() / FEW {
            return None;
        }
        for stake in self.stakes(before, changed, pairs) {
            self.count(stake, false);
        }
        for &concept in changed {
            self.columns.update(concept, before.row(concept), after.row(concept));
        }
        for stake in self.stakes(after, changed, pairs) {
            self.count(stake, true);
        }
        Some(self)
    }

    /// Everything at stake in pairs of some concepts, each pair once.
    fn stakes(&self, codes: &Codes, concepts: &[Id], pairs: &TrainingPairs) -> Vec<Stake> {
        let of = |walk: &mut Walk, &concept: &Id| {
            let mut stakes = Vec::new();
            stakes_below(codes, &self.columns, concept, walk, |stake| stakes.push(stake));
            stakes_above(codes, &self.columns, concept, walk, |stake| {
                // Between two of the concepts, the parent has seen it.
                if concepts.binary_search(&stake.parent).is_err() {
                    stakes.push(stake);
                }
            });
            stakes
        };
        concepts.par_iter().map_init(|| Walk::new(pairs), of).flatten_iter().collect()
    }

    fn count(&mut self, Stake { child, parent, bit }: Stake, more: bool) {
        if let Some(bit) = bit {
            for concept in [child, parent] {
                let alone = &mut self.alone[concept as usize * self.bits + usize::from(bit)];
                *alone = if more { *alone + 1 } else { *alone - 1 };
            }
            return;
        }
        let parents = &mut self.false_parents[child as usize];
        match (parents.binary_search(&parent), more) {
            (Err(at), true) => {
                parents.insert(at, parent);
                self.false_positives += 1;
            }
            (Ok(at), false) => {
                parents.remove(at);
                self.false_positives -= 1;
            }
            _ => {}
        }
    }

    /// Whether two looks found the same.
    #[cfg(test)]
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.false_parents == other.false_parents
            && self.false_positives == other.false_positives
    }

    /// How many false positives there are.
    pub(super) fn false_positives(&self) -> u64 {
        self.false_positives
    }

    /// The children of false positives, ascending.
    pub(super) fn false_children(&self) -> impl Iterator<Item = Id> + '_ {
        (0..).zip(&self.false_parents).filter(|(_, parents)| !parents.is_empty()).map(|(child, _)| child)
    }

    /// The false parents of a child, ascending; the same ones whether the look is new or was brought up to date.
    pub(super) fn false_parents(&self, child: Id) -> &[Id] {
        let parents = &self.false_parents[child as usize];
        &parents[..parents.len().min(MOST_LISTED)]
    }

    /// For each bit, how many pairs only that bit of the concept keeps apart.
    pub(super) fn alone(&self, concept: Id) -> &[u32] {
        &self.alone[concept as usize * self.bits..][..self.bits]
    }
}

/// Hands over what is at stake between a concept and those that are, or nearly are, below its code without being below it.
fn stakes_below(codes: &Codes, columns: &Columns, parent: Id, walk: &mut Walk, mut each: impl FnMut(Stake)) {
    let (code, descendants) = (codes.row(parent), walk.below(parent));
    columns.near_below(code, |block, zero, one| {
        for at in (zero | one).without(descendants[block]).iter() {
            let child = id(block * BLOCK) + at;
            each(Stake { child, parent, bit: missing_bit(codes.row(child), code) });
        }
    });
}

/// The same with those that are, or nearly are, above its code.
fn stakes_above(codes: &Codes, columns: &Columns, child: Id, walk: &mut Walk, mut each: impl FnMut(Stake)) {
    let (code, ancestors) = (codes.row(child), walk.above(child));
    columns.near_above(code, |block, zero, one| {
        for at in (zero | one).without(ancestors[block]).iter() {
            let parent = id(block * BLOCK) + at;
            each(Stake { child, parent, bit: missing_bit(code, codes.row(parent)) });
        }
    });
}
