//! Packs a WordNet `dict` folder into the files that `src/read/builtin` embeds.
//!
//! `scripts/make-builtins` calls it as `make_builtins FOLDER OUTPUT`. It ends with an error unless
//! what was packed comes out as it was read.

use std::error::Error;
use std::path::Path;

use binder::Hierarchy;
use binder::read::ReadOptions;
use binder::read::builtin::{Root, Unpacked, pack_glosses, pack_pairs, pack_senses};

fn main() -> Result<(), Box<dyn Error>> {
    let [folder, output] = <[String; 2]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "usage: make_builtins FOLDER OUTPUT")?;
    let nouns = binder::read(&folder, &ReadOptions::default(), &())?;
    let root = nouns.id("entity.n.01").ok_or("these nouns have no entity.n.01")?;
    let others: Vec<_> = nouns.ids().filter(|&id| id != root).collect();
    let others = nouns.restricted(&others);
    let entity = Root { name: "entity.n.01", lemma: "entity" };
    write(&nouns, &others, Some(&entity), &output, "wordnet-nouns")?;
    let mut options = ReadOptions::default();
    options.verbs = true;
    let verbs = binder::read(&folder, &options, &())?;
    write(&verbs, &verbs, None, &output, "wordnet-verbs")
}

/// Packs `whole`, of which `packed` is the part without the root.
fn write(
    whole: &Hierarchy,
    packed: &Hierarchy,
    root: Option<&Root>,
    output: &str,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let (pairs, senses) = (pack_pairs(packed)?, pack_senses(packed)?);
    let unpacked = Unpacked::pairs(&pairs, root).and_then(|pairs| pairs.with_senses(&senses));
    let unpacked =
        unpacked.and_then(Unpacked::build).ok_or("what was packed cannot be unpacked")?;
    let glosses = pack_glosses(whole, &unpacked);
    let everything = unpacked.with_packed_definitions(glosses.clone());
    let by_name = |hierarchy: &Hierarchy| {
        let mut ids: Vec<_> = hierarchy.ids().collect();
        ids.sort_by_key(|&id| hierarchy.name(id));
        let about = |&id: &u32| {
            let parents = hierarchy.parents(id).iter().map(|&parent| hierarchy.name(parent));
            let synonyms = hierarchy.synonyms(id).map(|synonym| (synonym.text, synonym.rank));
            let mut parents = parents.collect::<Vec<_>>();
            parents.sort_unstable();
            let texts = (hierarchy.label(id), hierarchy.definition(id));
            format!(
                "{} {parents:?} {:?} {texts:?}",
                hierarchy.name(id),
                synonyms.collect::<Vec<_>>()
            )
        };
        ids.iter().map(about).collect::<Vec<_>>()
    };
    if by_name(whole) != by_name(&everything) {
        return Err(format!("{name} does not come out as it was read").into());
    }
    for (ending, bytes) in [("", &pairs), ("-senses", &senses), ("-glosses", &glosses)] {
        std::fs::write(Path::new(output).join(format!("{name}{ending}.zst")), bytes)?;
    }
    Ok(())
}
