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

use crate::lanes::Stop;
use crate::models::{Models, Served};
use crate::problem::Problem;
use crate::{Limits, Shared};

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

/// The bytes of a body.
pub(crate) fn received(limits: &Limits, body: Body) -> Result<Bytes, Problem> {
    body.map_err(|error| match error.status().as_u16() {
        413 => Problem::too_large(format!("at most {} bytes are allowed", limits.body)),
        _ => Problem::bad_request(error.body_text()),
    })
}

/// Reads a body as JSON. The problem says what it should look like.
pub(crate) fn read_body<T: DeserializeOwned>(
    shared: &Shared,
    body: Body,
    shape: &str,
) -> Result<T, Problem> {
    serde_json::from_slice(&received(&shared.limits, body)?)
        .map_err(|error| Problem::bad_request(format!("{error}; send {shape}")))
}

pub(crate) type SharedState = State<Arc<Shared>>;

/// One concept.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OneConcept {
    /// The concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
    pub(crate) name: String,
    /// The model; default: the first
    pub(crate) model: Option<String>,
    /// How many to skip in every list
    #[param(minimum = 0, default = 0)]
    pub(crate) offset: Option<usize>,
    /// How many to return in every list
    #[param(minimum = 0, maximum = 10000, default = 100)]
    pub(crate) limit: Option<usize>,
    /// Where to go on: what `next` said. It takes the place of `offset`
    pub(crate) cursor: Option<String>,
}

/// The default number of concepts on a page.
pub(crate) const PAGE: usize = 100;

/// What a question is answered from: the models as they were when it came, and the limits.
#[derive(Debug)]
pub(crate) struct Asking {
    pub(crate) models: Arc<Models>,
    pub(crate) limits: Limits,
    /// Whether nobody waits for the answer any more.
    pub(crate) stop: Stop,
}

impl Asking {
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
    pub(crate) fn concept(
        &self,
        model: Option<&str>,
        name: &str,
    ) -> Result<(&Arc<Served>, Id), Problem> {
        self.check_question(name.len())?;
        let served = self.model(model)?;
        Ok((served, served.index.find(name)?))
    }

    /// The requested part of a list.
    pub(crate) fn page(
        &self,
        offset: Option<usize>,
        limit: Option<usize>,
        cursor: Option<&str>,
    ) -> Result<Page, Problem> {
        let limit = limit.unwrap_or(PAGE.min(self.limits.page));
        if limit > self.limits.page {
            return Err(Problem::bad_request(format!(
                "limit: {limit} concepts, but at most {} are allowed; go on with cursor=NEXT",
                self.limits.page
            )));
        }
        match cursor {
            None => Ok(Page { offset: offset.unwrap_or(0), limit }),
            Some(cursor) => Page::at(cursor, limit).ok_or_else(|| {
                Problem::bad_request(format!(
                    "cursor: {cursor:?} is not what an answer gave as next"
                ))
            }),
        }
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

    /// Refuses a batch that is too large.
    pub(crate) fn check_batch(&self, count: usize, what: &str, most: usize) -> Result<(), Problem> {
        if count > most {
            return Err(Problem::too_large(format!(
                "{count} {what}, but at most {most} are allowed; send several batches"
            )));
        }
        Ok(())
    }

    /// Ends work that nobody waits for. The answer goes nowhere.
    pub(crate) fn go_on(&self) -> Result<(), Problem> {
        if self.stop.is_set() { Err(Problem::too_slow()) } else { Ok(()) }
    }
}

impl Shared {
    /// What a question that comes now is answered from.
    pub(crate) fn asking(&self, stop: Stop) -> Asking {
        Asking { models: self.models(), limits: self.limits, stop }
    }
}
