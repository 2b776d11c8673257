use std::io::{self, BufRead, Read};

use super::ReadError;
use super::entities::Entities;
use super::text::Text;

/// A reader that returns at most one line per read. XML parsers do not say where an error is. With
/// this reader they have read no further than the line they fail on.
pub(super) struct LineByLine<'a> {
    text: Text<'a>,
    /// The number of lines that were read completely.
    pub(super) lines_read: u64,
    /// Whether the next read starts a new line.
    at_start: bool,
    entities: Entities,
    /// Whether the whole text was read.
    pub(super) text_ended: bool,
    /// The bytes that are still to be read after the text.
    end: &'static [u8],
}

impl<'a> LineByLine<'a> {
    /// The lines of a text, and `end` after them.
    pub(super) fn new(text: Text<'a>, end: &'static str) -> Self {
        let entities = Entities::default();
        Self {
            text,
            lines_read: 0,
            at_start: true,
            entities,
            text_ended: false,
            end: end.as_bytes(),
        }
    }
}

impl Read for LineByLine<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.text.fill_buf()?;
        if ready.is_empty() {
            self.text_ended = true;
            return self.end.read(out);
        }
        let line = memchr::memchr(b'\n', ready).map_or(ready.len(), |end| end + 1);
        if self.at_start
            && let Err(problem) = self.entities.check(&ready[..line])
        {
            let error = ReadError::at(self.text.file(), self.lines_read + 1, None, problem);
            return Err(io::Error::other(error));
        }
        let count = line.min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.text.consume(count);
        self.at_start = count == line;
        self.lines_read += u64::from(count == line);
        Ok(count)
    }
}
