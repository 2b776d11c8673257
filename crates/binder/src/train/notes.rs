//! The draws that matter, noted at both ends.
//!
//! A draw costs one look at a row. The few that matter (at most one good bit) are noted for the child and for the parent:
//!
//! ```text
//! draws  →  hits (concept, partner, side)  →  sorted by concept
//! ```
//!
//! Notes take memory. When they would take too much (at first *every* draw is a hit), the concepts are divided into ranges and the draws
//! repeated for each, which changes nothing but the time: draws are computed from their number.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::crowd::{Crowds, Place};
use super::epoch::CHUNK;
use super::gradient::Near;
use super::negatives::Sampler;
use super::{TrainingPairs, ValidTrainParams};
use crate::Codes;
use crate::codes::kernels::{self, Kernels};
use crate::codes::missing_bit;
use crate::hierarchy::{Id, id};

/// Notes kept at a time: 96 MB of them, and 64 MB once sorted.
pub(super) const MOST_NOTES: usize = 8 << 20;

/// Draws looked at in a piece; even, as the sampler asks.
const PIECE: usize = 2048;

/// A hit at one end: the concept, and how it is near to whom.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct Note {
    concept: Id,
    near: Near,
}

/// Where to look for the draws of an epoch that matter.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pairs: &'a TrainingPairs,
    params: &'a ValidTrainParams,
    crowds: &'a Crowds,
    codes: &'a Codes,
    sampler: Sampler<'a>,
    kernels: &'static Kernels,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        pairs: &'a TrainingPairs,
        params: &'a ValidTrainParams,
        crowds: &'a Crowds,
        codes: &'a Codes,
        epoch: u64,
    ) -> Self {
        let sampler = Sampler::new(pairs, params.negatives, params.seed, epoch);
        Self { pairs, params, crowds, codes, sampler, kernels: kernels::best() }
    }

    /// The hits of all draws at the concepts of a range; `None` when they are more than `most`.
    pub(super) fn notes(self, range: Range<usize>, most: usize) -> Option<Notes> {
        let kept = AtomicUsize::new(0);
        let search = |first: usize| {
            let concepts = id(first)..id((first + CHUNK).min(self.codes.len()));
            let notes = self.look_at(concepts, id(range.start)..id(range.end), most)?;
            (kept.fetch_add(notes.len(), Ordering::Relaxed) + notes.len() <= most).then_some(notes)
        };
        let firsts: Vec<usize> = (0..self.codes.len()).step_by(CHUNK).collect();
        let notes: Option<Vec<Vec<Note>>> = firsts.into_par_iter().map(search).collect();
        Some(Notes::sorted(&notes?, range))
    }

    /// The hits of the draws that some concepts make.
    fn look_at(self, concepts: Range<Id>, range: Range<Id>, most: usize) -> Option<Vec<Note>> {
        let mut finder =
            Finder { search: self, range, hits: Vec::new(), partners: Vec::new(), notes: Vec::new() };
        let mut buffer = [0; PIECE];
        for concept in concepts {
            for is_parent in [false, true] {
                let place = Place { concept, is_parent };
                if !self.crowds.has_place(place) {
                    self.sampler.draws_of(place, &mut buffer, |drawn| finder.look(place, drawn));
                }
            }
            if finder.notes.len() > most {
                return None;
            }
        }
        Some(finder.notes)
    }
}

/// Looks at draws and notes those that matter.
struct Finder<'a> {
    search: Search<'a>,
    /// Whose notes are kept.
    range: Range<Id>,
    /// Empty between pieces; kept for its room.
    hits: Vec<Id>,
    /// Draws that may matter to the range; kept for its room.
    partners: Vec<Id>,
    notes: Vec<Note>,
}

impl Finder<'_> {
    fn look(&mut self, place: Place, drawn: &[Id]) -> bool {
        let (mut hits, code) = (std::mem::take(&mut self.hits), self.search.codes.row(place.concept));
        let mut partners = std::mem::take(&mut self.partners);
        let drawn = if self.range.contains(&place.concept) || self.range.len() == self.search.codes.len() {
            drawn
        } else {
            // Only the other end can be in the range.
            partners.clear();
            partners.extend(drawn.iter().filter(|partner| self.range.contains(partner)));
            &partners
        };
        if place.is_parent {
            (self.search.kernels.near_below)(self.search.codes.words(), code, drawn, &mut hits);
            hits.drain(..).for_each(|child| self.note(child, place.concept));
        } else {
            (self.search.kernels.near_above)(self.search.codes.words(), code, drawn, &mut hits);
            hits.drain(..).for_each(|parent| self.note(place.concept, parent));
        }
        (self.hits, self.partners) = (hits, partners);
        true
    }

    /// Notes a hit at both ends, unless the rules discard it or a crowd has it.
    fn note(&mut self, child: Id, parent: Id) {
        let sampling = self.search.params.sampling;
        if !sampling.with_self && child == parent
            || sampling.filtered && self.search.pairs.contains(child, parent)
            || self.search.crowds.has(child, parent)
        {
            return;
        }
        let bit = missing_bit(self.search.codes.row(child), self.search.codes.row(parent));
        if self.range.contains(&child) {
            self.notes.push(Note { concept: child, near: Near::parent(parent, bit) });
        }
        if self.range.contains(&parent) {
            self.notes.push(Note { concept: parent, near: Near::child(child, bit) });
        }
    }
}

/// What matters of the draws at each concept of a range.
pub(super) struct Notes {
    /// Where the notes of the `i`-th concept of the range end.
    ends: Vec<usize>,
    near: Vec<Near>,
}

impl Notes {
    fn sorted(notes: &[Vec<Note>], range: Range<usize>) -> Self {
        let mut ends = vec![0; range.len() + 1];
        let all = || notes.iter().flatten().map(|note| (note.concept as usize - range.start, note.near));
        all().for_each(|(at, _)| ends[at + 1] += 1);
        for at in 0..range.len() {
            ends[at + 1] += ends[at];
        }
        let mut sorted = vec![Near::parent(0, None); ends[range.len()]];
        all().for_each(|(at, near)| {
            sorted[ends[at]] = near;
            ends[at] += 1;
        });
        Self { ends, near: sorted }
    }

    /// How many notes there are.
    pub(super) fn len(&self) -> usize {
        self.near.len()
    }

    /// The notes of the `at`-th concept of the range.
    pub(super) fn of(&self, at: usize) -> &[Near] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.near[start..self.ends[at]]
    }
}
