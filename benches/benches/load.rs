//! Reads ten million concepts in a tree from an edge list, orders and reduces them.
//!
//! `cargo bench -p binder-benches --bench load`. To measure memory: `cargo run --release -p
//! binder-benches --example random_tree -- 10000000 > tree.tsv`, then `/usr/bin/time -v binder info
//! tree.tsv`.

use binder::Choice;
use binder::read::{Builtin, read_from};
use binder_benches::random_tree;
use divan::Bencher;

fn main() {
    divan::main();
}

#[divan::bench(args = [100_000, 1_000_000, 10_000_000], sample_count = 1)]
fn tree(bencher: Bencher, concepts: u32) {
    let lines = random_tree(concepts, 1);
    bencher.bench(|| {
        let hierarchy =
            read_from(lines.as_bytes(), "tree.tsv", &Default::default(), &()).expect("a tree");
        assert_eq!(
            (hierarchy.len(), hierarchy.direct()),
            (concepts as usize, concepts as usize - 1)
        );
        hierarchy
    });
}

#[divan::bench(args = Builtin::ALL.iter().copied(), sample_count = 10)]
fn builtin(builtin: Builtin) -> binder::Hierarchy {
    builtin.load()
}
