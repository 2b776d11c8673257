//! The routes, and the layers that every request passes.
#![allow(
    unused_qualifications,
    single_use_lifetimes,
    reason = "the macros that describe routes write such code"
)]

mod ask;
mod is_a;
mod parameters;
mod place;
mod preview;
mod service;
mod show;
mod summaries;

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderName, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

pub(crate) use ask::*;
pub(crate) use is_a::*;
pub(crate) use place::*;
pub(crate) use preview::*;
pub(crate) use service::*;
pub(crate) use show::*;
pub(crate) use summaries::*;

use crate::problem::Problem;
use crate::{Shared, page};

/// The header with the id of a request, for logs and answers.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let limits = shared.limits;
    let quick = Router::new().route("/v1/is-a", get(is_a).post(is_a_batch));
    let packed = Router::new()
        .route("/v1/models", get(models))
        .route("/v1/concept", get(concept))
        .route("/v1/hypernyms", get(hypernyms))
        .route("/v1/hyponyms", get(hyponyms))
        .route("/v1/meet", get(meet))
        .route("/v1/join", get(join))
        .route("/v1/complement", get(complement))
        .route("/v1/expression", get(expression))
        .route("/v1/nearest", get(nearest))
        .route("/v1/explain", get(explain))
        .route("/v1/search", get(search))
        .route("/v1/find", get(find))
        .route("/v1/place", post(place))
        .route("/v1/preview", post(preview))
        .route("/v1/summaries", post(summaries))
        .route("/v1/graph", get(graph))
        .route("/v1/map", get(map))
        .route("/v1/names", get(names))
        .route("/v1/openapi.json", get(openapi))
        .route("/", get(page::index))
        .route("/api", get(page::reference))
        .route("/web/{name}", get(page::asset))
        .layer(CompressionLayer::new());
    quick
        .merge(packed)
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(shared.clone(), counted))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .with_state(shared)
}

/// Counts and logs a request, and ends it after the timeout.
async fn counted(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route =
        request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let about = tracing::enabled!(tracing::Level::DEBUG).then(|| {
        let id =
            request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
        (request.method().clone(), request.uri().clone(), id.to_owned())
    });
    shared.metrics.open.inc();
    let response = match tokio::time::timeout(shared.limits.time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_slow().into_response(),
    };
    shared.metrics.open.dec();
    let (status, time) = (response.status(), started.elapsed());
    shared.metrics.request(&route, status, time);
    if let Some((method, uri, id)) = about {
        tracing::debug!(%method, %uri, id, status = status.as_u16(), seconds = time.as_secs_f64(), "request");
    }
    if status.is_server_error() {
        tracing::error!(route, status = status.as_u16(), "a request failed");
    }
    response
}

async fn nowhere(uri: axum::http::Uri) -> Problem {
    Problem::not_found(format!("there is no {}; see /api for the routes", uri.path()))
}

async fn wrong_method() -> Problem {
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Problem::new(
        status,
        "/problems/method",
        "The method is not allowed",
        "use another method; see /api".to_owned(),
    )
}

/// A panic is a bug in the server. It is logged, and the request gets an answer.
fn panicked(payload: Box<dyn Any + Send>) -> Response {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    tracing::error!(panic = text.unwrap_or_default(), "a request panicked");
    Problem::internal("please report what you asked for").into_response()
}
