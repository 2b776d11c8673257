//! A search among monotone codes that mends one false pair after the other: the policy of `encode`.
//!
//! If the best move for a pair breaks more than it mends, the pair stays, and its weight is raised
//! for the rest of the search (the breakout method, Morris 1993). So sooner or later the pair is
//! mended at the expense of pairs that are easier to mend, and moves that would break it again are
//! expensive.

use rayon::prelude::*;

use super::critical::all_false_pairs;
use super::moves::Move;
use super::{FalsePairs, Pair};
use crate::bits::{Id, missing_bit, ones};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream};

/// The number of pairs for which moves are searched in parallel. A constant, so that the search
/// does not depend on the number of threads.
const BATCH: usize = 16;

/// Bits are not set in parents with more descendants than this: too many rows would be scanned.
const MAX_BELOW: usize = 3000;

/// The largest number of false pairs that a search starts from. It keeps all of them in memory,
/// some 60 bytes each.
const MAX_FALSE: usize = 3_000_000;

/// The largest amount by which a pair's weight is raised at once.
const MAX_RAISE: i32 = 100;

/// The fixed work of a scan, in addition to the blocks it scans.
const SCAN_WORK: u64 = 4;

/// A search: monotone codes, their columns, and their false pairs.
#[derive(Debug, Clone)]
pub(crate) struct PairSearch<'a> {
    closure: &'a Closure<'a>,
    codes: Codes,
    /// The columns of `codes`, updated with them.
    columns: Columns,
    /// All false pairs of `codes`, updated with them.
    false_pairs: FalsePairs,
    /// The number of blocks scanned so far, times the words of a code. It measures the effort and
    /// is the same on any machine.
    pub(crate) work: u64,
    seed: u64,
    /// The number of steps so far, from which random numbers are computed.
    steps: u64,
}

/// A move and its cost: the total weight of the pairs it breaks, minus that of the pairs it mends.
#[derive(Debug, Clone, Copy)]
struct Priced {
    step: Move,
    cost: i32,
}

impl<'a> PairSearch<'a> {
    /// A search that starts from these codes. Returns the codes as the error when they have too
    /// many false pairs.
    pub(crate) fn new(codes: Codes, closure: &'a Closure<'a>, seed: u64) -> Result<Self, Codes> {
        let Some(pairs) = all_false_pairs(&codes, closure, MAX_FALSE) else { return Err(codes) };
        let (false_pairs, columns) = (FalsePairs::new(codes.len(), pairs), Columns::new(&codes));
        Ok(Self { closure, codes, columns, false_pairs, work: 0, seed, steps: 0 })
    }

    /// Continues with wider codes, whose new columns separate some of the false pairs. All weights
    /// are reset to 1.
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

    /// Searches until no false pair is left, until `patience` work brings no new minimum of their
    /// number, or until `most` work is done.
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
                    self.false_pairs.raise(pair, (cost / 4).clamp(1, MAX_RAISE));
                }
                _ => {}
            }
        }
        self.work += 1;
    }

    /// The work of finding the best move for a pair, and that move. If every move costs too much,
    /// the error is a lower bound of the cost.
    fn best_move(&self, pair: Pair, word: u64) -> (u64, Result<Priced, i32>) {
        let (mut work, mut best) = (1, Err(i32::MAX));
        for set in [false, true] {
            if set && self.closure.below(pair.1).len() > MAX_BELOW {
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

    /// The cheapest bit among those whose setting (or clearing) mends the pair, and its cost, if
    /// that is at most `limit`; otherwise the error is a lower bound of the cost. Stops as soon as
    /// every bit costs more than `limit`. Also returns the work done.
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
        let mends_pair =
            |&bit: &usize| if set { !self.codes.get(x, bit) } else { self.codes.get(y, bit) };
        let bits: Vec<usize> = (first..costs.len()).chain(0..first).filter(mends_pair).collect();
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

    /// Subtracts from the cost of each bit the weight of the false pairs that are mended when `z`
    /// gets the bit (or loses it). `changed` says which other concepts change with `z`.
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

    /// Adds to the cost of each bit the weight of the pairs that break when `z` gets the bit (or
    /// loses it). Returns the work done.
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

    /// Makes a move and updates the false pairs. Returns the work done.
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
                let separated = |w: &&Id| !codes.get(**w, bit) && !is_touched(**w);
                mended.extend(pairs.children(z).iter().filter(separated).map(|&w| (w, z)));
            } else {
                let separated = |u: &&Id| codes.get(**u, bit) && !is_touched(**u);
                mended.extend(pairs.parents(z).iter().filter(separated).map(|&u| (z, u)));
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

    /// Appends the pairs that break when `z` gets the bit (or loses it). Returns the work done.
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

    /// The work of a scan over this many blocks. Wide codes have more columns per block.
    fn scan_work(&self, blocks: u64) -> u64 {
        SCAN_WORK + blocks * self.codes.bits() as u64 / 64
    }
}

/// A number below `bound` from a random word.
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
