//! How an answer leaves: worked out, serialised and compressed in a lane.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;

use super::parameters::Asking;
use crate::Shared;
use crate::encoding::{Effort, Encoding};
use crate::lanes::Lane;
use crate::problem::Problem;
use crate::slices::Slices;

/// An answer, or why there is none.
pub(crate) type Answer = Result<Response, Problem>;

/// How a client wants its answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wants {
    encoding: Encoding,
    /// As lines of JSON, one for each concept.
    pub(crate) lines: bool,
}

/// The media type of lines of JSON.
pub(crate) const LINES: &str = "application/x-ndjson";

impl<S: Send + Sync> FromRequestParts<S> for Wants {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self {
            encoding: Encoding::accepted(&parts.headers),
            lines: wants_lines(&parts.headers),
        })
    }
}

fn wants_lines(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case(LINES)
    })
}

/// Shorter answers are sent as they are: they fit into one packet.
const SHORT: usize = 1 << 10;

impl Wants {
    /// An answer as JSON.
    pub(crate) fn json(self, answer: &impl Serialize) -> Answer {
        let json = serde_json::to_vec(answer)
            .map_err(|error| Problem::internal(format!("the answer is not JSON: {error}")))?;
        let encoding = if json.len() < SHORT { Encoding::Plain } else { self.encoding };
        let body = match encoding {
            Encoding::Plain => json,
            packed => packed
                .pack(&json, Effort::Once)
                .map_err(|error| Problem::internal(format!("compression failed: {error}")))?,
        };
        let mut response = Response::new(Slices::body(Bytes::from(body)));
        let heads = response.headers_mut();
        heads.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        heads.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept"));
        if let Some(name) = encoding.header() {
            heads.insert(header::CONTENT_ENCODING, name);
        }
        Ok(response)
    }
}

impl Shared {
    /// Answers a question of micro- or milliseconds.
    pub(crate) async fn quick<T: Serialize>(
        self: &Arc<Self>,
        wants: Wants,
        work: impl FnOnce(&Asking) -> Result<T, Problem> + Send + 'static,
    ) -> Answer {
        self.answer(&self.lanes.quick, wants, work).await
    }

    /// Answers a question that may take longer.
    pub(crate) async fn long<T: Serialize>(
        self: &Arc<Self>,
        wants: Wants,
        work: impl FnOnce(&Asking) -> Result<T, Problem> + Send + 'static,
    ) -> Answer {
        self.answer(&self.lanes.long, wants, work).await
    }

    async fn answer<T: Serialize>(
        self: &Arc<Self>,
        lane: &Lane,
        wants: Wants,
        work: impl FnOnce(&Asking) -> Result<T, Problem> + Send + 'static,
    ) -> Answer {
        let shared = Arc::clone(self);
        lane.run(move |stop| {
            let asking = shared.asking(stop.clone());
            let answer = work(&asking)?;
            asking.go_on()?;
            wants.json(&answer)
        })
        .await?
    }
}
