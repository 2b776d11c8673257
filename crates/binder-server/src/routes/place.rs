use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use binder_answers::Placed;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{SharedState, in_background};
use crate::problem::{Problem, Refusals};

/// How many places are listed unless the request says so.
const TOP: usize = 5;

/// A concept that is not in the hierarchy.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Unseen {
    /// Its name
    #[serde(default)]
    name: String,
    /// What it means, in a sentence
    #[serde(default)]
    definition: String,
    /// How many places to list; default 5
    top: Option<usize>,
}

/// Where a concept belongs that is not in the hierarchy, from its name and definition. Only if the
/// server was given a placer.
#[utoipa::path(post, path = "/v1/place", request_body = Unseen, tag = "questions", responses(
    (status = 200, description = "Its places, with chances", body = Placed),
    Refusals,
))]
pub(crate) async fn place(
    State(shared): SharedState,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<Json<Placed>, Problem> {
    let body = body.map_err(|error| match error.status().as_u16() {
        413 => Problem::too_large(format!("at most {} bytes are allowed", shared.limits.body)),
        _ => Problem::bad_request(error.body_text()),
    })?;
    let Some(placer) = shared.models.placer().cloned() else {
        return Err(Problem::not_found("this server has no placer; start it with one"));
    };
    let unseen: Unseen = serde_json::from_slice(&body).map_err(|error| {
        Problem::bad_request(format!("{error}; send {{\"name\": …, \"definition\": …}}"))
    })?;
    if unseen.name.trim().is_empty() && unseen.definition.trim().is_empty() {
        return Err(Problem::bad_request("give a name, a definition, or both"));
    }
    let top = shared.page(None, Some(unseen.top.unwrap_or(TOP)))?.limit;
    let answer = move || Placed::new(&placer, &unseen.name, &unseen.definition, top);
    Ok(Json(in_background(answer).await?))
}
