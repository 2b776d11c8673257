use binder_server::{Limits, Server};
use clap::Args;

use crate::serve::Sources;

/// `binder mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    sources: Sources,
}

/// Answers on standard input and output. Notes and progress go to standard error, where clients
/// keep them as a log.
pub(crate) fn run(args: &McpArgs) -> anyhow::Result<()> {
    let server = Server::new(args.sources.load()?).limits(Limits::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(server.run_mcp());
    runtime.shutdown_background();
    Ok(ended?)
}
