use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use oxrdf::vocab::{rdf, rdfs};
use oxrdf::{Literal, NamedNodeRef, NamedOrBlankNode, Quad, Term};
use oxrdfio::{RdfFormat, RdfParseError, RdfParser};

use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::hierarchy::{HierarchyBuilder, TooManyNames};

const BROADER: NamedNodeRef<'_> = NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#broader");
const NARROWER: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#narrower");
const PREF_LABEL: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#prefLabel");
const SKOS_CONCEPT: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#Concept");
const OWL_CLASS: NamedNodeRef<'_> = NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#Class");
const DEPRECATED: NamedNodeRef<'_> = NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#deprecated");

/// Reads the classes and SKOS concepts of an RDF graph; a concept's name is its IRI.
///
/// An OWL restriction (`subClassOf [ a owl:Restriction … ]`) is a superclass without a name: it says something
/// about the class, not where it stands, so it is passed over and counted.
pub(super) fn read(
    text: Text<'_>,
    format: Format,
    options: &ReadOptions,
    builder: &mut HierarchyBuilder,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let syntax = match format {
        Format::Turtle => RdfFormat::Turtle,
        Format::NTriples => RdfFormat::NTriples,
        _ => RdfFormat::RdfXml,
    };
    let language = options.language.as_deref().unwrap_or("en");
    let mut graph = Graph { builder, labels: HashMap::new(), deprecated: Vec::new(), language };
    let mut lines = LineByLine { text, handed_out: 0 };
    let parser = RdfParser::from_format(syntax).for_reader(&mut lines);
    let mut failed = None;
    for quad in parser {
        match quad {
            Ok(quad) => graph.add(&quad).map_err(|problem| ReadError::of(&file, problem))?,
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    graph.finish();
    failed.map_or(Ok(()), |error| Err(read_error(&file, format, lines.handed_out, error)))
}

/// Hands out one line at a time. The XML parser does not say where an error is; fed like this, it has read
/// no further than the line it fails on.
struct LineByLine<'a> {
    text: Text<'a>,
    handed_out: u64,
}

impl Read for LineByLine<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.text.fill_buf()?;
        let line = memchr::memchr(b'\n', ready).map_or(ready.len(), |end| end + 1);
        let taken = line.min(out.len());
        out[..taken].copy_from_slice(&ready[..taken]);
        self.text.consume(taken);
        self.handed_out += u64::from(taken == line && taken > 0);
        Ok(taken)
    }
}

fn read_error(file: &str, format: Format, line: u64, error: RdfParseError) -> ReadError {
    match error {
        RdfParseError::Io(error) => ReadError::from_io(file, error),
        RdfParseError::Syntax(error) => {
            let message = Problem::Syntax { format, message: error.to_string() };
            match error.location() {
                Some(place) => {
                    ReadError::at(file, place.start.line + 1, Some(place.start.column + 1), message)
                }
                None => ReadError::at(file, line.max(1), None, message),
            }
        }
    }
}

struct Graph<'a> {
    builder: &'a mut HierarchyBuilder,
    /// The best label so far of anything, and how good it is, the less the better. Properties have labels
    /// too, and what is a concept is known only at the end.
    labels: HashMap<String, (u8, String)>,
    deprecated: Vec<String>,
    language: &'a str,
}

impl Graph<'_> {
    fn add(&mut self, quad: &Quad) -> Result<(), TooManyNames> {
        let (predicate, subject) = (quad.predicate.as_ref(), subject_name(&quad.subject));
        if predicate == rdfs::SUB_CLASS_OF || predicate == BROADER {
            return self.pair(subject, object_name(&quad.object));
        }
        if predicate == NARROWER {
            return self.pair(object_name(&quad.object), subject);
        }
        let Some(subject) = subject else { return Ok(()) };
        match &quad.object {
            Term::NamedNode(class)
                if predicate == rdf::TYPE
                    && [OWL_CLASS, rdfs::CLASS, SKOS_CONCEPT].contains(&class.as_ref()) =>
            {
                self.builder.concept(subject)?;
            }
            Term::Literal(text) if predicate == rdfs::LABEL || predicate == PREF_LABEL => {
                self.label(subject, text);
            }
            Term::Literal(yes) if predicate == DEPRECATED && ["true", "1"].contains(&yes.value()) => {
                self.deprecated.push(subject.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn pair(&mut self, child: Option<&str>, parent: Option<&str>) -> Result<(), TooManyNames> {
        if let (Some(child), Some(parent)) = (child, parent) {
            return self.builder.pair(child, parent);
        }
        if let Some(named) = child.or(parent) {
            self.builder.concept(named)?;
        }
        self.builder.skip_blank();
        Ok(())
    }

    /// Keeps the label in the preferred language, or else one without a language, or else the first.
    fn label(&mut self, subject: &str, label: &Literal) {
        let rank = match label.language() {
            Some(tag) if tag.split('-').next() == Some(self.language) || tag == self.language => 0,
            None => 1,
            Some(_) => 2,
        };
        let known = self.labels.get(subject).map_or(u8::MAX, |&(known, _)| known);
        if rank < known {
            self.labels.insert(subject.to_owned(), (rank, label.value().to_owned()));
        }
    }

    fn finish(self) {
        for (subject, (_, label)) in &self.labels {
            if let Some(concept) = self.builder.find(subject) {
                self.builder.label(concept, label);
            }
        }
        for subject in &self.deprecated {
            if let Some(concept) = self.builder.find(subject) {
                self.builder.obsolete(concept);
            }
        }
    }
}

fn subject_name(subject: &NamedOrBlankNode) -> Option<&str> {
    match subject {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    }
}

fn object_name(object: &Term) -> Option<&str> {
    match object {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    }
}
