//! The model file: names, codes and the direct pairs, as a safetensors file that any reader of that format opens.
//!
//! `docs/model-format.md` describes the bytes.

mod error;
mod open;
pub(crate) mod parts;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod write;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{ModelError, ModelProblem};

use crate::evaluate::Evaluation;
use crate::hierarchy::{Hierarchy, Names};
use crate::{Codes, Error};

/// What a model file of ours says in its metadata under `format`.
const FORMAT: &str = "binder";

/// The version of the layout; it changes when a reader of the last one could misread a file.
const VERSION: &str = "1";

/// The metadata keys that are not notes.
const OWN_KEYS: [&str; 4] = ["bits", "checksum", "format", "format_version"];

/// Concepts and a code for each.
///
/// ```
/// # use binder::{Codes, Hierarchy, Model};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pets.safetensors");
/// let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
/// let mut codes = Codes::zeros(3, 2)?;
/// codes.set(pets.id("dog").unwrap(), 0, true);
/// codes.set(pets.id("cat").unwrap(), 1, true);
/// Model::new(&pets, codes)?.with_note("made by", "hand").save(&path)?;
///
/// let model = Model::open(&path)?;
/// assert_eq!(model.is_a("dog", "pet"), Some(true));
/// assert_eq!(model.is_a("dog", "cat"), Some(false));
/// assert_eq!(model.is_a("dog", "fish"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    hierarchy: Hierarchy,
    /// One row per concept of `hierarchy`, in the order of its ids.
    codes: Codes,
    /// Everything needed to repeat the run that made the codes; nothing that varies between equal runs.
    notes: BTreeMap<String, String>,
}

impl Model {
    /// A model of a hierarchy's concepts; there must be one code for each.
    pub fn new(hierarchy: &Hierarchy, codes: Codes) -> Result<Self, Error> {
        if hierarchy.len() != codes.len() {
            return Err(Error::Lengths { concepts: hierarchy.len(), codes: codes.len() });
        }
        Ok(Self { hierarchy: hierarchy.clone(), codes, notes: BTreeMap::new() })
    }

    /// The same model with a note: a setting of the run that made it. Keep times, threads and hosts out of it, so that
    /// equal runs give equal files. Panics on a key that the file itself uses: `bits`, `checksum`, `format`, `format_version`.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: &str) -> Self {
        assert!(!OWN_KEYS.contains(&key), "{key} is a key of the file itself");
        self.notes.insert(key.to_owned(), value.to_owned());
        self
    }

    /// The same model with notes on what a check of all pairs found.
    #[must_use]
    pub fn with_check(self, judged: &Evaluation) -> Self {
        let (pairs, errors) = (judged.confusion.pairs(), judged.confusion.errors());
        self.with_note("pairs_checked", &pairs.to_string()).with_note("errors", &errors.to_string())
    }

    /// Opens a model file. The codes stay in the file, mapped into memory; everything is checked first.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        open::open(path)
    }

    /// A model from the bytes of its file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelProblem> {
        open::read(bytes, None)
    }

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        write::to_bytes(self)
    }

    /// Writes the model file in one step: whoever opens `path` sees the old file or the new.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write::save(self, path)
    }

    /// The concepts, and the direct pairs where they are known.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The codes, in the order of the concepts' ids.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The notes.
    pub fn notes(&self) -> &BTreeMap<String, String> {
        &self.notes
    }

    /// Whether the codes say that `child` is-a `parent`; `None` when a name is not known.
    pub fn is_a(&self, child: &str, parent: &str) -> Option<bool> {
        Some(self.codes.is_a(self.hierarchy.id(child)?, self.hierarchy.id(parent)?))
    }

    /// The codes of the concepts in `wanted`, in that order; `whose` names the list in the error.
    pub fn codes_for(&self, wanted: &Names, whose: &str) -> Result<Codes, Error> {
        let rows: Vec<_> = wanted.texts().iter().map(|name| self.hierarchy.id(name)).collect();
        let missing = || (0..).zip(&rows).filter(|(_, row)| row.is_none()).map(|(id, _)| id);
        match missing().next() {
            Some(first) => Err(Error::Missing {
                count: missing().count(),
                of: whose.to_owned(),
                missing_from: "the model".to_owned(),
                first: wanted.name(first).to_owned(),
            }),
            None => Ok(self.codes.reordered(&rows.into_iter().flatten().collect::<Vec<_>>())),
        }
    }
}
