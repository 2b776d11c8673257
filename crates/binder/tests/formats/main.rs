//! What is read from each format, and one named test per kind of damage.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod columns;
mod graphs;
mod ontologies;
mod packed;
mod tables;
mod trees;

use binder::Hierarchy;
use binder::read::{Problem, ReadError, ReadOptions, read_from};

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Hierarchy {
    read_with(name, bytes, |_| {})
}

fn read_with(
    name: &str,
    bytes: impl AsRef<[u8]>,
    change: impl FnOnce(&mut ReadOptions),
) -> Hierarchy {
    let mut options = ReadOptions::default();
    change(&mut options);
    read_from(bytes.as_ref(), name, &options, &()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(name: &str, bytes: impl AsRef<[u8]>) -> ReadError {
    refused_with(name, bytes, |_| {})
}

fn refused_with(
    name: &str,
    bytes: impl AsRef<[u8]>,
    change: impl FnOnce(&mut ReadOptions),
) -> ReadError {
    let mut options = ReadOptions::default();
    change(&mut options);
    read_from(bytes.as_ref(), name, &options, &()).expect_err("malformed input is refused")
}

/// The (child, parent) names, sorted.
fn pairs(hierarchy: &Hierarchy) -> Vec<(&str, &str)> {
    let mut pairs: Vec<_> = hierarchy
        .pairs()
        .map(|(child, parent)| (hierarchy.name(child), hierarchy.name(parent)))
        .collect();
    pairs.sort_unstable();
    pairs
}

fn label<'h>(hierarchy: &'h Hierarchy, name: &str) -> Option<&'h str> {
    hierarchy.label(hierarchy.id(name).unwrap())
}

fn definition<'h>(hierarchy: &'h Hierarchy, name: &str) -> Option<&'h str> {
    hierarchy.definition(hierarchy.id(name).unwrap())
}

fn synonyms<'h>(hierarchy: &'h Hierarchy, name: &str) -> Vec<&'h str> {
    hierarchy.synonyms(hierarchy.id(name).unwrap()).map(|synonym| synonym.text).collect()
}

/// What was decided, in one line.
fn said(hierarchy: &Hierarchy) -> String {
    hierarchy.reading().unwrap().to_string()
}

/// Line and column of an error.
fn place(error: &ReadError) -> (u64, Option<u64>) {
    error.position.map(|position| (position.line, position.column)).unwrap_or_default()
}

fn syntax(error: &ReadError) -> &str {
    match &error.problem {
        Problem::Syntax { message, .. } => message,
        other => panic!("not a syntax error: {other:?}"),
    }
}
