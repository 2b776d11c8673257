use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use binder::container::{self, ContainerError, FileError, Format, Reader, Tensor};
use binder::evaluate::Confusion;
use binder::hierarchy::Names;
use binder::model::ModelError;
use binder::{Hierarchy, Id};

use crate::method::Method;
use crate::params::{BaselineParams, ValidBaselineParams};
use crate::score::{Scores, Vectors, scores};
use crate::threshold::Threshold;

/// How the files identify themselves.
const FORMAT: Format = Format { name: "binder-baseline", versions: &["1"], kind: "baseline" };

/// A trained baseline: concepts, their vectors, and the score from which a pair is taken to be
/// is-a.
///
/// # Examples
///
/// ```no_run
/// use binder_baselines::Baseline;
/// let model = Baseline::open("oe.safetensors")?;
/// assert_eq!(model.is_a("dog", "animal"), Some(true));
/// let (vectors, numbers) = (model.vectors(), model.numbers());
/// assert_eq!(vectors.len(), model.hierarchy().len() * numbers);
/// # Ok::<(), binder_baselines::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Baseline {
    hierarchy: Arc<Hierarchy>,
    params: ValidBaselineParams,
    /// One row per concept of `hierarchy`, in the order of its ids, as many numbers as `params`
    /// say.
    vectors: Vectors,
    threshold: Threshold,
    /// Everything needed to repeat the run, and nothing that varies between equal runs.
    notes: BTreeMap<String, String>,
}

/// Where a model comes from: what its notes say besides the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The training pairs: `direct`, `closure`, or a name for listed pairs.
    pub(crate) on: &'a str,
    /// The pairs that epochs were scored on.
    pub(crate) scored_on: &'a str,
    /// The epoch that was kept.
    pub(crate) best_epoch: u32,
}

impl Baseline {
    /// A model of trained vectors.
    pub(crate) fn new(
        hierarchy: Arc<Hierarchy>,
        params: ValidBaselineParams,
        vectors: Vectors,
        threshold: Threshold,
        origin: &Origin<'_>,
    ) -> Self {
        let mut notes: BTreeMap<String, String> =
            params.notes().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        notes.insert("on".to_owned(), origin.on.to_owned());
        notes.insert("scored_on".to_owned(), origin.scored_on.to_owned());
        notes.insert("best_epoch".to_owned(), origin.best_epoch.to_string());
        Self { hierarchy, params, vectors, threshold, notes }
    }

    /// The concepts and their direct pairs.
    pub fn hierarchy(&self) -> &Arc<Hierarchy> {
        &self.hierarchy
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.params.method
    }

    /// The settings that a score depends on.
    pub fn params(&self) -> &BaselineParams {
        &self.params
    }

    /// The score from which a pair is taken to be is-a, and how it did where it was chosen.
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// Numbers per concept.
    pub fn numbers(&self) -> usize {
        self.params.numbers()
    }

    /// All rows, one after the other, in the order of ids.
    pub fn vectors(&self) -> &[f32] {
        &self.vectors.values
    }

    /// The numbers that all concepts share.
    pub fn shared(&self) -> &[f32] {
        &self.vectors.shared
    }

    /// The settings of the run that made the vectors.
    pub fn notes(&self) -> &BTreeMap<String, String> {
        &self.notes
    }

    /// The model made ready to score pairs of its concepts.
    pub fn scores(&self) -> Box<dyn Scores> {
        scores(&self.params, &self.vectors)
    }

    /// The model made ready to score pairs of these concepts, by their places in the list; `whose`
    /// names the list in the error.
    ///
    /// # Errors
    ///
    /// When the model does not have all of them.
    pub fn scores_for(&self, wanted: &Names, whose: &str) -> Result<Box<dyn Scores>, ModelError> {
        let rows: Vec<_> = wanted.texts().iter().map(|name| self.hierarchy.id(name)).collect();
        let mut missing = rows.iter().enumerate().filter(|(_, row)| row.is_none());
        if let Some((first, _)) = missing.next() {
            return Err(ModelError::Missing {
                count: 1 + missing.count(),
                of: whose.to_owned(),
                first: wanted.texts().get(first).to_owned(),
            });
        }
        let numbers = self.numbers();
        let row = |concept: Id| &self.vectors.values[concept as usize * numbers..][..numbers];
        let values = rows.into_iter().flatten().flat_map(row).copied().collect();
        Ok(scores(&self.params, &Vectors { values, shared: self.vectors.shared.clone() }))
    }

    /// Whether the model takes `child` to be a `parent`; `None` when a name is not known.
    pub fn is_a(&self, child: &str, parent: &str) -> Option<bool> {
        let pair = (self.hierarchy.id(child)?, self.hierarchy.id(parent)?);
        Some(pair.0 == pair.1 || self.scores().of_pairs(&[pair])[0] >= self.threshold.at)
    }

    /// Opens a model file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged file of a baseline.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let opened = container::read_file(path).and_then(|bytes| Self::from_bytes(&bytes));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Writes the model file atomically.
    ///
    /// # Errors
    ///
    /// When the file cannot be written. An existing file then stays as it is.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        container::save(path, &self.tensors(), self.metadata())
            .map_err(|error| FORMAT.error(path, error))
    }

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        container::to_bytes(&self.tensors(), self.metadata())
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a complete and undamaged file of a baseline.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let reader = Reader::read(bytes, FORMAT)?;
        let settings = |problem: String| ContainerError::tensor("settings", problem);
        let params = BaselineParams::from_notes(|key| reader.metadata(key)).map_err(settings)?;
        let params = params.check().map_err(|error| settings(error.to_string()))?;
        let hierarchy = reader.hierarchy()?;
        let shape = params.shape();
        let values = reader.f32s("vectors", &[hierarchy.len(), shape.learnt])?;
        let shared = reader.f32s("shared", &[shape.shared])?;
        let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
        if !finite(&values) || !finite(&shared) {
            return Err(ContainerError::tensor("vectors", "a number is infinite or none"));
        }
        let threshold = threshold(&reader)?;
        let notes = reader.into_metadata().into_iter();
        let notes = notes.filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())).collect();
        let vectors = Vectors { values, shared };
        Ok(Self { hierarchy: Arc::new(hierarchy), params, vectors, threshold, notes })
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        let rows = vec![self.hierarchy.len(), self.numbers()];
        let mut tensors = container::hierarchy_tensors(&self.hierarchy);
        tensors.push(Tensor::f32s("vectors", rows, &self.vectors.values));
        tensors.push(Tensor::f32s("shared", vec![self.vectors.shared.len()], &self.vectors.shared));
        container::widest_first(&mut tensors);
        tensors
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        let Confusion { tp, fp, false_negatives, tn } = self.threshold.confusion;
        let counts = [tp, fp, false_negatives, tn].map(|count| count.to_string());
        let mut metadata = self.notes.clone();
        let own = [
            ("format", FORMAT.name.to_owned()),
            ("format_version", FORMAT.version().to_owned()),
            ("threshold", self.threshold.at.to_string()),
            ("threshold_counts", counts.join(" ")),
        ];
        metadata.extend(own.map(|(key, value)| (key.to_owned(), value)));
        metadata
    }
}

/// The metadata keys that are not notes.
const OWN_KEYS: [&str; 5] =
    ["checksum", "format", "format_version", "threshold", "threshold_counts"];

fn threshold(reader: &Reader<'_>) -> Result<Threshold, ContainerError> {
    let at = reader.metadata("threshold").and_then(|text| text.parse().ok());
    let at = at.filter(|at: &f32| !at.is_nan());
    let counts = reader.metadata("threshold_counts").unwrap_or_default().split(' ');
    let counts: Option<Vec<u64>> = counts.map(|count| count.parse().ok()).collect();
    match (at, counts.as_deref()) {
        (Some(at), Some(&[tp, fp, false_negatives, tn])) => {
            Ok(Threshold { at, confusion: Confusion { tp, fp, false_negatives, tn } })
        }
        _ => Err(ContainerError::tensor("threshold", "is missing or not a number")),
    }
}
