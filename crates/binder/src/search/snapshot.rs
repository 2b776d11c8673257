//! All false pairs and near pairs of monotone codes, kept up to date.
//!
//! One scan of all pairs finds them. After that, only pairs with a changed concept can change. The
//! old false and near pairs of these concepts are removed, and the new ones are added. Once few
//! bits flip, that costs a hundredth of a new scan.

use rayon::prelude::*;

use crate::bits::{Block, Id, id, missing_bit};
use crate::codes::{Codes, Columns};
use crate::graph::{Graph, Reach};
use crate::progress::{Cancelled, Progress};

/// When more than one in this many concepts has changed, a new snapshot is cheaper than an update.
const UPDATE_SHARE: usize = 8;

/// The largest number of false parents listed for one child. Others are counted but not listed.
const MAX_LISTED: usize = 256;

/// The memory that a snapshot takes: a count for every concept and bit, the columns, and a list for
/// every concept.
pub(crate) fn snapshot_bytes(concepts: usize, bits: usize) -> u64 {
    (concepts as u64).saturating_mul(4 * bits as u64 + bits as u64 / 8 + 32)
}

/// The false pairs, and for every bit how many near pairs it separates.
#[derive(Debug)]
pub(super) struct Snapshot {
    columns: Columns,
    bits: usize,
    /// For each concept and bit, how many near pairs of the concept that bit separates.
    sole: Vec<u32>,
    /// The false parents of each child, ascending. A new snapshot lists at most [`MAX_LISTED`] of
    /// them; an update may add more.
    false_parents: Vec<Vec<Id>>,
    /// The number of false pairs, listed or not.
    false_pairs: u64,
    /// Whether all false pairs are listed. If not, the snapshot cannot be updated.
    complete: bool,
}

/// A pair that is not is-a, and the only bit that separates it; a false pair if there is no such
/// bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NearPair {
    child: Id,
    parent: Id,
    bit: Option<u16>,
}

impl Snapshot {
    /// Scans all pairs.
    pub(super) fn new(
        codes: &Codes,
        graph: &Graph,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let (columns, bits) = (Columns::new(codes), codes.bits());
        let mut sole = vec![0u32; codes.len() * bits];
        let scan = |reach: &mut Reach<'_>, (concept, sole): (usize, &mut [u32])| {
            let (mut parents, mut count) = (Vec::new(), 0u64);
            if progress.is_cancelled() {
                return (parents, count);
            }
            let mut count_pair = |pair: NearPair, above: bool| match pair.bit {
                Some(bit) => sole[usize::from(bit)] += 1,
                None if above => {
                    count += 1;
                    if parents.len() < MAX_LISTED {
                        parents.push(pair.parent);
                    }
                }
                None => {}
            };
            near_pairs_below(codes, &columns, id(concept), reach, |pair| count_pair(pair, false));
            near_pairs_above(codes, &columns, id(concept), reach, |pair| count_pair(pair, true));
            (parents, count)
        };
        let found: Vec<(Vec<Id>, u64)> =
            sole.par_chunks_mut(bits).enumerate().map_init(|| Reach::new(graph), scan).collect();
        progress.go_on()?;
        let false_pairs = found.iter().map(|(_, count)| count).sum();
        let complete = found.iter().all(|(parents, count)| parents.len() as u64 == *count);
        let false_parents = found.into_iter().map(|(parents, _)| parents).collect();
        Ok(Self { columns, bits, sole, false_parents, false_pairs, complete })
    }

    /// Updates the snapshot after some concepts have changed; `None` if a new snapshot is cheaper.
    pub(super) fn after(
        mut self,
        before: &Codes,
        after: &Codes,
        changed: &[Id],
        graph: &Graph,
    ) -> Option<Self> {
        if !self.complete || changed.len() > after.len() / UPDATE_SHARE {
            return None;
        }
        for pair in self.near_pairs(before, changed, graph) {
            self.count(pair, false);
        }
        for &concept in changed {
            self.columns.update(concept, before.row(concept), after.row(concept));
        }
        for pair in self.near_pairs(after, changed, graph) {
            self.count(pair, true);
        }
        Some(self)
    }

    /// All false and near pairs with at least one of the concepts (ascending), each pair once.
    fn near_pairs(&self, codes: &Codes, concepts: &[Id], graph: &Graph) -> Vec<NearPair> {
        let of = |reach: &mut Reach<'_>, &concept: &Id| {
            let mut near_pairs = Vec::new();
            near_pairs_below(codes, &self.columns, concept, reach, |pair| near_pairs.push(pair));
            near_pairs_above(codes, &self.columns, concept, reach, |pair| {
                // A pair of two of the concepts is already listed at its parent.
                if concepts.binary_search(&pair.parent).is_err() {
                    near_pairs.push(pair);
                }
            });
            near_pairs
        };
        concepts.par_iter().map_init(|| Reach::new(graph), of).flatten_iter().collect()
    }

    fn count(&mut self, NearPair { child, parent, bit }: NearPair, more: bool) {
        if let Some(bit) = bit {
            for concept in [child, parent] {
                let sole = &mut self.sole[concept as usize * self.bits + usize::from(bit)];
                *sole = if more { *sole + 1 } else { *sole - 1 };
            }
            return;
        }
        let parents = &mut self.false_parents[child as usize];
        match (parents.binary_search(&parent), more) {
            (Err(at), true) => {
                parents.insert(at, parent);
                self.false_pairs += 1;
            }
            (Ok(at), false) => {
                parents.remove(at);
                self.false_pairs -= 1;
            }
            _ => {}
        }
    }

    /// Whether two snapshots have the same pairs and counts.
    #[cfg(test)]
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.sole == other.sole
            && self.false_parents == other.false_parents
            && self.false_pairs == other.false_pairs
    }

    /// The number of false pairs.
    pub(super) fn false_pairs(&self) -> u64 {
        self.false_pairs
    }

    /// The children in false pairs, ascending.
    pub(super) fn false_children(&self) -> impl Iterator<Item = Id> + '_ {
        (0..)
            .zip(&self.false_parents)
            .filter(|(_, parents)| !parents.is_empty())
            .map(|(child, _)| child)
    }

    /// The false parents of a child, ascending, at most [`MAX_LISTED`] of them. A new snapshot and
    /// an updated one give the same.
    pub(super) fn false_parents(&self, child: Id) -> &[Id] {
        let parents = &self.false_parents[child as usize];
        &parents[..parents.len().min(MAX_LISTED)]
    }

    /// For each bit, how many near pairs of the concept that bit separates.
    pub(super) fn sole_separators(&self, concept: Id) -> &[u32] {
        &self.sole[concept as usize * self.bits..][..self.bits]
    }
}

/// Calls `each` with the false and near pairs of a concept as the parent.
fn near_pairs_below(
    codes: &Codes,
    columns: &Columns,
    parent: Id,
    reach: &mut Reach<'_>,
    mut each: impl FnMut(NearPair),
) {
    let (code, descendants) = (codes.row(parent), reach.below(parent));
    columns.near_below(code, |block, zero, one| {
        for at in (zero | one).without(descendants[block]).iter() {
            let child = id(block * Block::SIZE) + at;
            each(NearPair { child, parent, bit: missing_bit(codes.row(child), code) });
        }
    });
}

/// Calls `each` with the false and near pairs of a concept as the child.
fn near_pairs_above(
    codes: &Codes,
    columns: &Columns,
    child: Id,
    reach: &mut Reach<'_>,
    mut each: impl FnMut(NearPair),
) {
    let (code, ancestors) = (codes.row(child), reach.above(child));
    columns.near_above(code, |block, zero, one| {
        for at in (zero | one).without(ancestors[block]).iter() {
            let parent = id(block * Block::SIZE) + at;
            each(NearPair { child, parent, bit: missing_bit(code, codes.row(parent)) });
        }
    });
}
