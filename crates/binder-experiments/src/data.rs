//! The data sets of the paper: from a folder, or from the built-ins with splits drawn on the spot.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use binder::Hierarchy;
use binder::builtin::Builtin;
use binder::read::ReadOptions;
use binder::split::{Pair, Split};

use crate::output::note;
use crate::pairs::read_pairs;
use crate::progress::Bars;

/// A data set, known by name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SetInfo {
    /// Its folder, and its name on the command line.
    pub(crate) name: &'static str,
    /// Its name in tables.
    pub(crate) title: &'static str,
    /// Where it is built in.
    builtin: Option<&'static str>,
    /// Its column in the published tables.
    pub(crate) column: Option<usize>,
}

/// Every data set, in the order of the published tables.
pub(crate) const SETS: [SetInfo; 7] = [
    SetInfo { name: "medical", title: "Medical", builtin: None, column: Some(0) },
    SetInfo { name: "music", title: "Music", builtin: None, column: Some(1) },
    SetInfo { name: "animals", title: "Animals", builtin: Some("wordnet-animals"), column: Some(2) },
    SetInfo { name: "shwartz-lex", title: "Shwartz Lex", builtin: None, column: Some(3) },
    SetInfo { name: "shwartz-random", title: "Shwartz Random", builtin: None, column: Some(4) },
    SetInfo {
        name: "wordnet-nouns",
        title: "WordNet Nouns",
        builtin: Some("wordnet-nouns"),
        column: Some(5),
    },
    SetInfo { name: "toy", title: "Toy", builtin: Some("toy"), column: None },
];

impl SetInfo {
    /// The set of that name, which must be in [`SETS`].
    pub(crate) fn by_name(name: &str) -> &'static Self {
        SETS.iter().find(|set| set.name == name).unwrap_or(&SETS[6])
    }
}

/// What codes are learnt for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Learn from the closure, judge all pairs.
    Representation,
    /// Learn from the direct pairs and so many percent of the indirect ones, judge held-out pairs.
    LinkPrediction(u32),
}

/// The shares of indirect pairs that the paper trains on.
pub(crate) const PERCENTAGES: [u32; 4] = [0, 10, 25, 50];

impl Task {
    /// In tables of finished runs.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Representation => "representation".to_owned(),
            Self::LinkPrediction(percentage) => format!("tc-{percentage}"),
        }
    }

    /// For people.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Representation => "Representation".to_owned(),
            Self::LinkPrediction(percentage) => format!("Link prediction, {percentage} % of indirect pairs"),
        }
    }
}

/// A data set that has been read.
#[derive(Debug)]
pub(crate) struct DataSet {
    pub(crate) info: &'static SetInfo,
    pub(crate) hierarchy: Hierarchy,
    /// The folder of its splits; none where they are drawn.
    splits: Option<PathBuf>,
    split: OnceCell<Split>,
}

/// The seed of splits drawn on the spot: that of `binder split`, which so writes the very same.
const SPLIT_SEED: u64 = 0;

impl DataSet {
    /// Reads a set from `folder`, or from the built-ins; nothing where neither has it.
    pub(crate) fn load(info: &'static SetInfo, folder: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let folder = folder.map(|folder| folder.join(info.name));
        let file = folder.as_deref().and_then(|folder| packed_or_not(folder, "direct"));
        let (hierarchy, splits) = match (file, info.builtin.and_then(Builtin::by_name)) {
            (Some(file), _) => {
                let hierarchy = binder::read(&file, &ReadOptions::default(), &Bars::default())?;
                (hierarchy, folder.map(|folder| folder.join("splits")).filter(|splits| splits.is_dir()))
            }
            (None, Some(builtin)) => (builtin.load(), None),
            (None, None) => return Ok(None),
        };
        Ok(Some(Self { info, hierarchy, splits, split: OnceCell::new() }))
    }

    /// Its pairs, divided for link prediction.
    pub(crate) fn split(&self) -> anyhow::Result<&Split> {
        if let Some(split) = self.split.get() {
            return Ok(split);
        }
        let split = match &self.splits {
            Some(folder) => read_split(folder, &self.hierarchy)?,
            None => binder::split::split(&self.hierarchy, &PERCENTAGES, SPLIT_SEED)?,
        };
        Ok(self.split.get_or_init(|| split))
    }

    /// Says where splits are drawn although scores will stand beside published ones.
    pub(crate) fn says_where_from(&self) {
        if self.splits.is_none() && self.info.column.is_some() {
            note(&format!("{}: its splits are drawn here, not those of the published runs", self.info.name));
        }
    }

    /// The pairs to learn a task from.
    pub(crate) fn training(&self, task: Task) -> anyhow::Result<Vec<Pair>> {
        let Task::LinkPrediction(percentage) = task else {
            return Ok(self.hierarchy.closure().pairs().collect());
        };
        let train = &self.split()?.train;
        let found = train.iter().find(|(share, _)| *share == percentage);
        found.map(|(_, pairs)| pairs.clone()).ok_or_else(|| anyhow::anyhow!("no split with {percentage} %"))
    }

    /// A fingerprint of all that a task's result depends on, so that other data do not pass for these.
    pub(crate) fn fingerprint(&self, task: Task) -> anyhow::Result<String> {
        let mut hash = crc32fast::Hasher::new();
        for name in self.hierarchy.names().texts().iter() {
            hash.update(name.as_bytes());
            hash.update(b"\n");
        }
        let mut add = |pairs: &[Pair]| {
            hash.update(&(pairs.len() as u64).to_le_bytes());
            pairs
                .iter()
                .flat_map(|&(child, parent)| [child, parent])
                .for_each(|id| hash.update(&id.to_le_bytes()));
        };
        add(&self.hierarchy.pairs().collect::<Vec<_>>());
        if task != Task::Representation {
            let split = self.split()?;
            add(&self.training(task)?);
            [&split.valid, &split.valid_neg, &split.test, &split.test_neg]
                .into_iter()
                .for_each(|pairs| add(pairs));
        }
        Ok(format!("{:08x}", hash.finalize()))
    }
}

/// `NAME.tsv` or `NAME.tsv.gz`, if there.
fn packed_or_not(folder: &Path, name: &str) -> Option<String> {
    let files = ["tsv", "tsv.gz"].map(|ending| folder.join(format!("{name}.{ending}")));
    files.iter().find(|file| file.is_file()).map(|file| file.display().to_string())
}

fn read_split(folder: &Path, hierarchy: &Hierarchy) -> anyhow::Result<Split> {
    let read = |name: &str| {
        let file = packed_or_not(folder, name)
            .ok_or_else(|| anyhow::anyhow!("{}: has no {name}.tsv or {name}.tsv.gz", folder.display()))?;
        read_pairs(&file, &ReadOptions::default(), hierarchy)
    };
    let train = PERCENTAGES.into_iter().map(|share| anyhow::Ok((share, read(&format!("train_{share}"))?)));
    Ok(Split {
        train: train.collect::<anyhow::Result<_>>()?,
        valid: read("valid")?,
        valid_neg: read("valid_neg")?,
        test: read("test")?,
        test_neg: read("test_neg")?,
    })
}
