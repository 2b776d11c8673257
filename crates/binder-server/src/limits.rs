use std::time::Duration;

/// Limits of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of a body in bytes.
    pub body: usize,
    /// The maximum number of pairs in a batch.
    pub batch: usize,
    /// The maximum number of concepts on a page of results.
    pub page: usize,
    /// The maximum number of concepts, or of characters of an expression, in one question.
    pub question: usize,
    /// The timeout of a request.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            batch: 200_000,
            page: 10_000,
            question: 1_000,
            time: Duration::from_secs(10),
        }
    }
}
