use std::time::Duration;

/// What one request may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body.
    pub body: usize,
    /// Pairs of a batch.
    pub batch: usize,
    /// Concepts on a page of results.
    pub page: usize,
    /// Concepts, or characters of an expression, that one question may be made of.
    pub question: usize,
    /// How long a request may take.
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
