//! Measures each policy in the other's place, which shows why there are two.
//!
//! `cargo test --release -p binder-codes --lib policies -- --ignored --nocapture` prints the table
//! in docs/algorithm.md. It takes minutes. If `BINDER_DATA` names the folder of the benchmark data,
//! these are measured too.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Counted, EpochSearch, PairSearch};
use crate::codes::Codes;
use crate::encode::{Effort, covered_codes};
use crate::graph::Closure;
use crate::hierarchy::Hierarchy;
use crate::train::{Recipe, chance, first_codes};

/// The least time that counts for the policy in its own place. The other one gets four times the
/// time of the first, so that a very short run does not cut it off too early.
const MIN_TIME: Duration = Duration::from_secs(2);

/// The number of false pairs left, and the time taken.
type Result = (u64, Duration);

/// Runs the pair search until no false pair is left or the time is up.
fn pair_by_pair(codes: Codes, closure: &Closure<'_>, most: Duration) -> Option<Result> {
    let started = Instant::now();
    let mut search = PairSearch::new(codes, closure, Counted::Critical, 0, &()).ok()?;
    while !search.false_pairs().is_empty() && started.elapsed() < most {
        search.run(u64::MAX / 2, 100_000, &()).ok()?;
    }
    Some((search.false_pairs().len() as u64, started.elapsed()))
}

/// Runs the epoch search until no false pair is left or the time is up.
fn epoch_by_epoch(mut codes: Codes, closure: &Closure<'_>, most: Duration) -> Result {
    let started = Instant::now();
    let mut search = EpochSearch::new(closure.dag(), 0);
    let (chance, mut least) = (chance(&Recipe::Best.params(true)), u64::MAX);
    for epoch in 1.. {
        let left = search.epoch(&mut codes, epoch, &chance, None, &()).unwrap().false_pairs;
        least = least.min(left);
        if left == 0 || started.elapsed() >= most {
            break;
        }
    }
    (least, started.elapsed())
}

fn shown((left, time): Result) -> String {
    format!("{left} in {:.2} s", time.as_secs_f64())
}

fn compare(name: &str, from: &str, codes: &Codes, closure: &Closure<'_>, own_is_pairs: bool) {
    let most = Duration::from_secs(120);
    let (pairs, epochs) = if own_is_pairs {
        let pairs = pair_by_pair(codes.clone(), closure, most);
        let limit = 4 * pairs.map_or(most, |(_, time)| time).max(MIN_TIME);
        (pairs, epoch_by_epoch(codes.clone(), closure, limit))
    } else {
        let epochs = epoch_by_epoch(codes.clone(), closure, most);
        (pair_by_pair(codes.clone(), closure, 4 * epochs.1.max(MIN_TIME)), epochs)
    };
    let pairs = pairs.map_or("too many to begin with".to_owned(), shown);
    println!("| {name} | {from}, {} bits | {pairs} | {} |", codes.bits(), shown(epochs));
}

fn hierarchies() -> Vec<(String, Hierarchy)> {
    let builtins = ["wordnet-animals", "wordnet-nouns"].map(|name| (name.to_owned(), name.into()));
    let data = std::env::var_os("BINDER_DATA").map(PathBuf::from);
    let files = ["medical/direct.tsv", "music/direct.tsv", "shwartz-lex/direct.tsv"];
    let more = ["shwartz-random/direct.tsv", "extra/hp.obo.gz", "extra/go.tsv.gz"];
    let files = files.into_iter().chain(more).filter_map(|file| {
        let name = file.split(['/', '.']).find(|part| *part != "extra")?.to_owned();
        Some((name, data.as_ref()?.join(file)))
    });
    let sources = builtins.into_iter().chain(files);
    sources
        .map(|(name, source): (String, PathBuf)| (name, Hierarchy::read(source).unwrap()))
        .collect()
}

#[test]
#[ignore = "a measurement that takes minutes"]
fn policies_in_each_others_place() {
    println!("| data | from | pair by pair | epoch by epoch |\n|---|---|---|---|");
    for (name, hierarchy) in hierarchies() {
        let closure = Closure::new(hierarchy.dag());
        let covered = covered_codes(&closure, Effort::Normal).unwrap();
        compare(&name, "encode's columns", &covered, &closure, true);
        for bits in [128, 32] {
            let params = Recipe::Best.params(true).with(|params| params.bits = bits);
            let params = params.check(hierarchy.len()).unwrap();
            let inherited = first_codes(hierarchy.graph(), &params).unwrap();
            compare(&name, "train's inherited", &inherited, &closure, false);
        }
    }
}
