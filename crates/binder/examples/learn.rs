//! Learns codes by the local search of the BINDER paper and scores held-out pairs.
//!
//! `cargo run --release --example learn`

#![allow(clippy::print_stdout, reason = "it is a program")]

use binder::read::Builtin;
use binder::train::{Recipe, Training, Validation};
use binder::{evaluate, split};

fn main() -> binder::Result<()> {
    let animals = Builtin::WordnetAnimals.load();
    // 5 % of the indirect pairs for testing, 5 % for validation, none for training.
    let split = split(&animals, &[0], 1)?;

    let params = Recipe::Published.params(true).with(|params| params.epochs = 300);
    let params = params.check(animals.len())?;
    let validation = Validation::Listed { positives: &split.valid, negatives: &split.valid_neg };
    let mut training = Training::new(animals.graph(), &params, validation)?;
    while !training.is_over() {
        let epoch = training.step();
        if epoch.epoch % 50 == 0 {
            let f1 = epoch.score.map_or(0.0, |score| score.f1);
            println!("epoch {}: validation F1 {:.2} %", epoch.epoch, f1 * 100.0);
        }
    }

    let (best_epoch, codes) = training.result();
    let judged = evaluate::listed(codes, &split.test, &split.test_neg);
    println!("epoch {best_epoch} kept: test F1 {:.2} %", judged.confusion.f1() * 100.0);
    Ok(())
}
