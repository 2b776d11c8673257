//! Prints a random hierarchy in which two of five concepts have a second parent, as an edge list: `random_dag CONCEPTS`.

use std::error::Error;
use std::io::Write;

use binder_benches::random_dag;

fn main() -> Result<(), Box<dyn Error>> {
    let concepts = std::env::args().nth(1).ok_or("usage: random_dag CONCEPTS")?.parse()?;
    std::io::stdout().write_all(random_dag(concepts, 1).as_bytes())?;
    Ok(())
}
