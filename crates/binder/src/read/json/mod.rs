//! JSON: trees, records, graphs of nodes and links, and OBO graphs.

mod lines;
mod links;
mod obograph;
mod records;
mod tree;

use std::io::Read;

use serde_json::Value;

use super::collect::Collector;
use super::text::Text;
use super::{Format, Problem, ReadError};

pub(super) use lines::{is_like_lines, read as read_lines};

/// Reads a JSON file: whatever its structure tells.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let value = parse(text, Format::Json)?;
    add(&value, collector).map_err(|problem| ReadError::of(&file, problem))
}

/// Reads an OBO graph.
pub(super) fn read_obograph(
    text: Text<'_>,
    collector: &mut Collector<'_>,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let value = parse(text, Format::ObographJson)?;
    obograph::add(&value, collector).map_err(|problem| ReadError::of(&file, problem))
}

fn parse(mut text: Text<'_>, format: Format) -> Result<Value, ReadError> {
    let file = text.file().to_owned();
    let mut whole = String::new();
    text.read_to_string(&mut whole).map_err(|error| ReadError::from_io(&file, error))?;
    if whole.trim().is_empty() {
        return Ok(Value::Array(Vec::new()));
    }
    serde_json::from_str(&whole).map_err(|error| {
        let (line, column) = (error.line() as u64, error.column() as u64);
        ReadError::at(&file, line, Some(column), syntax(format, without_place(&error)))
    })
}

/// The message of an error without its place, which is said before it.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rsplit_once(" at line ").map_or(message.clone(), |(message, _)| message.to_owned())
}

fn syntax(format: Format, message: impl Into<String>) -> Problem {
    Problem::Syntax { format, message: message.into() }
}

fn add(value: &Value, collector: &mut Collector<'_>) -> Result<(), Problem> {
    if links::is_like(value) {
        return links::add(value, collector);
    }
    match value {
        Value::Array(items) if items.is_empty() => tree::add(value, collector),
        Value::Array(items) if items.iter().all(is_two) => add_twos(items, collector),
        Value::Array(items) if records::are(items) => records::add(items, collector),
        Value::Object(_) if tree::is_tree(value) => tree::add(value, collector),
        Value::Object(members) => match only_list(members) {
            Some(inner) => add(inner, collector),
            None => tree::add(value, collector),
        },
        Value::Array(_) => tree::add(value, collector),
        _ => Err(syntax(Format::Json, "neither an object nor an array")),
    }
}

/// The only list of objects in an object that says nothing else but what describes the file.
fn only_list(members: &serde_json::Map<String, Value>) -> Option<&Value> {
    let is_list = |value: &&Value| {
        value.as_array().is_some_and(|items| items.first().is_some_and(Value::is_object))
    };
    let mut lists = members.values().filter(is_list);
    let list = lists.next()?;
    let are_plain = members.values().all(|value| !value.is_object());
    (lists.next().is_none() && are_plain).then_some(list)
}

/// Whether a value is a pair of names.
fn is_two(value: &Value) -> bool {
    let is_name = |value: &Value| value.is_string() || value.is_number();
    value.as_array().is_some_and(|two| two.len() == 2 && two.iter().all(is_name))
}

fn add_twos(items: &[Value], collector: &mut Collector<'_>) -> Result<(), Problem> {
    for item in items {
        if let (Some(child), Some(parent)) = (name(&item[0]), name(&item[1])) {
            collector.directed(&child, &parent)?;
        }
    }
    let (child, parent) = if collector.options.reversed { (2, 1) } else { (1, 2) };
    let value = |number: i32| format!("value {number} of each pair");
    collector.reading = crate::hierarchy::Reading::new(Format::Json, value(child), value(parent));
    Ok(())
}

/// A name: a text or a number.
fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The first of the keys that an object has with a name in it.
fn named(object: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| object.get(key).and_then(name)).filter(|name| !name.is_empty())
}

/// The keys under which the id of an object stands, its name and what it means.
const ID: &[&str] = &["id", "@id", "iri", "uri", "key", "code", "identifier"];
const NAME: &[&str] = &["name", "label", "title", "prefLabel", "text", "term", "value", "lbl"];
const DEFINITION: &[&str] = &["definition", "description", "comment", "gloss", "desc"];
const SYNONYMS: &[&str] = &["synonyms", "aliases", "altLabels", "altLabel", "synonym", "alias"];

/// The texts of a value that is one or a list of them.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(name).collect(),
        Some(value) => name(value).into_iter().collect(),
        None => Vec::new(),
    }
}
