use std::io::{self, Write};

use super::parents;
use crate::hierarchy::{Hierarchy, Scope};

/// Whether a name is no identifier in OBO: a reader would end it early or read escapes into it.
pub(super) fn is_unfit(name: &str) -> bool {
    let ends_it = |char: char| char.is_whitespace() || char.is_control();
    name.is_empty() || name.contains(ends_it) || name.contains(['\\', '"', '{', '}', '!', '[', ']'])
}

/// A frame per concept.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"format-version: 1.2\nauto-generated-by: binder export\n")?;
    for (id, aliases) in hierarchy.ids().zip(hierarchy.aliases().of_each(hierarchy.len())) {
        write!(out, "\n[Term]\nid: {}\n", hierarchy.name(id))?;
        if let Some(label) = hierarchy.label(id) {
            writeln!(out, "name: {}", unquoted(label))?;
        }
        for alias in aliases.into_iter().filter(|alias| !is_unfit(alias)) {
            writeln!(out, "alt_id: {alias}")?;
        }
        if let Some(definition) = hierarchy.definition(id) {
            writeln!(out, "def: {} []", quoted(definition))?;
        }
        for synonym in hierarchy.synonyms(id) {
            writeln!(out, "synonym: {} {} []", quoted(synonym.text), scope(synonym.scope))?;
        }
        for parent in parents(hierarchy, id) {
            writeln!(out, "is_a: {parent}")?;
        }
    }
    Ok(())
}

/// OBO knows four scopes; a synonym of unknown scope is related, as OBO has it.
fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Exact => "EXACT",
        Scope::Narrow => "NARROW",
        Scope::Broad => "BROAD",
        Scope::Related | Scope::Other => "RELATED",
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n").replace(['\r', '\t'], " "))
}

/// A text up to the end of the line, where `!` begins a comment and `{` a list.
fn unquoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('{', "\\{").replace('!', "\\!");
    text.replace('\n', "\\n").replace(['\r', '\t'], " ")
}
