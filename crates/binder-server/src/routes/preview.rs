use axum::Json;
use axum::extract::State;
use binder::query::DefineError;
use binder_answers::Preview;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{Body, SharedState, in_background, read_body};
use crate::problem::{Problem, Refusals};

/// A concept that is not in the model.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewConcept {
    /// Its name
    name: String,
    /// Its parents; or give an expression
    #[serde(default)]
    parents: Vec<String>,
    /// The expression that defines it, as for `/v1/expression`
    expression: Option<String>,
    /// The model; default: the first
    model: Option<String>,
}

/// The code and the place that a new concept would get. Nothing is written, and no other answer
/// changes.
#[utoipa::path(post, path = "/v1/preview", request_body = NewConcept, tag = "questions", responses(
    (status = 200, description = "The concept as it would be", body = Preview),
    Refusals,
))]
pub(crate) async fn preview(
    State(shared): SharedState,
    body: Body,
) -> Result<Json<Preview>, Problem> {
    let new: NewConcept = read_body(
        &shared,
        body,
        "{\"name\": …, \"parents\": […]} or {\"name\": …, \"expression\": …}",
    )?;
    if new.name.trim().is_empty() {
        return Err(Problem::bad_request("name: give the new concept a name"));
    }
    shared.check_question(new.parents.len())?;
    shared.check_question(new.name.len())?;
    shared.check_question(new.expression.as_deref().map_or(0, str::len))?;
    let served = shared.model(new.model.as_deref())?.clone();
    in_background(move || {
        let parents: Vec<&str> = new.parents.iter().map(String::as_str).collect();
        let preview = match &new.expression {
            Some(_) if !parents.is_empty() => {
                return Err(Problem::bad_request("give parents or an expression, not both"));
            }
            Some(text) => Preview::of_expression(&served.index, &new.name, text),
            None => Preview::under(&served.index, &new.name, &parents),
        };
        preview.map(Json).map_err(|error| match error {
            DefineError::Query(error) => error.into(),
            other => Problem::bad_request(other.to_string()),
        })
    })
    .await?
}
