//! OBO files.

use binder::hierarchy::CycleError;
use binder::read::{Format, Problem};

use crate::{at, refused, syntax};

#[test]
fn clause_without_a_colon() {
    let error = refused("a.obo", "format-version: 1.2\n\n[Term]\nid: A:1\nis_a A:2\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position, at(5, 1));
}

#[test]
fn clause_that_does_not_exist() {
    let error = refused("a.obo", "[Term]\nid: A:1\n\n[Term]\nid: A:2\nnickname: b\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position, at(6, 1));
}

#[test]
fn term_without_an_id() {
    let error = refused("a.obo", "format-version: 1.2\n\n[Term]\nname: a\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position, at(4, 1));
}

#[test]
fn frame_that_does_not_exist() {
    let error = refused("a.obo", "format-version: 1.2\n\n[Thing]\nid: A:1\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position, at(3, 1));
}

#[test]
fn header_without_a_colon() {
    let error = refused("a.obo", "format-version: 1.2\nnonsense\n\n[Term]\nid: A:1\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position.map(|position| position.line), Some(2));
}

#[test]
fn boolean_that_is_neither_true_nor_false() {
    let error = refused("a.obo", "[Term]\nid: A:1\nis_obsolete: perhaps\n");
    syntax(&error, Format::Obo);
    assert_eq!(error.position, at(3, 14));
}

#[test]
fn file_truncated_in_a_string() {
    let error = refused("a.obo", "[Term]\nid: A:1\n\n[Term]\nid: A:2\ndef: \"cut off in the");
    syntax(&error, Format::Obo);
    assert_eq!(error.position.map(|position| position.line), Some(6));
}

#[test]
fn file_truncated_in_a_frame_head() {
    let error = refused("a.obo", "[Term]\nid: A:1\n\n[Ter");
    syntax(&error, Format::Obo);
    assert_eq!(error.position.map(|position| position.line), Some(4));
}

#[test]
fn cycle_lists_all_its_names() {
    let error = refused("a.obo", "[Term]\nid: A:1\nis_a: A:2\n\n[Term]\nid: A:2\nis_a: A:1\n");
    let Problem::Cycle(CycleError { names }) = &error.problem else { panic!("{error:?}") };
    assert_eq!(names, &["A:1", "A:2"]);
    assert_eq!(error.position, None);
}
