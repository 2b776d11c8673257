use std::path::Path;

use crate::choice::choices;

choices! {
    /// The formats that can be read.
    pub enum Format {
        /// One pair a line, separated by a tab
        Tsv = "tsv",
        /// One pair a line, separated by a comma, with quotes where needed
        Csv = "csv",
        /// One pair a line, separated by spaces or tabs
        Spaces = "spaces",
        /// A WordNet dict folder
        WordNet = "wordnet",
        /// Open Biomedical Ontologies
        Obo = "obo",
        /// RDF as Turtle
        Turtle = "turtle",
        /// RDF as N-Triples
        NTriples = "ntriples",
        /// RDF as XML; most .owl files
        RdfXml = "rdfxml",
    }
}

impl Format {
    /// Whether the format is a list of pairs.
    pub(super) fn is_edge_list(self) -> bool {
        matches!(self, Self::Tsv | Self::Csv | Self::Spaces)
    }

    /// Whether the format is RDF in any syntax.
    pub(super) fn is_rdf(self) -> bool {
        matches!(self, Self::Turtle | Self::NTriples | Self::RdfXml)
    }

    /// The format that a file's name tells, without `.gz` or `.zst`.
    pub(crate) fn by_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
        if name == "data.noun" || name == "data.verb" {
            return Some(Self::WordNet);
        }
        match name.rsplit_once('.')?.1 {
            "tsv" | "tab" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            "obo" => Some(Self::Obo),
            "ttl" | "turtle" => Some(Self::Turtle),
            "nt" | "ntriples" => Some(Self::NTriples),
            "rdf" | "rdfxml" => Some(Self::RdfXml),
            _ => None,
        }
    }

    /// The format that the first lines tell. This also decides `.owl` files, which are XML or
    /// Turtle.
    pub(crate) fn by_content(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
        let first = lines.clone().next()?;
        if first.starts_with("format-version:") || lines.clone().any(|line| line == "[Term]") {
            return Some(Self::Obo);
        }
        if first.starts_with("<?xml")
            || first.starts_with("<rdf:RDF")
            || first.starts_with("<!DOCTYPE")
        {
            return Some(Self::RdfXml);
        }
        let line = lines.find(|line| !line.starts_with('#')).unwrap_or(first);
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        if ["@prefix", "@base"].contains(&word)
            || ["PREFIX", "BASE"].iter().any(|key| word.eq_ignore_ascii_case(key))
        {
            return Some(Self::Turtle);
        }
        if (line.starts_with('<') || line.starts_with("_:")) && line.trim_end().ends_with('.') {
            return Some(Self::NTriples);
        }
        let separators = [('\t', Self::Tsv), (',', Self::Csv), (' ', Self::Spaces)];
        separators
            .into_iter()
            .find(|&(separator, _)| line.contains(separator))
            .map(|(_, format)| format)
    }
}

impl Format {
    /// Whether XML is OWL/XML instead of RDF/XML: its root element is `Ontology`.
    pub(crate) fn is_owl_xml(text: &str) -> bool {
        let root = text.split('<').find(|tag| tag.starts_with(|first: char| first.is_alphabetic()));
        root.is_some_and(|root| root.starts_with("Ontology") || root.starts_with("owl:Ontology"))
    }
}
