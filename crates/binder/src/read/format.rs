use std::path::Path;

use super::{json, outline, paths, table, unpack};
use crate::choice::choices;

choices! {
    /// The formats that can be read.
    pub enum Format {
        /// A table with tabs between its columns, without quotes
        Tsv = "tsv",
        /// A table with a comma, semicolon, tab or pipe between its columns, with quotes where
        /// needed
        Csv = "csv",
        /// A table with spaces or tabs between its columns
        Spaces = "spaces",
        /// A path from the root on each line, such as Animals > Pets > Dogs
        Paths = "paths",
        /// A name on each line, indented below its parent; Markdown lists
        Outline = "outline",
        /// A table as a Parquet file
        Parquet = "parquet",
        /// A table as an Arrow or Feather file
        Arrow = "arrow",
        /// A tree, records or a graph as JSON
        Json = "json",
        /// A JSON record on each line
        JsonLines = "jsonl",
        /// A graph as GraphML
        GraphMl = "graphml",
        /// A graph in Graphviz's DOT
        Dot = "dot",
        /// Trees in Newick form
        Newick = "newick",
        /// A WordNet dict folder
        WordNet = "wordnet",
        /// A wordnet as WN-LMF
        Lmf = "lmf",
        /// Open Biomedical Ontologies
        Obo = "obo",
        /// An OBO graph as JSON
        ObographJson = "obograph",
        /// OWL in its functional syntax
        Functional = "functional",
        /// OWL as XML that is not RDF
        OwlXml = "owlxml",
        /// RDF as Turtle
        Turtle = "turtle",
        /// RDF as N-Triples
        NTriples = "ntriples",
        /// RDF as N-Quads
        NQuads = "nquads",
        /// RDF as TriG
        TriG = "trig",
        /// RDF as N3
        N3 = "n3",
        /// RDF as XML; most .owl files
        RdfXml = "rdfxml",
        /// RDF as JSON-LD
        JsonLd = "jsonld",
    }
}

impl Format {
    /// Whether the format is a text of rows.
    pub(super) fn is_edge_list(self) -> bool {
        matches!(self, Self::Tsv | Self::Csv | Self::Spaces)
    }

    /// Whether the format has columns, or keys that stand for them.
    pub(super) fn is_table(self) -> bool {
        self.is_edge_list()
            || matches!(self, Self::Parquet | Self::Arrow | Self::Json | Self::JsonLines)
    }

    /// Whether the place of a name is what says its parent.
    pub(super) fn is_tree(self) -> bool {
        matches!(self, Self::Paths | Self::Outline | Self::Json | Self::Newick)
    }

    /// Whether the format has edges with two ends.
    pub(super) fn is_graph(self) -> bool {
        matches!(self, Self::GraphMl | Self::Dot)
    }

    /// Whether the format has relations with names.
    pub(super) fn is_ontology(self) -> bool {
        matches!(self, Self::Obo | Self::ObographJson) || self.is_rdf()
    }

    /// Whether the format is RDF in any syntax.
    pub(super) fn is_rdf(self) -> bool {
        matches!(
            self,
            Self::Turtle
                | Self::NTriples
                | Self::NQuads
                | Self::TriG
                | Self::N3
                | Self::RdfXml
                | Self::JsonLd
        )
    }

    /// Whether texts have languages and properties.
    pub(super) fn has_languages(self) -> bool {
        self.is_rdf() || matches!(self, Self::Functional | Self::OwlXml)
    }

    /// The format that a file's name tells, without the ending of a compression.
    pub(crate) fn by_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let packed = |ending: &&str| name.strip_suffix(*ending)?.strip_suffix('.');
        let name = unpack::ENDINGS.iter().find_map(packed).unwrap_or(&name);
        if name == "data.noun" || name == "data.verb" {
            return Some(Self::WordNet);
        }
        match name.rsplit_once('.')?.1 {
            "tsv" | "tab" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            "edges" | "edgelist" => Some(Self::Spaces),
            "paths" => Some(Self::Paths),
            "md" | "markdown" | "outline" => Some(Self::Outline),
            "parquet" => Some(Self::Parquet),
            "arrow" | "feather" => Some(Self::Arrow),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "graphml" => Some(Self::GraphMl),
            "dot" | "gv" => Some(Self::Dot),
            "newick" | "nwk" | "tree" => Some(Self::Newick),
            "obo" => Some(Self::Obo),
            "ofn" => Some(Self::Functional),
            "owx" => Some(Self::OwlXml),
            "ttl" | "turtle" => Some(Self::Turtle),
            "nt" | "ntriples" => Some(Self::NTriples),
            "nq" | "nquads" => Some(Self::NQuads),
            "trig" => Some(Self::TriG),
            "n3" => Some(Self::N3),
            "rdf" | "rdfxml" => Some(Self::RdfXml),
            "jsonld" => Some(Self::JsonLd),
            _ => None,
        }
    }

    /// The format that the structure of the first lines tells beyond doubt.
    pub(crate) fn by_structure(text: &str) -> Option<Self> {
        let start = text.trim_start();
        if start.starts_with('{') || start.starts_with('[') {
            return Self::by_json(start);
        }
        if start.starts_with("<?xml") || start.starts_with("<!DOCTYPE") || start.starts_with("<!--")
        {
            return Some(Self::by_root(start));
        }
        let root = root_element(start)?;
        let is_start = start.starts_with(&format!("<{root}"));
        is_start.then(|| Self::known_root(root)).flatten()
    }

    /// What kind of JSON a text is, if it is JSON.
    fn by_json(start: &str) -> Option<Self> {
        let next = start[1..].trim_start().chars().next();
        let is_json = match next {
            None | Some('"' | '}' | '[' | '{' | ']') => true,
            Some(c) => start.starts_with('[') && (c.is_ascii_digit() || c == '-'),
        };
        let is_term = start.starts_with("[Term]") || start.starts_with("[Typedef]");
        if !is_json || is_term {
            return None;
        }
        let has = |key: &str| start.contains(key);
        Some(if has("\"@context\"") || has("\"@graph\"") || has("\"@id\"") {
            Self::JsonLd
        } else if has("\"graphs\"") && start.starts_with('{') {
            Self::ObographJson
        } else if json::is_like_lines(start) {
            Self::JsonLines
        } else {
            Self::Json
        })
    }

    /// The format of XML by its root element.
    fn by_root(text: &str) -> Self {
        root_element(text).and_then(Self::known_root).unwrap_or(Self::RdfXml)
    }

    fn known_root(root: &str) -> Option<Self> {
        match root.rsplit_once(':').map_or(root, |(_, local)| local) {
            "RDF" => Some(Self::RdfXml),
            "Ontology" => Some(Self::OwlXml),
            "graphml" => Some(Self::GraphMl),
            "LexicalResource" => Some(Self::Lmf),
            _ => None,
        }
    }

    /// The format that the first lines tell. This also decides `.owl` files, which are XML or
    /// Turtle or functional syntax.
    pub(crate) fn by_content(text: &str) -> Option<Self> {
        if let Some(format) = Self::by_structure(text) {
            return Some(format);
        }
        let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
        let first = lines.clone().next()?;
        if first.starts_with("format-version:") || lines.clone().any(|line| line == "[Term]") {
            return Some(Self::Obo);
        }
        let line = lines.find(|line| !line.starts_with('#')).unwrap_or(first);
        if line.starts_with("Prefix(") || line.starts_with("Ontology(") {
            return Some(Self::Functional);
        }
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        if ["@prefix", "@base"].contains(&word)
            || ["PREFIX", "BASE"].iter().any(|key| word.eq_ignore_ascii_case(key))
        {
            return Some(Self::Turtle);
        }
        if (line.starts_with('<') || line.starts_with("_:")) && line.trim_end().ends_with('.') {
            return Some(by_terms(line));
        }
        if is_dot(text) {
            return Some(Self::Dot);
        }
        if is_newick(text) {
            return Some(Self::Newick);
        }
        Self::by_lines(text, line)
    }

    /// Which of the formats without a grammar a text is.
    fn by_lines(text: &str, line: &str) -> Option<Self> {
        if paths::is_like(text) {
            return Some(Self::Paths);
        }
        if line.contains('\t') {
            return Some(Self::Tsv);
        }
        if line.contains(char::from(table::sniff(text))) {
            return Some(Self::Csv);
        }
        if outline::is_like(text) {
            return Some(Self::Outline);
        }
        line.contains(' ').then_some(Self::Spaces)
    }
}

/// Whether a text begins with a keyword of DOT, after comments, and has a bracket.
fn is_dot(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest.split_once('\n')
        } else {
            None
        };
        let Some((_, after)) = after else { break };
        rest = after.trim_start();
    }
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let keywords = ["digraph", "graph", "strict"];
    let is_keyword = keywords.iter().any(|key| word.eq_ignore_ascii_case(key));
    is_keyword && rest.lines().take(3).any(|line| line.contains('{'))
}

/// Whether a text begins with a bracket, after comments, and has a semicolon.
fn is_newick(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|comment| comment.split_once(']'))
    {
        rest = after.trim_start();
    }
    rest.starts_with('(') && rest.contains(';')
}

/// N-Triples or N-Quads: whether a fourth term stands before the full stop.
fn by_terms(line: &str) -> Format {
    let before = line.trim_end().trim_end_matches('.').trim_end();
    let is_quad = before.ends_with('>')
        && before.rfind('<').is_some_and(|start| {
            let three = before[..start].trim_end();
            let has_object = three.ends_with(['>', '"'])
                || three.rsplit(char::is_whitespace).next().is_some_and(|t| t.starts_with("_:"));
            has_object && terms(three) >= 3
        });
    if is_quad { Format::NQuads } else { Format::NTriples }
}

/// How many terms stand on a line: texts in quotes count as one.
fn terms(line: &str) -> usize {
    let mut in_quotes = false;
    let mut count = 0;
    let mut was_space = true;
    for character in line.chars() {
        in_quotes ^= character == '"';
        let is_space = character.is_whitespace() && !in_quotes;
        count += usize::from(was_space && !is_space);
        was_space = is_space;
    }
    count
}

/// The name of the first element of XML.
fn root_element(text: &str) -> Option<&str> {
    let tag = text.split('<').skip(1).find(|tag| tag.starts_with(|c: char| c.is_alphabetic()))?;
    let end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/');
    end.map(|end| &tag[..end])
}
