use std::io::{self, Write};

use super::parents;
use crate::hierarchy::Hierarchy;

/// A node per concept, and an arrow from each child to each parent.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"digraph {\n  // Made by `binder export`.\n")?;
    for id in hierarchy.ids() {
        let name = quoted(hierarchy.name(id));
        match hierarchy.label(id) {
            Some(label) => {
                // In labels, a backslash begins an escape; in names it stands for itself.
                let label = quoted(&label.replace('\\', "\\\\"));
                writeln!(out, "  {name} [label={label}];")?;
            }
            None => writeln!(out, "  {name};")?,
        }
        for parent in parents(hierarchy, id) {
            writeln!(out, "  {name} -> {};", quoted(parent))?;
        }
    }
    out.write_all(b"}\n")
}

/// Whether DOT cannot have a name: before a quote, a backslash has no way to stand for itself.
pub(super) fn is_unfit(name: &str) -> bool {
    name.is_empty() || name.ends_with('\\') || name.contains("\\\"")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}
