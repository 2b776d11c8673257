//! The near misses among the draws of an epoch, listed at both ends.
//!
//! A draw costs one lookup of a row. The few near misses (at most one separating bit) are listed at
//! the child and at the parent:
//!
//! ```text
//! draws  →  near misses (concept, partner, end)  →  sorted by concept
//! ```
//!
//! The lists take memory. When they would take too much (at first *every* draw is a near miss), the
//! concepts are divided into ranges and the draws are repeated for each range. That changes only
//! the time, not the result, because draws are computed from their index.

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
use crate::progress::Progress;

/// The largest number of near misses listed at a time: 96 MB, and another 64 MB when sorted.
pub(super) const MAX_LISTED: usize = 8 << 20;

/// The number of draws examined at a time. Even, because the sampler draws two from each word.
const PIECE: usize = 2048;

/// The largest amount of memory that the lists of an epoch take, in bytes. The concepts are divided
/// into ranges until a list is short enough, but the near misses of one concept stay together.
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
    let at_once = of_one.max((2 * all).min(MAX_LISTED as u64));
    // A list grows by doubling, and is kept until it is sorted.
    at_once.saturating_mul((2 * size_of::<NearMiss>() + size_of::<NearPartner>()) as u64)
}

/// A near miss listed at one end: the concept, and its partner.
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

    /// The near misses of all draws, listed at the concepts of a range; `None` when there are more
    /// than `most`.
    pub(super) fn near_misses(
        self,
        range: Range<usize>,
        most: usize,
        progress: &dyn Progress,
    ) -> Option<NearMisses> {
        let kept = AtomicUsize::new(0);
        let scan = |first: usize| {
            if progress.is_cancelled() {
                return Some(Vec::new());
            }
            let concepts = id(first)..id((first + CHUNK).min(self.codes.len()));
            let found = self.scan_concepts(concepts, id(range.start)..id(range.end), most)?;
            (kept.fetch_add(found.len(), Ordering::Relaxed) + found.len() <= most).then_some(found)
        };
        let firsts: Vec<usize> = (0..self.codes.len()).step_by(CHUNK).collect();
        let found: Option<Vec<Vec<NearMiss>>> = firsts.into_par_iter().map(scan).collect();
        Some(NearMisses::sorted(&found?, range))
    }

    /// The near misses of the draws that `concepts` make, listed at the concepts of `range`; `None`
    /// when there are more than `most`.
    fn scan_concepts(
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

/// Examines draws and lists the near misses.
struct Finder<'a> {
    scan: DrawScan<'a>,
    /// The concepts at which near misses are listed.
    range: Range<Id>,
    /// The largest number of near misses to list; a longer list is not used.
    most: usize,
    /// Scratch space; empty between pieces.
    hits: Vec<Id>,
    /// Scratch space for the draws that are in the range.
    partners: Vec<Id>,
    /// The near misses found so far.
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
                // The drawer is not in the range, so only partners in the range count.
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

    /// Lists a near miss at both ends, unless the sampling rules discard it or a set of draws has
    /// it.
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
    /// Where the partners of the `i`-th concept of the range end; they start where those of the
    /// concept before it end.
    ends: Vec<usize>,
    /// The partners of all concepts, one concept after the other.
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

    /// The number of near misses.
    pub(super) fn len(&self) -> usize {
        self.partners.len()
    }

    /// The near misses of the `at`-th concept of the range.
    pub(super) fn of(&self, at: usize) -> &[NearPartner] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.partners[start..self.ends[at]]
    }
}
