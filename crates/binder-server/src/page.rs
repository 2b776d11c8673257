//! The web page: the files of `web/`, embedded in the binary unchanged.

use std::path::PathBuf;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::packed::Packed;
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

/// The files, compressed, in the order of the list.
static PACKED: LazyLock<Vec<Option<Packed>>> = LazyLock::new(|| {
    ASSETS.iter().map(|asset| Packed::new(asset.kind, asset.bytes).ok()).collect()
});

/// Compresses the files now, so that no request has to wait for it.
pub(crate) fn warm_up() {
    LazyLock::force(&PACKED);
}

fn send(name: &str, headers: &HeaderMap) -> Response {
    let place = ASSETS.iter().position(|asset| asset.name == name);
    let changed = place.and_then(|at| changed(&ASSETS[at]));
    let Some(packed) = changed.as_ref().or_else(|| PACKED[place?].as_ref()) else {
        return Problem::not_found(format!("there is no file {name:?}")).into_response();
    };
    let mut response = packed.answer(headers);
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A file as it is now. Debug builds take it from the folder that `BINDER_WEB` names, if that is
/// set, so that the page can be changed without a build.
fn changed(asset: &Asset) -> Option<Packed> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let folder = PathBuf::from(std::env::var_os("BINDER_WEB")?);
    Packed::new(asset.kind, std::fs::read(folder.join(asset.name)).ok()?).ok()
}
