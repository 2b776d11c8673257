//! Writes the seeds of the `model` target: `cargo run --manifest-path fuzz/Cargo.toml --example
//! model_seeds`.
//!
//! Run it after a change of the model format. The damaged seeds are made from the good ones here.

use std::fs;
use std::path::Path;

use binder::read::{ReadOptions, read_from};
use binder::{Codes, Hierarchy, Model};

const OBO: &str = "format-version: 1.2\n\n[Term]\nid: P:1\nname: Tier\nalt_id: P:9\n\n[Term]\n\
    id: P:2\nname: dog\nis_a: P:1\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pets = Hierarchy::from_pairs([
        ("cat", "pet"),
        ("dog", "pet"),
        ("puppy", "dog"),
        ("pet", "animal"),
    ])?;
    let labelled = read_from(OBO.as_bytes(), "pets.obo", &ReadOptions::default(), &())?;
    let pets = model(pets, 3)?.with_note("made by", "hand").to_bytes();
    let mut changed = pets.clone();
    *changed.last_mut().ok_or("a model is not empty")? ^= 1;
    keep("pets", &pets)?;
    keep("labels-and-aliases", &model(labelled, 70)?.to_bytes())?;
    keep("empty", &model(Hierarchy::default(), 1)?.to_bytes())?;
    keep("cut-off", &pets[..pets.len() - 10])?;
    keep("only-a-length", &pets[..8])?;
    keep("changed-byte", &changed)
}

/// A model in which concept `i` has the bits of the number `i`.
fn model(hierarchy: Hierarchy, bits: usize) -> Result<Model, binder::Error> {
    let mut codes = Codes::zeros(hierarchy.len(), bits)?;
    for id in hierarchy.ids() {
        (0..bits.min(32)).for_each(|bit| codes.set(id, bit, id >> bit & 1 == 1));
    }
    Ok(Model::new(hierarchy, codes)?)
}

fn keep(name: &str, bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/model");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}
