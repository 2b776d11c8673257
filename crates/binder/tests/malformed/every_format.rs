//! Faults that do not depend on the format, tested in each format.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use binder::Progress;
use binder::read::{Problem, ReadOptions, read_from};

use crate::{at, gzip, refused, zstd};

/// A sample of a format: a file name that tells the format, the start of a file, and a record that
/// can be repeated.
struct Sample {
    file: &'static str,
    start: &'static str,
    record: &'static str,
}

impl Sample {
    fn of(&self, records: usize) -> String {
        self.start.to_owned() + &self.record.repeat(records)
    }

    /// A valid start that is longer than the part read before parsing, and the number of the line
    /// after it.
    fn long(&self) -> (String, u64) {
        let text = self.of(300_000 / self.record.len());
        let lines = text.lines().count() as u64;
        (text, lines + 1)
    }
}

fn nul_byte(sample: &Sample) {
    let error = refused(sample.file, sample.of(1) + "ab\0c");
    assert!(matches!(error.problem, Problem::Nul), "{error:?}");
    assert_eq!(error.position, at(sample.of(1).lines().count() as u64 + 1, 3));
}

fn nul_byte_after_much_valid_text(sample: &Sample) {
    let (text, line) = sample.long();
    let error = refused(sample.file, text + "ab\0c\n");
    assert!(matches!(error.problem, Problem::Nul), "{error:?}");
    assert_eq!(error.position, at(line, 3));
}

fn invalid_utf8(sample: &Sample) {
    let error =
        refused(sample.file, [sample.of(1).as_bytes(), "aä".as_bytes(), b"\xff\n"].concat());
    assert!(matches!(error.problem, Problem::NotUtf8), "{error:?}");
    assert_eq!(error.position, at(sample.of(1).lines().count() as u64 + 1, 3));
}

fn invalid_utf8_after_much_valid_text(sample: &Sample) {
    let (text, line) = sample.long();
    let error = refused(sample.file, [text.as_bytes(), "aä".as_bytes(), b"\xff\n"].concat());
    assert!(matches!(error.problem, Problem::NotUtf8), "{error:?}");
    assert_eq!(error.position, at(line, 3));
}

fn incomplete_character_at_the_end(sample: &Sample) {
    let error = refused(sample.file, [sample.of(1).as_bytes(), b"\xc3"].concat());
    assert!(matches!(error.problem, Problem::NotUtf8), "{error:?}");
    assert_eq!(error.position, at(sample.of(1).lines().count() as u64 + 1, 1));
}

fn gzip_truncated(sample: &Sample) {
    let packed = gzip(sample.of(1000).as_bytes());
    for length in [2, 12, packed.len() / 2, packed.len() - 1] {
        let error = refused(sample.file, &packed[..length]);
        assert!(matches!(error.problem, Problem::Truncated), "{length} bytes: {error:?}");
        assert_eq!(error.position, None);
    }
}

fn zstd_truncated(sample: &Sample) {
    let packed = zstd(sample.of(1000).as_bytes());
    for length in [4, 6, packed.len() / 2, packed.len() - 1] {
        let error = refused(sample.file, &packed[..length]);
        assert!(matches!(error.problem, Problem::Truncated), "{length} bytes: {error:?}");
        assert_eq!(error.position, None);
    }
}

fn gzip_damaged(sample: &Sample) {
    let mut packed = gzip(sample.of(1000).as_bytes());
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    let error = refused(sample.file, packed);
    assert!(matches!(error.problem, Problem::Damaged(_)), "{error:?}");
    assert_eq!(error.position, None);
}

fn zstd_damaged(sample: &Sample) {
    let mut packed = zstd(sample.of(1000).as_bytes());
    packed[4..].fill(0xff);
    let error = refused(sample.file, packed);
    assert!(matches!(error.problem, Problem::Damaged(_)), "{error:?}");
    assert_eq!(error.position, None);
}

/// Counts the bytes read.
#[derive(Default)]
struct Count(AtomicU64);

impl Progress for Count {
    fn advance(&self, steps: u64) {
        self.0.fetch_add(steps, Ordering::Relaxed);
    }
}

fn line_of_a_gigabyte(sample: &Sample) {
    let start = sample.of(1);
    let source = start.as_bytes().chain(io::repeat(b'a').take(1 << 30));
    let count = Count::default();
    let error = read_from(source, sample.file, &ReadOptions::default(), &count).unwrap_err();
    assert!(matches!(error.problem, Problem::LongLine { .. }), "{error:?}");
    assert_eq!(error.position, at(start.lines().count() as u64 + 1, None));
    let read = count.0.into_inner();
    assert!(read < 1 << 25, "{read} bytes were read before the line was refused");
}

macro_rules! test_every_fault_in {
    ($($format:ident: $file:literal, $start:expr, $record:expr;)*) => {$(
        mod $format {
            const SAMPLE: super::Sample =
                super::Sample { file: $file, start: $start, record: $record };

            test_every_fault_in!(@
                nul_byte, nul_byte_after_much_valid_text, invalid_utf8,
                invalid_utf8_after_much_valid_text, incomplete_character_at_the_end, gzip_truncated,
                zstd_truncated, gzip_damaged, zstd_damaged, line_of_a_gigabyte,
            );
        }
    )*};
    (@ $($fault:ident,)*) => {$(
        #[test]
        fn $fault() {
            super::$fault(&SAMPLE);
        }
    )*};
}

test_every_fault_in! {
    tsv: "a.tsv", "", "cat\tpet\n";
    csv: "a.csv", "", "cat,\"pet\"\n";
    spaces: "a.edges", "cat pet\n", "dog pet\n";
    obo: "a.obo", "format-version: 1.2\n\n", "[Term]\nid: A:1\nis_a: A:2\n\n";
    turtle: "a.ttl", "@prefix : <http://example.org/> .\n", ":a :b\n  :c .\n";
    ntriples: "a.nt", "", "<a:a> <a:b> <a:c> .\n";
    rdfxml: "a.rdf", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n",
        "<rdf:Description/>\n";
}

#[test]
fn byte_order_mark_does_not_count_as_a_column() {
    let error = refused("a.tsv", "\u{feff}ab\0\tc\n");
    assert_eq!(error.position, at(1, 3));
}

#[test]
fn utf16_is_recognised() {
    for bytes in [b"\xff\xfea\0\t\0b\0", b"\xfe\xff\0a\0\t\0b"] {
        let error = refused("a.tsv", bytes);
        assert!(
            matches!(error.problem, Problem::Utf16)
                && error.to_string().contains("iconv -f utf-16"),
            "{error:?}"
        );
    }
}

#[test]
fn gzip_with_junk_after_it_is_damaged() {
    let error = refused("a.tsv.gz", [gzip(b"a\tb\n"), b"junk and more junk".to_vec()].concat());
    assert!(matches!(error.problem, Problem::Damaged(_)), "{error:?}");
}

/// A source that fails like a disconnected network drive.
struct Gone;

impl Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("gone"))
    }
}

#[test]
fn a_source_that_fails_is_not_reported_as_damaged() {
    let source = b"a\tb\n".chain(Gone);
    let error = read_from(source, "a.tsv", &ReadOptions::default(), &()).unwrap_err();
    assert!(matches!(error.problem, Problem::Io(_)), "{error:?}");
    assert_eq!(error.to_string(), "a.tsv: gone");
}
