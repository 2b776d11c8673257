use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::Query as FormQuery;
use binder::Id;
use binder_answers::Page;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::Shared;
use crate::models::Served;
use crate::problem::Problem;

/// The query parameters of a request; a problem document if they cannot be parsed.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match FormQuery::<T>::from_request_parts(parts, state).await {
            Ok(FormQuery(parameters)) => Ok(Self(parameters)),
            Err(error) => Err(Problem::bad_request(error.body_text())),
        }
    }
}

/// The body of a request, or why it could not be received.
pub(crate) type Body = Result<Bytes, BytesRejection>;

/// Reads a body as JSON. The problem says what it should look like.
pub(crate) fn read_body<T: DeserializeOwned>(
    shared: &Shared,
    body: Body,
    shape: &str,
) -> Result<T, Problem> {
    let body = body.map_err(|error| match error.status().as_u16() {
        413 => Problem::too_large(format!("at most {} bytes are allowed", shared.limits.body)),
        _ => Problem::bad_request(error.body_text()),
    })?;
    serde_json::from_slice(&body)
        .map_err(|error| Problem::bad_request(format!("{error}; send {shape}")))
}

pub(crate) type SharedState = State<Arc<Shared>>;

/// One concept.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OneConcept {
    /// The concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one
    pub(crate) name: String,
    /// The model; default: the first
    pub(crate) model: Option<String>,
    /// How many to skip in every list
    pub(crate) offset: Option<usize>,
    /// How many to return in every list; default 100
    pub(crate) limit: Option<usize>,
}

/// The default number of concepts on a page.
const PAGE: usize = 100;

impl Shared {
    /// The requested model.
    pub(crate) fn model(&self, name: Option<&str>) -> Result<&Arc<Served>, Problem> {
        self.models.get(name).ok_or_else(|| {
            Problem::not_found(format!(
                "no model is called {:?}; /v1/models lists them",
                name.unwrap_or_default()
            ))
        })
    }

    /// A concept of a model.
    pub(crate) fn concept<'a>(
        &'a self,
        model: Option<&str>,
        name: &str,
    ) -> Result<(&'a Arc<Served>, Id), Problem> {
        self.check_question(name.len())?;
        let served = self.model(model)?;
        Ok((served, served.index.find(name)?))
    }

    /// The requested part of a list.
    pub(crate) fn page(
        &self,
        offset: Option<usize>,
        limit: Option<usize>,
    ) -> Result<Page, Problem> {
        let limit = limit.unwrap_or(PAGE);
        if limit > self.limits.page {
            return Err(Problem::bad_request(format!(
                "limit: {limit} concepts, but at most {} are allowed; use offset to page",
                self.limits.page
            )));
        }
        Ok(Page { offset: offset.unwrap_or(0), limit })
    }

    /// Refuses names and expressions that are too long.
    pub(crate) fn check_question(&self, length: usize) -> Result<(), Problem> {
        if length > self.limits.question {
            return Err(Problem::bad_request(format!(
                "{length} characters or concepts in one question, but at most {} are allowed",
                self.limits.question
            )));
        }
        Ok(())
    }
}

/// Runs longer work on a blocking thread, so that other requests do not wait.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Problem::internal("please report what you asked for"))
}
