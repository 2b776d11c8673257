//! Questions to exact codes of WordNet's nouns, as `binder encode wordnet-nouns` makes them. Every
//! sample asks about another concept, drawn with a fixed seed. `worst` asks about the concept with
//! the most answers.
//!
//! `cargo bench -p binder-benches --bench queries`

use std::hint::black_box;
use std::sync::LazyLock;

use binder::encode::EncodeParams;
use binder::lookup::NameIndex;
use binder::query::Measure;
use binder::read::Builtin;
use binder::{Choice, Id, Index, encode_with};
use divan::Bencher;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

static NOUNS: LazyLock<Index> = LazyLock::new(|| {
    let nouns = Builtin::WordnetNouns.load();
    let encoded = encode_with(nouns, &EncodeParams::default(), &()).expect("nouns are encoded");
    let index = encoded.into_index();
    // Fill what is computed on first use.
    index.names();
    index.nearest(0, 1, Measure::Lin).expect("pairs are kept");
    index
});

fn main() {
    LazyLock::force(&NOUNS);
    divan::main();
}

/// An endless sequence of random concepts.
fn concepts() -> impl FnMut() -> Id {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    move || rng.random_range(NOUNS.hierarchy().ids())
}

/// The concept with the most hyponyms.
fn widest() -> Id {
    NOUNS.hierarchy().ids().max_by_key(|&concept| NOUNS.count_hyponyms(concept).ok()).expect("some")
}

/// The concept with the most hypernyms.
fn deepest() -> Id {
    NOUNS
        .hierarchy()
        .ids()
        .max_by_key(|&concept| NOUNS.count_hypernyms(concept).ok())
        .expect("some")
}

#[divan::bench]
fn hyponyms(bencher: Bencher) {
    bencher.with_inputs(concepts()).bench_local_values(|concept| NOUNS.hyponyms(concept));
}

#[divan::bench]
fn hyponyms_worst(bencher: Bencher) {
    let widest = widest();
    bencher.bench(|| NOUNS.hyponyms(black_box(widest)));
}

#[divan::bench]
fn hypernyms(bencher: Bencher) {
    bencher.with_inputs(concepts()).bench_local_values(|concept| NOUNS.hypernyms(concept));
}

#[divan::bench]
fn hypernyms_worst(bencher: Bencher) {
    let deepest = deepest();
    bencher.bench(|| NOUNS.hypernyms(black_box(deepest)));
}

#[divan::bench]
fn parents(bencher: Bencher) {
    bencher.with_inputs(concepts()).bench_local_values(|concept| NOUNS.parents(concept));
}

#[divan::bench]
fn children(bencher: Bencher) {
    bencher.with_inputs(concepts()).bench_local_values(|concept| NOUNS.children(concept));
}

#[divan::bench]
fn lowest_common_hypernyms(bencher: Bencher) {
    let mut concept = concepts();
    bencher
        .with_inputs(|| [concept(), concept()])
        .bench_local_values(|two| NOUNS.join(two).map(|join| NOUNS.most_specific(&join.above)));
}

#[divan::bench]
fn meet(bencher: Bencher) {
    let mut concept = concepts();
    bencher.with_inputs(|| [concept(), concept()]).bench_local_values(|two| NOUNS.meet(two));
}

#[divan::bench(sample_count = 20)]
fn complement(bencher: Bencher) {
    bencher.with_inputs(concepts()).bench_local_values(|concept| NOUNS.complement(concept));
}

#[divan::bench(args = Measure::ALL.iter().copied())]
fn nearest_10(bencher: Bencher, measure: Measure) {
    bencher
        .with_inputs(concepts())
        .bench_local_values(|concept| NOUNS.nearest(concept, 10, measure));
}

#[divan::bench]
fn explain(bencher: Bencher) {
    let mut concept = concepts();
    bencher
        .with_inputs(|| [concept(), concept()])
        .bench_local_values(|[child, parent]| NOUNS.explain(child, parent));
}

/// By a prefix, by one letter, with a typing error, by one long word and by nonsense.
#[divan::bench(args = ["dog", "d", "retreiver", "semiconducter device", "xqzzkw"])]
fn search_names(bencher: Bencher, text: &str) {
    bencher.bench(|| NOUNS.names().search(black_box(text), 10));
}

#[divan::bench(sample_count = 5)]
fn index_names(bencher: Bencher) {
    bencher.bench(|| NameIndex::new(NOUNS.hierarchy()));
}
