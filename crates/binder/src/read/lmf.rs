use std::collections::HashMap;

use super::collect::Collector;
use super::text::Text;
use super::xml::{self, Piece, Tag};
use super::{Format, Problem, ReadError};
use crate::hierarchy::{Reading, Scope};

/// Reads a wordnet in WN-LMF, the format of Open English WordNet and of the wordnets of its family:
/// its nouns, or its verbs on request. A concept's name is the id of its synset; its label is its
/// lemmas.
pub(super) fn read(text: Text<'_>, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    let part = if collector.options.verbs { "v" } else { "n" };
    let mut wordnet = WordNet::new(collector, part);
    xml::for_each(text, Format::Lmf, |piece| wordnet.add(piece))?;
    let others = wordnet.others;
    wordnet.finish().map_err(|problem| ReadError::of(&file, problem))?;
    collector.reading = Reading::new(Format::Lmf, "a synset", "the target of its hypernym");
    if others > 0 {
        let note = format!("{others} synsets of other parts of speech left out");
        collector.reading.note(note);
    }
    Ok(())
}

struct WordNet<'c, 'o> {
    collector: &'c mut Collector<'o>,
    part: &'static str,
    /// The lemma of the open entry, and of each entry by its id.
    lemma: String,
    /// The lemmas of each synset, in the order of its senses' entries.
    lemmas: HashMap<String, Vec<String>>,
    /// The lemma of each sense and entry, for synsets that list their members.
    by_id: HashMap<String, String>,
    /// The members of each synset, in its own order.
    members: Vec<(String, Vec<String>)>,
    /// Pairs of synsets, which may come before the synset.
    pairs: Vec<(String, String)>,
    synset: Option<String>,
    in_definition: bool,
    text: String,
    others: usize,
    has_root: bool,
}

impl<'c, 'o> WordNet<'c, 'o> {
    fn new(collector: &'c mut Collector<'o>, part: &'static str) -> Self {
        Self {
            collector,
            part,
            lemma: String::new(),
            lemmas: HashMap::new(),
            by_id: HashMap::new(),
            members: Vec::new(),
            pairs: Vec::new(),
            synset: None,
            in_definition: false,
            text: String::new(),
            others: 0,
            has_root: false,
        }
    }

    fn add(&mut self, piece: Piece<'_>) -> Result<(), Problem> {
        match piece {
            Piece::Start(tag) => self.start(&tag),
            Piece::Text(text) => {
                if self.in_definition {
                    self.text.push_str(text);
                }
                Ok(())
            }
            Piece::End("Definition") => {
                self.in_definition = false;
                let Some(synset) = &self.synset else { return Ok(()) };
                let concept = self.collector.concept(synset)?;
                self.collector.definition(concept, &self.text);
                Ok(())
            }
            Piece::End("Synset") => {
                self.synset = None;
                Ok(())
            }
            Piece::End(_) => Ok(()),
        }
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), Problem> {
        let need = |name| tag.need(name, Format::Lmf);
        match tag.name {
            "LexicalResource" => self.has_root = true,
            other if !self.has_root => {
                let message = format!("<{other}> where <LexicalResource> was expected");
                return Err(xml::syntax(Format::Lmf, message));
            }
            "LexicalEntry" => self.lemma.clear(),
            "Lemma" => need("writtenForm")?.clone_into(&mut self.lemma),
            "Sense" => {
                let synset = need("synset")?.to_owned();
                if let Some(id) = tag.get("id") {
                    self.by_id.insert(id.to_owned(), self.lemma.clone());
                }
                self.lemmas.entry(synset).or_default().push(self.lemma.clone());
            }
            "Synset" => self.synset(tag)?,
            "SynsetRelation" => {
                let relation = need("relType")?;
                let is_parent = ["hypernym", "instance_hypernym"].contains(&relation);
                if let Some(synset) = self.synset.as_ref().filter(|_| is_parent) {
                    self.pairs.push((synset.clone(), need("target")?.to_owned()));
                }
            }
            "Definition" => {
                self.in_definition = self.synset.is_some();
                self.text.clear();
            }
            _ => {}
        }
        Ok(())
    }

    fn synset(&mut self, tag: &Tag<'_>) -> Result<(), Problem> {
        let id = tag.need("id", Format::Lmf)?;
        if tag.get("partOfSpeech").is_some_and(|part| part != self.part) {
            self.others += 1;
            return Ok(());
        }
        self.collector.concept(id)?;
        let members = tag.get("members").unwrap_or_default();
        let members = members.split_ascii_whitespace().map(str::to_owned).collect();
        self.members.push((id.to_owned(), members));
        self.synset = Some(id.to_owned());
        Ok(())
    }

    /// Hands over what only the whole file tells.
    fn finish(self) -> Result<(), Problem> {
        for (child, parent) in &self.pairs {
            self.collector.pair(child, parent)?;
        }
        for (synset, members) in &self.members {
            let mut lemmas: Vec<&str> =
                members.iter().filter_map(|id| self.by_id.get(id)).map(String::as_str).collect();
            if lemmas.is_empty() {
                let known = self.lemmas.get(synset).into_iter().flatten();
                lemmas = known.map(String::as_str).collect();
            }
            let concept = self.collector.concept(synset)?;
            self.collector.label(concept, &lemmas.join(", "));
            for lemma in lemmas {
                self.collector.synonym(concept, lemma, Scope::Exact);
            }
        }
        Ok(())
    }
}
