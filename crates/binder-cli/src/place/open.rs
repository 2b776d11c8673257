use std::path::Path;

use anyhow::Context;
use binder::place::{Encoder, PlaceError, Placer};

use crate::terminal::note;

/// A placer with its encoder, if that is given. If it is not but should be, that is said.
pub(crate) fn open_placer(path: &Path, encoder: Option<&Path>) -> anyhow::Result<Placer> {
    let placer = Placer::open(path)?;
    let Some(folder) = encoder else {
        if placer.lacks_encoder() {
            note(&format!(
                "{} was fitted with an encoder; give its folder with --encoder for better answers",
                path.display()
            ));
        }
        return Ok(placer);
    };
    let encoder = Encoder::open(folder).map_err(PlaceError::from)?;
    let with = placer.with_encoder(encoder).map_err(PlaceError::from);
    with.map_err(binder::Error::from).with_context(|| path.display().to_string())
}
