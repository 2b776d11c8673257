//! Models that a verb asks: opened, or made of data first.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use binder::encode::{Effort, EncodeParams};
use binder::model::Encoded;
use binder::read::ReadOptions;
use binder::{Hierarchy, Index, Model};

use crate::files::check_pairs;
use crate::progress::Bars;
use crate::terminal::{counted, note};

/// Opens a model file, or encodes data: a path, `-` or a built-in. A note says so; nothing is kept.
pub(crate) fn model(source: &Path) -> anyhow::Result<Model> {
    if is_model(source) {
        return Ok(Model::open(source)?);
    }
    Ok(encoded(source, Effort::Normal)?.model)
}

/// The same, ready for questions. All exact codes give the same answers, so the fastest will do.
pub(crate) fn index(source: &Path) -> anyhow::Result<Index> {
    if is_model(source) {
        return Ok(Model::open(source)?.into_index());
    }
    Ok(encoded(source, Effort::Fast)?.into_index())
}

/// The hierarchy of a model file or of data.
pub(crate) fn hierarchy(source: &Path, options: &ReadOptions) -> anyhow::Result<Arc<Hierarchy>> {
    if is_model(source) {
        return Ok(Arc::clone(Model::open(source)?.hierarchy()));
    }
    Ok(Arc::new(binder::read(source, options, &Bars::default())?))
}

fn encoded(source: &Path, effort: Effort) -> anyhow::Result<Encoded> {
    let data = binder::read(source, &Default::default(), &Bars::default())?;
    if let Some(reading) = data.reading() {
        note(&reading.to_string());
    }
    check_pairs(source, &data)?;
    let params = EncodeParams::default().effort(effort);
    let encoded = binder::encode_with(data, &params, &Bars::default())?;
    let (shown, codes) = (source.display(), encoded.model.codes());
    let (concepts, bits) = (counted(codes.len(), "concept"), counted(codes.bits(), "bit"));
    note(&format!(
        "{shown} is data, not a model: encoded {concepts} in {bits} each for now; binder encode \
         {shown} -o MODEL keeps them"
    ));
    Ok(encoded)
}

/// Whether a file looks like a model: eight bytes for a length, then a JSON object.
pub(crate) fn is_model(path: &Path) -> bool {
    let mut head = [0; 9];
    let read = |mut file: File| file.read_exact(&mut head);
    path.is_file() && File::open(path).and_then(read).is_ok() && is_safetensors(&head)
}

/// The length of the header, which is far below 2³², and the JSON that it is: no text begins so, not
/// even `digraph {`.
fn is_safetensors(head: &[u8; 9]) -> bool {
    head[4..8] == [0; 4] && head[8] == b'{'
}
