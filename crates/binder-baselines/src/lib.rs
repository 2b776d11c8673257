//! The vector embeddings that the BINDER paper compares itself with, and Poincaré embeddings.
//!
//! ```
//! use binder::Hierarchy;
//! use binder_baselines::{Baseline, BaselineParams, Method, fit};
//!
//! let toy = Hierarchy::read("toy")?;
//! let params = BaselineParams::of(Method::Oe).with(|params| {
//!     (params.dim, params.epochs) = (16, 200);
//! });
//! let model: Baseline = fit(&toy, &params.check()?, &())?;
//! assert_eq!(model.is_a("dog", "animal"), Some(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ten methods share one trait ([`Embedding`]: derive, score, gradient, chain) and one training
//! loop ([`Training`]). A method is a file of about a hundred lines with its derivation. Scores are
//! judged on listed pairs or on all n² − n pairs ([`evaluate`]). docs/baselines.md has the methods,
//! what tuning found, and results.
//!
//! The same seed gives the same bytes with any number of threads and on any processor.

#![forbid(unsafe_code)]

mod checkpoint;
mod embedding;
mod error;
pub mod evaluate;
mod lanes;
mod loss;
mod method;
mod model;
mod params;
mod random;
mod real;
mod score;
mod stages;
mod threshold;
mod train;

pub use checkpoint::BaselineCheckpoint;
pub use embedding::{Embedding, Shape};
pub use error::{Error, Result};
pub use loss::Loss;
pub use method::Method;
pub use model::Baseline;
pub use params::{BaselineParams, Filter, KeepBy, ValidBaselineParams};
pub use random::Draws;
pub use real::Real;
pub use score::{Scores, Vectors};
pub use threshold::{Threshold, best_threshold};
pub use train::{EpochLog, Training, Validation};

use binder::train::scoring_negatives;
use binder::{Hierarchy, Progress};

/// Trains a method on the direct pairs of a hierarchy, to the end. Epochs are scored on these
/// pairs, with ten random corruptions of each as negatives.
///
/// # Errors
///
/// When there are no pairs, when the numbers grow beyond all bounds, or when the work is cancelled.
pub fn fit(
    hierarchy: &Hierarchy,
    params: &ValidBaselineParams,
    progress: &dyn Progress,
) -> Result<Baseline> {
    let pairs = hierarchy.graph();
    let (positives, negatives): (Vec<_>, _) =
        (pairs.iter().collect(), scoring_negatives(pairs, params.seed));
    let validation = Validation { positives: &positives, negatives: &negatives };
    let mut training = Training::new(pairs, pairs, params, validation)?;
    progress.start("training", Some(params.epochs.into()));
    while !training.is_over() {
        training.step(progress)?;
        progress.advance(1);
    }
    Ok(training.model(hierarchy, "direct", "training"))
}
