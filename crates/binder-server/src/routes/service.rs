//! What those who run the server ask for.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use binder_answers::names_of;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::SharedState;
use crate::openapi::document;

/// A model that is served.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelInfo {
    /// Its name, for the parameter `model`
    name: String,
    /// How many concepts it has
    concepts: usize,
    /// How many bits a code has
    bits: usize,
    /// How many direct pairs it keeps
    direct: usize,
    /// Concepts without a parent, and the first of them
    roots: usize,
    first_roots: Vec<String>,
    /// A concept worth a look: deep down, of several parents, with children
    example: Option<String>,
    /// How it was made
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
            notes: served.index.model().notes().clone(),
        }
    };
    Json(shared.models.iter().map(info).collect())
}

/// Whether the server is there.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "It is", body = String, content_type = "text/plain")))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Counts for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "service", responses((status = 200, description = "The counts", body = String, content_type = "application/openmetrics-text")))]
pub(crate) async fn metrics(State(shared): SharedState) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.metrics.text())
}

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document())
}
