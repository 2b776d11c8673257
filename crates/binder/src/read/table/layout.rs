use super::words::{self, Role};
use super::{Fault, Row};
use crate::read::{Column, ColumnsFault, Problem, ReadOptions};

/// Which columns of a table mean what.
#[derive(Debug)]
pub(in crate::read) struct Layout {
    /// The number of columns in every row.
    pub(super) width: usize,
    pub(super) has_header: bool,
    /// Whether columns were chosen, so that the first row alone does not decide their number.
    is_chosen: bool,
    pub(super) shape: Shape,
    /// What a reader of the data should know about these decisions.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Shape {
    Pairs(Roles),
    /// A path from the root in these columns, top first.
    Levels(Vec<usize>),
}

/// Columns by what they hold. All are below the width.
#[derive(Debug)]
pub(super) struct Roles {
    pub(super) child: usize,
    pub(super) parent: usize,
    pub(super) label: Option<usize>,
    pub(super) aliases: Vec<usize>,
    pub(super) alternative_ids: Option<usize>,
    pub(super) definition: Option<usize>,
    /// Only rows with this value in this column count.
    pub(super) relation: Option<(usize, String)>,
    /// Whether a missing parent makes a root. In a plain list of pairs it is an error.
    pub(super) has_roots: bool,
    /// Whether words such as NULL are a missing parent, unless a row has that id. They are names
    /// like others in columns that were chosen as pairs.
    pub(super) null_is_none: bool,
    /// Whether the parent 0 is a missing one unless a row has the id 0.
    pub(super) zero_is_none: bool,
}

/// Whether the first row is a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    Yes,
    No,
    /// Nothing tells; taken as data.
    Unclear,
}

impl Layout {
    /// Decides from the first rows. There is at least one.
    pub(super) fn of(rows: &[Row], options: &ReadOptions) -> Result<Self, Fault> {
        let first = &rows[0];
        let header = header(rows, options);
        let mut layout = choose(first, header == Header::Yes, options)?;
        match header {
            Header::Yes => layout.notes.push("the first row is a header".to_owned()),
            Header::No => {}
            Header::Unclear => layout.notes.push(format!(
                "the first row is taken as data; {} would be its header",
                first.iter().map(str::trim).collect::<Vec<_>>().join(", ")
            )),
        }
        Ok(layout)
    }

    /// The layout of a table whose columns have these names.
    pub(in crate::read) fn named(
        headings: &[String],
        options: &ReadOptions,
    ) -> Result<Self, Fault> {
        let mut row = Row::numbered(1);
        headings.iter().for_each(|heading| row.push(heading));
        choose(&row, true, options)
    }

    /// Refuses a row that has another number of columns.
    pub(super) fn check_width(&self, row: &Row) -> Result<(), Fault> {
        if row.len() == self.width { Ok(()) } else { Err(self.wrong_width(row)) }
    }

    /// The columns that are read, ascending.
    #[cfg(feature = "parquet")]
    pub(in crate::read) fn columns(&self) -> Vec<usize> {
        let mut columns = match &self.shape {
            Shape::Levels(levels) => levels.clone(),
            Shape::Pairs(roles) => {
                let relation = roles.relation.iter().map(|(column, _)| *column);
                let texts = [roles.label, roles.definition, roles.alternative_ids];
                let single = [Some(roles.child), Some(roles.parent)].into_iter().chain(texts);
                let single = single.flatten();
                single.chain(roles.aliases.iter().copied()).chain(relation).collect()
            }
        };
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    fn wrong_width(&self, row: &Row) -> Fault {
        wrong_width(row, self.width, self.is_chosen || self.has_header)
    }

    /// What was taken for child and parent, in words.
    pub(super) fn taken(&self, first: Option<&Row>, is_reversed: bool) -> (String, String) {
        let heading = |index: usize| match first.filter(|_| self.has_header) {
            Some(row) => format!("column {} ({})", index + 1, row.get(index).trim()),
            None => format!("column {}", index + 1),
        };
        let (child, parent) = match &self.shape {
            Shape::Levels(levels) => {
                let last = levels.last().copied().unwrap_or_default();
                let top = levels.first().copied().unwrap_or_default();
                let range = format!("{} to {}", heading(top), heading(last));
                return (format!("a cell of {range}"), "the cell of the level above".to_owned());
            }
            Shape::Pairs(roles) => (heading(roles.child), heading(roles.parent)),
        };
        if is_reversed { (parent, child) } else { (child, parent) }
    }
}

fn header(rows: &[Row], options: &ReadOptions) -> Header {
    if let Some(told) = options.header {
        return if told { Header::Yes } else { Header::No };
    }
    if options.chosen_columns().any(|column| matches!(column, Column::Name(_))) {
        return Header::Yes;
    }
    let (first, rest) = (&rows[0], &rows[1..]);
    let recurs = recurs(first, rest);
    if levels(first).len() >= 2 && !recurs || has_role_words(first, rest) {
        return Header::Yes;
    }
    if is_above_numbers(first, rest) {
        return Header::Yes;
    }
    let is_data = first.iter().any(is_number) || recurs;
    if is_data { Header::No } else { Header::Unclear }
}

/// Whether the cells are words for a child and for a parent, and these are no names further down.
fn has_role_words(first: &Row, rest: &[Row]) -> bool {
    let Some(parent) = words::find(Role::Parent, first.iter(), &[]) else { return false };
    let Some(child) = words::find(Role::Child, first.iter(), &[parent]) else { return false };
    let headings = [first.get(child).trim(), first.get(parent).trim()];
    let mut below = rest.iter().filter(|row| row.len() == first.len());
    !below.any(|row| [child, parent].iter().any(|&at| headings.contains(&row.get(at).trim())))
}

/// Whether a cell of the first row stands in another row, too.
fn recurs(first: &Row, rest: &[Row]) -> bool {
    let names: Vec<&str> = first.iter().map(str::trim).filter(|name| !name.is_empty()).collect();
    rest.iter().any(|row| row.iter().any(|cell| names.contains(&cell.trim())))
}

/// Whether the first row has no numbers, and stands above a column of nothing but numbers.
fn is_above_numbers(first: &Row, rest: &[Row]) -> bool {
    let is_column_of_numbers = |index: usize| {
        let mut cells =
            rest.iter().filter(|row| row.len() == first.len()).map(|row| row.get(index));
        let mut filled = cells.by_ref().filter(|cell| !words::is_missing(cell)).peekable();
        filled.peek().is_some() && filled.all(is_number)
    };
    !first.iter().any(is_number) && rest.len() >= 2 && (0..first.len()).any(is_column_of_numbers)
}

fn is_number(cell: &str) -> bool {
    let cell = cell.trim();
    cell.starts_with(|c: char| c.is_ascii_digit() || ['-', '+', '.'].contains(&c))
        && cell.parse::<f64>().is_ok()
}

/// The level columns of a header, top first.
fn levels(header: &Row) -> Vec<usize> {
    let mut levels: Vec<(u32, usize)> = header
        .iter()
        .enumerate()
        .filter_map(|(index, cell)| words::level(cell).map(|level| (level, index)))
        .collect();
    levels.sort_unstable();
    levels.into_iter().map(|(_, index)| index).collect()
}

fn choose(first: &Row, has_header: bool, options: &ReadOptions) -> Result<Layout, Fault> {
    let width = first.len();
    let find = |column: &Column| find_column(column, first, has_header);
    let both = options.columns.as_ref();
    let mut child = options.child.as_ref().or(both.map(|both| &both.0)).map(find).transpose()?;
    let mut parent = options.parent.as_ref().or(both.map(|both| &both.1)).map(find).transpose()?;
    let is_chosen = child.is_some() || parent.is_some();
    let (mut has_roots, notes) = (has_header || options.child.is_some(), Vec::new());
    if has_header && !is_chosen {
        let levels = levels(first);
        if levels.len() >= 2 && words::find(Role::Parent, first.iter(), &[]).is_none() {
            let shape = Shape::Levels(levels);
            return Ok(Layout { width, has_header, is_chosen, shape, notes });
        }
    }
    if has_header {
        let taken: Vec<usize> = child.into_iter().collect();
        parent = parent.or_else(|| words::find(Role::Parent, first.iter(), &taken));
        let taken: Vec<usize> = parent.into_iter().collect();
        child =
            child.or_else(|| parent.and_then(|_| words::find(Role::Child, first.iter(), &taken)));
    }
    if width == 2 {
        child = child.or(Some(parent.map_or(0, |parent| 1 - parent)));
        parent = parent.or(child.map(|child| 1 - child));
    }
    let (Some(child), Some(parent)) = (child, parent) else {
        return Err(wrong_width(first, 2, false));
    };
    let mut taken = vec![child, parent];
    let mut by_word = |chosen: Option<usize>, role: Role| {
        let found = chosen
            .or_else(|| if has_header { words::find(role, first.iter(), &taken) } else { None });
        taken.extend(found);
        found
    };
    let label = by_word(options.label.as_ref().map(find).transpose()?, Role::Label);
    let definition = by_word(options.definition.as_ref().map(find).transpose()?, Role::Definition);
    let mut aliases = options.aliases.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    if aliases.is_empty() {
        aliases.extend(by_word(None, Role::Alias));
    }
    let alternative_ids = by_word(None, Role::AlternativeId);
    let relation = match &options.relation_column {
        Some((column, value)) => Some((find(column)?, value.clone())),
        None => None,
    };
    has_roots |= label.is_some() || definition.is_some();
    let roles = Roles {
        child,
        parent,
        label,
        aliases,
        alternative_ids,
        definition,
        relation,
        has_roots,
        null_is_none: has_roots && both.is_none(),
        zero_is_none: has_header && both.is_none() && words::is_id(first.get(child)),
    };
    Ok(Layout { width, has_header, is_chosen, shape: Shape::Pairs(roles), notes })
}

/// The number of column names that an error lists.
const SHOWN: usize = 20;

fn find_column(column: &Column, first: &Row, has_header: bool) -> Result<usize, Fault> {
    let found = match column {
        Column::Number(number) => number.checked_sub(1).filter(|&index| index < first.len()),
        Column::Name(name) => first.iter().position(|cell| cell == name).or_else(|| {
            first.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name.trim()))
        }),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = first.iter().collect();
        let more = match names.len().checked_sub(SHOWN) {
            Some(more) if more > 0 => format!(" and {more} more"),
            _ => String::new(),
        };
        let known = if has_header {
            names[..names.len().min(SHOWN)].join(", ") + &more
        } else {
            format!("1 to {}", first.len())
        };
        let problem = Problem::NoColumn { wanted: column.to_string(), known };
        Fault::at(first.place(0), problem)
    })
}

fn wrong_width(row: &Row, expected: usize, is_decided: bool) -> Fault {
    let found = row.len();
    let likely = if row.is_like_a_comment() {
        ColumnsFault::CommentLine
    } else if found == 1 {
        ColumnsFault::OtherSeparator
    } else if is_decided {
        ColumnsFault::Ragged
    } else {
        ColumnsFault::NotChosen
    };
    Fault::at(row.place(expected), Problem::Columns { expected, found, likely })
}
