//! Work that would take too much memory ends before it begins, with figures.
//!
//! The limit belongs to the whole process, so these tests are a program of their own and take
//! turns.

#![cfg(all(feature = "builtin", feature = "compression", feature = "obo", feature = "rdf"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use binder::encode::{self, Effort, EncodeError, EncodeParams};
use binder::graph::Graph;
use binder::memory::{self, MemoryError, Stage};
use binder::place::{PlaceParams, Placer};
use binder::read::{Problem, ReadError, ReadOptions, read_from};
use binder::split::{SplitError, split, split_with};
use binder::train::{Recipe, Training, Validation};
use binder::{Error, Hierarchy};

const MB: u64 = 1_000_000;

/// A limit, for as long as it lives.
struct Limit(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Limit {
    fn of(bytes: u64) -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        memory::set_limit(Some(bytes));
        Self(turn)
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        memory::set_limit(None);
    }
}

/// A chain: its closure has half of the square of its length in pairs.
fn chain(length: usize) -> Hierarchy {
    let name = |at: usize| format!("c{at}");
    Hierarchy::from_pairs((1..length).map(|child| (name(child), name(child - 1)))).unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

fn read(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Hierarchy, ReadError> {
    read_from(bytes, name, options, &())
}

#[test]
fn a_limit_can_be_set_and_is_otherwise_that_of_the_machine() {
    let limit = Limit::of(MB);
    assert_eq!(memory::limit(), MB);
    assert!(memory::check(Stage::Closure, MB).is_ok());
    let error = memory::check(Stage::Closure, MB + 1).unwrap_err();
    assert_eq!(error, MemoryError { stage: Stage::Closure, needed: MB + 1, limit: MB });
    memory::set_limit(None);
    assert!(memory::limit() > MB);
    drop(limit);
}

#[test]
fn a_closure_too_large_to_train_on_is_refused() {
    let chain = chain(3000);
    let _limit = Limit::of(20 * MB);
    assert_eq!(chain.checked_closure(&()).unwrap(), chain.closure());
    let error: Error = chain.closure_graph(&()).unwrap_err().into();
    let Error::Memory(error) = error else { panic!("{error}") };
    assert!(error.needed > 8 * chain.closure_len() && error.limit == 20 * MB, "{error}");
    memory::set_limit(Some(10 * MB));
    assert!(chain.checked_closure(&()).is_err());
}

#[test]
fn the_closure_as_a_graph_is_that_of_its_pairs() {
    let toy = Hierarchy::read("toy").unwrap();
    let _limit = Limit::of(MB);
    let graph = toy.closure_graph(&()).unwrap();
    assert_eq!(graph, Graph::new(toy.len(), toy.closure().pairs()));
}

#[test]
fn four_billion_negatives_are_refused_before_they_are_drawn() {
    let toy = Hierarchy::read("toy").unwrap();
    let _limit = Limit::of(20 * MB);
    let params = |negatives: u32| {
        let params = Recipe::Paper.params(true).with(|params| params.negatives = negatives);
        params.check(toy.len()).unwrap()
    };
    let (few, many) = (params(128), params(u32::MAX));
    assert!(Training::new(toy.graph(), &few, Validation::Nothing).is_ok());
    let error = Training::new(toy.graph(), &many, Validation::Nothing).unwrap_err();
    let Error::Memory(error) = Error::from(error) else { panic!("{error}") };
    assert_eq!((error.stage, error.limit), (Stage::Draws, 20 * MB));
    assert!(error.needed > u64::from(u32::MAX), "{error}");
}

#[test]
fn a_search_with_more_counts_than_memory_is_refused() {
    let chain = chain(1000);
    let _limit = Limit::of(MB);
    let params = Recipe::Best.params(true).with(|params| params.bits = 1024);
    let params = params.check(chain.len()).unwrap();
    let error = Training::new(chain.graph(), &params, Validation::Nothing).unwrap_err();
    let Error::Memory(error) = Error::from(error) else { panic!("{error}") };
    assert!(error.needed >= 1000 * 1024 * 4, "{error}");
}

#[test]
fn a_closure_too_large_to_divide_is_refused() {
    let chain = chain(1000);
    let _limit = Limit::of(MB);
    let error = split(&chain, &[0, 50], 1).unwrap_err();
    assert!(matches!(error, SplitError::Memory(_)), "{error}");
    assert!(matches!(Error::from(error), Error::Memory(_)));
    memory::set_limit(Some(100 * MB));
    assert!(split(&chain, &[0, 50], 1).is_ok());
}

#[test]
fn a_closure_that_does_not_fit_is_searched_and_the_codes_are_the_same() {
    let animals = Hierarchy::read("wordnet-animals").unwrap();
    let params = EncodeParams::default().effort(Effort::Fast);
    let limit = Limit::of(1000 * MB);
    let kept = encode::codes(&animals, &params, &()).unwrap().codes;
    // Less than the closure takes, and more than the codes do.
    memory::set_limit(Some(250_000));
    let searched = encode::codes(&animals, &params, &()).unwrap().codes;
    assert_eq!(kept.words(), searched.words());
    drop(limit);
}

#[test]
fn codes_that_do_not_fit_are_refused() {
    let chain = chain(3000);
    let _limit = Limit::of(100_000);
    let error = encode::codes(&chain, &EncodeParams::default(), &()).unwrap_err();
    assert!(matches!(error, EncodeError::Memory(_)), "{error}");
    assert!(matches!(Error::from(error), Error::Memory(_)));
}

#[test]
fn a_placer_that_does_not_fit_is_refused() {
    let verbs = Hierarchy::read("wordnet-verbs").unwrap();
    let fast = EncodeParams::default().effort(Effort::Fast);
    let model = binder::encode_with(verbs, &fast, &()).unwrap().model;
    let _limit = Limit::of(50 * MB);
    let error = Placer::fit(model, &PlaceParams::default(), &()).unwrap_err();
    let error = Error::from(error);
    let Error::Memory(error) = error else { panic!("{error}") };
    assert_eq!((error.stage, error.limit), (Stage::Placer, 50 * MB));
    assert!((100 * MB..500 * MB).contains(&error.needed), "{error}");
    let said = "what a placer counts in the texts takes about";
    assert!(error.to_string().starts_with(said), "{error}");
}

#[test]
fn equal_lines_take_no_more_memory_than_one() {
    let _limit = Limit::of(60 * MB);
    let lines = 3_000_000;
    let packed = gzip("a\tb\n".repeat(lines).as_bytes());
    let read = read(&packed, "equal.tsv.gz", &ReadOptions::default()).unwrap();
    assert_eq!((read.len(), read.direct(), read.dropped().duplicate), (2, 1, lines - 1));
}

#[test]
fn names_and_pairs_beyond_the_limit_are_refused_with_the_line() {
    let mut text = String::new();
    (1..20_000).for_each(|child| writeln!(text, "concept {child}\tconcept 0").unwrap());
    let _limit = Limit::of(MB);
    let error = read(text.as_bytes(), "names.tsv", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::Memory(_)) && error.position.is_some(), "{error}");
    assert!(matches!(Error::from(error), Error::Memory(_)));
}

#[test]
fn a_small_file_that_unpacks_to_a_large_one_is_refused() {
    let packed = gzip("a\tb\n".repeat(1_000_000).as_bytes());
    assert!(packed.len() < 20_000);
    let limit = Limit::of(2 * MB);
    let error = read(&packed, "bomb.tsv.gz", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::TooLong { limit } if limit == 2 * MB), "{error}");
    drop(limit);
    let mut options = ReadOptions::default();
    options.max_bytes = Some(1000);
    let error = read(&packed, "bomb.tsv.gz", &options).unwrap_err();
    assert_eq!(error.to_string(), "bomb.tsv.gz: more than 1.0 kB of text, unpacked");
}

#[test]
fn an_endless_name_is_refused_where_it_stands() {
    let name = "x".repeat(65_537);
    let packed = gzip(format!("a\tb\nc\t{name}\n").as_bytes());
    let error = read(&packed, "names.tsv.gz", &ReadOptions::default()).unwrap_err();
    let expected =
        "names.tsv.gz:2:3: name of 65537 bytes; the longest that is taken has 65536".to_owned();
    assert_eq!(error.to_string(), expected);
    let mut options = ReadOptions::default();
    options.max_name_bytes = Some(65_537);
    assert_eq!(read(&packed, "names.tsv.gz", &options).unwrap().len(), 4);
    let obo = format!("format-version: 1.4\n\n[Term]\nid: X:1\nis_a: X:{name}\n");
    let error = read(obo.as_bytes(), "names.obo", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::LongName { bytes: 65_539, .. }), "{error}");
    let rdf = format!(
        "<http://x/a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/{name}> .\n"
    );
    let error = read(rdf.as_bytes(), "names.nt", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.problem, Problem::LongName { .. }), "{error}");
}

#[test]
fn an_empty_file_that_is_called_compressed_is_no_hierarchy() {
    for name in ["empty.tsv.gz", "empty.obo.zst", "EMPTY.GZ"] {
        let error = read(b"", name, &ReadOptions::default()).unwrap_err();
        assert!(matches!(error.problem, Problem::EmptyCompressed), "{error}");
    }
    assert!(read(b"", "empty.tsv", &ReadOptions::default()).unwrap().is_empty());
    // What is compressed may well be nothing.
    assert!(read(&gzip(b""), "empty.tsv.gz", &ReadOptions::default()).unwrap().is_empty());
}

/// Cancels everything at once.
struct Cancel;

impl binder::Progress for Cancel {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn the_closure_and_a_split_can_be_cancelled() {
    let toy = Hierarchy::read("toy").unwrap();
    let cancelled = |error: Error| assert!(matches!(error, Error::Cancelled(_)), "{error}");
    cancelled(toy.checked_closure(&Cancel).unwrap_err().into());
    cancelled(toy.closure_graph(&Cancel).unwrap_err().into());
    cancelled(split_with(&toy, &[0], 1, &Cancel).unwrap_err().into());
}
