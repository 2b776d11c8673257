use serde_json::Value;

use super::{DEFINITION, ID, NAME, SYNONYMS, name, named, syntax, texts};
use crate::hierarchy::{Reading, Scope};
use crate::read::collect::Collector;
use crate::read::{Format, Problem};

/// The keys of the two ends of a link: child and parent.
const ENDS: &[(&str, &str)] =
    &[("child", "parent"), ("source", "target"), ("from", "to"), ("sub", "obj")];

/// The keys of the links.
const LINKS: &[&str] = &["links", "edges"];

/// Whether a value is a graph of nodes and links, as networkx, D3 and Cytoscape write it.
pub(super) fn is_like(value: &Value) -> bool {
    let graph = value.get("elements").unwrap_or(value);
    let has_links = LINKS.iter().any(|key| graph.get(key).is_some_and(Value::is_array));
    has_links && graph.get("nodes").is_none_or(Value::is_array)
}

pub(super) fn add(value: &Value, collector: &mut Collector<'_>) -> Result<(), Problem> {
    if value.get("directed") == Some(&Value::Bool(false)) {
        return Err(syntax(Format::Json, "the links of the graph have no direction"));
    }
    let graph = value.get("elements").unwrap_or(value);
    let list = |key: &str| graph.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut names = Vec::new();
    for node in list("nodes") {
        names.push(add_node(node, collector)?);
    }
    let links = LINKS.iter().map(|key| list(key)).find(|links| !links.is_empty());
    let mut ends = ENDS[1];
    for (link, number) in links.unwrap_or_default().iter().zip(1..) {
        let link = link.get("data").unwrap_or(link);
        let found = ENDS.iter().find(|(child, _)| link.get(child).is_some());
        let in_link = |problem: Problem| Problem::InRecord { number, problem: Box::new(problem) };
        let no_ends = || in_link(syntax(Format::Json, "a link without source and target"));
        ends = *found.ok_or_else(no_ends)?;
        let end = |key: &str| link.get(key).and_then(|end| end_name(end, &names));
        let (child, parent) = end(ends.0).zip(end(ends.1)).ok_or_else(no_ends)?;
        collector.directed(&child, &parent).map_err(in_link)?;
    }
    let (child, parent) = if collector.options.reversed { (ends.1, ends.0) } else { ends };
    collector.reading =
        Reading::new(Format::Json, format!("{child:?} of a link"), format!("its {parent:?}"));
    Ok(())
}

/// Adds a node. Returns its name, and whether that is an id.
fn add_node(node: &Value, collector: &mut Collector<'_>) -> Result<(String, bool), Problem> {
    let node = node.get("data").unwrap_or(node);
    if let Some(name) = name(node) {
        collector.concept(&name)?;
        return Ok((name, true));
    }
    let (id, label) = (named(node, ID), named(node, NAME));
    let known = id.as_ref().or(label.as_ref()).ok_or(Problem::EmptyName)?.clone();
    let concept = collector.concept(&known)?;
    if let (Some(_), Some(label)) = (&id, &label) {
        collector.label(concept, label);
    }
    if let Some(definition) = named(node, DEFINITION) {
        collector.definition(concept, &definition);
    }
    for synonym in SYNONYMS.iter().flat_map(|key| texts(node.get(key))) {
        collector.synonym(concept, &synonym, Scope::Exact);
    }
    Ok((known, id.is_some()))
}

/// The node that an end means: its id, or its number where nodes have no ids.
fn end_name(end: &Value, names: &[(String, bool)]) -> Option<String> {
    let number = end.as_u64().and_then(|number| usize::try_from(number).ok());
    match number.and_then(|number| names.get(number)) {
        Some((name, false)) => Some(name.clone()),
        _ => name(end).or_else(|| named(end, ID)).or_else(|| named(end, NAME)),
    }
}
