use super::collect::Collector;
use super::places::{Place, Places};
use super::text::Text;
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads an outline: a name on each line, below the last line that is indented less. Bullets of
/// Markdown before the names are removed, and its headings skipped.
///
/// ```text
/// animal
///   dog
///     puppy
///   cat
/// ```
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (file, comment) = (text.file().to_owned(), collector.options.comment.as_deref());
    let mut outline = Outline::default();
    text.for_each_line(|number, line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() || comment.is_some_and(|mark| line.trim_start().starts_with(mark))
        {
            return Ok(());
        }
        outline
            .add(line, collector)
            .map_err(|(column, problem)| ReadError::at(&file, number, column, problem))
    })?;
    collector.reading =
        Reading::new(Format::Outline, "a line", "the line above that is indented less");
    if outline.headings > 0 {
        collector.reading.note(format!("{} headings left out", outline.headings));
    }
    outline.places.hand_over(collector, " > ").map_err(|problem| ReadError::of(&file, problem))
}

#[derive(Default)]
struct Outline {
    places: Places,
    /// The last line and those it is below, with how far each is indented; ever further.
    open: Vec<(usize, Place)>,
    /// The character that lines are indented with, once one is.
    indented_with: Option<char>,
    headings: usize,
}

impl Outline {
    fn add(&mut self, line: &str, collector: &Collector<'_>) -> Result<(), (Option<u64>, Problem)> {
        let syntax = |message: &str| Problem::Syntax {
            format: Format::Outline,
            message: message.to_owned(),
        };
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - rest.len();
        if indent == 0 && rest.starts_with('#') {
            self.headings += 1;
            self.open.clear();
            return Ok(());
        }
        let place = Some(indent as u64 + 1);
        if let Some(first) = line[..indent].chars().next() {
            let with = *self.indented_with.get_or_insert(first);
            if line[..indent].chars().any(|c| c != with) {
                return Err((Some(1), syntax("lines are indented with tabs and with spaces")));
            }
        }
        let was_deeper = self.open.last().is_some_and(|&(last, _)| last > indent);
        while self.open.last().is_some_and(|&(last, _)| last >= indent) {
            let closed = self.open.pop().map_or(0, |(last, _)| last);
            if closed == indent {
                break;
            }
            if was_deeper && self.open.last().is_none_or(|&(last, _)| last < indent) {
                return Err((place, syntax("indented differently from every line above it")));
            }
        }
        let name = without_bullet(rest).trim();
        if name.is_empty() {
            return Err((place, Problem::EmptyName));
        }
        collector.options.check_name(name).map_err(|problem| (place, problem))?;
        let above = self.open.last().map(|&(_, place)| place);
        let at = self.places.at(above, name).map_err(|error| (place, error.into()))?;
        self.open.push((indent, at));
        Ok(())
    }
}

/// The text after a bullet of Markdown, such as `- `, `* ` or `1. `.
fn without_bullet(line: &str) -> &str {
    let is_bullet = |c: char| ['-', '*', '+', '•', '–'].contains(&c);
    if let Some(rest) = line.strip_prefix(is_bullet)
        && (rest.starts_with([' ', '\t']) || rest.is_empty())
    {
        return rest;
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len();
    match rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")) {
        Some(rest) if is_numbered => rest,
        _ => line,
    }
}

/// Whether a text without a telling name is an outline: some lines are indented, or all that are not
/// headings have a bullet.
pub(super) fn is_like(text: &str) -> bool {
    let is_heading = |line: &&str| line.starts_with('#');
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !is_heading(line)).take(100);
    let mut bullets = 0;
    let mut all = 0;
    let mut indented = 0;
    for line in lines {
        let rest = line.trim_start();
        all += 1;
        bullets += usize::from(without_bullet(rest).len() < rest.len());
        indented += usize::from(rest.len() < line.len() && all > 1);
        if rest.contains('\t') {
            return false;
        }
    }
    all > 1 && (bullets == all || indented > 0)
}
