use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Model;
use crate::choice::Choice;
use crate::codes::Columns;
use crate::encode::{self, EncodeError, EncodeParams};
use crate::evaluate::{self, Evaluation};
use crate::hierarchy::Hierarchy;
use crate::progress::Progress;

/// A model of exact codes, and what is known about it.
#[derive(Debug)]
pub struct Encoded {
    /// The model.
    pub model: Model,
    /// The result of the check of all pairs.
    pub evaluation: Evaluation,
    /// The codes by columns, for further use.
    pub columns: Columns,
    /// The number of bits that the spanning forest needed.
    pub forest_bits: usize,
    /// A lower bound: exact codes need at least this many bits.
    pub lower_bound: usize,
    /// How long the encoding took.
    pub encoding: Duration,
    /// How long the check took.
    pub checking: Duration,
}

/// Encodes a hierarchy: exact codes in as few bits as the search finds, checked on every pair.
///
/// # Examples
///
/// ```
/// let pets = [
///     ("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog"),
/// ];
/// let model = binder::encode(&binder::Hierarchy::from_pairs(pets)?)?;
/// assert_eq!(model.codes().bits(), 3);
/// assert_eq!(model.is_a("puppy", "animal"), Some(true));
/// assert_eq!(model.notes()["errors"], "0");
/// # Ok::<(), binder::Error>(())
/// ```
///
/// # Errors
///
/// When exact codes would be wider than codes can be.
pub fn encode(hierarchy: &Hierarchy) -> Result<Model, EncodeError> {
    let encoded = encode_with(hierarchy.clone(), &EncodeParams::default(), &())?;
    Ok(encoded.model)
}

/// Encodes a hierarchy with settings and progress; see [`encode()`].
///
/// With a budget of bits, the codes hold for every is-a pair, but there may be false pairs: see
/// [`Encoded::evaluation`].
///
/// # Errors
///
/// When the settings are invalid, when exact codes would be too wide, and when the work is
/// cancelled.
pub fn encode_with(
    hierarchy: impl Into<Arc<Hierarchy>>,
    params: &EncodeParams,
    progress: &dyn Progress,
) -> Result<Encoded, EncodeError> {
    let (hierarchy, started) = (hierarchy.into(), Instant::now());
    let encoding = encode::codes(&hierarchy, params, progress)?;
    let encoded = Instant::now();
    let columns = Columns::new(&encoding.codes);
    let evaluation = evaluate::with_columns(&encoding.codes, &columns, &hierarchy, progress)?;
    let checked = Instant::now();
    if params.most().is_none() && evaluation.confusion.errors() > 0 {
        return Err(EncodeError::NotExact);
    }
    let model = Model::new(hierarchy, encoding.codes).expect("there is a code for each concept");
    let model = model
        .with_note("method", "encode")
        .with_note("effort", params.effort.name())
        .with_note("seed", &params.seed.to_string())
        .with_note("lower_bound", &encoding.lower_bound.to_string())
        .with_check(&evaluation);
    let model = match params.most() {
        Some(bits) => model.with_note("bits_allowed", &bits.to_string()),
        None => model,
    };
    Ok(Encoded {
        model: match params.room {
            0 => model,
            room => model.with_note("room", &room.to_string()),
        },
        evaluation,
        columns,
        forest_bits: encoding.forest_bits,
        lower_bound: encoding.lower_bound,
        encoding: encoded - started,
        checking: checked - encoded,
    })
}
