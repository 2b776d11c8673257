use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use binder::Index;
use binder::place::Placer;
use binder_server::{Limits, Models};
use clap::{Args, ValueEnum};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::models;
use crate::terminal::{bold, note, print};

/// `binder serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Model files, or data to encode first: a path, or a built-in such as wordnet
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<String>,
    /// A placer, for POST /v1/place: where unseen concepts belong
    #[arg(long, value_name = "PLACER")]
    place: Option<PathBuf>,
    /// The address to listen on; the default is reachable only from this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    addr: SocketAddr,
    /// The log level, on standard error; debug logs every request
    #[arg(long, value_enum, default_value_t = Level::Info)]
    log: Level,
    /// Write the log as JSON lines
    #[arg(long)]
    log_json: bool,
    /// The timeout of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// The maximum number of pairs in one batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch)]
    max_batch: usize,
    /// Accept only whole names and alternative ids for concepts, no labels, synonyms or beginnings
    #[arg(long)]
    exact_names: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Level {
    Error,
    Info,
    Debug,
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    log(args);
    let models = args.models.iter().map(|source| load(source, args.exact_names));
    let models = models.collect::<anyhow::Result<Vec<_>>>()?;
    let placer = args.place.as_ref().map(Placer::open).transpose()?;
    let models = Models::new(models)?.with_placer(placer);
    let limits = Limits {
        time: Duration::from_secs(args.timeout),
        batch: args.max_batch,
        ..Limits::default()
    };
    // Long requests run on blocking threads. Their number is limited to what speeds things up,
    // because each thread keeps scratch space.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(2 * cores)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(args.addr)
            .await
            .with_context(|| format!("{}: cannot listen", args.addr))?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            note("every machine that can reach this address can send requests");
        }
        print(&format!(
            "{}  (API: http://{address}/api; stop with Ctrl-C)\n",
            bold(&format!("http://{address}"))
        ))?;
        binder_server::serve(models, limits, listener, stopped()?).await?;
        Ok(())
    })
}

/// Opens or encodes a model, and names it after the file or the built-in.
fn load(source: &str, exact_names: bool) -> anyhow::Result<(String, Index)> {
    let path = Path::new(source);
    let name = path.file_stem().map_or_else(|| source.into(), |stem| stem.to_string_lossy());
    Ok((name.into_owned(), models::index(path)?.with_exact_names(exact_names)))
}

/// Completes when the server is asked to stop, by Ctrl-C or SIGTERM.
fn stopped() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        note("stopping after the open requests");
    })
}

fn log(args: &ServeArgs) {
    use tracing_subscriber::filter::LevelFilter;
    let level = match args.log {
        Level::Error => LevelFilter::ERROR,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    if args.log_json { log.json().init() } else { log.with_target(false).init() }
}
