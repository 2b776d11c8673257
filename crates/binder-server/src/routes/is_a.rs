use std::borrow::Cow;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use binder_answers::{IsA, ManyIsA};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, SharedState, in_background};
use crate::problem::{Problem, Refusals};

/// Two concepts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TwoConcepts {
    /// The more specific concept
    pub(crate) child: String,
    /// The more general concept
    pub(crate) parent: String,
    /// The model; default: the first
    pub(crate) model: Option<String>,
}

/// Is `child` a `parent`?
#[utoipa::path(get, path = "/v1/is-a", params(TwoConcepts), tag = "questions", responses(
    (status = 200, description = "Yes or no", body = IsA),
    Refusals,
))]
pub(crate) async fn is_a(
    State(shared): SharedState,
    Parameters(two): Parameters<TwoConcepts>,
) -> Result<Json<IsA>, Problem> {
    let (served, child) = shared.concept(two.model.as_deref(), &two.child)?;
    let (_, parent) = shared.concept(two.model.as_deref(), &two.parent)?;
    shared.metrics.pairs(1);
    Ok(Json(IsA::new(&served.index, child, parent)?))
}

/// Many pairs.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Batch<'a> {
    /// (child, parent) pairs by name or alias
    #[serde(borrow)]
    #[schema(value_type = Vec<[String; 2]>)]
    pairs: Vec<[Text<'a>; 2]>,
    /// The model; default: the first
    model: Option<String>,
}

/// A text that is copied only if it has escapes.
#[derive(Debug, Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Is each child a parent? The texts must be complete names or aliases.
#[utoipa::path(post, path = "/v1/is-a", request_body = Batch<'_>, tag = "questions", responses(
    (status = 200, description = "An answer for each pair", body = ManyIsA),
    Refusals,
    (status = 413, description = "Too many pairs", body = Problem, content_type = "application/problem+json"),
))]
pub(crate) async fn is_a_batch(
    State(shared): SharedState,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<Json<ManyIsA>, Problem> {
    let body = body.map_err(|error| match error.status().as_u16() {
        413 => Problem::too_large(format!(
            "at most {} bytes are allowed; send several batches",
            shared.limits.body
        )),
        _ => Problem::bad_request(error.body_text()),
    })?;
    if body.len() < SMALL {
        return answer_batch(&shared, &body).map(Json);
    }
    in_background(move || answer_batch(&shared, &body)).await?.map(Json)
}

/// Bodies up to this size are answered directly, because that is faster than a switch of threads.
const SMALL: usize = 1 << 14;

fn answer_batch(shared: &crate::Shared, body: &[u8]) -> Result<ManyIsA, Problem> {
    let batch: Batch<'_> = serde_json::from_slice(body).map_err(|error| {
        Problem::bad_request(format!("{error}; send {{\"pairs\": [[\"child\", \"parent\"], …]}}"))
    })?;
    if batch.pairs.len() > shared.limits.batch {
        let (sent, most) = (batch.pairs.len(), shared.limits.batch);
        return Err(Problem::too_large(format!(
            "{sent} pairs, but at most {most} are allowed; send several batches"
        )));
    }
    let index = &shared.model(batch.model.as_deref())?.index;
    shared.metrics.pairs(batch.pairs.len());
    Ok(ManyIsA::new(index, batch.pairs.iter().map(|[child, parent]| (&*child.0, &*parent.0))))
}
