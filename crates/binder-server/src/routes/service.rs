//! Routes for the operators of the server.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use binder_answers::names_of;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::SharedState;
use crate::examples::Example;
use crate::openapi::document;

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
    /// The notes on how the model was made
    notes: BTreeMap<String, String>,
}

/// The models, the default first.
#[utoipa::path(get, path = "/v1/models", tag = "service", responses((status = 200, description = "The models", body = Vec<ModelInfo>)))]
pub(crate) async fn models(State(shared): SharedState) -> Json<Vec<ModelInfo>> {
    let info = |served: &crate::models::Served| {
        let hierarchy = served.index.hierarchy();
        ModelInfo {
            name: served.name.clone(),
            concepts: hierarchy.len(),
            bits: served.index.codes().bits(),
            direct: hierarchy.direct(),
            roots: hierarchy.roots().count(),
            first_roots: names_of(&served.index, hierarchy.roots().take(10)),
            example: served.example(),
            examples: served.examples().to_vec(),
            places: shared.models.placer().is_some(),
            notes: served.index.model().notes().clone(),
        }
    };
    Json(shared.models.iter().map(info).collect())
}

/// Health check.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "The server is running", body = String, content_type = "text/plain")))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Metrics for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "service", responses((status = 200, description = "The metrics", body = String, content_type = "application/openmetrics-text")))]
pub(crate) async fn metrics(State(shared): SharedState) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.metrics.text())
}

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document())
}
