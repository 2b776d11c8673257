//! Hypernyms and hyponyms: of one concept, of many, and as lines of JSON.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body as ResponseBody;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use binder::Id;
use binder::query::{Index, QueryError};
use binder_answers::{Named, Page, Relatives};
use bytes::Bytes;
use http_body::Frame;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Asking, Body, PAGE, Parameters, SharedState, read_body};
use super::reply::{Answer, LINES, Wants};
use crate::Shared;
use crate::models::Served;
use crate::problem::{Problem, Refusals};

/// Parameters of a list of hypernyms or hyponyms.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listing {
    /// The concept: its name, an identifier, its label, a synonym, or an unambiguous prefix of one
    #[param(example = "dog.n.01", min_length = 1, max_length = 1000)]
    name: String,
    /// Only the nearest ones: its parents or its children
    #[param(default = false)]
    nearest: Option<bool>,
    /// The model; default: the first
    model: Option<String>,
    /// How many to skip
    #[param(minimum = 0, default = 0)]
    offset: Option<usize>,
    /// How many to return; as lines of JSON the default is all, and there is no maximum
    #[param(minimum = 0, maximum = 10000, default = 100)]
    limit: Option<usize>,
    /// Where to go on: what `next` said. It takes the place of `offset`
    cursor: Option<String>,
}

/// Everything above a concept, the most general first. With `Accept: application/x-ndjson`, a line
/// of JSON for each, `{"concept": …, "label": …}`, as many as there are.
#[utoipa::path(get, path = "/v1/hypernyms", params(Listing), tag = "questions", responses(
    (status = 200, description = "The hypernyms", body = Relatives),
    Refusals,
))]
pub(crate) async fn hypernyms(
    State(shared): SharedState,
    Parameters(listing): Parameters<Listing>,
    wants: Wants,
) -> Answer {
    list(&shared, listing, wants, &ABOVE).await
}

/// Everything below a concept, the most general first. With `Accept: application/x-ndjson`, a line
/// of JSON for each, `{"concept": …, "label": …}`, as many as there are.
#[utoipa::path(get, path = "/v1/hyponyms", params(Listing), tag = "questions", responses(
    (status = 200, description = "The hyponyms", body = Relatives),
    Refusals,
))]
pub(crate) async fn hyponyms(
    State(shared): SharedState,
    Parameters(listing): Parameters<Listing>,
    wants: Wants,
) -> Answer {
    list(&shared, listing, wants, &BELOW).await
}

/// One of the two directions.
struct Direction {
    page: fn(&Index, Id, bool, Page) -> Result<Relatives, QueryError>,
    all: fn(&Index, Id, bool) -> Result<Vec<Id>, QueryError>,
}

static ABOVE: Direction = Direction { page: Relatives::above, all: Relatives::all_above };
static BELOW: Direction = Direction { page: Relatives::below, all: Relatives::all_below };

/// Longer lists take longer to serialise and compress than a quick answer may.
const QUICK: usize = 1_000;

async fn list(
    shared: &Arc<Shared>,
    listing: Listing,
    wants: Wants,
    direction: &'static Direction,
) -> Answer {
    if wants.lines {
        return stream(shared, listing, direction).await;
    }
    let long = listing.limit.is_some_and(|limit| limit > QUICK);
    let work = move |asking: &Asking| {
        let (served, concept) = asking.concept(listing.model.as_deref(), &listing.name)?;
        let page = asking.page(listing.offset, listing.limit, listing.cursor.as_deref())?;
        let nearest = listing.nearest.unwrap_or(false);
        Ok((direction.page)(&served.index, concept, nearest, page)?)
    };
    if long { shared.long(wants, work).await } else { shared.quick(wants, work).await }
}

/// All concepts as lines of JSON. They are found at once and written as the client reads.
async fn stream(shared: &Arc<Shared>, listing: Listing, direction: &'static Direction) -> Answer {
    let asker = Arc::clone(shared);
    let find = move |stop: &crate::lanes::Stop| {
        let asking = asker.asking(stop.clone());
        let (served, concept) = asking.concept(listing.model.as_deref(), &listing.name)?;
        let page = asking.page(listing.offset, Some(0), listing.cursor.as_deref())?;
        let found = (direction.all)(&served.index, concept, listing.nearest.unwrap_or(false))?;
        let limit = listing.limit.unwrap_or(usize::MAX);
        let left: Vec<Id> = found.into_iter().skip(page.offset).take(limit).collect();
        Ok::<_, Problem>(Lines { served: Arc::clone(served), left: left.into_iter() })
    };
    let lines = shared.lanes.long.run(find).await??;
    let mut response = Response::new(ResponseBody::new(lines));
    let heads = response.headers_mut();
    heads.insert(header::CONTENT_TYPE, HeaderValue::from_static(LINES));
    heads.insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Concepts on their way out, a line each.
struct Lines {
    served: Arc<Served>,
    left: std::vec::IntoIter<Id>,
}

/// The size of a part: small enough that the other connections of the thread do not wait for it.
const PART: usize = 1 << 14;

impl http_body::Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let served = Arc::clone(&self.served);
        let mut part = Vec::with_capacity(PART + 1024);
        while part.len() < PART {
            let Some(concept) = self.left.next() else { break };
            // Writing names to memory does not fail.
            let _ = serde_json::to_writer(&mut part, &Named::new(&served.index, concept));
            part.push(b'\n');
        }
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part.into()))))
    }
}

/// Many concepts.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ManyConcepts {
    /// The concepts: names, identifiers, labels, synonyms, or unambiguous prefixes
    #[schema(max_items = 1000, example = json!(["dog.n.01"]))]
    concepts: Vec<String>,
    /// Only the nearest ones: parents or children
    #[serde(default)]
    #[schema(default = false)]
    nearest: bool,
    /// How many to return for each concept; all lists together may have 10,000
    #[schema(minimum = 0, maximum = 10000, default = 100)]
    limit: Option<usize>,
    /// The model; default: the first
    model: Option<String>,
}

/// Lists for many concepts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManyRelatives {
    /// For each concept in turn; null where it is not known
    lists: Vec<Option<Relatives>>,
    /// How many of the concepts are not known
    unknown: usize,
}

/// What is above each of many concepts.
#[utoipa::path(post, path = "/v1/hypernyms", request_body = ManyConcepts, tag = "questions", responses(
    (status = 200, description = "A list for each concept", body = ManyRelatives),
    Refusals,
    (status = 413, description = "Too many concepts", body = Problem, content_type = "application/problem+json"),
))]
pub(crate) async fn many_hypernyms(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    lists(&shared, wants, body, &ABOVE).await
}

/// What is below each of many concepts.
#[utoipa::path(post, path = "/v1/hyponyms", request_body = ManyConcepts, tag = "questions", responses(
    (status = 200, description = "A list for each concept", body = ManyRelatives),
    Refusals,
    (status = 413, description = "Too many concepts", body = Problem, content_type = "application/problem+json"),
))]
pub(crate) async fn many_hyponyms(State(shared): SharedState, wants: Wants, body: Body) -> Answer {
    lists(&shared, wants, body, &BELOW).await
}

async fn lists(
    shared: &Arc<Shared>,
    wants: Wants,
    body: Body,
    direction: &'static Direction,
) -> Answer {
    let many: ManyConcepts = read_body(shared, body, "{\"concepts\": [\"a\", \"b\"]}")?;
    let work = move |asking: &Asking| {
        asking.check_batch(many.concepts.len(), "concepts", asking.limits.question)?;
        // All lists together are at most as long as one may be.
        let fair = asking.limits.page / many.concepts.len().max(1);
        let limit = many.limit.unwrap_or(PAGE.min(fair));
        let page = asking.page(None, Some(limit), None)?;
        let most = asking.limits.page;
        asking.check_batch(
            limit.saturating_mul(many.concepts.len()),
            "names in all lists",
            most,
        )?;
        let index = &asking.model(many.model.as_deref())?.index;
        let mut lists = Vec::with_capacity(many.concepts.len());
        for name in &many.concepts {
            asking.go_on()?;
            let concept = index.known(name);
            let list = |concept| (direction.page)(index, concept, many.nearest, page);
            lists.push(concept.map(list).transpose()?);
        }
        let unknown = lists.iter().filter(|list| list.is_none()).count();
        Ok(ManyRelatives { lists, unknown })
    };
    shared.long(wants, work).await
}
