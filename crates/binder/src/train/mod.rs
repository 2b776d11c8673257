//! The learner of the BINDER paper (Gyurek, Talukder & Al Hasan 2024): randomised local search over bit codes, driven by a discrete
//! gradient.
//!
//! `loss.rs` has the loss and the gradient with their derivation; `negatives.rs` draws what is not is-a; `epoch.rs`, with
//! `notes.rs`, `crowd.rs` and `gradient.rs`, does both fast; `flip.rs` decides which bits flip. `closed/`
//! flips so that no training pair is missed, from the codes of `inherit.rs`. `run.rs` goes on from epoch to epoch, and
//! `checkpoint/` keeps where it stands.

mod checkpoint;
mod closed;
mod crowd;
mod epoch;
mod flip;
mod gradient;
mod inherit;
pub mod loss;
mod model;
pub mod negatives;
mod notes;
mod pairs;
mod params;
mod run;
mod scoring;
pub mod sequential;

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointProblem, Difference, ResumeError};
pub use epoch::EpochReport;
pub use model::Origin;
pub use pairs::TrainingPairs;
pub use params::{Flips, Init, Keep, ParamError, Recipe, Sampling, TrainParams, ValidTrainParams};
pub use run::{EpochLog, Score, Training, Validation, first_codes};
pub use scoring::scoring_negatives;
