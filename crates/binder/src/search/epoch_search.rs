//! A search among monotone codes that works on all false pairs at once: the policy of `train`.
//!
//! Every epoch knows all false pairs and near pairs from a snapshot. Each concept in a critical
//! false pair proposes its best move, which is made with a chance that depends on its gain. Only
//! the codes, the seed and the number of the epoch decide what an epoch does, so a run can be
//! stopped and resumed after any epoch.

use std::borrow::Cow;

use rayon::prelude::*;

use super::moves::Move;
use super::snapshot::Snapshot;
use crate::bits::kernels::Kernels;
use crate::bits::{Id, id};
use crate::codes::Codes;
use crate::graph::{Graph, Reach, Rows};
use crate::progress::{Cancelled, Progress};
use crate::random::{Purpose, Stream};

/// The largest number of false pairs of one child that one epoch tries to mend.
const MAX_PER_CHILD: usize = 32;

/// The number of pairs that a move mends is multiplied by at most 2 to this power.
const MAX_BOOST: u32 = 12;

/// A search that runs epoch by epoch.
#[derive(Debug)]
pub(crate) struct EpochSearch<'a> {
    /// The pairs that the codes must keep, without the implied ones: walks are shorter and reach
    /// the same concepts.
    graph: Cow<'a, Graph>,
    seed: u64,
    /// The snapshot of the codes after the last epoch; `None` when a new one must be made.
    snapshot: Option<Snapshot>,
}

/// What an epoch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The number of false pairs before the epoch.
    pub(crate) false_pairs: u64,
    /// The number of bits flipped.
    pub(crate) flips: u64,
}

/// The chance of a move by its gain, in units of 2^-64.
pub(crate) type Chance<'c> = &'c (dyn Fn(i64) -> u64 + Sync);

/// Weighs the gains of a concept's bits, which are numbers of pairs, against something else before
/// the best is chosen.
pub(crate) type Weigh<'c> = Option<&'c (dyn Fn(Id, &mut [i64]) + Sync)>;

impl<'a> EpochSearch<'a> {
    pub(crate) fn new(graph: &'a Graph, seed: u64) -> Self {
        Self { graph: graph.reduced(), seed, snapshot: None }
    }

    /// Runs one epoch. The codes must be monotone for the graph, and stay so.
    ///
    /// # Errors
    ///
    /// When the work is cancelled; the codes are as before then.
    pub(crate) fn epoch(
        &mut self,
        codes: &mut Codes,
        epoch: u64,
        chance: Chance<'_>,
        weigh: Weigh<'_>,
        progress: &dyn Progress,
    ) -> Result<Outcome, Cancelled> {
        let snapshot = match self.snapshot.take() {
            Some(snapshot) => snapshot,
            None => Snapshot::new(codes, &self.graph, progress)?,
        };
        let moves = Proposals { graph: &self.graph, codes, snapshot: &snapshot, chance, weigh }
            .of_epoch(self.seed, epoch);
        progress.go_on()?;
        let (mut changed, mut reach) = (Vec::new(), Reach::new(&self.graph));
        let before = codes.clone();
        for step in moves {
            let touched = step.reached(&mut reach);
            let flips = touched.iter().filter(|&&concept| codes.get(concept, step.bit) != step.set);
            let flips: Vec<Id> = flips.copied().collect();
            flips.iter().for_each(|&concept| codes.set(concept, step.bit, step.set));
            changed.extend(flips);
        }
        let outcome = Outcome { false_pairs: snapshot.false_pairs(), flips: changed.len() as u64 };
        changed.sort_unstable();
        changed.dedup();
        self.snapshot = snapshot.after(&before, codes, &changed, &self.graph);
        Ok(outcome)
    }
}

/// Everything that decides the moves of an epoch.
#[derive(Clone, Copy)]
struct Proposals<'a> {
    graph: &'a Graph,
    codes: &'a Codes,
    snapshot: &'a Snapshot,
    chance: Chance<'a>,
    weigh: Weigh<'a>,
}

/// The critical false pairs, by child and by parent. Here a false pair is critical when no parent
/// of its parent is false for the same child.
///
/// A move that mends a critical pair also mends the false pairs that lead to it, because the parent
/// of a false parent has no bit beyond those of its child.
struct Critical {
    parents: Rows,
    children: Rows,
}

impl Proposals<'_> {
    /// The moves of an epoch. Those that clear bits come first.
    fn of_epoch(self, seed: u64, epoch: u64) -> Vec<Move> {
        let critical = self.critical(seed, epoch);
        let propose = |set: bool, partners: &Rows| -> Vec<Move> {
            let concepts = (0..id(self.codes.len())).into_par_iter();
            let with_partners = concepts.filter(|&concept| !partners.row(concept).is_empty());
            let best = |chooser: &mut Chooser<'_>, concept: Id| {
                let stream = Stream::new(seed, epoch, Purpose::Flips, concept);
                chooser.best(concept, set, stream)
            };
            with_partners.map_init(|| Chooser::new(self, &critical), best).flatten_iter().collect()
        };
        let mut moves = propose(false, &critical.parents);
        moves.extend(propose(true, &critical.children));
        moves
    }

    /// Up to [`MAX_PER_CHILD`] critical false pairs of every child.
    fn critical(self, seed: u64, epoch: u64) -> Critical {
        let of_child = |reach: &mut Reach<'_>, child: Id| {
            reach.above(child);
            let is_above = |above: &Id| reach.has_found(*above);
            let highest = |parent: &Id| self.graph.parents(*parent).iter().all(is_above);
            let false_parents = self.snapshot.false_parents(child).iter().copied();
            let parents: Vec<Id> = false_parents.filter(highest).collect();
            let first = Stream::new(seed, epoch, Purpose::Ties, child).word(0);
            let chosen = limited(&parents, first);
            chosen.into_iter().map(|parent| (child, parent)).collect::<Vec<_>>()
        };
        let children: Vec<Id> = self.snapshot.false_children().collect();
        let reach = || Reach::new(self.graph);
        let pairs: Vec<Vec<(Id, Id)>> =
            children.into_par_iter().map_init(reach, of_child).collect();
        let parents = Rows::from_pairs(self.graph.concepts(), pairs.iter().flatten().copied());
        Critical { children: parents.transposed(), parents }
    }
}

/// At most [`MAX_PER_CHILD`] of the concepts, ascending. The random word `first` decides where in
/// the list they start; the list wraps around.
fn limited(concepts: &[Id], first: u64) -> Vec<Id> {
    if concepts.len() <= MAX_PER_CHILD {
        return concepts.to_vec();
    }
    let first = usize::try_from(first % concepts.len() as u64).expect("below a length");
    let mut chosen: Vec<Id> =
        concepts[first..].iter().chain(concepts).take(MAX_PER_CHILD).copied().collect();
    chosen.sort_unstable();
    chosen
}

/// Finds the best move of a concept. The scratch space is kept from one concept to the next.
struct Chooser<'a> {
    from: Proposals<'a>,
    critical: &'a Critical,
    reach: Reach<'a>,
    /// The gain of each bit.
    gains: Vec<i64>,
    /// For each bit, how many partners have it. Padded to whole words for the counting kernel.
    counts: Vec<u32>,
    /// The other ends of the critical pairs that the move may mend.
    partners: Vec<Id>,
}

impl<'a> Chooser<'a> {
    fn new(from: Proposals<'a>, critical: &'a Critical) -> Self {
        Self {
            from,
            critical,
            reach: Reach::new(from.graph),
            gains: vec![0; from.codes.bits()],
            counts: vec![0; from.codes.words_per_row() * 64],
            partners: Vec::new(),
        }
    }

    /// The best move of a concept, if the random draw allows it.
    ///
    /// The pairs that a move mends count once in half of the epochs, twice in a quarter, four times
    /// in an eighth, and so on. So a false pair that cannot be mended without breaking others is
    /// mended sooner or later, and the others may be mended elsewhere.
    fn best(&mut self, concept: Id, set: bool, stream: Stream) -> Option<Move> {
        let [first, draw, boost] = [0, 1, 2].map(|at| stream.word(u64::from(set) * 3 + at));
        self.weigh(concept, set, 1 << boost.trailing_zeros().min(MAX_BOOST));
        if let Some(weigh) = self.from.weigh {
            weigh(concept, &mut self.gains);
        }
        let bits = self.from.codes.bits();
        let first = usize::try_from(first % bits as u64).expect("below the number of bits");
        let can_flip = |&bit: &usize| self.from.codes.get(concept, bit) != set;
        let bit =
            (first..bits).chain(0..first).filter(can_flip).max_by_key(|&bit| self.gains[bit])?;
        (draw < (self.from.chance)(self.gains[bit])).then_some(Move { concept, bit, set })
    }

    /// Computes the gain of each bit if it is flipped in everything that the move touches: `boost`
    /// times the number of pairs it mends, minus the number of pairs it breaks.
    fn weigh(&mut self, concept: Id, set: bool, boost: i64) {
        let Proposals { codes, snapshot, .. } = self.from;
        Move { concept, bit: 0, set }.reached(&mut self.reach);
        self.gains.fill(0);
        self.partners.clear();
        for &touched in self.reach.order() {
            let (row, sole) = (codes.row(touched), snapshot.sole_separators(touched));
            for (bit, (gain, &sole)) in self.gains.iter_mut().zip(sole).enumerate() {
                let flips = (row[bit / 64] >> (bit % 64) & 1 == 1) != set;
                *gain -= i64::from(if flips { sole } else { 0 });
            }
            let critical =
                if set { &self.critical.children } else { &self.critical.parents }.row(touched);
            self.partners.extend(critical.iter().filter(|&&other| !self.reach.has_found(other)));
        }
        self.counts.fill(0);
        let count = Kernels::current().column_counts;
        count(codes.words(), codes.words_per_row(), &self.partners, &mut self.counts);
        let all = self.partners.len() as i64;
        for (gain, &ones) in self.gains.iter_mut().zip(&self.counts) {
            // Setting a bit separates partners that lack it; clearing it, partners that have it.
            *gain += boost * if set { all - i64::from(ones) } else { i64::from(ones) };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::{missing_bit, missing_bits};

    fn graphs() -> impl Strategy<Value = Graph> {
        proptest::collection::vec((0..25u32, 0..25u32), 1..60)
            .prop_map(|pairs| Graph::new(25, pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b)))))
    }

    /// Codes with random bits, inherited from parents until the codes are monotone.
    fn monotone_codes(graph: &Graph, bits: usize, seed: u64) -> Codes {
        let mut codes = Codes::zeros(graph.concepts(), bits).unwrap();
        for (concept, bit) in
            graph.ids().flat_map(|concept| (0..bits).map(move |bit| (concept, bit)))
        {
            let word = Stream::new(seed, 0, Purpose::Start, concept).word(bit as u64);
            codes.set(concept, bit, word.is_multiple_of(4));
        }
        for _ in graph.ids() {
            graph.iter().for_each(|(child, parent)| codes.inherit(child, parent));
        }
        codes
    }

    /// The ordered pairs that do not follow from the graph.
    fn negatives(graph: &Graph) -> Vec<(Id, Id)> {
        let mut reach = Reach::new(graph);
        let mut negatives = Vec::new();
        for child in graph.ids() {
            reach.above(child);
            negatives.extend(
                graph
                    .ids()
                    .filter(|&parent| !reach.has_found(parent))
                    .map(|parent| (child, parent)),
            );
        }
        negatives
    }

    fn misses(codes: &Codes, graph: &Graph) -> usize {
        graph.iter().filter(|&(child, parent)| !codes.is_a(child, parent)).count()
    }

    fn chance(gain: i64) -> u64 {
        if gain > 0 { u64::MAX / 2 } else { u64::MAX / 100 }
    }

    proptest! {
        #[test]
        fn codes_stay_monotone_and_every_false_pair_is_counted(
            graph in graphs(), bits in 1..70usize, seed in any::<u64>()
        ) {
            let mut search = EpochSearch::new(&graph, seed);
            let (mut codes, negatives) = (monotone_codes(&graph, bits, seed), negatives(&graph));
            for epoch in 1..8 {
                prop_assert_eq!(misses(&codes, &graph), 0);
                let wrong = negatives.iter().filter(|&&(child, parent)| codes.is_a(child, parent));
                let wrong = wrong.count() as u64;
                let outcome = search.epoch(&mut codes, epoch, &chance, None, &()).unwrap();
                prop_assert_eq!(outcome.false_pairs, wrong);
                if let Some(snapshot) = &search.snapshot {
                    prop_assert!(snapshot.same_as(&Snapshot::new(&codes, &graph, &()).unwrap()));
                }
            }
            prop_assert_eq!(misses(&codes, &graph), 0);
        }

        #[test]
        fn near_pairs_are_counted_at_their_separating_bit(
            graph in graphs(), bits in 1..40usize, seed in any::<u64>()
        ) {
            let codes = monotone_codes(&graph, bits, seed);
            let mut sole = vec![0u32; 25 * bits];
            for (child, parent) in negatives(&graph) {
                let (below, above) = (codes.row(child), codes.row(parent));
                if missing_bits(below, above) == 1 {
                    let bit = usize::from(missing_bit(below, above).unwrap());
                    sole[child as usize * bits + bit] += 1;
                    sole[parent as usize * bits + bit] += 1;
                }
            }
            let snapshot = Snapshot::new(&codes, &graph, &()).unwrap();
            let counted = (0..25).flat_map(|concept| snapshot.sole_separators(concept).to_vec());
            prop_assert_eq!(counted.collect::<Vec<_>>(), sole);
        }

        #[test]
        fn codes_stay_monotone_on_graphs_with_cycles(
            pairs in proptest::collection::vec((0..12u32, 0..12u32), 1..30), seed in any::<u64>()
        ) {
            let graph = Graph::new(12, pairs);
            let mut search = EpochSearch::new(&graph, seed);
            let mut codes = monotone_codes(&graph, 16, seed);
            for epoch in 1..20 {
                search.epoch(&mut codes, epoch, &chance, None, &()).unwrap();
                prop_assert_eq!(misses(&codes, &graph), 0);
            }
        }
    }
}
