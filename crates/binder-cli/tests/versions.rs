//! `binder diff` and `binder update`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use binder::Model;
use serde_json::{Value, json};

const OLD: &str = "dog\tanimal\ncat\tanimal\npuppy\tdog\nhamster\tanimal\n";
const NEW: &str = "dog\tpet\npet\tanimal\ncat\tpet\npuppy\tdog\nkitten\tcat\n";

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

fn report(folder: &Path, args: &[&str]) -> Value {
    let output = binder(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn error(folder: &Path, args: &[&str]) -> String {
    let output = binder(folder, args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with two versions and a model of the old one.
fn versions() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.tsv"), OLD).unwrap();
    fs::write(folder.path().join("new.tsv"), NEW).unwrap();
    report(folder.path(), &["encode", "old.tsv", "-o", "old.model", "--json"]);
    folder
}

#[test]
fn files_that_cannot_be_standard_output_are_not_called_a_dash() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &["update", "m", "toy", "-o", "n", "--patch", "-"][..],
        &["update", "m", "toy", "-o", "n", "--sql", "-"],
        &["tune", "toy", "-o", "-"],
    ] {
        let refused = binder(folder.path(), args);
        let why = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {why}");
        assert!(why.contains("give the path of a file"), "{args:?}: {why}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_diff_names_what_differs() {
    let folder = versions();
    // A model stands for the data it was made from.
    for old in ["old.tsv", "old.model"] {
        let diff = report(folder.path(), &["diff", old, "new.tsv", "--json"]);
        assert_eq!(diff["same"], false);
        assert_eq!(diff["added"], json!(["pet", "kitten"]));
        assert_eq!(diff["removed"], json!(["hamster"]));
        let moved = json!({"concept": "dog", "gained": ["pet"], "lost": ["animal"]});
        assert_eq!(diff["moved"][0], moved);
        assert_eq!(diff["relocated"], 0);
        let closure = json!(
            {"gained": 7, "lost": 1, "gained_among_kept": 0, "lost_among_kept": 0}
        );
        assert_eq!(diff["closure"], closure);
    }
    let text = binder(folder.path(), &["diff", "old.tsv", "new.tsv", "--limit", "1"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("added    2\n    pet\n    … and 1 more\n"), "{text}");
    assert!(text.contains("dog: animal → pet"), "{text}");
}

#[test]
fn the_exit_code_of_a_diff_says_no_only_on_request() {
    let folder = versions();
    let code = |args: &[&str]| binder(folder.path(), args).status.code();
    assert_eq!(code(&["diff", "old.tsv", "new.tsv"]), Some(0));
    assert_eq!(code(&["diff", "old.tsv", "new.tsv", "--exit-code"]), Some(1));
    assert_eq!(code(&["diff", "old.model", "old.tsv", "--exit-code"]), Some(0));
    assert_eq!(code(&["diff", "old.tsv", "gone.tsv", "--exit-code"]), Some(2));
    assert_eq!(code(&["diff", "old.tsv", "gone.tsv"]), Some(1));
}

#[test]
fn an_update_keeps_codes_and_writes_what_changed() {
    let folder = versions();
    let output = report(
        folder.path(),
        &[
            "update",
            "old.model",
            "new.tsv",
            "-o",
            "new.model",
            "--patch",
            "patch.tsv",
            "--sql",
            "patch.sql",
            "--table",
            "facts",
            "--key",
            "concept",
            "--json",
        ],
    );
    let counts = ["entities", "added", "removed", "kept", "relocated", "fp", "fn"];
    assert_eq!(counts.map(|field| output[field].as_u64()), [6, 2, 1, 4, 0, 0, 0].map(Some));

    let open = |name| Model::open(folder.path().join(name)).unwrap();
    let (old, new) = (open("old.model"), open("new.model"));
    let mut patched = patched_codes(&old, &folder.path().join("patch.tsv"));
    patched.sort_unstable();
    let mut expected: Vec<_> = codes(&new);
    expected.sort_unstable();
    assert_eq!(patched, expected);

    let script = fs::read_to_string(folder.path().join("patch.sql")).unwrap();
    assert!(
        script.contains("UPDATE \"facts\" SET c0 = \"facts_patch\".c0 FROM \"facts_patch\""),
        "{script}"
    );
    assert!(script.contains("('hamster', 'gone', NULL)"), "{script}");
}

/// Names and codes as strings of bits, without zeros at the end.
fn codes(model: &Model) -> Vec<(String, String)> {
    let digits = |id| {
        let bits = (0..model.codes().bits()).map(|bit| model.codes().get(id, bit));
        bits.map(|bit| if bit { '1' } else { '0' }).collect::<String>()
    };
    let row = |id| {
        let digits: String = digits(id);
        (model.hierarchy().name(id).to_owned(), digits.trim_end_matches('0').to_owned())
    };
    model.hierarchy().ids().map(row).collect()
}

/// The codes of a model after a patch.
fn patched_codes(old: &Model, patch: &Path) -> Vec<(String, String)> {
    let mut table: std::collections::BTreeMap<_, _> = codes(old).into_iter().collect();
    let text = fs::read_to_string(patch).unwrap();
    assert!(text.starts_with("concept\told code\tnew code\n"), "{text}");
    for line in text.lines().skip(1) {
        let [concept, before, after] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let trimmed = |code: &str| code.trim_end_matches('0').to_owned();
        assert_eq!(table.remove(concept).unwrap_or_default(), trimmed(before));
        if !after.is_empty() {
            table.insert(concept.to_owned(), trimmed(after));
        }
    }
    table.into_iter().collect()
}

#[cfg(target_os = "linux")]
#[test]
fn an_update_whose_patch_cannot_be_written_leaves_the_model() {
    let folder = versions();
    let here = folder.path();
    fs::copy(here.join("old.model"), here.join("m")).unwrap();
    let update = ["update", "old.model", "new.tsv", "-o", "m"];
    let why = error(here, &[&update[..], &["--patch", "/dev/full", "--sql", "x.sql"]].concat());
    assert!(why.contains("the model was not written: /dev/full: "), "{why}");
    assert!(!here.join("x.sql").exists());
    let why = error(here, &[&update[..], &["--patch", "x.tsv", "--sql", "/dev/full"]].concat());
    assert!(why.contains("x.tsv is written; the model was not written: /dev/full: "), "{why}");
    assert_eq!(fs::read(here.join("m")).unwrap(), fs::read(here.join("old.model")).unwrap());
    let why =
        error(here, &["update", "old.model", "new.tsv", "-o", "/dev/full", "--patch", "y.tsv"]);
    assert!(why.contains("y.tsv is written: "), "{why}");
}

#[test]
fn an_update_says_what_stands_in_its_way() {
    let folder = versions();
    fs::write(folder.path().join("other.tsv"), "oak\ttree\n").unwrap();
    let message = error(folder.path(), &["update", "old.model", "other.tsv", "-o", "x"]);
    assert!(message.contains("no concept in common"), "{message}");
    let message = error(folder.path(), &["update", "old.model", "new.tsv", "-o", "old.model"]);
    assert!(message.contains("old.model"), "{message}");
    let message =
        error(folder.path(), &["update", "old.model", "new.tsv", "-o", "x", "--patch", "new.tsv"]);
    assert!(message.contains("new.tsv"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("new.tsv")).unwrap(), NEW);
    assert!(!folder.path().join("x").exists());
    save_with_misses(folder.path());
    let message = error(folder.path(), &["update", "few.model", "old.tsv", "-o", "x"]);
    assert!(message.contains("not exact") && message.contains("binder encode"), "{message}");
}

/// Saves a model whose root has a bit that nothing below it has.
fn save_with_misses(folder: &Path) {
    let model = Model::open(folder.join("old.model")).unwrap();
    let mut codes = model.codes().clone();
    codes.set(model.hierarchy().id("animal").unwrap(), 0, true);
    (1..5).for_each(|id| codes.set(id, 0, false));
    Model::new(std::sync::Arc::clone(model.hierarchy()), codes)
        .unwrap()
        .save(folder.join("few.model"))
        .unwrap();
}
