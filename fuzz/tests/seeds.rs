//! Runs every target on every seed and on thousands of damaged copies of it, on stable Rust and in
//! seconds.
//!
//! The random numbers start from a fixed seed: the same inputs every time, so that a failure is
//! there again. `attacks/mutate` makes it longer, and starts from other seeds:
//!
//! ```text
//! BINDER_MUTATIONS=100000 BINDER_MUTATION_SEED=7 cargo test --manifest-path fuzz/Cargo.toml
//! BINDER_MUTATION_SECONDS=60 cargo test --manifest-path fuzz/Cargo.toml
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use binder_fuzz::{TARGETS, Target};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// How many damaged copies of each seed are tried, unless `BINDER_MUTATIONS` says otherwise.
const COPIES: u64 = 5_000;

/// The maximum length of a copy, unless its seed is longer. Longer ones are slower and find no more errors.
const LONGEST: usize = 4096;

#[test]
fn edges_take_any_bytes() {
    run("edges");
}

#[test]
fn wordnet_takes_any_bytes() {
    run("wordnet");
}

#[test]
fn obo_takes_any_bytes() {
    run("obo");
}

#[test]
fn turtle_takes_any_bytes() {
    run("turtle");
}

#[test]
fn ntriples_take_any_bytes() {
    run("ntriples");
}

#[test]
fn rdfxml_takes_any_bytes() {
    run("rdfxml");
}

#[test]
fn paths_take_any_bytes() {
    run("paths");
}

#[test]
fn outline_takes_any_bytes() {
    run("outline");
}

#[test]
fn json_takes_any_bytes() {
    run("json");
}

#[test]
fn jsonl_takes_any_bytes() {
    run("jsonl");
}

#[test]
fn graphml_takes_any_bytes() {
    run("graphml");
}

#[test]
fn dot_takes_any_bytes() {
    run("dot");
}

#[test]
fn newick_takes_any_bytes() {
    run("newick");
}

#[test]
fn lmf_takes_any_bytes() {
    run("lmf");
}

#[test]
fn obograph_takes_any_bytes() {
    run("obograph");
}

#[test]
fn functional_takes_any_bytes() {
    run("functional");
}

#[test]
fn owlxml_takes_any_bytes() {
    run("owlxml");
}

#[test]
fn nquads_takes_any_bytes() {
    run("nquads");
}

#[test]
fn trig_takes_any_bytes() {
    run("trig");
}

#[test]
fn n3_takes_any_bytes() {
    run("n3");
}

#[test]
fn jsonld_takes_any_bytes() {
    run("jsonld");
}

#[test]
fn columns_take_any_bytes() {
    run("columns");
}

#[test]
fn packed_takes_any_bytes() {
    run("packed");
}

#[test]
fn detection_takes_any_bytes() {
    run("detect");
}

#[test]
fn models_take_any_bytes() {
    run("model");
}

#[test]
fn checkpoints_take_any_bytes() {
    run("checkpoint");
}

#[test]
fn placers_take_any_bytes() {
    run("placer");
}

#[test]
fn baselines_take_any_bytes() {
    run("baseline");
}

#[test]
fn checkpoints_of_baselines_take_any_bytes() {
    run("baseline_checkpoint");
}

#[test]
fn every_target_has_seeds() {
    for (name, _) in TARGETS {
        assert!(seeds(name).len() >= 3, "{name} has fewer than three seeds");
    }
}

/// A model file that binder wrote comes back byte for byte; one of an older version as the same
/// model.
#[test]
fn models_that_open_are_written_as_they_were() {
    let opened = seeds("model").iter().filter(|(_, seed)| written_as_it_was(seed)).count();
    assert!(opened >= 3, "only {opened} of the seeds are models");
}

/// A checkpoint that binder wrote comes back byte for byte.
#[test]
fn checkpoints_that_open_are_written_as_they_were() {
    let opened = seeds("checkpoint").iter().filter(|(_, seed)| checkpoint_as_it_was(seed)).count();
    assert!(opened >= 3, "only {opened} of the seeds are checkpoints");
}

fn checkpoint_as_it_was(seed: &[u8]) -> bool {
    binder::Checkpoint::from_bytes(seed).is_ok_and(|checkpoint| {
        assert!(checkpoint.to_bytes() == seed, "the checkpoint is written differently");
        true
    })
}

/// How the header of a model file says that it is of the first version of the format.
const OLD_VERSION: &[u8] = b"\"format_version\":\"1\"";

fn written_as_it_was(seed: &[u8]) -> bool {
    binder::Model::from_bytes(seed).is_ok_and(|model| {
        let bytes = model.to_bytes();
        let is_old = seed.windows(OLD_VERSION.len()).any(|part| part == OLD_VERSION);
        assert!(is_old || bytes == seed, "the model is written differently");
        let again = binder::Model::from_bytes(&bytes).expect("what was written opens");
        assert!(again.codes() == model.codes() && again.hierarchy() == model.hierarchy());
        assert!(again.to_bytes() == bytes, "the model is written differently the second time");
        true
    })
}

fn run(name: &str) {
    let (_, target) =
        TARGETS.into_iter().find(|&(target, _)| target == name).expect("a target of that name");
    let (seeds, started) = (seeds(name), Instant::now());
    // With a time instead of a number, passes over the seeds are repeated until it is over.
    let time = setting("BINDER_MUTATION_SECONDS").map(Duration::from_secs);
    let copies = setting("BINDER_MUTATIONS").unwrap_or(COPIES);
    let mut random = ChaCha8Rng::seed_from_u64(setting("BINDER_MUTATION_SEED").unwrap_or_default());
    let mut tried = 0;
    loop {
        for (path, seed) in &seeds {
            try_on(target, seed, path);
            for _ in 0..copies {
                let other = &seeds[random.random_range(0..seeds.len())].1;
                try_on(target, &damaged(seed, other, &mut random), path);
            }
            tried += copies;
        }
        if time.is_none_or(|time| started.elapsed() >= time) {
            break;
        }
    }
    println!("{name}: {tried} damaged inputs, no failure");
}

/// A number from the environment.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")))
}

/// Runs the target. If it panics, the input is saved for inspection.
fn try_on(target: Target, input: &[u8], seed: &Path) {
    if std::panic::catch_unwind(|| target(input)).is_err() {
        let kept = std::env::temp_dir().join("binder-fuzz-failure");
        fs::write(&kept, input).expect("a file in the temporary folder");
        panic!("failed on a damaged {}; the input is in {}", seed.display(), kept.display());
    }
}

fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a folder that can be listed").path())
        .collect();
    paths.sort();
    let bytes =
        |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    paths.into_iter().map(|path| (path.clone(), bytes(&path))).collect()
}

/// A copy with one to four damages.
fn damaged(seed: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut copy = seed.to_vec();
    for _ in 0..random.random_range(1..=4) {
        damage(&mut copy, other, random);
        copy.truncate(LONGEST.max(seed.len()));
    }
    copy
}

fn damage(copy: &mut Vec<u8>, other: &[u8], random: &mut ChaCha8Rng) {
    let at = random.random_range(0..=copy.len());
    match random.random_range(0..5) {
        0 if at < copy.len() => copy[at] ^= 1 << random.random_range(0..8),
        1 => copy.truncate(at),
        2 => {
            let piece = piece(copy, random).to_vec();
            copy.splice(at..at, piece);
        }
        3 => {
            let end = random.random_range(at..=copy.len());
            copy.splice(at..end, piece(other, random).iter().copied());
        }
        _ => copy.insert(at, random.random()),
    }
}

/// Some of the bytes.
fn piece<'b>(bytes: &'b [u8], random: &mut ChaCha8Rng) -> &'b [u8] {
    let start = random.random_range(0..=bytes.len());
    &bytes[start..random.random_range(start..=bytes.len())]
}
