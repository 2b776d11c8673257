//! Prints a random hierarchy, in which two of five concepts have a second parent, as an edge list:
//! `random_dag CONCEPTS [STRANGERS]`. STRANGERS of a thousand second parents are unrelated
//! concepts.

use std::error::Error;
use std::io::Write;

use binder_benches::random_dag;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let concepts = args.next().ok_or("usage: random_dag CONCEPTS [STRANGERS]")?.parse()?;
    let strangers = args.next().map_or(Ok(10), |strangers| strangers.parse())?;
    std::io::stdout().write_all(random_dag(concepts, strangers, 1).as_bytes())?;
    Ok(())
}
