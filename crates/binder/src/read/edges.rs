use std::borrow::Cow;

use super::text::Text;
use super::{Column, ColumnsFault, Format, Problem, ReadError, ReadOptions};

/// Calls `each` with every (child, parent) of an edge list.
///
/// There is one pair per line. Blank lines are skipped, and so are lines that start with the
/// comment mark, if one was chosen. Every other line must have as many columns as the first. Names
/// are not changed, except that CSV quotes are removed.
pub(crate) fn each_pair(
    text: Text<'_>,
    format: Format,
    options: &ReadOptions,
    mut each: impl FnMut(&str, &str) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut picker = Picker::new(options);
    text.for_each_line(|number, line| {
        let at = |Fault { byte, problem }: Fault| {
            let column = byte.map(|byte| line[..byte].chars().count() as u64 + 1);
            ReadError::at(&file, number, column, problem)
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        if is_blank(line, format)
            || options.comment.as_ref().is_some_and(|mark| line.starts_with(mark.as_str()))
        {
            return Ok(());
        }
        let fields = split(line, format).map_err(at)?;
        let Some((first, second)) = picker.pick(line, &fields).map_err(at)? else { return Ok(()) };
        let (child, parent) = if options.reversed { (second, first) } else { (first, second) };
        each(child, parent).map_err(|problem| at(Fault { byte: None, problem }))
    })
}

/// Whether a line is blank: only white space, but not the tab that separates two empty names.
fn is_blank(line: &str, format: Format) -> bool {
    line.trim_ascii().is_empty() && !(format == Format::Tsv && line.contains('\t'))
}

/// A fault in a line, at a byte of the line if that is known.
struct Fault {
    byte: Option<usize>,
    problem: Problem,
}

impl Fault {
    fn at(byte: usize, problem: Problem) -> Self {
        Self { byte: Some(byte), problem }
    }
}

/// The byte where a field starts, and the field.
type Field<'l> = (usize, Cow<'l, str>);

fn split(line: &str, format: Format) -> Result<Vec<Field<'_>>, Fault> {
    let start = |field: &'_ str| field.as_ptr() as usize - line.as_ptr() as usize;
    Ok(match format {
        Format::Csv => return split_csv(line),
        Format::Spaces => {
            line.split_ascii_whitespace().map(|field| (start(field), field.into())).collect()
        }
        _ => line.split('\t').map(|field| (start(field), field.into())).collect(),
    })
}

/// Splits at commas. A field that starts with a quote ends at its closing quote; `""` inside it is
/// one quote.
///
/// A quote must close on the same line. A name with a line break could not be written to a list of
/// lines, and an unclosed quote would turn the rest of the file into one field.
fn split_csv(line: &str) -> Result<Vec<Field<'_>>, Fault> {
    let mut fields = Vec::new();
    let mut start = 0;
    loop {
        let (field, end) =
            if line[start..].starts_with('"') { quoted(line, start)? } else { bare(line, start) };
        fields.push((start, field));
        if end == line.len() {
            return Ok(fields);
        }
        start = end + 1;
    }
}

/// A field up to the next comma, and the byte where it ends.
fn bare(line: &str, start: usize) -> (Cow<'_, str>, usize) {
    let end = line[start..].find(',').map_or(line.len(), |length| start + length);
    (line[start..end].into(), end)
}

/// A quoted field without its quotes, and the byte where it ends: at a comma or at the end of the
/// line.
fn quoted(line: &str, start: usize) -> Result<(Cow<'_, str>, usize), Fault> {
    let fault = |message: &str| {
        Fault::at(start, Problem::Syntax { format: Format::Csv, message: message.to_owned() })
    };
    let mut close = start + 1;
    loop {
        close +=
            line[close..].find('"').ok_or_else(|| fault("the quote is not closed on its line"))?;
        if !line[close + 1..].starts_with('"') {
            break;
        }
        close += 2;
    }
    if !matches!(line.as_bytes().get(close + 1), None | Some(b',')) {
        return Err(fault("the closing quote is not followed by a comma"));
    }
    let inner = &line[start + 1..close];
    let field = if inner.contains('"') { inner.replace("\"\"", "\"").into() } else { inner.into() };
    Ok((field, close + 1))
}

/// The number of column names that an error lists.
const SHOWN: usize = 20;

/// Finds child and parent in each row.
struct Picker<'o> {
    options: &'o ReadOptions,
    columns: Option<&'o (Column, Column)>,
    /// Whether the next row is the header.
    header_next: bool,
    /// Set by the first row, which decides how many columns there are.
    picked: Option<Picked>,
}

/// The chosen columns.
struct Picked {
    /// The number of columns in every row.
    width: usize,
    /// Indices of child and parent, both below `width`.
    first: usize,
    second: usize,
}

impl<'o> Picker<'o> {
    fn new(options: &'o ReadOptions) -> Self {
        let by_name = |columns: &(Column, Column)| {
            matches!(columns, (Column::Name(_), _) | (_, Column::Name(_)))
        };
        let columns = options.columns.as_ref();
        let header_next = options.header || columns.is_some_and(by_name);
        Self { options, columns, header_next, picked: None }
    }

    /// The two names of a row; `None` for the header.
    fn pick<'f>(
        &mut self,
        line: &str,
        fields: &'f [Field<'_>],
    ) -> Result<Option<(&'f str, &'f str)>, Fault> {
        let Some(picked) = &self.picked else {
            self.picked = Some(self.choose(line, fields)?);
            let is_header = std::mem::take(&mut self.header_next);
            return if is_header { Ok(None) } else { self.pick(line, fields) };
        };
        if fields.len() != picked.width {
            return Err(wrong_width(line, fields, picked.width, self.columns.is_some()));
        }
        let name = |index: usize| {
            let (byte, name) = &fields[index];
            if name.trim_ascii().is_empty() {
                return Err(Fault::at(*byte, Problem::EmptyName));
            }
            self.options.check_name(name).map_err(|problem| Fault::at(*byte, problem))?;
            Ok(name.as_ref())
        };
        Ok(Some((name(picked.first)?, name(picked.second)?)))
    }

    fn choose(&self, line: &str, fields: &[Field<'_>]) -> Result<Picked, Fault> {
        let width = fields.len();
        match self.columns {
            None if width == 2 => Ok(Picked { width, first: 0, second: 1 }),
            None => Err(wrong_width(line, fields, 2, false)),
            Some((child, parent)) => Ok(Picked {
                width,
                first: self.find(child, fields)?,
                second: self.find(parent, fields)?,
            }),
        }
    }

    fn find(&self, column: &Column, fields: &[Field<'_>]) -> Result<usize, Fault> {
        let found = match column {
            Column::Number(number) => number.checked_sub(1).filter(|&index| index < fields.len()),
            Column::Name(name) => fields.iter().position(|(_, field)| field == name),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = fields.iter().map(|(_, field)| field.as_ref()).collect();
            let more = if names.len() > SHOWN {
                format!(" and {} more", names.len() - SHOWN)
            } else {
                String::new()
            };
            let known = if self.header_next {
                names[..names.len().min(SHOWN)].join(", ") + &more
            } else {
                format!("1 to {}", fields.len())
            };
            Fault::at(0, Problem::NoColumn { wanted: column.to_string(), known })
        })
    }
}

fn wrong_width(line: &str, fields: &[Field<'_>], expected: usize, chosen: bool) -> Fault {
    let found = fields.len();
    let byte = fields.get(expected).map_or(line.len(), |&(byte, _)| byte);
    let likely = if line.starts_with('#') {
        ColumnsFault::CommentLine
    } else if found == 1 {
        ColumnsFault::OtherSeparator
    } else if chosen {
        ColumnsFault::Ragged
    } else {
        ColumnsFault::NotChosen
    };
    Fault::at(byte, Problem::Columns { expected, found, likely })
}
