//! Binder over HTTP: the questions of [`binder::query`] as JSON under `/v1`, and a web page.
//!
//! ```text
//! request → limits (body, time) → request id → route → Index → JSON, or a problem (RFC 9457)
//!                                                    ↘ page: the files of web/, in the binary
//! ```
//!
//! Each route answers one question. Drawings are laid out on the server (`layout/`), so that the
//! page only paints them.

mod examples;
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

/// The state that all routes share.
pub(crate) struct Shared {
    models: Models,
    limits: Limits,
    metrics: metrics::Metrics,
}

/// Answers requests until `shutdown` completes, then finishes the open ones.
pub async fn serve(
    models: Models,
    limits: Limits,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let shared = Arc::new(Shared { models, limits, metrics: metrics::Metrics::default() });
    axum::serve(listener, routes::router(shared)).with_graceful_shutdown(shutdown).await
}
