//! Writes the seeds of the `checkpoint` target: `cargo run --manifest-path fuzz/Cargo.toml
//! --example checkpoint_seeds`.
//!
//! Run it after a change of the checkpoint's format.

use std::fs;
use std::path::Path;

use binder::Hierarchy;
use binder::train::{Keep, Recipe, Training, Validation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let begun = after(0, Keep::F1)?;
    keep("begun", &begun)?;
    keep("an-epoch-kept", &after(4, Keep::F1)?)?;
    keep("no-epoch-kept", &after(4, Keep::Last)?)?;
    keep("cut-off", &begun[..begun.len() - 10])
}

/// The checkpoint of four pets after the given number of epochs, as bytes.
fn after(epochs: u32, keep: Keep) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let pets = Hierarchy::from_pairs([("cat", "pet"), ("dog", "pet"), ("puppy", "dog")])?;
    let params =
        Recipe::Published.params(true).with(|p| (p.bits, p.patience, p.keep) = (5, 3, keep));
    let params = params.check(pets.len())?;
    let mut training = Training::new(pets.graph(), &params, Validation::AllPairs(&pets))?;
    for _ in 0..epochs {
        training.step();
    }
    Ok(training.checkpoint().to_bytes())
}

fn keep(name: &str, bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/checkpoint");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}
