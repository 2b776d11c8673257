//! Draws kept as sets, for concepts that draw so many partners that a set is smaller than a list.
//!
//! On the closure of a hierarchy a concept near the root draws every other concept many times. If
//! duplicates count once, it is enough to know *which* concepts were drawn: one bit for each. The
//! near misses among them (at most one separating bit) are found 512 at a time by columns and are
//! never listed one by one:
//!
//! ```text
//! draws  →  drawn: all partners  →  near: near misses   ┬ by rows: negatives of the drawer
//!                                                       └ by columns: negatives of its partners
//! ```
//!
//! The choice of the concepts that use sets changes only the time, not the result.

use rayon::prelude::*;

use super::ValidTrainParams;
use super::full::Full;
use super::negatives::{Drawer, Sampler};
use crate::bits::{Block, Id, id, ones, transpose};
use crate::codes::{Codes, Columns};
use crate::graph::Graph;

/// The number of draws from which a set is used, among `concepts` concepts: the set is then smaller
/// than the list of draws.
pub(super) fn min_draws(concepts: usize) -> usize {
    (concepts / 4).max(512)
}

/// The largest amount of memory for all sets, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The number of draws made at a time. Even, because the sampler draws two from each word.
const PIECE: usize = 4096;

/// Marks a concept whose draws are not kept as a set.
const NONE: u32 = u32::MAX;

/// The draws of one drawer.
#[derive(Debug, Clone)]
struct DenseDraw {
    drawer: Drawer,
    /// The partners drawn, without those that the sampling rules discard.
    drawn: Vec<Block>,
    /// The near misses among them. A pair that two sets have is only in one of them.
    near: Vec<Block>,
}

/// All draws of an epoch that are kept as sets.
#[derive(Debug)]
pub(super) struct DenseDraws {
    all: Vec<DenseDraw>,
    /// The index in `all` of each concept as the child of its pairs, or [`NONE`]. Empty when there
    /// are no sets.
    as_child: Vec<u32>,
    /// The index in `all` of each concept as the parent of its pairs, or [`NONE`]. Empty when there
    /// are no sets.
    as_parent: Vec<u32>,
    /// The concepts that have a set as parents, and as children: one bit for each; empty when none
    /// has. Most look-ups end here, in the fastest memory.
    drawers: [Vec<u64>; 2],
    /// For each 64 draws, which drawers are full concepts: those that draw children, and those that
    /// draw parents.
    full: Vec<[u64; 2]>,
}

impl DenseDraws {
    /// Chooses the drawers with at least `min` draws, those with the most draws first, as many as
    /// memory allows.
    pub(super) fn choose(pairs: &Graph, params: &ValidTrainParams, min: usize) -> Self {
        let n = pairs.concepts();
        let sampler = Sampler::new(pairs, params.negatives, params.seed, 0);
        let mut chosen: Vec<(usize, Drawer)> = (0..id(n))
            .flat_map(|concept| [false, true].map(|is_parent| Drawer { concept, is_parent }))
            .map(|drawer| (sampler.draws(drawer), drawer))
            .filter(|_| !params.all_negatives && params.beta > 0)
            .filter(|&(draws, _)| params.sampling.distinct && draws >= min)
            .collect();
        chosen.sort_by_key(|&(draws, drawer)| {
            (std::cmp::Reverse(draws), drawer.concept, drawer.is_parent)
        });
        let blocks = n.div_ceil(Block::SIZE);
        chosen.truncate(MAX_BYTES / (2 * blocks * size_of::<Block>()).max(1));
        let mut dense = Self {
            all: Vec::new(),
            as_child: Vec::new(),
            as_parent: Vec::new(),
            drawers: [Vec::new(), Vec::new()],
            full: Vec::new(),
        };
        if !chosen.is_empty() {
            (dense.as_child, dense.as_parent) = (vec![NONE; n], vec![NONE; n]);
        }
        for (at, &(_, drawer)) in chosen.iter().enumerate() {
            dense.index(drawer.is_parent)[drawer.concept as usize] = id(at);
            let drawers = &mut dense.drawers[usize::from(!drawer.is_parent)];
            drawers.resize(n.div_ceil(64), 0);
            drawers[drawer.concept as usize / 64] |= 1 << (drawer.concept % 64);
        }
        let empty = || vec![Block::ZERO; blocks];
        dense.all = chosen
            .into_iter()
            .map(|(_, drawer)| DenseDraw { drawer, drawn: empty(), near: empty() })
            .collect();
        dense
    }

    fn index(&mut self, is_parent: bool) -> &mut Vec<u32> {
        if is_parent { &mut self.as_parent } else { &mut self.as_child }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the draws of a drawer are kept as a set.
    pub(super) fn has_drawer(&self, drawer: Drawer) -> bool {
        self.get(drawer).is_some()
    }

    fn get(&self, drawer: Drawer) -> Option<&DenseDraw> {
        let index = if drawer.is_parent { &self.as_parent } else { &self.as_child };
        self.all.get(*index.get(drawer.concept as usize)? as usize)
    }

    /// Whether some drawer has drawn the pair.
    #[inline]
    pub(super) fn has(&self, child: Id, parent: Id) -> bool {
        let drawn = |concept: Id, is_parent: bool, partner| {
            let word = self.drawers[usize::from(!is_parent)].get(concept as usize / 64);
            word.is_some_and(|word| word >> (concept % 64) & 1 == 1)
                && self
                    .get(Drawer { concept, is_parent })
                    .is_some_and(|dense| has(&dense.drawn, partner))
        };
        drawn(parent, true, child) || drawn(child, false, parent)
    }

    /// Draws for an epoch, and finds the near misses.
    pub(super) fn draw(
        &mut self,
        pairs: &Graph,
        params: &ValidTrainParams,
        (codes, full): (&Codes, &Full),
        epoch: u64,
    ) {
        if self.is_empty() {
            return;
        }
        let masks = self.all.chunks(64).map(|draws| {
            let mask = |is_parent: bool| {
                let is_full = |draw: &DenseDraw| {
                    draw.drawer.is_parent == is_parent && full.has(draw.drawer.concept)
                };
                let drawers = draws.iter().enumerate();
                drawers.fold(0, |mask, (at, draw)| mask | u64::from(is_full(draw)) << at)
            };
            [mask(true), mask(false)]
        });
        self.full = masks.collect();
        let sampler = Sampler::new(pairs, params.negatives, params.seed, epoch);
        self.all.par_iter_mut().for_each(|dense| dense.draw(pairs, params, &sampler));
        let columns = Columns::new(codes);
        let near: Vec<Vec<Block>> =
            self.all.par_iter().map(|dense| self.find_near(dense, codes, &columns)).collect();
        for (dense, near) in self.all.iter_mut().zip(near) {
            dense.near = near;
        }
    }

    fn find_near(&self, draw: &DenseDraw, codes: &Codes, columns: &Columns) -> Vec<Block> {
        let (Drawer { concept, is_parent }, mut near) =
            (draw.drawer, vec![Block::ZERO; draw.drawn.len()]);
        let keep =
            |block: usize, zero: Block, one: Block| near[block] = (zero | one) & draw.drawn[block];
        if is_parent {
            columns.near_below(codes.row(concept), keep);
        } else {
            columns.near_above(codes.row(concept), keep);
            // A pair that both ends have drawn is counted at the parent.
            for (at_block, block) in near.iter_mut().enumerate() {
                let in_parents_set = block.iter().filter(|&at| {
                    let parent =
                        Drawer { concept: id(at_block * Block::SIZE) + at, is_parent: true };
                    self.get(parent).is_some_and(|dense| has(&dense.drawn, concept))
                });
                *block = in_parents_set.fold(*block, Block::without_one);
            }
        }
        near
    }

    /// The partners in a drawer's near misses; none if its draws are not kept as a set.
    pub(super) fn near(&self, drawer: Drawer) -> &[Block] {
        self.get(drawer).map_or(&[], |dense| &dense.near)
    }

    /// For each of the 64 concepts from `first`, the sets that have it among their near misses: one
    /// bit for each set, 64 sets per word.
    pub(super) fn drawing(&self, first: Id, masks: &mut Vec<[u64; 64]>) {
        masks.clear();
        let (block, word) = (first as usize / Block::SIZE, first as usize % Block::SIZE / 64);
        masks.extend(self.all.chunks(64).map(|draws| {
            let mut square = [0; 64];
            square.iter_mut().zip(draws).for_each(|(row, draw)| *row = draw.near[block].0[word]);
            transpose(&mut square);
            square
        }));
    }

    /// The drawers that have concept `at` among their near misses, by the masks of
    /// [`drawing`](Self::drawing).
    pub(super) fn drawing_one<'a>(&'a self, masks: &'a [[u64; 64]], at: usize) -> Drawing<'a> {
        Drawing { dense: self, masks, at }
    }
}

/// The drawers that have a concept among their near misses.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    dense: &'a DenseDraws,
    masks: &'a [[u64; 64]],
    at: usize,
}

impl<'a> Drawing<'a> {
    /// The drawers whose pairs with the concept must be looked at. Full children have no effect on
    /// the concept. If the concept is full, full parents are not among them either, and only their
    /// number is given.
    pub(super) fn drawers(self, is_full: bool) -> (impl Iterator<Item = Drawer> + 'a, u64) {
        let (at, draws) = (self.at, self.dense.all.chunks(64));
        let groups = draws.zip(self.masks).zip(&self.dense.full);
        let known = move |&[parents, _]: &[u64; 2]| if is_full { parents } else { 0 };
        let count = groups
            .clone()
            .map(|((_, mask), full)| u64::from((mask[at] & known(full)).count_ones()));
        let count = count.sum();
        let drawers = groups.flat_map(move |((draws, mask), full)| {
            let [_, children] = full;
            ones(mask[at] & !(known(full) | children)).map(|draw| draws[draw as usize].drawer)
        });
        (drawers, count)
    }
}

impl DenseDraw {
    fn draw(&mut self, pairs: &Graph, params: &ValidTrainParams, sampler: &Sampler<'_>) {
        let Drawer { concept, is_parent } = self.drawer;
        self.drawn.fill(Block::ZERO);
        let drawn = &mut self.drawn;
        let (mut uncounted, concepts) = (0, pairs.concepts());
        sampler.draws_of(self.drawer, &mut [0; PIECE], |piece| {
            piece.iter().for_each(|&partner| insert(drawn, partner));
            uncounted += piece.len();
            // After every concept has been drawn, more draws change nothing. They are counted once
            // for as many draws as there are concepts, which takes a small part of the time.
            if uncounted < concepts {
                return true;
            }
            uncounted = 0;
            drawn.iter().map(|block| block.count()).sum::<u64>() < concepts as u64
        });
        let mut discard = |partner: Id| {
            if has(drawn, partner) {
                drawn[partner as usize / Block::SIZE].flip(partner as usize % Block::SIZE);
            }
        };
        if !params.sampling.with_self {
            discard(concept);
        }
        if params.sampling.filtered {
            let positives =
                if is_parent { pairs.children(concept) } else { pairs.parents(concept) };
            positives.iter().for_each(|&partner| discard(partner));
        }
    }
}

fn has(blocks: &[Block], concept: Id) -> bool {
    blocks[concept as usize / Block::SIZE].has(concept as usize % Block::SIZE)
}

fn insert(blocks: &mut [Block], concept: Id) {
    blocks[concept as usize / Block::SIZE].set(concept as usize % Block::SIZE, true);
}
