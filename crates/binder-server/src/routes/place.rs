use axum::extract::State;
use binder_answers::Placed;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{Asking, Body, SharedState, read_body};
use super::reply::{Answer, Wants};
use crate::problem::{Problem, Refusals};

/// How many places are listed unless the request says so.
const TOP: usize = 5;

/// A concept that is not in the hierarchy.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Unseen {
    /// Its name
    #[serde(default)]
    #[schema(example = "labradoodle")]
    name: String,
    /// What it means, in a sentence
    #[serde(default)]
    #[schema(example = "a dog that is a cross of a labrador and a poodle")]
    definition: String,
    /// How many places to list
    #[serde(alias = "top")]
    #[schema(minimum = 0, maximum = 10000, default = 5)]
    limit: Option<usize>,
}

/// Where a concept belongs that is not in the hierarchy, from its name and definition. Only if the
/// server was given a placer.
#[utoipa::path(post, path = "/v1/place", request_body = Unseen, tag = "questions", responses(
    (status = 200, description = "Its places, with chances", body = Placed),
    Refusals,
))]
pub(crate) async fn place(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    let unseen: Unseen = read_body(&shared, body, "{\"name\": …, \"definition\": …}")?;
    if unseen.name.trim().is_empty() && unseen.definition.trim().is_empty() {
        return Err(Problem::bad_request("give a name, a definition, or both"));
    }
    let work = move |asking: &Asking| {
        let Some(placer) = asking.models.placer() else {
            return Err(Problem::not_found("this server has no placer; start it with one"));
        };
        let page = asking.page(None, Some(unseen.limit.unwrap_or(TOP)), None)?;
        Ok(Placed::new(placer, &unseen.name, &unseen.definition, page.limit))
    };
    shared.long(wants, work).await
}
