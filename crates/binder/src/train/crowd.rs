//! Concepts that draw so many partners that the draws are better kept as a set of concepts than one by one.
//!
//! On the closure of a hierarchy a concept near the root draws every other concept many times over. Where a negative counts once however
//! often it was drawn, only *which* concepts were drawn matters: one bit for each. The ones among them that matter (at most
//! one good bit) are found 512 at a time by columns, and are never noted one by one:
//!
//! ```text
//! draws  →  drawn: who was drawn  →  near: who of them matters   ┬ read along the row: the crowd's own negatives
//!                                                               └ read down a column of many crowds: everyone else's
//! ```
//!
//! Which concepts are treated so changes nothing but the time.

use rayon::prelude::*;

use super::negatives::Sampler;
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::codes::kernels::Lane;
use crate::codes::{BLOCK, Columns, missing_bit, ones, transpose};
use crate::hierarchy::{Id, id};

/// The fewest draws of a crowd among `concepts` concepts: as many as make the set smaller than the draws and their notes.
pub(super) fn least_draws(concepts: usize) -> usize {
    (concepts / 4).max(512)
}

/// The most memory for the sets of all crowds.
const MOST_BYTES: usize = 64 << 20;

/// Draws made at a time; even, as the sampler asks.
const PIECE: usize = 4096;

/// No crowd.
const NONE: u32 = u32::MAX;

/// A concept and the side of the pair that it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) concept: Id,
    pub(crate) is_parent: bool,
}

#[derive(Debug, Clone)]
struct Crowd {
    place: Place,
    /// Who was drawn, without those that the sampling rules discard.
    drawn: Vec<Lane>,
    /// Who of them at most one bit keeps apart, without pairs that another crowd has too.
    near: Vec<Lane>,
}

/// The crowds of a run, with their draws of one epoch.
#[derive(Debug)]
pub(super) struct Crowds {
    crowds: Vec<Crowd>,
    /// Which crowd a concept is as the child of its pairs; [`NONE`] for most. Empty when there are no crowds.
    as_child: Vec<u32>,
    /// Which crowd a concept is as the parent of its pairs.
    as_parent: Vec<u32>,
}

impl Crowds {
    /// Chooses the crowds: who draws at least so many, the greatest first and as many as memory allows.
    pub(super) fn choose(pairs: &TrainingPairs, params: &ValidTrainParams, least: usize) -> Self {
        let n = pairs.concepts();
        let sampler = Sampler::new(pairs, params.negatives, params.seed, 0);
        let mut chosen: Vec<(usize, Place)> = (0..id(n))
            .flat_map(|concept| [false, true].map(|is_parent| Place { concept, is_parent }))
            .map(|place| (sampler.draws(place), place))
            .filter(|&(draws, _)| params.sampling.distinct && !params.exact && draws >= least)
            .collect();
        chosen.sort_by_key(|&(draws, place)| (std::cmp::Reverse(draws), place.concept, place.is_parent));
        let blocks = n.div_ceil(BLOCK);
        chosen.truncate(MOST_BYTES / (2 * blocks * size_of::<Lane>()).max(1));
        let mut crowds = Self { crowds: Vec::new(), as_child: Vec::new(), as_parent: Vec::new() };
        if !chosen.is_empty() {
            (crowds.as_child, crowds.as_parent) = (vec![NONE; n], vec![NONE; n]);
        }
        for (at, &(_, place)) in chosen.iter().enumerate() {
            crowds.index(place.is_parent)[place.concept as usize] = id(at);
        }
        let empty = || vec![Lane::ZERO; blocks];
        crowds.crowds =
            chosen.into_iter().map(|(_, place)| Crowd { place, drawn: empty(), near: empty() }).collect();
        crowds
    }

    fn index(&mut self, is_parent: bool) -> &mut Vec<u32> {
        if is_parent { &mut self.as_parent } else { &mut self.as_child }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.crowds.is_empty()
    }

    /// Whether the draws of a place are made here.
    pub(super) fn has_place(&self, place: Place) -> bool {
        self.crowd(place).is_some()
    }

    fn crowd(&self, place: Place) -> Option<&Crowd> {
        let index = if place.is_parent { &self.as_parent } else { &self.as_child };
        self.crowds.get(*index.get(place.concept as usize)? as usize)
    }

    /// Whether some crowd has drawn the pair.
    #[inline]
    pub(super) fn has(&self, child: Id, parent: Id) -> bool {
        let drawn = |concept, is_parent, partner| {
            self.crowd(Place { concept, is_parent }).is_some_and(|crowd| has(&crowd.drawn, partner))
        };
        drawn(parent, true, child) || drawn(child, false, parent)
    }

    /// Draws for an epoch, and finds what matters.
    pub(super) fn draw(
        &mut self,
        pairs: &TrainingPairs,
        params: &ValidTrainParams,
        codes: &Codes,
        epoch: u64,
    ) {
        if self.is_empty() {
            return;
        }
        let sampler = Sampler::new(pairs, params.negatives, params.seed, epoch);
        self.crowds.par_iter_mut().for_each(|crowd| crowd.draw(pairs, params, &sampler));
        let columns = Columns::new(codes);
        let near: Vec<Vec<Lane>> =
            self.crowds.par_iter().map(|crowd| self.near(crowd, codes, &columns)).collect();
        for (crowd, near) in self.crowds.iter_mut().zip(near) {
            crowd.near = near;
        }
    }

    fn near(&self, crowd: &Crowd, codes: &Codes, columns: &Columns) -> Vec<Lane> {
        let (Place { concept, is_parent }, mut near) = (crowd.place, vec![Lane::ZERO; crowd.drawn.len()]);
        let keep = |block: usize, zero: Lane, one: Lane| near[block] = (zero | one) & crowd.drawn[block];
        if is_parent {
            columns.near_below(codes.row(concept), keep);
        } else {
            columns.near_above(codes.row(concept), keep);
            // A pair of two crowds is the parent's.
            for (block, lane) in near.iter_mut().enumerate() {
                let parents_too = lane.iter().filter(|&at| {
                    let parent = Place { concept: id(block * BLOCK) + at, is_parent: true };
                    self.crowd(parent).is_some_and(|crowd| has(&crowd.drawn, concept))
                });
                *lane = parents_too.fold(*lane, Lane::without_one);
            }
        }
        near
    }

    /// The partners of a crowd's negatives that matter; none where there is no crowd.
    pub(super) fn partners(&self, place: Place) -> impl Iterator<Item = Id> + '_ {
        rows(self.crowd(place).map_or(&[], |crowd| &crowd.near))
    }

    /// For each of 64 concepts from `first` on, which crowds have it among the negatives that matter: 64 crowds a word.
    pub(super) fn drawing(&self, first: Id, masks: &mut Vec<[u64; 64]>) {
        masks.clear();
        let (block, word) = (first as usize / BLOCK, first as usize % BLOCK / 64);
        masks.extend(self.crowds.chunks(64).map(|crowds| {
            let mut square = [0; 64];
            square.iter_mut().zip(crowds).for_each(|(row, crowd)| *row = crowd.near[block].0[word]);
            transpose(&mut square);
            square
        }));
    }

    /// The places of the crowds in a concept's words of [`drawing`](Self::drawing).
    pub(super) fn places<'a>(
        &'a self,
        masks: &'a [[u64; 64]],
        at: usize,
    ) -> impl Iterator<Item = Place> + 'a {
        let crowds = self.crowds.chunks(64).zip(masks);
        crowds.flat_map(move |(crowds, mask)| ones(mask[at]).map(|crowd| crowds[crowd as usize].place))
    }
}

impl Place {
    /// The first bit that keeps the concept and a partner apart.
    #[inline]
    pub(super) fn missing_bit(self, partner: Id, codes: &Codes) -> Option<u16> {
        let (child, parent) = if self.is_parent { (partner, self.concept) } else { (self.concept, partner) };
        missing_bit(codes.row(child), codes.row(parent))
    }
}

impl Crowd {
    fn draw(&mut self, pairs: &TrainingPairs, params: &ValidTrainParams, sampler: &Sampler) {
        let Place { concept, is_parent } = self.place;
        self.drawn.fill(Lane::ZERO);
        let drawn = &mut self.drawn;
        let (mut pieces, concepts) = (0, pairs.concepts() as u64);
        sampler.draws_of(self.place, &mut [0; PIECE], |piece| {
            piece.iter().for_each(|&partner| insert(drawn, partner));
            pieces += 1;
            // Once everyone has been drawn, more draws change nothing.
            pieces % 32 != 0 || drawn.iter().map(|lane| lane.count()).sum::<u64>() < concepts
        });
        let mut discard = |partner: Id| {
            if has(drawn, partner) {
                drawn[partner as usize / BLOCK].flip(partner as usize % BLOCK);
            }
        };
        if !params.sampling.with_self {
            discard(concept);
        }
        if params.sampling.filtered {
            let positives = if is_parent { pairs.children(concept) } else { pairs.parents(concept) };
            positives.iter().for_each(|&partner| discard(partner));
        }
    }
}

fn has(lanes: &[Lane], concept: Id) -> bool {
    lanes[concept as usize / BLOCK].has(concept as usize % BLOCK)
}

fn insert(lanes: &mut [Lane], concept: Id) {
    lanes[concept as usize / BLOCK].set(concept as usize % BLOCK, true);
}

fn rows(lanes: &[Lane]) -> impl Iterator<Item = Id> + '_ {
    lanes.iter().enumerate().flat_map(|(block, lane)| lane.iter().map(move |at| id(block * BLOCK) + at))
}
