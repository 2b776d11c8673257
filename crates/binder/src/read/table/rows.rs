use std::ops::Range;

#[cfg(feature = "csv")]
use super::quoted::Quoted;
use crate::read::text::Text;
use crate::read::{Position, ReadError};

/// One row of a table: its cells, and the text they come from.
#[derive(Debug, Clone, Default)]
pub(in crate::read) struct Row {
    /// The line where it begins, from 1.
    pub(super) line: u64,
    /// The row as it stands in the file; empty where there is no text, as in Parquet.
    pub(super) raw: String,
    /// Where each cell begins in `raw`; as many as there are cells, or none.
    pub(super) starts: Vec<usize>,
    /// All cells without quotes, one after the other, and where each ends.
    pub(super) cells: String,
    pub(super) ends: Vec<usize>,
    /// The cells that are lists, in formats that have such: where each of their names stands in
    /// `cells`.
    lists: Vec<(usize, Vec<Range<usize>>)>,
}

impl Row {
    /// A row without a text, by its number from 1.
    pub(in crate::read) fn numbered(number: u64) -> Self {
        Self { line: number, ..Self::default() }
    }

    pub(in crate::read) fn clear(&mut self, line: u64) {
        self.line = line;
        self.raw.clear();
        self.starts.clear();
        self.cells.clear();
        self.ends.clear();
        self.lists.clear();
    }

    pub(in crate::read) fn push(&mut self, cell: &str) {
        self.cells.push_str(cell);
        self.ends.push(self.cells.len());
    }

    /// Adds a cell that is a list of names. As one text, it has spaces between them.
    pub(in crate::read) fn push_list(&mut self, names: &[impl AsRef<str>]) {
        let start = self.cells.len();
        let mut places = Vec::new();
        for name in names {
            if self.cells.len() > start {
                self.cells.push(' ');
            }
            let start = self.cells.len();
            self.cells.push_str(name.as_ref());
            places.push(start..self.cells.len());
        }
        self.lists.push((self.len(), places));
        self.ends.push(self.cells.len());
    }

    /// The names of a cell that is a list.
    pub(in crate::read) fn list(&self, index: usize) -> Option<impl Iterator<Item = &str>> {
        let (_, places) = self.lists.iter().find(|(cell, _)| *cell == index)?;
        Some(places.iter().map(|place| &self.cells[place.clone()]))
    }

    pub(in crate::read) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in crate::read) fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.cells[start..self.ends[index]]
    }

    pub(in crate::read) fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Where a cell begins, or where the row ends if it has no such cell.
    pub(in crate::read) fn place(&self, index: usize) -> Position {
        if self.raw.is_empty() {
            return Position { line: self.line, column: None };
        }
        let end = self.raw.trim_end_matches(['\r', '\n']).len();
        let start = self.starts.get(index).map_or(end, |&start| start.min(self.raw.len()));
        let before = &self.raw[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.line + before.matches('\n').count() as u64;
        Position { line, column: Some(before[line_start..].chars().count() as u64 + 1) }
    }

    /// Whether the row looks like a comment.
    pub(in crate::read) fn is_like_a_comment(&self) -> bool {
        self.raw.starts_with('#')
    }

    pub(super) fn is_blank(&self) -> bool {
        self.len() == 1 && !self.raw.starts_with('"') && self.get(0).trim_ascii().is_empty()
    }
}

/// How the rows of a text are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::read) enum Separator {
    /// A tab; quotes mean nothing.
    Tab,
    /// Runs of spaces and tabs.
    Spaces,
    /// One character, with quotes as RFC 4180 has them.
    Quoted(u8),
}

/// Calls `each` with every row. Blank lines are skipped, and so are rows that start with the comment
/// mark.
pub(in crate::read) fn for_each_row(
    text: Text<'_>,
    separator: Separator,
    comment: Option<&str>,
    mut each: impl FnMut(&Row) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    #[cfg(feature = "csv")]
    if let Separator::Quoted(delimiter) = separator {
        return Quoted::new(text, delimiter, comment).for_each(each);
    }
    #[cfg(not(feature = "csv"))]
    if let Separator::Quoted(_) = separator {
        return Err(crate::read::not_built(&text, crate::read::Format::Csv, "csv"));
    }
    let mut row = Row::default();
    text.for_each_line(|number, line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let is_tab = separator == Separator::Tab;
        let is_blank = line.trim_ascii().is_empty() && !(is_tab && line.contains('\t'));
        if is_blank || comment.is_some_and(|mark| line.starts_with(mark)) {
            return Ok(());
        }
        row.clear(number);
        row.raw.push_str(line);
        let cells: &mut dyn Iterator<Item = &str> =
            if is_tab { &mut line.split('\t') } else { &mut line.split_ascii_whitespace() };
        for cell in cells {
            row.starts.push(cell.as_ptr() as usize - line.as_ptr() as usize);
            row.push(cell);
        }
        each(&row)
    })
}
