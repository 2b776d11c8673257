//! Where questions are answered: off the threads that read and write connections.
//!
//! ```text
//! request → quick: questions of micro- and milliseconds     ┐ each with as many threads as there
//!         → long: batches, long lists, what is made once    ┘ are cores, and a bounded queue
//! ```
//!
//! A full queue refuses at once. A request that is given up leaves the queue by itself, because
//! waiting is part of its future; if its work has begun, [`Stop`] tells the work to end. Threads of
//! the long lane have a lower priority, so quick answers stay quick beside them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::Limits;
use crate::metrics::{Counted, LaneMetrics, Metrics};
use crate::problem::Problem;

/// The two lanes.
#[derive(Debug)]
pub(crate) struct Lanes {
    pub(crate) quick: Lane,
    pub(crate) long: Lane,
}

impl Lanes {
    pub(crate) fn new(limits: &Limits, metrics: &Metrics) -> Result<Self, ThreadPoolBuildError> {
        Ok(Self {
            quick: Lane::new("quick", limits.quick_queue, metrics, |_| {})?,
            long: Lane::new("long", limits.long_queue, metrics, |_| step_back())?,
        })
    }
}

/// Threads, and the questions that wait for one of them.
#[derive(Debug)]
pub(crate) struct Lane {
    name: &'static str,
    threads: ThreadPool,
    /// One place for each thread.
    places: Arc<Semaphore>,
    /// The maximum number of questions that wait.
    queue: usize,
    metrics: LaneMetrics,
}

/// Whether work has lost the one it was for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Stops the work when the request's future is dropped.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Lane {
    fn new(
        name: &'static str,
        queue: usize,
        metrics: &Metrics,
        begin: fn(usize),
    ) -> Result<Self, ThreadPoolBuildError> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = ThreadPoolBuilder::new()
            .num_threads(cores)
            .thread_name(move |number| format!("{name}-{number}"))
            .start_handler(begin)
            .build()?;
        Ok(Self {
            name,
            threads,
            places: Arc::new(Semaphore::new(cores)),
            queue,
            metrics: metrics.lane(name),
        })
    }

    /// Does some work on a thread of the lane, when its turn comes.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place().await?;
        let stop = Stop::default();
        let _guard = StopOnDrop(stop.clone());
        let (send, receive) = oneshot::channel();
        let running = Counted::new(&self.metrics.running);
        self.threads.spawn(move || {
            let _held = (place, running);
            if stop.is_set() {
                return;
            }
            match catch_unwind(AssertUnwindSafe(|| work(&stop))) {
                Ok(done) => _ = send.send(done),
                Err(payload) => crate::problem::log_panic(payload),
            }
        });
        receive.await.map_err(|_| Problem::panicked())
    }

    /// Waits for a place, unless too many wait already.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(place);
        }
        let waiting = Counted::new(&self.metrics.waiting);
        if usize::try_from(waiting.count()).is_ok_and(|count| count > self.queue) {
            self.metrics.refused.inc();
            return Err(Problem::busy(self.name));
        }
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| Problem::busy(self.name))
    }
}

/// Lowers the priority of this thread. Elsewhere than on Linux it would be that of the process.
fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::Lanes;
    use crate::Limits;
    use crate::metrics::Metrics;

    fn lanes(quick_queue: usize, long_queue: usize) -> Lanes {
        let limits = Limits { quick_queue, long_queue, ..Limits::default() };
        Lanes::new(&limits, &Metrics::default()).unwrap()
    }

    #[tokio::test]
    async fn a_full_lane_refuses_and_abandoned_work_leaves_it() {
        let lanes = lanes(1, 0);
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let ((begun, begins), (stopped, stops)) = (mpsc::channel(), mpsc::channel());
        let endless = || {
            let (begun, stopped) = (begun.clone(), stopped.clone());
            lanes.long.run(move |stop| {
                begun.send(()).unwrap();
                while !stop.is_set() {
                    std::thread::yield_now();
                }
                stopped.send(()).unwrap();
            })
        };
        let mut open: Vec<_> = (0..threads).map(|_| Box::pin(endless())).collect();
        for work in &mut open {
            let waited = tokio::time::timeout(Duration::ZERO, work).await;
            assert!(waited.is_err(), "it goes on until it is given up");
        }
        (0..threads).for_each(|_| begins.recv().unwrap());
        let refused = lanes.long.run(|_| ()).await.unwrap_err();
        assert_eq!(refused.status().as_u16(), 503);
        assert_eq!(lanes.quick.run(|_| 7).await.unwrap(), 7, "the other lane is free");
        drop(open);
        (0..threads).for_each(|_| stops.recv().unwrap());
        while lanes.long.run(|_| ()).await.is_err() {
            tokio::task::yield_now().await;
        }
        assert_eq!(lanes.long.metrics.waiting.get(), 0);
    }

    #[tokio::test]
    async fn a_panic_is_an_answer() {
        let lanes = lanes(1, 1);
        let failed = lanes.quick.run(|_| panic!("on purpose")).await;
        assert_eq!(failed.unwrap_err().status().as_u16(), 500);
        assert_eq!(lanes.quick.run(|_| 7).await.unwrap(), 7);
        while lanes.quick.metrics.running.get() > 0 {
            tokio::task::yield_now().await;
        }
    }
}
