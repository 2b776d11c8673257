use std::collections::BTreeSet;

use fastobo::ast::{Frame, SynonymScope, TermClause, TermFrame};
use fastobo::error::{Error, SyntaxError};
use fastobo::parser::{Parser, SequentialParser};
use fastobo::syntax::pest::error::LineColLocation;

use super::collect::Collector;
use super::text::Text;
use super::{Format, Problem, ReadError};
use crate::hierarchy::{Reading, Scope};

/// Reads the terms of an OBO file. Typedefs and instances are not concepts and are skipped.
///
/// The parser gets one frame at a time, without the lines that make it panic. Leniently, a line that
/// it refuses is left out and counted.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut frames = Frames { collector, relations: BTreeSet::new(), skipped: 0 };
    let (mut frame, mut lines_before) = (String::new(), 0);
    text.for_each_line(|number, line| {
        if line.trim_start().starts_with('[') {
            frames.add(&frame).map_err(|fault| fault.after(lines_before, &file))?;
            frame.clear();
            lines_before = number - 1;
        }
        frame.push_str(parsable(line));
        frame.push('\n');
        Ok(())
    })?;
    frames.add(&frame).map_err(|fault| fault.after(lines_before, &file))?;
    frames.finish().map_err(|problem| ReadError::of(&file, problem))
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

struct Frames<'c, 'o> {
    collector: &'c mut Collector<'o>,
    /// The relations that terms have, apart from `is_a`.
    relations: BTreeSet<String>,
    /// How many lines were left out.
    skipped: usize,
}

impl Frames<'_, '_> {
    fn add(&mut self, text: &str) -> Result<(), Fault> {
        let Err(mut error) = self.try_add(text) else { return Ok(()) };
        if !self.collector.options.lenient {
            return Err(error);
        }
        let mut lines: Vec<&str> = text.lines().collect();
        loop {
            let bad = error.place.map(|(line, _)| line.saturating_sub(1));
            let Some(line) = bad.and_then(|bad| lines.get_mut(bad)).filter(|line| !line.is_empty())
            else {
                // Nothing of the frame can be read.
                self.skipped += lines.iter().filter(|line| !line.trim().is_empty()).count();
                return Ok(());
            };
            *line = "";
            self.skipped += 1;
            match self.try_add(&(lines.join("\n") + "\n")) {
                Ok(()) => return Ok(()),
                Err(next) => error = next,
            }
        }
    }

    fn try_add(&mut self, text: &str) -> Result<(), Fault> {
        for frame in SequentialParser::new(text.as_bytes()) {
            if let Frame::Term(term) = frame.map_err(fault)? {
                self.term(&term).map_err(|problem| Fault { place: None, problem })?;
            }
        }
        Ok(())
    }

    fn term(&mut self, term: &TermFrame) -> Result<(), Problem> {
        let options = self.collector.options;
        let concept = self.collector.concept(&term.id().as_inner().to_string())?;
        for line in term.clauses() {
            match line.as_inner() {
                TermClause::IsA(parent) => {
                    let parent = self.collector.concept(&parent.to_string())?;
                    self.collector.link(concept, parent);
                }
                TermClause::Relationship(relation, parent) => {
                    let relation = relation.to_string();
                    if options.relations.contains(&relation) {
                        let parent = self.collector.concept(&parent.to_string())?;
                        self.collector.link(concept, parent);
                    }
                    if !self.relations.contains(&relation) {
                        self.relations.insert(relation);
                    }
                }
                TermClause::Name(name) => self.collector.label(concept, name.as_str()),
                TermClause::AltId(alias) => self.collector.alias(concept, &alias.to_string()),
                TermClause::Synonym(synonym) => {
                    let text = synonym.description().as_str();
                    self.collector.synonym(concept, text, scope(synonym.scope()));
                }
                TermClause::Def(definition) => {
                    self.collector.definition(concept, definition.text().as_str());
                }
                TermClause::IsObsolete(true) => self.collector.obsolete(concept),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reports what was read. A relation that was asked for and that no term has is an error.
    fn finish(self) -> Result<(), Problem> {
        let wanted = &self.collector.options.relations;
        if let Some(missing) = wanted.iter().find(|name| !self.relations.contains(*name)) {
            let known = self.relations.into_iter().collect();
            return Err(Problem::NoRelation { wanted: missing.clone(), known });
        }
        let mut parent = "what its is_a names".to_owned();
        wanted.iter().for_each(|name| parent += &format!(" or {name}"));
        self.collector.reading = Reading::new(Format::Obo, "the term", parent);
        if self.skipped > 0 {
            let note = format!("{} lines that are not valid OBO left out", self.skipped);
            self.collector.reading.note(note);
        }
        Ok(())
    }
}

fn scope(scope: &SynonymScope) -> Scope {
    match scope {
        SynonymScope::Exact => Scope::Exact,
        SynonymScope::Narrow => Scope::Narrow,
        SynonymScope::Broad => Scope::Broad,
        SynonymScope::Related => Scope::Related,
    }
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
