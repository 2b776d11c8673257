//! `binder export`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

/// A folder with a model of the toy hierarchy.
fn toy() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert!(binder(folder.path(), &["encode", "toy", "-o", "m"]).status.success());
    folder
}

fn export(folder: &Path, args: &[&str]) -> Output {
    binder(folder, &[&["export", "m"], args].concat())
}

/// The error of a failed export. Checks that nothing was written.
fn failure(folder: &Path, args: &[&str]) -> String {
    let output = export(folder, args);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{args:?}");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_format_is_detected_from_the_extension() {
    let folder = toy();
    let dialect = ["--dialect", "duckdb"];
    for (file, format, more) in [
        ("x.tsv", "tsv", &[][..]),
        ("x.npy", "npy", &[]),
        ("x.vec", "word2vec", &[]),
        ("x.PARQUET", "parquet", &[]),
        ("x.sql", "sql", &dialect),
    ] {
        let output = export(folder.path(), &[&["-o", file, "--json"], more].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["format"], &report["paths"][0]), (&format.into(), &file.into()));
        assert_eq!((&report["entities"], &report["renamed"]), (&15.into(), &0.into()));
        let paths = report["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap());
        let bytes: u64 = paths.map(|path| folder.path().join(path).metadata().unwrap().len()).sum();
        assert_eq!(report["bytes"].as_u64(), Some(bytes));
        assert!(report["seconds"].as_f64() <= report["total_seconds"].as_f64());
    }
    assert!(folder.path().join("x.ranges.parquet").is_file());
    let names = std::fs::read_to_string(folder.path().join("x.names.txt")).unwrap();
    assert_eq!(names.lines().count(), 15);
}

#[test]
fn wrong_use_is_reported_before_any_work() {
    let folder = toy();
    let failure = |args: &[&str]| failure(folder.path(), args);
    let error = failure(&["-o", "x.xls"]);
    assert_eq!(
        error,
        "error: x.xls: unknown extension; give --format tsv, npy, word2vec, parquet or sql for the \
         codes, or edges, csv, json, obo, ttl, dot or graphml for the hierarchy itself\n"
    );
    assert!(failure(&["-o", "x.sql"]).contains("give --dialect postgres or --dialect duckdb"));
    assert!(failure(&["-o", "x.tsv", "--unpacked"]).contains("--unpacked is for npy, not for tsv"));
    assert!(
        failure(&["-o", "x.sql", "--dialect", "duckdb", "--bit-column"])
            .contains("--dialect postgres")
    );
    assert!(
        failure(&["-o", "x.sql", "--dialect", "duckdb", "--table", "a\nb"])
            .contains("a table or column cannot be called")
    );
    assert!(failure(&["-o", "nowhere/x.tsv"]).contains("no such folder; create it first"));
    assert!(failure(&["-o", "-", "--format", "npy"]).contains("this format is binary"));
    assert!(
        failure(&["-o", "-", "--format", "tsv", "--json"])
            .contains("the export uses standard output")
    );
    assert_eq!(export(folder.path(), &["-o", "x", "--format", "xls"]).status.code(), Some(2));
}

#[test]
fn text_goes_to_standard_output() {
    let folder = toy();
    let output = export(folder.path(), &["-o", "-", "--format", "tsv"]);
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(export(folder.path(), &["-o", "x.tsv"]).status.success());
    assert_eq!(output.stdout, std::fs::read(folder.path().join("x.tsv")).unwrap());
}

#[test]
fn the_report_says_what_to_do_next() {
    let folder = toy();
    std::fs::write(folder.path().join("food.csv"), "hot dog,food\n").unwrap();
    assert!(binder(folder.path(), &["encode", "food.csv", "-o", "m"]).status.success());
    let text = |args: &[&str]| String::from_utf8(export(folder.path(), args).stdout).unwrap();
    assert!(text(&["-o", "x.vec"]).ends_with("\n  1 name with blanks, which are written as _\n"));
    assert!(
        text(&["-o", "x.npy"])
            .ends_with("\n  names in the same order: x.names.txt\n  checksums of both: x.sfv\n")
    );
    let postgres = text(&["-o", "x.sql", "--dialect", "postgres"]);
    assert!(postgres.starts_with("x.sql: 2 concepts, "), "{postgres}");
    assert!(postgres.ends_with("\n  load it with: psql -d DATABASE -f x.sql\n"), "{postgres}");
}

#[test]
fn the_hierarchy_itself_is_written_and_read_again() {
    let folder = toy();
    for file in ["x.obo", "x.ttl"] {
        assert!(export(folder.path(), &["-o", file]).status.success(), "{file}");
    }
    let edges = export(folder.path(), &["-o", "-", "--format", "edges"]);
    assert!(edges.status.success() && edges.stderr.is_empty());
    std::fs::write(folder.path().join("x.tsv"), &edges.stdout).unwrap();
    let read = binder::Hierarchy::read(folder.path().join("x.obo")).unwrap();
    assert_eq!(binder::Hierarchy::read(folder.path().join("x.tsv")).unwrap(), read);
    assert_eq!((read.len(), read.direct()), (15, 14));
}
