//! The state of a run, as a file.
//!
//! A checkpoint is a safetensors file like a model: `records` (values and the means of Adam),
//! `touched` (which of them a step has moved), `shared`, and what is kept. The metadata has the
//! epoch and, under `run.…`, the data and settings that the run started with.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use binder::checkpoint::{ResumeError, check_run, digest};
use binder::container::{self, ContainerError, FileError, Format, Reader, Tensor};
use binder::evaluate::Confusion;
use binder::graph::Graph;
use binder::output::{self, Lock};

use crate::params::ValidBaselineParams;
use crate::score::Vectors;
use crate::threshold::Threshold;
use crate::train::{Kept, State, Validation};

/// A checkpoint is needed only while a run lasts, so older versions are not read.
const FORMAT: Format = Format {
    name: "binder-baseline-checkpoint",
    versions: &["1"],
    kind: "checkpoint of a baseline",
};

/// The prefix of the metadata keys for the run's data and settings.
const RUN: &str = "run.";

/// A run at the end of an epoch: [`save`](Self::save_locked) writes it, [`open`](Self::open) reads
/// it, and [`Training::resume`](crate::Training::resume) continues from it.
#[derive(Debug, Clone)]
pub struct BaselineCheckpoint {
    run: BTreeMap<String, String>,
    state: State,
}

impl BaselineCheckpoint {
    pub(crate) fn new(run: BTreeMap<String, String>, state: State) -> Self {
        Self { run, state }
    }

    /// The number of epochs that are done.
    pub fn epoch(&self) -> u32 {
        self.state.epoch
    }

    /// The state, if the run has the same data and settings.
    pub(crate) fn state_for(
        self,
        run: &BTreeMap<String, String>,
        params: &ValidBaselineParams,
    ) -> Result<State, ResumeError> {
        check_run(&self.run, run, self.state.epoch, params.epochs)?;
        Ok(self.state)
    }

    /// Opens a checkpoint file and checks everything in it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged checkpoint.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let opened = container::read_file(path).and_then(|bytes| Self::from_bytes(&bytes));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Writes the checkpoint atomically, and gives the file, locked against other runs for as long
    /// as it is kept.
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
        let State { records, touched, shared, width, kept, .. } = &self.state;
        let (concepts, width) = (touched.len(), *width);
        let mut tensors = vec![
            Tensor::f32s("records", vec![concepts, 3 * width], records),
            Tensor::u32s("touched", vec![concepts], touched),
            Tensor::f32s("shared", vec![shared.len()], shared),
        ];
        if let Some(Kept { vectors, .. }) = kept {
            let rows = vec![concepts, width];
            tensors.push(Tensor::f32s("kept_vectors", rows, &vectors.values));
            let shared = vec![vectors.shared.len()];
            tensors.push(Tensor::f32s("kept_shared", shared, &vectors.shared));
        }
        container::to_bytes(&tensors, self.metadata())
    }

    /// Reads a checkpoint from the bytes of its file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a complete and undamaged checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let reader = Reader::read(bytes, FORMAT)?;
        let (concepts, width) = (number(&reader, "concepts")?, number(&reader, "width")?);
        let shared: usize = number(&reader, "shared")?;
        let wide = |times: usize| {
            let numbers = usize::checked_mul(width, times);
            numbers.ok_or_else(|| ContainerError::tensor("width", "is too large"))
        };
        let kept = match number::<u32>(&reader, "kept_epoch")? {
            0 => None,
            epoch => Some(Kept {
                epoch,
                loss: number(&reader, "kept_loss")?,
                threshold: Threshold {
                    at: number(&reader, "kept_threshold")?,
                    confusion: confusion(&reader)?,
                },
                vectors: Vectors {
                    values: reader.f32s("kept_vectors", &[concepts, width])?,
                    shared: reader.f32s("kept_shared", &[shared])?,
                },
            }),
        };
        let touched = reader.u32s("touched")?.filter(|touched| touched.len() == concepts);
        let touched = touched.ok_or_else(|| {
            ContainerError::tensor("touched", "is missing, or does not fit the records")
        })?;
        let state = State {
            epoch: number(&reader, "epoch")?,
            best: (number(&reader, "best_epoch")?, number(&reader, "best_f1")?),
            steps: number(&reader, "steps")?,
            width,
            records: reader.f32s("records", &[concepts, wide(3)?])?,
            touched,
            shared: reader.f32s("shared", &[shared.saturating_mul(3)])?,
            kept,
        };
        let notes = reader.into_metadata().into_iter();
        let run = notes.filter_map(|(key, value)| Some((key.strip_prefix(RUN)?.to_owned(), value)));
        Ok(Self { run: run.collect(), state })
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        let mut metadata: BTreeMap<_, _> =
            self.run.iter().map(|(key, value)| (format!("{RUN}{key}"), value.clone())).collect();
        let mut set = |key: &str, value: String| metadata.insert(key.to_owned(), value);
        let State { epoch, best, steps, width, touched, shared, kept, .. } = &self.state;
        set("format", FORMAT.name.to_owned());
        set("format_version", FORMAT.version().to_owned());
        set("epoch", epoch.to_string());
        set("best_epoch", best.0.to_string());
        set("best_f1", best.1.to_string());
        set("steps", steps.to_string());
        set("concepts", touched.len().to_string());
        set("width", width.to_string());
        set("shared", (shared.len() / 3).to_string());
        set("kept_epoch", kept.as_ref().map_or(0, |kept| kept.epoch).to_string());
        if let Some(Kept { loss, threshold, .. }) = kept {
            let Confusion { tp, fp, false_negatives, tn } = threshold.confusion;
            set("kept_loss", loss.to_string());
            set("kept_threshold", threshold.at.to_string());
            set("kept_counts", format!("{tp} {fp} {false_negatives} {tn}"));
        }
        metadata
    }
}

fn number<N: FromStr>(reader: &Reader<'_>, key: &'static str) -> Result<N, ContainerError> {
    let text = reader.metadata(key).and_then(|text| text.parse().ok());
    text.ok_or_else(|| ContainerError::tensor(key, "is missing or not a number"))
}

fn confusion(reader: &Reader<'_>) -> Result<Confusion, ContainerError> {
    let counts = reader.metadata("kept_counts").unwrap_or_default().split(' ');
    let counts: Option<Vec<u64>> = counts.map(|count| count.parse().ok()).collect();
    match counts.as_deref() {
        Some(&[tp, fp, false_negatives, tn]) => Ok(Confusion { tp, fp, false_negatives, tn }),
        _ => Err(ContainerError::tensor("kept_counts", "is missing or not four numbers")),
    }
}

/// Everything that must be equal for a run to continue as if it had not been interrupted: all
/// settings but the number of epochs, the pairs, and the pairs that it is scored on.
pub(crate) fn fingerprint(
    pairs: &[(binder::Id, binder::Id)],
    avoided: &Graph,
    params: &ValidBaselineParams,
    validation: Validation<'_>,
) -> BTreeMap<String, String> {
    let settings = params.notes().into_iter().filter(|(key, _)| *key != "epochs");
    let mut run: BTreeMap<_, _> = settings.map(|(key, value)| (key.to_owned(), value)).collect();
    let mut set = |key: &str, value| run.insert(key.to_owned(), value);
    set("concepts", avoided.concepts().to_string());
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    set("training_pairs", digest(sorted.iter().copied()));
    set("avoided_pairs", digest(avoided.iter()));
    let (positives, negatives) = (validation.positives, validation.negatives);
    let validation =
        format!("{}, {}", digest(positives.iter().copied()), digest(negatives.iter().copied()));
    set("validation", validation);
    run
}

#[cfg(test)]
mod tests {
    use binder::Hierarchy;
    use binder::train::scoring_negatives;

    use super::*;
    use crate::{BaselineParams, Method, Training};

    fn steps(training: &mut Training<'_>, epochs: u32) {
        for _ in 0..epochs {
            training.step(&()).unwrap();
        }
    }

    /// Runs of every method go on from a file as if nothing had happened.
    #[test]
    fn a_resumed_run_gives_the_same_bytes() {
        let toy = Hierarchy::read("toy").unwrap();
        let (positives, negatives): (Vec<_>, _) =
            (toy.graph().iter().collect(), scoring_negatives(toy.graph(), 0));
        let validation = Validation { positives: &positives, negatives: &negatives };
        for &method in <Method as binder::Choice>::ALL {
            let params = BaselineParams::of(method).with(|params| {
                (params.dim, params.epochs, params.batch, params.pool) = (8, 6, 4, 5);
            });
            let params = params.check().unwrap();
            let begin = || Training::new(toy.graph(), toy.graph(), &params, validation).unwrap();
            let (mut whole, mut half) = (begin(), begin());
            steps(&mut whole, 6);
            steps(&mut half, 3);
            let bytes = half.checkpoint().to_bytes();
            let opened = BaselineCheckpoint::from_bytes(&bytes).unwrap();
            assert_eq!(opened.to_bytes(), bytes);
            let mut resumed =
                Training::resume(toy.graph(), toy.graph(), &params, validation, opened).unwrap();
            steps(&mut resumed, 3);
            let of = |training: &Training<'_>| training.model(&toy, "direct", "training");
            assert_eq!(of(&resumed).to_bytes(), of(&whole).to_bytes(), "{method}");
        }
    }

    #[test]
    fn other_settings_and_damaged_files_are_refused() {
        let toy = Hierarchy::read("toy").unwrap();
        let positives: Vec<_> = toy.graph().iter().collect();
        let validation = Validation { positives: &positives, negatives: &[] };
        let with_dim = |dim| {
            let params = BaselineParams::of(Method::Oe);
            params.with(|params| (params.dim, params.epochs) = (dim, 2)).check().unwrap()
        };
        let params = with_dim(8);
        let mut training = Training::new(toy.graph(), toy.graph(), &params, validation).unwrap();
        training.step(&()).unwrap();
        let (checkpoint, other) = (training.checkpoint(), with_dim(16));
        let resumed =
            Training::resume(toy.graph(), toy.graph(), &other, validation, checkpoint.clone());
        let message = resumed.err().unwrap().to_string();
        assert!(message.contains("dim: 8 then, 16 now"), "{message}");
        let bytes = checkpoint.to_bytes();
        for cut in [0, 8, bytes.len() / 2, bytes.len() - 1] {
            assert!(BaselineCheckpoint::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        let mut damaged = bytes.clone();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(BaselineCheckpoint::from_bytes(&damaged).is_err());
    }
}
