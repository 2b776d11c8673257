use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::error::io_problem;
use super::{Problem, ReadError, ReadOptions};
use crate::progress::{Cancelled, Progress};

/// The longest line that any reader accepts, in bytes. The longest line in the data we have seen,
/// in Gene Ontology's RDF, has 10 kB.
pub(crate) const LINE_LIMIT: usize = 1 << 24;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 18;

/// Turns bytes into checked text: decompressed, valid UTF-8, without NUL bytes, and without lines
/// over the limit.
///
/// The text is returned in whole lines, so a reader never sees a part of a character or of a row.
/// Encoding faults are found here for all formats, with their line and column. A byte-order mark at
/// the start is skipped.
pub(crate) struct Text<'a> {
    /// The decompressed bytes.
    source: Box<dyn Read + 'a>,
    /// The compression, which decides what an error of `source` means.
    compression: Compression,
    /// The name of the source in errors.
    file: String,
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
    /// Bytes read so far, unpacked, and how many there may be.
    taken: u64,
    max_bytes: u64,
}

impl<'a> Text<'a> {
    /// Opens a file, or standard input for `-`. Gzip and zstd are recognised by their first bytes.
    pub(crate) fn open(
        path: &Path,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        if path == Path::new("-") {
            progress.start("reading", None);
            return Self::new(io::stdin().lock(), "standard input", options, progress);
        }
        let file = path.display().to_string();
        let opened = File::open(path).map_err(|error| ReadError::of(&file, Problem::Io(error)))?;
        progress.start("reading", opened.metadata().ok().map(|data| data.len()));
        Self::new(opened, &file, options, progress)
    }

    /// Text from any bytes; `file` is its name in errors.
    pub(crate) fn new(
        source: impl Read + 'a,
        file: &str,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, ReadError> {
        let mut raw = BufReader::with_capacity(CHUNK, Counted { source, progress });
        let start =
            first_bytes(&mut raw).map_err(|error| ReadError::of(file, io_problem(error)))?;
        if start.is_empty() && is_called_compressed(file) {
            return Err(ReadError::of(file, Problem::EmptyCompressed));
        }
        let compression = Compression::of(&start);
        let source = compression.reader(io::Cursor::new(start).chain(raw), file)?;
        let buffer = Vec::with_capacity(2 * CHUNK);
        let mut text = Self {
            source,
            compression,
            file: file.to_owned(),
            buffer,
            start: 0,
            checked: 0,
            lines: 0,
            ended: false,
            limit: LINE_LIMIT,
            taken: 0,
            max_bytes: options.max_bytes(),
        };
        text.refill().map_err(|error| match text.buffer.as_slice() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ReadError::of(file, Problem::Utf16),
            _ => error,
        })?;
        if text.buffer.starts_with("\u{feff}".as_bytes()) {
            text.start = 3;
        }
        Ok(text)
    }

    /// The name of this source in errors.
    pub(crate) fn file(&self) -> &str {
        &self.file
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
            if let Some(end) = memchr::memrchr(b'\n', &self.buffer[filled..]) {
                self.checked = filled + end + 1;
                break;
            }
            if self.ended {
                self.checked = self.buffer.len();
                break;
            }
            if self.buffer.len() - from > self.limit {
                return Err(self.long_line(self.lines + 1));
            }
        }
        self.check(from)
    }

    fn read_chunk(&mut self) -> Result<(), ReadError> {
        let mut chunk = Read::take(&mut self.source, CHUNK as u64);
        match chunk.read_to_end(&mut self.buffer) {
            Ok(0) => self.ended = true,
            Ok(read) => self.taken += read as u64,
            Err(error) => return Err(ReadError::of(&self.file, self.compression.problem(error))),
        }
        if self.taken > self.max_bytes {
            return Err(ReadError::of(&self.file, Problem::TooLong { limit: self.max_bytes }));
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
        ReadError::at(&self.file, line, None, Problem::LongLine { limit: self.limit })
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
        ReadError::at(&self.file, line, Some(column), problem)
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

/// A reader that reports every byte as progress and checks for cancellation.
struct Counted<'a, R> {
    source: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.progress.go_on().map_err(io::Error::other)?;
        let read = self.source.read(out)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}

/// The compression of a source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

/// Whether a file's name says that it is compressed.
fn is_called_compressed(file: &str) -> bool {
    let ending = Path::new(file).extension();
    ending
        .is_some_and(|ending| ["gz", "zst"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The first four bytes, which tell the compression, or fewer if the source is shorter. One read
/// from a pipe may return fewer than that.
fn first_bytes(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(4);
    source.take(4).read_to_end(&mut start)?;
    Ok(start)
}

impl Compression {
    fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    fn reader<'a>(
        self,
        raw: impl BufRead + 'a,
        file: &str,
    ) -> Result<Box<dyn Read + 'a>, ReadError> {
        Ok(match self {
            Self::None => Box::new(raw),
            #[cfg(not(feature = "compression"))]
            Self::Gzip | Self::Zstd => {
                return Err(ReadError::of(file, Problem::Compressed));
            }
            #[cfg(feature = "compression")]
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
            #[cfg(feature = "compression")]
            Self::Zstd => Box::new(
                zstd::Decoder::with_buffer(raw)
                    .map_err(|error| ReadError::of(file, Problem::Io(error)))?,
            ),
        })
    }

    /// The problem that a read error stands for. Decoders report incomplete data as an unexpected
    /// end, and damaged data as invalid input or, for zstd, as any other error.
    fn problem(self, error: io::Error) -> Problem {
        let error = match error.downcast::<Cancelled>() {
            Ok(cancelled) => return cancelled.into(),
            Err(error) => error,
        };
        match error.kind() {
            _ if self == Self::None || error.raw_os_error().is_some() => Problem::Io(error),
            io::ErrorKind::UnexpectedEof => Problem::Truncated,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                Problem::Damaged(error.to_string())
            }
            _ => Problem::Io(error),
        }
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text")
            .field("file", &self.file)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}
