//! Work ends with the error `Cancelled`, whenever it is cancelled.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use binder::encode::{EncodeError, EncodeParams, codes};
use binder::evaluate::{all_pairs, all_pairs_with};
use binder::grow::GrowError;
use binder::read::{Builtin, Problem, ReadError, ReadOptions, read_from};
use binder::{Cancelled, Error, Growth, Hierarchy, Model, Progress, encode_with};

/// Cancels the work at a given call of `is_cancelled`.
struct Patience(AtomicU64);

impl Patience {
    fn of(times: u64) -> Self {
        Self(AtomicU64::new(times))
    }
}

impl Progress for Patience {
    fn is_cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// Whether the error of any stage becomes the library's error `Cancelled`.
fn is_cancelled(error: impl Into<Error>) -> bool {
    matches!(error.into(), Error::Cancelled(Cancelled))
}

#[test]
fn encoding_ends_when_it_is_cancelled() {
    let animals = Builtin::WordnetAnimals.load();
    for times in [0, 1, 10, 100] {
        let error = codes(&animals, &EncodeParams::default(), &Patience::of(times)).unwrap_err();
        assert_eq!(error, EncodeError::Cancelled(Cancelled), "{times}");
        assert!(is_cancelled(error));
    }
    let whole = codes(&animals, &EncodeParams::default(), &Patience::of(u64::MAX)).unwrap();
    assert_eq!(whole.codes, codes(&animals, &EncodeParams::default(), &()).unwrap().codes);
}

/// A forest needs no search, so the check of all pairs is cancelled.
#[test]
fn the_check_of_what_was_encoded_ends_when_it_is_cancelled() {
    let toy = Builtin::Toy.load();
    let error = encode_with(toy, &EncodeParams::default(), &Patience::of(0)).unwrap_err();
    assert!(is_cancelled(error));
}

#[test]
fn evaluation_ends_when_it_is_cancelled() {
    let animals = Builtin::WordnetAnimals.load();
    let codes = codes(&animals, &EncodeParams::default(), &()).unwrap().codes;
    for times in [0, 1, 2] {
        let judged = all_pairs_with(&codes, &animals, &Patience::of(times));
        assert_eq!(judged, Err(Cancelled));
        assert!(is_cancelled(judged.unwrap_err()));
    }
    assert_eq!(
        all_pairs_with(&codes, &animals, &Patience::of(100)),
        Ok(all_pairs(&codes, &animals))
    );
}

#[test]
fn growing_ends_when_it_is_cancelled() {
    let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")]).unwrap();
    let model: Model = binder::encode(&pets).unwrap();
    let grown = |progress: &dyn Progress| {
        let mut growth = Growth::new(&model);
        growth.add("puppy", &["dog"]).unwrap();
        growth.finish(progress)
    };
    let error = grown(&Patience::of(0)).unwrap_err();
    assert_eq!(error, GrowError::Cancelled(Cancelled));
    assert!(is_cancelled(error));
    assert_eq!(grown(&Patience::of(100)).unwrap().model, grown(&()).unwrap().model);
}

/// So many pairs that no reader has read all of them before its second check for cancellation.
fn many_pairs() -> Vec<u8> {
    let mut text = Vec::new();
    (0..1 << 18).for_each(|i: u32| {
        let random = i.wrapping_mul(0x9e37_79b9);
        writeln!(text, "c{random:x}\tc{:x}", random.rotate_left(7)).unwrap();
    });
    text
}

fn cancelled_after(times: u64, bytes: &[u8], name: &str) -> ReadError {
    read_from(bytes, name, &ReadOptions::default(), &Patience::of(times)).unwrap_err()
}

fn check_reading(bytes: &[u8], name: &str) {
    for times in [0, 1, 2] {
        let error = cancelled_after(times, bytes, name);
        assert!(matches!(error.problem, Problem::Cancelled(Cancelled)), "{times}: {error:?}");
        assert_eq!(error.to_string(), format!("{name}: cancelled"));
        assert!(is_cancelled(error));
    }
}

#[test]
fn reading_ends_when_it_is_cancelled() {
    check_reading(&many_pairs(), "pairs.tsv");
}

/// Every reader except that of edge lists uses a parser, which wraps the error of its source.
#[test]
fn reading_an_ontology_ends_when_it_is_cancelled() {
    let many =
        |start: &str, record: &str| (start.to_owned() + &record.repeat(1 << 16)).into_bytes();
    check_reading(&many("format-version: 1.2\n\n", "[Term]\nid: A:1\nis_a: A:2\n\n"), "a.obo");
    check_reading(&many("", "<a:a> <a:b> <a:c> .\n"), "a.nt");
    check_reading(&many("@prefix : <http://example.org/> .\n", ":a :b\n  :c .\n"), "a.ttl");
    let start = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n";
    check_reading(&many(start, "<rdf:Description/>\n"), "a.rdf");
}

/// Cancelled decompression is not reported as damaged data.
#[test]
fn unpacking_ends_when_it_is_cancelled() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&many_pairs()).unwrap();
    check_reading(&packer.finish().unwrap(), "pairs.tsv.gz");
    check_reading(&zstd::encode_all(&many_pairs()[..], 1).unwrap(), "pairs.tsv.zst");
}

#[test]
fn reading_a_file_ends_when_it_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.tsv");
    std::fs::write(&path, many_pairs()).unwrap();
    for times in [0, 1] {
        let read = binder::read(&path, &ReadOptions::default(), &Patience::of(times));
        assert!(is_cancelled(read.unwrap_err()));
    }
    let wordnet = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wordnet-tiny");
    let read = binder::read(wordnet, &ReadOptions::default(), &Patience::of(0));
    assert!(is_cancelled(read.unwrap_err()));
}
