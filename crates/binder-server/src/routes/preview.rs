use axum::extract::State;
use binder::query::DefineError;
use binder_answers::Preview;
use serde::Deserialize;
use utoipa::ToSchema;

use super::parameters::{Asking, Body, SharedState, read_body};
use super::reply::{Answer, Wants};
use crate::Shared;
use crate::problem::{Problem, Refusals};

/// A concept that is not in the model.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewConcept {
    /// Its name
    pub(super) name: String,
    /// Its parents; or give an expression
    #[serde(default)]
    pub(super) parents: Vec<String>,
    /// The expression that defines it, as for `/v1/expression`
    pub(super) expression: Option<String>,
    /// What it means. A preview makes no use of it
    pub(super) definition: Option<String>,
    /// The model; default: the first
    pub(super) model: Option<String>,
}

impl NewConcept {
    /// Reads one from the body of a request.
    pub(super) fn read(shared: &Shared, body: Body) -> Result<Self, Problem> {
        let shape = "{\"name\": …, \"parents\": […]} or {\"name\": …, \"expression\": …}";
        let new: Self = read_body(shared, body, shape)?;
        if new.name.trim().is_empty() {
            return Err(Problem::bad_request("name: give the new concept a name"));
        }
        Ok(new)
    }

    /// What it would be.
    pub(super) fn preview(&self, asking: &Asking) -> Result<Preview, Problem> {
        asking.check_question(self.parents.len())?;
        asking.check_question(self.name.len())?;
        asking.check_question(self.expression.as_deref().map_or(0, str::len))?;
        let served = asking.model(self.model.as_deref())?;
        let parents: Vec<&str> = self.parents.iter().map(String::as_str).collect();
        let preview = match &self.expression {
            Some(_) if !parents.is_empty() => {
                return Err(Problem::bad_request("give parents or an expression, not both"));
            }
            Some(text) => Preview::of_expression(&served.index, &self.name, text),
            None => Preview::under(&served.index, &self.name, &parents),
        };
        preview.map_err(|error| match error {
            DefineError::Query(error) => error.into(),
            other => Problem::bad_request(other.to_string()),
        })
    }
}

/// The code and the place that a new concept would get. Nothing is written, and no other answer
/// changes.
#[utoipa::path(post, path = "/v1/preview", request_body = NewConcept, tag = "questions", responses(
    (status = 200, description = "The concept as it would be", body = Preview),
    Refusals,
))]
pub(crate) async fn preview(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    let new = NewConcept::read(&shared, body)?;
    shared.long(wants, move |asking| new.preview(asking)).await
}
