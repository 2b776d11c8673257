use serde_json::Value;

use super::{DEFINITION, ID, NAME, SYNONYMS, name, named, syntax, texts};
use crate::hierarchy::Reading;
use crate::read::collect::Collector;
use crate::read::places::{Place, Places};
use crate::read::{Format, Problem};

/// The keys under which the children of an object stand.
const CHILDREN: &[&str] = &[
    "children",
    "child",
    "subclasses",
    "subClasses",
    "subtypes",
    "narrower",
    "subcategories",
    "subCategories",
    "categories",
    "items",
    "nodes",
    "members",
    "branches",
];

/// Whether a value is an object with a name and children.
pub(super) fn is_tree(value: &Value) -> bool {
    let has_name = named(value, NAME).or_else(|| named(value, ID)).is_some();
    has_name && children(value).is_some()
}

fn children(value: &Value) -> Option<&Value> {
    CHILDREN
        .iter()
        .find_map(|key| value.get(key))
        .filter(|value| value.is_array() || value.is_object() || value.is_null())
}

/// Adds a tree: objects with children, or keys with what is below them. A map from names to names
/// is a list of pairs, child first.
pub(super) fn add(value: &Value, collector: &mut Collector<'_>) -> Result<(), Problem> {
    if collector.options.chosen_columns().next().is_some() {
        let what = "columns were chosen, and this JSON is a tree, not a list of records";
        return Err(Problem::Unsuitable(what.to_owned()));
    }
    if let Some(pairs) = as_map(value) {
        for (child, parent) in pairs {
            collector.directed(child, &parent)?;
        }
        collector.reading = Reading::new(Format::Json, "a key", "its value");
        return Ok(());
    }
    let mut tree = Tree::default();
    tree.add(value, None)?;
    let (child, parent) = if tree.has_objects {
        ("an object among the children", "the object around it")
    } else {
        ("what stands below a key", "the key")
    };
    let (child, parent) =
        if collector.options.reversed { (parent, child) } else { (child, parent) };
    collector.reading = Reading::new(Format::Json, child, parent);
    tree.places.hand_over(collector, " > ")
}

/// The keys and values of an object all of whose values are names.
fn as_map(value: &Value) -> Option<Vec<(&str, String)>> {
    let members = value.as_object().filter(|members| !members.is_empty())?;
    if named(value, NAME).is_some() && named(value, ID).is_some() {
        return None;
    }
    members.iter().map(|(key, value)| Some((key.as_str(), name(value)?))).collect()
}

#[derive(Default)]
struct Tree {
    places: Places,
    has_objects: bool,
}

impl Tree {
    /// Adds what is below a place. How deep values are within one another, the parser limits.
    fn add(&mut self, value: &Value, above: Option<Place>) -> Result<(), Problem> {
        match value {
            Value::Null => Ok(()),
            Value::Array(items) => items.iter().try_for_each(|item| self.add(item, above)),
            Value::Object(_) if is_node(value) => self.node(value, above),
            Value::Object(members) => {
                for (key, inner) in members {
                    let place = self.at(above, key)?;
                    self.add(inner, Some(place))?;
                }
                Ok(())
            }
            _ => {
                let text = name(value).ok_or_else(|| {
                    syntax(Format::Json, format!("{value} where a name was expected"))
                })?;
                self.at(above, &text).map(|_| ())
            }
        }
    }

    fn at(&mut self, above: Option<Place>, text: &str) -> Result<Place, Problem> {
        if text.trim().is_empty() {
            return Err(Problem::EmptyName);
        }
        Ok(self.places.at(above, text)?)
    }

    fn node(&mut self, value: &Value, above: Option<Place>) -> Result<(), Problem> {
        self.has_objects = true;
        let (id, label) = (named(value, ID), named(value, NAME));
        let text = id.as_ref().or(label.as_ref()).ok_or(Problem::EmptyName)?;
        let place = self.at(above, text)?;
        let about = self.places.about(place);
        about.label = label.filter(|label| Some(label) != id.as_ref() && id.is_some());
        about.definition = named(value, DEFINITION);
        about.synonyms = SYNONYMS.iter().flat_map(|key| texts(value.get(key))).collect();
        about.id = id;
        children(value).map_or(Ok(()), |children| self.add(children, Some(place)))
    }
}

/// Whether an object stands for a concept, and not for a map of concepts by name.
fn is_node(value: &Value) -> bool {
    named(value, NAME).or_else(|| named(value, ID)).is_some()
}
