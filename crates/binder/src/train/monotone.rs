//! Flips that keep every training pair: the epoch of the recipe `best`.
//!
//! The paper flips single bits. Suppose that a bit should be set in a whole subtree, or cleared in
//! a concept and all above it. Flip by flip, that passes through codes with many missing bits, each
//! of which costs α; with a large α it never happens. We flip such a bit at once in everything that
//! the training pairs require, by the moves of [`search`](crate::search), because then no pair is
//! missed on the way. Codes that start monotone stay monotone, and the loss is the cost of false
//! pairs alone. A move is made with the paper's chance for its gain. The similarity term adds what
//! the flip of the concept's own bit gains; what the other concepts of the move gain is left out.

use super::ValidTrainParams;
use super::epoch::EpochReport;
use super::flip::FlipRule;
use super::loss::Loss;
use super::siblings::Siblings;
use crate::bits::Id;
use crate::codes::Codes;
use crate::graph::Graph;
use crate::memory::{self, MemoryError, Stage};
use crate::progress::{Cancelled, Progress};
use crate::search::{EpochSearch, Outcome, snapshot_bytes};

/// Trains by monotone flips.
#[derive(Debug)]
pub(super) struct MonotoneTrainer<'a> {
    search: EpochSearch<'a>,
    rule: FlipRule,
    beta: i64,
    /// The similarity term, if there is one.
    siblings: Option<Siblings<'a>>,
}

impl<'a> MonotoneTrainer<'a> {
    pub(super) fn new(pairs: &'a Graph, params: &ValidTrainParams) -> Result<Self, MemoryError> {
        memory::check(Stage::Search, snapshot_bytes(pairs.concepts(), params.bits))?;
        Ok(Self {
            search: EpochSearch::new(pairs, params.seed),
            rule: FlipRule::new(params.rate, params.bias, params.chances),
            beta: params.beta.into(),
            siblings: Siblings::new(pairs, params.similarity, false, params.bits)?,
        })
    }

    pub(super) fn epoch(
        &mut self,
        codes: &mut Codes,
        epoch: u64,
        progress: &dyn Progress,
    ) -> Result<EpochReport, Cancelled> {
        let outcome = match &mut self.siblings {
            None => {
                let chance = |gain: i64| self.rule.chance(gain * self.beta);
                self.search.epoch(codes, epoch, &chance, None, progress)?
            }
            Some(siblings) => {
                siblings.count(codes);
                let (siblings, before) = (&*siblings, codes.clone());
                let weigh = |concept: Id, gains: &mut [i64]| {
                    gains.iter_mut().for_each(|gain| *gain *= self.beta);
                    siblings.add_gains(concept, before.row(concept), gains);
                };
                let chance = |gain: i64| self.rule.chance(gain);
                self.search.epoch(codes, epoch, &chance, Some(&weigh), progress)?
            }
        };
        let Outcome { false_pairs, flips } = outcome;
        Ok(EpochReport { loss: Loss { missing: 0, false_positives: false_pairs }, flips })
    }
}

/// The chance of a move by its gain, to measure the search alone.
#[cfg(test)]
pub(crate) fn chance(params: &super::TrainParams) -> impl Fn(i64) -> u64 + Sync + use<> {
    let (rule, beta) =
        (FlipRule::new(params.rate, params.bias, params.chances), i64::from(params.beta));
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
        fn the_loss_counts_all_negatives(
            pairs in proptest::collection::vec((0..25u32, 0..25u32), 1..60),
            bits in 1..70usize,
            seed in any::<u64>()
        ) {
            let graph = Graph::new(25, pairs.into_iter().map(|(a, b)| (a.max(b), a.min(b))));
            let params = Recipe::Best.params(true).with(|params| {
                (params.bits, params.seed) = (bits, seed);
                let inits = [Init::Inherited, Init::Ones, Init::Random];
                params.init = inits[(seed % 3) as usize].clone();
                params.similarity = [0, 15][(seed / 3 % 2) as usize];
            });
            let params = params.check(25).unwrap();
            let mut trainer = MonotoneTrainer::new(&graph, &params).unwrap();
            let mut codes = first_codes(&graph, &params).unwrap();
            let negatives = list_all(&graph);
            for epoch in 1..8 {
                let before = loss(&codes, &graph, &negatives);
                prop_assert_eq!(before.missing, 0);
                prop_assert_eq!(trainer.epoch(&mut codes, epoch, &()).unwrap().loss, before);
            }
        }
    }
}
