//! Connections: accepted up to a number, ended when they are idle, and let go at shutdown.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower_service::Service;

use crate::Limits;
use crate::metrics::Counted;
use crate::problem::Problem;
use crate::stream::Stream;

/// Where connections come from.
#[derive(Debug)]
pub enum Listener {
    /// A port.
    Tcp(TcpListener),
    /// A socket in the file system, where the system has such.
    #[cfg(unix)]
    Unix(UnixListener),
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

#[cfg(unix)]
impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Self {
        Self::Unix(listener)
    }
}

/// Who has sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A program that may write to the socket's file.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no such sockets"))]
    Local,
    /// A machine.
    Remote(SocketAddr),
}

impl Peer {
    /// Whether it is a program on this machine.
    pub(crate) fn is_here(self) -> bool {
        match self {
            Self::Local => true,
            Self::Remote(address) => address.ip().to_canonical().is_loopback(),
        }
    }
}

enum Accepted {
    Tcp(TcpStream, SocketAddr),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Listener {
    async fn accept(&self) -> io::Result<Accepted> {
        Ok(match self {
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                // Small answers must not wait for an acknowledgement.
                let _ = stream.set_nodelay(true);
                Accepted::Tcp(stream, address)
            }
            #[cfg(unix)]
            Self::Unix(listener) => Accepted::Unix(listener.accept().await?.0),
        })
    }

    /// The address of a port.
    pub fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }
}

/// What a connection needs.
#[derive(Clone)]
struct Line {
    router: Router,
    limits: Limits,
    stopping: watch::Receiver<bool>,
}

/// Answers what comes over connections until `stop` completes. Then open requests are answered, and
/// what is still open after the grace period is cut off.
pub(crate) async fn answer(
    listener: Listener,
    router: Router,
    limits: Limits,
    open: &Gauge,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let (graceful, mut tasks) = (GracefulShutdown::new(), JoinSet::new());
    let (stopping, watched) = watch::channel(false);
    let line = Line { router, limits, stopping: watched };
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
            () = &mut stop => break,
        };
        match accepted {
            Ok(accepted) if tasks.len() < limits.connections => {
                let (counted, watcher) = (Counted::new(open), graceful.watcher());
                let line = line.clone();
                tasks.spawn(async move {
                    let _counted = counted;
                    line.serve_accepted(accepted, watcher).await;
                });
            }
            Ok(accepted) => refuse(&accepted),
            Err(error) => recover(&error).await,
        }
    }
    drop(listener);
    let _ = stopping.send(true);
    let finished = async {
        graceful.shutdown().await;
        while tasks.join_next().await.is_some() {}
    };
    if tokio::time::timeout(limits.grace, finished).await.is_err() {
        tracing::info!("connections are still open after the grace period; they are closed");
    }
    Ok(())
}

/// A failure to accept: of one connection, or because there are too many files open.
async fn recover(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "a connection cannot be accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Tells a client that there are too many connections. It fits into the socket's buffer, so nothing
/// waits.
fn refuse(accepted: &Accepted) {
    let answer = Problem::too_many_connections().to_bytes();
    let _ = match accepted {
        Accepted::Tcp(stream, _) => stream.try_write(&answer),
        #[cfg(unix)]
        Accepted::Unix(stream) => stream.try_write(&answer),
    };
}

impl Line {
    async fn serve_accepted(self, accepted: Accepted, watcher: Watcher) {
        match accepted {
            Accepted::Tcp(stream, address) => {
                self.serve(stream, Peer::Remote(address), watcher).await;
            }
            #[cfg(unix)]
            Accepted::Unix(stream) => self.serve(stream, Peer::Local, watcher).await,
        }
    }

    /// Answers the requests of one connection. Errors of a connection are the client's.
    async fn serve<S>(mut self, stream: S, peer: Peer, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut stream = Stream::new(stream, self.limits.idle);
        // hyper's own time-outs begin later.
        let first = tokio::time::timeout(self.limits.head, stream.is_http2());
        let http2 = tokio::select! {
            // What was sent before the end is answered.
            biased;
            first = first => match first {
                Ok(Ok(http2)) => http2,
                _ => return,
            },
            _ = self.stopping.wait_for(|stopping| *stopping) => return,
        };
        let router = self.router;
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            router.clone().call(request)
        });
        let stream = TokioIo::new(stream);
        // In boxes, so that a connection that only waits takes no more than it needs.
        if http2 {
            let connection = http2::Builder::new(TokioExecutor::new())
                .timer(TokioTimer::new())
                .max_concurrent_streams(STREAMS)
                .max_header_list_size(Limits::HEADERS)
                .keep_alive_interval(self.limits.idle)
                .keep_alive_timeout(self.limits.head)
                .serve_connection(stream, service);
            let _ = Box::pin(watcher.watch(connection)).await;
        } else {
            // The head of the next request is awaited for as long as a head may take.
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.limits.head)
                .max_buf_size(BUFFER)
                .serve_connection(stream, service);
            let _ = Box::pin(watcher.watch(connection)).await;
        }
    }
}

/// Requests that one HTTP/2 connection may have open.
const STREAMS: u32 = 256;
/// The largest head that is read. What is larger than [`Limits::HEADERS`] gets a problem document.
const BUFFER: usize = 1 << 18;
