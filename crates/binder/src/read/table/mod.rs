//! Tables: rows of cells, in a text or in columns of Parquet and Arrow files.
//!
//! The first rows decide which columns hold the child, the parent and what is said about the child
//! (`layout.rs`); the usual words for them are in `words.rs`. `rows.rs` cuts a text into rows, and
//! `quoted.rs` does so where cells may have quotes.

mod layout;
#[cfg(feature = "csv")]
mod quoted;
mod rows;
pub(super) mod words;

pub(super) use layout::Layout;
pub(super) use rows::{Row, Separator};

use layout::{Roles, Shape};
use rows::for_each_row;

use super::collect::Collector;
use super::places::Places;
use super::text::Text;
use super::{Format, Position, Problem, ReadError, ReadOptions};
use crate::bits::Id;
use crate::hierarchy::{Reading, Scope};

/// How many rows are looked at before it is decided whether the first is a header.
const SAMPLE: usize = 100;

/// A fault in a row.
pub(super) struct Fault {
    place: Position,
    problem: Problem,
}

impl Fault {
    pub(super) fn at(place: Position, problem: Problem) -> Self {
        Self { place, problem }
    }

    /// What is wrong, without its place.
    pub(super) fn into_problem(self) -> Problem {
        self.problem
    }

    pub(super) fn in_file(self, file: &str) -> ReadError {
        ReadError { file: file.to_owned(), position: Some(self.place), problem: self.problem }
    }
}

/// Reads the rows of a text into a hierarchy.
pub(super) fn read(
    text: Text<'_>,
    format: Format,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let (file, options) = (text.file().to_owned(), collector.options);
    let mut filler = Filler::new(collector, format);
    let decided = each_row(text, format, options, |layout, row| filler.add(layout, row))?;
    filler.finish(decided.as_ref()).map_err(|problem| ReadError::of(&file, problem))
}

/// Calls `each` with every (child, parent) of a text, in order. A missing parent is an error.
pub(super) fn each_pair(
    text: Text<'_>,
    format: Format,
    options: &ReadOptions,
    mut each: impl FnMut(&str, &str) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    each_row(text, format, options, |layout, row| {
        let Shape::Pairs(roles) = &layout.shape else {
            let problem = Problem::Unsuitable("level columns are no list of pairs".to_owned());
            return Err(Fault::at(row.place(0), problem));
        };
        if !roles.has_relation(row) {
            return Ok(());
        }
        let child = name(row, roles.child, options)?;
        let separator = options.cell_separator.as_deref();
        for parent in pieces(row, roles.parent, separator) {
            let parent = checked(parent, row, roles.parent, options)?;
            let (child, parent) = if options.reversed { (parent, child) } else { (child, parent) };
            each(child, parent).map_err(|problem| {
                let Position { line, .. } = row.place(0);
                Fault::at(Position { line, column: None }, problem)
            })?;
        }
        Ok(())
    })
    .map(|_| ())
}

/// What was decided about a table, and its first row.
pub(super) struct Decided {
    layout: Layout,
    first: Row,
}

/// Calls `each` with every row below the header. `None` if there is no row.
fn each_row(
    text: Text<'_>,
    format: Format,
    options: &ReadOptions,
    mut each: impl FnMut(&Layout, &Row) -> Result<(), Fault>,
) -> Result<Option<Decided>, ReadError> {
    let file = text.file().to_owned();
    let separator = separator(&text, format, options)?;
    let mut sample: Vec<Row> = Vec::with_capacity(SAMPLE);
    let mut decided: Option<Decided> = None;
    let read = for_each_row(text, separator, options.comment.as_deref(), |row| {
        if let Some(Decided { layout, .. }) = &decided {
            return pass(layout, row, &mut each).map_err(|fault| fault.in_file(&file));
        }
        sample.push(row.clone());
        if sample.len() == SAMPLE {
            decided =
                decide(&mut sample, options, &mut each).map_err(|fault| fault.in_file(&file))?;
        }
        Ok(())
    });
    if decided.is_none() {
        // The rows before a fault come first, and so do their faults.
        decided = decide(&mut sample, options, &mut each).map_err(|fault| fault.in_file(&file))?;
    }
    read.map(|()| decided)
}

/// Decides about the rows so far and passes them on.
fn decide(
    sample: &mut Vec<Row>,
    options: &ReadOptions,
    each: &mut impl FnMut(&Layout, &Row) -> Result<(), Fault>,
) -> Result<Option<Decided>, Fault> {
    if sample.is_empty() {
        return Ok(None);
    }
    let layout = Layout::of(sample, options)?;
    let below = usize::from(layout.has_header);
    sample[below..].iter().try_for_each(|row| pass(&layout, row, each))?;
    let first = sample.swap_remove(0);
    sample.clear();
    Ok(Some(Decided { layout, first }))
}

fn pass(
    layout: &Layout,
    row: &Row,
    each: &mut impl FnMut(&Layout, &Row) -> Result<(), Fault>,
) -> Result<(), Fault> {
    layout.check_width(row)?;
    each(layout, row)
}

/// Hands the rows of a table to a collector.
pub(super) struct Filler<'c, 'o> {
    collector: &'c mut Collector<'o>,
    format: Format,
    /// Level columns: the places.
    places: Places,
    /// Whether a row has the concept as its child, by id.
    described: Vec<bool>,
    /// Pairs whose parent is 0, NULL or the like, which is none unless a row has that id.
    below_none: Vec<(Box<str>, Box<str>)>,
    /// Parents that look like several names in one cell.
    suspects: Vec<Box<str>>,
    /// The first parent, and all of them by id.
    first_parent: Option<Box<str>>,
    parents: Vec<Id>,
    roots: usize,
    other_relations: usize,
}

/// What several names in one cell are separated by, in the tables that do so.
const SEPARATORS: [&str; 4] = [", ", "|", ";", ","];

/// The most parents that are looked at for being several.
const SUSPECTS: usize = 1000;

impl<'c, 'o> Filler<'c, 'o> {
    pub(super) fn new(collector: &'c mut Collector<'o>, format: Format) -> Self {
        Self {
            collector,
            format,
            places: Places::default(),
            described: Vec::new(),
            below_none: Vec::new(),
            suspects: Vec::new(),
            first_parent: None,
            parents: Vec::new(),
            roots: 0,
            other_relations: 0,
        }
    }

    /// Adds a pair that is an array of two names.
    pub(super) fn pair(&mut self, two: &serde_json::Value) -> Result<(), Problem> {
        let name = |index: usize| match &two[index] {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.collector.directed(&name(0), &name(1))
    }

    pub(super) fn add(&mut self, layout: &Layout, row: &Row) -> Result<(), Fault> {
        match &layout.shape {
            Shape::Pairs(roles) => self.add_pair(roles, row),
            Shape::Levels(levels) => self.add_path(levels, row),
        }
    }

    fn add_path(&mut self, levels: &[usize], row: &Row) -> Result<(), Fault> {
        let mut above = None;
        for &level in levels {
            if !words::is_missing(row.get(level)) {
                let cell = name(row, level, self.collector.options)?.trim();
                let place = self.places.at(above, cell);
                above = Some(place.map_err(|error| Fault::at(row.place(level), error.into()))?);
            }
        }
        Ok(())
    }

    fn add_pair(&mut self, roles: &Roles, row: &Row) -> Result<(), Fault> {
        let options = self.collector.options;
        if !roles.has_relation(row) {
            self.other_relations += 1;
            return Ok(());
        }
        let fault = |problem| Fault::at(row.place(roles.child), problem);
        let child = name(row, roles.child, options)?;
        let concept = self.collector.concept(child).map_err(fault)?;
        self.describe(concept);
        self.add_texts(concept, roles, row);
        let cell = row.get(roles.parent);
        if roles.has_roots && cell.trim_ascii().is_empty() {
            self.roots += 1;
            return Ok(());
        }
        for parent in pieces(row, roles.parent, options.cell_separator.as_deref()) {
            let parent = checked(parent, row, roles.parent, options)?;
            if roles.zero_is_none && parent == "0"
                || roles.null_is_none && words::is_missing(parent)
            {
                self.below_none.push((child.into(), parent.into()));
                continue;
            }
            self.suspect(parent, roles);
            self.first_parent.get_or_insert_with(|| parent.into());
            let parent = self.collector.concept(parent).map_err(fault)?;
            self.collector.directed_link(concept, parent);
            self.parents.push(parent);
        }
        Ok(())
    }

    fn add_texts(&mut self, concept: Id, roles: &Roles, row: &Row) {
        let text = |column: Option<usize>| {
            column.map(|column| row.get(column)).filter(|cell| !words::is_missing(cell))
        };
        if let Some(label) = text(roles.label) {
            self.collector.label(concept, label);
        }
        if let Some(definition) = text(roles.definition) {
            self.collector.definition(concept, definition);
        }
        let separator = self.collector.options.cell_separator.as_deref();
        for &column in roles.aliases.iter().filter(|&&column| text(Some(column)).is_some()) {
            for alias in pieces(row, column, separator) {
                self.collector.synonym(concept, alias, Scope::Exact);
            }
        }
        let alternative = roles.alternative_ids.filter(|&column| text(Some(column)).is_some());
        for id in alternative.into_iter().flat_map(|column| pieces(row, column, separator)) {
            self.collector.alias(concept, id);
        }
    }

    fn describe(&mut self, concept: Id) {
        let index = concept as usize;
        if index >= self.described.len() {
            self.described.resize(index + 1, false);
        }
        self.described[index] = true;
    }

    fn suspect(&mut self, parent: &str, roles: &Roles) {
        let is_checked = roles.has_roots && self.collector.options.cell_separator.is_none();
        if is_checked
            && self.suspects.len() < SUSPECTS
            && SEPARATORS.iter().any(|separator| parent.contains(separator))
        {
            self.suspects.push(parent.into());
        }
    }

    fn is_described(&self, name: &str) -> bool {
        let id = self.collector.find(name);
        id.is_some_and(|id| self.described.get(id as usize).copied().unwrap_or_default())
    }

    /// Settles what only the whole table tells, and reports what was decided.
    pub(super) fn finish(mut self, decided: Option<&Decided>) -> Result<(), Problem> {
        self.check_suspects()?;
        for (child, parent) in std::mem::take(&mut self.below_none) {
            if self.is_described(&parent) {
                self.collector.directed(&child, &parent)?;
            } else {
                self.roots += 1;
            }
        }
        let stranger = self.only_strange_parents().map(str::to_owned);
        let Self { collector, format, places, roots, other_relations, .. } = self;
        places.hand_over(collector, " > ")?;
        let reversed = collector.options.reversed;
        let (child, parent) = match decided {
            Some(Decided { layout, first }) => layout.taken(Some(first), reversed),
            None => ("column 1".to_owned(), "column 2".to_owned()),
        };
        collector.reading = Reading::new(format, child, parent);
        for note in decided.iter().flat_map(|decided| &decided.layout.notes) {
            collector.reading.note(note);
        }
        if roots > 0 {
            collector.reading.note(format!("{roots} without a parent"));
        }
        if let Some(stranger) = stranger {
            collector.reading.note(format!(
                "no parent is the child of a row, the first is {stranger:?}: the columns may be others"
            ));
        }
        if other_relations > 0 {
            collector.reading.note(format!("{other_relations} rows of another relation left out"));
        }
        Ok(())
    }

    /// The first parent, where rows without a parent tell that the table lists its concepts, and
    /// yet no parent is one of them. It may be in another column, such as the label's.
    fn only_strange_parents(&self) -> Option<&str> {
        let is_there = |&parent: &Id| self.described.get(parent as usize) == Some(&true);
        let is_strange = self.roots > 0 && !self.parents.iter().any(is_there);
        self.first_parent.as_deref().filter(|_| is_strange)
    }

    /// Refuses parents that are several names in one cell.
    fn check_suspects(&self) -> Result<(), Problem> {
        let several = |separator: &str, cell: &str| {
            !self.is_described(cell)
                && cell.contains(separator)
                && cell.split(separator).all(|piece| self.is_described(piece.trim()))
        };
        for separator in SEPARATORS {
            if let Some(cell) = self.suspects.iter().find(|cell| several(separator, cell)) {
                let (cell, separator) = (cell.to_string(), separator.trim_end().to_owned());
                return Err(Problem::SeveralInCell { cell, separator });
            }
        }
        Ok(())
    }
}

impl Decided {
    /// What the names of the columns decided.
    pub(super) fn named(headings: &[String], options: &ReadOptions) -> Result<Self, Fault> {
        let mut first = Row::numbered(1);
        headings.iter().for_each(|heading| first.push(heading));
        Ok(Self { layout: Layout::named(headings, options)?, first })
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl Roles {
    fn has_relation(&self, row: &Row) -> bool {
        self.relation.as_ref().is_none_or(|(column, value)| row.get(*column).trim() == value)
    }
}

/// The names in one cell: those of a list as they are, those between separators without the spaces
/// around them.
fn pieces<'c>(
    row: &'c Row,
    column: usize,
    separator: Option<&'c str>,
) -> impl Iterator<Item = &'c str> {
    let (cell, listed) = (row.get(column), row.list(column));
    let separator = separator.filter(|separator| !separator.is_empty() && cell.contains(separator));
    let separated = separator.filter(|_| listed.is_none());
    let whole = (listed.is_none() && separated.is_none()).then_some(cell);
    let separated = separated.map(|separator| cell.split(separator).map(str::trim));
    let several = listed.into_iter().flatten().chain(separated.into_iter().flatten());
    whole.into_iter().chain(several.filter(|piece| !piece.trim_ascii().is_empty()))
}

/// The name in a cell.
fn name<'r>(row: &'r Row, column: usize, options: &ReadOptions) -> Result<&'r str, Fault> {
    checked(row.get(column), row, column, options)
}

fn checked<'r>(
    name: &'r str,
    row: &Row,
    column: usize,
    options: &ReadOptions,
) -> Result<&'r str, Fault> {
    if name.trim_ascii().is_empty() {
        return Err(Fault::at(row.place(column), Problem::EmptyName));
    }
    options.check_name(name).map_err(|problem| Fault::at(row.place(column), problem))?;
    Ok(name)
}

/// How the rows of a text are cut.
fn separator(
    text: &Text<'_>,
    format: Format,
    options: &ReadOptions,
) -> Result<Separator, ReadError> {
    if let Some(delimiter) = options.delimiter {
        return match u8::try_from(delimiter) {
            Ok(b'\t') if format == Format::Tsv => Ok(Separator::Tab),
            Ok(byte) if byte.is_ascii() && !b"\"\r\n".contains(&byte) => {
                Ok(Separator::Quoted(byte))
            }
            _ => Err(ReadError::of(text.file(), Problem::Delimiter(delimiter))),
        };
    }
    Ok(match format {
        Format::Tsv => Separator::Tab,
        Format::Spaces => Separator::Spaces,
        _ => Separator::Quoted(sniff(text.peek())),
    })
}

/// The characters that separate columns, the usual first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// How many lines are looked at for the delimiter.
const SNIFFED: usize = 20;

/// The delimiter of a text with quotes: of those that every line has equally often, the one that is
/// there most often; a comma where none is.
pub(super) fn sniff(text: &str) -> u8 {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty()).take(SNIFFED).collect();
    let most = |delimiter: u8| {
        let mut counts = lines.iter().map(|line| outside_quotes(line, delimiter));
        let first = counts.next().unwrap_or_default();
        let is_even = counts.all(|count| count == first);
        (is_even && first > 0, first)
    };
    let mut best = (b',', most(b','));
    for delimiter in &DELIMITERS[1..] {
        let found = most(*delimiter);
        if found > best.1 {
            best = (*delimiter, found);
        }
    }
    best.0
}

/// How often a character stands outside quotes.
fn outside_quotes(line: &str, wanted: u8) -> usize {
    let mut in_quotes = false;
    let is_counted = |&byte: &u8| {
        in_quotes ^= byte == b'"';
        byte == wanted && !in_quotes
    };
    line.bytes().filter(is_counted).count()
}
