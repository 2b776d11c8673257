use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use binder::query::QueryError;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

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
        Self { kind, title, status: status.as_u16(), detail, suggestions: Vec::new() }
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

    pub(crate) fn too_slow() -> Self {
        let detail = "the request exceeded the timeout; ask for less".to_owned();
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "/problems/too-slow",
            "The request took too long",
            detail,
        )
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
        (self.status(), [(header::CONTENT_TYPE, "application/problem+json")], body).into_response()
    }
}
