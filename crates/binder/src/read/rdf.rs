use std::collections::{BTreeSet, HashMap};

use oxrdf::vocab::{rdf, rdfs};
use oxrdf::{NamedNodeRef, NamedOrBlankNode, Quad, Term};
use oxrdfio::{JsonLdProfileSet, RdfFormat, RdfParseError, RdfParser};

use super::annotations::Annotations;
use super::collect::Collector;
use super::lines::LineByLine;
use super::relations::{Wanted, expand};
use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::bits::Id;
use crate::hierarchy::Reading;

const BROADER: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#broader");
const NARROWER: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#narrower");
const SKOS_CONCEPT: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2004/02/skos/core#Concept");
const OWL_CLASS: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#Class");
const EQUIVALENT: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#equivalentClass");
const INTERSECTION: NamedNodeRef<'_> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2002/07/owl#intersectionOf");

/// Reads the classes and SKOS concepts of an RDF graph; a concept's name is its IRI.
///
/// An OWL restriction (`subClassOf [ a owl:Restriction … ]`) is a superclass without a name. It
/// describes the class but is not a concept above it, so it is skipped and counted. The named
/// classes of an intersection are above the class.
pub(super) fn read(
    text: Text<'_>,
    format: Format,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let mut graph = Graph::new(collector);
    let mut lines = LineByLine::new(text, if format == Format::RdfXml { XML_END } else { "" });
    let mut parser = RdfParser::from_format(syntax(format)).for_reader(&mut lines);
    let mut failed = None;
    while let Some(quad) = parser.next() {
        match quad {
            Ok(quad) => {
                if graph.relations.is_none() {
                    let prefixes: HashMap<String, String> =
                        parser.prefixes().map(|(name, iri)| (name.into(), iri.into())).collect();
                    graph.resolve(&prefixes);
                }
                graph.add(&quad).map_err(|problem| ReadError::of(&file, problem))?;
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    drop(parser);
    let failed = failed.filter(|error| !(lines.text_ended && is_complete(error)));
    if let Some(error) = failed {
        return Err(read_error(&file, format, lines.lines_read, error));
    }
    graph.finish(format).map_err(|problem| ReadError::of(&file, problem))
}

fn syntax(format: Format) -> RdfFormat {
    match format {
        Format::Turtle => RdfFormat::Turtle,
        Format::NTriples => RdfFormat::NTriples,
        Format::NQuads => RdfFormat::NQuads,
        Format::TriG => RdfFormat::TriG,
        Format::N3 => RdfFormat::N3,
        Format::JsonLd => RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() },
        _ => RdfFormat::RdfXml,
    }
}

/// A closing tag that is added after an XML file. The XML parser accepts a file that ends before
/// its tags are closed. With this addition it always fails, and its error says whether a tag was
/// still open.
const XML_END: &str = "\n</binder-end-of-file>";

/// Whether the parser fails at [`XML_END`] with no tag open: the file was complete.
fn is_complete(error: &RdfParseError) -> bool {
    error.to_string().contains("`</binder-end-of-file>` does not match any open tag")
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

/// The relations that the options add, as IRIs with their names in the options.
struct Relations<'o> {
    /// The subject is the child.
    forward: Vec<(String, &'o str)>,
    /// The object is the child: `^` stands before the name.
    backward: Vec<(String, &'o str)>,
    found: BTreeSet<&'o str>,
}

impl<'o> Relations<'o> {
    fn new(options: &'o ReadOptions, prefixes: &HashMap<String, String>) -> Self {
        let iri = |name: &str| {
            expand(name, |prefix| prefixes.get(prefix).cloned()).unwrap_or_else(|| name.to_owned())
        };
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        for name in &options.relations {
            match name.strip_prefix('^') {
                Some(inverse) => backward.push((iri(inverse), name.as_str())),
                None => forward.push((iri(name), name.as_str())),
            }
        }
        Self { forward, backward, found: BTreeSet::new() }
    }

    /// Whether a property is one of these.
    fn find(&mut self, property: &str, is_forward: bool) -> bool {
        let among = if is_forward { &self.forward } else { &self.backward };
        let found = among.iter().find(|(iri, _)| iri == property).map(|(_, name)| *name);
        self.found.extend(found);
        found.is_some()
    }
}

/// A node of a list.
#[derive(Default)]
struct Item {
    first: Option<Term>,
    rest: Option<String>,
}

struct Graph<'a, 'o> {
    collector: &'a mut Collector<'o>,
    /// Set by the first quad, when the prefixes of the file are known.
    relations: Option<Relations<'o>>,
    wanted: Wanted<'o>,
    annotations: Annotations,
    /// How often each property was seen.
    predicates: HashMap<String, u64>,
    /// Classes that are below a blank node, and whether the node counts as left out.
    below_blank: Vec<(Id, String, bool)>,
    /// The lists that blank nodes are the intersections of, and all lists.
    intersections: HashMap<String, String>,
    lists: HashMap<String, Item>,
    has_concepts: bool,
}

impl<'a, 'o> Graph<'a, 'o> {
    fn new(collector: &'a mut Collector<'o>) -> Self {
        let wanted = Wanted::new(collector.options);
        Self {
            collector,
            relations: None,
            wanted,
            annotations: Annotations::default(),
            predicates: HashMap::new(),
            below_blank: Vec::new(),
            intersections: HashMap::new(),
            lists: HashMap::new(),
            has_concepts: false,
        }
    }

    fn resolve(&mut self, prefixes: &HashMap<String, String>) {
        let options = self.collector.options;
        self.relations = Some(Relations::new(options, prefixes));
        self.wanted = Wanted::with_prefixes(options, |prefix| prefixes.get(prefix).cloned());
    }

    fn add(&mut self, quad: &Quad) -> Result<(), Problem> {
        let predicate = quad.predicate.as_ref();
        match self.predicates.get_mut(predicate.as_str()) {
            Some(count) => *count += 1,
            None => drop(self.predicates.insert(predicate.as_str().to_owned(), 1)),
        }
        let is = |graph: &mut Self, is_forward: bool| {
            let relations = graph.relations.as_mut();
            relations.is_some_and(|known| known.find(predicate.as_str(), is_forward))
        };
        if predicate == rdfs::SUB_CLASS_OF || predicate == BROADER || is(self, true) {
            return self.below(&quad.subject, &quad.object, true);
        }
        if predicate == EQUIVALENT && matches!(quad.object, Term::BlankNode(_)) {
            return self.below(&quad.subject, &quad.object, false);
        }
        if predicate == NARROWER || is(self, false) {
            return self.above(&quad.subject, &quad.object);
        }
        let subject = match &quad.subject {
            NamedOrBlankNode::NamedNode(node) => node.as_str(),
            NamedOrBlankNode::BlankNode(node) => {
                self.blank(node.as_str(), predicate, &quad.object);
                return Ok(());
            }
        };
        self.describe(subject, predicate, &quad.object)
    }

    /// What is said about a named resource.
    fn describe(
        &mut self,
        subject: &str,
        predicate: NamedNodeRef<'_>,
        object: &Term,
    ) -> Result<(), Problem> {
        match object {
            Term::NamedNode(class)
                if predicate == rdf::TYPE
                    && [OWL_CLASS, rdfs::CLASS, SKOS_CONCEPT].contains(&class.as_ref()) =>
            {
                self.has_concepts = true;
                self.collector.concept(subject)?;
            }
            Term::Literal(text) => {
                if let Some(kind) = self.wanted.text(predicate.as_str(), text.language()) {
                    self.annotations.add(subject, kind, text.value());
                }
            }
            Term::BlankNode(list) if predicate == INTERSECTION => {
                // A class that is the intersection itself.
                let concept = self.collector.concept(subject)?;
                self.intersections.insert(subject.to_owned(), list.as_str().to_owned());
                self.below_blank.push((concept, subject.to_owned(), false));
            }
            _ => {}
        }
        Ok(())
    }

    /// What is said about a blank node: it is a list, or an intersection.
    fn blank(&mut self, node: &str, predicate: NamedNodeRef<'_>, object: &Term) {
        if predicate == rdf::FIRST {
            self.lists.entry(node.to_owned()).or_default().first = Some(object.clone());
        } else if let Term::BlankNode(other) = object {
            if predicate == rdf::REST {
                self.lists.entry(node.to_owned()).or_default().rest =
                    Some(other.as_str().to_owned());
            } else if predicate == INTERSECTION {
                self.intersections.insert(node.to_owned(), other.as_str().to_owned());
            }
        }
    }

    /// `child` is below `parent`.
    fn below(
        &mut self,
        child: &NamedOrBlankNode,
        parent: &Term,
        is_counted: bool,
    ) -> Result<(), Problem> {
        match (child, parent) {
            (NamedOrBlankNode::NamedNode(child), Term::NamedNode(parent)) => {
                self.collector.pair(child.as_str(), parent.as_str())
            }
            (NamedOrBlankNode::NamedNode(child), Term::BlankNode(parent)) => {
                let concept = self.collector.concept(child.as_str())?;
                self.below_blank.push((concept, parent.as_str().to_owned(), is_counted));
                Ok(())
            }
            (NamedOrBlankNode::NamedNode(named), _) => self.alone(named.as_str()),
            (_, Term::NamedNode(named)) => self.alone(named.as_str()),
            _ => {
                self.collector.skip_blank();
                Ok(())
            }
        }
    }

    /// `parent` is above `child`.
    fn above(&mut self, parent: &NamedOrBlankNode, child: &Term) -> Result<(), Problem> {
        match (parent, child) {
            (NamedOrBlankNode::NamedNode(parent), Term::NamedNode(child)) => {
                self.collector.pair(child.as_str(), parent.as_str())
            }
            (NamedOrBlankNode::NamedNode(named), _) => self.alone(named.as_str()),
            (_, Term::NamedNode(named)) => self.alone(named.as_str()),
            _ => {
                self.collector.skip_blank();
                Ok(())
            }
        }
    }

    /// A concept whose pair is left out because the other end has no name.
    fn alone(&mut self, name: &str) -> Result<(), Problem> {
        self.collector.concept(name)?;
        self.collector.skip_blank();
        Ok(())
    }

    fn finish(mut self, format: Format) -> Result<(), Problem> {
        self.hand_over_intersections()?;
        self.check_relations()?;
        self.annotations.hand_over(self.collector);
        let mut names = vec!["subClassOf", "broader"];
        names.extend(self.collector.options.relations.iter().map(String::as_str));
        let parent = format!("the object of {}", names.join(" or "));
        self.collector.reading = Reading::new(format, "the subject", parent);
        Ok(())
    }

    /// The named classes of intersections are above the class; everything else is left out.
    fn hand_over_intersections(&mut self) -> Result<(), Problem> {
        for (concept, blank, is_counted) in std::mem::take(&mut self.below_blank) {
            let (mut waiting, mut seen) = (vec![blank], BTreeSet::new());
            while let Some(node) = waiting.pop() {
                let Some(mut list) = self.intersections.get(&node) else {
                    if is_counted {
                        self.collector.skip_blank();
                    }
                    continue;
                };
                while let Some(item) = self.lists.get(list).filter(|_| seen.insert(list.clone())) {
                    match &item.first {
                        Some(Term::NamedNode(parent)) => {
                            let parent = self.collector.concept(parent.as_str())?;
                            self.collector.link(concept, parent);
                        }
                        Some(Term::BlankNode(inner)) => waiting.push(inner.as_str().to_owned()),
                        _ => {}
                    }
                    let Some(rest) = &item.rest else { break };
                    list = rest;
                }
            }
        }
        Ok(())
    }

    /// Refuses a relation that the file does not have, and a file without any known one.
    fn check_relations(&mut self) -> Result<(), Problem> {
        let mut seen: Vec<(String, u64)> = self.predicates.drain().collect();
        seen.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let found = self.relations.as_ref().map(|relations| &relations.found);
        let is_missing = |name: &&String| found.is_none_or(|found| !found.contains(name.as_str()));
        if seen.is_empty() {
            return Ok(());
        }
        if let Some(wanted) = self.collector.options.relations.iter().find(is_missing) {
            let known = seen.into_iter().map(|(iri, _)| iri).collect();
            return Err(Problem::NoRelation { wanted: wanted.clone(), known });
        }
        if !self.has_concepts && !self.collector.has_concepts() {
            return Err(Problem::NoKnownRelation { seen });
        }
        Ok(())
    }
}
