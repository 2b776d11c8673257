use axum::extract::State;
use binder::query::DefineError;
use binder_answers::Preview;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{Asking, Body, SharedState, read_body};
use super::reply::{Answer, Wants};
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
pub(crate) async fn preview(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    let new: NewConcept = read_body(
        &shared,
        body,
        "{\"name\": …, \"parents\": […]} or {\"name\": …, \"expression\": …}",
    )?;
    if new.name.trim().is_empty() {
        return Err(Problem::bad_request("name: give the new concept a name"));
    }
    let work = move |asking: &Asking| {
        asking.check_question(new.parents.len())?;
        asking.check_question(new.name.len())?;
        asking.check_question(new.expression.as_deref().map_or(0, str::len))?;
        let served = asking.model(new.model.as_deref())?;
        let parents: Vec<&str> = new.parents.iter().map(String::as_str).collect();
        let preview = match &new.expression {
            Some(_) if !parents.is_empty() => {
                return Err(Problem::bad_request("give parents or an expression, not both"));
            }
            Some(text) => Preview::of_expression(&served.index, &new.name, text),
            None => Preview::under(&served.index, &new.name, &parents),
        };
        preview.map_err(|error| match error {
            DefineError::Query(error) => error.into(),
            other => Problem::bad_request(other.to_string()),
        })
    };
    shared.long(wants, work).await
}
