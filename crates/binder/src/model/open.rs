use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::parts::{Parts, map, missing};
use super::{FORMAT, Model, ModelError, ModelProblem, OWN_KEYS, VERSION};
use crate::hierarchy::{Aliases, Hierarchy, Id, Names, Rows, Texts};

pub(super) fn open(path: &Path) -> Result<Model, ModelError> {
    let map = map(path).map_err(|problem| problem.of(path))?;
    read(&map, Some(&map)).map_err(|problem| problem.of(path))
}

/// A model from the bytes of its file; where they are mapped, the codes stay there.
pub(super) fn read(file: &[u8], map: Option<&Arc<Mmap>>) -> Result<Model, ModelProblem> {
    let parts = Parts::read(file, map, FORMAT, VERSION)?;
    let bits = parts.note("bits").and_then(|bits| bits.parse().ok());
    let bits =
        bits.ok_or_else(|| ModelProblem::tensor("codes", "the metadata does not say how many bits it has"))?;
    let hierarchy = hierarchy(&parts)?;
    let codes = parts.codes("codes", bits, hierarchy.len())?.ok_or_else(|| missing("codes"))?;
    let notes = parts.into_notes().into_iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())).collect();
    Ok(Model { hierarchy, codes, notes })
}

fn hierarchy(parts: &Parts<'_>) -> Result<Hierarchy, ModelProblem> {
    let names = parts.texts("names", "name_offsets")?.ok_or_else(|| missing("names"))?;
    let names = distinct(names, "names")?;
    let n = names.len();
    let pairs = parts.u32s("pairs")?.ok_or_else(|| missing("pairs"))?;
    let (pairs, _) = pairs.as_chunks::<2>();
    if pairs.iter().flatten().any(|&id| id as usize >= n) {
        return Err(ModelProblem::tensor("pairs", "a number that is no concept's"));
    }
    let parents = Rows::from_pairs(n, pairs.iter().map(|&[child, parent]| (child, parent)));
    let labels = parts.texts("labels", "label_offsets")?.unwrap_or_default();
    if !labels.is_empty() && labels.len() != n {
        return Err(ModelProblem::tensor("label_offsets", "not one label for each concept"));
    }
    let aliases = aliases(parts, n)?;
    Hierarchy::from_parts(names, parents, labels, aliases)
        .map_err(|problem| ModelProblem::tensor("pairs", problem))
}

fn aliases(parts: &Parts<'_>, concepts: usize) -> Result<Aliases, ModelProblem> {
    let Some(texts) = parts.texts("aliases", "alias_offsets")? else { return Ok(Aliases::default()) };
    let of = parts.u32s("alias_concepts")?.ok_or_else(|| missing("alias_concepts"))?;
    if of.len() != texts.len() || of.iter().any(|&id| id as usize >= concepts) {
        return Err(ModelProblem::tensor("alias_concepts", "not one concept for each alias"));
    }
    Ok(Aliases::new(distinct(texts, "aliases")?, of))
}

fn distinct(texts: Texts, tensor: &'static str) -> Result<Names, ModelProblem> {
    if Id::try_from(texts.len()).is_err() {
        return Err(ModelProblem::tensor(tensor, "more names than can be numbered"));
    }
    Names::from_distinct(texts)
        .map_err(|id| ModelProblem::tensor(tensor, format!("name {id} is there twice")))
}
