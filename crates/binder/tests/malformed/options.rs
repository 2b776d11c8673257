//! Sources that do not exist, and options that do not apply to the source.

use std::fs;

use binder::Choice;
use binder::read::{Builtin, Format, Problem, ReadError, ReadOption, ReadOptions, for_each_pair};

use crate::{refused_with, syntax, with};

fn refused_path(path: &str, options: &ReadOptions) -> ReadError {
    binder::read(path, options, &()).expect_err("an unsuitable source is refused")
}

/// The option that the format would ignore, and the format. The error must be about the whole file.
fn ignored(error: &ReadError) -> (ReadOption, Format) {
    assert_eq!(error.position, None);
    match error.problem {
        Problem::OptionIgnored { option, format } => (option, format),
        ref other => panic!("not about an option: {other:?}"),
    }
}

/// The message about an unsuitable source. The error must be about the whole file.
fn unsuitable(error: &ReadError) -> &str {
    assert_eq!(error.position, None);
    match &error.problem {
        Problem::Unsuitable(what) => what,
        other => panic!("not unsuitable: {other:?}"),
    }
}

fn as_format(format: Format) -> ReadOptions {
    with(|o| o.format = Some(format))
}

#[test]
fn no_such_file() {
    let error = refused_path("no/such/file.tsv", &ReadOptions::default());
    assert!(matches!(error.problem, Problem::NotFound), "{error:?}");
    assert_eq!((error.file.as_str(), error.position), ("no/such/file.tsv", None));
    assert!(error.to_string().contains("wordnet-nouns"), "{error}");
}

#[test]
fn no_such_list_of_pairs() {
    let error =
        for_each_pair("no/such/file.tsv", &ReadOptions::default(), &(), |_, _| Ok(())).unwrap_err();
    assert!(matches!(error.problem, Problem::Io(_)), "{error:?}");
    assert_eq!((error.file.as_str(), error.position), ("no/such/file.tsv", None));
}

#[test]
fn list_of_pairs_as_an_ontology() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obo").display().to_string();
    fs::write(&path, "format-version: 1.2\n").unwrap();
    let error = for_each_pair(&path, &ReadOptions::default(), &(), |_, _| Ok(())).unwrap_err();
    assert!(matches!(error.problem, Problem::NotAnEdgeList(Format::Obo)), "{error:?}");
    assert_eq!((error.file, error.position), (path, None));
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
        (ReadOption::Header, with(|o| o.header = Some(true))),
        (ReadOption::Reversed, with(|o| o.reversed = true)),
        (ReadOption::Comment, with(|o| o.comment = Some("#".to_owned()))),
        (ReadOption::Columns, with(|o| o.columns = Some(("1".into(), "2".into())))),
    ];
    for (option, options) in edge_options {
        let error = refused_with("a.obo", "format-version: 1.2\n", &options);
        assert_eq!(ignored(&error), (option, Format::Obo));
        let to = option.applies_to();
        assert!(to.starts_with("tables"), "{to}");
        let message = format!("the option {option} is for {to}, and this is read as obo");
        assert_eq!(error.problem.to_string(), message);
    }
}

#[test]
fn edge_list_options_for_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let options = with(|o| o.reversed = true);
    let error = refused_path(&folder.path().display().to_string(), &options);
    assert_eq!(ignored(&error), (ReadOption::Reversed, Format::WordNet));
}

#[test]
fn relation_for_an_edge_list() {
    let options = with(|o| o.relations = vec!["part_of".to_owned()]);
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert_eq!(ignored(&error), (ReadOption::Relations, Format::Tsv));
    assert!(error.to_string().contains("relations is for ontologies"), "{error}");
}

#[test]
fn language_for_an_edge_list() {
    let options = with(|o| o.language = Some("de".to_owned()));
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert_eq!(ignored(&error), (ReadOption::Language, Format::Tsv));
    assert!(error.to_string().contains("language is for RDF files"), "{error}");
}

#[test]
fn verbs_for_an_edge_list() {
    let options = with(|o| o.verbs = true);
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert_eq!(ignored(&error), (ReadOption::Verbs, Format::Tsv));
    assert!(error.to_string().contains("verbs is for WordNet folders"), "{error}");
}

/// A built-in takes no options; the name as a path would be a file.
#[test]
fn options_for_a_builtin() {
    for builtin in Builtin::ALL {
        let error = refused_path(builtin.name(), &with(|o| o.reversed = true));
        let Problem::BuiltinOption { name, option } = &error.problem else { panic!("{error:?}") };
        assert_eq!((name.as_str(), *option), (builtin.name(), ReadOption::Reversed));
        assert!(error.to_string().contains(&format!("./{name}")), "{error}");
    }
}

#[test]
fn empty_comment_mark() {
    let options = with(|o| o.comment = Some(String::new()));
    let error = refused_with("a.tsv", "a\tb\n", &options);
    assert!(matches!(error.problem, Problem::EmptyCommentMark), "{error:?}");
    assert_eq!(error.position, None);
}

#[test]
fn unknown_format_name() {
    let error = "xlsx".parse::<Format>().unwrap_err();
    assert_eq!(error.name, "xlsx");
    assert_eq!(error.choices, Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>());
    assert!(error.to_string().starts_with("\"xlsx\" is not one of tsv, csv, "), "{error}");
}

#[test]
fn forced_format_that_is_wrong() {
    let error = refused_with("a.tsv", "a\tb\n", &as_format(Format::NTriples));
    syntax(&error, Format::NTriples);
    assert_eq!(error.position.map(|position| position.line), Some(1));
}
