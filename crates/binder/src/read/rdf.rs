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
/// An OWL restriction (`subClassOf [ a owl:Restriction … ]`) is a superclass without a name: it
/// says something about the class, not where it stands, so it is passed over and counted.
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
    let failed = failed.filter(|error| !(lines.text_ended && is_good_end(error)));
    failed.map_or(Ok(()), |error| Err(read_error(&file, format, lines.handed_out, error)))
}

/// What we let follow an XML file. The XML parser takes a file that ends before its tags are closed
/// for a whole one; this makes it say that a tag is still open or, which is good, that none is.
const XML_END: &str = "\n</binder-end-of-file>";

/// Whether the parser fails at [`XML_END`], and with no tag open.
fn is_good_end(error: &RdfParseError) -> bool {
    error.to_string().contains("`</binder-end-of-file>` does not match any open tag")
}

/// Hands out one line at a time. The XML parser does not say where an error is; fed like this, it
/// has read no further than the line it fails on.
struct LineByLine<'a> {
    text: Text<'a>,
    /// How many lines were handed out to their end.
    handed_out: u64,
    /// Whether nothing of the next line was handed out yet.
    at_start: bool,
    entities: Entities,
    /// Whether the text was handed out to its end.
    text_ended: bool,
    /// What of the end is to be handed out after the text.
    end: &'static [u8],
}

impl<'a> LineByLine<'a> {
    fn new(text: Text<'a>, end: &'static str) -> Self {
        let entities = Entities::default();
        Self {
            text,
            handed_out: 0,
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
            && let Err(problem) = self.entities.watch(&ready[..line])
        {
            let error = ReadError::at(self.text.file(), self.handed_out + 1, None, problem);
            return Err(io::Error::other(error));
        }
        let taken = line.min(out.len());
        out[..taken].copy_from_slice(&ready[..taken]);
        self.text.consume(taken);
        self.at_start = taken == line;
        self.handed_out += u64::from(taken == line);
        Ok(taken)
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
    /// The best label so far of anything, and how good it is, the less the better. Properties have
    /// labels too, and what is a concept is known only at the end.
    labels: HashMap<String, (u8, String)>,
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

    /// Keeps the label in the preferred language, or else one without a language, or else the
    /// first.
    fn label(&mut self, subject: &str, label: &Literal) {
        // Tags do not tell upper case from lower: `de-AT` is `de-at`.
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
        // The map's order differs from run to run, and of a merged cycle's labels the first stays.
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
