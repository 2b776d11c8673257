//! Texts as vectors, by an encoder of sentences that the user has: a BERT such as MiniLM.
//!
//! ```text
//! "a small dog"    wordpieces    [CLS] a small dog [SEP]            vocab.txt or tokenizer.json
//!                  bert          a vector for each of the five      model.safetensors, config.json
//!                  mean          one vector, of length 1
//! ```
//!
//! The folder is what sentence encoders are published as. Nothing of it comes with Binder, and
//! nothing is fetched. `plain.rs`, in the tests, has the definition in a few lines; `bert.rs` and
//! `linear.rs` compute the same faster. Sums are made in the same order on every machine, for any
//! number of threads and whichever texts are encoded together.

mod bert;
mod config;
mod linear;
mod normal;
#[cfg(test)]
pub(in crate::place) mod tests;
mod weights;
mod wordpieces;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::vectors::unit;
use super::words::without_examples;
use crate::progress::{Cancelled, Progress};

use bert::Bert;
use config::Config;
use weights::Weights;
use wordpieces::Wordpieces;

/// Why an encoder cannot be opened or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncoderError {
    /// A file cannot be read.
    #[error("{}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The settings are not those of a BERT with the mean of its vectors.
    #[error("{}: {problem}", file.display())]
    Config {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The weights are not a safetensors file.
    #[error("{}: not a safetensors file, or cut off: {problem}", file.display())]
    NotSafetensors {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A tensor is missing, or of another shape or type.
    #[error("{}: the tensor {tensor} {problem}", file.display())]
    Tensor {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// What is wrong.
        problem: String,
    },
    /// The vocabulary cannot be used.
    #[error("{}: {problem}", file.display())]
    Vocabulary {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The placer was fitted with another encoder.
    #[error("the placer was fitted with another encoder: {wanted}, and this one is {found}")]
    Other {
        /// The fingerprint of this one.
        found: String,
        /// The fingerprint of the one that it was fitted with.
        wanted: String,
    },
    /// The placer was fitted without an encoder.
    #[error("the placer was fitted without an encoder, so that it cannot use one")]
    NotFitted,
}

/// An encoder of sentences.
pub struct Encoder {
    wordpieces: Wordpieces,
    bert: Bert,
    fingerprint: String,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("fingerprint", &self.fingerprint).finish_non_exhaustive()
    }
}

/// So many texts are encoded at a time by a thread: their rows stay in its cache.
const AT_A_TIME: usize = 16;

impl Encoder {
    /// Opens the folder of an encoder, or its `model.safetensors`. The folder also has
    /// `config.json`, and `vocab.txt` or `tokenizer.json`. It must be a BERT with the GELU of the
    /// error function whose sentence vector is the mean of all tokens' vectors, as those of MiniLM
    /// are; weights are F32, F16 or BF16.
    ///
    /// # Errors
    ///
    /// When a file is missing or cannot be read, or when the encoder is of another kind.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, EncoderError> {
        let path = path.as_ref();
        let folder = match path.is_dir() {
            true => path,
            false => path.parent().unwrap_or(path),
        };
        let file = if path.is_dir() { path.join("model.safetensors") } else { path.to_owned() };
        let config = Config::read(folder)?;
        let wordpieces = Wordpieces::read(folder, config.longest())?;
        let bytes = read(&file)?;
        let mut weights = Weights::new(&file, &bytes)?;
        let bert = Bert::read(&config, wordpieces.len(), &mut weights)?;
        let fingerprint = format!("{:08x}{:08x}", weights.checksum(), wordpieces.checksum());
        Ok(Self { wordpieces, bert, fingerprint })
    }

    /// How many numbers a vector has.
    pub fn dimension(&self) -> usize {
        self.bert.width()
    }

    /// Sixteen digits that tell encoders apart: a checksum of the weights and of the vocabulary.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The vector of a text, of length 1. Words beyond the encoder's limit are not looked at.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        self.bert.run(&[self.wordpieces.of(text)]).pop().and_then(unit).unwrap_or_default()
    }

    /// The vectors of many texts, on all threads.
    ///
    /// # Errors
    ///
    /// When the work is cancelled.
    pub fn embed_all(
        &self,
        texts: &[String],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<f32>>, Cancelled> {
        let some = |texts: &[String]| {
            progress.go_on()?;
            let pieces: Vec<Vec<u32>> = texts.iter().map(|text| self.wordpieces.of(text)).collect();
            let vectors = self.bert.run(&pieces);
            progress.advance(texts.len() as u64);
            Ok(vectors.into_iter().map(|vector| unit(vector).unwrap_or_default()).collect())
        };
        let all: Result<Vec<Vec<Vec<f32>>>, Cancelled> =
            texts.par_chunks(AT_A_TIME).map(some).collect();
        Ok(all?.into_iter().flatten().collect())
    }
}

/// The text of a concept that is encoded.
pub(super) fn text_of(name: &str, definition: &str) -> String {
    let definition = without_examples(definition).trim();
    match (name.trim(), definition) {
        (name, "") => name.to_owned(),
        ("", definition) => definition.to_owned(),
        (name, definition) => format!("{name}: {definition}"),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, EncoderError> {
    std::fs::read(file).map_err(|error| EncoderError::Read { file: file.to_owned(), error })
}
