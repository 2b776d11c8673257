//! The first epochs of `binder train`, from the published start: all codes are ones, and nearly
//! every negative has a gradient. `train.rs` measures what comes after.
//!
//! `cargo bench -p binder-benches --bench early [-- CASE…] [--epochs N] [--each]`
//!
//! Without names, all cases are run. Prints a table in Markdown: the wall and processor seconds of
//! an epoch, averaged from epoch 1 on, and a fingerprint of the codes, the losses and the numbers
//! of flips. Two versions of the program that learn the same have the same fingerprints, on any
//! number of threads (`RAYON_NUM_THREADS`). `--epochs` replaces the number of epochs, and `--each`
//! prints every epoch.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints its table")]

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use binder::graph::Graph;
use binder::read::Builtin;
use binder::train::{Recipe, TrainParams, Training, Validation};

/// A run from epoch 1.
struct Case {
    name: &'static str,
    data: Builtin,
    closure: bool,
    epochs: u32,
    change: fn(&mut TrainParams),
}

const CASES: [Case; 5] = [
    Case {
        name: "representation",
        data: Builtin::WordnetNouns,
        closure: true,
        epochs: 12,
        change: |params| (params.alpha, params.negatives) = (100, 256),
    },
    Case {
        name: "direct",
        data: Builtin::WordnetNouns,
        closure: false,
        epochs: 60,
        change: |_| {},
    },
    Case {
        name: "all",
        data: Builtin::WordnetNouns,
        closure: false,
        epochs: 12,
        change: |params| params.all_negatives = true,
    },
    Case {
        name: "animals",
        data: Builtin::WordnetAnimals,
        closure: false,
        epochs: 1000,
        change: |_| {},
    },
    Case {
        name: "beta-0",
        data: Builtin::WordnetAnimals,
        closure: false,
        epochs: 100,
        change: |params| params.beta = 0,
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo passes `--bench`.
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (mut names, mut epochs, mut each) = (Vec::new(), None, false);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--epochs" => epochs = Some(args.next().ok_or("--epochs needs a number")?.parse()?),
            "--each" => each = true,
            _ => names.push(arg),
        }
    }
    println!("| case | epochs | wall s an epoch | processor s an epoch | fingerprint |");
    println!("|---|---|---|---|---|");
    for case in CASES {
        if names.is_empty() || names.iter().any(|name| name == case.name) {
            run(&case, epochs.unwrap_or(case.epochs), each)?;
        }
    }
    Ok(())
}

fn run(case: &Case, epochs: u32, each: bool) -> Result<(), Box<dyn std::error::Error>> {
    let hierarchy = case.data.load();
    let pairs = if case.closure {
        Graph::new(hierarchy.len(), hierarchy.closure().pairs())
    } else {
        hierarchy.graph().clone()
    };
    let params = Recipe::Published.params(!case.closure).with(case.change);
    let params = params.check(hierarchy.len())?;
    let mut training = Training::new(&pairs, &params, Validation::Nothing)?;
    let mut fingerprint = DefaultHasher::new();
    let (started, processor) = (Instant::now(), processor_seconds());
    for _ in 0..epochs {
        let epoch = training.step();
        let loss = epoch.report.loss.weighted(params.alpha, params.beta);
        (loss, epoch.report.flips).hash(&mut fingerprint);
        if each {
            let (time, flips) = (epoch.time, epoch.report.flips);
            let codes: HashSet<&[u64]> = training.last_codes().rows().collect();
            let (name, at, codes) = (case.name, epoch.epoch, codes.len());
            eprintln!("{name} {at}: {time:.1?}, loss {loss}, {flips} flips, then {codes} codes");
        }
    }
    let (wall, processor) = (started.elapsed().as_secs_f64(), processor_seconds() - processor);
    training.last_codes().words().hash(&mut fingerprint);
    let (name, runs) = (case.name, f64::from(epochs));
    println!(
        "| {name} | {epochs} | {:.4} | {:.4} | {:016x} |",
        wall / runs,
        processor / runs,
        fingerprint.finish()
    );
    Ok(())
}

/// The processor time of all threads so far, in hundredths of a second on Linux; NaN where the
/// system does not say.
fn processor_seconds() -> f64 {
    let ticks = || {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let user: f64 = fields.next()?.parse().ok()?;
        let system: f64 = fields.next()?.parse().ok()?;
        Some(user + system)
    };
    ticks().map_or(f64::NAN, |ticks| ticks / 100.0)
}
