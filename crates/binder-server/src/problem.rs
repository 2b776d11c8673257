use std::any::Any;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use binder::query::QueryError;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::Limits;

/// Why a request failed: a problem document (RFC 9457).
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// The kind of problem, as a path on this server.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The kind in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request, and what to do about it.
    detail: String,
    /// Similar names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<String>,
    /// When to try again, in seconds: the header `Retry-After`.
    #[serde(skip)]
    retry_after: Option<u16>,
    /// How to authenticate: the header `WWW-Authenticate`.
    #[serde(skip)]
    authenticate: bool,
}

/// The problems that a question can cause.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "used only for the OpenAPI document")]
pub(crate) enum Refusals {
    /// The request cannot be read, or asks for too much
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(Problem),
    /// There is no such concept or model
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The text is the beginning of several names
    #[response(status = 409, content_type = "application/problem+json")]
    Ambiguous(Problem),
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        kind: &'static str,
        title: &'static str,
        detail: String,
    ) -> Self {
        Self {
            kind,
            title,
            status: status.as_u16(),
            detail,
            suggestions: Vec::new(),
            retry_after: None,
            authenticate: false,
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "/problems/bad-request",
            "The request cannot be read",
            detail.into(),
        )
    }

    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "/problems/too-large",
            "The request asks for too much",
            detail.into(),
        )
    }

    /// A request that has used up its time.
    pub(crate) fn too_slow() -> Self {
        let title = "The request took too long";
        let detail = "the request exceeded the timeout; ask for less, or try again later";
        Self::unavailable("/problems/too-slow", title, detail.to_owned())
    }

    /// A question for which there is no place in a lane.
    pub(crate) fn busy(lane: &str) -> Self {
        let title = "The server is busy";
        let detail = format!("too many {lane} questions wait already; try again in a second");
        Self::unavailable("/problems/busy", title, detail)
    }

    pub(crate) fn too_many_connections() -> Self {
        let title = "The server is busy";
        let detail = "there are too many connections; try again in a second";
        Self::unavailable("/problems/busy", title, detail.to_owned())
    }

    pub(crate) fn stopping() -> Self {
        let detail = "the server is stopping; ask another".to_owned();
        Self::unavailable("/problems/stopping", "The server is stopping", detail)
    }

    /// A problem that will pass.
    fn unavailable(kind: &'static str, title: &'static str, detail: String) -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Self { retry_after: Some(1), ..Self::new(status, kind, title, detail) }
    }

    pub(crate) fn address_too_long() -> Self {
        Self::new(
            StatusCode::URI_TOO_LONG,
            "/problems/address-too-long",
            "The address is too long",
            format!("at most {} bytes are allowed; send a POST request", Limits::ADDRESS),
        )
    }

    pub(crate) fn headers_too_large() -> Self {
        Self::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "/problems/headers-too-large",
            "The headers are too large",
            format!("at most {} bytes and 100 headers are allowed", Limits::HEADERS),
        )
    }

    pub(crate) fn unknown_host(host: &str) -> Self {
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "/problems/unknown-host",
            "The server does not go by this name",
            format!(
                "the header Host says {host:?}; start the server with --host {host} to allow it"
            ),
        )
    }

    pub(crate) fn no_token() -> Self {
        let problem = Self::new(
            StatusCode::UNAUTHORIZED,
            "/problems/no-token",
            "A token is needed",
            "send the header Authorization: Bearer TOKEN, or open /?token=TOKEN in a browser"
                .to_owned(),
        );
        Self { authenticate: true, ..problem }
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        let title = "This is not allowed";
        Self::new(StatusCode::FORBIDDEN, "/problems/forbidden", title, detail.into())
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        let title = "Something else is being done";
        Self::new(StatusCode::CONFLICT, "/problems/conflict", title, detail.into())
    }

    pub(crate) fn panicked() -> Self {
        Self::internal("please report what you asked for")
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "/problems/not-found",
            "There is no such thing",
            detail.into(),
        )
    }

    pub(crate) fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "/problems/internal",
            "The server failed",
            detail.into(),
        )
    }

    /// What is wrong and what to do about it, in words.
    pub(crate) fn message(&self) -> String {
        self.detail.clone()
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Self {
        let detail = error.to_string();
        match error {
            QueryError::Unknown { nearest, .. } => Self {
                suggestions: nearest,
                ..Self::new(
                    StatusCode::NOT_FOUND,
                    "/problems/unknown-concept",
                    "There is no such concept",
                    detail,
                )
            },
            QueryError::Ambiguous { candidates, .. } => Self {
                suggestions: candidates,
                ..Self::new(
                    StatusCode::CONFLICT,
                    "/problems/ambiguous-concept",
                    "Several concepts may be meant",
                    detail,
                )
            },
            _ => Self::bad_request(detail),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, MEDIA_TYPE)];
        let mut response = (self.status(), kind, body).into_response();
        let heads = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            heads.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.authenticate {
            heads.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

const MEDIA_TYPE: &str = "application/problem+json";

impl Problem {
    /// The whole answer as it is sent where there is no one else to send it. The connection ends.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (status, body) = (self.status(), serde_json::to_string(self).unwrap_or_default());
        let retry = self.retry_after.map_or(String::new(), |s| format!("retry-after: {s}\r\n"));
        let (reason, length) = (status.canonical_reason().unwrap_or_default(), body.len());
        format!(
            "HTTP/1.1 {} {reason}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {length}\r\n\
             {retry}connection: close\r\n\r\n{body}",
            status.as_u16(),
        )
        .into_bytes()
    }
}

/// Logs a panic, which is a bug in the server.
pub(crate) fn log_panic(payload: Box<dyn Any + Send>) {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    tracing::error!(panic = text.unwrap_or_default(), "a request panicked");
}
