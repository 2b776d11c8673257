//! The similarity term and the table of chances: off, files are what they always were; on, they are
//! noted, and a run goes on from its checkpoint.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

/// Trains, and gives the bytes of the model.
fn train(folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = binder(folder, &[&["train"], args, &["-o", "m", "--force"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(folder.join("m")).unwrap()
}

fn has(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// The checksums are of files that were made before there were these settings.
#[test]
fn without_them_files_are_those_of_earlier_versions() {
    let folder = tempfile::tempdir().unwrap();
    for (data, recipe, more, checksum) in [
        ("toy", "paper", &["--bits", "16"][..], "57a7e145"),
        ("toy", "published", &["--bits", "16"], "8ee463ec"),
        ("wordnet-animals", "paper", &[], "86e8430d"),
        ("wordnet-animals", "published", &[], "c5566368"),
        ("wordnet-animals", "best", &[], "447c0509"),
    ] {
        let first = [data, "--recipe", recipe, "--seed", "3", "--epochs", "12", "--no-valid"];
        let plain = train(folder.path(), &[&first, more].concat());
        assert!(has(&plain, &format!("crc32:{checksum}")), "{data} {recipe}");
        let off = ["--similarity", "0", "--chances", "tanh"];
        assert_eq!(plain, train(folder.path(), &[&first, more, &off].concat()));
        let on = ["--similarity", "40", "--chances", "table"];
        let other = train(folder.path(), &[&first, more, &on].concat());
        assert!(has(&other, r#""similarity":"40""#) && has(&other, r#""chances":"table""#));
        assert!(!has(&plain, "similarity") && !has(&plain, "chances"));
    }
}

#[test]
fn runs_with_them_go_on_from_checkpoints_and_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for recipe in ["published", "best"] {
        let first = ["wordnet-animals", "--recipe", recipe, "--bits", "40", "--no-valid"];
        let on = ["--similarity", "40", "--chances", "table"];
        let first = [&first[..], &on].concat();
        let whole = train(folder.path(), &[&first[..], &["--epochs", "6"]].concat());
        let one =
            train(folder.path(), &[&first[..], &["--epochs", "6", "--threads", "1"]].concat());
        assert_eq!(whole, one, "{recipe}");
        let saved = ["--checkpoint", recipe];
        train(folder.path(), &[&first[..], &saved, &["--epochs", "3"]].concat());
        let more = ["--epochs", "6", "--resume"];
        let resumed = train(folder.path(), &[&first[..], &saved, &more].concat());
        assert_eq!(whole, resumed, "{recipe}");
    }
    let other = ["train", "wordnet-animals", "--recipe", "best", "--bits", "40", "--no-valid"];
    let more = ["--similarity", "41", "--chances", "table", "--checkpoint", "best", "--resume"];
    let output = binder(folder.path(), &[&other[..], &more, &["-o", "m", "--force"]].concat());
    let says = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && says.contains("similarity"), "{says}");
}

#[test]
fn bad_values_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |more: &[&str]| {
        let output = binder(folder.path(), &[&["train", "toy", "-o", "m"], more].concat());
        assert!(!output.status.success(), "{more:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let says = refused(&["--similarity", "1000001"]);
    assert!(says.contains("similarity is 1000001; choose from 0 to 1000000"), "{says}");
    assert!(refused(&["--similarity=-1"]).contains("--similarity"));
    let says = refused(&["--chances", "sigmoid"]);
    assert!(says.contains("tanh") && says.contains("table"), "{says}");
    assert!(refused(&["--sequential", "--similarity", "1"]).contains("cannot be used with"));
}
