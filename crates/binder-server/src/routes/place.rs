use axum::Json;
use axum::extract::State;
use binder_answers::Placed;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{Body, SharedState, in_background, read_body};
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
pub(crate) async fn place(State(shared): SharedState, body: Body) -> Result<Json<Placed>, Problem> {
    let Some(placer) = shared.models.placer().cloned() else {
        return Err(Problem::not_found("this server has no placer; start it with one"));
    };
    let unseen: Unseen = read_body(&shared, body, "{\"name\": …, \"definition\": …}")?;
    if unseen.name.trim().is_empty() && unseen.definition.trim().is_empty() {
        return Err(Problem::bad_request("give a name, a definition, or both"));
    }
    let top = shared.page(None, Some(unseen.top.unwrap_or(TOP)))?.limit;
    let answer = move || Placed::new(&placer, &unseen.name, &unseen.definition, top);
    Ok(Json(in_background(answer).await?))
}
