use axum::extract::State;
use binder::Id;
use binder_answers::Summary;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parameters::{Asking, Body, SharedState, read_body};
use super::reply::{Answer, Wants};
use crate::problem::Refusals;

/// Concepts to summarise.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Wanted {
    /// The concepts: names as in every question, or numbers as in `/v1/map`; at most 1,000
    concepts: Vec<NameOrId>,
    /// The model; default: the first
    model: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum NameOrId {
    /// A number
    Id(Id),
    /// A name
    Name(String),
}

/// Concepts in a few words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Summaries {
    /// For each concept in turn; null where there is none
    concepts: Vec<Option<Summary>>,
}

/// Concepts in a few words: labels, definitions, parents and the way up.
#[utoipa::path(post, path = "/v1/summaries", request_body = Wanted, tag = "questions", responses(
    (status = 200, description = "The concepts in turn", body = Summaries),
    Refusals,
))]
pub(crate) async fn summaries(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    let wanted: Wanted = read_body(&shared, body, "{\"concepts\": [\"a\", \"b\", 3]}")?;
    let work = move |asking: &Asking| {
        asking.check_question(wanted.concepts.len())?;
        let index = &asking.model(wanted.model.as_deref())?.index;
        let summary = |wanted: &NameOrId| match wanted {
            NameOrId::Id(id) => Summary::new(index, *id).ok(),
            NameOrId::Name(name) => Summary::new(index, name.as_str()).ok(),
        };
        Ok(Summaries { concepts: wanted.concepts.iter().map(summary).collect() })
    };
    shared.quick(wants, work).await
}
