//! The link-prediction protocol of Ganea, Bécigneul & Hofmann (2018), which the BINDER paper
//! follows.
//!
//! The closure minus the direct pairs are the *indirect* pairs. 5 % of them are the test positives,
//! another 5 % the validation positives. Training set `p` holds all direct pairs and `p` % of all
//! indirect pairs, drawn from the remaining 90 %. Each positive (c, p) of test and validation gets
//! ten negatives: five (c', p) and five (c, p'), drawn uniformly from the pairs that are not in the
//! closure. Where fewer than five exist, all of them are used. For example, there is no (c', p)
//! outside the closure if p is above every other concept.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::bits::{Id, id};
use crate::graph::Rows;
use crate::hierarchy::Hierarchy;
use crate::memory::{self, MemoryError, Stage};
use crate::output;
use crate::progress::{Cancelled, Progress};

/// (child, parent).
pub type Pair = (Id, Id);

/// Why a hierarchy cannot be divided, or why the parts cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A share of the pairs that cannot be drawn.
    #[error("{0} % of the indirect pairs; at most 90 % are left after test and validation")]
    Percentage(u32),
    /// The closure is too large.
    #[error(
        "the closure has {pairs} pairs, more than the {most} that can be divided; divide a part of \
         the hierarchy"
    )]
    TooManyPairs {
        /// The number of pairs in the closure.
        pairs: u64,
        /// The largest number that can be divided.
        most: u64,
    },
    /// The parts would take more memory than they may.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A name with a tab or a line break, which cannot be written to a list of pairs.
    #[error(
        "the name {0:?} has a tab or a line break and cannot be written to a list of pairs; rename \
         the concept"
    )]
    UnwritableName(String),
    /// The folder exists and is not empty.
    #[error("{}: already exists; choose another folder, or remove it", .0.display())]
    Exists(PathBuf),
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// The folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// The number of negatives for each side of each positive.
const NEGATIVES_PER_SIDE: usize = 5;

/// A hierarchy's pairs, divided for link prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Training pairs by percentage of indirect pairs. A larger percentage has all pairs of a
    /// smaller one.
    pub train: Vec<(u32, Vec<Pair>)>,
    /// Validation positives.
    pub valid: Vec<Pair>,
    /// Validation negatives.
    pub valid_neg: Vec<Pair>,
    /// Test positives.
    pub test: Vec<Pair>,
    /// Test negatives.
    pub test_neg: Vec<Pair>,
}

/// The largest closure that is divided, in pairs. With the parts, 100 million pairs take 2 GB.
const MAX_PAIRS: u64 = 100_000_000;

/// Divides the pairs of a hierarchy for link prediction. Each of the `percentages` of all indirect
/// pairs (at most 90) gives one training set. The same seed gives the same split.
///
/// # Errors
///
/// When a percentage is above 90, or when the closure is too large.
///
/// # Examples
///
/// ```
/// let toy = binder::Hierarchy::read("toy")?;
/// let split = binder::split(&toy, &[0, 50], 7)?;
/// assert_eq!(split.test.len(), 1);                       // 5 % of 19 indirect pairs, rounded
/// assert_eq!(split.train[0].1.len(), 14);                // all direct pairs
/// assert_eq!(split.train[1].1.len(), 14 + 10);           // and half of the indirect ones
/// # Ok::<(), binder::Error>(())
/// ```
pub fn split(hierarchy: &Hierarchy, percentages: &[u32], seed: u64) -> Result<Split, SplitError> {
    split_with(hierarchy, percentages, seed, &())
}

/// [`split`] with progress.
///
/// # Errors
///
/// As [`split`], and when `progress` cancels it.
pub fn split_with(
    hierarchy: &Hierarchy,
    percentages: &[u32],
    seed: u64,
    progress: &dyn Progress,
) -> Result<Split, SplitError> {
    check(hierarchy, percentages)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let closure = hierarchy.dag().closure_with(progress)?;
    progress.start("splitting", None);
    let direct: Vec<Pair> = hierarchy.pairs().collect();
    let mut indirect: Vec<Pair> =
        closure.pairs().filter(|pair| direct.binary_search(pair).is_err()).collect();
    let share = |percentage: u32| (indirect.len() * percentage as usize + 50) / 100;
    let (held_out, shares) =
        (share(5), percentages.iter().map(|&p| (p, share(p))).collect::<Vec<_>>());
    indirect.shuffle(&mut rng);
    let (test, rest) = indirect.split_at(held_out);
    let (valid, rest) = rest.split_at(held_out.min(rest.len()));
    let mut train = Vec::with_capacity(shares.len());
    for (percentage, count) in shares {
        progress.go_on()?;
        train.push((percentage, training(&direct, &rest[..count.min(rest.len())])));
    }
    let (test, valid) = (sorted(test), sorted(valid));
    let descendants = closure.transposed();
    let mut negatives =
        |positives: &[Pair]| corruptions(positives, &closure, &descendants, &mut rng, progress);
    Ok(Split { train, valid_neg: negatives(&valid)?, test_neg: negatives(&test)?, valid, test })
}

fn check(hierarchy: &Hierarchy, percentages: &[u32]) -> Result<(), SplitError> {
    if let Some(&percentage) = percentages.iter().find(|&&percentage| percentage > 90) {
        return Err(SplitError::Percentage(percentage));
    }
    let pairs = hierarchy.closure_len();
    if pairs > MAX_PAIRS {
        return Err(SplitError::TooManyPairs { pairs, most: MAX_PAIRS });
    }
    // The closure both ways, the indirect pairs, and a list for every percentage.
    let lists = percentages.iter().map(|&percentage| u64::from(percentage)).sum::<u64>();
    Ok(memory::check(Stage::Split, pairs * 16 + pairs * 8 * lists / 100)?)
}

fn training(direct: &[Pair], indirect: &[Pair]) -> Vec<Pair> {
    sorted(&[direct, indirect].concat())
}

fn sorted(pairs: &[Pair]) -> Vec<Pair> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

/// Negatives for each positive: other children for its parent, then other parents for its child.
fn corruptions(
    positives: &[Pair],
    ancestors: &Rows,
    descendants: &Rows,
    rng: &mut ChaCha8Rng,
    progress: &dyn Progress,
) -> Result<Vec<Pair>, Cancelled> {
    let mut negatives = Vec::with_capacity(positives.len() * 2 * NEGATIVES_PER_SIDE);
    for &(child, parent) in positives {
        progress.go_on()?;
        let children = outside(descendants.row(parent), parent, ancestors.len(), rng);
        negatives.extend(children.into_iter().map(|other| (other, parent)));
        let parents = outside(ancestors.row(child), child, ancestors.len(), rng);
        negatives.extend(parents.into_iter().map(|other| (child, other)));
    }
    Ok(negatives)
}

/// Draws up to five different concepts that are neither in `relatives` (ascending) nor `own`,
/// uniformly.
///
/// Draws positions among the concepts that qualify, then finds the concepts at these positions. So
/// no draw is rejected, however few concepts qualify.
fn outside(relatives: &[Id], own: Id, concepts: usize, rng: &mut ChaCha8Rng) -> Vec<Id> {
    let mut excluded = relatives.to_vec();
    excluded.insert(excluded.partition_point(|&relative| relative < own), own);
    let free = concepts - excluded.len();
    let mut positions: Vec<usize> = Vec::new();
    while positions.len() < NEGATIVES_PER_SIDE.min(free) {
        // Floyd's sampling: each draw has one more position to choose from than the one before. A
        // duplicate is replaced by that new position.
        let last = free - NEGATIVES_PER_SIDE.min(free) + positions.len();
        let drawn = rng.random_range(0..=last);
        positions.push(if positions.contains(&drawn) { last } else { drawn });
    }
    positions.into_iter().map(|position| nth_outside(&excluded, position)).collect()
}

/// The concept at `position` among those not in `excluded` (ascending).
fn nth_outside(excluded: &[Id], position: usize) -> Id {
    // There are excluded[i] - i qualifying concepts below excluded[i]. This number never decreases
    // with i, so binary search finds the place.
    let (mut low, mut high) = (0, excluded.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if excluded[middle] as usize - middle <= position {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    id(position + low)
}

impl Split {
    /// The name of each file, without its extension, and its pairs.
    pub fn files(&self) -> Vec<(String, &[Pair])> {
        let train =
            self.train.iter().map(|(percentage, pairs)| (format!("train_{percentage}"), pairs));
        let held_out = [
            ("valid", &self.valid),
            ("valid_neg", &self.valid_neg),
            ("test", &self.test),
            ("test_neg", &self.test_neg),
        ];
        let held_out = held_out.map(|(name, pairs)| (name.to_owned(), pairs));
        train.chain(held_out).map(|(name, pairs)| (name, pairs.as_slice())).collect()
    }

    /// Writes `train_0.tsv` and so on, `valid.tsv`, `valid_neg.tsv`, `test.tsv` and `test_neg.tsv`
    /// into a new folder, child first. The folder appears complete or not at all.
    ///
    /// # Errors
    ///
    /// When a name has a tab or a line break, when the folder exists and is not empty, or when it
    /// cannot be written.
    pub fn save(&self, hierarchy: &Hierarchy, folder: impl AsRef<Path>) -> Result<(), SplitError> {
        let folder = folder.as_ref();
        let breaks_the_line = |name: &&str| name.contains(['\t', '\r', '\n']);
        if let Some(name) = hierarchy.names().texts().iter().find(breaks_the_line) {
            return Err(SplitError::UnwritableName(name.to_owned()));
        }
        let files = self.files();
        let write = |draft: &Path| {
            files.iter().try_for_each(|(name, pairs)| {
                output::write(draft.join(format!("{name}.tsv")), |file| {
                    write_pairs(file, hierarchy, pairs)
                })
            })
        };
        output::write_folder(folder, write).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::ResourceBusy => {
                SplitError::Exists(folder.to_owned())
            }
            _ => SplitError::Write { path: folder.to_owned(), error },
        })
    }
}

fn write_pairs(file: &mut dyn Write, hierarchy: &Hierarchy, pairs: &[Pair]) -> io::Result<()> {
    pairs.iter().try_for_each(|&(child, parent)| {
        writeln!(file, "{}\t{}", hierarchy.name(child), hierarchy.name(parent))
    })
}
