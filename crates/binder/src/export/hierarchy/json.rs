use std::io::{self, Write};

use serde::Serialize;

use super::{parents, synonyms};
use crate::hierarchy::Hierarchy;

/// A concept and everything it carries.
#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    parents: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    synonyms: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternative_ids: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<&'a str>,
}

/// A list of records, each on a line of its own.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (id, alternative_ids) in hierarchy.ids().zip(hierarchy.aliases().of_each(hierarchy.len())) {
        out.write_all(if id == 0 { b"\n" } else { b",\n" })?;
        let record = Record {
            id: hierarchy.name(id),
            label: hierarchy.label(id),
            parents: parents(hierarchy, id).collect(),
            synonyms: synonyms(hierarchy, id).collect(),
            alternative_ids,
            definition: hierarchy.definition(id),
        };
        serde_json::to_writer(&mut *out, &record)?;
    }
    out.write_all(b"\n]\n")
}
