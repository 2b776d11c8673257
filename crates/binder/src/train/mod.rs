//! The learner of the BINDER paper (Gyurek, Talukder & Al Hasan 2024): randomised local search over
//! bit codes, driven by a discrete gradient.
//!
//! | file | what it holds |
//! |---|---|
//! | `params.rs` | every setting, the recipes that set them together, and the check before any work |
//! | `loss.rs` | the loss and the gradient by definition, with the derivation |
//! | `negatives.rs` | the negatives, drawn or listed, by definition |
//! | `epoch.rs`, `gradient.rs`, `near_misses.rs`, `dense_draws.rs` | fast versions of both, property-tested equal |
//! | `full.rs`, `groups.rs` | what is known without looking while most codes are all ones, or equal |
//! | `refused.rs` | bits that the training pairs forbid to flip, whatever the negatives |
//! | `siblings.rs` | the similarity term, which keeps siblings near each other |
//! | `flip.rs` | the chance that a bit flips |
//! | `monotone.rs` | flips that never miss a training pair |
//! | `run.rs` | the loop over epochs: scoring, early stopping, which epoch is kept |
//! | `scoring.rs` | negatives to score on when there is no validation data |
//! | `sequential.rs` | the procedure of the paper's theorem |

mod dense_draws;
mod epoch;
mod flip;
mod full;
mod gradient;
mod groups;
pub mod loss;
mod monotone;
mod near_misses;
pub mod negatives;
mod params;
mod refused;
mod run;
mod scoring;
pub mod sequential;
mod siblings;

pub use epoch::EpochReport;
#[cfg(test)]
pub(crate) use monotone::chance;
pub use params::{
    Chances, Flips, Init, Keep, ParamError, Recipe, Sampling, TrainParams, ValidTrainParams,
};
pub use run::{EpochLog, Score, Training, Validation, first_codes};
pub(crate) use run::{Kept, State};
pub use scoring::scoring_negatives;
