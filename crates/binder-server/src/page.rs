//! The web page: the files of `web/`, embedded in the binary unchanged.

use std::borrow::Cow;
use std::path::PathBuf;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal $kind:literal),* $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../web/", $name)) }),*]
    };
}

static ASSETS: &[Asset] = assets! {
    "index.html" "text/html; charset=utf-8",
    "api.html" "text/html; charset=utf-8",
    "style.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "theme.js" "text/javascript; charset=utf-8",
    "main.js" "text/javascript; charset=utf-8",
    "api.js" "text/javascript; charset=utf-8",
    "dom.js" "text/javascript; charset=utf-8",
    "address.js" "text/javascript; charset=utf-8",
    "combobox.js" "text/javascript; charset=utf-8",
    "summaries.js" "text/javascript; charset=utf-8",
    "start.js" "text/javascript; charset=utf-8",
    "concept.js" "text/javascript; charset=utf-8",
    "bits.js" "text/javascript; charset=utf-8",
    "graph.js" "text/javascript; charset=utf-8",
    "isa.js" "text/javascript; charset=utf-8",
    "combine.js" "text/javascript; charset=utf-8",
    "fresh.js" "text/javascript; charset=utf-8",
    "similar.js" "text/javascript; charset=utf-8",
    "save.js" "text/javascript; charset=utf-8",
    "map.js" "text/javascript; charset=utf-8",
    "map-cells.js" "text/javascript; charset=utf-8",
    "map-view.js" "text/javascript; charset=utf-8",
    "map-draw.js" "text/javascript; charset=utf-8",
    "map-input.js" "text/javascript; charset=utf-8",
    "map-paint.js" "text/javascript; charset=utf-8",
    "reference.js" "text/javascript; charset=utf-8",
};

/// Nothing may be loaded from other hosts. Inline styles are allowed, because the page's scripts
/// set them.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) async fn index(headers: HeaderMap) -> Response {
    send("index.html", &headers)
}

pub(crate) async fn reference(headers: HeaderMap) -> Response {
    send("api.html", &headers)
}

pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    send(&name, &headers)
}

fn send(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return Problem::not_found(format!("there is no file {name:?}")).into_response();
    };
    let bytes = fresh(asset);
    let tag = format!("\"{}\"", env!("CARGO_PKG_VERSION").to_owned() + "-" + &checksum(&bytes));
    let known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == tag.as_bytes());
    let heads = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::ETAG, tag.as_str()),
    ];
    if known {
        (StatusCode::NOT_MODIFIED, heads).into_response()
    } else {
        (heads, bytes).into_response()
    }
}

/// The bytes of a file. Debug builds take them from the folder that `BINDER_WEB` names, if it is
/// set, so that the page can be changed without a build.
fn fresh(asset: &Asset) -> Cow<'static, [u8]> {
    if cfg!(debug_assertions) {
        let folder = std::env::var_os("BINDER_WEB").map(PathBuf::from);
        if let Some(bytes) = folder.and_then(|web| std::fs::read(web.join(asset.name)).ok()) {
            return Cow::Owned(bytes);
        }
    }
    Cow::Borrowed(asset.bytes)
}

/// FNV-1a: enough to distinguish the files of different builds.
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
