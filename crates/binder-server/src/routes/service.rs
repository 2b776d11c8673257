//! Routes for the operators of the server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use binder_answers::names_of;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::{Asking, SharedState};
use super::reply::{Answer, Wants};
use crate::connections::Peer;
use crate::examples::Example;
use crate::models::Served;
use crate::problem::{Problem, Refusals};
use crate::reload::{ReloadError, Reloader};

/// A model that is served.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelInfo {
    /// The name, for the parameter `model`
    name: String,
    /// The number of concepts
    concepts: usize,
    /// The number of bits per code
    bits: usize,
    /// The number of direct pairs
    direct: usize,
    /// The number of concepts without a parent
    roots: usize,
    first_roots: Vec<String>,
    /// An interesting concept: deep in the hierarchy, with several parents and with children
    example: Option<String>,
    /// Questions that show what the model can answer
    examples: Vec<Example>,
    /// Whether `/v1/place` answers
    places: bool,
    /// Whether `POST /v1/concepts` adds concepts
    writes: bool,
    /// The notes on how the model was made
    notes: BTreeMap<String, String>,
}

impl ModelInfo {
    fn new(served: &Served, places: bool, writes: bool) -> Self {
        let hierarchy = served.index.hierarchy();
        Self {
            name: served.name.clone(),
            concepts: hierarchy.len(),
            bits: served.index.codes().bits(),
            direct: hierarchy.direct(),
            roots: hierarchy.roots().count(),
            first_roots: names_of(&served.index, hierarchy.roots().take(10)),
            example: served.example(),
            examples: served.examples().to_vec(),
            places,
            writes,
            notes: served.index.model().notes().clone(),
        }
    }
}

/// The models, the default first.
#[utoipa::path(get, path = "/v1/models", tag = "service", responses((status = 200, description = "The models", body = Vec<ModelInfo>)))]
pub(crate) async fn models(State(shared): SharedState, wants: Wants) -> Answer {
    let writes = shared.writing.is_some();
    let infos = move |asking: &Asking| {
        let places = asking.models.placer().is_some();
        let info = |served| ModelInfo::new(served, places, writes);
        Ok(asking.models.iter().map(info).collect::<Vec<_>>())
    };
    shared.quick(wants, infos).await
}

/// Whether the server runs.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "The server is running", body = String, content_type = "text/plain")))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server takes requests. It does not once it was asked to stop.
#[utoipa::path(get, path = "/readyz", tag = "service", responses((status = 200, description = "The server is ready", body = String, content_type = "text/plain")))]
pub(crate) async fn readyz(State(shared): SharedState) -> Result<&'static str, Problem> {
    if shared.stopping.load(Ordering::Relaxed) { Err(Problem::stopping()) } else { Ok("ok\n") }
}

/// Metrics for Prometheus. Not here if they have an address of their own.
#[utoipa::path(get, path = "/metrics", tag = "service", responses((status = 200, description = "The metrics", body = String, content_type = "application/openmetrics-text")))]
pub(crate) async fn metrics(State(shared): SharedState) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.metrics.text())
}

/// The description of the API, with examples from the first model.
pub(crate) async fn openapi(State(shared): SharedState, headers: HeaderMap) -> Answer {
    let models = shared.models();
    if let Some(kept) = models.kept_description() {
        return Ok(kept.answer(&headers));
    }
    let made = shared.lanes.quick.run(move |_| models.description()).await?;
    Ok(made.map_err(|error| Problem::internal(error.to_string()))?.answer(&headers))
}

/// What was loaded.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Reloaded {
    /// The names of the models
    models: Vec<String>,
}

/// Loads the models anew. Requests that have begun are answered from the old ones, which stay if
/// the new ones cannot be loaded. Only from this machine, not through a proxy, and only if the
/// server was started with `--allow-reload`.
#[utoipa::path(post, path = "/v1/admin/reload", tag = "service", responses(
    (status = 200, description = "The models were loaded", body = Reloaded),
    (status = 403, description = "Not allowed, or not from here", body = Problem, content_type = "application/problem+json"),
    Refusals,
))]
pub(crate) async fn reload(
    State(shared): SharedState,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
) -> Result<Json<Reloaded>, Problem> {
    if !shared.reloading.as_ref().is_some_and(|reloading| reloading.over_http) {
        return Err(Problem::forbidden("start the server with --allow-reload, or send it SIGHUP"));
    }
    let here = peer.is_some_and(|Extension(peer)| peer.is_here());
    let passed_on = headers.contains_key(header::FORWARDED)
        || headers.contains_key("x-forwarded-for")
        || headers.contains_key(header::ORIGIN);
    if !here || passed_on {
        return Err(Problem::forbidden(
            "only a program on the server's machine may ask for this, and no page or proxy",
        ));
    }
    Reloader(Arc::clone(&shared)).reload().await.map_err(|error| match error {
        ReloadError::Busy => Problem::conflict(error.to_string()),
        error => Problem::internal(error.to_string()),
    })?;
    let names = shared.models().iter().map(|served| served.name.clone()).collect();
    Ok(Json(Reloaded { models: names }))
}
