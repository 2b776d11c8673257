use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use oxrdf::vocab::{rdf, rdfs};
use oxrdf::{Literal, NamedNodeRef, NamedOrBlankNode, Quad, Term};
use oxrdfio::{RdfFormat, RdfParseError, RdfParser};

use super::entities::Entities;
use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::bits::Id;
use crate::hierarchy::HierarchyBuilder;

const BROADER: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#broader");
const NARROWER: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#narrower");
const PREF_LABEL: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#prefLabel");
const SKOS_CONCEPT: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#Concept");
const OWL_CLASS: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#Class");
const DEPRECATED: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#deprecated");

/// Reads the classes and SKOS concepts of an RDF graph; a concept's name is its IRI.
///
/// An OWL restriction (`subClassOf [ a owl:Restriction … ]`) is a superclass without a name. It
/// describes the class but is not a concept above it, so it is skipped and counted.
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
    let (labels, deprecated) = (HashMap::new(), Vec::new());
    let mut graph = Graph { builder, options, labels, deprecated, language };
    let mut lines = LineByLine::new(text, if format == Format::RdfXml { XML_END } else { "" });
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
    let failed = failed.filter(|error| !(lines.text_ended && is_complete(error)));
    failed.map_or(Ok(()), |error| Err(read_error(&file, format, lines.lines_read, error)))
}

/// A closing tag that is added after an XML file. The XML parser accepts a file that ends before
/// its tags are closed. With this addition it always fails, and its error says whether a tag was
/// still open.
const XML_END: &str = "\n</binder-end-of-file>";

/// Whether the parser fails at [`XML_END`] with no tag open: the file was complete.
fn is_complete(error: &RdfParseError) -> bool {
    error.to_string().contains("`</binder-end-of-file>` does not match any open tag")
}

/// A reader that returns at most one line per read. The XML parser does not say where an error is.
/// With this reader it has read no further than the line it fails on.
struct LineByLine<'a> {
    text: Text<'a>,
    /// The number of lines that were read completely.
    lines_read: u64,
    /// Whether the next read starts a new line.
    at_start: bool,
    entities: Entities,
    /// Whether the whole text was read.
    text_ended: bool,
    /// The bytes that are still to be read after the text.
    end: &'static [u8],
}

impl<'a> LineByLine<'a> {
    fn new(text: Text<'a>, end: &'static str) -> Self {
        let entities = Entities::default();
        Self {
            text,
            lines_read: 0,
            at_start: true,
            entities,
            text_ended: false,
            end: end.as_bytes(),
        }
    }
}

impl Read for LineByLine<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.text.fill_buf()?;
        if ready.is_empty() {
            self.text_ended = true;
            return self.end.read(out);
        }
        let line = memchr::memchr(b'\n', ready).map_or(ready.len(), |end| end + 1);
        if self.at_start
            && let Err(problem) = self.entities.check(&ready[..line])
        {
            let error = ReadError::at(self.text.file(), self.lines_read + 1, None, problem);
            return Err(io::Error::other(error));
        }
        let count = line.min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.text.consume(count);
        self.at_start = count == line;
        self.lines_read += u64::from(count == line);
        Ok(count)
    }
}

fn read_error(file: &str, format: Format, line: u64, error: RdfParseError) -> ReadError {
    match error {
        RdfParseError::Io(error) => ReadError::from_io(file, error),
        RdfParseError::Syntax(error) => {
            let message =
                Some(error.to_string()).filter(|message| !message.contains("binder-end-of-file"));
            let message =
                message.unwrap_or_else(|| "the file ends before its tags are closed".to_owned());
            let message = Problem::Syntax { format, message };
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
    options: &'a ReadOptions,
    /// The best label so far of every resource, with its rank; a lower rank is better. Properties
    /// have labels too, and which resources are concepts is known only at the end of the file.
    labels: HashMap<String, (u8, String)>,
    /// Deprecated resources, which may turn out not to be concepts.
    deprecated: Vec<String>,
    language: &'a str,
}

impl Graph<'_> {
    fn add(&mut self, quad: &Quad) -> Result<(), Problem> {
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
                self.concept(subject)?;
            }
            Term::Literal(text) if predicate == rdfs::LABEL || predicate == PREF_LABEL => {
                self.label(subject, text);
            }
            Term::Literal(yes)
                if predicate == DEPRECATED && ["true", "1"].contains(&yes.value()) =>
            {
                self.deprecated.push(subject.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn concept(&mut self, name: &str) -> Result<Id, Problem> {
        self.options.check_name(name)?;
        self.builder.check_memory()?;
        Ok(self.builder.concept(name)?)
    }

    fn pair(&mut self, child: Option<&str>, parent: Option<&str>) -> Result<(), Problem> {
        if let (Some(child), Some(parent)) = (child, parent) {
            let (child, parent) = (self.concept(child)?, self.concept(parent)?);
            self.builder.link(child, parent);
            return Ok(());
        }
        if let Some(named) = child.or(parent) {
            self.concept(named)?;
        }
        self.builder.skip_blank();
        Ok(())
    }

    /// Keeps the label in the preferred language, or else one without a language tag, or else the
    /// first one.
    fn label(&mut self, subject: &str, label: &Literal) {
        // Language tags ignore case: `de-AT` is `de-at`.
        let wanted = |tag: &str| tag.eq_ignore_ascii_case(self.language);
        let rank = match label.language() {
            Some(tag) if tag.split('-').next().is_some_and(wanted) || wanted(tag) => 0,
            None => 1,
            Some(_) => 2,
        };
        let known = self.labels.get(subject).map_or(u8::MAX, |&(known, _)| known);
        if rank < known {
            self.labels.insert(subject.to_owned(), (rank, label.value().to_owned()));
        }
    }

    fn finish(self) {
        let known = self.labels.iter().filter_map(|(subject, (_, label))| {
            self.builder.find(subject).map(|concept| (concept, label))
        });
        // The first label of a merged cycle wins, and the order of a hash map differs from run to
        // run. Sorting makes the result deterministic.
        let mut known: Vec<_> = known.collect();
        known.sort_unstable();
        known.into_iter().for_each(|(concept, label)| self.builder.label(concept, label));
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
