use std::io::{self, BufRead, Read};
use std::path::Path;

use super::unpack::{CHUNK, Unpacked};
use super::{Problem, ReadError, ReadOptions};
use crate::progress::Progress;

/// The longest line that any reader accepts, in bytes. The longest line in the data we have seen,
/// in Gene Ontology's RDF, has 10 kB.
pub(crate) const LINE_LIMIT: usize = 1 << 24;

/// Turns bytes into checked text: decompressed, valid UTF-8, without NUL bytes, and without lines
/// over the limit.
///
/// The text is returned in whole lines, so a reader never sees a part of a character or of a row.
/// Encoding faults are found here for all formats, with their line and column. A byte-order mark at
/// the start is skipped.
pub(crate) struct Text<'a> {
    source: Unpacked<'a>,
    /// Bytes read from `source` that were not returned yet, and possibly some that were.
    buffer: Vec<u8>,
    /// `buffer[start..checked]` is checked text of whole lines that was not returned yet.
    start: usize,
    checked: usize,
    /// The number of line ends before `checked` in the whole text.
    lines: u64,
    /// Whether `source` has no more bytes.
    ended: bool,
    /// [`LINE_LIMIT`].
    limit: usize,
    /// Bytes read so far, unpacked.
    taken: u64,
    /// Whether a line may be as long as the file, as in JSON. The text is then returned in whole
    /// characters instead of whole lines.
    is_one_line: bool,
}

impl<'a> Text<'a> {
    /// The text of a file, or of standard input for `-`.
    pub(crate) fn open(
        path: &Path,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        Self::of(Unpacked::open(path, options, progress)?)
    }

    /// The text in unpacked bytes.
    pub(crate) fn of(source: Unpacked<'a>) -> Result<Self, ReadError> {
        if let Some(kind) = source.kind() {
            return Err(ReadError::of(source.file(), Problem::other_kind(kind)));
        }
        let mut text = Self {
            source,
            buffer: Vec::with_capacity(2 * CHUNK),
            start: 0,
            checked: 0,
            lines: 0,
            ended: false,
            limit: LINE_LIMIT,
            taken: 0,
            is_one_line: false,
        };
        text.refill().map_err(|error| match text.buffer.as_slice() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ReadError::of(text.file(), Problem::Utf16),
            _ => error,
        })?;
        if text.buffer.starts_with("\u{feff}".as_bytes()) {
            text.start = 3;
        }
        Ok(text)
    }

    /// The name of this source in errors.
    pub(crate) fn file(&self) -> &str {
        self.source.file()
    }

    /// The checked lines in the buffer, without consuming them; empty at the end of the text.
    pub(crate) fn peek(&self) -> &str {
        std::str::from_utf8(&self.buffer[self.start..self.checked])
            .expect("checked when it was read")
    }

    /// Calls `each` with each line, without its line end, and with its number from 1.
    pub(crate) fn for_each_line(
        mut self,
        mut each: impl FnMut(u64, &str) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut number = 0;
        loop {
            for line in self.peek().lines() {
                number += 1;
                each(number, line)?;
            }
            self.start = self.checked;
            self.refill()?;
            if self.start == self.checked {
                return Ok(());
            }
        }
    }

    /// Reads until the buffer has at least one more whole line, or until the end.
    fn refill(&mut self) -> Result<(), ReadError> {
        self.buffer.drain(..self.start);
        self.checked -= self.start;
        self.start = 0;
        let from = self.checked;
        loop {
            let filled = self.buffer.len();
            self.read_chunk()?;
            if filled == 0 && self.taken == self.buffer.len() as u64 {
                self.is_one_line = is_json(&self.buffer);
            }
            if let Some(end) = memchr::memrchr(b'\n', &self.buffer[filled..]) {
                self.checked = filled + end + 1;
                break;
            }
            if self.ended {
                self.checked = self.buffer.len();
                break;
            }
            if self.is_one_line {
                self.checked = whole_characters(&self.buffer);
                break;
            }
            if self.buffer.len() - from > self.limit {
                return Err(self.long_line(self.lines + 1));
            }
        }
        self.check(from)
    }

    fn read_chunk(&mut self) -> Result<(), ReadError> {
        let read = self.source.read_chunk(&mut self.buffer)?;
        self.ended = read == 0;
        self.taken += read as u64;
        let limit = self.source.max_bytes();
        if self.taken > limit {
            return Err(ReadError::of(self.file(), Problem::TooLong { limit }));
        }
        Ok(())
    }

    /// Checks the new lines, from `from` to `checked`.
    fn check(&mut self, from: usize) -> Result<(), ReadError> {
        let lines = &self.buffer[from..self.checked];
        if let Err(error) = std::str::from_utf8(lines) {
            return Err(self.fault(from, error.valid_up_to(), Problem::NotUtf8));
        }
        if let Some(at) = memchr::memchr(0, lines) {
            return Err(self.fault(from, at, Problem::Nul));
        }
        let (mut last, mut count) = (0, 0);
        for end in memchr::memchr_iter(b'\n', lines).chain([lines.len()]) {
            if end - last > self.limit {
                return Err(self.long_line(self.lines + count + 1));
            }
            (last, count) = (end + 1, count + 1);
        }
        self.lines += memchr::memchr_iter(b'\n', lines).count() as u64;
        Ok(())
    }

    fn long_line(&self, line: u64) -> ReadError {
        ReadError::at(self.file(), line, None, Problem::LongLine { limit: self.limit })
    }

    /// An error at the byte `at` of the lines that start at `from`.
    fn fault(&self, from: usize, at: usize, problem: Problem) -> ReadError {
        let before = &self.buffer[from..from + at];
        let line = self.lines + 1 + memchr::memchr_iter(b'\n', before).count() as u64;
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&before[line_start..]);
        // The byte-order mark does not count as a character.
        let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let column = text.chars().count() as u64 + 1;
        ReadError::at(self.file(), line, Some(column), problem)
    }
}

impl Read for Text<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.checked {
            self.refill().map_err(io::Error::other)?;
        }
        Ok(&self.buffer[self.start..self.checked])
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
    }
}

/// Whether a text begins as JSON does.
fn is_json(start: &[u8]) -> bool {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
    matches!(start.first(), Some(b'{' | b'['))
}

/// How many bytes are whole characters: all but the beginning of one at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    let start = (tail..bytes.len()).rev().find(|&at| bytes[at] >= 0xc0);
    match start {
        Some(at) => {
            let length = match bytes[at] {
                0xf0.. => 4,
                0xe0.. => 3,
                _ => 2,
            };
            if at + length > bytes.len() { at } else { bytes.len() }
        }
        None => bytes.len(),
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text")
            .field("file", &self.file())
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}
