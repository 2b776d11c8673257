//! Concepts as vectors: where a text lies among them.
//!
//! The vector of a text is the mean of its words' vectors, rare words counting more; that of a
//! concept may also be given. Three signs come of it for each candidate: how near it lies itself,
//! how near the middle of its children lies, and how many of the nearest concepts are its children.

use std::sync::Arc;

use rayon::prelude::*;

use super::encoder::{Encoder, text_of};
use super::lexicon::Lexicon;
use super::senses::first_name;
use super::vectors::{Vectors, unit};
use super::words::{Word, key, without_examples, words};
use crate::bits::{Id, id};
use crate::hierarchy::Hierarchy;
use crate::progress::{Cancelled, Progress};

/// Vectors of words and of concepts, each of which may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Embeddings {
    /// By word: of GloVe, word2vec or others.
    pub words: Option<Vectors>,
    /// By the concept's name: from an encoder of sentences.
    pub concepts: Option<Vectors>,
    /// The encoder that makes them, if that is known.
    pub encoder: Option<Encoding>,
}

/// An encoder, or which one it was.
#[derive(Debug, Clone)]
pub struct Encoding {
    fingerprint: String,
    /// Missing in a placer that was opened, until it is given again.
    encoder: Option<Arc<Encoder>>,
}

impl Encoding {
    pub(super) fn of(encoder: Encoder) -> Self {
        let fingerprint = encoder.fingerprint().to_owned();
        Self { fingerprint, encoder: Some(Arc::new(encoder)) }
    }

    /// An encoder that is not here.
    pub(super) fn elsewhere(fingerprint: &str) -> Self {
        Self { fingerprint: fingerprint.to_owned(), encoder: None }
    }

    /// The [fingerprint](Encoder::fingerprint) of the encoder.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The encoder, if it is here.
    pub fn encoder(&self) -> Option<&Encoder> {
        self.encoder.as_deref()
    }
}

/// Encoders are equal if their fingerprints are.
impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Embeddings {
    /// The same with vectors of words.
    #[must_use]
    pub fn words(self, vectors: Vectors) -> Self {
        let words = vectors.renamed(|word| Some(key(&words(word))).filter(|key| !key.is_empty()));
        Self { words: Some(words), ..self }
    }

    /// The same with vectors of concepts.
    #[must_use]
    pub fn concepts(self, vectors: Vectors) -> Self {
        Self { concepts: Some(vectors), encoder: None, ..self }
    }

    /// The same with an encoder that makes the vectors of concepts, when a placer is fitted, and of
    /// what is asked.
    #[must_use]
    pub fn encoder(self, encoder: Encoder) -> Self {
        Self { concepts: None, encoder: Some(Encoding::of(encoder)), ..self }
    }

    fn encoder_here(&self) -> Option<&Encoder> {
        self.encoder.as_ref().and_then(Encoding::encoder)
    }

    /// The vector that the encoder makes of a name and a definition, if there is an encoder.
    pub(super) fn encoded(&self, name: &str, definition: &str) -> Option<Vec<f32>> {
        let vector = self.encoder_here()?.embed(&text_of(name, definition));
        Some(vector).filter(|vector| !vector.is_empty())
    }

    /// The same with the vectors that the encoder makes of all concepts, if there is one. Concepts
    /// whose names have several lines get none: a placer's file could not keep them.
    pub(super) fn with_concepts(
        self,
        hierarchy: &Hierarchy,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let Some(encoder) = self.encoder_here() else { return Ok(self) };
        let named = |&concept: &Id| !hierarchy.name(concept).contains('\n');
        let concepts: Vec<Id> = hierarchy.ids().filter(named).collect();
        let text = |&concept: &Id| {
            let definition = hierarchy.definition(concept).unwrap_or("");
            text_of(first_name(hierarchy, concept), definition)
        };
        let texts: Vec<String> = concepts.iter().map(text).collect();
        progress.start("encoding texts", Some(texts.len() as u64));
        let mut vectors = Vectors::of_length(encoder.dimension());
        for (&concept, vector) in concepts.iter().zip(encoder.embed_all(&texts, progress)?) {
            if !vector.is_empty() {
                vectors.add(hierarchy.name(concept), &vector);
            }
        }
        Ok(Self { concepts: Some(vectors), ..self })
    }

    /// What the spaces of so many concepts take.
    pub(super) fn bytes(&self, concepts: usize) -> u64 {
        let words = self.words.as_ref().map_or(0, Vectors::dimension);
        let given = self.concepts.as_ref().map(Vectors::dimension);
        let made = self.encoder_here().map(Encoder::dimension);
        let numbers = words.saturating_add(given.or(made).unwrap_or(0));
        // While an encoder works, its vectors are as long as those of a space.
        (2 * size_of::<f32>() as u64).saturating_mul(numbers as u64).saturating_mul(concepts as u64)
    }

    /// The space that the words' vectors make of a hierarchy, and that of the concepts'.
    pub(super) fn spaces(&self, hierarchy: &Hierarchy, lexicon: &Lexicon) -> Spaces {
        let by_words = self.words.as_ref().map(|vectors| {
            Space::new(hierarchy, vectors.dimension(), |concept| {
                let definition = hierarchy.definition(concept).unwrap_or("");
                let mut all = words(first_name(hierarchy, concept));
                all.extend(words(without_examples(definition)));
                of_text(&all, vectors, lexicon)
            })
        });
        let given = self.concepts.as_ref().map(|vectors| {
            let vector = |concept| vectors.get(hierarchy.name(concept));
            Space::new(hierarchy, vectors.dimension(), vector)
        });
        [by_words, given]
    }
}

/// The ways to make vectors of texts: from words, and given.
pub(super) const SPACES: usize = 2;

/// A space for each of them.
pub(super) type Spaces = [Option<Space>; SPACES];

/// The mean of the words' vectors, rare words counting more.
pub(super) fn of_text(text: &[Word], vectors: &Vectors, lexicon: &Lexicon) -> Option<Vec<f32>> {
    let mut sum = vec![0.0; vectors.dimension()];
    for word in text {
        let Some(vector) = vectors.get(&word.text) else { continue };
        let rarity = lexicon.rarity(&word.text);
        sum.iter_mut().zip(&vector).for_each(|(sum, number)| *sum += rarity * number);
    }
    unit(sum)
}

/// The vectors of all concepts.
#[derive(Debug)]
pub(super) struct Space {
    dimension: usize,
    /// A row for each concept, of length 1, or 0 where nothing is known.
    concepts: Vec<f32>,
    /// The middle of each concept's children, in the same way.
    centres: Vec<f32>,
}

impl Space {
    fn new(
        hierarchy: &Hierarchy,
        dimension: usize,
        vector: impl Fn(Id) -> Option<Vec<f32>> + Sync,
    ) -> Self {
        let none = || vec![0.0; dimension];
        let row = |concept: Id| vector(concept).unwrap_or_else(none);
        let concepts: Vec<f32> = hierarchy.ids().into_par_iter().flat_map_iter(row).collect();
        let centre = |concept: Id| {
            let mut sum = none();
            for &child in hierarchy.children(concept) {
                let row = &concepts[child as usize * dimension..][..dimension];
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            unit(sum).unwrap_or_else(none)
        };
        let centres = hierarchy.ids().into_par_iter().flat_map_iter(centre).collect();
        Self { dimension, concepts, centres }
    }

    /// How near a concept lies to a vector, and how near the middle of its children.
    pub(super) fn likeness(&self, concept: Id, vector: &[f32]) -> [f32; 2] {
        let row = |rows: &[f32]| dot(&rows[concept as usize * self.dimension..], vector);
        [row(&self.concepts), row(&self.centres)]
    }

    /// The nearest concepts with a likeness above 0, the nearest first, without some.
    pub(super) fn nearest(&self, vector: &[f32], count: usize, without: &[Id]) -> Vec<(Id, f32)> {
        let mut best: Vec<(Id, f32)> = Vec::with_capacity(count + 1);
        for (concept, row) in self.concepts.chunks_exact(self.dimension).enumerate() {
            let likeness = dot(row, vector);
            let least = if best.len() < count { 0.0 } else { best[count - 1].1 };
            if likeness > least && without.binary_search(&id(concept)).is_err() {
                let at = best.partition_point(|&(_, other)| other >= likeness);
                best.insert(at, (id(concept), likeness));
                best.truncate(count);
            }
        }
        best
    }
}

/// The product of a vector and as many numbers. Sixteen sums, whatever the processor.
fn dot(numbers: &[f32], vector: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    let numbers = &numbers[..vector.len()];
    let (whole, rest) = vector.as_chunks::<16>();
    for (ours, theirs) in numbers.as_chunks::<16>().0.iter().zip(whole) {
        (0..16).for_each(|at| sums[at] += ours[at] * theirs[at]);
    }
    let ours = &numbers[numbers.len() - rest.len()..];
    sums.iter().sum::<f32>() + ours.iter().zip(rest).map(|(a, b)| a * b).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_found_in_order() {
        let toy = Hierarchy::from_pairs([("dog", "animal"), ("cat", "animal")]).unwrap();
        let [animal, dog, cat] = ["animal", "dog", "cat"].map(|name| toy.id(name).unwrap());
        let vector = |concept: Id| match toy.name(concept) {
            "dog" => Some(vec![1.0, 0.0]),
            "cat" => Some(vec![0.6, 0.8]),
            _ => None,
        };
        let space = Space::new(&toy, 2, vector);
        assert_eq!(space.nearest(&[1.0, 0.0], 5, &[]), [(dog, 1.0), (cat, 0.6)]);
        assert_eq!(space.nearest(&[1.0, 0.0], 1, &[dog]), [(cat, 0.6)]);
        let [own, children] = space.likeness(animal, &[1.0, 0.0]);
        assert!(own == 0.0 && (children - 0.894).abs() < 1e-3, "{own} {children}");
    }

    #[test]
    fn products_are_sums() {
        let numbers: Vec<f32> = (0..37).map(|at| at as f32).collect();
        let squares = numbers.iter().map(|number| number * number).sum::<f32>();
        assert!((dot(&numbers, &numbers) - squares).abs() < 0.5);
    }
}
