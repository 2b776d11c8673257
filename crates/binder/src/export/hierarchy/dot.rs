use std::io::{self, Write};

use super::parents;
use crate::hierarchy::Hierarchy;

/// A node per concept, and an arrow from each child to each parent.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"digraph {\n")?;
    for id in hierarchy.ids() {
        let name = quoted(hierarchy.name(id));
        match hierarchy.label(id) {
            Some(label) => writeln!(out, "  {name} [label={}];", quoted(label))?,
            None => writeln!(out, "  {name};")?,
        }
        for parent in parents(hierarchy, id) {
            writeln!(out, "  {name} -> {};", quoted(parent))?;
        }
    }
    out.write_all(b"}\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
