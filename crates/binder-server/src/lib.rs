//! Binder over HTTP: the questions of [`binder::query`] as JSON under `/v1`, and a web page.
//!
//! ```text
//! connection → limits (number, time) → gate (host, token) → route → a lane → JSON, compressed
//!                                                              ↘ what is kept: page, map, names
//! ```
//!
//! Each route answers one question. Whatever takes longer than reading a name is done in a lane
//! (`lanes.rs`), so that the threads of the connections only read and write. Drawings are laid out
//! on the server (`layout/`), so that the page only paints them. Whatever is refused leaves as a
//! problem document (RFC 9457).

mod connections;
mod encoding;
mod examples;
mod gate;
mod lanes;
mod layout;
mod limits;
mod mcp;
mod metrics;
mod models;
mod openapi;
mod packed;
mod page;
mod problem;
mod reload;
mod routes;
mod slices;
mod stream;
mod tags;
mod writing;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::net::TcpListener;

pub use connections::Listener;
pub use gate::{TokenError, Tokens};
pub use limits::Limits;
pub use models::{Models, ModelsError};
pub use openapi::document;
pub use reload::{ReloadError, Reloader};
pub use writing::Addition;

use gate::Gate;
use lanes::Lanes;
use metrics::Metrics;
use reload::Reloading;
use writing::Writing;

/// The state that all routes share.
#[derive(Debug)]
pub(crate) struct Shared {
    models: RwLock<Arc<Models>>,
    limits: Limits,
    metrics: Metrics,
    lanes: Lanes,
    gate: Gate,
    reloading: Option<Reloading>,
    writing: Option<Writing>,
    /// Whether `/metrics` is answered here, and not at an address of its own.
    metrics_here: bool,
    /// Whether `/mcp` is answered.
    mcp: bool,
    /// Whether the server was asked to stop.
    stopping: AtomicBool,
}

impl Shared {
    /// The models as they are now.
    pub(crate) fn models(&self) -> Arc<Models> {
        Arc::clone(&self.models.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn replace_models(&self, models: Models) {
        *self.models.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(models);
    }
}

/// A server before it listens.
///
/// ```no_run
/// use binder::Hierarchy;
/// use binder_server::{Models, Server};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let index = binder::encode(&Hierarchy::read("toy")?)?.into_index();
/// let server = Server::new(Models::new([("toy".to_owned(), index)])?);
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// server.run(listener, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Server {
    models: Models,
    limits: Limits,
    gate: Gate,
    reloading: Option<Reloading>,
    writing: Option<Writing>,
    metrics_at: Option<Listener>,
    mcp: bool,
}

impl Server {
    /// A server of some models, which answers only requests for this machine's own names.
    pub fn new(models: Models) -> Self {
        Self {
            models,
            limits: Limits::default(),
            gate: Gate::default(),
            reloading: None,
            writing: None,
            metrics_at: None,
            mcp: false,
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Answers requests for these hosts too; `*` is any.
    #[must_use]
    pub fn hosts(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.gate.hosts.names.extend(names);
        self
    }

    /// Answers only requests with one of these tokens.
    #[must_use]
    pub fn tokens(mut self, tokens: Tokens) -> Self {
        self.gate.tokens = tokens;
        self
    }

    /// Lets pages of these origins read answers; `*` is any.
    #[must_use]
    pub fn origins(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.gate.origins.extend(origins);
        self
    }

    /// Answers `/metrics` at an address of its own, and nowhere else.
    #[must_use]
    pub fn metrics_at(self, listener: impl Into<Listener>) -> Self {
        Self { metrics_at: Some(listener.into()), ..self }
    }

    /// Answers `/mcp`: the questions as tools, in the Model Context Protocol.
    #[must_use]
    pub fn mcp(self, mcp: bool) -> Self {
        Self { mcp, ..self }
    }

    /// Says how models are loaded anew, and whether `POST /v1/admin/reload` may ask for it, from
    /// this machine.
    #[must_use]
    pub fn reload_with(
        mut self,
        loader: impl Fn() -> Result<Models, String> + Send + Sync + 'static,
        over_http: bool,
    ) -> Self {
        let busy = tokio::sync::Mutex::default();
        self.reloading = Some(Reloading { loader: Arc::new(loader), over_http, busy });
        self
    }

    /// Lets `POST /v1/concepts` add concepts: `writer` puts one into the file of its model, and the
    /// models are then loaded anew as [`reload_with`](Self::reload_with) says.
    #[must_use]
    pub fn write_with(
        mut self,
        writer: impl Fn(&Addition) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.writing = Some(Writing { writer: Arc::new(writer), busy: Default::default() });
        self
    }

    /// Answers requests until `shutdown` completes, then finishes the open ones. `begin` gets what
    /// makes the server load its models anew.
    ///
    /// # Errors
    ///
    /// When threads cannot be started.
    pub async fn run_with(
        self,
        listener: impl Into<Listener>,
        shutdown: impl Future<Output = ()> + Send + 'static,
        begin: impl FnOnce(Reloader),
    ) -> io::Result<()> {
        let listener = listener.into();
        let (shared, metrics_at) = self.shared(listener.address())?;
        let limits = shared.limits;
        page::warm_up();
        begin(Reloader(Arc::clone(&shared)));
        let told = Arc::clone(&shared);
        let stop = async move {
            shutdown.await;
            told.stopping.store(true, Ordering::Relaxed);
        };
        let open = &shared.metrics.connections;
        let answers = connections::answer(listener, routes::router(&shared), limits, open, stop);
        match metrics_at {
            None => answers.await,
            Some(apart) => {
                let router = routes::metrics_router(&shared, apart.address());
                let open = Default::default();
                let forever = std::future::pending();
                let metrics = connections::answer(apart, router, limits, &open, forever);
                tokio::select! {
                    ended = answers => ended,
                    ended = metrics => ended,
                }
            }
        }
    }

    /// The state of the routes, and where metrics are to be answered.
    fn shared(self, address: Option<SocketAddr>) -> io::Result<(Arc<Shared>, Option<Listener>)> {
        let (metrics, mut gate) = (Metrics::default(), self.gate);
        gate.hosts.address = address;
        let shared = Shared {
            models: RwLock::new(Arc::new(self.models)),
            lanes: Lanes::new(&self.limits, &metrics).map_err(io::Error::other)?,
            limits: self.limits,
            metrics,
            gate,
            reloading: self.reloading,
            writing: self.writing,
            metrics_here: self.metrics_at.is_none(),
            mcp: self.mcp,
            stopping: AtomicBool::new(false),
        };
        Ok((Arc::new(shared), self.metrics_at))
    }

    /// Answers as tools of a language model, in the Model Context Protocol on standard input and
    /// output, until the input ends.
    ///
    /// # Errors
    ///
    /// When threads cannot be started.
    pub async fn run_mcp(self) -> io::Result<()> {
        let (shared, _) = self.shared(None)?;
        mcp::Mcp::new(&shared).over_standard_streams().await
    }

    /// Answers requests until `shutdown` completes, then finishes the open ones.
    ///
    /// # Errors
    ///
    /// When threads cannot be started.
    pub async fn run(
        self,
        listener: impl Into<Listener>,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        self.run_with(listener, shutdown, |_| {}).await
    }
}

/// Answers requests until `shutdown` completes, then finishes the open ones: a [`Server`] with
/// nothing but limits.
///
/// # Errors
///
/// When threads cannot be started.
pub async fn serve(
    models: Models,
    limits: Limits,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    Server::new(models).limits(limits).run(listener, shutdown).await
}
