//! The Model Context Protocol: the same questions as tools of a language model.
//!
//! Answers are short texts that begin with how words were understood. What cannot be answered is a
//! result too, one that says what to do instead, because a model reads results and not protocol
//! errors.

mod arguments;
mod tools;

use std::io;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

use crate::Shared;
use tools::{TOOLS, Told};

/// The tools of a server.
#[derive(Debug, Clone)]
pub(crate) struct Mcp(Arc<Shared>);

impl Mcp {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self(Arc::clone(shared))
    }

    /// Answers on standard input and output until the input ends.
    pub(crate) async fn over_standard_streams(self) -> io::Result<()> {
        let session = self.serve(rmcp::transport::io::stdio_pipes()).await;
        // An input that ends before a greeting is an end like any other.
        let Ok(session) = session else { return Ok(()) };
        session.waiting().await.map(|_| ()).map_err(io::Error::other)
    }

    /// Answers over HTTP. There are no sessions: every request stands for itself. Hosts and origins
    /// are checked for all routes alike.
    pub(crate) fn over_http(self) -> StreamableHttpService<Self, NeverSessionManager> {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(self.0.limits.body)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        StreamableHttpService::new(move || Ok(self.clone()), Arc::default(), config)
    }

    /// The tools that there are here: one needs a placer.
    fn tools(&self) -> impl Iterator<Item = &'static tools::Entry> {
        let places = self.0.models().placer().is_some();
        TOOLS.iter().filter(move |tool| places || !tool.needs_placer)
    }

    async fn answer(&self, tool: &'static tools::Entry, arguments: Value) -> Told {
        let shared = Arc::clone(&self.0);
        let work =
            move |stop: &crate::lanes::Stop| (tool.answer)(&shared.asking(stop.clone()), arguments);
        let told = self.0.lanes.quick.run(work);
        match tokio::time::timeout(self.0.limits.time, told).await {
            Ok(Ok(told)) => told,
            Ok(Err(problem)) => Err(problem.message()),
            Err(_) => Err("this took too long; ask for less".to_owned()),
        }
    }
}

/// What a model is told about the tools together.
const INSTRUCTIONS: &str = "Binder answers questions about a hierarchy of concepts: what is a kind \
    of what. Concepts are given by name (dog.n.01), label, synonym or identifier. Where a word has \
    several senses, the likeliest is taken and the answer says so; use search to see the others and \
    then the exact name. Lists come in pages: pass the cursor of one answer to get the next.";

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("binder", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let described = |tool: &tools::Entry| {
            let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
            Tool::new(tool.name, tool.description, (tool.schema)()).with_annotations(hints)
        };
        Ok(ListToolsResult::with_all_items(self.tools().map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let message = format!("no tool is called {:?}; use {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match self.answer(tool, arguments).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        };
        Ok(result.into())
    }
}
