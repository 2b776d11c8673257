use std::fmt::Write as _;
use std::io::{self, Write};

use super::parents;
use crate::hierarchy::{Hierarchy, Scope};

/// The namespace of names that are no IRIs: `dog.n.01` becomes `urn:binder:dog.n.01`.
const NAMESPACE: &str = "urn:binder:";

const PREFIXES: &[u8] = b"\
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oboInOwl: <http://www.geneontology.org/formats/oboInOwl#> .
# Made by `binder export`.
";

/// A class per concept.
pub(super) fn write(hierarchy: &Hierarchy, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PREFIXES)?;
    for (id, aliases) in hierarchy.ids().zip(hierarchy.aliases().of_each(hierarchy.len())) {
        write!(out, "\n{} a owl:Class", iri(hierarchy.name(id)))?;
        for parent in parents(hierarchy, id) {
            write!(out, " ;\n  rdfs:subClassOf {}", iri(parent))?;
        }
        let label = hierarchy.label(id).into_iter().map(|label| ("rdfs:label", label));
        let synonyms =
            hierarchy.synonyms(id).map(|synonym| (property(synonym.scope), synonym.text));
        let aliases = aliases.into_iter().map(|alias| ("oboInOwl:hasAlternativeId", alias));
        let definition = hierarchy.definition(id).into_iter().map(|text| ("skos:definition", text));
        for (property, text) in label.chain(synonyms).chain(aliases).chain(definition) {
            write!(out, " ;\n  {property} {}", quoted(text))?;
        }
        out.write_all(b" .\n")?;
    }
    Ok(())
}

fn property(scope: Scope) -> &'static str {
    match scope {
        Scope::Exact => "oboInOwl:hasExactSynonym",
        Scope::Narrow => "oboInOwl:hasNarrowSynonym",
        Scope::Broad => "oboInOwl:hasBroadSynonym",
        Scope::Related => "oboInOwl:hasRelatedSynonym",
        Scope::Other => "skos:altLabel",
    }
}

/// A name as an IRI. One that has a scheme, such as `HP:0001250`, is one already.
fn iri(name: &str) -> String {
    let scheme = name.split_once(':').map_or("", |(scheme, _)| scheme);
    let starts = scheme.starts_with(|char: char| char.is_ascii_alphabetic());
    let of_scheme = |char: char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.');
    let is_iri = starts && scheme.chars().all(of_scheme);
    let mut text = format!("<{}", if is_iri { "" } else { NAMESPACE });
    for char in name.chars() {
        let is_plain = char.is_alphanumeric() || "-._~!$&'()*+,;=:@/".contains(char);
        if is_plain || is_iri && "?#%[]".contains(char) {
            text.push(char);
        } else {
            let mut bytes = [0; 4];
            for byte in char.encode_utf8(&mut bytes).bytes() {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text + ">"
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n").replace('\r', "\\r"))
}
