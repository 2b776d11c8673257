//! Scores judged on listed pairs, or on all n² − n pairs of a hierarchy.
//!
//! Besides right and wrong predictions at a threshold there are measures of the order alone. Pairs
//! are put in order by their scores for [AUC](Measures::auc) and [average
//! precision](Measures::average_precision). For [MRR](Judgement::mrr) and
//! [Hits@k](Judgement::hits) the parent of each pair is compared with all other concepts: its rank
//! is one more than the number of those that score higher for the same child and are not its
//! parents, and equal scores count half.

mod all_pairs;
mod codes;
mod curve;
mod listed;
mod mistakes;
mod radix;
mod ranks;

pub use all_pairs::all_pairs;
pub use codes::code_scores;
pub use listed::{listed, measures};
pub use mistakes::{first_listed_mistakes, first_mistakes};

use binder::evaluate::Confusion;
use serde::Serialize;

/// How well scores tell pairs that are is-a from pairs that are not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measures {
    /// The threshold: pairs with at least this score are predicted to be is-a.
    pub threshold: f32,
    /// Right and wrong predictions at the threshold.
    #[serde(flatten)]
    pub confusion: Confusion,
    /// The threshold with the best F1 on these very pairs, and its F1. Representation is judged by
    /// it; for held-out pairs it is a bound, not a result.
    pub best_threshold: f32,
    /// F1 at the best threshold.
    pub best_f1: f64,
    /// The chance that a pair that is is-a scores higher than one that is not; ties count half.
    pub auc: f64,
    /// The mean precision over the pairs that are is-a, each at its own score.
    pub average_precision: f64,
}

/// How scores did: on the pairs, and among all parents that a child could have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Judgement {
    /// What the pairs alone say.
    #[serde(flatten)]
    pub measures: Measures,
    /// The mean of 1 / rank.
    pub mrr: f64,
    /// The shares of pairs whose rank is at most 1, 3 and 10.
    pub hits: [f64; 3],
}

/// The ranks that [`Judgement::hits`] has shares for.
pub const HITS: [u32; 3] = [1, 3, 10];
