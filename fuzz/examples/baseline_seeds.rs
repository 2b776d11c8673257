//! Writes the seeds of the `baseline` and `baseline_checkpoint` targets: `cargo run
//! --manifest-path fuzz/Cargo.toml --example baseline_seeds`.
//!
//! Run it after a change of their formats.

use std::fs;
use std::path::Path;

use binder::Hierarchy;
use binder::train::scoring_negatives;
use binder_baselines::{BaselineParams, Method, Training, Validation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for method in [Method::Oe, Method::ComplEx, Method::GumbelBox, Method::Hec] {
        let (model, checkpoint) = trained(method)?;
        keep("baseline", &method.to_string(), &model)?;
        keep("baseline_checkpoint", &method.to_string(), &checkpoint)?;
        keep("baseline", "cut-off", &model[..model.len() - 10])?;
        keep("baseline_checkpoint", "cut-off", &checkpoint[..checkpoint.len() - 10])?;
    }
    Ok(())
}

/// The model and the checkpoint of three pets after two epochs.
fn trained(method: Method) -> Result<(Vec<u8>, Vec<u8>), Box<dyn std::error::Error>> {
    let pets = Hierarchy::from_pairs([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")])?;
    let params = BaselineParams::of(method).with(|p| (p.dim, p.epochs) = (2, 2)).check()?;
    let positives: Vec<_> = pets.graph().iter().collect();
    let negatives = scoring_negatives(pets.graph(), params.seed);
    let validation = Validation { positives: &positives, negatives: &negatives };
    let mut training = Training::new(pets.graph(), pets.graph(), &params, validation)?;
    while !training.is_over() {
        training.step(&())?;
    }
    let model = training.model(&pets, "direct", "training");
    Ok((model.to_bytes(), training.checkpoint().to_bytes()))
}

fn keep(target: &str, name: &str, bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}
