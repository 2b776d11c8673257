//! Entity tags: whether a client has an answer already (RFC 9110, 13.1.2).

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::{HeaderMap, header};

/// `If-None-Match: *`: the client has some version of it.
pub(crate) const ANY: &str = "*";

/// A tag that a client sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a>(&'a str);

impl<'a> Tag<'a> {
    /// The tag without quotes. Whether it is weak does not matter to `If-None-Match`.
    pub(crate) fn opaque(self) -> &'a str {
        self.0
    }
}

/// The tags that a client has. Tags have no commas here, so splitting at commas finds all of ours.
pub(crate) fn if_none_match(headers: &HeaderMap) -> impl Iterator<Item = Tag<'_>> {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    let parts = values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    parts.filter_map(|part| {
        let part = part.trim();
        let quoted = part.strip_prefix("W/").unwrap_or(part);
        let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inner.or((part == ANY).then_some(ANY)).map(Tag)
    })
}

/// The tag of some content, for as long as the program is the same.
pub(crate) fn of_content(content: &[u8]) -> String {
    of(&(env!("CARGO_PKG_VERSION"), content))
}

/// The tag of an answer: it follows from the models that were loaded and from the question.
pub(crate) fn of_question(load: u64, question: &str) -> String {
    of(&(load, question))
}

fn of(what: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::if_none_match;

    #[test]
    fn lists_and_weak_tags_are_read() {
        let mut headers = HeaderMap::new();
        headers.append(header::IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b\" ,c"));
        headers.append(header::IF_NONE_MATCH, HeaderValue::from_static("*"));
        let tags: Vec<&str> = if_none_match(&headers).map(super::Tag::opaque).collect();
        assert_eq!(tags, ["a", "b", "*"]);
    }
}
