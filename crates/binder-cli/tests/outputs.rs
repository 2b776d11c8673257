//! Where results go: never onto an input, never in place of a device, never lost, never by halves.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

const PAIRS: &str = "cat\tpet\ndog\tpet\npet\tanimal\n";

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).current_dir(folder).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with data and their model.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.tsv"), PAIRS).unwrap();
    let made = binder(folder.path(), &["encode", "x.tsv", "-o", "m"]);
    assert!(made.status.success(), "{}", stderr(&made));
    folder
}

#[test]
fn an_output_that_is_also_an_input_is_refused_before_any_work() {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("p.tsv"), "puppy\tdog\n").unwrap();
    fs::hard_link(here.join("x.tsv"), here.join("same.tsv")).unwrap();
    fs::copy(here.join("m"), here.join("x.names.txt")).unwrap();
    for args in [
        &["encode", "x.tsv", "-o", "x.tsv"][..],
        &["encode", "x.tsv", "-o", "./x.tsv", "--force"],
        &["encode", "x.tsv", "-o", "same.tsv", "--force"],
        &["train", "x.tsv", "-o", "n", "--log", "x.tsv"],
        &["export", "m", "-o", "m", "--format", "tsv"],
        &["export", "x.names.txt", "--format", "npy", "-o", "x.npy"],
        &["query", "m", "picture", "cat", "-o", "m"],
        &["add", "m", "--pairs", "p.tsv", "-o", "p.tsv"],
        &["train", "x.tsv", "-o", "n", "--checkpoint", "./n"],
    ] {
        let before: Vec<_> = ["x.tsv", "m", "p.tsv", "x.names.txt"]
            .map(|name| fs::read(here.join(name)).unwrap())
            .into();
        let refused = binder(here, args);
        assert_eq!(refused.status.code(), Some(1), "{args:?}");
        let why = stderr(&refused);
        assert!(why.contains("also read") || why.contains("two results"), "{args:?}: {why}");
        let after: Vec<_> = ["x.tsv", "m", "p.tsv", "x.names.txt"]
            .map(|name| fs::read(here.join(name)).unwrap())
            .into();
        assert_eq!(before, after, "{args:?}");
    }
}

#[test]
fn a_device_is_written_to_and_a_pipe_where_the_format_allows_it() {
    let folder = folder();
    let made = binder(folder.path(), &["encode", "x.tsv", "-o", "/dev/null"]);
    assert!(made.status.success(), "{}", stderr(&made));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let refused = binder(folder.path(), &["export", "m", "-o", "/dev/null", "--format", "npy"]);
    assert!(stderr(&refused).contains("not a regular file"), "{}", stderr(&refused));
    let made = binder(folder.path(), &["encode", "x.tsv", "-o", "-"]);
    assert_eq!(made.stdout, fs::read(folder.path().join("m")).unwrap());
    let report = stderr(&made);
    assert!(report.contains("\n-: 4 concepts, ") && !report.contains("u{1b}"), "{report}");
    let both = binder(folder.path(), &["encode", "x.tsv", "-o", "-", "--json"]);
    assert!(both.status.code() == Some(2) && stderr(&both).contains("standard output is taken"));
}

#[test]
fn symlinks_modes_and_read_only_files_are_respected() {
    let folder = folder();
    let (model, link) = (folder.path().join("m"), folder.path().join("link"));
    symlink("m", &link).unwrap();
    fs::set_permissions(&model, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(binder(folder.path(), &["encode", "x.tsv", "-o", "link"]).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&model).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&model, fs::Permissions::from_mode(0o400)).unwrap();
    let refused = binder(folder.path(), &["encode", "x.tsv", "-o", "m"]);
    assert!(stderr(&refused).contains("is read-only; choose another path"), "{}", stderr(&refused));
    assert!(binder(folder.path(), &["encode", "x.tsv", "-o", "m", "--force"]).status.success());
}

#[test]
fn a_file_that_is_not_ours_needs_force() {
    let folder = folder();
    fs::write(folder.path().join("thesis.tex"), "\\documentclass{article}").unwrap();
    for args in [
        &["encode", "x.tsv", "-o", "thesis.tex"][..],
        &["add", "m", "pup", "--parent", "dog", "-o", "thesis.tex"],
    ] {
        let refused = binder(folder.path(), args);
        assert!(
            stderr(&refused).contains("nothing in it says that Binder"),
            "{}",
            stderr(&refused)
        );
    }
    let text = fs::read_to_string(folder.path().join("thesis.tex")).unwrap();
    assert_eq!(text, "\\documentclass{article}");
    for export in ["a.tsv", "a.npy", "a.vec", "a.parquet", "a.svg"] {
        let verb: &[&str] = if export == "a.svg" {
            &["query", "m", "picture", "cat", "-o"]
        } else {
            &["export", "m", "-o"]
        };
        for _ in 0..2 {
            let written = binder(folder.path(), &[verb, &[export]].concat());
            assert!(written.status.success(), "{export}: {}", stderr(&written));
        }
    }
}

#[test]
fn nothing_is_left_behind() {
    let folder = folder();
    for _ in 0..3 {
        assert!(binder(folder.path(), &["encode", "x.tsv", "-o", "m"]).status.success());
    }
    let long = "y".repeat(255);
    assert!(binder(folder.path(), &["encode", "x.tsv", "-o", &long]).status.success());
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["m", "x.tsv", &*long]);
}

#[test]
fn twenty_writers_side_by_side_keep_twenty_concepts() {
    let folder = folder();
    let mut running: Vec<_> = (0..20)
        .map(|number| {
            Command::new(env!("CARGO_BIN_EXE_binder"))
                .current_dir(folder.path())
                .args(["add", "m", &format!("breed{number}"), "--parent", "dog", "--json"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    assert!(running.iter_mut().all(|child| child.wait().unwrap().success()));
    let kinds = binder(folder.path(), &["query", "m", "hyponyms", "dog", "--json"]);
    assert!(String::from_utf8_lossy(&kinds.stdout).contains("\"count\":20"));
}

#[test]
fn a_second_writer_can_be_told_who_is_first() {
    let folder = folder();
    let held = fs::File::open(folder.path().join("m")).unwrap();
    held.lock().unwrap();
    let refused = binder(folder.path(), &["add", "m", "pup", "--parent", "dog", "--no-wait"]);
    let why = stderr(&refused);
    assert!(refused.status.code() == Some(1) && why.contains("is writing it"), "{why}");
    if cfg!(target_os = "linux") {
        assert!(why.contains(&std::process::id().to_string()), "{why}");
    }
}

#[test]
fn nothing_succeeds_on_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.tsv"), "").unwrap();
    fs::write(folder.path().join("self.tsv"), "dog\tdog\n").unwrap();
    for file in ["empty.tsv", "self.tsv"] {
        for verb in [
            &["encode", file, "-o", "m"][..],
            &["train", file, "-o", "m"],
            &["split", file, "-o", "s"],
            &["serve", file],
        ] {
            let refused = binder(folder.path(), verb);
            assert_eq!(refused.status.code(), Some(1), "{verb:?}");
            assert!(stderr(&refused).contains("no pairs were read"), "{}", stderr(&refused));
        }
        assert!(binder(folder.path(), &["info", file]).status.success());
    }
}

#[test]
fn names_cannot_act_on_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.tsv"), "a\u{1b}[31m\tpet\nb\u{202e}c\tpet\ncat\tpet\n")
        .unwrap();
    assert!(binder(folder.path(), &["encode", "x.tsv", "-o", "m"]).status.success());
    for question in
        [&["hyponyms", "pet"][..], &["describe", "pet"], &["picture", "pet"], &["search", "a"]]
    {
        let shown = binder(folder.path(), &[&["query", "m"], question].concat());
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{question:?}: {text:?}");
    }
    fs::write(folder.path().join("c.tsv"), "a\u{1b}[31m\tb\nb\ta\u{1b}[31m\n").unwrap();
    let refused = binder(folder.path(), &["encode", "c.tsv", "-o", "n"]);
    assert!(!stderr(&refused).contains('\u{1b}'), "{:?}", stderr(&refused));
}

#[test]
fn a_long_cycle_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let pairs: String = (0..10_000).map(|at| format!("c{at}\tc{}\n", (at + 1) % 10_000)).collect();
    fs::write(folder.path().join("c.tsv"), pairs).unwrap();
    let refused = binder(folder.path(), &["encode", "c.tsv", "-o", "n"]);
    let why = stderr(&refused);
    assert!(why.contains("(9980 more)") && why.len() < 1000, "{why}");
}

#[test]
fn paths_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"x\xff.tsv");
    fs::write(folder.path().join(odd), PAIRS).unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_binder"))
        .current_dir(folder.path())
        .args(["encode".as_ref(), odd, "-o".as_ref(), "m".as_ref()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
}

#[test]
fn two_runs_do_not_share_a_log_or_a_checkpoint() {
    let folder = folder();
    let (log, checkpoint) = (folder.path().join("log"), folder.path().join("c"));
    fs::write(&log, "").unwrap();
    let held = fs::File::open(&log).unwrap();
    held.lock().unwrap();
    let refused = binder(folder.path(), &["train", "x.tsv", "-o", "n", "--log", "log"]);
    assert!(stderr(&refused).contains("another run is writing it"), "{}", stderr(&refused));
    let first = ["train", "x.tsv", "-o", "n", "--epochs", "3", "--checkpoint", "c"];
    assert!(binder(folder.path(), &first).status.success());
    let held = fs::File::open(&checkpoint).unwrap();
    held.lock().unwrap();
    let refused = binder(folder.path(), &[&first[..], &["--resume"]].concat());
    assert!(stderr(&refused).contains("is writing it"), "{}", stderr(&refused));
}

#[test]
fn what_binder_wrote_it_writes_again() {
    let folder = folder();
    for (number, format) in [
        "tsv",
        "npy",
        "parquet",
        "word2vec",
        "sql --dialect postgres",
        "sql --dialect duckdb",
        "obo",
        "ttl",
        "dot",
        "graphml",
    ]
    .iter()
    .enumerate()
    {
        let file = format!("export-{number}");
        let mut args = vec!["export", "m", "-o", &file, "--format"];
        args.extend(format.split(' '));
        for _ in 0..2 {
            let written = binder(folder.path(), &args);
            assert!(written.status.success(), "{format}: {}", stderr(&written));
        }
    }
    let update = ["update", "m", "x.tsv", "-o", "n", "--patch", "p.tsv", "--sql", "p.sql"];
    for _ in 0..2 {
        let written = binder(folder.path(), &update);
        assert!(written.status.success(), "{}", stderr(&written));
    }
    for _ in 0..2 {
        let written = binder(folder.path(), &["query", "m", "picture", "cat", "-o", "cat.svg"]);
        assert!(written.status.success(), "{}", stderr(&written));
    }
    // Lists of pairs and tables look like those of others.
    for format in ["edges", "csv", "json"] {
        let args = ["export", "m", "-o", format, "--format", format];
        assert!(binder(folder.path(), &args).status.success());
        let again = stderr(&binder(folder.path(), &args));
        assert!(again.contains("nothing in it says that Binder wrote it"), "{again}");
        assert!(again.contains("--force"), "{again}");
    }
}
