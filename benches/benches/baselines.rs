//! The seconds of an epoch of each baseline on the direct pairs of WordNet's nouns (link prediction
//! at 0 %), with K = 128 negatives per pair and batches of 1,024; and of judging all pairs of
//! WordNet's animals.
//!
//! `cargo bench -p binder-benches --bench baselines [-- METHOD…]`
//!
//! An epoch here is a sample of [`BATCHES`] batches, scaled up to all pairs, without validation.
//! Two samples come first, because slopes are fewer once the first mistakes are mended. The clock
//! is that of the fastest of the next five. Processor seconds are of all threads together, their mean;
//! other work on the machine changes them less than the clock. What they take for validation is
//! measured with samples of one batch, and subtracted. Prints a table in Markdown, and with
//! `BINDER_BENCH_CSV=FILE` also writes the file that `scripts/bench-torch` compares PyTorch with.

#![allow(clippy::print_stdout, reason = "it prints its table")]

use std::fmt::Write;
use std::time::Instant;

use binder::graph::Graph;
use binder::read::Builtin;
use binder::{Choice, Hierarchy, Id};
use binder_baselines::{BaselineParams, Method, Training, Validation, evaluate};

/// The batches of a sample, and the pairs of each.
const BATCHES: usize = 16;
const BATCH: usize = 1024;

/// Samples before those that are measured, and those.
const WARM_UP: u32 = 2;
const MEASURED: u32 = 5;

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    // Cargo passes `--bench`.
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let named: Result<Vec<Method>, _> = named.iter().map(|name| name.parse()).collect();
    let methods = match named? {
        none if none.is_empty() => Method::ALL.to_vec(),
        some => some,
    };
    let (nouns, animals) = (Builtin::WordnetNouns.load(), Builtin::WordnetAnimals.load());
    let mut csv = String::from("method,dim,seconds,processor_seconds\n");
    println!("| method | d | s per epoch | processor s | ns per pair | all pairs, ns per pair |");
    println!("|---|---|---|---|---|---|");
    for method in methods {
        let epoch = epoch(&nouns, method)?;
        let judged = all_pairs(&animals, method)?;
        let dim = BaselineParams::of(method).dim;
        let pairs = nouns.direct() * (BaselineParams::of(method).negatives as usize + 1);
        println!(
            "| `{method}` | {dim} | {:.2} | {:.2} | {:.0} | {:.0} |",
            epoch.clock,
            epoch.processor,
            per_item(epoch.processor, pairs),
            per_item(judged.processor, animals.len() * (animals.len() - 1)),
        );
        writeln!(csv, "{method},{dim},{:.4},{:.4}", epoch.clock, epoch.processor)?;
    }
    if let Some(file) = std::env::var_os("BINDER_BENCH_CSV") {
        std::fs::write(file, csv)?;
    }
    Ok(())
}

/// Seconds on the clock, and processor seconds of all threads.
#[derive(Debug, Clone, Copy)]
struct Seconds {
    clock: f64,
    processor: f64,
}

/// An epoch of all pairs, from a few samples.
fn epoch(nouns: &Hierarchy, method: Method) -> Result<Seconds, AnyError> {
    let (long, short) = (batches(nouns, method, BATCHES)?, batches(nouns, method, 1)?);
    let batches_of_all = ratio(nouns.direct(), BATCH);
    let processor = (long.processor - short.processor) * ratio(1, BATCHES - 1);
    Ok(Seconds {
        clock: long.clock * ratio(1, BATCHES) * batches_of_all,
        processor: processor * batches_of_all,
    })
}

/// Some batches: the clock without validation, processor time with it.
fn batches(nouns: &Hierarchy, method: Method, count: usize) -> Result<Seconds, AnyError> {
    let params = BaselineParams::of(method).with(|params| {
        (params.batch, params.epochs, params.patience) = (BATCH, u32::MAX, 0);
    });
    let params = params.check()?;
    let sample = sample(nouns, count * BATCH);
    let validation = Validation { positives: &[(1, 0)], negatives: &[(0, 1)] };
    let mut training = Training::new(&sample, nouns.graph(), &params, validation)?;
    for _ in 0..WARM_UP {
        training.step(&())?;
    }
    let mut clock = f64::INFINITY;
    let measured = measured(|| {
        let log = training.step(&())?;
        clock = clock.min(log.time.as_secs_f64());
        Ok::<_, binder_baselines::Error>(())
    })?;
    Ok(Seconds { clock, ..measured })
}

/// So many of the direct pairs, spread evenly over all.
fn sample(hierarchy: &Hierarchy, size: usize) -> Graph {
    let all: Vec<(Id, Id)> = hierarchy.graph().iter().collect();
    let some = (0..size).map(|at| all[at * all.len() / size]);
    Graph::new(hierarchy.len(), some)
}

/// All pairs of a hierarchy, judged with vectors that were trained for a while.
fn all_pairs(animals: &Hierarchy, method: Method) -> Result<Seconds, AnyError> {
    let params = BaselineParams::of(method).with(|params| params.epochs = 3).check()?;
    let model = binder_baselines::fit(animals, &params, &())?;
    let (scores, threshold) = (model.scores(), model.threshold().at);
    Ok(measured(|| evaluate::all_pairs(&*scores, threshold, animals, &()))?)
}

/// The mean processor time of some runs, and the least time on the clock.
fn measured<T, E>(mut run: impl FnMut() -> Result<T, E>) -> Result<Seconds, E> {
    let (mut clock, used) = (f64::INFINITY, processor_seconds());
    for _ in 0..MEASURED {
        let started = Instant::now();
        std::hint::black_box(run()?);
        clock = clock.min(started.elapsed().as_secs_f64());
    }
    Ok(Seconds { clock, processor: (processor_seconds() - used) / f64::from(MEASURED) })
}

/// The processor seconds of all threads so far, in steps of a hundredth; 0 where the system does
/// not tell.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program comes first, in brackets, and may have spaces.
    let rest = text.rsplit(')').next().unwrap_or_default();
    let times = rest.split_whitespace().skip(11).take(2);
    times.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs are far below 2^53")]
fn ratio(of: usize, to: usize) -> f64 {
    of as f64 / to as f64
}

fn per_item(seconds: f64, items: usize) -> f64 {
    seconds * 1e9 * ratio(1, items)
}
