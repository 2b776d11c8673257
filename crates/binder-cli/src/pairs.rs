use std::borrow::Cow;
use std::path::Path;

use anyhow::Context;
use binder::graph::Graph;
use binder::read::ReadOptions;
use binder::{Hierarchy, Id};

use crate::progress::Bars;
use crate::remedy::WrongUse;

/// (child, parent) pairs by the ids of their concepts.
pub(crate) type Pairs = Vec<(Id, Id)>;

/// Reads the pairs of a file. All concepts must be known, and there must be pairs: whatever learns
/// from none or is judged by none succeeds on nothing.
pub(crate) fn read_pairs(
    file: &Path,
    options: &ReadOptions,
    concepts: &Hierarchy,
) -> anyhow::Result<Pairs> {
    let pairs = binder::read::known_pairs(file, options, concepts, &Bars::default());
    let pairs = pairs.context("pairs")?;
    check_some(file, &pairs)?;
    Ok(pairs)
}

/// Refuses a file that has not a single pair.
pub(crate) fn check_some<T>(file: &Path, pairs: &[T]) -> anyhow::Result<()> {
    anyhow::ensure!(
        !pairs.is_empty(),
        "{}: has no pairs; give a file with at least one",
        file.display()
    );
    Ok(())
}

/// The pairs to train on: `direct`, `closure`, or those of a file.
pub(crate) fn training_pairs<'a>(
    on: &str,
    hierarchy: &'a Hierarchy,
) -> anyhow::Result<Cow<'a, Graph>> {
    Ok(match on {
        "direct" => Cow::Borrowed(hierarchy.graph()),
        "closure" => Cow::Owned(hierarchy.closure_graph(&Bars::default())?),
        file => {
            let pairs = read_pairs(Path::new(file), &ReadOptions::default(), hierarchy)?;
            Cow::Owned(Graph::new(hierarchy.len(), pairs))
        }
    })
}

/// Reads the pairs of two files: those that are is-a and those that are not.
pub(crate) fn read_both(
    positives: &Path,
    negatives: &Path,
    options: &ReadOptions,
    concepts: &Hierarchy,
) -> anyhow::Result<(Pairs, Pairs)> {
    WrongUse::unless(
        positives != Path::new("-") || negatives != Path::new("-"),
        "both kinds of pairs from standard input; give a file for one",
    )?;
    Ok((read_pairs(positives, options, concepts)?, read_pairs(negatives, options, concepts)?))
}
