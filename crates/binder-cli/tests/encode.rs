//! `binder encode`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use binder::Model;
use serde_json::Value;

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = binder(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn animals_are_encoded_exactly_and_the_model_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let report =
        json(folder.path(), &["encode", "wordnet-animals", "-o", "m.safetensors", "--json"]);
    assert_eq!([&report["fp"], &report["fn"]], [0, 0]);
    assert_eq!((report["entities"].as_u64(), report["tp"].as_u64()), (Some(4017), Some(29_795)));
    assert!(report["bits"].as_u64().unwrap() <= 28 && report["words"] == 1, "{report}");
    assert!(report["lower_bound"].as_u64() <= report["bits"].as_u64());
    assert!(report["lost"].as_array().unwrap().is_empty());

    let model = Model::open(folder.path().join("m.safetensors")).unwrap();
    let note = |key: &str| model.notes()[key].as_str();
    assert_eq!(
        [note("method"), note("errors"), note("pairs_checked")],
        ["encode", "0", "16132272"]
    );
    let judged =
        json(folder.path(), &["eval", "m.safetensors", "--against", "wordnet-animals", "--json"]);
    assert_eq!([&judged["fp"], &judged["fn"]], [0, 0]);
}

#[test]
fn the_same_file_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for (threads, file) in [("1", "one"), ("3", "three")] {
        json(
            folder.path(),
            &["encode", "wordnet-animals", "-o", file, "--threads", threads, "--json"],
        );
    }
    let bytes = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    assert!(bytes("one") == bytes("three"));
}

#[test]
fn a_budget_names_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let report =
        json(folder.path(), &["encode", "wordnet-animals", "-o", "m", "--bits", "24", "--json"]);
    assert_eq!((report["bits"].as_u64(), &report["fn"]), (Some(24), &Value::from(0)));
    // Exact codes take 25 bits. One bit less leaves few false pairs of 16 million.
    assert!(report["fp"].as_u64().unwrap() < 300, "{report}");
    assert!(report["fp"].as_u64().unwrap() > 0 && report["f1"].as_f64().unwrap() > 0.9, "{report}");
    assert!(report["lost"][0]["concept"].is_string());

    let report =
        json(folder.path(), &["encode", "wordnet-animals", "-o", "m", "--words", "1", "--json"]);
    assert_eq!([&report["words"], &report["fp"]], [1, 0]);
    let both = ["encode", "toy", "-o", "m", "--words", "1", "--bits", "8"];
    assert_eq!(binder(folder.path(), &both).status.code(), Some(2));

    let roomy = ["encode", "wordnet-animals", "-o", "m", "--words", "1", "--room", "8", "--json"];
    let report = json(folder.path(), &roomy);
    assert_eq!([&report["words"], &report["room"], &report["fp"]], [1, 8, 0]);
    let full = binder(folder.path(), &["encode", "toy", "-o", "m", "--bits", "8", "--room", "8"]);
    assert_eq!(full.status.code(), Some(2));
    let message = String::from_utf8_lossy(&full.stderr);
    assert!(message.contains("8 bits of room in codes of at most 8 bits"), "{message}");

    let text = binder(folder.path(), &["encode", "toy", "-o", "toy.safetensors"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("all 210 pairs checked in") && text.contains("no error"), "{text}");
    for (option, most) in [("--bits", 4096), ("--words", 64)] {
        let wrong = binder(folder.path(), &["encode", "toy", "-o", "m", option, "0"]);
        assert_eq!(wrong.status.code(), Some(2));
        let message = String::from_utf8_lossy(&wrong.stderr);
        assert!(message.contains(option) && message.contains(&format!("1..={most}")), "{message}");
    }
    assert_eq!(
        binder(folder.path(), &["encode", "toy", "-o", "m", "--no-verify"]).status.code(),
        Some(2)
    );
}
