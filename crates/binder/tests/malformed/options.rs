//! Sources that are not there, and options that do not fit the source.

use std::fs;

use binder::read::{Format, Problem, ReadError, ReadOptions, for_each_pair};

use crate::{refused_with, syntax};

fn refused_path(path: &str, options: &ReadOptions) -> ReadError {
    binder::read(path, options, &()).expect_err("an unsuitable source is refused")
}

/// What does not fit, of an error about the whole file.
fn unsuitable(error: &ReadError) -> &str {
    assert_eq!(error.place, None);
    match &error.problem {
        Problem::Unsuitable(what) => what,
        other => panic!("not unsuitable: {other:?}"),
    }
}

fn as_format(format: Format) -> ReadOptions {
    ReadOptions { format: Some(format), ..Default::default() }
}

#[test]
fn no_such_file() {
    let error = refused_path("no/such/file.tsv", &ReadOptions::default());
    assert!(matches!(error.problem, Problem::NotFound), "{error:?}");
    assert_eq!((error.file.as_str(), error.place), ("no/such/file.tsv", None));
    assert!(error.to_string().contains("wordnet-nouns"), "{error}");
}

#[test]
fn no_such_list_of_pairs() {
    let error =
        for_each_pair("no/such/file.tsv", &ReadOptions::default(), &(), |_, _| Ok(())).unwrap_err();
    assert!(matches!(error.problem, Problem::Io(_)), "{error:?}");
    assert_eq!((error.file.as_str(), error.place), ("no/such/file.tsv", None));
}

#[test]
fn list_of_pairs_as_an_ontology() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obo").display().to_string();
    fs::write(&path, "format-version: 1.2\n").unwrap();
    let error = for_each_pair(&path, &ReadOptions::default(), &(), |_, _| Ok(())).unwrap_err();
    assert!(unsuitable(&error).contains("read as obo"), "{error}");
    assert_eq!(error.file, path);
}

#[test]
fn folder_read_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let error = refused_path(&path, &as_format(Format::Obo));
    assert_eq!(unsuitable(&error), "this is a folder, and obo is a file; give the file");
    assert_eq!(error.file, path);
}

#[test]
fn file_read_as_wordnet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tsv").display().to_string();
    fs::write(&path, "a\tb\n").unwrap();
    let error = refused_path(&path, &as_format(Format::WordNet));
    assert!(unsuitable(&error).starts_with("WordNet is a folder"), "{error}");
    assert_eq!(error.file, path);
}

#[test]
fn standard_input_read_as_wordnet() {
    let error = refused_path("-", &as_format(Format::WordNet));
    assert!(unsuitable(&error).starts_with("WordNet is a folder"), "{error}");
}

#[test]
fn bytes_read_as_wordnet() {
    let error = refused_with("a.tsv", "a\tb\n", &as_format(Format::WordNet));
    assert!(unsuitable(&error).starts_with("WordNet is a folder"), "{error}");
}

#[test]
fn edge_list_options_for_an_ontology() {
    let edge_options = [
        ReadOptions { header: true, ..Default::default() },
        ReadOptions { reversed: true, ..Default::default() },
        ReadOptions { comment: Some("#".to_owned()), ..Default::default() },
        ReadOptions {
            columns: Some((1.to_string().as_str().into(), "2".into())),
            ..Default::default()
        },
    ];
    for options in edge_options {
        let error = refused_with("a.obo", "format-version: 1.2\n", &options);
        assert!(
            unsuitable(&error).contains("are for edge lists, and this is read as obo"),
            "{error}"
        );
    }
}

#[test]
fn edge_list_options_for_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions { reversed: true, ..Default::default() };
    let error = refused_path(&folder.path().display().to_string(), &options);
    assert!(
        unsuitable(&error).contains("are for edge lists, and this is read as wordnet"),
        "{error}"
    );
}

#[test]
fn relation_for_an_edge_list() {
    let options = ReadOptions { relations: vec!["part_of".to_owned()], ..Default::default() };
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert!(unsuitable(&error).contains("--relation is for OBO files"), "{error}");
}

#[test]
fn language_for_an_edge_list() {
    let options = ReadOptions { language: Some("de".to_owned()), ..Default::default() };
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert!(unsuitable(&error).contains("--language is for RDF files"), "{error}");
}

#[test]
fn verbs_for_an_edge_list() {
    let options = ReadOptions { verbs: true, ..Default::default() };
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert!(unsuitable(&error).contains("--verbs is for WordNet folders"), "{error}");
}

#[test]
fn empty_comment_mark() {
    let options = ReadOptions { comment: Some(String::new()), ..Default::default() };
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert!(unsuitable(&error).contains("every line starts with an empty comment mark"), "{error}");
}

#[test]
fn format_name_that_nobody_knows() {
    let error = "xlsx".parse::<Format>().unwrap_err();
    assert!(error.starts_with("no format \"xlsx\"; choose from tsv, csv, "), "{error}");
}

#[test]
fn forced_format_that_is_wrong() {
    let error = refused_with("a.tsv", "a\tb\n", &as_format(Format::NTriples));
    syntax(&error, Format::NTriples);
    assert_eq!(error.place.map(|place| place.line), Some(1));
}
