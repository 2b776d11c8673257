//! Counts the is-a pairs among all 6,742,626,882 ordered pairs of WordNet's nouns, on exact codes
//! of 128 bits: by columns as `binder eval` does it, and by a plain scan of the rows with the same
//! threads. Also measures single is-a questions.
//!
//! `cargo bench -p binder-benches --bench pairs`

use std::hint::black_box;
use std::sync::LazyLock;

use binder::bits::covers;
use binder::read::Builtin;
use binder::{Codes, Columns, Hierarchy, evaluate};
use binder_benches::exact_codes;
use divan::Bencher;
use divan::counter::ItemsCount;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

static NOUNS: LazyLock<(Hierarchy, Codes)> = LazyLock::new(|| {
    let nouns = Builtin::WordnetNouns.load();
    let codes = exact_codes(&nouns, 128).expect("128 bits are enough");
    assert_eq!(evaluate::all_pairs(&codes, &nouns).confusion.errors(), 0, "the codes are exact");
    (nouns, codes)
});

fn main() {
    LazyLock::force(&NOUNS);
    divan::main();
}

fn pairs() -> ItemsCount {
    let n = NOUNS.1.len() as u64;
    ItemsCount::new(n * (n - 1))
}

/// The number of is-a pairs of different concepts; `below` counts the concepts below a code.
fn is_a_pairs(below: impl Fn(&[u64]) -> u64 + Sync + Send) -> u64 {
    let rows: Vec<&[u64]> = NOUNS.1.rows().collect();
    let concepts = rows.len() as u64;
    rows.into_par_iter().map(below).sum::<u64>() - concepts
}

#[divan::bench(sample_count = 20)]
fn evaluate_all_pairs(bencher: Bencher) {
    let (nouns, codes) = &*NOUNS;
    bencher.counter(pairs()).bench(|| evaluate::all_pairs(black_box(codes), nouns));
}

#[divan::bench(sample_count = 20)]
fn count_by_columns(bencher: Bencher) {
    bencher.counter(pairs()).bench(|| {
        let columns = Columns::new(black_box(&NOUNS.1));
        is_a_pairs(|row| columns.count_supersets(row))
    });
}

#[divan::bench(sample_count = 20)]
fn build_columns(bencher: Bencher) {
    bencher.bench(|| Columns::new(black_box(&NOUNS.1)));
}

/// Compares every row with every row: the straightforward code for this width.
#[divan::bench(sample_count = 3)]
fn count_by_row_scan(bencher: Bencher) {
    bencher.counter(pairs()).bench(|| {
        let (rows, rest) = black_box(&NOUNS.1).words().as_chunks::<2>();
        assert!(rest.is_empty(), "codes of 128 bits");
        is_a_pairs(|parent| rows.iter().filter(|child| covers(*child, parent)).count() as u64)
    });
}

#[divan::bench(args = [64, 128, 192, 256, 512], sample_count = 50)]
fn random_is_a(bencher: Bencher, bits: usize) {
    const QUESTIONS: usize = 1 << 20;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let n = NOUNS.1.len();
    let words = (0..n * bits / 64).map(|_| rng.random::<u64>() & rng.random::<u64>()).collect();
    let codes = Codes::from_words(bits, words).expect("whole words");
    let id = 0..u32::try_from(n).expect("few");
    let asked: Vec<(u32, u32)> = (0..QUESTIONS)
        .map(|_| (rng.random_range(id.clone()), rng.random_range(id.clone())))
        .collect();
    bencher.counter(ItemsCount::new(QUESTIONS)).bench(|| {
        asked.iter().filter(|&&(child, parent)| black_box(&codes).is_a(child, parent)).count()
    });
}
