//! Prints a random hierarchy as an edge list.
//!
//! `random_dag CONCEPTS [STRANGERS]`: two of five concepts have a second parent. STRANGERS of a
//! thousand second parents are unrelated concepts, 10 by default; the others are relatives.
//!
//! `random_dag CONCEPTS parents=NUMBER`: every concept has NUMBER parents, any that came before.

use std::error::Error;
use std::io::Write;

use binder_benches::{dense_dag, random_dag};

const USAGE: &str = "usage: random_dag CONCEPTS [STRANGERS | parents=NUMBER]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let concepts = args.next().ok_or(USAGE)?.parse()?;
    let second = args.next().unwrap_or_else(|| "10".to_owned());
    let lines = match second.strip_prefix("parents=") {
        Some(parents) => dense_dag(concepts, parents.parse()?, 1),
        None => random_dag(concepts, second.parse()?, 1),
    };
    std::io::stdout().write_all(lines.as_bytes())?;
    Ok(())
}
