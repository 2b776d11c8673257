use super::{Recipe, ValidTrainParams};
use crate::{Codes, Error, Hierarchy, Model};

/// What a model notes of the run that made it, beside the settings.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The recipe that the settings started from.
    pub recipe: Recipe,
    /// What was learnt from: `direct`, `closure`, or a name for listed pairs.
    pub on: &'a str,
    /// What the epochs were scored on: `valid`, `all`, `training` or `nothing`.
    pub scored_on: &'a str,
    /// The epoch that was kept; none where bits were flipped one at a time.
    pub best_epoch: Option<u32>,
}

impl Origin<'_> {
    /// The codes with everything needed to make them again.
    pub fn model(
        &self,
        hierarchy: &Hierarchy,
        params: &ValidTrainParams,
        codes: &Codes,
    ) -> Result<Model, Error> {
        let model = Model::new(hierarchy, codes.clone())?
            .with_note("method", "train")
            .with_note("recipe", self.recipe.name())
            .with_note("on", self.on)
            .with_note("scored_on", self.scored_on);
        let model =
            params.notes().into_iter().fold(model, |model, (key, value)| model.with_note(key, &value));
        Ok(match self.best_epoch {
            Some(epoch) => model.with_note("best_epoch", &epoch.to_string()),
            None => model.with_note("sequential", "true"),
        })
    }
}
