//! Jobs that wait, threads that do them, and the ledger that records each as it ends.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use crate::ledger::{Key, Ledger, Record};
use crate::{Error, Listener};

/// Sets of at least this size train one run at a time on all threads. Smaller ones train several
/// runs at once, each on one thread, because their epochs are too short to share.
pub(crate) const LARGE: usize = 20_000;

/// The data that jobs run on: its name for bars, and its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JobData<'a> {
    pub(crate) title: &'a str,
    pub(crate) concepts: usize,
}

/// The jobs that the ledger does not have, each once.
pub(crate) fn open<'a, J, R: Record>(
    jobs: impl IntoIterator<Item = (&'a J, &'a Key)>,
    ledger: &Ledger<R>,
) -> Vec<(&'a J, &'a Key)> {
    let mut seen = HashSet::new();
    let open = |(_, key): &(&J, &'a Key)| ledger.find(key).is_none() && seen.insert(*key);
    jobs.into_iter().filter(open).collect()
}

/// Does the jobs on all threads and records each as it ends. After an error no new job is begun,
/// but runs that end well are still recorded. `summary` is a line about a run that has ended.
pub(crate) fn do_all<J: Sync, R: Record + Send>(
    open: &[(&J, &Key)],
    work: impl Fn(&J, &Key) -> Result<R, Error> + Sync,
    summary: impl Fn(&J, &Key, &R) -> String,
    listener: &dyn Listener,
    data: JobData<'_>,
    ledger: &mut Ledger<R>,
) -> Result<(), Error> {
    let threads = rayon::current_num_threads();
    let workers = if data.concepts < LARGE { threads.min(open.len()) } else { 1 };
    listener.start(data.title, Some(open.len() as u64));
    let (queue, failed) = (Mutex::new(open.iter()), AtomicBool::new(false));
    let next = || match failed.load(Ordering::Relaxed) {
        true => None,
        false => queue.lock().ok().and_then(|mut queue| queue.next()),
    };
    let result = thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..workers {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads / workers).build()?;
            scope.spawn(move || {
                pool.install(|| {
                    while let Some((job, key)) = next() {
                        if sender.send((*job, *key, work(job, key))).is_err() {
                            return;
                        }
                    }
                });
            });
        }
        // The loop below ends when the last worker has dropped its sender.
        drop(sender);
        let mut result = Ok(());
        for (job, key, run) in ended {
            match run {
                Ok(outcome) => {
                    ledger.add(key.clone(), outcome)?;
                    listener.advance(1);
                    listener.line(&summary(job, key, &outcome));
                }
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    result = result.and(Err(error));
                }
            }
        }
        result
    });
    listener.finish();
    result
}
