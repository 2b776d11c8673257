//! `binder baseline`, and `binder eval` of its models.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn binder(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binder"));
    command.args(args).current_dir(folder);
    command
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = binder(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"", "{args:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn failure(folder: &Path, args: &[&str]) -> String {
    let output = binder(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Options of a run of a moment.
const QUICK: [&str; 6] = ["--dim", "8", "--epochs", "4", "--negatives", "8"];

fn quick<'a>(args: &[&'a str]) -> Vec<&'a str> {
    args.iter().copied().chain(QUICK).collect()
}

#[test]
fn a_baseline_is_trained_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let train = ["baseline", "toy", "--method", "oe", "-o", "m", "--on", "closure", "--json"];
    let report = json(folder.path(), &quick(&train));
    assert_eq!((report["entities"].as_u64(), report["numbers"].as_u64()), (Some(15), Some(8)));
    assert_eq!(report["epochs"], 4);
    let judged = json(folder.path(), &["eval", "m", "--against", "toy", "--json"]);
    let counts = ["tp", "fp", "fn", "tn"].map(|key| judged[key].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 15 * 14);
    for key in ["f1", "precision", "recall", "best_f1", "auc", "average_precision", "mrr"] {
        let share = judged[key].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share), "{key}: {share}");
    }
    let text = binder(folder.path(), &["eval", "m", "--against", "toy"]);
    assert!(String::from_utf8(text.stdout).unwrap().contains("Hits@10"));
}

#[test]
fn listed_pairs_are_validated_on_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let split = binder(path, &["split", "wordnet-animals", "-o", "split"]);
    assert!(split.status.success());
    let train = [
        "baseline",
        "wordnet-animals",
        "--method",
        "poe",
        "-o",
        "m",
        "--on",
        "split/train_0.tsv",
        "--valid",
        "split/valid.tsv",
        "--valid-neg",
        "split/valid_neg.tsv",
        "--log",
        "log",
    ];
    assert!(binder(path, &quick(&train)).status.success());
    assert_eq!(fs::read_to_string(path.join("log")).unwrap().lines().count(), 4);
    let listed = ["--positives", "split/test.tsv", "--negatives", "split/test_neg.tsv"];
    let judged = json(path, &[&["eval", "m", "--json"], &listed[..]].concat());
    assert_eq!(judged["method"], "poe");
    assert!(judged["f1"].as_f64().unwrap() > 0.1);
}

/// The same file on every processor: the plain version is the meaning.
#[test]
fn models_do_not_depend_on_the_instruction_set() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["sim", "bilinear", "complex", "oe", "poe", "lorentzian", "hec", "gumbel-box"]
        .into_iter()
        .chain(["t-box", "poincare"])
    {
        let of = |kernels: &str| {
            let args = ["baseline", "toy", "--method", method, "-o", kernels, "--dim", "21"];
            let args = [&args[..], &["--epochs", "3", "--negatives", "8"]].concat();
            let mut run = command(folder.path(), &args);
            assert!(run.env("BINDER_KERNELS", kernels).status().unwrap().success());
            fs::read(folder.path().join(kernels)).unwrap()
        };
        let scalar = of("scalar");
        assert_eq!(scalar, of("avx2"), "{method}");
        assert_eq!(scalar, of("avx512"), "{method}");
    }
}

#[test]
fn files_and_settings_that_do_not_fit_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(binder(path, &["encode", "toy", "-o", "codes"]).status.success());
    let train = ["baseline", "toy", "--method", "hec", "-o", "m"];
    assert!(binder(path, &quick(&train)).status.success());
    let message = failure(path, &["query", "m", "hypernyms", "dog"]);
    assert!(message.contains("not a Binder model: it is a baseline"), "{message}");
    let message =
        failure(path, &["baseline", "toy", "--method", "oe", "-o", "x", "--epsilon", "0.1"]);
    assert!(message.contains("--epsilon means nothing to oe"), "{message}");
    let message = failure(path, &["baseline", "toy", "--method", "oe", "-o", "x", "--dim", "0"]);
    assert!(message.contains("--dim is 0; choose from 1"), "{message}");
    let message = failure(path, &["baseline", "codes", "--method", "oe", "-o", "x"]);
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn codes_are_ranked_too() {
    let folder = tempfile::tempdir().unwrap();
    assert!(binder(folder.path(), &["encode", "toy", "-o", "m"]).status.success());
    let judged = json(folder.path(), &["eval", "m", "--against", "toy", "--ranking", "--json"]);
    assert_eq!(judged["ranking"]["mrr"].as_f64(), Some(1.0));
    let plain = json(folder.path(), &["eval", "m", "--against", "toy", "--json"]);
    assert!(plain.get("ranking").is_none());
}
