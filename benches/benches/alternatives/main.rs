//! What people would pick instead of codes, on the same questions: a hash set of the closure, sorted
//! lists, roaring bitmaps, intervals, and a walk through the graph.
//!
//! `cargo bench -p binder-benches --bench alternatives [-- DATA…]`
//!
//! DATA are built-ins or files; without any, WordNet's nouns, a generated hierarchy of 200,000
//! concepts, and, where `BINDER_DATA` names the folder with them, GO and HPO. Prints a table in
//! Markdown for each. Before its time is taken, every structure has to agree with the closure on
//! 2,000 random questions of each kind.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints its table")]

mod structures;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use binder::graph::Rows;
use binder::read::{ReadOptions, read_from};
use binder::{Hierarchy, Id};
use binder_benches::random_dag;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use structures::{Structure, builders};

/// Questions of each kind that a structure is checked on.
const CHECKED: usize = 2_000;

/// Questions of each kind whose time is taken. Random ones, so that answers do not stay in a cache.
const ASKED: usize = 1 << 16;

/// No kind of question is asked for longer than this.
const PATIENCE: Duration = Duration::from_millis(700);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo passes `--bench`.
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    for source in &named {
        compare(source, &Hierarchy::read(source)?);
    }
    if named.is_empty() {
        for (title, hierarchy) in usual()? {
            compare(&title, &hierarchy);
        }
    }
    Ok(())
}

/// The hierarchies of the documentation.
fn usual() -> Result<Vec<(String, Hierarchy)>, Box<dyn std::error::Error>> {
    let mut all = vec![("WordNet nouns".to_owned(), Hierarchy::read("wordnet-nouns")?)];
    match std::env::var_os("BINDER_DATA") {
        Some(folder) => {
            for (title, file) in [("GO", "extra/go.tsv.gz"), ("HPO", "extra/hp.obo.gz")] {
                all.push((title.to_owned(), Hierarchy::read(Path::new(&folder).join(file))?));
            }
        }
        None => eprintln!("SKIPPED: GO and HPO; BINDER_DATA does not name the folder with them"),
    }
    let generated = random_dag(200_000, 10, 1);
    let generated = read_from(generated.as_bytes(), "dag.tsv", &ReadOptions::default(), &())?;
    all.push(("generated, 200,000 concepts".to_owned(), generated));
    Ok(all)
}

/// Builds, checks and times every structure, and prints the table.
fn compare(title: &str, hierarchy: &Hierarchy) {
    let closure = hierarchy.closure();
    println!("### {title}: {} concepts, {} pairs\n", hierarchy.len(), hierarchy.closure_len());
    println!(
        "| | build s | bytes a concept | is-a ns | descendants µs | ancestors µs | \
         lowest common hypernyms µs |\n|---|---|---|---|---|---|---|"
    );
    let questions = Questions::new(hierarchy.len());
    for (name, build) in builders() {
        let begun = Instant::now();
        let structure = build(hierarchy);
        let seconds = begun.elapsed().as_secs_f64();
        check(name, structure.as_ref(), &closure, &questions);
        let bytes = structure.bytes() / hierarchy.len();
        println!("| {name} | {seconds:.2} | {bytes} | {} |", times(structure.as_ref(), &questions));
    }
    println!();
}

/// Random concepts and pairs of concepts; the same for every structure.
struct Questions(Vec<(Id, Id)>);

impl Questions {
    fn new(concepts: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let concepts = u32::try_from(concepts).expect("ids are u32");
        let mut id = || rng.random_range(0..concepts);
        Self((0..ASKED).map(|_| (id(), id())).collect())
    }
}

/// Panics when a structure does not agree with the closure.
fn check(name: &str, structure: &dyn Structure, closure: &Rows, questions: &Questions) {
    let above = |concept: Id| closure.row(concept);
    for &(one, other) in &questions.0[..CHECKED] {
        assert_eq!(
            structure.is_a(one, other),
            one == other || above(one).contains(&other),
            "{name}: is {one} a {other}?"
        );
        // Half of the questions above are about strangers; these are about relatives.
        for &parent in above(one).iter().take(2) {
            assert!(structure.is_a(one, parent), "{name}: {one} is a {parent}");
            if let Some(below) = structure.descendants(parent) {
                assert!(below.contains(&one), "{name}: {one} is below {parent}");
                assert!(below.iter().all(|&child| above(child).contains(&parent)), "{name}");
            }
        }
        if let Some(mut found) = structure.ancestors(one) {
            found.sort_unstable();
            assert_eq!(sorted(above(one)), found, "{name}: above {one}");
        }
        if let Some(mut found) = structure.lowest_common(one, other) {
            found.sort_unstable();
            assert_eq!(lowest_common(closure, one, other), found, "{name}: {one} and {other}");
        }
    }
}

/// The definition: what is above or equal to both, and above none other of them.
fn lowest_common(closure: &Rows, one: Id, other: Id) -> Vec<Id> {
    let with_itself = |of: Id| {
        let mut all = sorted(closure.row(of));
        all.push(of);
        all
    };
    let others = with_itself(other);
    let common: Vec<Id> = with_itself(one).into_iter().filter(|id| others.contains(id)).collect();
    let is_lowest = |id: &&Id| !common.iter().any(|below| closure.row(*below).contains(id));
    sorted(&common.iter().filter(is_lowest).copied().collect::<Vec<_>>())
}

fn sorted(ids: &[Id]) -> Vec<Id> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

/// The cells of the four kinds of questions.
fn times(structure: &dyn Structure, questions: &Questions) -> String {
    let nanoseconds = |ask: &mut dyn FnMut(Id, Id) -> Option<usize>| mean(ask, questions);
    let cell = |time: Option<f64>, unit: f64| match time {
        Some(time) if time / unit < 10.0 => format!("{:.1}", time / unit),
        Some(time) => format!("{:.0}", time / unit),
        None => "–".to_owned(),
    };
    let is_a = nanoseconds(&mut |one, other| Some(usize::from(structure.is_a(one, other))));
    let below = nanoseconds(&mut |one, _| structure.descendants(one).map(|ids| ids.len()));
    let above = nanoseconds(&mut |one, _| structure.ancestors(one).map(|ids| ids.len()));
    let common = nanoseconds(&mut |a, b| structure.lowest_common(a, b).map(|ids| ids.len()));
    let micro = 1000.0;
    [cell(is_a, 1.0), cell(below, micro), cell(above, micro), cell(common, micro)].join(" | ")
}

/// The mean time of a question in nanoseconds, or nothing where it cannot be asked. All questions
/// are asked, or as many as there is patience for.
fn mean(ask: &mut dyn FnMut(Id, Id) -> Option<usize>, questions: &Questions) -> Option<f64> {
    let (begun, mut asked) = (Instant::now(), 0u32);
    for chunk in questions.0.chunks(256) {
        for &(one, other) in chunk {
            black_box(ask(one, other)?);
        }
        asked += u32::try_from(chunk.len()).expect("chunks are short");
        if begun.elapsed() > PATIENCE {
            break;
        }
    }
    Some(begun.elapsed().as_secs_f64() * 1e9 / f64::from(asked))
}
