//! One epoch of each baseline on the direct pairs of WordNet's nouns (link prediction at 0 %), with
//! K = 128 negatives per pair and batches of 1,024.
//!
//! `cargo bench -p binder-benches --bench baselines`; items are pairs scored. An epoch is followed
//! by what validation needs of all rows, which is counted in.

use binder::read::Builtin;
use binder_baselines::{BaselineParams, Method, Training, Validation, evaluate};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Epochs before the measurement: slopes are fewer once the first mistakes are mended.
const WARM_UP: u32 = 2;

fn epochs(bencher: Bencher, method: Method) {
    let nouns = Builtin::WordnetNouns.load();
    let params = BaselineParams::of(method).with(|params| {
        (params.batch, params.epochs, params.patience) = (1024, u32::MAX, 0);
    });
    let params = params.check().expect("sound settings");
    let validation = Validation { positives: &[(1, 0)], negatives: &[(0, 1)] };
    let mut training =
        Training::new(nouns.graph(), nouns.graph(), &params, validation).expect("there are pairs");
    for _ in 0..WARM_UP {
        training.step(&()).expect("nobody cancels it");
    }
    let pairs = nouns.direct() as u64 * u64::from(params.negatives + 1);
    bencher
        .counter(ItemsCount::new(pairs))
        .bench_local(|| training.step(&()).expect("nobody cancels it").loss);
}

/// The methods, those with a target first.
const METHODS: [&str; 10] = [
    "oe",
    "hec",
    "gumbel-box",
    "t-box",
    "poe",
    "lorentzian",
    "poincare",
    "sim",
    "bilinear",
    "complex",
];

#[divan::bench(sample_count = 3, sample_size = 1, args = METHODS)]
fn nouns_direct(bencher: Bencher, method: &str) {
    epochs(bencher, method.parse().expect("a method"));
}

/// All pairs of WordNet's animals, judged.
#[divan::bench(sample_count = 3, sample_size = 1, args = ["oe", "hec", "gumbel-box", "t-box"])]
fn animals_all_pairs(bencher: Bencher, method: &str) {
    let animals = Builtin::WordnetAnimals.load();
    let params = BaselineParams::of(method.parse().expect("a method"));
    let params = params.with(|params| params.epochs = 20).check().expect("sound settings");
    let model = binder_baselines::fit(&animals, &params, &()).expect("nobody cancels it");
    let (scores, pairs) = (model.scores(), (animals.len() * (animals.len() - 1)) as u64);
    bencher.counter(ItemsCount::new(pairs)).bench_local(|| {
        evaluate::all_pairs(&*scores, model.threshold().at, &animals, &()).map(|judged| judged.auc)
    });
}
