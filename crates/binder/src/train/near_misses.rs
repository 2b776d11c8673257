//! The near misses among the draws of an epoch, listed at both ends.
//!
//! A draw costs one lookup of a row. The few near misses (at most one separating bit) are listed at
//! the child and at the parent:
//!
//! ```text
//! draws  ┬→  near misses of the drawer, already in order
//!        └→  near misses of the partners  →  sorted by concept
//! ```
//!
//! Where the child of the pair is full (`full.rs`), only the child lists it, and the parents that
//! it draws itself are not listed at all: they are drawn again when its gradient is computed.
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
use super::full::Full;
use super::gradient::NearPartner;
use super::negatives::{Drawer, Sampler};
use super::refused::Refused;
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id};
use crate::codes::Codes;
use crate::graph::Graph;
use crate::progress::Progress;

/// The largest size of the near misses listed at a time, in bytes.
pub(super) const MAX_BYTES: usize = MAX_LISTED * LISTED_BYTES;

/// The largest number of near misses listed at a time, if all are listed at partners.
const MAX_LISTED: usize = 8 << 20;

/// The size of a near miss that is listed at the partner, until and after it is sorted.
const LISTED_BYTES: usize = size_of::<NearMiss>() + size_of::<NearPartner>();

/// One chunk of concepts in so many is scanned to estimate the number of near misses.
const SAMPLED: usize = 31;

/// The number of draws examined at a time. Even, because the sampler draws two from each word.
pub(super) const PIECE: usize = 2048;

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

impl NearMiss {
    /// Fills a list before it is written.
    const NONE: Self = Self { concept: 0, partner: NearPartner::NONE };
}

/// A scan of the draws of an epoch.
#[derive(Clone, Copy)]
pub(super) struct DrawScan<'a> {
    pairs: &'a Graph,
    params: &'a ValidTrainParams,
    dense: &'a DenseDraws,
    codes: &'a Codes,
    full: &'a Full,
    /// Bits for which pairs with `G = 1` are not listed.
    refused: Option<&'a Refused>,
    sampler: Sampler<'a>,
    kernels: &'static Kernels,
}

impl<'a> DrawScan<'a> {
    pub(super) fn new(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        dense: &'a DenseDraws,
        codes: &'a Codes,
        full: &'a Full,
        epoch: u64,
    ) -> Self {
        let sampler = Sampler::new(pairs, params.negatives, params.seed, epoch);
        let kernels = Kernels::current();
        Self { pairs, params, dense, codes, full, refused: None, sampler, kernels }
    }

    /// The same scan, which does not list pairs that only speak against a refused flip.
    pub(super) fn without(self, refused: Option<&'a Refused>) -> Self {
        Self { refused, ..self }
    }

    /// The bits for which pairs are left out.
    pub(super) fn refused(self) -> Option<&'a Refused> {
        self.refused
    }

    /// The sampler of the draws.
    pub(super) fn sampler(&self) -> &Sampler<'a> {
        &self.sampler
    }

    /// The draws that are kept as sets.
    pub(super) fn dense(self) -> &'a DenseDraws {
        self.dense
    }

    /// Calls `each` with the parents that a full concept draws, without those that a set of draws
    /// has.
    pub(super) fn parents_of(self, concept: Id, buffer: &mut [u32], mut each: impl FnMut(Id)) {
        let drawer = Drawer { concept, is_parent: false };
        if self.dense.has_drawer(drawer) {
            return;
        }
        self.sampler.draws_of(drawer, buffer, |drawn| {
            let counted = drawn.iter().filter(|&&parent| self.counts(concept, parent));
            counted.for_each(|&parent| each(parent));
            true
        });
    }

    /// Whether a drawn pair counts: the sampling rules do not discard it, and no set of draws has
    /// it.
    #[inline(always)]
    fn counts(self, child: Id, parent: Id) -> bool {
        let sampling = self.params.sampling;
        (sampling.with_self || child != parent)
            && !(sampling.filtered && self.pairs.contains(child, parent))
            && !self.dense.has(child, parent)
    }

    /// A number of concepts whose near misses probably take at most `most` bytes, at least one.
    pub(super) fn width(self, most: usize) -> usize {
        let n = self.codes.len();
        let draws = self.pairs.len().saturating_mul(self.params.negatives as usize);
        if draws.saturating_mul(LISTED_BYTES + size_of::<NearPartner>()) <= most {
            return n;
        }
        let firsts: Vec<usize> = (0..n).step_by(CHUNK * SAMPLED).collect();
        let bytes = |&first: &usize| {
            let found = self.scan_concepts(self.chunk(first), 0..id(n), usize::MAX);
            found.map_or(0, |found| found.bytes())
        };
        let sampled: usize = firsts.par_iter().map(bytes).sum();
        // An eighth more, because another sample would have given another number.
        let all = sampled.saturating_mul(SAMPLED) / 8 * 9;
        if all <= most { n } else { (n / (all / most.max(1) + 1)).max(1) }
    }

    /// The chunk of concepts that starts with `first`.
    fn chunk(self, first: usize) -> Range<Id> {
        id(first)..id((first + CHUNK).min(self.codes.len()))
    }

    /// The near misses of all draws, listed at the concepts of a range; `None` when they take more
    /// than `most` bytes.
    pub(super) fn near_misses(
        self,
        range: Range<usize>,
        most: usize,
        progress: &dyn Progress,
    ) -> Option<NearMisses> {
        let kept = AtomicUsize::new(0);
        let parts = Parts::of(&range);
        let scan = |first: usize| {
            if progress.is_cancelled() {
                return Some((Own::default(), Divided::new(&[], parts)));
            }
            let range = id(range.start)..id(range.end);
            let found = self.scan_concepts(self.chunk(first), range, most)?;
            let bytes = found.bytes();
            (kept.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= most)
                .then(|| (found.own, Divided::new(&found.of_partners, parts)))
        };
        let firsts: Vec<usize> = (0..self.codes.len()).step_by(CHUNK).collect();
        let found: Option<Vec<(Own, Divided)>> = firsts.into_par_iter().map(scan).collect();
        Some(NearMisses::sorted(found?, parts))
    }

    /// The near misses of the draws that `concepts` make, listed at the concepts of `range`; `None`
    /// when they take more than `most` bytes.
    fn scan_concepts(self, concepts: Range<Id>, range: Range<Id>, most: usize) -> Option<Found> {
        let found = Found::default();
        let mut finder =
            Finder { scan: self, range, most, hits: Vec::new(), kept: Vec::new(), found };
        let mut buffer = [0; PIECE];
        for concept in concepts {
            for is_parent in [false, true] {
                let drawer = Drawer { concept, is_parent };
                let is_full_child = !is_parent && self.full.has(concept);
                if !is_full_child && !self.dense.has_drawer(drawer) {
                    self.sampler
                        .draws_of(drawer, &mut buffer, |drawn| finder.scan_drawn(drawer, drawn));
                }
            }
            let own = &mut finder.found.own;
            own.ends.push(own.partners.len());
            if finder.found.bytes() > most {
                return None;
            }
        }
        Some(finder.found)
    }
}

/// The near misses of some drawers.
#[derive(Default)]
struct Found {
    own: Own,
    of_partners: Vec<NearMiss>,
}

impl Found {
    /// The memory that the near misses take until they are used.
    fn bytes(&self) -> usize {
        self.own.partners.len() * size_of::<NearPartner>() + self.of_partners.len() * LISTED_BYTES
    }
}

/// The near misses among the draws of each concept of a chunk, listed at the concept itself.
#[derive(Default)]
struct Own {
    partners: Vec<NearPartner>,
    /// Where the partners of each concept end; they start where those of the one before it end.
    ends: Vec<usize>,
}

per_cpu! {
    /// Writes those of `ids` that are in the `len` ids from `start` on to `kept`, which is as long;
    /// returns their number. There is no branch to mispredict.
    fn keep_in_range(ids: &[Id], start: Id, len: Id, kept: &mut [Id]) -> usize {
        let mut count = 0;
        for &id in ids {
            kept[count] = id;
            count += usize::from(id.wrapping_sub(start) < len);
        }
        count
    }
}

/// Examines draws and lists the near misses.
struct Finder<'a> {
    scan: DrawScan<'a>,
    /// The concepts at which near misses are listed.
    range: Range<Id>,
    /// The largest size of the lists, in bytes; longer ones are not used.
    most: usize,
    /// Scratch space; empty between pieces.
    hits: Vec<Id>,
    /// Scratch space for the draws that are in the range.
    kept: Vec<Id>,
    /// The near misses found so far.
    found: Found,
}

impl Finder<'_> {
    /// Lists the near misses of some draws; says whether there is room for more.
    fn scan_drawn(&mut self, drawer: Drawer, drawn: &[Id]) -> bool {
        let (mut hits, code) =
            (std::mem::take(&mut self.hits), self.scan.codes.row(drawer.concept));
        let (mut kept, in_range) =
            (std::mem::take(&mut self.kept), self.range.contains(&drawer.concept));
        let drawn = if in_range {
            drawn
        } else {
            // The drawer is not in the range, so only partners in the range count.
            kept.resize(PIECE.max(drawn.len()), 0);
            let (start, len) = (self.range.start, self.range.end - self.range.start);
            let count = keep_in_range(drawn, start, len, &mut kept);
            &kept[..count]
        };
        let kernels = self.scan.kernels;
        let near = if drawer.is_parent { kernels.near_below } else { kernels.near_above };
        near(self.scan.codes.words(), code, drawn, &mut hits);
        hits.drain(..).for_each(|partner| self.list(drawer, partner, in_range));
        (self.hits, self.kept) = (hits, kept);
        self.found.bytes() <= self.most
    }

    /// Lists a near miss at both ends if it counts; at the child only if that is full. `in_range`
    /// says whether the drawer is in the range.
    fn list(&mut self, drawer: Drawer, partner: Id, in_range: bool) {
        let Drawer { concept, is_parent } = drawer;
        let (child, parent) = if is_parent { (partner, concept) } else { (concept, partner) };
        if !self.scan.counts(child, parent) {
            return;
        }
        let partner_in_range = self.range.contains(&partner);
        if self.scan.full.has(child) {
            // A full concept draws its parents later, so the drawer is the parent.
            if partner_in_range {
                let near = NearPartner::parent(parent, None);
                self.found.of_partners.push(NearMiss { concept: child, partner: near });
            }
            return;
        }
        let bit = drawer.missing_bit(partner, self.scan.codes);
        let is_refused = |concept| {
            let refused = self.scan.refused.zip(bit);
            refused.is_some_and(|(refused, bit)| refused.has(concept, bit))
        };
        let (in_range, partner_in_range) =
            (in_range && !is_refused(concept), partner_in_range && !is_refused(partner));
        let (of_child, of_parent) =
            (NearPartner::parent(parent, bit), NearPartner::child(child, bit));
        let (own, other) = if is_parent { (of_parent, of_child) } else { (of_child, of_parent) };
        if in_range {
            self.found.own.partners.push(own);
        }
        if partner_in_range {
            self.found.of_partners.push(NearMiss { concept: partner, partner: other });
        }
    }
}

/// A division of the concepts of a range into parts of equal width, so that each part can be sorted
/// by another thread.
#[derive(Debug, Clone, Copy)]
struct Parts {
    /// The first concept of the range.
    start: usize,
    /// The number of concepts.
    len: usize,
    /// The number of concepts in a part, at least one; the last part may have fewer.
    width: usize,
}

/// The largest number of parts.
const MAX_PARTS: usize = 64;

impl Parts {
    fn of(range: &Range<usize>) -> Self {
        let width = range.len().div_ceil(MAX_PARTS).max(CHUNK);
        Self { start: range.start, len: range.len(), width }
    }

    /// The number of parts.
    fn count(self) -> usize {
        self.len.div_ceil(self.width)
    }

    /// The part of a concept of the range.
    fn part(self, concept: Id) -> usize {
        (concept as usize - self.start) / self.width
    }

    /// The concepts of a part.
    fn concepts(self, part: usize) -> Range<usize> {
        let end = self.len.min((part + 1) * self.width);
        self.start + part * self.width..self.start + end
    }
}

/// Near misses, part by part.
struct Divided {
    misses: Vec<NearMiss>,
    /// Where each part ends in `misses`; it starts where the one before it ends.
    ends: Vec<usize>,
}

impl Divided {
    fn new(found: &[NearMiss], parts: Parts) -> Self {
        let by_part = found.iter().map(|&miss| (parts.part(miss.concept), miss));
        let (misses, ends) = sorted(by_part, parts.count(), NearMiss::NONE);
        Self { misses, ends }
    }

    fn part(&self, part: usize) -> &[NearMiss] {
        group(&self.misses, &self.ends, part)
    }
}

/// Sorts values by their group with two passes. Also returns where each group ends.
fn sorted<T: Copy>(
    values: impl Iterator<Item = (usize, T)> + Clone,
    groups: usize,
    filler: T,
) -> (Vec<T>, Vec<usize>) {
    let mut ends = vec![0; groups + 1];
    values.clone().for_each(|(group, _)| ends[group + 1] += 1);
    for group in 0..groups {
        ends[group + 1] += ends[group];
    }
    let mut sorted = vec![filler; ends[groups]];
    for (group, value) in values {
        sorted[ends[group]] = value;
        ends[group] += 1;
    }
    (sorted, ends)
}

/// The values of a group, given where each group ends.
fn group<'a, T>(values: &'a [T], ends: &[usize], group: usize) -> &'a [T] {
    let start = if group == 0 { 0 } else { ends[group - 1] };
    &values[start..ends[group]]
}

/// The near misses at each concept of a range.
pub(super) struct NearMisses {
    /// The first concept of the range.
    start: usize,
    /// Those that the concepts have drawn themselves, by chunks of all concepts.
    own: Vec<Own>,
    /// Those that others have drawn.
    parts: Vec<Part>,
    /// The number of concepts in each part but the last.
    width: usize,
}

/// The near misses at each concept of a part.
struct Part {
    /// The partners of all concepts, one concept after the other.
    partners: Vec<NearPartner>,
    /// Where the partners of each concept end.
    ends: Vec<usize>,
}

impl NearMisses {
    fn sorted(found: Vec<(Own, Divided)>, parts: Parts) -> Self {
        let (own, found): (Vec<Own>, Vec<Divided>) = found.into_iter().unzip();
        let sort = |part: usize| {
            let concepts = parts.concepts(part);
            let misses = found.iter().flat_map(|divided| divided.part(part));
            let by_concept =
                misses.map(|miss| (miss.concept as usize - concepts.start, miss.partner));
            let (partners, ends) = sorted(by_concept, concepts.len(), NearPartner::NONE);
            Part { partners, ends }
        };
        let sorted = (0..parts.count()).into_par_iter().map(sort).collect();
        Self { start: parts.start, own, parts: sorted, width: parts.width }
    }

    /// The size of the lists, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let own = self.own.iter().map(|own| own.partners.len()).sum::<usize>();
        let others = self.parts.iter().map(|part| part.partners.len()).sum::<usize>();
        own * size_of::<NearPartner>() + others * LISTED_BYTES
    }

    /// The near misses of the `at`-th concept of the range: those that it has drawn, and those that
    /// others have. A pair that both ends have drawn is in both.
    pub(super) fn of(&self, at: usize) -> [&[NearPartner]; 2] {
        let (concept, part) = (self.start + at, &self.parts[at / self.width]);
        // If the work is cancelled, there are no lists.
        let own = self.own.get(concept / CHUNK).filter(|own| !own.ends.is_empty());
        let own = own.map_or(&[][..], |own| group(&own.partners, &own.ends, concept % CHUNK));
        [own, group(&part.partners, &part.ends, at % self.width)]
    }
}
