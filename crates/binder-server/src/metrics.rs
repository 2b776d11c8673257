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
    /// The number of open requests.
    pub(crate) open: Gauge,
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
        };
        let Metrics { registry, requests, seconds, pairs, open } = &mut metrics;
        registry.register("requests", "Requests answered", requests.clone());
        registry.register("request_seconds", "How long they took", seconds.clone());
        registry.register("pairs", "Pairs asked about", pairs.clone());
        registry.register("open_requests", "Requests being answered", open.clone());
        metrics
    }
}

impl Metrics {
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

    /// The text that Prometheus reads.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
