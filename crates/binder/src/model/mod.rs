//! A model: concepts and their codes, in memory and as a file.

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

/// Why a model cannot be built, or does not fit the data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The number of codes is not the number of concepts.
    #[error("{codes} codes for {concepts} concepts; there must be one for each")]
    Lengths {
        /// How many concepts there are.
        concepts: usize,
        /// How many codes there are.
        codes: usize,
    },
    /// Some concepts are not in the model.
    #[error("{count} of the concepts in {of} are not in the model, the first is {first:?}")]
    Missing {
        /// How many are missing.
        count: usize,
        /// The list that has them.
        of: String,
        /// The first one.
        first: String,
    },
}

/// A model: the concepts of a hierarchy and a code for each.
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
    /// Everything needed to repeat the run that made the codes, and nothing that varies between
    /// equal runs.
    notes: BTreeMap<String, String>,
}

impl Model {
    /// Puts a hierarchy and its codes together.
    ///
    /// # Errors
    ///
    /// When the number of codes is not the number of concepts.
    pub fn new(hierarchy: impl Into<Arc<Hierarchy>>, codes: Codes) -> Result<Self, ModelError> {
        let hierarchy = hierarchy.into();
        if hierarchy.len() != codes.len() {
            return Err(ModelError::Lengths { concepts: hierarchy.len(), codes: codes.len() });
        }
        Ok(Self { hierarchy, codes, notes: BTreeMap::new() })
    }

    /// The same model with a note: a setting of the run that made it. Do not note times, threads or
    /// hosts, so that equal runs give equal files.
    ///
    /// # Panics
    ///
    /// When the key is one that the file format uses itself: `bits`, `checksum`, `format`,
    /// `format_version`.
    #[must_use]
    pub fn with_note(mut self, key: &str, value: &str) -> Self {
        assert!(!file::OWN_KEYS.contains(&key), "{key} is a key of the file format");
        self.notes.insert(key.to_owned(), value.to_owned());
        self
    }

    /// The same model with all notes of another one added.
    #[must_use]
    pub(crate) fn with_notes_of(mut self, other: &Self) -> Self {
        self.notes.extend(other.notes.clone());
        self
    }

    /// The same model without a note.
    #[must_use]
    pub(crate) fn without_note(mut self, key: &str) -> Self {
        self.notes.remove(key);
        self
    }

    /// The same model with the result of a check of all pairs as notes.
    #[must_use]
    pub fn with_check(self, judged: &Evaluation) -> Self {
        let (pairs, errors) = (judged.confusion.pairs(), judged.confusion.errors());
        self.with_note("pairs_checked", &pairs.to_string()).with_note("errors", &errors.to_string())
    }

    /// Whether the codes are exact, by the note of a check of all pairs of these concepts; `None`
    /// if there was no such check.
    pub fn is_exact(&self) -> Option<bool> {
        let (n, note) = (self.codes.len() as u64, |name| self.notes.get(name));
        let all = (n * n.saturating_sub(1)).to_string();
        note("errors").filter(|_| note("pairs_checked") == Some(&all)).map(|errors| errors == "0")
    }

    /// The concepts, and the direct pairs where they are known.
    pub fn hierarchy(&self) -> &Arc<Hierarchy> {
        &self.hierarchy
    }

    /// The codes, in the order of the concepts' ids.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The notes: settings of the run that made the codes.
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
