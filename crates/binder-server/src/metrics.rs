use std::time::Duration;

use axum::http::StatusCode;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Metrics for Prometheus.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabel, Histogram>,
    pairs: Counter,
    /// The number of requests being answered.
    pub(crate) open: Gauge,
    /// The number of connections.
    pub(crate) connections: Gauge,
    reloads: Family<ResultLabel, Counter>,
    waiting: Family<LaneLabel, Gauge>,
    running: Family<LaneLabel, Gauge>,
    refused: Family<LaneLabel, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LaneLabel {
    lane: &'static str,
}

/// What is counted of a lane.
#[derive(Debug)]
pub(crate) struct LaneMetrics {
    /// Questions that wait for a thread.
    pub(crate) waiting: Gauge,
    /// Questions that have a thread.
    pub(crate) running: Gauge,
    /// Questions that a full queue refused.
    pub(crate) refused: Counter,
}

/// One that a gauge counts for as long as it exists, however it ends.
#[derive(Debug)]
pub(crate) struct Counted {
    gauge: Gauge,
    count: i64,
}

impl Counted {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        Self { gauge: gauge.clone(), count: gauge.inc() + 1 }
    }

    /// How many there were when it began, with itself.
    pub(crate) fn count(&self) -> i64 {
        self.count
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        // Buckets from 10 µs, each four times the one before.
        let buckets = || Histogram::new((0..10).map(|step| 1e-5 * 4f64.powi(step)));
        let mut metrics = Self {
            registry: Registry::with_prefix("binder"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(buckets),
            pairs: Counter::default(),
            open: Gauge::default(),
            connections: Gauge::default(),
            reloads: Family::default(),
            waiting: Family::default(),
            running: Family::default(),
            refused: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("requests", "Requests answered", metrics.requests.clone());
        registry.register("request_seconds", "How long they took", metrics.seconds.clone());
        registry.register("pairs", "Pairs asked about", metrics.pairs.clone());
        registry.register("open_requests", "Requests being answered", metrics.open.clone());
        registry.register("open_connections", "Connections", metrics.connections.clone());
        registry.register("reloads", "Attempts to load the models anew", metrics.reloads.clone());
        registry.register(
            "lane_waiting",
            "Questions that wait for a thread",
            metrics.waiting.clone(),
        );
        registry.register("lane_running", "Questions that have a thread", metrics.running.clone());
        registry.register(
            "lane_refused",
            "Questions that a full queue refused",
            metrics.refused.clone(),
        );
        metrics
    }
}

impl Metrics {
    /// What is counted of a lane.
    pub(crate) fn lane(&self, lane: &'static str) -> LaneMetrics {
        let label = LaneLabel { lane };
        LaneMetrics {
            waiting: self.waiting.get_or_create_owned(&label),
            running: self.running.get_or_create_owned(&label),
            refused: self.refused.get_or_create_owned(&label),
        }
    }

    /// Counts a request. The label is the route's pattern, so there are few labels.
    pub(crate) fn request(&self, route: &str, status: StatusCode, time: Duration) {
        let labels = RequestLabels { route: route.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.seconds
            .get_or_create(&RouteLabel { route: route.to_owned() })
            .observe(time.as_secs_f64());
    }

    pub(crate) fn pairs(&self, count: usize) {
        self.pairs.inc_by(count as u64);
    }

    pub(crate) fn reload(&self, done: bool) {
        let result = if done { "done" } else { "failed" };
        self.reloads.get_or_create(&ResultLabel { result }).inc();
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
