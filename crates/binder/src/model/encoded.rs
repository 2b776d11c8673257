use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Model;
use crate::choice::Choice;
use crate::codes::Columns;
use crate::encode::{self, EncodeError, EncodeParams};
use crate::evaluate::{self, Evaluation};
use crate::hierarchy::Hierarchy;
use crate::progress::Progress;

/// A model that was encoded, and what is known of it.
#[derive(Debug)]
pub struct Encoded {
    /// The model.
    pub model: Model,
    /// What the check of all pairs found.
    pub evaluation: Evaluation,
    /// The codes by columns, to go on with.
    pub columns: Columns,
    /// Bits that the forest alone took.
    pub forest_bits: usize,
    /// Bits that no exact codes can do without.
    pub lower_bound: usize,
    /// How long the encoding took.
    pub encoding: Duration,
    /// How long the check took.
    pub checking: Duration,
}

/// Exact codes for a hierarchy, in as few bits as can be found, checked on every pair.
///
/// # Examples
///
/// ```
/// let pets = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")];
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

/// [`encode()`] with settings and progress. With a budget of bits the codes never miss an is-a, but
/// some pairs may look is-a that are not: see [`Encoded::evaluation`].
///
/// # Errors
///
/// When the settings cannot be, when exact codes would be too wide, and when the work is cancelled.
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
    if params.bits.is_none() && evaluation.confusion.errors() > 0 {
        return Err(EncodeError::NotExact);
    }
    let model = Model::new(hierarchy, encoding.codes).expect("there is a code for each concept");
    let model = model
        .with_note("method", "encode")
        .with_note("effort", params.effort.name())
        .with_note("seed", &params.seed.to_string())
        .with_note("lower_bound", &encoding.lower_bound.to_string())
        .with_check(&evaluation);
    Ok(Encoded {
        model: match params.bits {
            Some(bits) => model.with_note("bits_allowed", &bits.to_string()),
            None => model,
        },
        evaluation,
        columns,
        forest_bits: encoding.forest_bits,
        lower_bound: encoding.lower_bound,
        encoding: encoded - started,
        checking: checked - encoded,
    })
}
