use std::borrow::Cow;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use binder_answers::{IsA, ManyIsA};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Asking, Body, Parameters, SharedState, received};
use super::reply::{Answer, Wants};
use crate::Shared;
use crate::problem::{Problem, Refusals};

/// Two concepts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TwoConcepts {
    /// The more specific concept: its name, an identifier, its label, a synonym, or an unambiguous
    /// prefix of one
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
    pub(crate) child: String,
    /// The more general concept, given in the same way
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
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
    wants: Wants,
) -> Answer {
    shared.metrics.pairs(1);
    if let Some(answer) = by_whole_names(&shared, &two) {
        return Ok(Json(answer).into_response());
    }
    let work = move |asking: &Asking| {
        let (served, child) = asking.concept(two.model.as_deref(), &two.child)?;
        let (_, parent) = asking.concept(two.model.as_deref(), &two.parent)?;
        Ok(IsA::new(&served.index, child, parent)?)
    };
    shared.quick(wants, work).await
}

/// The answer where both are whole names: that takes less time than a change of threads.
fn by_whole_names(shared: &Shared, two: &TwoConcepts) -> Option<IsA> {
    let models = shared.models();
    let index = &models.get(two.model.as_deref())?.index;
    let (child, parent) = (index.hierarchy().id(&two.child)?, index.hierarchy().id(&two.parent)?);
    IsA::new(index, child, parent).ok()
}

/// Many pairs.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Batch<'a> {
    /// (child, parent) pairs: names, identifiers, labels, synonyms, or unambiguous prefixes
    #[serde(borrow)]
    #[schema(value_type = Vec<[String; 2]>, max_items = 200_000,
             example = json!([["dog.n.01", "dog.n.01"]]))]
    pairs: Vec<[Text<'a>; 2]>,
    /// The model; default: the first
    model: Option<String>,
}

/// A text that is copied only if it has escapes.
#[derive(Debug, Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Is each child a parent? A text that is not known, or that is the beginning of several names,
/// gives null.
#[utoipa::path(post, path = "/v1/is-a", request_body = Batch<'_>, tag = "questions", responses(
    (status = 200, description = "An answer for each pair", body = ManyIsA),
    Refusals,
    (status = 413, description = "Too many pairs", body = Problem, content_type = "application/problem+json"),
))]
pub(crate) async fn is_a_batch(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    let body = received(&shared.limits, body)?;
    let counting = Arc::clone(&shared);
    let long = body.len() > SMALL;
    let work = move |asking: &Asking| {
        let answers = answer_batch(asking, &body)?;
        counting.metrics.pairs(answers.is_a.len());
        Ok(answers)
    };
    if long { shared.long(wants, work).await } else { shared.quick(wants, work).await }
}

/// Bodies up to this size are quick to answer.
const SMALL: usize = 1 << 14;

fn answer_batch(asking: &Asking, body: &[u8]) -> Result<ManyIsA, Problem> {
    let batch: Batch<'_> = serde_json::from_slice(body).map_err(|error| {
        Problem::bad_request(format!("{error}; send {{\"pairs\": [[\"child\", \"parent\"], …]}}"))
    })?;
    asking.check_batch(batch.pairs.len(), "pairs", asking.limits.batch)?;
    let index = &asking.model(batch.model.as_deref())?.index;
    let pairs = batch.pairs.iter().map(|[child, parent]| (&*child.0, &*parent.0));
    let answers = ManyIsA::new(index, pairs.take_while(|_| !asking.stop.is_set()));
    asking.go_on()?;
    Ok(answers)
}
