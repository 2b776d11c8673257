//! One epoch of `binder train`, once training is under way: draws, gradient and flips, without
//! validation.
//!
//! `cargo bench -p binder-benches --bench train`; items are negatives. Each benchmark first trains
//! for as many epochs as its name says. `early.rs` measures from epoch 1.

use binder::graph::Graph;
use binder::read::Builtin;
use binder::train::{Init, Recipe, Training, Validation, negatives};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// A benchmark: the data, the training pairs, and the number of epochs before the measurement.
struct Run {
    data: Builtin,
    closure: bool,
    recipe: Recipe,
    negatives: u32,
    all_negatives: bool,
    warm_up: u32,
}

const DIRECT: Run = Run {
    data: Builtin::WordnetNouns,
    closure: false,
    recipe: Recipe::Published,
    negatives: 128,
    all_negatives: false,
    warm_up: 1000,
};

fn epochs(bencher: Bencher, run: &Run) {
    let hierarchy = run.data.load();
    let pairs = if run.closure {
        Graph::new(hierarchy.len(), hierarchy.closure().pairs())
    } else {
        hierarchy.graph().clone()
    };
    let params = run.recipe.params(!run.closure).with(|params| {
        params.epochs = u32::MAX;
        params.negatives = run.negatives;
        params.alpha = if run.closure { 100 } else { 25_000 };
    });
    let warm = params.clone().check(hierarchy.len()).expect("a sound recipe");
    let mut training = Training::new(&pairs, &warm, Validation::Nothing).expect("a sound recipe");
    for _ in 0..run.warm_up {
        training.step();
    }
    let init = Init::Codes(training.result().1.clone());
    let params = params.with(|params| {
        params.init = init;
        params.all_negatives |= run.all_negatives;
    });
    let params = params.check(hierarchy.len()).expect("a sound recipe");
    let mut training = Training::new(&pairs, &params, Validation::Nothing).expect("a sound recipe");
    let looked_at = ItemsCount::new(negatives::count_in_epoch(&pairs, &params));
    bencher.counter(looked_at).bench_local(|| training.step());
}

#[divan::bench(sample_count = 50)]
fn animals_direct_128_after_500(bencher: Bencher) {
    epochs(bencher, &Run { data: Builtin::WordnetAnimals, warm_up: 500, ..DIRECT });
}

#[divan::bench(sample_count = 20)]
fn nouns_direct_128_after_1000(bencher: Bencher) {
    epochs(bencher, &DIRECT);
}

#[divan::bench(sample_count = 10)]
fn nouns_closure_256_after_30(bencher: Bencher) {
    epochs(bencher, &Run { closure: true, negatives: 256, warm_up: 30, ..DIRECT });
}

#[divan::bench(sample_count = 10)]
fn nouns_direct_all_after_1000(bencher: Bencher) {
    epochs(bencher, &Run { all_negatives: true, ..DIRECT });
}

#[divan::bench(sample_count = 10)]
fn nouns_direct_all_of_the_first_best(bencher: Bencher) {
    epochs(bencher, &Run { recipe: Recipe::Best, warm_up: 0, ..DIRECT });
}
