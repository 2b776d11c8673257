//! The near misses among the draws of an epoch, listed at both ends.
//!
//! A draw costs one look at a row. The few near misses (at most one separating bit) are listed for
//! the child and for the parent:
//!
//! ```text
//! draws  →  near misses (concept, partner, end)  →  sorted by concept
//! ```
//!
//! The lists take memory. When they would take too much (at first *every* draw is a near miss), the
//! concepts are divided into ranges and the draws repeated for each. That changes nothing but the
//! time: draws are computed from their number.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::ValidTrainParams;
use super::dense_draws::DenseDraws;
use super::epoch::CHUNK;
use super::gradient::NearPartner;
use super::negatives::{Drawer, Sampler};
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id, missing_bit};
use crate::codes::Codes;
use crate::graph::Graph;

/// Near misses listed at a time: 96 MB of them, and 64 MB once sorted.
pub(super) const MOST_LISTED: usize = 8 << 20;

/// Draws looked at in a piece; even, as the sampler asks.
const PIECE: usize = 2048;

/// The most memory that the lists of an epoch take: the concepts are divided until a list is short
/// enough, but those of one concept stay together.
pub(super) fn near_misses_bytes(
    pairs: &Graph,
    params: &ValidTrainParams,
    dense: &DenseDraws,
) -> u64 {
    let sampler = Sampler::new(pairs, params.negatives, params.seed, 0);
    let drawn_by = |concept: Id| -> u64 {
        let drawers = [false, true].map(|is_parent| Drawer { concept, is_parent });
        let listed = drawers.into_iter().filter(|&drawer| !dense.has_drawer(drawer));
        listed.map(|drawer| sampler.draws(drawer) as u64).sum()
    };
    let (mut all, mut most) = (0u64, 0);
    for draws in pairs.ids().map(drawn_by) {
        (all, most) = (all + draws, most.max(draws));
    }
    // What one concept draws, and what the others draw of it.
    let of_one = most + all / pairs.concepts().max(1) as u64;
    let at_once = of_one.max((2 * all).min(MOST_LISTED as u64));
    // A list grows by doubling, and is kept until it is sorted.
    at_once.saturating_mul((2 * size_of::<NearMiss>() + size_of::<NearPartner>()) as u64)
}

/// A near miss at one end: the concept, and its partner.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct NearMiss {
    concept: Id,
    partner: NearPartner,
}

/// A scan of the draws of an epoch.
#[derive(Clone, Copy)]
pub(super) struct DrawScan<'a> {
    pairs: &'a Graph,
    params: &'a ValidTrainParams,
    dense: &'a DenseDraws,
    codes: &'a Codes,
    sampler: Sampler<'a>,
    kernels: &'static Kernels,
}

impl<'a> DrawScan<'a> {
    pub(super) fn new(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        dense: &'a DenseDraws,
        codes: &'a Codes,
        epoch: u64,
    ) -> Self {
        let sampler = Sampler::new(pairs, params.negatives, params.seed, epoch);
        Self { pairs, params, dense, codes, sampler, kernels: Kernels::current() }
    }

    /// The near misses of all draws at the concepts of a range; `None` when they are more than
    /// `most`.
    pub(super) fn near_misses(self, range: Range<usize>, most: usize) -> Option<NearMisses> {
        let kept = AtomicUsize::new(0);
        let scan = |first: usize| {
            let concepts = id(first)..id((first + CHUNK).min(self.codes.len()));
            let found = self.scan_some(concepts, id(range.start)..id(range.end), most)?;
            (kept.fetch_add(found.len(), Ordering::Relaxed) + found.len() <= most).then_some(found)
        };
        let firsts: Vec<usize> = (0..self.codes.len()).step_by(CHUNK).collect();
        let found: Option<Vec<Vec<NearMiss>>> = firsts.into_par_iter().map(scan).collect();
        Some(NearMisses::sorted(&found?, range))
    }

    /// The near misses of the draws that some concepts make.
    fn scan_some(
        self,
        concepts: Range<Id>,
        range: Range<Id>,
        most: usize,
    ) -> Option<Vec<NearMiss>> {
        let (hits, partners, found) = (Vec::new(), Vec::new(), Vec::new());
        let mut finder = Finder { scan: self, range, most, hits, partners, found };
        let mut buffer = [0; PIECE];
        for concept in concepts {
            for is_parent in [false, true] {
                let drawer = Drawer { concept, is_parent };
                if !self.dense.has_drawer(drawer) {
                    self.sampler
                        .draws_of(drawer, &mut buffer, |drawn| finder.scan_drawn(drawer, drawn));
                }
            }
            if finder.found.len() > most {
                return None;
            }
        }
        Some(finder.found)
    }
}

/// Looks at draws and lists the near misses.
struct Finder<'a> {
    scan: DrawScan<'a>,
    /// Whose near misses are listed.
    range: Range<Id>,
    /// How many may be listed; beyond that the list is of no use.
    most: usize,
    /// Empty between pieces; kept for its room.
    hits: Vec<Id>,
    /// Draws that may matter to the range; kept for its room.
    partners: Vec<Id>,
    found: Vec<NearMiss>,
}

impl Finder<'_> {
    /// Lists the near misses of some draws; says whether there is room for more.
    fn scan_drawn(&mut self, drawer: Drawer, drawn: &[Id]) -> bool {
        let (mut hits, code) =
            (std::mem::take(&mut self.hits), self.scan.codes.row(drawer.concept));
        let mut partners = std::mem::take(&mut self.partners);
        let drawn =
            if self.range.contains(&drawer.concept) || self.range.len() == self.scan.codes.len() {
                drawn
            } else {
                // Only the other end can be in the range.
                partners.clear();
                partners.extend(drawn.iter().filter(|partner| self.range.contains(partner)));
                &partners
            };
        if drawer.is_parent {
            (self.scan.kernels.near_below)(self.scan.codes.words(), code, drawn, &mut hits);
            hits.drain(..).for_each(|child| self.list(child, drawer.concept));
        } else {
            (self.scan.kernels.near_above)(self.scan.codes.words(), code, drawn, &mut hits);
            hits.drain(..).for_each(|parent| self.list(drawer.concept, parent));
        }
        (self.hits, self.partners) = (hits, partners);
        self.found.len() <= self.most
    }

    /// Lists a near miss at both ends, unless the rules discard it or a set has it.
    fn list(&mut self, child: Id, parent: Id) {
        let sampling = self.scan.params.sampling;
        if !sampling.with_self && child == parent
            || sampling.filtered && self.scan.pairs.contains(child, parent)
            || self.scan.dense.has(child, parent)
        {
            return;
        }
        let bit = missing_bit(self.scan.codes.row(child), self.scan.codes.row(parent));
        if self.range.contains(&child) {
            self.found.push(NearMiss { concept: child, partner: NearPartner::parent(parent, bit) });
        }
        if self.range.contains(&parent) {
            self.found.push(NearMiss { concept: parent, partner: NearPartner::child(child, bit) });
        }
    }
}

/// The near misses at each concept of a range.
pub(super) struct NearMisses {
    /// Where those of the `i`-th concept of the range end.
    ends: Vec<usize>,
    partners: Vec<NearPartner>,
}

impl NearMisses {
    fn sorted(found: &[Vec<NearMiss>], range: Range<usize>) -> Self {
        let mut ends = vec![0; range.len() + 1];
        let all = || {
            found.iter().flatten().map(|miss| (miss.concept as usize - range.start, miss.partner))
        };
        all().for_each(|(at, _)| ends[at + 1] += 1);
        for at in 0..range.len() {
            ends[at + 1] += ends[at];
        }
        let mut sorted = vec![NearPartner::parent(0, None); ends[range.len()]];
        all().for_each(|(at, near)| {
            sorted[ends[at]] = near;
            ends[at] += 1;
        });
        Self { ends, partners: sorted }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.partners.len()
    }

    /// Those of the `at`-th concept of the range.
    pub(super) fn of(&self, at: usize) -> &[NearPartner] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.partners[start..self.ends[at]]
    }
}
