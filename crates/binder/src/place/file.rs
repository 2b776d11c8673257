//! Writing and reading placer files.
//!
//! A placer holds its model, the predictor and the trees. What is counted in the texts is counted
//! again when it is opened, which takes about a second for WordNet; the file stays small.

use std::collections::BTreeMap;
use std::path::Path;

use super::calibration::Calibration;
use super::features::FEATURES;
use super::fit::Learnt;
use super::lexicon::Lexicon;
use super::predictor::Predictor;
use super::space::{Embeddings, Encoding};
use super::trees::{Node, Trees};
use super::vectors::Vectors;
use super::{Placer, estimate};
use crate::container::{
    self, ContainerError, FileError, Format, Reader, Tensor, missing, read_file,
};
use crate::memory::{self, Stage};
use crate::model::Model;

pub(super) const FORMAT: Format =
    Format { name: "binder-placer", versions: &["1"], kind: "placer" };

/// The metadata keys that are not notes of the model.
const OWN_KEYS: [&str; 9] = [
    "bits",
    "checksum",
    "format",
    "format_version",
    "place_encoder",
    "place_offset",
    "place_scale",
    "place_slope",
    "place_temperature",
];

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
            let sound = number.filter(|number| number.is_finite());
            sound.ok_or_else(|| ContainerError::tensor(key, "is not a number"))
        };
        let positive = |key: &'static str| match number(key)? {
            number if number > 0.0 => Ok(number),
            _ => Err(ContainerError::tensor(key, "is not a number above 0")),
        };
        let bits = reader.metadata("bits").and_then(|bits| bits.parse().ok());
        let unknown = "the metadata has no valid number of bits";
        let bits: usize = bits.ok_or_else(|| ContainerError::tensor("codes", unknown))?;
        let scale = positive("place_scale")?;
        let temperature = positive("place_temperature")?;
        // The first placers have no line: their chances are shares of the softmax.
        let calibration = match reader.metadata("place_slope") {
            Some(_) => {
                let (slope, offset) = (positive("place_slope")?, number("place_offset")?);
                Calibration { temperature, slope, offset }
            }
            None => Calibration::of_shares(temperature),
        };
        let hierarchy = reader.hierarchy()?;
        let damaged = |damage| ContainerError::tensor("definitions", damage);
        hierarchy.definitions().checked().map_err(damaged)?;
        let codes =
            reader.codes("codes", bits, hierarchy.len())?.ok_or_else(|| missing("codes"))?;
        let predictor = predictor(&reader, bits, scale)?;
        let trees = trees(&reader)?;
        let embeddings = Embeddings {
            words: vectors(&reader, "place_words", "place_word_vectors")?,
            concepts: vectors(&reader, "place_concepts", "place_concept_vectors")?,
            encoder: reader.metadata("place_encoder").map(Encoding::elsewhere),
        };
        let mut model =
            Model::new(hierarchy, codes).map_err(|error| ContainerError::tensor("codes", error))?;
        for (key, value) in reader.into_metadata() {
            if !OWN_KEYS.contains(&key.as_str()) {
                model = model.with_note(&key, &value);
            }
        }
        memory::check(Stage::Placer, estimate::counting(model.hierarchy()))
            .map_err(|error| ContainerError::tensor("names", error))?;
        let closure = model.hierarchy().checked_closure(&());
        let closure = closure.map_err(|error| ContainerError::tensor("pairs", error))?;
        let lexicon = Lexicon::new(model.hierarchy(), closure, &())
            .map_err(|error| ContainerError::tensor("names", error))?;
        let spaces = embeddings.spaces(model.hierarchy(), &lexicon);
        let learnt = Learnt { lexicon, spaces, predictor };
        Ok(Self::new(model, embeddings, learnt, trees, calibration))
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

    pub(super) fn metadata(&self) -> BTreeMap<String, String> {
        let mut metadata = self.model.notes().clone();
        let (_, scale, _) = self.learnt.predictor.parts();
        let own = [
            ("bits", self.model.codes().bits().to_string()),
            ("format", FORMAT.name.to_owned()),
            ("format_version", FORMAT.version().to_owned()),
            ("place_offset", self.calibration.offset.to_string()),
            ("place_scale", scale.to_string()),
            ("place_slope", self.calibration.slope.to_string()),
            ("place_temperature", self.calibration.temperature.to_string()),
        ];
        metadata.extend(own.map(|(key, value)| (key.to_owned(), value)));
        if let Some(encoding) = &self.embeddings.encoder {
            metadata.insert("place_encoder".to_owned(), encoding.fingerprint().to_owned());
        }
        metadata
    }

    pub(super) fn tensors(&self) -> Vec<Tensor<'_>> {
        let (weights, _, bias) = self.learnt.predictor.parts();
        let weights = packed(&unsigned(weights));
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
        let Embeddings { words, concepts, .. } = &self.embeddings;
        tensors.extend(vector_tensors(words, "place_words", "place_word_vectors"));
        tensors.extend(vector_tensors(concepts, "place_concepts", "place_concept_vectors"));
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

/// The most bytes that the keys of vectors take, and the most that their numbers do.
const MOST_KEYS: usize = 1 << 30;
const MOST_VALUES: usize = 8 << 30;

/// Vectors, if the file has them.
fn vectors(
    reader: &Reader<'_>,
    keys: &'static str,
    values: &'static str,
) -> Result<Option<Vectors>, ContainerError> {
    let Some(packed_keys) = reader.u8s(keys)? else { return Ok(None) };
    let packed_values = reader.u8s(values)?.ok_or_else(|| missing(values))?;
    let unpack = |name: &'static str, packed: &[u8], most: usize| {
        let size = zstd::bulk::Decompressor::upper_bound(packed).filter(|&size| size <= most);
        let unpacked = size.and_then(|size| zstd::bulk::decompress(packed, size).ok());
        unpacked.ok_or_else(|| ContainerError::tensor(name, "cannot be unpacked"))
    };
    let names = String::from_utf8(unpack(keys, packed_keys, MOST_KEYS)?);
    let names = names.map_err(|_| ContainerError::tensor(keys, "are not UTF-8"))?;
    let numbers = unpack(values, packed_values, MOST_VALUES)?;
    let numbers = numbers.iter().map(|value| value.cast_signed()).collect();
    let vectors = Vectors::from_parts(&names, numbers);
    vectors.map(Some).ok_or_else(|| ContainerError::tensor(values, "are not one for each key"))
}

fn vector_tensors(
    vectors: &Option<Vectors>,
    keys: &'static str,
    values: &'static str,
) -> Vec<Tensor<'static>> {
    let tensors = |vectors: &Vectors| {
        let numbers = packed(&unsigned(vectors.values()));
        let names = packed(vectors.keys().join("\n").as_bytes());
        vec![Tensor::u8s(keys, names), Tensor::u8s(values, numbers)]
    };
    vectors.as_ref().map_or_else(Vec::new, tensors)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, LEVEL).expect("compressing memory does not fail")
}

fn unsigned(numbers: &[i8]) -> Vec<u8> {
    numbers.iter().map(|number| number.cast_unsigned()).collect()
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
