use fastobo::ast::{Frame, TermClause, TermFrame};
use fastobo::error::{Error, SyntaxError};
use fastobo::parser::{Parser, SequentialParser};
use fastobo::syntax::pest::error::LineColLocation;

use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::hierarchy::{HierarchyBuilder, TooManyNames};

/// Reads the terms of an OBO file. Typedefs and instances are not concepts and are passed over.
pub(super) fn read(
    text: Text<'_>,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    for frame in SequentialParser::new(text) {
        if let Frame::Term(term) = frame.map_err(|error| read_error(&file, error))? {
            add_term(&term, options, builder).map_err(|problem| ReadError::of(&file, problem))?;
        }
    }
    Ok(())
}

fn add_term(
    term: &TermFrame,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), TooManyNames> {
    let concept = builder.concept(&term.id().as_inner().to_string())?;
    for line in term.clauses() {
        match line.as_inner() {
            TermClause::IsA(parent) => {
                let parent = builder.concept(&parent.to_string())?;
                builder.link(concept, parent);
            }
            TermClause::Relationship(relation, parent)
                if options.relations.contains(&relation.to_string()) =>
            {
                let parent = builder.concept(&parent.to_string())?;
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

fn read_error(file: &str, error: Error) -> ReadError {
    let syntax = |message: String| Problem::Syntax { format: Format::Obo, message };
    match error {
        Error::IOError { error } => ReadError::from_io(file, error),
        Error::SyntaxError { error: SyntaxError::ParserError { error } } => {
            let (LineColLocation::Pos((line, column)) | LineColLocation::Span((line, column), _)) =
                error.line_col;
            ReadError::at(
                file,
                line as u64,
                Some(column as u64),
                syntax(error.variant.message().into_owned()),
            )
        }
        other => ReadError::of(file, syntax(other.to_string())),
    }
}
