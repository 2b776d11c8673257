use std::collections::HashMap;

use super::collect::Collector;
use super::table::words::{self, Role};
use super::text::Text;
use super::xml::{self, Piece, Tag};
use super::{Format, Problem, ReadError};
use crate::hierarchy::{Reading, Scope};

/// Reads a GraphML file: an edge leads from the child to the parent. Labels, definitions and
/// synonyms are the data whose keys have the usual names.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let reversed = collector.options.reversed;
    let ends = if reversed { ("target", "source") } else { ("source", "target") };
    collector.reading = Reading::new(
        Format::GraphMl,
        format!("the {} of an edge", ends.0),
        format!("its {}", ends.1),
    );
    let mut graph = Graph::new(collector);
    xml::for_each(text, Format::GraphMl, |piece| graph.add(piece))
}

struct Graph<'c, 'o> {
    collector: &'c mut Collector<'o>,
    /// What the data of nodes mean, by their keys.
    keys: HashMap<String, Role>,
    /// The open node and what the open data in it mean.
    node: Option<String>,
    data: Option<Role>,
    text: String,
    has_graph: bool,
}

impl<'c, 'o> Graph<'c, 'o> {
    fn new(collector: &'c mut Collector<'o>) -> Self {
        Self {
            collector,
            keys: HashMap::new(),
            node: None,
            data: None,
            text: String::new(),
            has_graph: false,
        }
    }

    fn add(&mut self, piece: Piece<'_>) -> Result<(), Problem> {
        match piece {
            Piece::Start(tag) => self.start(&tag),
            Piece::End("node") => {
                self.node = None;
                Ok(())
            }
            Piece::End("data") => self.end_data(),
            Piece::End(_) => Ok(()),
            Piece::Text(text) => {
                if self.data.is_some() {
                    self.text.push_str(text);
                }
                Ok(())
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), Problem> {
        let format = Format::GraphMl;
        match tag.name {
            "graph" => {
                self.has_graph = true;
                if tag.get("edgedefault") == Some("undirected") {
                    return Err(xml::syntax(format, "the edges of the graph have no direction"));
                }
            }
            "key" if tag.get("for") != Some("edge") => {
                let id = tag.need("id", format)?.to_owned();
                let name = tag.get("attr.name").unwrap_or_default();
                let roles = [Role::Label, Role::Definition, Role::Alias];
                let is = |role: &Role| words::find(*role, [name].into_iter(), &[]).is_some();
                if let Some(role) = roles.into_iter().find(is) {
                    self.keys.insert(id, role);
                }
            }
            "node" => {
                let id = tag.need("id", format)?;
                self.collector.concept(id)?;
                self.node = Some(id.to_owned());
            }
            "edge" => {
                if tag.get("directed") == Some("false") {
                    return Err(xml::syntax(format, "an edge has no direction"));
                }
                let ends = (tag.need("source", format)?, tag.need("target", format)?);
                self.collector.directed(ends.0, ends.1)?;
            }
            "data" if self.node.is_some() => {
                self.data = tag.get("key").and_then(|key| self.keys.get(key).copied());
                self.text.clear();
            }
            "hyperedge" => return Err(xml::syntax(format, "hyperedges have no child and parent")),
            "graphml" => {}
            other if !self.has_graph && self.keys.is_empty() && other != "desc" => {
                let message = format!("<{other}> where <graphml> was expected");
                return Err(xml::syntax(format, message));
            }
            _ => {}
        }
        Ok(())
    }

    fn end_data(&mut self) -> Result<(), Problem> {
        let (Some(role), Some(node)) = (self.data.take(), &self.node) else { return Ok(()) };
        let concept = self.collector.concept(node)?;
        match role {
            Role::Label => self.collector.label(concept, &self.text),
            Role::Definition => self.collector.definition(concept, &self.text),
            _ => self.collector.synonym(concept, &self.text, Scope::Exact),
        }
        Ok(())
    }
}
