use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One pair a line, separated by a tab.
    Tsv,
    /// One pair a line, separated by a comma, with quotes where needed.
    Csv,
    /// One pair a line, separated by spaces or tabs.
    Spaces,
    /// A WordNet `dict` folder.
    WordNet,
    /// Open Biomedical Ontologies.
    Obo,
    /// RDF as Turtle.
    Turtle,
    /// RDF as N-Triples.
    NTriples,
    /// RDF as XML; most `.owl` files.
    RdfXml,
}

impl Format {
    /// All formats, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Tsv,
        Self::Csv,
        Self::Spaces,
        Self::WordNet,
        Self::Obo,
        Self::Turtle,
        Self::NTriples,
        Self::RdfXml,
    ];

    /// The name by which `--format` knows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Csv => "csv",
            Self::Spaces => "spaces",
            Self::WordNet => "wordnet",
            Self::Obo => "obo",
            Self::Turtle => "turtle",
            Self::NTriples => "ntriples",
            Self::RdfXml => "rdfxml",
        }
    }

    /// What a file's name says of its format, after `.gz` and `.zst`.
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

    /// What the first lines say of the format. `.owl` files come here too: they are XML or Turtle.
    pub(crate) fn by_content(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
        let first = lines.clone().next()?;
        if first.starts_with("format-version:") || lines.clone().any(|line| line == "[Term]") {
            return Some(Self::Obo);
        }
        if first.starts_with("<?xml") || first.starts_with("<rdf:RDF") || first.starts_with("<!DOCTYPE") {
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
        separators.into_iter().find(|&(separator, _)| line.contains(separator)).map(|(_, format)| format)
    }
}

impl Format {
    /// Whether XML is OWL in its own vocabulary instead of RDF's: its root is `Ontology`.
    pub(crate) fn is_owl_xml(text: &str) -> bool {
        let root = text.split('<').find(|tag| tag.starts_with(|first: char| first.is_alphabetic()));
        root.is_some_and(|root| root.starts_with("Ontology") || root.starts_with("owl:Ontology"))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| format!("no format {name:?}; choose from {names}"))
    }
}
