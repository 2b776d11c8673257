//! Writes a model of exact 128-bit codes for WordNet's nouns: `exact_model OUTPUT`.

use std::error::Error;

use binder::Model;
use binder::read::Builtin;
use binder_benches::exact_codes;

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("usage: exact_model OUTPUT")?;
    let nouns = Builtin::WordnetNouns.load();
    let codes = exact_codes(&nouns, 128).ok_or("128 bits are not enough")?;
    Model::new(nouns, codes)?.save(&output)?;
    Ok(())
}
