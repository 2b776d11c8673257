use hashbrown::HashMap;

use super::Problem;
use super::collect::Collector;
use crate::bits::Id;
use crate::hierarchy::{Names, Scope, TooManyNames};

/// A tree in which names stand at places: path lines, level columns, outlines, JSON trees.
///
/// A name that stands at one place only is the name of its concept. Where it stands at several, as
/// "Accessories" does under cameras and under cars, these are different concepts: each is named by
/// its path, and the name becomes its label.
///
/// ```text
/// Cars > Accessories       Cars, Cameras, "Cars > Accessories", "Cameras > Accessories"
/// Cameras > Accessories
/// ```
#[derive(Debug, Default)]
pub(super) struct Places {
    texts: Names,
    /// How many places have the text, by its id.
    counts: Vec<u32>,
    places: Vec<Node>,
    known: HashMap<(Option<Place>, Id), Place>,
    /// What else is said about a place.
    given: HashMap<Place, About>,
}

/// The number of a place.
pub(super) type Place = u32;

#[derive(Debug)]
struct Node {
    above: Option<Place>,
    text: Id,
}

/// What is said about a place beside its name.
#[derive(Debug, Default)]
pub(super) struct About {
    /// The name of the concept, where an id is given beside the text.
    pub(super) id: Option<String>,
    pub(super) label: Option<String>,
    pub(super) definition: Option<String>,
    pub(super) synonyms: Vec<String>,
}

impl Places {
    /// The place of that name below another, or at the top.
    pub(super) fn at(&mut self, above: Option<Place>, text: &str) -> Result<Place, TooManyNames> {
        let text = self.texts.intern(text)?;
        if let Some(&place) = self.known.get(&(above, text)) {
            return Ok(place);
        }
        let place = Place::try_from(self.places.len()).map_err(|_| TooManyNames)?;
        self.places.push(Node { above, text });
        self.known.insert((above, text), place);
        self.counts.resize(self.texts.len(), 0);
        self.counts[text as usize] += 1;
        Ok(place)
    }

    pub(super) fn about(&mut self, place: Place) -> &mut About {
        self.given.entry(place).or_default()
    }

    /// Hands every place to the collector.
    pub(super) fn hand_over(
        self,
        collector: &mut Collector<'_>,
        separator: &str,
    ) -> Result<(), Problem> {
        // A place comes after the one above it.
        let mut concepts: Vec<Id> = Vec::with_capacity(self.places.len());
        for (place, node) in self.places.iter().enumerate() {
            let name = self.name(place, separator);
            let concept = collector.concept(&name)?;
            concepts.push(concept);
            if let Some(above) = node.above {
                collector.directed_link(concept, concepts[above as usize]);
            }
            let text = self.texts.name(node.text);
            let place = Place::try_from(place).map_err(|_| TooManyNames)?;
            let about = self.given.get(&place);
            if let Some(label) = about.and_then(|about| about.label.as_deref()) {
                collector.label(concept, label);
            } else if text != name {
                collector.label(concept, text);
            }
            if let Some(About { definition, synonyms, .. }) = about {
                definition.iter().for_each(|text| collector.definition(concept, text));
                for synonym in synonyms {
                    collector.synonym(concept, synonym, Scope::Exact);
                }
            }
        }
        Ok(())
    }

    fn name(&self, place: usize, separator: &str) -> String {
        let node = &self.places[place];
        let given = Place::try_from(place).ok().and_then(|place| self.given.get(&place));
        if let Some(id) = given.and_then(|given| given.id.clone()) {
            return id;
        }
        if self.counts[node.text as usize] == 1 {
            return self.texts.name(node.text).to_owned();
        }
        let mut path = vec![self.texts.name(node.text)];
        let mut above = node.above;
        while let Some(place) = above {
            let node = &self.places[place as usize];
            path.push(self.texts.name(node.text));
            above = node.above;
        }
        path.reverse();
        path.join(separator)
    }
}
