//! A local search among codes that miss no is-a.
//!
//! A false pair `(x, y)` goes away by one of two moves that keep every column closed under children:
//!
//! * *add* a bit `j` that `x` lacks to `y` and everything below `y`;
//! * *remove* a bit `j` of `y` from `x` and from everything above `x` that has it.
//!
//! What a move breaks is counted exactly. A pair that it turns false was kept apart by `j` alone: for *add*, some `u` with `j` of
//! which a changed `z` lacks nothing else (`one_above(z)`); for *remove*, some `w` that lacks nothing of a changed `a` but `j` (`one_below(a)`). One
//! such scan per changed concept tells the cost of every `j` at once. What a move mends is read off the open pairs.
//!
//! A pair whose best move costs more than it mends stays, and counts more from then on, open or not (the breakout method,
//! Morris 1993): sooner or later it is mended at the expense of pairs that are easier to mend, and it is not broken again lightly.

use rayon::prelude::*;

use super::critical::{Pair, all_false_pairs};
use super::open_pairs::OpenPairs;
use super::relatives::Relatives;
use crate::codes::{missing_bit, ones};
use crate::hierarchy::Id;
use crate::random::{Purpose, Stream};
use crate::{Cancelled, Codes, Columns, Progress};

/// Pairs that moves are sought for at the same time; a constant, so that the walk does not depend on threads.
const BATCH: usize = 16;

/// Parents with more below them take no bits: too many rows would have to be looked at.
const MOST_BELOW: usize = 3000;

/// The most false pairs that a walk starts from: it keeps them all, some 60 bytes each.
const MOST_OPEN: usize = 3_000_000;

/// The most that a pair's weight is raised at once.
const MOST_RAISED: i32 = 100;

/// Work that a scan takes beside the blocks it looks at.
const SCAN: u64 = 4;

/// Codes that miss no is-a, their columns, and the false pairs they have.
#[derive(Debug, Clone)]
pub(super) struct Walk<'a> {
    relatives: &'a Relatives<'a>,
    codes: Codes,
    columns: Columns,
    open: OpenPairs,
    /// Blocks looked at so far, times the words that a code takes: the measure of effort, the same on any machine.
    pub(super) work: u64,
    seed: u64,
    steps: u64,
}

#[derive(Debug, Clone, Copy)]
struct Move {
    pair: Pair,
    bit: usize,
    add: bool,
    /// Pairs broken less pairs mended, each by its weight.
    cost: i32,
}

impl<'a> Walk<'a> {
    /// A walk from these codes; gives them back when they have too many false pairs to keep.
    pub(super) fn new(codes: Codes, relatives: &'a Relatives<'a>, seed: u64) -> Result<Self, Codes> {
        let Some(pairs) = all_false_pairs(&codes, relatives, MOST_OPEN) else { return Err(codes) };
        let (open, columns) = (OpenPairs::new(codes.len(), pairs), Columns::new(&codes));
        Ok(Self { relatives, codes, columns, open, work: 0, seed, steps: 0 })
    }

    /// Goes on with wider codes: columns were added, and separate some of the open pairs. Weights start anew.
    pub(super) fn widen(&mut self, codes: Codes) {
        let left = self.open.pairs().iter().filter(|&&(child, parent)| codes.is_a(child, parent));
        self.open = OpenPairs::new(codes.len(), left.copied());
        (self.columns, self.codes) = (Columns::new(&codes), codes);
    }

    pub(super) fn codes(&self) -> &Codes {
        &self.codes
    }

    pub(super) fn into_codes(self) -> Codes {
        self.codes
    }

    pub(super) fn open(&self) -> &OpenPairs {
        &self.open
    }

    /// Walks until no false pair is left, `patience` has gone by without a new least number of them, or `most` work is done.
    pub(super) fn run(&mut self, patience: u64, most: u64, progress: &dyn Progress) -> Result<(), Cancelled> {
        let (mut least, end) = (usize::MAX, self.work + most);
        let mut until = end;
        while !self.open.is_empty() && self.work < until {
            progress.go_on()?;
            let before = self.work;
            self.step();
            progress.advance(self.work - before);
            if self.open.len() < least {
                (least, until) = (self.open.len(), end.min(self.work + patience));
            }
        }
        Ok(())
    }

    fn step(&mut self) {
        self.steps += 1;
        let random = Stream::new(self.seed, self.steps, Purpose::Walk, 0);
        let pairs: Vec<(Pair, u64)> = (0..BATCH.min(self.open.len()) as u64)
            .map(|at| {
                let drawn = scaled(random.word(2 * at), self.open.len());
                (self.open.critical(self.open.pairs()[drawn], self.relatives), random.word(2 * at + 1))
            })
            .collect();
        let moves: Vec<(u64, Result<Move, i32>, Pair)> = pairs
            .into_par_iter()
            .map(|(pair, word)| {
                let (work, best) = self.best_move(pair, word);
                (work, best, pair)
            })
            .collect();
        for (work, best, pair) in moves {
            self.work += work;
            match best {
                Ok(best) if self.open.contains(pair) => self.work += self.apply(best),
                Err(cost) if self.open.contains(pair) => {
                    self.open.raise(pair, (cost / 4).clamp(1, MOST_RAISED));
                }
                _ => {}
            }
        }
        self.work += 1;
    }

    /// The best move for a pair, or what it would cost at least if that is too much; and the work it took to find.
    fn best_move(&self, pair: Pair, word: u64) -> (u64, Result<Move, i32>) {
        let (mut work, mut best) = (1, Err(i32::MAX));
        for add in [false, true] {
            if add && self.relatives.below(pair.1).len() > MOST_BELOW {
                continue;
            }
            let limit = best.map_or(0, |best: Move| best.cost - 1);
            let (spent, cheapest) = self.cheapest(pair, add, limit, word);
            work += spent;
            best = match (best, cheapest) {
                (_, Ok((bit, cost))) => Ok(Move { pair, bit, add, cost }),
                (Err(one), Err(other)) => Err(one.min(other)),
                (best, Err(_)) => best,
            };
        }
        (work, best)
    }

    /// The bit that costs least among those that would mend `pair` by being added or removed, if it costs no more than `limit`; otherwise
    /// what it costs at least. Stops as soon as every bit costs more.
    fn cheapest(&self, (x, y): Pair, add: bool, limit: i32, word: u64) -> (u64, Result<(usize, i32), i32>) {
        let (related, own) = if add { (self.relatives.below(y), y) } else { (self.relatives.above(x), x) };
        let mut costs = vec![0; self.codes.bits()];
        for z in related.iter().copied().chain([own]) {
            self.mends(z, add, |other| other == own || related.binary_search(&other).is_ok(), &mut costs);
        }
        let turn = scaled(word, costs.len());
        let fits = |&bit: &usize| if add { !self.codes.get(x, bit) } else { self.codes.get(y, bit) };
        let bits: Vec<usize> = (turn..costs.len()).chain(0..turn).filter(fits).collect();
        let least = |costs: &[i32]| bits.iter().map(|&bit| (costs[bit], bit)).min_by_key(|&(cost, _)| cost);
        let mut work = 0;
        for z in [own].into_iter().chain(related.iter().copied()) {
            work += self.breaks(z, add, &mut costs);
            match least(&costs) {
                Some((cost, _)) if cost > limit => return (work, Err(cost)),
                None => return (work, Err(i32::MAX)),
                _ => {}
            }
        }
        (work, least(&costs).map(|(cost, bit)| (bit, cost)).ok_or(i32::MAX))
    }

    /// Takes from the cost of each bit the open pairs that are mended when `z` gets it, or loses it; `changed` tells who else does.
    fn mends(&self, z: Id, add: bool, changed: impl Fn(Id) -> bool, costs: &mut [i32]) {
        if add {
            for &w in self.open.children(z).iter().filter(|&&w| !changed(w)) {
                let weight = self.open.weight((w, z));
                each_zero(self.codes.row(w), self.codes.bits(), |bit| costs[bit] -= weight);
            }
        } else {
            for &u in self.open.parents(z).iter().filter(|&&u| !changed(u)) {
                let weight = self.open.weight((z, u));
                each_one(self.codes.row(u), |bit| costs[bit] -= weight);
            }
        }
    }

    /// Adds to the cost of each bit the pairs that break when `z` gets it, or loses it; says what work that was.
    fn breaks(&self, z: Id, add: bool, costs: &mut [i32]) -> u64 {
        let row = self.codes.row(z);
        let blocks = if add {
            self.columns.one_above(row, |u| {
                costs[single(self.codes.row(u), row)] += self.open.weight((z, u));
            })
        } else {
            self.columns.one_below(row, |w| {
                costs[single(row, self.codes.row(w))] += self.open.weight((w, z));
            })
        };
        self.scan_work(blocks)
    }

    /// Makes a move and brings the open pairs up to date.
    fn apply(&mut self, Move { pair: (x, y), bit, add, .. }: Move) -> u64 {
        let relatives = self.relatives;
        let (related, own) = if add { (relatives.below(y), y) } else { (relatives.above(x), x) };
        let moves = |z: Id| z == own || related.binary_search(&z).is_ok();
        let changed: Vec<Id> =
            related.iter().copied().chain([own]).filter(|&z| self.codes.get(z, bit) != add).collect();
        let (mut broken, mut mended) = (Vec::new(), Vec::new());
        let work = changed.iter().map(|&z| {
            let (open, codes) = (&self.open, &self.codes);
            if add {
                let apart = open.children(z).iter().filter(|&&w| !codes.get(w, bit) && !moves(w));
                mended.extend(apart.map(|&w| (w, z)));
            } else {
                let apart = open.parents(z).iter().filter(|&&u| codes.get(u, bit) && !moves(u));
                mended.extend(apart.map(|&u| (z, u)));
            }
            self.broken(z, bit, add, &mut broken)
        });
        let work = work.sum();
        for z in changed {
            self.codes.set(z, bit, add);
            self.columns.set(z, bit, add);
        }
        mended.into_iter().for_each(|pair| self.open.remove(pair));
        broken.into_iter().for_each(|pair| self.open.insert(pair));
        work
    }

    /// Lists the pairs that break when `z` gets the bit, or loses it.
    fn broken(&self, z: Id, bit: usize, add: bool, broken: &mut Vec<Pair>) -> u64 {
        let row = self.codes.row(z);
        let blocks = if add {
            let with = |u: Id| self.columns.has(u, bit).then_some((z, u));
            self.columns.one_above(row, |u| broken.extend(with(u)))
        } else {
            let without = |w: Id| (!self.columns.has(w, bit)).then_some((w, z));
            self.columns.one_below(row, |w| broken.extend(without(w)))
        };
        self.scan_work(blocks)
    }

    /// The work of a scan over so many blocks: wide codes have more columns to look at.
    fn scan_work(&self, blocks: u64) -> u64 {
        SCAN + blocks * self.codes.bits() as u64 / 64
    }
}

/// A number below `bound`.
fn scaled(word: u64, bound: usize) -> usize {
    usize::try_from((u128::from(word) * bound as u128) >> 64).expect("below bound")
}

/// The one bit that `more` has and `less` lacks.
fn single(more: &[u64], less: &[u64]) -> usize {
    missing_bit(less, more).map_or(0, usize::from)
}

fn each_one(row: &[u64], mut each: impl FnMut(usize)) {
    for (at, &word) in row.iter().enumerate() {
        ones(word).for_each(|bit| each(at * 64 + bit as usize));
    }
}

fn each_zero(row: &[u64], bits: usize, mut each: impl FnMut(usize)) {
    for (at, &word) in row.iter().enumerate() {
        ones(!word).map(|bit| at * 64 + bit as usize).filter(|&bit| bit < bits).for_each(&mut each);
    }
}
