//! The state of a training run, as a file.
//!
//! A checkpoint is a safetensors file like a model. It holds `codes`, `kept_codes` if an epoch is
//! kept, and the last `scores`. The metadata has the epoch and, under `run.…`, the data and
//! settings that the run started with. The file is replaced atomically: if the process is killed
//! while it saves, the checkpoint before stays.

mod error;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{Difference, ResumeError};

use crate::bits::Id;
use crate::container::{
    self, ContainerError, FileError, Format, Reader, Tensor, missing, read_file,
};
use crate::graph::Graph;
use crate::output::{self, Lock};
use crate::train::{Init, Kept, Score, State, Training, ValidTrainParams, Validation};

/// A checkpoint is needed only while a run lasts, so older versions are not read.
const FORMAT: Format = Format { name: "binder-checkpoint", versions: &["1"], kind: "checkpoint" };

/// The prefix of the metadata keys for the run's data and settings.
const RUN: &str = "run.";

/// A training run at the end of an epoch.
///
/// [`save`](Self::save) writes it, [`open`](Self::open) reads it, and [`Training::resume`]
/// continues from it.
///
/// # Examples
///
/// ```
/// # use binder::{Checkpoint, Hierarchy};
/// # use binder::train::{Recipe, Training, Validation};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pets.checkpoint");
/// let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
/// let params = Recipe::Published.params(true).check(pets.len())?;
/// let mut training = Training::new(pets.graph(), &params, Validation::AllPairs(&pets))?;
/// training.step();
/// training.checkpoint().save(&path)?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// let validation = Validation::AllPairs(&pets);
/// let mut resumed = Training::resume(pets.graph(), &params, validation, checkpoint)?;
/// training.step();
/// resumed.step();
/// assert_eq!(resumed.checkpoint(), training.checkpoint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The data and settings that the run started with; see [`fingerprint`].
    run: BTreeMap<String, String>,
    state: State,
}

impl<'a> Training<'a> {
    /// Continues a run from a checkpoint. The result is the same as without the interruption, bit
    /// for bit.
    ///
    /// # Errors
    ///
    /// When data or settings differ from those that the run started with. Only the number of epochs
    /// may differ, so that a run can be extended.
    pub fn resume(
        pairs: &'a Graph,
        params: &'a ValidTrainParams,
        validation: Validation<'a>,
        checkpoint: Checkpoint,
    ) -> Result<Self, ResumeError> {
        let state = checkpoint.state_for(pairs, params, validation)?;
        Ok(Self::from_state(pairs, params, validation, state)?)
    }

    /// The state of the run, ready to be saved.
    pub fn checkpoint(&self) -> Checkpoint {
        let (pairs, params, validation) = self.begun_with();
        Checkpoint { run: fingerprint(pairs, params, validation), state: self.state().clone() }
    }
}

impl Checkpoint {
    /// The number of epochs that are done.
    pub fn epoch(&self) -> u32 {
        self.state.epoch
    }

    /// The state, if the run has the same data and settings.
    fn state_for(
        self,
        pairs: &Graph,
        params: &ValidTrainParams,
        validation: Validation<'_>,
    ) -> Result<State, ResumeError> {
        let now = fingerprint(pairs, params, validation);
        check_run(&self.run, &now, self.state.epoch, params.epochs)?;
        Ok(self.state)
    }

    /// Opens a checkpoint file and checks everything in it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged checkpoint.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let opened = read_file(path).and_then(|bytes| Self::from_bytes(&bytes));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Writes the checkpoint atomically: a reader of `path` sees either the old file or the new
    /// one.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. An existing file then stays as it is.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        container::save(path, &self.tensors(), self.metadata())
            .map_err(|error| FORMAT.error(path, error))
    }

    /// [`save`](Self::save), and the lock that keeps other runs from the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. The old one, if there is one, stays then.
    pub fn save_locked(&self, path: impl AsRef<Path>) -> Result<Lock, FileError> {
        let path = path.as_ref();
        let bytes = self.to_bytes();
        output::write_locked(path, |file| file.write_all(&bytes))
            .map_err(|error| FORMAT.error(path, error))
    }

    /// The bytes of the checkpoint's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        container::to_bytes(&self.tensors(), self.metadata())
    }

    /// Reads a checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a complete and undamaged checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let reader = Reader::read(bytes, FORMAT)?;
        let (bits, concepts) = (number(&reader, "run.bits")?, number(&reader, "run.concepts")?);
        let codes = reader.codes("codes", bits, concepts)?;
        let codes = codes.ok_or_else(|| missing("codes"))?;
        let epoch = number(&reader, "epoch")?;
        let kept = match reader.codes("kept_codes", bits, concepts)? {
            Some(codes) => {
                let score =
                    Score { f1: number(&reader, "kept_f1")?, loss: number(&reader, "kept_loss")? };
                Some(Kept { epoch: number(&reader, "kept_epoch")?, score, codes })
            }
            None => None,
        };
        if kept.as_ref().is_some_and(|kept| kept.epoch > epoch) {
            return Err(ContainerError::tensor("kept_epoch", "comes after the last epoch"));
        }
        let scores = reader.f64s("scores")?.ok_or_else(|| missing("scores"))?;
        if scores.len() > 2 * number::<u32>(&reader, "run.patience")? as usize {
            return Err(ContainerError::tensor("scores", "more than early stopping uses"));
        }
        let settled = number(&reader, "settled")?;
        let notes = reader.into_metadata().into_iter();
        let run = notes.filter_map(|(key, value)| Some((key.strip_prefix(RUN)?.to_owned(), value)));
        Ok(Self {
            run: run.collect(),
            state: State { epoch, codes, kept, scores: scores.into(), settled },
        })
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        let scores: Vec<f64> = self.state.scores.iter().copied().collect();
        let mut tensors =
            vec![Tensor::codes("codes", &self.state.codes), Tensor::f64s("scores", &scores)];
        tensors
            .extend(self.state.kept.as_ref().map(|kept| Tensor::codes("kept_codes", &kept.codes)));
        tensors
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        let mut metadata: BTreeMap<_, _> =
            self.run.iter().map(|(key, value)| (format!("{RUN}{key}"), value.clone())).collect();
        let mut set = |key: &str, value: String| metadata.insert(key.to_owned(), value);
        set("format", FORMAT.name.to_owned());
        set("format_version", FORMAT.version().to_owned());
        set("epoch", self.state.epoch.to_string());
        set("settled", self.state.settled.to_string());
        if let Some(kept) = &self.state.kept {
            set("kept_epoch", kept.epoch.to_string());
            set("kept_f1", kept.score.f1.to_string());
            set("kept_loss", kept.score.loss.to_string());
        }
        metadata
    }
}

/// A number that the metadata must have.
fn number<N: std::str::FromStr>(
    reader: &Reader<'_>,
    key: &'static str,
) -> Result<N, ContainerError> {
    let text = reader.metadata(key).ok_or_else(|| missing(key))?;
    text.parse().map_err(|_| ContainerError::tensor(key, format!("{text:?} is not a valid value")))
}

/// Everything that must be equal for a run to continue as if it had not been interrupted.
///
/// - The number of epochs is left out: no epoch depends on how many follow, so a run can be
///   extended. Patience is included, because it decides how many scores are kept. All other
///   settings are included too.
/// - Names are left out: ids, pairs and the seed decide the codes. The same pairs with other names
///   give the same codes.
/// - Lists are compared by length and CRC-32. That protects against mistakes, not against attacks.
fn fingerprint(
    pairs: &Graph,
    params: &ValidTrainParams,
    validation: Validation<'_>,
) -> BTreeMap<String, String> {
    let settings = params.notes().into_iter().filter(|(key, _)| *key != "epochs");
    let mut run: BTreeMap<_, _> = settings.map(|(key, value)| (key.to_owned(), value)).collect();
    let mut set = |key: &str, value| run.insert(key.to_owned(), value);
    set("bits", params.bits.to_string());
    set("concepts", pairs.concepts().to_string());
    set("training_pairs", digest(pairs.iter()));
    if let Init::Codes(codes) = &params.init {
        let sum = crc(codes.words().iter().map(|word| word.to_le_bytes()));
        set("init", format!("model {sum}"));
    }
    let scored_on = match validation {
        Validation::Listed { positives, negatives } => {
            format!("{}, {}", digest(positives.iter().copied()), digest(negatives.iter().copied()))
        }
        Validation::AllPairs(hierarchy) => {
            format!("all pairs, after {}", digest(hierarchy.pairs()))
        }
        Validation::Nothing => "nothing".to_owned(),
    };
    set("validation", scored_on);
    run
}

/// The length and checksum of a list of pairs, by which checkpoints know their data.
pub fn digest(pairs: impl Iterator<Item = (Id, Id)> + Clone) -> String {
    let bytes = pairs
        .clone()
        .map(|(child, parent)| (u64::from(child) << 32 | u64::from(parent)).to_le_bytes());
    format!("{} pairs {}", pairs.count(), crc(bytes))
}

fn crc<const N: usize>(words: impl Iterator<Item = [u8; N]>) -> String {
    let mut crc = crc32fast::Hasher::new();
    words.for_each(|word| crc.update(&word));
    format!("({:08x})", crc.finalize())
}

/// Checks that the run which is to continue from a checkpoint is the one that saved it, by their
/// data and settings, and that it asks for no fewer epochs than are done.
///
/// # Errors
///
/// When something differs, or fewer epochs are asked for.
pub fn check_run(
    then: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
    done: u32,
    asked: u32,
) -> Result<(), ResumeError> {
    let differences = differences(then, now);
    if !differences.is_empty() {
        return Err(ResumeError::Differs(differences));
    }
    if done > asked { Err(ResumeError::Past { done, asked }) } else { Ok(()) }
}

/// What has changed between the two.
fn differences(then: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Vec<Difference> {
    let value = |run: &BTreeMap<String, String>, key| {
        run.get(key).map_or("missing", String::as_str).to_owned()
    };
    let mut keys: Vec<&String> = then.keys().chain(now.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let differ = keys.into_iter().filter(|&key| then.get(key) != now.get(key));
    differ
        .map(|key| Difference {
            what: key.replace('_', " "),
            then: value(then, key),
            now: value(now, key),
        })
        .collect()
}
