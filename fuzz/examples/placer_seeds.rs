//! Writes the seeds of the `placer` target: `cargo run --manifest-path fuzz/Cargo.toml --example
//! placer_seeds`.
//!
//! Run it after a change of the placer's format.

use std::fs;
use std::path::Path;

use binder::place::{PlaceParams, Placer};
use binder::read::{Format, ReadOptions, read_from};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = ReadOptions::default();
    options.format = Some(Format::Csv);
    let coloured = read_from(coloured_things().as_bytes(), "things.csv", &options, &())?;
    let model = binder::encode(&coloured)?;
    let params = PlaceParams::default().hidden(20).trees(1);
    let placer = Placer::fit(model, &params, &())?.to_bytes();
    let mut changed = placer.clone();
    *changed.last_mut().ok_or("a placer is not empty")? ^= 1;
    keep("coloured-things", &placer)?;
    keep("changed-byte", &changed)?;
    keep("cut-off", &placer[..placer.len() - 10])
}

/// Two kinds of things in as many colours as a placer needs leaves to learn from.
fn coloured_things() -> String {
    let mut table = "id,parent,label\nthing,,thing\ncup,thing,cup\nhat,thing,hat\n".to_owned();
    for colour in 0..100 {
        for kind in ["cup", "hat"] {
            table.push_str(&format!("{kind}{colour},{kind},c{colour} {kind}\n"));
        }
    }
    table
}

fn keep(name: &str, bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/placer");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}
