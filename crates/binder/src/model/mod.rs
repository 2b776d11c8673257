//! A model: concepts and a code for each, in memory and as a file.

mod encoded;
mod file;
#[cfg(test)]
pub(crate) mod tests;
mod trained;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use encoded::{Encoded, encode, encode_with};
pub use trained::Origin;

use crate::codes::Codes;
use crate::evaluate::Evaluation;
use crate::hierarchy::{Hierarchy, Names};

/// Why a model cannot be made, or does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Codes for another number of concepts.
    #[error("{codes} codes for {concepts} concepts; there must be one for each")]
    Lengths {
        /// How many concepts there are.
        concepts: usize,
        /// How many codes there are.
        codes: usize,
    },
    /// Concepts that the model does not have.
    #[error("{count} of the concepts in {of} are not in the model, the first is {first:?}")]
    Missing {
        /// How many.
        count: usize,
        /// What has them.
        of: String,
        /// The first of them.
        first: String,
    },
}

/// Concepts and a code for each.
///
/// # Examples
///
/// ```
/// # use binder::{Codes, Hierarchy, Model};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pets.safetensors");
/// let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
/// let mut codes = Codes::zeros(3, 2)?;
/// codes.set(pets.id("dog").unwrap(), 0, true);
/// codes.set(pets.id("cat").unwrap(), 1, true);
/// Model::new(pets, codes)?.with_note("made by", "hand").save(&path)?;
///
/// let model = Model::open(&path)?;
/// assert_eq!(model.is_a("dog", "pet"), Some(true));
/// assert_eq!(model.is_a("dog", "cat"), Some(false));
/// assert_eq!(model.is_a("dog", "fish"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    hierarchy: Arc<Hierarchy>,
    /// One row per concept of `hierarchy`, in the order of its ids.
    codes: Codes,
    /// Everything needed to repeat the run that made the codes; nothing that varies between equal
    /// runs.
    notes: BTreeMap<String, String>,
}

impl Model {
    /// A model of a hierarchy's concepts.
    ///
    /// # Errors
    ///
    /// When there is not one code for each concept.
    pub fn new(hierarchy: impl Into<Arc<Hierarchy>>, codes: Codes) -> Result<Self, ModelError> {
        let hierarchy = hierarchy.into();
        if hierarchy.len() != codes.len() {
            return Err(ModelError::Lengths { concepts: hierarchy.len(), codes: codes.len() });
        }
        Ok(Self { hierarchy, codes, notes: BTreeMap::new() })
    }

    /// The same model with a note: a setting of the run that made it. Keep times, threads and hosts
    /// out of it, so that equal runs give equal files.
    ///
    /// # Panics
    ///
    /// On a key that the file itself uses: `bits`, `checksum`, `format`, `format_version`.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: &str) -> Self {
        assert!(!file::OWN_KEYS.contains(&key), "{key} is a key of the file itself");
        self.notes.insert(key.to_owned(), value.to_owned());
        self
    }

    /// The same model with all notes of another.
    #[must_use]
    pub(crate) fn with_notes_of(mut self, other: &Self) -> Self {
        self.notes.extend(other.notes.clone());
        self
    }

    /// The same model with notes on what a check of all pairs found.
    #[must_use]
    pub fn with_check(self, judged: &Evaluation) -> Self {
        let (pairs, errors) = (judged.confusion.pairs(), judged.confusion.errors());
        self.with_note("pairs_checked", &pairs.to_string()).with_note("errors", &errors.to_string())
    }

    /// The concepts, and the direct pairs where they are known.
    pub fn hierarchy(&self) -> &Arc<Hierarchy> {
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
    ///
    /// # Errors
    ///
    /// When the model does not have all of them.
    pub fn codes_for(&self, wanted: &Names, whose: &str) -> Result<Codes, ModelError> {
        let rows: Vec<_> = wanted.texts().iter().map(|name| self.hierarchy.id(name)).collect();
        let missing = || (0..).zip(&rows).filter(|(_, row)| row.is_none()).map(|(id, _)| id);
        match missing().next() {
            Some(first) => Err(ModelError::Missing {
                count: missing().count(),
                of: whose.to_owned(),
                first: wanted.name(first).to_owned(),
            }),
            None => Ok(self.codes.reordered(&rows.into_iter().flatten().collect::<Vec<_>>())),
        }
    }
}
