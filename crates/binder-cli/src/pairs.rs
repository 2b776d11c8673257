use std::path::Path;

use anyhow::Context;
use binder::read::ReadOptions;
use binder::{Hierarchy, Id};

use crate::progress::Bars;

/// (child, parent) pairs by the ids of their concepts.
pub(crate) type Pairs = Vec<(Id, Id)>;

/// Reads the pairs of a file. All concepts must be known.
pub(crate) fn read_pairs(
    file: &Path,
    options: &ReadOptions,
    concepts: &Hierarchy,
) -> anyhow::Result<Pairs> {
    binder::read::known_pairs(file, options, concepts, &Bars::default()).context("pairs")
}

/// Reads the pairs of two files: those that are is-a and those that are not.
pub(crate) fn read_both(
    positives: &Path,
    negatives: &Path,
    options: &ReadOptions,
    concepts: &Hierarchy,
) -> anyhow::Result<(Pairs, Pairs)> {
    anyhow::ensure!(
        positives != Path::new("-") || negatives != Path::new("-"),
        "both kinds of pairs from standard input; give a file for one"
    );
    Ok((read_pairs(positives, options, concepts)?, read_pairs(negatives, options, concepts)?))
}
