//! Writing and reading placer files.
//!
//! A placer holds its model, the predictor and the trees. What is counted in the texts is counted
//! again when it is opened, which takes about a second for WordNet; the file stays small.

use std::collections::BTreeMap;
use std::path::Path;

use super::features::FEATURES;
use super::fit::Learnt;
use super::lexicon::Lexicon;
use super::predictor::Predictor;
use super::trees::{Node, Trees};
use super::{Placer, Rooms};
use crate::container::{
    self, ContainerError, FileError, Format, Reader, Tensor, missing, read_file,
};
use crate::model::Model;

pub(super) const FORMAT: Format =
    Format { name: "binder-placer", versions: &["1"], kind: "placer" };

/// The metadata keys that are not notes of the model.
const OWN_KEYS: [&str; 6] =
    ["bits", "checksum", "format", "format_version", "place_scale", "place_temperature"];

/// The level of compression of the weights.
const LEVEL: i32 = 3;

impl Placer {
    /// Opens a placer file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a complete and undamaged placer file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let opened = read_file(path).and_then(|bytes| Self::from_bytes(&bytes));
        opened.map_err(|problem| FORMAT.error(path, problem))
    }

    /// Reads a placer from the bytes of its file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a complete and undamaged placer file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let reader = Reader::read(bytes, FORMAT)?;
        let number = |key: &'static str| {
            let number = reader.metadata(key).and_then(|text| text.parse::<f64>().ok());
            let sound = number.filter(|number| number.is_finite() && *number > 0.0);
            sound.ok_or_else(|| ContainerError::tensor(key, "is not a number above 0"))
        };
        let bits = reader.metadata("bits").and_then(|bits| bits.parse().ok());
        let unknown = "the metadata has no valid number of bits";
        let bits: usize = bits.ok_or_else(|| ContainerError::tensor("codes", unknown))?;
        let (temperature, scale) = (number("place_temperature")?, number("place_scale")?);
        let hierarchy = reader.hierarchy()?;
        let damaged = |damage| ContainerError::tensor("definitions", damage);
        hierarchy.definitions().checked().map_err(damaged)?;
        let codes =
            reader.codes("codes", bits, hierarchy.len())?.ok_or_else(|| missing("codes"))?;
        let predictor = predictor(&reader, bits, scale)?;
        let trees = trees(&reader)?;
        let mut model =
            Model::new(hierarchy, codes).map_err(|error| ContainerError::tensor("codes", error))?;
        for (key, value) in reader.into_metadata() {
            if !OWN_KEYS.contains(&key.as_str()) {
                model = model.with_note(&key, &value);
            }
        }
        let closure = model.hierarchy().checked_closure(&());
        let closure = closure.map_err(|error| ContainerError::tensor("pairs", error))?;
        let lexicon = Lexicon::new(model.hierarchy(), closure, &())
            .map_err(|error| ContainerError::tensor("names", error))?;
        let learnt = Learnt { lexicon, predictor };
        Ok(Self::new(model, learnt, trees, temperature, Rooms::default()))
    }

    /// The bytes of the placer's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        container::to_bytes(&self.tensors(), self.metadata())
    }

    /// Writes the placer file atomically: a reader of `path` sees either the old file or the new
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

    fn metadata(&self) -> BTreeMap<String, String> {
        let mut metadata = self.model.notes().clone();
        let (_, scale, _) = self.learnt.predictor.parts();
        let own = [
            ("bits", self.model.codes().bits().to_string()),
            ("format", FORMAT.name.to_owned()),
            ("format_version", FORMAT.version().to_owned()),
            ("place_scale", scale.to_string()),
            ("place_temperature", self.temperature.to_string()),
        ];
        metadata.extend(own.map(|(key, value)| (key.to_owned(), value)));
        metadata
    }

    fn tensors(&self) -> Vec<Tensor<'_>> {
        let (weights, _, bias) = self.learnt.predictor.parts();
        let weights: Vec<u8> = weights.iter().map(|weight| weight.cast_unsigned()).collect();
        let weights =
            zstd::bulk::compress(&weights, LEVEL).expect("compressing memory does not fail");
        let nodes = &self.trees.nodes;
        let features: Vec<u32> = nodes.iter().map(|node| node.feature).collect();
        let lefts: Vec<u32> = nodes.iter().map(|node| node.left).collect();
        let values: Vec<f32> = nodes.iter().map(|node| node.value).collect();
        let count = vec![nodes.len()];
        let mut tensors = vec![
            Tensor::codes("codes", self.model.codes()),
            Tensor::u8s("place_weights", weights),
            Tensor::f32s("place_bias", vec![bias.len()], bias),
            Tensor::u32s("place_roots", vec![self.trees.roots.len()], &self.trees.roots),
            Tensor::u32s("place_features", count.clone(), &features),
            Tensor::u32s("place_lefts", count.clone(), &lefts),
            Tensor::f32s("place_values", count, &values),
        ];
        tensors.extend(container::hierarchy_tensors(self.model.hierarchy()));
        container::widest_first(&mut tensors);
        tensors
    }
}

fn predictor(reader: &Reader<'_>, bits: usize, scale: f64) -> Result<Predictor, ContainerError> {
    let weights = reader.u8s("place_weights")?.ok_or_else(|| missing("place_weights"))?;
    let unpacked = zstd::bulk::decompress(weights, Predictor::weights_of(bits));
    let unpacked =
        unpacked.map_err(|_| ContainerError::tensor("place_weights", "cannot be unpacked"))?;
    let weights: Vec<i8> = unpacked.iter().map(|weight| weight.cast_signed()).collect();
    let bias = reader.f32s("place_bias", &[bits])?;
    #[expect(clippy::cast_possible_truncation, reason = "written from 32 bits")]
    let predictor = Predictor::from_parts(weights, scale as f32, bias);
    predictor.ok_or_else(|| ContainerError::tensor("place_weights", "do not fit the bits"))
}

fn trees(reader: &Reader<'_>) -> Result<Trees, ContainerError> {
    let numbers = |name: &'static str| reader.u32s(name)?.ok_or_else(|| missing(name));
    let (features, lefts) = (numbers("place_features")?, numbers("place_lefts")?);
    let values = reader.f32s("place_values", &[features.len()])?;
    if lefts.len() != features.len() {
        return Err(ContainerError::tensor("place_lefts", "not one for each node"));
    }
    let nodes = features.iter().zip(&lefts).zip(&values);
    let nodes = nodes.map(|((&feature, &left), &value)| Node { feature, value, left }).collect();
    let trees = Trees { roots: numbers("place_roots")?, nodes };
    match trees.is_sound(FEATURES) {
        true => Ok(trees),
        false => Err(ContainerError::tensor("place_features", "are not trees")),
    }
}
