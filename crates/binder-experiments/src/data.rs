//! The data sets of the paper: from a folder, or from the built-ins with splits drawn on the spot.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use binder::read::Builtin;
use binder::read::{ReadOptions, known_pairs};
use binder::split::{Pair, Split};
use binder::{Hierarchy, Progress};

use crate::Error;
use crate::queue::JobData;
use crate::task::{PERCENTAGES, Task};

/// A data set that is known by name.
#[derive(Debug, PartialEq, Eq)]
pub struct SetInfo {
    /// Its name, which is also the name of its folder.
    pub name: &'static str,
    /// Its name in tables.
    pub title: &'static str,
    /// Its name as a built-in, if it is one.
    builtin: Option<&'static str>,
    /// Its column in the published tables, if it is in them.
    pub(crate) column: Option<usize>,
    /// The most seeds that other methods are run with: their runs take long on large sets.
    pub(crate) method_seeds: u32,
}

/// Every data set, in the order of the published tables.
pub static SETS: [SetInfo; 7] = [
    SetInfo { name: "medical", title: "Medical", builtin: None, column: Some(0), method_seeds: 5 },
    SetInfo { name: "music", title: "Music", builtin: None, column: Some(1), method_seeds: 5 },
    SetInfo {
        name: "animals",
        title: "Animals",
        builtin: Some("wordnet-animals"),
        column: Some(2),
        method_seeds: 5,
    },
    SetInfo {
        name: "shwartz-lex",
        title: "Shwartz Lex",
        builtin: None,
        column: Some(3),
        method_seeds: 5,
    },
    SetInfo {
        name: "shwartz-random",
        title: "Shwartz Random",
        builtin: None,
        column: Some(4),
        method_seeds: 3,
    },
    SetInfo {
        name: "wordnet-nouns",
        title: "WordNet Nouns",
        builtin: Some("wordnet-nouns"),
        column: Some(5),
        method_seeds: 1,
    },
    SetInfo { name: "toy", title: "Toy", builtin: Some("toy"), column: None, method_seeds: 5 },
];

impl SetInfo {
    /// The set of that name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        SETS.iter().find(|set| set.name == name)
    }
}

/// A data set that has been read.
pub(crate) struct DataSet<'a> {
    pub(crate) info: &'static SetInfo,
    pub(crate) hierarchy: Hierarchy,
    /// The folder of its splits; `None` if they are drawn.
    splits: Option<PathBuf>,
    /// Read or drawn when first needed.
    split: OnceCell<Split>,
    progress: &'a dyn Progress,
}

/// The seed of splits drawn on the spot. `binder split` has the same default, so it writes the same
/// splits.
const SPLIT_SEED: u64 = 0;

impl<'a> DataSet<'a> {
    /// Reads a set from `folder`, or from the built-ins. `None` if neither has it.
    pub(crate) fn load(
        info: &'static SetInfo,
        folder: Option<&Path>,
        progress: &'a dyn Progress,
    ) -> Result<Option<Self>, Error> {
        let folder = folder.map(|folder| folder.join(info.name));
        let file = folder.as_deref().and_then(|folder| plain_or_gzipped(folder, "direct"));
        let (hierarchy, splits) =
            match (file, info.builtin.and_then(|name| name.parse::<Builtin>().ok())) {
                (Some(file), _) => {
                    let hierarchy = binder::read(&file, &ReadOptions::default(), progress)?;
                    let splits = folder.map(|folder| folder.join("splits"));
                    (hierarchy, splits.filter(|splits| splits.is_dir()))
                }
                (None, Some(builtin)) => (builtin.load(), None),
                (None, None) => return Ok(None),
            };
        Ok(Some(Self { info, hierarchy, splits, split: OnceCell::new(), progress }))
    }

    /// Its pairs, divided for link prediction.
    pub(crate) fn split(&self) -> Result<&Split, Error> {
        if let Some(split) = self.split.get() {
            return Ok(split);
        }
        let split = match &self.splits {
            Some(folder) => read_split(folder, &self.hierarchy, self.progress)?,
            None => binder::split(&self.hierarchy, &PERCENTAGES, SPLIT_SEED)?,
        };
        Ok(self.split.get_or_init(|| split))
    }

    /// Whether a task is run on a split that is drawn here, while published scores are of another.
    pub(crate) fn is_drawn(&self, task: Task) -> bool {
        task != Task::Representation && self.splits.is_none() && self.info.column.is_some()
    }

    /// The pairs that a task is learnt from.
    pub(crate) fn training(&self, task: Task) -> Result<Vec<Pair>, Error> {
        let Task::LinkPrediction(percentage) = task else {
            return Ok(self.hierarchy.closure().pairs().collect());
        };
        let train = &self.split()?.train;
        let found = train.iter().find(|(share, _)| *share == percentage);
        let (_, pairs) = found.ok_or(binder::split::SplitError::Percentage(percentage))?;
        Ok(pairs.clone())
    }

    /// What the queue must know.
    pub(crate) fn for_jobs(&self) -> JobData<'_> {
        JobData { title: self.info.title, concepts: self.hierarchy.len() }
    }

    /// A fingerprint of everything in the data that a task's result depends on. It tells runs on
    /// different data apart.
    pub(crate) fn fingerprint(&self, task: Task) -> Result<String, Error> {
        if task == Task::Representation {
            return Ok(fingerprint(&self.hierarchy, []));
        }
        let (split, train) = (self.split()?, self.training(task)?);
        let parts = [&train, &split.valid, &split.valid_neg, &split.test, &split.test_neg];
        Ok(fingerprint(&self.hierarchy, parts.map(|pairs| &pairs[..])))
    }
}

/// What a page says of sets whose splits are drawn here; nothing if there are none.
pub(crate) fn drawn_splits(sets: &[&SetInfo]) -> String {
    if sets.is_empty() {
        return String::new();
    }
    let titles: Vec<_> = sets.iter().map(|set| set.title).collect();
    format!(
        "**Binder drew the splits of {} itself: they are not those of the published runs. Scores on \
         them are not to be compared with published ones, and are not marked ✓ or ✗.**\n\n",
        titles.join(", ")
    )
}

/// A fingerprint of the names and pairs of a hierarchy, and of further pairs.
pub(crate) fn fingerprint<const N: usize>(hierarchy: &Hierarchy, further: [&[Pair]; N]) -> String {
    let mut hash = crc32fast::Hasher::new();
    for name in hierarchy.names().texts().iter() {
        hash.update(name.as_bytes());
        hash.update(b"\n");
    }
    let own: Vec<_> = hierarchy.pairs().collect();
    for pairs in std::iter::once(&own[..]).chain(further) {
        hash.update(&(pairs.len() as u64).to_le_bytes());
        for id in pairs.iter().flat_map(|&(child, parent)| [child, parent]) {
            hash.update(&id.to_le_bytes());
        }
    }
    format!("{:08x}", hash.finalize())
}

/// `NAME.tsv` or `NAME.tsv.gz`, if there is one.
fn plain_or_gzipped(folder: &Path, name: &str) -> Option<String> {
    let files = ["tsv", "tsv.gz"].map(|ending| folder.join(format!("{name}.{ending}")));
    files.iter().find(|file| file.is_file()).map(|file| file.display().to_string())
}

fn read_split(
    folder: &Path,
    hierarchy: &Hierarchy,
    progress: &dyn Progress,
) -> Result<Split, Error> {
    let read = |name: &str| -> Result<Vec<Pair>, Error> {
        let missing = || Error::MissingSplit { folder: folder.to_owned(), name: name.to_owned() };
        let file = plain_or_gzipped(folder, name).ok_or_else(missing)?;
        let pairs = known_pairs(&file, &ReadOptions::default(), hierarchy, progress);
        Ok(pairs?)
    };
    let train = PERCENTAGES.map(|share| Ok((share, read(&format!("train_{share}"))?)));
    Ok(Split {
        train: train.into_iter().collect::<Result<_, Error>>()?,
        valid: read("valid")?,
        valid_neg: read("valid_neg")?,
        test: read("test")?,
        test_neg: read("test_neg")?,
    })
}
