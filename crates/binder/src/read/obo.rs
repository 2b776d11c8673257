use fastobo::ast::{Frame, TermClause, TermFrame};
use fastobo::error::{Error, SyntaxError};
use fastobo::parser::{Parser, SequentialParser};
use fastobo::syntax::pest::error::LineColLocation;

use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::hierarchy::HierarchyBuilder;

/// Reads the terms of an OBO file. Typedefs and instances are not concepts and are skipped.
///
/// The parser gets one frame at a time, without the lines that make it panic.
pub(super) fn read(
    text: Text<'_>,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let (mut frame, mut lines_before) = (String::new(), 0);
    text.for_each_line(|number, line| {
        if line.trim_start().starts_with('[') {
            add_frame(&frame, options, builder)
                .map_err(|fault| fault.after(lines_before, &file))?;
            frame.clear();
            lines_before = number - 1;
        }
        frame.push_str(parsable(line));
        frame.push('\n');
        Ok(())
    })?;
    add_frame(&frame, options, builder).map_err(|fault| fault.after(lines_before, &file))
}

/// The line, or an empty one in place of a comment or a creation date. We need neither, and some of
/// them make fastobo 0.15 panic: a comment on a line of its own within a frame, and a date with a
/// comma before the fraction of a second.
fn parsable(line: &str) -> &str {
    let start = line.trim_start();
    if start.starts_with('!') || start.starts_with("creation_date:") { "" } else { line }
}

/// A fault in a frame, with line and column within the frame where they are known.
struct Fault {
    place: Option<(usize, usize)>,
    problem: Problem,
}

impl Fault {
    /// The error for a frame that starts after so many lines of the file.
    fn after(self, lines_before: u64, file: &str) -> ReadError {
        match self.place {
            Some((line, column)) => {
                ReadError::at(file, lines_before + line as u64, Some(column as u64), self.problem)
            }
            None => ReadError::at(file, lines_before + 1, None, self.problem),
        }
    }
}

fn add_frame(
    text: &str,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), Fault> {
    for frame in SequentialParser::new(text.as_bytes()) {
        if let Frame::Term(term) = frame.map_err(fault)? {
            add_term(&term, options, builder).map_err(|problem| Fault { place: None, problem })?;
        }
    }
    Ok(())
}

fn add_term(
    term: &TermFrame,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), Problem> {
    builder.check_memory()?;
    let named = |builder: &mut HierarchyBuilder, name: String| {
        options.check_name(&name)?;
        Ok::<_, Problem>(builder.concept(&name)?)
    };
    let concept = named(builder, term.id().as_inner().to_string())?;
    for line in term.clauses() {
        match line.as_inner() {
            TermClause::IsA(parent) => {
                let parent = named(builder, parent.to_string())?;
                builder.link(concept, parent);
            }
            TermClause::Relationship(relation, parent)
                if options.relations.contains(&relation.to_string()) =>
            {
                let parent = named(builder, parent.to_string())?;
                builder.link(concept, parent);
            }
            TermClause::Name(name) => builder.label(concept, name.as_str()),
            TermClause::AltId(alias) => builder.alias(concept, &alias.to_string()),
            TermClause::IsObsolete(true) => builder.obsolete(concept),
            _ => {}
        }
    }
    Ok(())
}

fn fault(error: Error) -> Fault {
    let syntax = |message: String| Problem::Syntax { format: Format::Obo, message };
    match error {
        Error::SyntaxError { error: SyntaxError::ParserError { error } } => {
            let (LineColLocation::Pos(place) | LineColLocation::Span(place, _)) = error.line_col;
            Fault { place: Some(place), problem: syntax(error.variant.message().into_owned()) }
        }
        other => Fault { place: None, problem: syntax(other.to_string()) },
    }
}
