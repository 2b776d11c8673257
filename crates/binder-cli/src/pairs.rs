use anyhow::Context;
use binder::Hierarchy;
use binder::hierarchy::Id;
use binder::read::{Problem, ReadOptions};

use crate::progress::Bars;

/// The pairs of a file, as ids of concepts that must all be known.
pub(crate) fn read_pairs(
    file: &str,
    options: &ReadOptions,
    concepts: &Hierarchy,
) -> anyhow::Result<Vec<(Id, Id)>> {
    let mut pairs = Vec::new();
    binder::read::for_each_pair(file, options, &Bars::default(), |child, parent| {
        let id = |name: &str| concepts.id(name).ok_or_else(|| Problem::UnknownConcept(name.to_owned()));
        pairs.push((id(child)?, id(parent)?));
        Ok(())
    })
    .context("pairs")?;
    Ok(pairs)
}
