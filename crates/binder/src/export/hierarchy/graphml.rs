use std::io::{self, Write};

use super::{parents, synonyms};
use crate::hierarchy::Hierarchy;

const HEAD: &[u8] = b"\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">
  <!-- Made by `binder export`. -->
  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>
  <key id=\"synonym\" for=\"node\" attr.name=\"synonym\" attr.type=\"string\"/>
  <key id=\"definition\" for=\"node\" attr.name=\"definition\" attr.type=\"string\"/>
  <graph edgedefault=\"directed\">
";

/// Whether a name has a character that no XML file may have, or that an attribute loses.
pub(super) fn is_unfit(name: &str) -> bool {
    name.is_empty() || name.contains(is_not_in_xml) || name.contains(['\t', '\n', '\r'])
}

fn is_not_in_xml(char: char) -> bool {
    matches!(char, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// A node per concept, and an edge from each child to each parent.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD)?;
    for id in hierarchy.ids() {
        let label = hierarchy.label(id).into_iter().map(|text| ("label", text));
        let synonyms = synonyms(hierarchy, id).map(|text| ("synonym", text));
        let definition = hierarchy.definition(id).into_iter().map(|text| ("definition", text));
        writeln!(out, "    <node id=\"{}\">", escaped(hierarchy.name(id)))?;
        for (key, text) in label.chain(synonyms).chain(definition) {
            writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(text))?;
        }
        out.write_all(b"    </node>\n")?;
    }
    for id in hierarchy.ids() {
        let child = escaped(hierarchy.name(id));
        for parent in parents(hierarchy, id) {
            writeln!(out, "    <edge source=\"{child}\" target=\"{}\"/>", escaped(parent))?;
        }
    }
    out.write_all(b"  </graph>\n</graphml>\n")
}

/// The text without the characters that XML cannot hold, and with entities for those it uses.
fn escaped(text: &str) -> String {
    let text = text.replace(is_not_in_xml, "");
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
