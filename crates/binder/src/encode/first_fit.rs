//! Many columns at once, for graphs so dense that one good column after the other takes too long.
//!
//! A column is a set of parents with everything below them, and the children that must stay out of
//! it. Each parent of a false pair enters the first column that suits: one that nothing below it
//! must stay out of, and that has none of its false children. So every pair costs a few looks at
//! words, in which a bit stands for a column, and the codes are wider than they need be.

use std::ops::Range;

use super::EncodeError;
use crate::bits::{Id, MAX_BITS, id, ones};
use crate::codes::Codes;
use crate::graph::{Closure, Rows};
use crate::memory::{self, Stage};
use crate::progress::Progress;
use crate::search::Pair;

/// False children that a column is judged by, where it does not suit all of them.
const JUDGED: usize = 64;

/// Parents between two reports of progress.
const ROUND: usize = 256;

/// Columns to be: for each concept, in which it is and which it must stay out of.
struct Board {
    /// Words a row: a bit for each column there can be.
    stride: usize,
    /// How many columns there are, and can be.
    columns: usize,
    most: usize,
    inside: Vec<u64>,
    kept_out: Vec<u64>,
}

/// The same codes with columns behind them that separate all of `pairs`, or as many as `most` bits
/// allow; and how many are left. Ends early where codes cannot be wider and some are left.
pub(super) fn first_fit(
    codes: &Codes,
    pairs: &[Pair],
    closure: &Closure<'_>,
    most: usize,
    progress: &dyn Progress,
) -> Result<(Codes, usize), EncodeError> {
    let mut left = 0;
    let mut board = Board::new(codes.len(), most.saturating_sub(codes.bits()))?;
    let children =
        Rows::from_pairs(codes.len(), pairs.iter().map(|&(child, parent)| (parent, child)));
    for round in rounds(codes.len()) {
        progress.go_on()?;
        let parents = round.filter(|&parent| !children.row(parent).is_empty());
        let mut done = 0;
        for parent in parents {
            left += board.separate(parent, children.row(parent), closure);
            done += children.row(parent).len() as u64;
        }
        progress.advance(done);
        if left > 0 && most >= MAX_BITS {
            break;
        }
    }
    Ok((board.behind(codes)?, left))
}

/// The ids in parts.
fn rounds(concepts: usize) -> impl Iterator<Item = Range<Id>> {
    (0..concepts).step_by(ROUND).map(move |at| id(at)..id((at + ROUND).min(concepts)))
}

impl Board {
    fn new(concepts: usize, most: usize) -> Result<Self, EncodeError> {
        let stride = most.div_ceil(64).max(1);
        memory::check(Stage::Columns, 16 * (concepts as u64) * stride as u64)?;
        let zeros = || vec![0; concepts * stride];
        Ok(Self { stride, columns: 0, most, inside: zeros(), kept_out: zeros() })
    }

    /// The words of a concept that have a column in them.
    fn words(&self, concept: Id) -> Range<usize> {
        let start = concept as usize * self.stride;
        start..start + self.columns.div_ceil(64)
    }

    /// Puts a parent into columns that its false children are not in, and keeps them out. Says how
    /// many it finds no column for.
    fn separate(&mut self, parent: Id, children: &[Id], closure: &Closure<'_>) -> usize {
        let mut rest: Vec<Id> =
            children.iter().copied().filter(|&child| !self.keep_separate(child, parent)).collect();
        if rest.is_empty() {
            return 0;
        }
        let below = closure.below(parent);
        while !rest.is_empty() {
            let Some(column) = self.choose(parent, &below, &rest) else { return rest.len() };
            let (word, bit) = (column / 64, 1 << (column % 64));
            for &concept in below.iter().chain([&parent]) {
                self.inside[concept as usize * self.stride + word] |= bit;
            }
            rest.retain(|&child| {
                let at = child as usize * self.stride + word;
                let stays = self.inside[at] & bit != 0;
                self.kept_out[at] |= if stays { 0 } else { bit };
                stays
            });
        }
        0
    }

    /// Whether a column separates a pair already; the child is kept out of it from now on.
    fn keep_separate(&mut self, child: Id, parent: Id) -> bool {
        let (own, other) = (self.words(parent).start, self.words(child));
        let mut free = None;
        for (at, word) in other.enumerate().map(|(at, word)| (own + at, word)) {
            let separating = self.inside[at] & !self.inside[word];
            if separating & self.kept_out[word] != 0 {
                return true;
            }
            if separating != 0 && free.is_none() {
                free = Some((word, separating & separating.wrapping_neg()));
            }
        }
        free.is_some_and(|(word, bit)| {
            self.kept_out[word] |= bit;
            true
        })
    }

    /// The column for a parent: the first that separates it from all children, or the one that
    /// separates it from most of some, if that is half of them; otherwise a new one.
    fn choose(&mut self, parent: Id, below: &[Id], children: &[Id]) -> Option<usize> {
        let used = self.columns.div_ceil(64);
        // Columns that the parent is in separate none of these.
        let mut barred = self.inside[self.words(parent)].to_vec();
        for &concept in below.iter().chain([&parent]) {
            let kept_out = &self.kept_out[self.words(concept)];
            barred.iter_mut().zip(kept_out).for_each(|(barred, word)| *barred |= word);
        }
        if !self.columns.is_multiple_of(64) {
            barred[used - 1] |= u64::MAX << (self.columns % 64);
        }
        let mut taken = barred.clone();
        for &child in children {
            let inside = &self.inside[self.words(child)];
            taken.iter_mut().zip(inside).for_each(|(taken, word)| *taken |= word);
        }
        let fits = taken.iter().position(|&taken| taken != u64::MAX);
        let fits = fits.map(|at| at * 64 + (!taken[at]).trailing_zeros() as usize);
        fits.or_else(|| self.fits_half(&barred, children)).or_else(|| self.open())
    }

    fn fits_half(&self, barred: &[u64], children: &[Id]) -> Option<usize> {
        let judged = children.iter().step_by(children.len().div_ceil(JUDGED).max(1));
        let mut counts = vec![0; self.columns];
        let count = judged.len();
        for &child in judged {
            for (at, (word, barred)) in
                self.inside[self.words(child)].iter().zip(barred).enumerate()
            {
                ones(!word & !barred).for_each(|bit| counts[at * 64 + bit as usize] += 1);
            }
        }
        let best = (0..self.columns).max_by_key(|&column| (counts[column], self.most - column))?;
        (2 * counts[best] >= count).then_some(best)
    }

    fn open(&mut self) -> Option<usize> {
        (self.columns < self.most).then(|| {
            self.columns += 1;
            self.columns - 1
        })
    }

    /// The codes with the columns behind them.
    fn behind(&self, codes: &Codes) -> Result<Codes, EncodeError> {
        let bits = codes.bits() + self.columns;
        let mut wider =
            codes.widened(self.columns).map_err(|error| EncodeError::of_codes(error, bits))?;
        for concept in 0..id(codes.len()) {
            for (at, &word) in self.inside[self.words(concept)].iter().enumerate() {
                ones(word).for_each(|bit| {
                    wider.set(concept, codes.bits() + at * 64 + bit as usize, true);
                });
            }
        }
        Ok(wider)
    }
}
