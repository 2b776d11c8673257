use std::io::{self, Write};

use super::{parents, synonyms};
use crate::hierarchy::Hierarchy;

/// Whether a name would break a line of pairs, or be taken for something else.
pub(super) fn is_unfit_for_lines(name: &str) -> bool {
    name.is_empty() || name.trim() != name || name.contains(['\t', '\n', '\r', '"'])
}

/// A child and a parent per line. A concept in no pair is written as its own parent, which a reader
/// drops while it keeps the concept.
pub(super) fn write_edges(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    for id in hierarchy.ids() {
        let name = hierarchy.name(id);
        for parent in parents(hierarchy, id) {
            writeln!(out, "{name}\t{parent}")?;
        }
        if hierarchy.parents(id).is_empty() && hierarchy.children(id).is_empty() {
            writeln!(out, "{name}\t{name}")?;
        }
    }
    Ok(())
}

/// A row for each parent or synonym of a concept, whichever are more; label and definition are in
/// its first row.
pub(super) fn write_csv(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"id,label,parent,synonym,definition\n")?;
    for id in hierarchy.ids() {
        let (mut parents, mut synonyms) = (parents(hierarchy, id), synonyms(hierarchy, id));
        for row in 0..parents.len().max(synonyms.len()).max(1) {
            let first = |text: Option<&str>| quoted(text.filter(|_| row == 0).unwrap_or_default());
            writeln!(
                out,
                "{},{},{},{},{}",
                quoted(hierarchy.name(id)),
                first(hierarchy.label(id)),
                quoted(parents.next().unwrap_or_default()),
                quoted(synonyms.next().unwrap_or_default()),
                first(hierarchy.definition(id)),
            )?;
        }
    }
    Ok(())
}

/// A cell as RFC 4180 has it.
fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
