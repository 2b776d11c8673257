//! Work that nobody wants any more ends with the error that says so, whenever it is given up.

use std::sync::atomic::{AtomicU64, Ordering};

use binder::builtin::Builtin;
use binder::encode::{EncodeError, EncodeParams, encode};
use binder::evaluate::{all_pairs, all_pairs_with};
use binder::read::{Problem, ReadOptions, read_from};
use binder::{Cancelled, Error, Progress};

/// Is asked so often whether to go on, and then says no.
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

#[test]
fn encoding_ends_when_it_is_given_up() {
    let animals = Builtin::WordnetAnimals.load();
    for times in [0, 1, 10, 100] {
        let encoded = encode(&animals, &EncodeParams::default(), &Patience::of(times));
        assert!(
            matches!(encoded, Err(Error::Encode(EncodeError::Cancelled(Cancelled)))),
            "{times}"
        );
    }
    let whole = encode(&animals, &EncodeParams::default(), &Patience::of(u64::MAX)).unwrap();
    assert_eq!(whole.codes, encode(&animals, &EncodeParams::default(), &()).unwrap().codes);
}

#[test]
fn evaluation_ends_when_it_is_given_up() {
    let animals = Builtin::WordnetAnimals.load();
    let codes = encode(&animals, &EncodeParams::default(), &()).unwrap().codes;
    for times in [0, 1, 2] {
        assert_eq!(all_pairs_with(&codes, &animals, &Patience::of(times)), Err(Cancelled));
    }
    assert_eq!(
        all_pairs_with(&codes, &animals, &Patience::of(100)),
        Ok(all_pairs(&codes, &animals))
    );
}

#[test]
fn reading_ends_when_it_is_given_up() {
    let text = "a\tb\n".repeat(1 << 20);
    let read = read_from(text.as_bytes(), "pairs.tsv", &ReadOptions::default(), &Patience::of(1));
    let problem = read.unwrap_err().problem;
    assert!(
        matches!(&problem, Problem::Io(error) if error.to_string() == Cancelled.to_string()),
        "{problem}"
    );
}
