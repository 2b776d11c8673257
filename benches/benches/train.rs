//! One epoch of `binder train` with the published recipe, once training is under way: draws, gradient and flips, without validation.
//!
//! `cargo bench -p binder-benches --bench train`; items are negatives. Each benchmark first trains for as many epochs as its name says.

use binder::builtin::Builtin;
use binder::train::{Recipe, TrainParams, Training, TrainingPairs, Validation};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

fn epochs(bencher: Bencher, data: Builtin, warm_up: u32) {
    let hierarchy = data.load();
    let pairs = TrainingPairs::new(hierarchy.len(), &hierarchy.pairs().collect::<Vec<_>>());
    let params = TrainParams { epochs: u32::MAX, ..Recipe::Published.params(true) };
    let params = params.check(hierarchy.len()).expect("a sound recipe");
    let mut training = Training::new(&pairs, &params, Validation::Nothing).expect("a sound recipe");
    for _ in 0..warm_up {
        training.step();
    }
    let drawn = ItemsCount::new(pairs.len() * params.negatives as usize);
    bencher.counter(drawn).bench_local(|| training.step());
}

#[divan::bench(sample_count = 50)]
fn animals_direct_128_after_500(bencher: Bencher) {
    epochs(bencher, Builtin::WordnetAnimals, 500);
}

#[divan::bench(sample_count = 10)]
fn nouns_direct_128_after_100(bencher: Bencher) {
    epochs(bencher, Builtin::WordnetNouns, 100);
}
