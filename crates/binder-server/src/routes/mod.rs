//! The routes, and the layers that every request passes.
#![allow(
    unused_qualifications,
    single_use_lifetimes,
    reason = "the macros that describe routes write such code"
)]

mod add;
mod ask;
mod is_a;
mod layers;
mod parameters;
mod place;
mod preview;
mod relatives;
mod reply;
mod service;
mod show;
mod summaries;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

pub(crate) use add::*;
pub(crate) use ask::*;
pub(crate) use is_a::*;
pub(crate) use parameters::Asking;
pub(crate) use place::*;
pub(crate) use preview::*;
pub(crate) use relatives::*;
pub(crate) use service::*;
pub(crate) use show::*;
pub(crate) use summaries::*;

use crate::gate::Hosts;
use crate::mcp::Mcp;
use crate::{Shared, page};

pub(crate) fn router(shared: &Arc<Shared>) -> Router {
    let routes = Router::new()
        .route("/v1/is-a", get(is_a).post(is_a_batch))
        .route("/v1/models", get(models))
        .route("/v1/concept", get(concept))
        .route("/v1/hypernyms", get(hypernyms).post(many_hypernyms))
        .route("/v1/hyponyms", get(hyponyms).post(many_hyponyms))
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
        .route("/v1/concepts", post(add))
        .route("/v1/summaries", post(summaries))
        .route("/v1/graph", get(graph))
        .route("/v1/map", get(map))
        .route("/v1/names", get(names))
        .route("/v1/openapi.json", get(openapi))
        .route("/v1/admin/reload", post(reload))
        .route("/", get(page::index))
        .route("/api", get(page::reference))
        .route("/web/{name}", get(page::asset))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz));
    let routes = match shared.metrics_here {
        true => routes.route("/metrics", get(metrics)),
        false => routes,
    };
    let routes = match shared.mcp {
        true => routes.route_service("/mcp", Mcp::new(shared).over_http()),
        false => routes,
    };
    let routes = routes
        .fallback(layers::nowhere)
        .method_not_allowed_fallback(layers::wrong_method)
        .layer(from_fn_with_state(Arc::clone(shared), layers::tagged))
        .layer(from_fn_with_state(Arc::clone(shared), layers::with_token));
    // A browser asks without a token what it may ask.
    let routes = match shared.gate.cors() {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    routes
        .layer(from_fn_with_state(shared.gate.hosts.clone(), layers::for_known_hosts))
        .layer(from_fn_with_state(Arc::clone(shared), layers::counted))
        .layer(CatchPanicLayer::custom(layers::panicked))
        .layer(DefaultBodyLimit::max(shared.limits.body))
        .layer(PropagateRequestIdLayer::new(layers::REQUEST_ID))
        .layer(SetRequestIdLayer::new(layers::REQUEST_ID, MakeRequestUuid))
        .with_state(Arc::clone(shared))
}

/// What operators ask for at an address of its own.
pub(crate) fn metrics_router(shared: &Arc<Shared>, address: Option<SocketAddr>) -> Router {
    let hosts = Hosts { address, ..shared.gate.hosts.clone() };
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .fallback(layers::nowhere)
        .method_not_allowed_fallback(layers::wrong_method)
        .layer(from_fn_with_state(hosts, layers::for_known_hosts))
        .with_state(Arc::clone(shared))
}
