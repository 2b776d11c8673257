//! Flips that keep every training pair: the epoch of the recipe `best`.
//!
//! The paper flips single bits. So a bit that a whole subtree ought to take, or a concept and all
//! above it to lose, has to cross a wall of missing bits, each at the price α; with a large α it
//! never does. We flip such a bit at once in everything that the training pairs ask for, by the
//! moves of [`search`](crate::search). Codes that begin monotone stay so, and the loss is what
//! false pairs cost. A move is made with the paper's chance for its gain.

use super::ValidTrainParams;
use super::epoch::EpochReport;
use super::flip::FlipRule;
use super::loss::Loss;
use crate::codes::Codes;
use crate::graph::Graph;
use crate::memory::{self, MemoryError};
use crate::search::{EpochSearch, Outcome, snapshot_bytes};

/// Trains by monotone flips.
#[derive(Debug)]
pub(super) struct MonotoneTrainer<'a> {
    search: EpochSearch<'a>,
    rule: FlipRule,
    beta: i64,
}

impl<'a> MonotoneTrainer<'a> {
    pub(super) fn new(pairs: &'a Graph, params: &ValidTrainParams) -> Result<Self, MemoryError> {
        memory::check("the search's counts", snapshot_bytes(pairs.concepts(), params.bits))?;
        Ok(Self {
            search: EpochSearch::new(pairs, params.seed),
            rule: FlipRule::new(params.rate, params.bias),
            beta: params.beta.into(),
        })
    }

    pub(super) fn epoch(&mut self, codes: &mut Codes, epoch: u64) -> EpochReport {
        let chance = |gain: i64| self.rule.chance(gain * self.beta);
        let Outcome { false_pairs, flips } = self.search.epoch(codes, epoch, &chance);
        EpochReport { loss: Loss { missing: 0, false_positives: false_pairs }, flips }
    }
}

/// The chance of a move by its gain, for a measurement of the search alone.
#[cfg(test)]
pub(crate) fn chance(params: &super::TrainParams) -> impl Fn(i64) -> u64 + Sync + use<> {
    let (rule, beta) = (FlipRule::new(params.rate, params.bias), i64::from(params.beta));
    move |gain| rule.chance(gain * beta)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::loss::loss;
    use super::super::negatives::list_all;
    use super::super::run::first_codes;
    use super::super::{Init, Recipe};
    use super::*;

    proptest! {
        #[test]
        fn the_loss_is_that_of_all_negatives(
            pairs in proptest::collection::vec((0..25u32, 0..25u32), 1..60),
            bits in 1..70usize,
            seed in any::<u64>()
        ) {
            let graph = Graph::new(25, pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b))));
            let params = Recipe::Best.params(true).with(|params| {
                (params.bits, params.seed) = (bits, seed);
                params.init = [Init::Inherited, Init::Ones, Init::Random][(seed % 3) as usize].clone();
            });
            let params = params.check(25).unwrap();
            let mut trainer = MonotoneTrainer::new(&graph, &params).unwrap();
            let mut codes = first_codes(&graph, &params).unwrap();
            let negatives = list_all(&graph);
            for epoch in 1..8 {
                let before = loss(&codes, &graph, &negatives);
                prop_assert_eq!(before.missing, 0);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch).loss, before);
            }
        }
    }
}
