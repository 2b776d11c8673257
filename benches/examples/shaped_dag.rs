//! Prints a random hierarchy of a given shape as an edge list.
//!
//! `shaped_dag SHAPE CONCEPTS PARENTS`: SHAPE is preferential, layered or ontology, PARENTS the mean
//! number of parents, such as 1.3.

use std::error::Error;
use std::io::Write;

use binder_benches::shaped_dag;

const USAGE: &str = "usage: shaped_dag preferential|layered|ontology CONCEPTS PARENTS";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or(USAGE);
    let (shape, concepts, parents) = (next()?.parse()?, next()?.parse()?, next()?.parse()?);
    std::io::stdout().write_all(shaped_dag(shape, concepts, parents, 1).as_bytes())?;
    Ok(())
}
