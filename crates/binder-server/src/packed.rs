//! Bodies that are made and compressed once, and sent often.

use std::io;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use crate::encoding::{Effort, Encoding};
use crate::slices::Slices;
use crate::tags::{self, Tag};

/// A body in every encoding, with the tag of its content.
#[derive(Debug)]
pub(crate) struct Packed {
    kind: &'static str,
    tag: String,
    plain: Bytes,
    gzip: Bytes,
    zstd: Bytes,
}

impl Packed {
    /// Compresses a body of this media type.
    pub(crate) fn new(kind: &'static str, plain: impl Into<Bytes>) -> io::Result<Self> {
        let plain = plain.into();
        let pack = |encoding: Encoding| encoding.pack(&plain, Effort::Kept).map(Bytes::from);
        let (gzip, zstd) = (pack(Encoding::Gzip)?, pack(Encoding::Zstd)?);
        Ok(Self { kind, tag: tags::of_content(&plain), plain, gzip, zstd })
    }

    /// The body as the client accepts it, or only the news that it has not changed. A client always
    /// asks whether it has, because the address stays the same when the content changes.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let encoding = Encoding::accepted(headers);
        let body = match encoding {
            Encoding::Plain => &self.plain,
            Encoding::Gzip => &self.gzip,
            Encoding::Zstd => &self.zstd,
        };
        let known = |tag: &Tag<'_>| self.is_tag(tag.opaque());
        let mut response = Response::new(Body::empty());
        if tags::if_none_match(headers).any(|tag| known(&tag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.body_mut() = Slices::body(body.clone());
            let heads = response.headers_mut();
            heads.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
            encoding.header().into_iter().for_each(|name| {
                heads.insert(header::CONTENT_ENCODING, name);
            });
        }
        let heads = response.headers_mut();
        heads.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        heads.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        let tag = self.tag_in(encoding);
        HeaderValue::try_from(tag).into_iter().for_each(|tag| _ = heads.insert(header::ETAG, tag));
        response
    }

    /// Bytes that differ have tags that differ: an encoding has its own.
    fn tag_in(&self, encoding: Encoding) -> String {
        match encoding {
            Encoding::Plain => format!("\"{}\"", self.tag),
            Encoding::Gzip => format!("\"{}-gzip\"", self.tag),
            Encoding::Zstd => format!("\"{}-zstd\"", self.tag),
        }
    }

    /// Whether a tag is that of this content, in any encoding.
    fn is_tag(&self, opaque: &str) -> bool {
        let rest = opaque.strip_prefix(&self.tag);
        matches!(rest, Some("" | "-gzip" | "-zstd")) || opaque == tags::ANY
    }
}
