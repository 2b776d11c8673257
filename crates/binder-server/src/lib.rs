//! Binder over HTTP: the questions of [`binder::query`] as JSON under `/v1`, and a page to look at.
//!
//! ```text
//! request → limits (body, time) → request id → route → Index → JSON, or a problem document (RFC 9457)
//!                                              ↘ page: HTML, CSS and JavaScript as they lie in web/, inside the binary
//! ```
//!
//! A route reads like its question; what a drawing needs to be drawn (`layout/`) is computed here, so that the page only draws.

mod layout;
mod limits;
mod metrics;
mod models;
mod openapi;
mod page;
mod problem;
mod routes;

use std::future::Future;
use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

pub use limits::Limits;
pub use models::{Models, ModelsError};
pub use openapi::document;

/// What every route can see.
pub(crate) struct Shared {
    models: Models,
    limits: Limits,
    metrics: metrics::Metrics,
}

/// Answers requests until `shutdown` is over, then finishes those that have begun.
pub async fn serve(
    models: Models,
    limits: Limits,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let shared = Arc::new(Shared { models, limits, metrics: metrics::Metrics::default() });
    axum::serve(listener, routes::router(shared)).with_graceful_shutdown(shutdown).await
}
