//! Questions to a model: is-a, who is below, what concepts have in common, and why.
//!
//! `cargo run --example ask`

#![allow(clippy::print_stdout, reason = "it is a program")]

use binder::read::Builtin;

fn main() -> binder::Result<()> {
    let index = binder::encode(&Builtin::WordnetAnimals.load())?.into_index();

    let whale_is_fish = index.is_a("whale.n.02", "fish.n.01")?;
    println!("is a whale a fish? {whale_is_fish}");

    let kinds = index.hyponyms("whale.n.02")?;
    println!("kinds of whale: {}", kinds.len());
    for id in kinds.iter().take(3) {
        println!("  {}", index.name(id));
    }

    for concept in index.join(["whale.n.02", "cat.n.01"])?.nearest_above() {
        println!("a whale and a cat are both: {}", concept.name());
    }

    // Both at once: `&` is the meet, `|` the join, `!` the complement.
    let hunting_dogs = index.evaluate("hunting_dog.n.01 & !cat.n.01")?;
    println!("a hunting dog that shares no bit with cats: {} concepts", hunting_dogs.below.len());

    let why = index.explain("whale.n.02", "fish.n.01")?;
    for reason in why.missing.iter().take(1) {
        let owners: Vec<_> = reason.from.iter().map(|&id| index.name(id)).collect();
        println!("a whale lacks bit {}, which a fish has from {}", reason.bit, owners.join(", "));
    }
    Ok(())
}
