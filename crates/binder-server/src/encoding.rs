//! Compression of answers, and what a client accepts of it.

use std::io::{self, Write};

use axum::http::{HeaderMap, HeaderValue, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// How a body is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Plain,
    Gzip,
    Zstd,
}

/// How much work compression may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For an answer that is sent once.
    Once,
    /// For what is kept and sent often.
    Kept,
}

/// Kept bodies up to this size get the best compression; larger ones would take seconds.
const SMALL: usize = 1 << 18;

impl Encoding {
    /// The best encoding that a client accepts: that with the highest weight, of equal ones zstd.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let (mut best, mut weight) = (Self::Plain, 0.0);
        let values = headers.get_all(header::ACCEPT_ENCODING).iter();
        let texts = values.filter_map(|value| value.to_str().ok());
        for part in texts.flat_map(|text| text.split(',')) {
            let (name, parameters) = part.split_once(';').unwrap_or((part, ""));
            let encoding = match name.trim().to_ascii_lowercase().as_str() {
                "zstd" => Self::Zstd,
                "gzip" | "x-gzip" | "*" => Self::Gzip,
                _ => continue,
            };
            let given = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.parse().ok());
            let given: f32 = given.unwrap_or(0.0);
            if given > weight || (given > 0.0 && given >= weight && encoding == Self::Zstd) {
                (best, weight) = (encoding, given);
            }
        }
        best
    }

    /// The value of `Content-Encoding`.
    pub(crate) fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Plain => None,
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
            Self::Zstd => Some(HeaderValue::from_static("zstd")),
        }
    }

    /// Compresses a body.
    pub(crate) fn pack(self, body: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let small = body.len() <= SMALL;
        let (gzip, zstd) = match effort {
            Effort::Once => (1, 1),
            Effort::Kept if small => (9, 19),
            Effort::Kept => (6, 6),
        };
        match self {
            Self::Plain => Ok(body.to_vec()),
            Self::Gzip => {
                let capacity = Vec::with_capacity(body.len() / 4);
                let mut encoder = GzEncoder::new(capacity, Compression::new(gzip));
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::Zstd => zstd::bulk::compress(body, zstd),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::Encoding;

    fn accepted(value: &'static str) -> Encoding {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        Encoding::accepted(&headers)
    }

    #[test]
    fn the_best_accepted_encoding_is_taken() {
        assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Plain);
        assert_eq!(accepted("gzip, deflate, br, zstd"), Encoding::Zstd);
        assert_eq!(accepted("zstd, gzip"), Encoding::Zstd);
        assert_eq!(accepted("GZIP"), Encoding::Gzip);
        assert_eq!(accepted("zstd;q=0.5, gzip;q=0.8"), Encoding::Gzip);
        assert_eq!(accepted("gzip;q=0"), Encoding::Plain);
        assert_eq!(accepted("gzip; q=nonsense, identity"), Encoding::Plain);
        assert_eq!(accepted("br, deflate"), Encoding::Plain);
        assert_eq!(accepted("*"), Encoding::Gzip);
    }
}
