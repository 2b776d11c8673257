//! Concepts that are added to the models' files while requests are answered.

use std::fmt;
use std::sync::Arc;

/// A concept to add to the file of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addition {
    /// The model, by the name that it is served under.
    pub model: String,
    /// The concept's name.
    pub name: String,
    /// The names of its parents; none where an expression says what it is.
    pub parents: Vec<String>,
    /// What it is instead.
    pub expression: Option<String>,
    /// What it means, if that was said.
    pub definition: Option<String>,
}

/// Adds a concept to a file, or says why that failed.
pub(crate) type Writer = Arc<dyn Fn(&Addition) -> Result<(), String> + Send + Sync>;

/// How concepts are added.
pub(crate) struct Writing {
    pub(crate) writer: Writer,
    /// Held from when the file is written until it is served: the next addition sees this one.
    pub(crate) busy: Arc<tokio::sync::Mutex<()>>,
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").finish_non_exhaustive()
    }
}
