//! Identifiers of the Semantic Web: an IRI, and the short form of one, which is called a CURIE.
//!
//! `schema:Dentist` stands for `https://schema.org/Dentist`, and `HP:0001250` for
//! `http://purl.obolibrary.org/obo/HP_0001250`. Sources name their concepts by one or the other,
//! and people write the one or the other.

/// The namespaces behind the usual prefixes. Where a namespace has two spellings, both are here.
const PREFIXES: &[(&str, &str)] = &[
    ("bfo", "http://purl.obolibrary.org/obo/BFO_"),
    ("dbo", "http://dbpedia.org/ontology/"),
    ("dbr", "http://dbpedia.org/resource/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("efo", "http://www.ebi.ac.uk/efo/EFO_"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("gn", "http://www.geonames.org/ontology#"),
    ("mesh", "http://id.nlm.nih.gov/mesh/"),
    ("obo", "http://purl.obolibrary.org/obo/"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("schema", "https://schema.org/"),
    ("schema", "http://schema.org/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("wn", "http://wordnet-rdf.princeton.edu/id/"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("yago", "http://yago-knowledge.org/resource/"),
];

/// Where the IRIs of the OBO ontologies are: `HP:0001250` is `…/obo/HP_0001250` there.
const OBO: &str = "http://purl.obolibrary.org/obo/";

/// Other spellings of an identifier, the likeliest first. None if the text is no identifier.
pub(super) fn spellings(text: &str) -> Vec<String> {
    let text = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text);
    if is_iri(text) { of_iri(text) } else { of_curie(text) }
}

fn of_iri(iri: &str) -> Vec<String> {
    let mut spellings = vec![iri.to_owned()];
    spellings.extend(iri.strip_prefix("https:").map(|rest| format!("http:{rest}")));
    spellings.extend(iri.strip_prefix("http:").map(|rest| format!("https:{rest}")));
    for (prefix, namespace) in PREFIXES {
        let local = iri.strip_prefix(namespace).filter(|local| !local.is_empty());
        spellings.extend(local.map(|local| format!("{prefix}:{local}")));
    }
    // GO_0008150 is GO:0008150.
    if let Some((prefix, number)) = local_name(iri).split_once('_') {
        spellings.push(format!("{prefix}:{number}"));
    }
    spellings
}

fn of_curie(curie: &str) -> Vec<String> {
    let Some((prefix, local)) = halves(curie) else { return Vec::new() };
    let known = PREFIXES.iter().filter(|(known, _)| known.eq_ignore_ascii_case(prefix));
    let mut spellings: Vec<_> = known.map(|(_, namespace)| format!("{namespace}{local}")).collect();
    spellings.push(format!("{OBO}{prefix}_{local}"));
    // hp:0001250 is HP:0001250, and SCHEMA:Dentist is schema:Dentist.
    spellings.push(format!("{}:{local}", prefix.to_uppercase()));
    spellings.push(format!("{}:{local}", prefix.to_lowercase()));
    spellings
}

/// The prefix and the local name of a CURIE.
pub(super) fn halves(text: &str) -> Option<(&str, &str)> {
    let (prefix, local) = text.split_once(':')?;
    let in_prefix = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let fits = !prefix.is_empty() && prefix.chars().all(in_prefix);
    let is_local = !local.is_empty() && !local.starts_with("//") && !local.contains(' ');
    (fits && is_local).then_some((prefix, local))
}

fn is_iri(text: &str) -> bool {
    let (scheme, rest) = text.split_once(':').unwrap_or_default();
    rest.starts_with("//") && scheme.chars().all(|char| char.is_ascii_alphanumeric())
        || scheme == "urn"
}

/// The part of an IRI or a CURIE that is a name: what follows the namespace. The whole text if it
/// is neither.
pub(super) fn local_name(text: &str) -> &str {
    if is_iri(text) {
        let end = text.trim_end_matches(['/', '#']);
        return end.rfind(['/', '#', ':']).map_or(end, |at| &end[at + 1..]);
    }
    halves(text).map_or(text, |(_, local)| local)
}

/// Whether a concept's name can stand for a CURIE whose prefix is not known: its namespace has the
/// prefix in it, as `http://example.org/pets#Dog` has `pets`.
pub(super) fn is_in_namespace(name: &str, prefix: &str) -> bool {
    let namespace = name.rfind(local_name(name)).map_or("", |at| &name[..at]);
    namespace.to_lowercase().contains(&prefix.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        assert!(spellings("schema:Dentist").contains(&"https://schema.org/Dentist".to_owned()));
        assert!(spellings("https://schema.org/Dentist").contains(&"schema:Dentist".to_owned()));
        assert!(spellings("<http://schema.org/Dentist>").contains(&"schema:Dentist".to_owned()));
        let seizure = "http://purl.obolibrary.org/obo/HP_0001250";
        assert!(spellings("HP:0001250").contains(&seizure.to_owned()));
        assert!(spellings("hp:0001250").contains(&"HP:0001250".to_owned()));
        assert!(spellings(seizure).contains(&"HP:0001250".to_owned()));
        assert!(spellings("dog").is_empty() && spellings("what: a dog").is_empty());
    }

    #[test]
    fn local_names() {
        assert_eq!(local_name("http://example.org/pets#Dog"), "Dog");
        assert_eq!(local_name("http://example.org/Dog/"), "Dog");
        assert_eq!(local_name("urn:pets:Dog"), "Dog");
        assert_eq!(local_name("schema:Dentist"), "Dentist");
        assert_eq!(local_name("dog.n.01"), "dog.n.01");
        assert!(is_in_namespace("http://example.org/pets#Dog", "pets"));
        assert!(!is_in_namespace("http://example.org/pets#Dog", "zoo"));
        assert!(!is_in_namespace("dog", "d") && !is_in_namespace("http://x/Ä/", "Ä"));
    }
}
