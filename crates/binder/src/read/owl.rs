//! What the two syntaxes of OWL that are not RDF have in common: axioms as lists within lists.
//!
//! `SubClassOf(:dog ObjectIntersectionOf(:animal :pet))` says that dog is below animal and below
//! pet. A restriction, such as `ObjectSomeValuesFrom(:has :tail)`, has no name, and is counted as
//! left out.

use super::Problem;
use super::annotations::Annotations;
use super::collect::Collector;
use super::relations::Wanted;

/// A part of an axiom: an IRI, a text, or an expression with parts.
#[derive(Debug)]
pub(super) enum Part {
    Iri(String),
    /// A text and its language.
    Text(String, Option<String>),
    Expression(String, Vec<Part>),
}

/// Takes axioms and hands over what they say.
pub(super) struct Axioms<'c, 'o> {
    collector: &'c mut Collector<'o>,
    wanted: Wanted<'o>,
    annotations: Annotations,
}

impl<'c, 'o> Axioms<'c, 'o> {
    pub(super) fn new(collector: &'c mut Collector<'o>) -> Self {
        let wanted = Wanted::new(collector.options);
        Self { collector, wanted, annotations: Annotations::default() }
    }

    /// Adds an axiom by its name and its parts, without the annotations of the axiom itself.
    pub(super) fn add(&mut self, name: &str, parts: Vec<Part>) -> Result<(), Problem> {
        let is_annotation =
            |part: &Part| matches!(part, Part::Expression(name, _) if name == "Annotation");
        let parts: Vec<Part> = parts.into_iter().filter(|part| !is_annotation(part)).collect();
        match (name, parts.as_slice()) {
            ("Declaration", [Part::Expression(kind, of)]) if kind == "Class" => match &of[..] {
                [Part::Iri(class)] => self.collector.concept(class).map(|_| ()),
                _ => Ok(()),
            },
            ("SubClassOf", [Part::Iri(child), parent]) => self.below(child, parent, true),
            ("EquivalentClasses", all) => self.equivalent(all),
            ("DisjointUnion", [Part::Iri(union), members @ ..]) => {
                for member in members {
                    if let Part::Iri(member) = member {
                        self.collector.pair(member, union)?;
                    }
                }
                Ok(())
            }
            ("AnnotationAssertion", [Part::Iri(property), Part::Iri(subject), value]) => {
                self.annotate(property, subject, value);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds what a class is below: a name, or the names in an intersection.
    fn below(&mut self, child: &str, parent: &Part, is_counted: bool) -> Result<(), Problem> {
        match parent {
            Part::Iri(parent) => self.collector.pair(child, parent),
            Part::Expression(kind, parts) if kind == "ObjectIntersectionOf" => {
                parts.iter().try_for_each(|part| self.below(child, part, is_counted))
            }
            _ => {
                self.collector.concept(child)?;
                if is_counted {
                    self.collector.skip_blank();
                }
                Ok(())
            }
        }
    }

    /// A class that is equivalent to an intersection is below all of it. Two names for the same are
    /// a cycle, and not taken.
    fn equivalent(&mut self, all: &[Part]) -> Result<(), Problem> {
        for class in all {
            let Part::Iri(name) = class else { continue };
            self.collector.concept(name)?;
            for other in all {
                if matches!(other, Part::Expression(kind, _) if kind == "ObjectIntersectionOf") {
                    self.below(name, other, false)?;
                }
            }
        }
        Ok(())
    }

    fn annotate(&mut self, property: &str, subject: &str, value: &Part) {
        let Part::Text(text, language) = value else { return };
        if let Some(kind) = self.wanted.text(property, language.as_deref()) {
            self.annotations.add(subject, kind, text);
        }
    }

    /// Hands over what is said about classes.
    pub(super) fn finish(self) {
        self.annotations.hand_over(self.collector);
    }
}
