//! Limits: work that would take too much memory ends before it begins, and says what to do.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).current_dir(folder).args(args).output().unwrap()
}

/// What a command that must fail says.
fn failure(folder: &Path, args: &[&str]) -> String {
    let output = binder(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert!(!folder.join("m").exists(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn four_billion_negatives_are_refused_with_the_option_to_change() {
    let folder = tempfile::tempdir().unwrap();
    let error = failure(
        folder.path(),
        &[
            "train",
            "toy",
            "-o",
            "m",
            "--recipe",
            "paper",
            "--negatives",
            "4294967295",
            "--memory",
            "1GB",
        ],
    );
    assert!(error.contains("error: the list of an epoch's draws takes about "), "{error}");
    assert!(error.contains(" of memory, more than the limit of 1.0 GB; "), "{error}");
    assert!(error.ends_with("raise the limit with --memory, or lower --negatives\n"), "{error}");
}

#[test]
fn a_closure_beyond_the_limit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut chain = String::new();
    (1..20_000).for_each(|child| writeln!(chain, "c{child}\tc{}", child - 1).unwrap());
    fs::write(folder.path().join("chain.tsv"), chain).unwrap();
    let train = ["train", "chain.tsv", "-o", "m", "--on", "closure", "--memory", "100MB"];
    let error = failure(folder.path(), &train);
    assert!(error.contains("the closure by child and by parent takes about 1.6 GB"), "{error}");
    assert!(error.ends_with(", or use the direct pairs, which imply the others\n"), "{error}");
    let split = ["split", "chain.tsv", "-o", "m", "--memory", "100MB"];
    assert!(failure(folder.path(), &split).contains("pairs"));
}

#[test]
fn a_name_beyond_the_limit_is_refused_unless_the_limit_is_raised() {
    let folder = tempfile::tempdir().unwrap();
    let name = "x".repeat(70_000);
    fs::write(folder.path().join("long.tsv"), format!("cat\tpet\n{name}\tpet\n")).unwrap();
    let error = failure(folder.path(), &["encode", "long.tsv", "-o", "m"]);
    let text = "long.tsv:2:1: name of 70000 bytes; the longest that is taken has 65536; if this is a \
                name, raise the limit with --max-name\n";
    assert_eq!(error, format!("error: {text}"));
    let raised = binder(folder.path(), &["encode", "long.tsv", "-o", "m", "--max-name", "100kB"]);
    assert!(raised.status.success());
}

#[test]
fn a_size_is_a_number_and_a_unit() {
    let folder = tempfile::tempdir().unwrap();
    let output = binder(folder.path(), &["info", "toy", "--memory", "much"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("for example 500MB, 4GB or 2GiB"), "{error}");
}
