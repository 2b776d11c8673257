use std::collections::HashMap;

use super::collect::Collector;
use super::owl::{Axioms, Part};
use super::relations;
use super::text::Text;
use super::xml::{self, Piece, Tag};
use super::{Format, Problem, ReadError};
use crate::hierarchy::Reading;

/// Reads an ontology in OWL/XML, which is not RDF.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let mut reader = Reader {
        axioms: Axioms::new(collector),
        prefixes: HashMap::new(),
        base: String::new(),
        open: Vec::new(),
        language: None,
        text: String::new(),
        depth: 0,
    };
    xml::for_each(text, Format::OwlXml, |piece| reader.add(piece))?;
    reader.axioms.finish();
    collector.reading = Reading::new(
        Format::OwlXml,
        "the first class of SubClassOf",
        "the second, or a class in its intersection",
    );
    Ok(())
}

/// More expressions within one another than any ontology has.
const DEEPEST: usize = 1000;

struct Reader<'c, 'o> {
    axioms: Axioms<'c, 'o>,
    prefixes: HashMap<String, String>,
    base: String,
    /// The open tags below the ontology, with their parts so far.
    open: Vec<(String, Vec<Part>)>,
    language: Option<String>,
    text: String,
    /// How many tags are open.
    depth: usize,
}

impl Reader<'_, '_> {
    fn add(&mut self, piece: Piece<'_>) -> Result<(), Problem> {
        match piece {
            Piece::Start(tag) => self.start(&tag),
            Piece::Text(text) => {
                self.text.push_str(text);
                Ok(())
            }
            Piece::End(name) => self.end(name),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), Problem> {
        self.depth += 1;
        self.text.clear();
        if self.depth == 1 {
            if tag.name != "Ontology" {
                let message = format!("<{}> where <Ontology> was expected", tag.name);
                return Err(xml::syntax(Format::OwlXml, message));
            }
            tag.get("base")
                .or(tag.get("ontologyIRI"))
                .unwrap_or_default()
                .clone_into(&mut self.base);
            return Ok(());
        }
        if tag.name == "Prefix" {
            let name = tag.need("name", Format::OwlXml)?.to_owned();
            self.prefixes.insert(name, tag.need("IRI", Format::OwlXml)?.to_owned());
        }
        if self.open.len() == DEEPEST {
            return Err(xml::syntax(Format::OwlXml, "too many expressions within one another"));
        }
        self.language = tag.get("lang").map(str::to_owned);
        let iri = self.iri(tag)?;
        let parts = iri.map(Part::Iri).into_iter().collect();
        self.open.push((tag.name.to_owned(), parts));
        Ok(())
    }

    /// The IRI that a tag names.
    fn iri(&self, tag: &Tag<'_>) -> Result<Option<String>, Problem> {
        if let Some(iri) = tag.get("IRI").filter(|_| tag.name != "Prefix") {
            return Ok(Some(self.whole(iri)));
        }
        tag.get("abbreviatedIRI").map(|name| self.expanded(name)).transpose()
    }

    fn whole(&self, iri: &str) -> String {
        if iri.starts_with('#') || iri.starts_with('/') {
            return format!("{}{iri}", self.base.trim_end_matches(['#', '/']));
        }
        iri.to_owned()
    }

    fn expanded(&self, name: &str) -> Result<String, Problem> {
        relations::expand(name, |prefix| self.prefixes.get(prefix).cloned()).ok_or_else(|| {
            let message = format!("the prefix of {name:?} was not declared");
            xml::syntax(Format::OwlXml, message)
        })
    }

    fn end(&mut self, name: &str) -> Result<(), Problem> {
        self.depth = self.depth.saturating_sub(1);
        let Some((_, mut parts)) = self.open.pop() else { return Ok(()) };
        let text = std::mem::take(&mut self.text);
        let part = match name {
            "Literal" => Part::Text(text, self.language.take()),
            "IRI" => Part::Iri(self.whole(text.trim())),
            "AbbreviatedIRI" => Part::Iri(self.expanded(text.trim())?),
            // The name of a class or a property stands for it, except in its declaration.
            "Class" | "AnnotationProperty" | "ObjectProperty" | "DataProperty"
            | "NamedIndividual" | "Datatype"
                if parts.len() == 1
                    && self.open.last().is_none_or(|(name, _)| name != "Declaration") =>
            {
                parts.remove(0)
            }
            _ => Part::Expression(name.to_owned(), parts),
        };
        match (self.open.last_mut(), part) {
            (Some((_, outer)), part) => outer.push(part),
            (None, Part::Expression(name, parts)) => self.axioms.add(&name, parts)?,
            (None, _) => {}
        }
        Ok(())
    }
}
