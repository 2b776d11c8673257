//! Who may ask: the names that the server goes by, tokens, and pages from elsewhere.
//!
//! A page from elsewhere can make a browser send requests to this machine, and with a name of its
//! own that leads here (DNS rebinding) it could read the answers. Such requests carry that name in
//! `Host`, so only known names are answered.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::http::header::{AUTHORIZATION, COOKIE, HOST};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::problem::Problem;

/// What decides who may ask.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate {
    pub(crate) hosts: Hosts,
    pub(crate) tokens: Tokens,
    pub(crate) origins: Vec<String>,
}

/// The names that the server goes by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hosts {
    /// Names beside those of this machine; `*` is any.
    pub(crate) names: Vec<String>,
    /// The address that it listens on. Without one it is a socket of the file system, which no
    /// browser reaches.
    pub(crate) address: Option<SocketAddr>,
}

impl Hosts {
    /// Refuses a request for a host that is not known.
    pub(crate) fn check(&self, parts: &Parts) -> Result<(), Problem> {
        if self.address.is_none() {
            return Ok(());
        }
        let given = parts.headers.get(HOST).map(HeaderValue::to_str);
        let host = match (parts.uri.authority(), given) {
            (Some(authority), _) => authority.host().to_owned(),
            (None, Some(Ok(host))) => match host.parse::<Authority>() {
                Ok(authority) => authority.host().to_owned(),
                Err(_) => return Err(Problem::bad_request("the header Host is not a host")),
            },
            (None, Some(Err(_))) => {
                return Err(Problem::bad_request("the header Host is not a host"));
            }
            // Browsers always send one.
            (None, None) if parts.version == Version::HTTP_10 => return Ok(()),
            (None, None) => return Err(Problem::bad_request("the header Host is missing")),
        };
        if self.knows(&host) { Ok(()) } else { Err(Problem::unknown_host(&host)) }
    }

    fn knows(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let listed = self.names.iter().any(|name| name == "*" || name.eq_ignore_ascii_case(&host));
        listed || host == "localhost" || host.ends_with(".localhost") || self.is_own(&host)
    }

    /// Whether it is an address that leads here. On all addresses of a machine, any will do: names
    /// can be made to lead elsewhere, addresses cannot.
    fn is_own(&self, host: &str) -> bool {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let Ok(host) = host.parse::<IpAddr>().map(|host| host.to_canonical()) else { return false };
        let own = |address: SocketAddr| {
            let ip = address.ip().to_canonical();
            ip == host || ip.is_unspecified()
        };
        host.is_loopback() || self.address.is_some_and(own)
    }
}

/// Tokens, one of which a request must carry. Without any, everyone may ask.
#[derive(Clone, Default)]
pub struct Tokens(Vec<String>);

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

/// Why a text has no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// There is none.
    #[error("there is no token; write one on a line, for example from openssl rand -hex 32")]
    None,
    /// One could be guessed.
    #[error("a token is shorter than 16 characters; openssl rand -hex 32 makes a good one")]
    Short,
    /// One cannot be sent in a header.
    #[error("a token has characters other than letters, digits and -._~+/=")]
    Characters,
}

/// The cookie that a browser gets after it has opened an address with `?token=…`.
const TOKEN_COOKIE: &str = "binder-token";

impl Tokens {
    /// Reads tokens, one a line.
    ///
    /// # Errors
    ///
    /// When there is none, or one that can be guessed or not be sent.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let tokens: Vec<String> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let sendable = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
        match () {
            () if tokens.is_empty() => Err(TokenError::None),
            () if tokens.iter().any(|token| token.len() < 16) => Err(TokenError::Short),
            () if !tokens.iter().all(|token| token.chars().all(sendable)) => {
                Err(TokenError::Characters)
            }
            () => Ok(Self(tokens)),
        }
    }

    /// What is answered to a request without a token, in the header `Authorization` or a cookie;
    /// nothing if it has one. A browser that opens an address with `?token=…` gets the cookie.
    pub(crate) fn refusal(&self, parts: &Parts) -> Option<Response> {
        if self.0.is_empty() || is_open(parts.uri.path()) {
            return None;
        }
        if bearer(&parts.headers).chain(cookies(&parts.headers)).any(|token| self.has(token)) {
            return None;
        }
        let given = parts.uri.query().unwrap_or_default().split('&');
        let mut tokens = given.filter_map(|part| part.strip_prefix("token="));
        match tokens.find(|token| self.has(token)) {
            Some(token) if parts.method == Method::GET => Some(with_cookie(parts, token)),
            _ => Some(Problem::no_token().into_response()),
        }
    }

    fn has(&self, given: &str) -> bool {
        self.0.iter().any(|token| equal(token.as_bytes(), given.as_bytes()))
    }
}

/// What needs no token, because those who watch over servers have none.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

fn bearer(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(AUTHORIZATION).iter().filter_map(|value| value.to_str().ok());
    values.filter_map(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    })
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = values.flat_map(|value| value.split(';'));
    cookies.filter_map(|cookie| cookie.trim().strip_prefix(TOKEN_COOKIE)?.strip_prefix('='))
}

/// Sends the browser to the same address without the token, with a cookie that has it.
fn with_cookie(parts: &Parts, token: &str) -> Response {
    let rest: Vec<&str> = parts.uri.query().unwrap_or_default().split('&').collect();
    let rest: Vec<&str> = rest.into_iter().filter(|part| !part.starts_with("token=")).collect();
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    // Two slashes at the beginning would lead to another host.
    let place = format!("/{}{query}", parts.uri.path().trim_start_matches('/'));
    let cookie = format!("{TOKEN_COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
    let heads = [(header::LOCATION, place), (header::SET_COOKIE, cookie)];
    (StatusCode::SEE_OTHER, heads).into_response()
}

/// Compares in a time that does not depend on where the texts differ.
fn equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

impl Gate {
    /// Lets pages of the allowed origins read answers; without any, none.
    pub(crate) fn cors(&self) -> Option<CorsLayer> {
        if self.origins.is_empty() {
            return None;
        }
        let origins = match self.origins.iter().any(|origin| origin == "*") {
            true => AllowOrigin::any(),
            false => AllowOrigin::list(
                self.origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()),
            ),
        };
        Some(
            CorsLayer::new()
                .allow_origin(origins)
                .allow_methods([Method::GET, Method::HEAD, Method::POST])
                .allow_headers([AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH])
                .expose_headers([header::ETAG, header::RETRY_AFTER])
                .max_age(Duration::from_secs(600)),
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::{Hosts, TokenError, Tokens};

    fn knows(address: &str, names: &[&str], host: &str) -> bool {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Hosts { names, address: Some(address.parse().unwrap()) }.knows(host)
    }

    #[test]
    fn only_names_of_this_machine_and_given_ones_are_known() {
        for host in ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"] {
            assert!(knows("127.0.0.1:80", &[], host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "10.0.0.1", "1.evil", ""] {
            assert!(!knows("127.0.0.1:80", &[], host), "{host}");
        }
        assert!(knows("10.0.0.1:80", &[], "10.0.0.1") && !knows("10.0.0.1:80", &[], "10.0.0.2"));
        assert!(knows("0.0.0.0:80", &[], "10.0.0.2") && !knows("0.0.0.0:80", &[], "evil.example"));
        assert!(knows("127.0.0.1:80", &["codes.example"], "Codes.Example"));
        assert!(knows("127.0.0.1:80", &["*"], "evil.example"));
    }

    #[test]
    fn tokens_are_checked_when_they_are_read() {
        let tokens = Tokens::parse("0123456789abcdef\n\n fedcba9876543210 \n").unwrap();
        assert!(
            tokens.has("fedcba9876543210") && !tokens.has("fedcba987654321") && !tokens.has("")
        );
        assert_eq!(Tokens::parse(" \n").unwrap_err(), TokenError::None);
        assert_eq!(Tokens::parse("secret").unwrap_err(), TokenError::Short);
        assert_eq!(Tokens::parse("a token with spaces in it").unwrap_err(), TokenError::Characters);
    }
}
