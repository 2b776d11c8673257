mod address;
mod signals;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use binder::output::Lock;
use binder::{Growth, Index, Model};
use binder_server::{Addition, Limits, Listener, Models, Reloader, Server, Tokens};
use clap::{Args, ValueEnum};

use self::address::Address;
use self::signals::{Hangups, stopped};
use crate::place::open_placer;
use crate::terminal::{bold, note, print};
use crate::{models, remedy};

/// `binder serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    sources: Sources,
    /// The address to listen on, or unix:PATH for a socket; the default is reachable only from this
    /// machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    addr: Address,
    /// Answer /metrics at this address instead
    #[arg(long, value_name = "ADDRESS")]
    metrics_addr: Option<Address>,
    /// A name that the server goes by, beside those of this machine; others are refused. * is any
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Answer only requests that have a token of this file, one a line, as Authorization: Bearer
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Let pages from here read answers, for example https://codes.example. * is any
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Let programs on this machine reload the models with POST /v1/admin/reload. SIGHUP always
    /// does
    #[arg(long)]
    allow_reload: bool,
    /// Let clients and the page add concepts to the model files with POST /v1/concepts. Without it
    /// nothing is ever written
    #[arg(long)]
    allow_write: bool,
    /// Answer language models at /mcp too (Model Context Protocol)
    #[arg(long)]
    mcp: bool,
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
    /// How long open requests may take after SIGTERM, in seconds. A second SIGTERM ends at once
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(0..=3600))]
    grace: u64,
    /// The maximum number of pairs in one batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch)]
    max_batch: usize,
    /// The maximum number of connections
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
}

/// What is asked, for `serve` and `mcp`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Sources {
    /// Model files, or data to encode first: a path, or a built-in such as wordnet
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<String>,
    /// A placer, for where unseen concepts belong
    #[arg(long, value_name = "PLACER")]
    pub(crate) place: Option<PathBuf>,
    /// The folder of the encoder that the placer was fitted with
    #[arg(long, value_name = "FOLDER", requires = "place")]
    pub(crate) encoder: Option<PathBuf>,
    /// Accept only whole names and alternative ids for concepts, no labels, synonyms or beginnings
    #[arg(long)]
    pub(crate) exact_names: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Level {
    Error,
    Info,
    Debug,
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    log(args);
    let server = server(args)?;
    // Long work has threads of its own; what is left for these is loading models anew.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().max_blocking_threads(2).enable_all().build()?;
    let ended = runtime.block_on(listen(args, server));
    // Work that was cut off must not keep the program from ending.
    runtime.shutdown_background();
    ended
}

fn server(args: &ServeArgs) -> anyhow::Result<Server> {
    let limits = Limits {
        time: Duration::from_secs(args.timeout),
        grace: Duration::from_secs(args.grace),
        batch: args.max_batch,
        connections: args.max_connections,
        ..Limits::default()
    };
    let sources = args.sources.clone();
    let load_again = move || sources.load().map_err(|error| remedy::message(&error));
    let mut server = Server::new(args.sources.load()?)
        .limits(limits)
        .hosts(args.host.iter().cloned())
        .origins(args.allow_origin.iter().cloned())
        .mcp(args.mcp)
        .reload_with(load_again, args.allow_reload);
    if args.allow_write {
        let sources = args.sources.clone();
        server =
            server.write_with(move |new| sources.add(new).map_err(|error| remedy::message(&error)));
    }
    if let Some(path) = &args.token_file {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let tokens = Tokens::parse(&text).with_context(|| path.display().to_string())?;
        server = server.tokens(tokens);
    }
    Ok(server)
}

async fn listen(args: &ServeArgs, mut server: Server) -> anyhow::Result<()> {
    let listener = args.addr.listen().await?;
    if let Some(address) = &args.metrics_addr {
        server = server.metrics_at(address.listen().await?);
    }
    announce(args, &listener)?;
    let (stop, hangups) = (stopped()?, Hangups::catch()?);
    let reload = |reloader| _ = tokio::spawn(reloads(hangups, reloader));
    server.run_with(listener, stop, reload).await?;
    args.addr.clean_up();
    Ok(())
}

/// Loads the models anew at every SIGHUP. The log says how it went.
async fn reloads(mut hangups: Hangups, reloader: Reloader) {
    while hangups.next().await.is_some() {
        let _ = reloader.reload().await;
    }
}

/// Says where the server is, and who can reach it.
fn announce(args: &ServeArgs, listener: &Listener) -> anyhow::Result<()> {
    let Some(address) = listener.address() else {
        return Ok(print(&format!("{}  (stop with Ctrl-C)\n", bold(&args.addr.to_string())))?);
    };
    if !address.ip().is_loopback() && args.token_file.is_none() {
        note(
            "every machine that can reach this address can send requests; --token-file asks for a \
             token",
        );
    }
    let url = bold(&format!("http://{address}"));
    Ok(print(&format!("{url}  (API: http://{address}/api; stop with Ctrl-C)\n"))?)
}

impl Sources {
    /// Opens or encodes the models.
    pub(crate) fn load(&self) -> anyhow::Result<Models> {
        let models = self.models.iter().map(|source| self.load_one(source));
        let models = models.collect::<anyhow::Result<Vec<_>>>()?;
        let open = |path: &PathBuf| open_placer(path, self.encoder.as_deref());
        let placer = self.place.as_ref().map(open).transpose()?;
        Ok(Models::new(models)?.with_placer(placer))
    }

    /// Opens or encodes a model.
    fn load_one(&self, source: &str) -> anyhow::Result<(String, Index)> {
        let index = models::index(Path::new(source))?;
        Ok((served_as(source), index.with_exact_names(self.exact_names)))
    }

    /// Adds a concept to the file of a model, as `binder add` does.
    fn add(&self, new: &Addition) -> anyhow::Result<()> {
        let found = self.models.iter().find(|source| served_as(source) == new.model);
        let path = Path::new(found.context("no such model")?);
        if !models::is_model(path) {
            anyhow::bail!(
                "{} is data, encoded for now; only model files can be added to",
                path.display()
            );
        }
        let _lock = Lock::wait_for(path)?;
        let model = Model::open(path)?;
        let mut growth = Growth::new(&model);
        match &new.expression {
            Some(text) => growth.add_expression(&new.name, text, &model.into_index())?,
            None => growth.add_all(vec![(new.name.clone(), new.parents.clone())])?,
        }
        if let Some(definition) = &new.definition {
            growth.define(&new.name, definition);
        }
        Ok(growth.finish(&())?.model.save(path)?)
    }
}

/// The name of a model: that of the file or the built-in.
fn served_as(source: &str) -> String {
    let stem = Path::new(source).file_stem();
    stem.map_or_else(|| source.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn log(args: &ServeArgs) {
    use tracing_subscriber::filter::{LevelFilter, Targets};
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;
    let level = match args.log {
        Level::Error => LevelFilter::ERROR,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
    };
    // The protocol's library logs every message as information.
    let quiet = Targets::new().with_default(level).with_target("rmcp", LevelFilter::ERROR);
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(colours)
        .with_writer(std::io::stderr);
    if args.log_json {
        log.json().finish().with(quiet).init();
    } else {
        log.with_target(false).finish().with(quiet).init();
    }
}
