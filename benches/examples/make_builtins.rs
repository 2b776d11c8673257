//! Packs the nouns of a WordNet `dict` folder, without their root, into the file that
//! `src/read/builtin` embeds.
//!
//! `scripts/make-builtins` calls it as `make_builtins FOLDER OUTPUT`.

use std::error::Error;

use binder::read::builtin::pack;

fn main() -> Result<(), Box<dyn Error>> {
    let [folder, output] = <[String; 2]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "usage: make_builtins FOLDER OUTPUT")?;
    let nouns = binder::read(&folder, &Default::default(), &())?;
    let root = nouns.id("entity.n.01").ok_or("these nouns have no entity.n.01")?;
    let others: Vec<_> = nouns.ids().filter(|&id| id != root).collect();
    std::fs::write(output, pack(&nouns.restricted(&others))?)?;
    Ok(())
}
