//! A search among monotone codes that mends one false pair after the other: the policy of `encode`.
//!
//! On the way to exact codes only critical pairs count: when none of them is false, no pair is. For
//! codes with too few bits to be exact, all pairs count (`counted.rs`). For every concept and bit
//! the search counts the near pairs that this bit alone separates. What a move breaks is then a sum
//! of counts over the concepts that it touches, without a look at the columns. Only a move that is
//! made scans columns, twice for each concept whose bit changes: for the pairs that come closer,
//! and for those that go further apart.
//!
//! ```text
//!         animal 000          What changes when puppy gets bit 2?
//!        /        \             (puppy, u), where u has bit 2, come closer: (puppy, cat) is false
//!    pet 100     dog 010        now, since bit 2 alone separated it;
//!     /    \      /             (w, puppy), where w lacks bit 2, go further apart: (cat, puppy) is
//! cat 101   puppy 110           not among them.
//! ```
//!
//! A step draws a false pair and one of the two kinds of move, and makes the cheapest move of that
//! kind. If that breaks more than it mends, the pair stays, and its weight is raised for the rest
//! of the search (the breakout method, Morris 1993). So sooner or later the pair is mended at the
//! expense of pairs that are easier to mend, and moves that would break it again are expensive. The
//! kind is drawn, because the cheaper of both kinds leads in circles: what one clears, the next
//! sets again. Codes that cannot be exact are annealed instead. docs/algorithm.md has the figures.

use rayon::prelude::*;

use super::counted::Counted;
use super::kept::Kept;
use super::moves::Move;
use super::{FalsePairs, Pair};
use crate::bits::{Id, id, missing_bit, ones};
use crate::codes::{Codes, Columns};
use crate::graph::Closure;
use crate::memory::{self, MemoryError, Stage};
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream};

/// For a parent with more descendants than this, bits are rarely set but mostly cleared in the
/// child: too many rows would be added up.
const MANY_BELOW: usize = 3000;

/// One step in so many sets a bit in a parent with many descendants.
const RARELY: u64 = 64;

/// One in so many moves is made that breaks as much as it mends. If all were made, the search would
/// wander; if none, it would stand still until weights have grown.
const SIDEWAYS: u64 = 10;

/// The largest number of false pairs that a search starts from. It keeps all of them in memory,
/// some 60 bytes each.
const MAX_FALSE: usize = 3_000_000;

/// The largest amount by which a pair's weight is raised at once, and the divisor of the cost by
/// which it is raised.
const MAX_RAISE: i32 = 100;
const RAISE_DIVISOR: i32 = 4;

/// No pair weighs more, so that sums of weights stay far below the largest number.
const MAX_WEIGHT: i32 = 100_000;

/// The fixed work of a step and of a scan, in addition to the rows and blocks it looks at.
const STEP_WORK: u64 = 4;
const SCAN_WORK: u64 = 8;

/// Steps between two looks at whether the work is cancelled.
const ROUND: u64 = 64;

/// A search: monotone codes, their columns, their false pairs, and counts of their near pairs.
#[derive(Debug)]
pub(crate) struct PairSearch<'a> {
    closure: &'a Closure<'a>,
    counted: Counted,
    codes: Codes,
    /// The columns of `codes`, updated with them.
    columns: Columns,
    /// The false pairs of `codes` that count, updated with them.
    false_pairs: FalsePairs,
    /// For each concept and bit, the total weight of the concept's near pairs that count and that
    /// this bit alone separates. If the concept has the bit, it is their parent; if it lacks the
    /// bit, their child.
    counts: Vec<i32>,
    /// Space for the cost of each bit.
    costs: Vec<i32>,
    /// The rows of counts that were added up and the blocks that were scanned, times the words of a
    /// code: the effort, the same on any machine.
    pub(crate) work: u64,
    seed: u64,
    /// The number of steps so far, from which random numbers are computed.
    steps: u64,
    uphill: Uphill,
    /// The codes that should stay, if there are any.
    kept: Option<Kept>,
}

/// What a search does where the cheapest move breaks more than it mends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Uphill {
    /// It raises the weight of the pair that resists.
    Raises,
    /// It stays where it is.
    Stays,
    /// It makes the move with a chance that halves with every `heat / HEAT_UNIT` that it costs.
    Climbs { heat: i64 },
}

impl Uphill {
    /// Whether a move of this cost is made. `word` is random; it ends in k zeros with chance 2⁻ᵏ.
    fn makes(self, cost: i32, word: u64) -> bool {
        match self {
            Self::Climbs { heat } => {
                i64::from(cost) * HEAT_UNIT <= heat * i64::from(word.trailing_zeros())
            }
            _ => cost < 0 || cost == 0 && word.is_multiple_of(SIDEWAYS),
        }
    }
}

/// What the unit of cost is in heat.
const HEAT_UNIT: i64 = 256;

/// The heat that annealing begins with where false pairs are few, the heat at which it ends, and
/// what a step leaves of it, as a fraction. The last step makes one move in 16 that costs 1.
const FIRST_HEAT: i64 = 16 * HEAT_UNIT;
const LAST_HEAT: i64 = HEAT_UNIT / 4;
const COOLED: (i64, i64) = (13, 16);

/// Why a search does not begin.
#[derive(Debug)]
pub(crate) enum NoSearch {
    /// The codes have too many false pairs; here they are.
    TooMany(Codes),
    /// There is not enough memory.
    Memory(MemoryError),
    /// The work was cancelled.
    Cancelled(Cancelled),
}

impl<'a> PairSearch<'a> {
    /// A search that starts from these codes.
    pub(crate) fn new(
        codes: Codes,
        closure: &'a Closure<'a>,
        counted: Counted,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self, NoSearch> {
        let bytes = (codes.len() as u64).saturating_mul(5 * codes.bits() as u64);
        memory::check(Stage::Columns, bytes).map_err(NoSearch::Memory)?;
        let found = counted.false_pairs(&codes, closure, MAX_FALSE, progress);
        let Some(found) = found.map_err(NoSearch::Cancelled)? else {
            return Err(NoSearch::TooMany(codes));
        };
        let columns = Columns::new(&codes);
        let (counts, blocks) = near_counts(&codes, &columns, closure, counted);
        let (scans, words) = (2 * codes.len() as u64, codes.words_per_row() as u64);
        Ok(Self {
            closure,
            counted,
            false_pairs: FalsePairs::new(codes.len(), found),
            counts,
            costs: vec![0; codes.bits()],
            work: scans * SCAN_WORK + blocks * words,
            codes,
            columns,
            seed,
            steps: 0,
            uphill: Uphill::Raises,
            kept: None,
        })
    }

    /// The same search, in which codes should stay as they were: a move that changes one costs as
    /// much as so many broken pairs, and one that changes it back gives as much. Concepts that are
    /// `free` may change.
    pub(crate) fn keeping(self, were: Codes, free: &[bool], weight: i32) -> Self {
        Self { kept: Some(Kept::new(were, &self.codes, free, weight)), ..self }
    }

    /// Changes codes that should stay back to what they were, bit by bit, where that breaks no
    /// pair.
    pub(crate) fn restore(&mut self, progress: &dyn Progress) -> Result<(), Cancelled> {
        loop {
            progress.go_on()?;
            let Some(kept) = &self.kept else { return Ok(()) };
            let changed = (0..id(self.codes.len())).filter(|&concept| kept.is_apart(concept));
            let mut any = false;
            for concept in changed.collect::<Vec<_>>() {
                for bit in 0..self.codes.bits() {
                    let had = self.kept.as_ref().is_some_and(|kept| kept.had(concept, bit));
                    let back = Move { concept, bit, set: had };
                    if self.codes.get(concept, bit) != had && self.restores(back) {
                        self.apply(back);
                        any = true;
                    }
                }
            }
            if !any {
                return Ok(());
            }
        }
    }

    /// Whether a move breaks no pair and brings codes nearer to what they were.
    fn restores(&self, step: Move) -> bool {
        let (bits, Some(kept)) = (self.codes.bits(), &self.kept) else { return false };
        let touched = step.touched(self.closure);
        let touched = touched.iter().copied().chain([step.concept]);
        let changed = touched.filter(|&z| self.codes.get(z, step.bit) != step.set);
        let mut nearer = 0;
        for z in changed {
            if self.counts[z as usize * bits + step.bit] > 0 {
                return false;
            }
            nearer += kept.nearer(z, step.bit, step.set);
        }
        nearer > 0
    }

    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    pub(crate) fn into_codes(self) -> Codes {
        self.codes
    }

    /// The false pairs that count.
    pub(crate) fn false_pairs(&self) -> &FalsePairs {
        &self.false_pairs
    }

    /// The columns, the one that alone separates the fewest pairs first.
    pub(crate) fn least_useful_first(&self) -> Vec<usize> {
        let bits = self.codes.bits();
        let mut alone = vec![0u64; bits];
        for (row, counts) in self.codes.rows().zip(self.counts.chunks_exact(bits)) {
            each_one(row, |bit| alone[bit] += u64::from(counts[bit].unsigned_abs()));
        }
        let mut columns: Vec<usize> = (0..bits).collect();
        columns.sort_by_key(|&column| alone[column]);
        columns
    }

    /// Searches until no false pair is left, until `patience` work brings no new minimum of their
    /// number, or until `most` work is done.
    pub(crate) fn run(
        &mut self,
        patience: u64,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        self.uphill = Uphill::Raises;
        self.steps_until(patience, most, progress)
    }

    /// Makes steps with these limits, as [`run`](Self::run) says.
    fn steps_until(
        &mut self,
        patience: u64,
        most: u64,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let (mut least, end) = (usize::MAX, self.work.saturating_add(most));
        let (mut until, mut reported) = (end, self.work);
        while !self.false_pairs.is_empty() && self.work < until {
            if self.steps.is_multiple_of(ROUND) {
                progress.go_on()?;
                progress.advance(self.work - reported);
                reported = self.work;
            }
            self.step();
            if self.false_pairs.len() < least {
                least = self.false_pairs.len();
                until = end.min(self.work.saturating_add(patience));
            }
        }
        Ok(())
    }

    /// Makes moves that break no more than they mend, for so much work. The number of false pairs
    /// never grows.
    pub(crate) fn descend(&mut self, most: u64, progress: &dyn Progress) -> Result<(), Cancelled> {
        self.uphill = Uphill::Stays;
        self.steps_until(most, most, progress)
    }

    /// Makes moves that break more than they mend, too, and ever fewer of them (simulated
    /// annealing), for so much work. For codes that cannot be exact: weights give many pairs for a
    /// few that resist.
    pub(crate) fn anneal(&mut self, most: u64, progress: &dyn Progress) -> Result<(), Cancelled> {
        // The more pairs are false, the more a move breaks.
        let false_per_concept = self.false_pairs.len() / self.codes.len();
        let first = FIRST_HEAT * (1 + false_per_concept as i64).isqrt();
        let cooler = |&heat: &i64| Some(heat * COOLED.0 / COOLED.1);
        let heats = std::iter::successors(Some(first), cooler).take_while(|&heat| heat > LAST_HEAT);
        let share = most / (1 + heats.clone().count() as u64);
        for heat in heats {
            self.uphill = Uphill::Climbs { heat };
            self.steps_until(share, share, progress)?;
        }
        self.descend(share, progress)
    }

    /// Draws a false pair and a kind of move; makes the cheapest move of that kind, or raises the
    /// weight of the pair.
    fn step(&mut self) {
        self.steps += 1;
        self.work += STEP_WORK;
        let random = Stream::new(self.seed, self.steps, Purpose::Steps, 0);
        let pair = self.false_pairs.pairs()[scaled(random.word(0), self.false_pairs.len())];
        let set = self.sets(pair, random.word(1));
        let concept = if set { pair.1 } else { pair.0 };
        let Some((bit, cost)) = self.cheapest(pair, set, random.word(2)) else { return };
        if self.uphill.makes(cost, random.word(3)) {
            self.apply(Move { concept, bit, set });
        } else if cost > 0 && self.uphill == Uphill::Raises {
            let by = (cost / RAISE_DIVISOR).clamp(1, MAX_RAISE);
            if self.false_pairs.weight(pair) < MAX_WEIGHT {
                self.false_pairs.raise(pair, by);
            }
        }
    }

    /// Whether a step sets a bit in the parent of the pair, and does not clear one in the child.
    fn sets(&self, (_, parent): Pair, word: u64) -> bool {
        let has_none = self.codes.row(parent).iter().all(|&word| word == 0);
        let many = self.closure.below(parent).len() > MANY_BELOW;
        has_none || word.is_multiple_of(if many { RARELY } else { 2 })
    }

    /// The cheapest bit among those whose setting (or clearing) mends the pair, and its cost: the
    /// total weight of the pairs it breaks, minus that of the pairs it mends. `word` decides
    /// between bits of equal cost.
    ///
    /// Counts are exact for a whole move: both ends of a pair never change together in a way that
    /// keeps it near, because the bit that separates it is in one of them only.
    fn cheapest(&mut self, (x, y): Pair, set: bool, word: u64) -> Option<(usize, i32)> {
        let own = if set { y } else { x };
        let touched = if set { self.closure.below(y) } else { self.closure.above(x) };
        let is_touched = |z: Id| z == own || touched.binary_search(&z).is_ok();
        let (bits, codes, pairs) = (self.codes.bits(), &self.codes, &self.false_pairs);
        let (costs, mut listed) = (&mut self.costs, 0);
        costs.fill(0);
        for z in touched.iter().copied().chain([own]) {
            if let Some(kept) = &self.kept {
                kept.add_costs(costs, z, codes.row(z), set);
            }
            let counts = &self.counts[z as usize * bits..][..bits];
            add_where(costs, counts, codes.row(z), if set { u64::MAX } else { 0 });
            if set {
                listed += pairs.children(z).len();
                for &w in pairs.children(z).iter().filter(|&&w| !is_touched(w)) {
                    let weight = pairs.weight((w, z));
                    each_zero(codes.row(w), bits, |bit| costs[bit] -= weight);
                }
            } else {
                listed += pairs.parents(z).len();
                for &u in pairs.parents(z).iter().filter(|&&u| !is_touched(u)) {
                    let weight = pairs.weight((z, u));
                    each_one(codes.row(u), |bit| costs[bit] -= weight);
                }
            }
        }
        self.work += (1 + touched.len() as u64) * codes.words_per_row() as u64;
        self.work += self.counted.work(listed);
        let mends = |&bit: &usize| if set { !codes.get(x, bit) } else { codes.get(y, bit) };
        let first = scaled(word, bits);
        let candidates = (first..bits).chain(0..first).filter(mends);
        candidates.map(|bit| (bit, costs[bit])).min_by_key(|&(_, cost)| cost)
    }

    /// Makes a move and updates columns, counts and false pairs.
    ///
    /// The pairs that change have one end that changes and one that does not. Before the columns
    /// are updated, the bit itself tells those concepts from the others on the side where pairs
    /// come closer; afterwards, on the side where they go further apart.
    fn apply(&mut self, step: Move) {
        let Move { concept, bit, set } = step;
        let mut changed: Vec<Id> = step.touched(self.closure).to_vec();
        changed.push(concept);
        changed.retain(|&z| self.codes.get(z, bit) != set);
        let mut blocks = 0;
        for &z in &changed {
            blocks += self.bring_closer(z, bit, set);
        }
        for &z in &changed {
            self.codes.set(z, bit, set);
            self.columns.set(z, bit, set);
            if let Some(kept) = &mut self.kept {
                kept.flip(z, bit, set);
            }
        }
        for &z in &changed {
            blocks += self.take_apart(z, bit, set);
        }
        let scans = 2 * changed.len() as u64;
        self.work += scans * SCAN_WORK + blocks * self.codes.words_per_row() as u64;
    }

    /// Counts the pairs of `z` that come closer by a move that has not been made: those with one
    /// separating bit left are near now, those with none are false. Returns the blocks scanned.
    fn bring_closer(&mut self, z: Id, bit: usize, set: bool) -> u64 {
        let (codes, bits) = (&self.codes, self.codes.bits());
        let (closure, counted) = (self.closure, self.counted);
        let (pairs, counts) = (&mut self.false_pairs, &mut self.counts);
        let row = flipped(codes.row(z), bit);
        let each = |other: Id, is_false: bool| {
            let pair = if set { (z, other) } else { (other, z) };
            if !counted.includes(closure, pair) {
                return;
            }
            let weight = pairs.weight(pair);
            let (at, by) = if is_false {
                pairs.insert(pair);
                (bit, -weight)
            } else {
                (separating(&row, codes.row(other), set), weight)
            };
            counts[z as usize * bits + at] += by;
            counts[other as usize * bits + at] += by;
        };
        if set {
            self.columns.near_above_having(&row, bit, each)
        } else {
            self.columns.near_below_lacking(&row, bit, each)
        }
    }

    /// Counts the pairs of `z` that go further apart by a move that has been made: false pairs are
    /// near now, near pairs no longer. Returns the blocks scanned.
    fn take_apart(&mut self, z: Id, bit: usize, set: bool) -> u64 {
        let (codes, bits) = (&self.codes, self.codes.bits());
        let (closure, counted) = (self.closure, self.counted);
        let (pairs, counts) = (&mut self.false_pairs, &mut self.counts);
        let row = flipped(codes.row(z), bit);
        let each = |other: Id, was_false: bool| {
            let pair = if set { (other, z) } else { (z, other) };
            if !counted.includes(closure, pair) {
                return;
            }
            let weight = pairs.weight(pair);
            let (at, by) = if was_false {
                pairs.remove(pair);
                (bit, weight)
            } else {
                (separating(&row, codes.row(other), !set), -weight)
            };
            counts[z as usize * bits + at] += by;
            counts[other as usize * bits + at] += by;
        };
        if set {
            self.columns.near_below_lacking(&row, bit, each)
        } else {
            self.columns.near_above_having(&row, bit, each)
        }
    }
}

/// The concepts whose pairs are found before those pairs are counted at the other ends.
const AT_ONCE: usize = 1 << 16;

/// The counts of the near pairs of monotone codes that count, where every pair weighs 1, and the
/// number of blocks in which pairs of the concepts may be, below them and above.
///
/// Each pair is found once, from the end that needs fewer columns. That is the child where more
/// than half of all bits are set: a scan for its parents goes through the bits that it lacks, one
/// for the children of a concept through those that it has. In samples of finished codes, with 179
/// of 236 bits set a scan for parents looked at a sixth of the columns, and with 51 of 512 bits set
/// a scan for children at a fortieth.
fn near_counts(
    codes: &Codes,
    columns: &Columns,
    closure: &Closure<'_>,
    counted: Counted,
) -> (Vec<i32>, u64) {
    let (bits, mut blocks) = (codes.bits(), 0);
    let set: u64 = codes.words().iter().map(|word| u64::from(word.count_ones())).sum();
    let from_child = 2 * set > codes.len() as u64 * bits as u64;
    let mut counts = vec![0; codes.len() * bits];
    for first in (0..codes.len()).step_by(AT_ONCE) {
        // Writes the counts of a concept; gives the places of the counts at the other ends.
        let of = |(at, counts): (usize, &mut [i32])| {
            let (concept, mut at_others) = (id(first + at), Vec::new());
            let row = codes.row(concept);
            let each = |other: Id| {
                let pair = if from_child { (concept, other) } else { (other, concept) };
                if counted.includes(closure, pair) {
                    let bit = separating(row, codes.row(other), from_child);
                    counts[bit] += 1;
                    at_others.push(other as usize * bits + bit);
                }
            };
            let scanned = if from_child {
                columns.one_above(row, each) + columns.blocks_below(row)
            } else {
                columns.one_below(row, each) + columns.blocks_above(row)
            };
            (at_others, scanned)
        };
        let last = (first + AT_ONCE).min(codes.len());
        let rows = counts[first * bits..last * bits].par_chunks_mut(bits).enumerate();
        let found: Vec<(Vec<usize>, u64)> = rows.map(of).collect();
        for (at_others, scanned) in found {
            blocks += scanned;
            at_others.into_iter().for_each(|at| counts[at] += 1);
        }
    }
    (counts, blocks)
}

per_cpu! {
    /// Adds to each cost the count of its bit where the row, with the bits of `flip` flipped, has
    /// that bit.
    fn add_where(costs: &mut [i32], counts: &[i32], row: &[u64], flip: u64) {
        for ((costs, counts), &word) in costs.chunks_mut(64).zip(counts.chunks(64)).zip(row) {
            let word = word ^ flip;
            for (bit, (cost, &count)) in costs.iter_mut().zip(counts).enumerate() {
                *cost += count & -i32::from(word >> bit & 1 == 1);
            }
        }
    }
}

/// A number below `bound` from a random word.
fn scaled(word: u64, bound: usize) -> usize {
    usize::try_from((u128::from(word) * bound as u128) >> 64).expect("below bound")
}

/// The same row with one bit flipped.
fn flipped(row: &[u64], bit: usize) -> Vec<u64> {
    let mut row = row.to_vec();
    row[bit / 64] ^= 1 << (bit % 64);
    row
}

/// The bit that separates a near pair. `row` is its child if `is_child`, and its parent otherwise.
fn separating(row: &[u64], other: &[u64], is_child: bool) -> usize {
    let found = if is_child { missing_bit(row, other) } else { missing_bit(other, row) };
    found.map_or(0, usize::from)
}

pub(super) fn each_one(row: &[u64], mut each: impl FnMut(usize)) {
    for (at, &word) in row.iter().enumerate() {
        ones(word).for_each(|bit| each(at * 64 + bit as usize));
    }
}

pub(super) fn each_zero(row: &[u64], bits: usize, mut each: impl FnMut(usize)) {
    for (at, &word) in row.iter().enumerate() {
        ones(!word).map(|bit| at * 64 + bit as usize).filter(|&bit| bit < bits).for_each(&mut each);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hierarchy::testing::hierarchies;
    use crate::search::inherited_codes;

    proptest! {
        #[test]
        fn counts_and_false_pairs_stay_those_of_the_codes(
            hierarchy in hierarchies(), bits in 1..70usize, seed in any::<u64>(),
            counted in prop::sample::select(vec![Counted::Critical, Counted::All])
        ) {
            let closure = Closure::new(hierarchy.dag());
            let codes = inherited_codes(hierarchy.dag(), bits, seed).unwrap();
            let mut search = PairSearch::new(codes, &closure, counted, seed, &()).unwrap();
            for round in 0..20 {
                match round % 4 {
                    3 => search.anneal(500, &()).unwrap(),
                    _ => search.run(u64::MAX, 500, &()).unwrap(),
                }
                let codes = search.codes.clone();
                let fresh = PairSearch::new(codes, &closure, counted, 0, &()).unwrap();
                let sorted = |search: &PairSearch<'_>| {
                    let mut pairs = search.false_pairs.pairs().to_vec();
                    pairs.sort_unstable();
                    pairs
                };
                prop_assert_eq!(sorted(&search), sorted(&fresh));
                for (child, parent) in hierarchy.dag().iter() {
                    prop_assert!(search.codes.is_a(child, parent));
                }
                // Pairs weigh 1 in the fresh search: counts are compared by whether there are any.
                let any = |counts: &[i32]| counts.iter().map(|&c| c > 0).collect::<Vec<_>>();
                prop_assert_eq!(any(&search.counts), any(&fresh.counts));
            }
        }
    }
}
