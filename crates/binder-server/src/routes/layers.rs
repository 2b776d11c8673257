//! What every request passes on its way in and out.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::gate::Hosts;
use crate::metrics::Counted;
use crate::problem::{Problem, log_panic};
use crate::{Limits, Shared, tags};

/// The header with the id of a request, for logs and answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Counts and logs a request, and ends it after the timeout.
pub(crate) async fn counted(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let route =
        request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let about = tracing::enabled!(tracing::Level::DEBUG).then(|| {
        let id =
            request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
        (request.method().clone(), request.uri().path().to_owned(), id.to_owned())
    });
    let open = Counted::new(&shared.metrics.open);
    let response = match too_large(&request) {
        Some(problem) => problem.into_response(),
        None => match tokio::time::timeout(shared.limits.time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::too_slow().into_response(),
        },
    };
    drop(open);
    let (status, time) = (response.status(), started.elapsed());
    shared.metrics.request(&route, status, time);
    if let Some((method, path, id)) = about {
        tracing::debug!(%method, path, id, status = status.as_u16(), seconds = time.as_secs_f64(), "request");
    }
    // A server that is busy says so in its metrics.
    if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
        tracing::error!(route, status = status.as_u16(), "a request failed");
    }
    response
}

/// Refuses a head that is too large.
fn too_large(request: &Request) -> Option<Problem> {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > Limits::ADDRESS {
        return Some(Problem::address_too_long());
    }
    let size = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len();
    let headers: usize = request.headers().iter().map(size).sum();
    (headers > Limits::HEADERS as usize).then(Problem::headers_too_large)
}

/// Refuses requests for unknown hosts.
pub(crate) async fn for_known_hosts(
    State(hosts): State<Hosts>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match hosts.check(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(problem) => problem.into_response(),
    }
}

/// Refuses requests without a token, if there are tokens.
pub(crate) async fn with_token(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match shared.gate.tokens.refusal(&parts) {
        None => next.run(Request::from_parts(parts, body)).await,
        Some(response) => response,
    }
}

/// Gives the answers to questions a tag, and tells a client that has one already that it is still
/// right. An answer follows from the models and the question, so no work is needed for that.
pub(crate) async fn tagged(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let asks = matches!(*request.method(), Method::GET | Method::HEAD)
        && request.uri().path().starts_with("/v1/");
    if !asks {
        return next.run(request).await;
    }
    let kind = request.headers().get(header::ACCEPT).and_then(|kind| kind.to_str().ok());
    let question = format!("{} {}", request.uri(), kind.unwrap_or_default());
    let tag = tags::of_question(shared.models().load(), &question);
    if tags::if_none_match(request.headers()).any(|known| known.opaque() == tag) {
        return not_modified(&tag);
    }
    let any = tags::if_none_match(request.headers()).any(|known| known.opaque() == tags::ANY);
    let mut response = next.run(request).await;
    // What is kept has a tag of its own.
    if response.status() != StatusCode::OK || response.headers().contains_key(header::ETAG) {
        return response;
    }
    if any {
        return not_modified(&tag);
    }
    put_tag(response.headers_mut(), &tag);
    response
}

fn not_modified(tag: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    put_tag(response.headers_mut(), tag);
    response
}

/// Tags are weak: a compressed answer has the same one.
fn put_tag(headers: &mut HeaderMap, tag: &str) {
    let tag = HeaderValue::try_from(format!("W/\"{tag}\""));
    tag.into_iter().for_each(|tag| _ = headers.insert(header::ETAG, tag));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
}

pub(crate) async fn nowhere(uri: Uri) -> Problem {
    Problem::not_found(format!("there is no {}; see /api for the routes", uri.path()))
}

/// What a route answers to other methods. The header `Allow` is added to it.
pub(crate) async fn wrong_method(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "/problems/method",
        "The method is not allowed",
        "use a method that the header Allow lists; see /api".to_owned(),
    )
    .into_response()
}

/// A panic is a bug in the server. It is logged, and the request gets an answer.
pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> Response {
    log_panic(payload);
    Problem::panicked().into_response()
}
