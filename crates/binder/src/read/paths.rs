use super::collect::Collector;
use super::places::Places;
use super::text::Text;
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads path lines: on each line a path from a root, such as `Animals > Pets > Dogs`, `a/b/c` or
/// `a|b|c`. An id may stand before the path, as in `3237 - Animals > Pets`.
///
/// Lines that start with `#` are skipped unless another comment mark was chosen.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (file, options) = (text.file().to_owned(), collector.options);
    let mark = options.comment.as_deref().unwrap_or("#");
    let separator = match options.delimiter {
        Some(separator) => separator,
        None => separator(text.peek(), mark).ok_or_else(|| {
            let message = "no line has a path such as a > b, a/b or a|b".to_owned();
            ReadError::of(&file, Problem::Syntax { format: Format::Paths, message })
        })?,
    };
    let has_ids = lines(text.peek(), mark).next().is_some_and(|line| with_id(line).is_some());
    let mut places = Places::default();
    text.for_each_line(|number, line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() || line.starts_with(mark) {
            return Ok(());
        }
        add(line, separator, has_ids, &mut places, collector)
            .map_err(|problem| ReadError::at(&file, number, None, problem))
    })?;
    collector.reading = Reading::new(Format::Paths, "a part of a path", "the part before it");
    if has_ids {
        collector.reading.note("each line begins with an id");
    }
    places
        .hand_over(collector, &joined_by(separator))
        .map_err(|problem| ReadError::of(&file, problem))
}

/// Adds a line of the file.
fn add(
    line: &str,
    separator: char,
    has_ids: bool,
    places: &mut Places,
    collector: &Collector<'_>,
) -> Result<(), Problem> {
    let no_id = || Problem::Syntax {
        format: Format::Paths,
        message: "no id before the path, as there is on the first line".to_owned(),
    };
    let (id, path) = if has_ids {
        let (id, path) = with_id(line).ok_or_else(no_id)?;
        (Some(id), path)
    } else {
        (None, line)
    };
    let mut place = None;
    for part in path.split(separator) {
        let part = if separator == '/' { part } else { part.trim() };
        if !part.trim().is_empty() {
            collector.options.check_name(part)?;
            place = Some(places.at(place, part)?);
        }
    }
    let place = place.ok_or(Problem::EmptyName)?;
    if let Some(id) = id {
        places.about(place).id = Some(id.to_owned());
    }
    Ok(())
}

/// The separator as it stands in the name of a path.
fn joined_by(separator: char) -> String {
    if separator == '/' { "/".to_owned() } else { format!(" {separator} ") }
}

fn lines<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> + Clone {
    text.lines().filter(move |line| !line.trim().is_empty() && !line.starts_with(mark)).take(100)
}

/// The id and the path of `3237 - Animals > Pets`, `gid://x/y : Animals > Pets` and of an id before
/// a tab. An id is one word with a digit or a slash in it.
fn with_id(line: &str) -> Option<(&str, &str)> {
    let (id, path) = [" - ", " : ", "\t"].iter().find_map(|between| line.split_once(between))?;
    let id = id.trim();
    let is_id = !id.is_empty()
        && !id.contains(char::is_whitespace)
        && id.contains(|c: char| c.is_ascii_digit() || c == '/');
    is_id.then_some((id, path.trim()))
}

/// The separator that most of the first lines have, if it is one for paths.
fn separator(text: &str, mark: &str) -> Option<char> {
    let lines = lines(text, mark);
    let all = lines.clone().count();
    let paths = |separator: &str| {
        lines
            .clone()
            .filter(|line| with_id(line).map_or(*line, |(_, path)| path).contains(separator))
            .count()
    };
    [(" > ", '>'), ("|", '|'), ("/", '/'), (">", '>')]
        .into_iter()
        .find(|(written, _)| 2 * paths(written) >= all.max(1))
        .map(|(_, separator)| separator)
}

/// Whether a text without a telling name is path lines. A character that separates columns just as
/// often on every line separates columns.
pub(super) fn is_like(text: &str) -> bool {
    let lines = lines(text, "#");
    let all = lines.clone().count();
    let with = |part: &str| lines.clone().filter(|line| line.contains(part)).count();
    if all == 0 {
        return false;
    }
    if 2 * with(" > ") >= all && with("\t") < all {
        return true;
    }
    let is_ragged = |part: char| {
        let mut counts = lines.clone().map(|line| line.matches(part).count());
        let first = counts.next();
        counts.any(|count| Some(count) != first)
    };
    let is_plain = with("\t") == 0 && with(",") == 0;
    if is_plain && 2 * with("|") >= all && is_ragged('|') {
        return true;
    }
    is_plain && 2 * with("/") >= all && with("://") == 0 && with(" ") == 0 && with("<") == 0
}
