use std::collections::BTreeSet;

use serde_json::Value;

use super::syntax;
use crate::hierarchy::{Reading, Scope};
use crate::read::collect::Collector;
use crate::read::{Format, Problem};

/// Adds the classes of an OBO graph in JSON. A concept's name is its IRI.
pub(super) fn add(value: &Value, collector: &mut Collector<'_>) -> Result<(), Problem> {
    let graphs = value.get("graphs").and_then(Value::as_array);
    let graphs = graphs.ok_or_else(|| syntax(Format::ObographJson, "no list of \"graphs\""))?;
    let mut relations = Relations::new(&collector.options.relations);
    for graph in graphs {
        let list =
            |key: &str| graph.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for node in list("nodes") {
            add_node(node, collector, &mut relations)?;
        }
        for (edge, number) in list("edges").iter().zip(1..) {
            let end = |key: &str| edge.get(key).and_then(Value::as_str);
            let (Some(child), Some(relation), Some(parent)) = (end("sub"), end("pred"), end("obj"))
            else {
                let problem = syntax(Format::ObographJson, "an edge without sub, pred and obj");
                return Err(Problem::InRecord { number, problem: Box::new(problem) });
            };
            if relations.count(relation) {
                collector.pair(child, parent)?;
            }
        }
    }
    collector.reading =
        Reading::new(Format::ObographJson, "\"sub\" of an is_a edge", "its \"obj\"");
    relations.check()
}

/// The relations that count, and those there are.
struct Relations<'o> {
    wanted: &'o [String],
    /// The IRIs of the wanted relations by their labels.
    named: Vec<(String, &'o str)>,
    seen: BTreeSet<String>,
    found: BTreeSet<&'o str>,
}

impl<'o> Relations<'o> {
    fn new(wanted: &'o [String]) -> Self {
        Self { wanted, named: Vec::new(), seen: BTreeSet::new(), found: BTreeSet::new() }
    }

    /// Whether a relation counts as is-a.
    fn count(&mut self, relation: &str) -> bool {
        if relation == "is_a" {
            return true;
        }
        if !self.seen.contains(relation) {
            self.seen.insert(relation.to_owned());
        }
        let local = relation.rsplit(['/', '#']).next().unwrap_or(relation);
        let is = |wanted: &str| {
            wanted == relation || wanted == local || wanted.replace(':', "_") == local
        };
        let by_name = self.named.iter().find(|(iri, _)| iri == relation).map(|(_, name)| *name);
        let found = by_name.or_else(|| self.wanted.iter().map(String::as_str).find(|w| is(w)));
        self.found.extend(found);
        found.is_some()
    }

    /// Refuses a wanted relation that no edge has.
    fn check(self) -> Result<(), Problem> {
        let missing = self.wanted.iter().find(|wanted| !self.found.contains(wanted.as_str()));
        missing.map_or(Ok(()), |wanted| {
            let known = self.seen.iter().cloned().collect();
            Err(Problem::NoRelation { wanted: wanted.clone(), known })
        })
    }
}

fn add_node<'o>(
    node: &Value,
    collector: &mut Collector<'o>,
    relations: &mut Relations<'o>,
) -> Result<(), Problem> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some(id) = text(node, "id") else {
        return Err(syntax(Format::ObographJson, "a node without an id"));
    };
    let label = text(node, "lbl");
    if node.get("type").and_then(Value::as_str).is_some_and(|kind| kind != "CLASS") {
        let plain = |name: &str| name.replace('_', " ");
        let name = relations
            .wanted
            .iter()
            .find(|wanted| label.as_deref().is_some_and(|label| plain(wanted) == plain(label)));
        relations.named.extend(name.map(|name| (id, name.as_str())));
        return Ok(());
    }
    let concept = collector.concept(&id)?;
    if let Some(label) = label {
        collector.label(concept, &label);
    }
    let Some(meta) = node.get("meta") else { return Ok(()) };
    if meta.get("deprecated") == Some(&Value::Bool(true)) {
        collector.obsolete(concept);
    }
    if let Some(definition) = meta.get("definition").and_then(|d| text(d, "val")) {
        collector.definition(concept, &definition);
    }
    for synonym in meta.get("synonyms").and_then(Value::as_array).into_iter().flatten() {
        let scope = match synonym.get("pred").and_then(Value::as_str) {
            Some("hasExactSynonym") => Scope::Exact,
            Some("hasNarrowSynonym") => Scope::Narrow,
            Some("hasBroadSynonym") => Scope::Broad,
            Some("hasRelatedSynonym") => Scope::Related,
            _ => Scope::Other,
        };
        if let Some(words) = text(synonym, "val") {
            collector.synonym(concept, &words, scope);
        }
    }
    let properties = meta.get("basicPropertyValues").and_then(Value::as_array);
    for property in properties.into_iter().flatten() {
        let is_alternative = property
            .get("pred")
            .and_then(Value::as_str)
            .is_some_and(|relation| relation.ends_with("hasAlternativeId"));
        if let Some(alias) = text(property, "val").filter(|_| is_alternative) {
            collector.alias(concept, &alias);
        }
    }
    Ok(())
}
