use std::sync::Arc;

use super::{Model, ModelError};
use crate::choice::Choice;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;
use crate::train::{Recipe, ValidTrainParams};

/// Where a trained model comes from: what its notes say besides the settings.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The recipe that the settings started from.
    pub recipe: Recipe,
    /// The training pairs: `direct`, `closure`, or a name for listed pairs.
    pub on: &'a str,
    /// The pairs that epochs were scored on: `valid`, `all`, `training` or `nothing`.
    pub scored_on: &'a str,
    /// The epoch that was kept; `None` if bits were flipped one at a time.
    pub best_epoch: Option<u32>,
}

impl Model {
    /// A model of trained codes, with everything needed to repeat the run as notes.
    ///
    /// # Errors
    ///
    /// When the number of codes is not the number of concepts.
    pub fn trained(
        hierarchy: impl Into<Arc<Hierarchy>>,
        codes: Codes,
        params: &ValidTrainParams,
        origin: &Origin<'_>,
    ) -> Result<Self, ModelError> {
        let model = Self::new(hierarchy, codes)?
            .with_note("method", "train")
            .with_note("recipe", origin.recipe.name())
            .with_note("on", origin.on)
            .with_note("scored_on", origin.scored_on);
        let notes = params.notes().into_iter();
        let model = notes.fold(model, |model, (key, value)| model.with_note(key, &value));
        Ok(match origin.best_epoch {
            Some(epoch) => model.with_note("best_epoch", &epoch.to_string()),
            None => model.with_note("sequential", "true"),
        })
    }
}
