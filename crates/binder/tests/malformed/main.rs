//! One named test per malformed input. Each checks the problem and the file, line and column that
//! the error reports.
//!
//! Input that is unusual but valid is in `odd_but_valid.rs`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod edges;
mod every_format;
mod obo;
mod options;
mod rdf;
mod wordnet;

use binder::read::{Format, Position, Problem, ReadError, ReadOptions, read_from};

/// The error of reading `bytes` as a file of this name. Checks that the error has the same name.
fn refused(name: &str, bytes: impl AsRef<[u8]>) -> ReadError {
    refused_with(name, bytes, &ReadOptions::default())
}

fn refused_with(name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> ReadError {
    let error =
        read_from(bytes.as_ref(), name, options, &()).expect_err("malformed input is refused");
    assert_eq!(error.file, name);
    error
}

/// The default options after `change`.
fn with(change: impl FnOnce(&mut ReadOptions)) -> ReadOptions {
    let mut options = ReadOptions::default();
    change(&mut options);
    options
}

/// A position in a file; the column is `None` if the error concerns the whole line.
fn at(line: u64, column: impl Into<Option<u64>>) -> Option<Position> {
    Some(Position { line, column: column.into() })
}

/// The message of a syntax error; any other problem fails the test.
fn syntax(error: &ReadError, format: Format) -> &str {
    match &error.problem {
        Problem::Syntax { format: read_as, message } if *read_as == format => message,
        other => panic!("not a syntax error of {format}: {other:?}"),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut packer = flate2::read::GzEncoder::new(bytes, flate2::Compression::default());
    std::io::copy(&mut packer, &mut packed).unwrap();
    packed
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}
