//! New concepts under old codes: no bit that a concept has is changed.
//!
//! `cargo run --example grow`

#![allow(clippy::print_stdout, reason = "it is a program")]

use binder::{Growth, Hierarchy};

fn main() -> binder::Result<()> {
    let shop = Hierarchy::from_pairs([
        ("laptops", "computers"),
        ("tablets", "computers"),
        ("computers", "electronics"),
        ("phones", "electronics"),
    ])?;
    let model = binder::encode(&shop)?;
    println!("{} concepts of {} bits", model.codes().len(), model.codes().bits());

    let mut growth = Growth::new(&model);
    growth.add("gaming laptops", &["laptops"])?;
    growth.add("phablets", &["tablets", "phones"])?;
    let grown = growth.finish(&())?;

    println!(
        "{} added, {} bits appended, {} pairs wrong",
        grown.added,
        grown.appended_bits,
        grown.evaluation.confusion.errors()
    );
    println!("phablets are phones: {:?}", grown.model.is_a("phablets", "phones"));
    for id in shop.ids() {
        let (old, name) = (model.codes().code(id), shop.name(id));
        let new = grown.model.hierarchy().id(name).map(|id| grown.model.codes().code(id));
        println!("  {name:<12} {old} → {}", new.map_or(String::new(), |code| code.to_string()));
    }
    Ok(())
}
