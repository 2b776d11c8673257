use std::io::BufRead;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

use super::Fault;
use super::rows::Row;
use crate::read::text::{LINE_LIMIT, Text};
use crate::read::{Format, Problem, ReadError};

/// The rows of a text with quotes, cut by csv's parser. That parser accepts anything; quotes that
/// are not closed or that end within a cell are found here.
pub(super) struct Quoted<'t, 'c> {
    text: Text<'t>,
    parser: Reader,
    delimiter: u8,
    comment: Option<&'c str>,
    /// The line where the next byte is, from 1.
    line: u64,
}

impl<'t, 'c> Quoted<'t, 'c> {
    pub(super) fn new(text: Text<'t>, delimiter: u8, comment: Option<&'c str>) -> Self {
        let parser = ReaderBuilder::new().delimiter(delimiter).build();
        Self { text, parser, delimiter, comment, line: 1 }
    }

    pub(super) fn for_each(
        mut self,
        mut each: impl FnMut(&Row) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let file = self.text.file().to_owned();
        let mut row = Row::default();
        while self.at_row().map_err(|error| ReadError::from_io(&file, error))? {
            row.clear(self.line);
            self.read(&mut row, &file)?;
            if !row.is_blank() {
                each(&row)?;
            }
        }
        Ok(())
    }

    /// Goes to the next row, over line ends and comments. False at the end.
    fn at_row(&mut self) -> std::io::Result<bool> {
        loop {
            let rest = self.text.fill_buf()?;
            let Some(&first) = rest.first() else { return Ok(false) };
            let is_comment = self.comment.is_some_and(|mark| rest.starts_with(mark.as_bytes()));
            let skipped = if is_comment {
                memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
            } else if first == b'\n' || first == b'\r' {
                1
            } else {
                return Ok(true);
            };
            self.line += memchr::memchr_iter(b'\n', &rest[..skipped]).count() as u64;
            self.text.consume(skipped);
        }
    }

    /// Reads one row.
    fn read(&mut self, row: &mut Row, file: &str) -> Result<(), ReadError> {
        let mut raw = std::mem::take(&mut row.raw).into_bytes();
        let mut cells = std::mem::take(&mut row.cells).into_bytes();
        let mut room = [0; 4096];
        row.starts.push(0);
        loop {
            let input = self.text.fill_buf().map_err(|error| ReadError::from_io(file, error))?;
            let (result, read, written) = self.parser.read_field(input, &mut room);
            raw.extend_from_slice(&input[..read]);
            self.line += memchr::memchr_iter(b'\n', &input[..read]).count() as u64;
            cells.extend_from_slice(&room[..written]);
            self.text.consume(read);
            match result {
                ReadFieldResult::Field { record_end } => {
                    row.ends.push(cells.len());
                    let start = row.starts.last().copied().unwrap_or_default();
                    if let Some(message) = self.quote_fault(&raw[start..]) {
                        return Err(self.fault(row, raw, message, file));
                    }
                    if record_end {
                        break;
                    }
                    row.starts.push(raw.len());
                }
                ReadFieldResult::End => break,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            }
            if raw.len() > LINE_LIMIT {
                let message = "the quote is not closed".to_owned();
                return Err(self.fault(row, raw, message, file));
            }
        }
        let not_text = |_| ReadError::at(file, row.line, None, Problem::NotUtf8);
        row.cells = String::from_utf8(cells).map_err(not_text)?;
        row.raw = String::from_utf8(raw).map_err(not_text)?;
        Ok(())
    }

    /// What is wrong with the quotes of a cell, given with what separates it from the next.
    fn quote_fault(&self, cell: &[u8]) -> Option<String> {
        if cell.first() != Some(&b'"') {
            return None;
        }
        let mut close = 1;
        loop {
            match memchr::memchr(b'"', &cell[close..]) {
                None => return Some("the quote is not closed".to_owned()),
                Some(more) => close += more,
            }
            if cell.get(close + 1) != Some(&b'"') {
                break;
            }
            close += 2;
        }
        let is_end = |byte: &u8| [self.delimiter, b'\r', b'\n'].contains(byte);
        let name = match self.delimiter {
            b',' => "a comma".to_owned(),
            b';' => "a semicolon".to_owned(),
            b'\t' => "a tab".to_owned(),
            other => format!("{:?}", char::from(other)),
        };
        let follows = cell.get(close + 1).is_none_or(is_end);
        (!follows).then(|| format!("the closing quote is not followed by {name}"))
    }

    /// The error for a fault in the last cell of a row.
    fn fault(&self, row: &mut Row, raw: Vec<u8>, message: String, file: &str) -> ReadError {
        row.raw = String::from_utf8_lossy(&raw).into_owned();
        let cell = row.starts.len() - 1;
        let problem = Problem::Syntax { format: Format::Csv, message };
        Fault::at(row.place(cell), problem).in_file(file)
    }
}
