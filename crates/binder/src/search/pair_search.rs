//! A search among monotone codes, one false pair after the other: the policy of `encode`.
//!
//! A pair whose best move costs more than it mends stays, and weighs more from then on, false or
//! not (the breakout method, Morris 1993): sooner or later it is mended at the expense of pairs
//! that are easier to mend, and it is not broken again lightly.

use rayon::prelude::*;

use super::critical::all_false_pairs;
use super::moves::Move;
use super::{FalsePairs, Pair};
use crate::bits::{Id, missing_bit, ones};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream};

/// Pairs that moves are sought for at the same time; a constant, so that the search does not depend
/// on threads.
const BATCH: usize = 16;

/// Parents with more below them take no bits: too many rows would have to be looked at.
const MOST_BELOW: usize = 3000;

/// The most false pairs that a search starts from: it keeps them all, some 60 bytes each.
const MOST_FALSE: usize = 3_000_000;

/// The most that a pair's weight is raised at once.
const MOST_RAISED: i32 = 100;

/// Work that a scan takes beside the blocks it looks at.
const SCAN: u64 = 4;

/// Codes that miss no is-a, their columns, and the false pairs they have.
#[derive(Debug, Clone)]
pub(crate) struct PairSearch<'a> {
    closure: &'a Closure<'a>,
    codes: Codes,
    columns: Columns,
    false_pairs: FalsePairs,
    /// Blocks looked at so far, times the words that a code takes: the measure of effort, the same
    /// on any machine.
    pub(crate) work: u64,
    seed: u64,
    steps: u64,
}

/// A move and what it costs: the pairs it breaks less those it mends, each by its weight.
#[derive(Debug, Clone, Copy)]
struct Priced {
    step: Move,
    cost: i32,
}

impl<'a> PairSearch<'a> {
    /// A search from these codes; gives them back when they have too many false pairs to keep.
    pub(crate) fn new(codes: Codes, closure: &'a Closure<'a>, seed: u64) -> Result<Self, Codes> {
        let Some(pairs) = all_false_pairs(&codes, closure, MOST_FALSE) else { return Err(codes) };
        let (false_pairs, columns) = (FalsePairs::new(codes.len(), pairs), Columns::new(&codes));
        Ok(Self { closure, codes, columns, false_pairs, work: 0, seed, steps: 0 })
    }

    /// Goes on with wider codes: columns were added, and separate some of the false pairs. Weights
    /// start anew.
    pub(crate) fn widen(&mut self, codes: Codes) {
        let left =
            self.false_pairs.pairs().iter().filter(|&&(child, parent)| codes.is_a(child, parent));
        self.false_pairs = FalsePairs::new(codes.len(), left.copied());
        (self.columns, self.codes) = (Columns::new(&codes), codes);
    }

    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    pub(crate) fn into_codes(self) -> Codes {
        self.codes
    }

    pub(crate) fn false_pairs(&self) -> &FalsePairs {
        &self.false_pairs
    }

    /// Searches until no false pair is left, `patience` has gone by without a new least number of
    /// them, or `most` work is done.
    pub(crate) fn run(
        &mut self,
        patience: u64,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let (mut least, end) = (usize::MAX, self.work + most);
        let mut until = end;
        while !self.false_pairs.is_empty() && self.work < until {
            progress.go_on()?;
            let before = self.work;
            self.step();
            progress.advance(self.work - before);
            if self.false_pairs.len() < least {
                (least, until) = (self.false_pairs.len(), end.min(self.work + patience));
            }
        }
        Ok(())
    }

    fn step(&mut self) {
        self.steps += 1;
        let random = Stream::new(self.seed, self.steps, Purpose::Steps, 0);
        let pairs: Vec<(Pair, u64)> = (0..BATCH.min(self.false_pairs.len()) as u64)
            .map(|at| {
                let drawn = scaled(random.word(2 * at), self.false_pairs.len());
                (
                    self.false_pairs.critical(self.false_pairs.pairs()[drawn], self.closure.dag()),
                    random.word(2 * at + 1),
                )
            })
            .collect();
        let found: Vec<(u64, Result<Priced, i32>, Pair)> = pairs
            .into_par_iter()
            .map(|(pair, word)| {
                let (work, best) = self.best_move(pair, word);
                (work, best, pair)
            })
            .collect();
        for (work, best, pair) in found {
            self.work += work;
            match best {
                Ok(best) if self.false_pairs.contains(pair) => self.work += self.apply(best.step),
                Err(cost) if self.false_pairs.contains(pair) => {
                    self.false_pairs.raise(pair, (cost / 4).clamp(1, MOST_RAISED));
                }
                _ => {}
            }
        }
        self.work += 1;
    }

    /// The best move for a pair, or what it would cost at least if that is too much; and the work
    /// it took to find.
    fn best_move(&self, pair: Pair, word: u64) -> (u64, Result<Priced, i32>) {
        let (mut work, mut best) = (1, Err(i32::MAX));
        for set in [false, true] {
            if set && self.closure.below(pair.1).len() > MOST_BELOW {
                continue;
            }
            let limit = best.map_or(0, |best: Priced| best.cost - 1);
            let (spent, cheapest) = self.cheapest(pair, set, limit, word);
            work += spent;
            best = match (best, cheapest) {
                (_, Ok((bit, cost))) => {
                    let concept = if set { pair.1 } else { pair.0 };
                    Ok(Priced { step: Move { concept, bit, set }, cost })
                }
                (Err(one), Err(other)) => Err(one.min(other)),
                (best, Err(_)) => best,
            };
        }
        (work, best)
    }

    /// The bit that costs least among those that would mend the pair by being set or cleared, if it
    /// costs no more than `limit`; otherwise what it costs at least. Stops as soon as every bit
    /// costs more. Says what work it took.
    fn cheapest(
        &self,
        (x, y): Pair,
        set: bool,
        limit: i32,
        word: u64,
    ) -> (u64, Result<(usize, i32), i32>) {
        let own = if set { y } else { x };
        let touched = if set { self.closure.below(y) } else { self.closure.above(x) };
        let is_touched = |z: Id| z == own || touched.binary_search(&z).is_ok();
        let mut costs = vec![0; self.codes.bits()];
        for z in touched.iter().copied().chain([own]) {
            self.mends(z, set, is_touched, &mut costs);
        }
        let first = scaled(word, costs.len());
        let fits =
            |&bit: &usize| if set { !self.codes.get(x, bit) } else { self.codes.get(y, bit) };
        let bits: Vec<usize> = (first..costs.len()).chain(0..first).filter(fits).collect();
        let least =
            |costs: &[i32]| bits.iter().map(|&bit| (costs[bit], bit)).min_by_key(|&(cost, _)| cost);
        let mut work = 0;
        for z in [own].into_iter().chain(touched.iter().copied()) {
            work += self.breaks(z, set, &mut costs);
            match least(&costs) {
                Some((cost, _)) if cost > limit => return (work, Err(cost)),
                None => return (work, Err(i32::MAX)),
                _ => {}
            }
        }
        (work, least(&costs).map(|(cost, bit)| (bit, cost)).ok_or(i32::MAX))
    }

    /// Takes from the cost of each bit the open pairs that are mended when `z` gets it, or loses
    /// it; `changed` tells who else does.
    fn mends(&self, z: Id, set: bool, changed: impl Fn(Id) -> bool, costs: &mut [i32]) {
        if set {
            for &w in self.false_pairs.children(z).iter().filter(|&&w| !changed(w)) {
                let weight = self.false_pairs.weight((w, z));
                each_zero(self.codes.row(w), self.codes.bits(), |bit| costs[bit] -= weight);
            }
        } else {
            for &u in self.false_pairs.parents(z).iter().filter(|&&u| !changed(u)) {
                let weight = self.false_pairs.weight((z, u));
                each_one(self.codes.row(u), |bit| costs[bit] -= weight);
            }
        }
    }

    /// Adds to the cost of each bit the pairs that break when `z` gets it, or loses it; says what
    /// work that was.
    fn breaks(&self, z: Id, set: bool, costs: &mut [i32]) -> u64 {
        let row = self.codes.row(z);
        let blocks = if set {
            self.columns.one_above(row, |u| {
                costs[single(self.codes.row(u), row)] += self.false_pairs.weight((z, u));
            })
        } else {
            self.columns.one_below(row, |w| {
                costs[single(row, self.codes.row(w))] += self.false_pairs.weight((w, z));
            })
        };
        self.scan_work(blocks)
    }

    /// Makes a move and brings the false pairs up to date; says what work that was.
    fn apply(&mut self, step: Move) -> u64 {
        let Move { concept, bit, set } = step;
        let touched = step.touched(self.closure);
        let is_touched = |z: Id| z == concept || touched.binary_search(&z).is_ok();
        let mut changed: Vec<Id> = touched.iter().copied().chain([concept]).collect();
        changed.retain(|&z| self.codes.get(z, bit) != set);
        let (mut broken, mut mended, mut work) = (Vec::new(), Vec::new(), 0);
        for &z in &changed {
            let (pairs, codes) = (&self.false_pairs, &self.codes);
            if set {
                let apart = |w: &&Id| !codes.get(**w, bit) && !is_touched(**w);
                mended.extend(pairs.children(z).iter().filter(apart).map(|&w| (w, z)));
            } else {
                let apart = |u: &&Id| codes.get(**u, bit) && !is_touched(**u);
                mended.extend(pairs.parents(z).iter().filter(apart).map(|&u| (z, u)));
            }
            work += self.broken(z, bit, set, &mut broken);
        }
        for z in changed {
            self.codes.set(z, bit, set);
            self.columns.set(z, bit, set);
        }
        mended.into_iter().for_each(|pair| self.false_pairs.remove(pair));
        broken.into_iter().for_each(|pair| self.false_pairs.insert(pair));
        work
    }

    /// Lists the pairs that break when `z` gets the bit, or loses it.
    fn broken(&self, z: Id, bit: usize, set: bool, broken: &mut Vec<Pair>) -> u64 {
        let row = self.codes.row(z);
        let blocks = if set {
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
