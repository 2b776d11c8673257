use std::time::Duration;

/// Limits of requests and connections.
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
    /// How long the head of a request may take, and a connection may wait for its next request.
    pub head: Duration,
    /// How long a client may leave an answer unread.
    pub idle: Duration,
    /// The maximum number of connections.
    pub connections: usize,
    /// How many quick questions may wait for a thread.
    pub quick_queue: usize,
    /// How many long questions may wait for a thread.
    pub long_queue: usize,
    /// How long open requests may take after the server was asked to stop.
    pub grace: Duration,
}

impl Limits {
    /// The maximum length of a request's address in bytes.
    pub const ADDRESS: usize = 1 << 14;
    /// The maximum size of a request's headers in bytes.
    pub const HEADERS: u32 = 1 << 15;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            batch: 200_000,
            page: 10_000,
            question: 1_000,
            time: Duration::from_secs(10),
            head: Duration::from_secs(15),
            idle: Duration::from_secs(30),
            connections: 8_192,
            quick_queue: 1_024,
            long_queue: 64,
            grace: Duration::from_secs(10),
        }
    }
}
