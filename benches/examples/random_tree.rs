//! Prints a random tree as an edge list: `random_tree CONCEPTS`.

use std::error::Error;
use std::io::Write;

use binder_benches::random_tree;

fn main() -> Result<(), Box<dyn Error>> {
    let concepts = std::env::args().nth(1).ok_or("usage: random_tree CONCEPTS")?.parse()?;
    std::io::stdout().write_all(random_tree(concepts, 1).as_bytes())?;
    Ok(())
}
