//! Prints a random tree as an edge list.
//!
//! `random_tree CONCEPTS`: each concept hangs under one of the 1,000 before it, or, one in eight,
//! under any.
//!
//! `random_tree CONCEPTS STAR`: a tree like that of all species, about 30 levels deep at a million
//! concepts, with many wide parents and one that has STAR leaves below it.

use std::error::Error;
use std::io::Write;

use binder_benches::{random_tree, wide_tree};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let concepts = args.next().ok_or("usage: random_tree CONCEPTS [STAR]")?.parse()?;
    let lines = match args.next() {
        Some(star) => wide_tree(concepts, star.parse()?, 1),
        None => random_tree(concepts, 1),
    };
    std::io::stdout().write_all(lines.as_bytes())?;
    Ok(())
}
