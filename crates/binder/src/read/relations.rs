//! The properties of RDF and OWL that say something about a hierarchy.

use super::{Column, ReadOptions};
use crate::hierarchy::Scope;

/// What a text property says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// A label; a lower rank is better.
    Label(u8),
    Synonym(Scope),
    Definition,
    Deprecated,
}

const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const OBO_IN_OWL: &str = "http://www.geneontology.org/formats/oboInOwl#";

/// Prefixes that everybody uses. Those of the file come first.
const PREFIXES: &[(&str, &str)] = &[
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", RDFS),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("skos", SKOS),
    ("schema", "https://schema.org/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dct", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("obo", "http://purl.obolibrary.org/obo/"),
    ("oboInOwl", OBO_IN_OWL),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("gn", "http://www.geonames.org/ontology#"),
    ("mads", "http://www.loc.gov/mads/rdf/v1#"),
];

/// The IRI that a name stands for: itself, or its prefix and the rest put together.
pub(super) fn expand(name: &str, prefix: impl Fn(&str) -> Option<String>) -> Option<String> {
    if name.contains("://") || name.starts_with("urn:") {
        return Some(name.trim_start_matches('<').trim_end_matches('>').to_owned());
    }
    let (short, local) = name.split_once(':')?;
    let known = || PREFIXES.iter().find(|(p, _)| *p == short).map(|(_, iri)| (*iri).to_owned());
    Some(prefix(short).or_else(known)? + local)
}

/// The text properties that are wanted.
#[derive(Debug)]
pub(super) struct Wanted<'o> {
    language: &'o str,
    label: Option<String>,
    synonyms: Vec<String>,
    definition: Option<String>,
}

impl<'o> Wanted<'o> {
    pub(super) fn new(options: &'o ReadOptions) -> Self {
        Self::with_prefixes(options, |_| None)
    }

    /// What the options name, with the prefixes of the file.
    pub(super) fn with_prefixes(
        options: &'o ReadOptions,
        prefix: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let iri = |column: &Column| match column {
            Column::Name(name) => Some(expand(name, &prefix).unwrap_or_else(|| name.clone())),
            Column::Number(_) => None,
        };
        Self {
            language: options.language.as_deref().unwrap_or("en"),
            label: options.label.as_ref().and_then(iri),
            synonyms: options.aliases.iter().filter_map(iri).collect(),
            definition: options.definition.as_ref().and_then(iri),
        }
    }

    /// What a property says, with the language of its text.
    pub(super) fn text(&self, property: &str, language: Option<&str>) -> Option<Text> {
        if self.label.as_deref() == Some(property) {
            return Some(Text::Label(self.rank(language)));
        }
        if self.definition.as_deref() == Some(property) {
            return Some(Text::Definition).filter(|_| self.speaks(language));
        }
        if self.synonyms.iter().any(|synonym| synonym == property) {
            return Some(Text::Synonym(Scope::Other)).filter(|_| self.speaks(language));
        }
        let usual = usual(property)?;
        match usual {
            // A label of the chosen property is better than any other.
            Text::Label(_) => {
                let chosen = if self.label.is_some() { 3 } else { 0 };
                Some(Text::Label(chosen + self.rank(language)))
            }
            Text::Deprecated => Some(usual),
            _ => Some(usual).filter(|_| self.speaks(language)),
        }
    }

    /// How good a language is for a label: the wanted one, none, any other.
    fn rank(&self, language: Option<&str>) -> u8 {
        match language {
            Some(tag) if self.is_wanted(tag) => 0,
            None => 1,
            Some(_) => 2,
        }
    }

    /// Whether texts of this language are taken.
    fn speaks(&self, language: Option<&str>) -> bool {
        language.is_none_or(|tag| self.is_wanted(tag))
    }

    /// Language tags ignore case: `de-AT` is `de-at`, and one of `de`.
    fn is_wanted(&self, tag: &str) -> bool {
        let is = |tag: &str| tag.eq_ignore_ascii_case(self.language);
        is(tag) || tag.split('-').next().is_some_and(is)
    }
}

/// What the properties that everybody uses say.
fn usual(property: &str) -> Option<Text> {
    if let Some(local) = property.strip_prefix(RDFS) {
        return match local {
            "label" => Some(Text::Label(0)),
            "comment" => Some(Text::Definition),
            _ => None,
        };
    }
    if let Some(local) = property.strip_prefix(SKOS) {
        return match local {
            "prefLabel" => Some(Text::Label(0)),
            "altLabel" => Some(Text::Synonym(Scope::Exact)),
            "hiddenLabel" => Some(Text::Synonym(Scope::Other)),
            "definition" => Some(Text::Definition),
            _ => None,
        };
    }
    if let Some(local) = property.strip_prefix(OBO_IN_OWL) {
        return match local {
            "hasExactSynonym" => Some(Text::Synonym(Scope::Exact)),
            "hasNarrowSynonym" => Some(Text::Synonym(Scope::Narrow)),
            "hasBroadSynonym" => Some(Text::Synonym(Scope::Broad)),
            "hasRelatedSynonym" => Some(Text::Synonym(Scope::Related)),
            _ => None,
        };
    }
    match property {
        "http://purl.obolibrary.org/obo/IAO_0000115" => Some(Text::Definition),
        "http://www.w3.org/2002/07/owl#deprecated" => Some(Text::Deprecated),
        _ => None,
    }
}
