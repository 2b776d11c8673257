use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::text::Text;
use super::{Format, Problem, ReadError, ReadOptions};
use crate::hierarchy::{Hierarchy, HierarchyBuilder, Scope};
use crate::progress::Progress;

/// Reads the nouns or the verbs of a WordNet `dict` folder, as wndb(5WN) describes it.
///
/// A path to `data.noun` or `data.verb` means that file and the index next to it. From a folder the
/// nouns are read, or the verbs on request.
pub(super) fn read(
    path: &Path,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Hierarchy, ReadError> {
    let shown = path.display().to_string();
    options.check(Format::WordNet, &shown)?;
    if let Some(what) = unsuitable(path, options) {
        return Err(ReadError::of(&shown, Problem::Unsuitable(what)));
    }
    let (folder, part) = folder_and_part(path, options.verbs);
    let open = |kind: &str| match find(folder, kind, part) {
        Some(file) => Text::open(&file, options, progress),
        None => {
            let what = format!(
                "no {kind}.{} in this folder; a WordNet folder has data.noun and index.noun",
                part.name()
            );
            Err(ReadError::of(&shown, Problem::Unsuitable(what)))
        }
    };
    let senses = read_index(open("index")?)?;
    let data = open("data")?;
    let file = data.file().to_owned();
    let synsets = read_data(data)?;
    let builder = link(&synsets, &senses, part, &file)?;
    builder.build(options.cycles).map_err(|cycle| ReadError::of(&shown, cycle))
}

/// Why the path cannot be read as WordNet, without reading anything. A file of another name does
/// not stand for its folder, and no other format is a folder.
fn unsuitable(path: &Path, options: &ReadOptions) -> Option<String> {
    match options.format {
        Some(format) if path.is_dir() && format != Format::WordNet => {
            Some(format!("this is a folder, and {format} is a file; give the file"))
        }
        _ if path.is_dir() || Format::by_name(path) == Some(Format::WordNet) => None,
        _ => Some(super::NOT_A_FOLDER.to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Noun,
    Verb,
}

impl Part {
    fn name(self) -> &'static str {
        if self == Self::Noun { "noun" } else { "verb" }
    }

    fn letter(self) -> &'static str {
        &self.name()[..1]
    }
}

fn folder_and_part(path: &Path, verbs: bool) -> (&Path, Part) {
    let is_verb_file =
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("data.verb"));
    let part = if verbs || is_verb_file { Part::Verb } else { Part::Noun };
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    (folder, part)
}

/// The file of a kind, compressed or not.
fn find(folder: &Path, kind: &str, part: Part) -> Option<PathBuf> {
    ["", ".gz", ".zst"]
        .map(|extension| folder.join(format!("{kind}.{}{extension}", part.name())))
        .into_iter()
        .find(|file| file.is_file())
}

/// The senses of each lemma: offsets of its synsets, the most frequent first.
type Senses = HashMap<String, Vec<u32>>;

struct Synset {
    offset: u32,
    lemmas: Vec<String>,
    hypernyms: Vec<u32>,
    gloss: String,
    line: u64,
}

/// Index lines are `lemma pos synset_cnt p_cnt [symbol…] sense_cnt tagsense_cnt offset…`.
fn read_index(text: Text<'_>) -> Result<Senses, ReadError> {
    let mut senses = Senses::new();
    each_entry(text, |mut fields| {
        let lemma = fields.text("a lemma")?.to_owned();
        fields.text("a part of speech")?;
        let synsets = fields.number("the number of synsets", 10)?;
        let symbols = fields.number("the number of pointer symbols", 10)?;
        fields.skip(symbols.saturating_add(2), "pointer symbols and counts")?;
        let offsets =
            (0..synsets).map(|_| fields.number("a synset offset", 10)).collect::<Result<_, _>>()?;
        senses.insert(lemma, offsets);
        Ok(())
    })?;
    Ok(senses)
}

/// Data lines are `offset file type w_cnt [word id]… p_cnt [symbol offset pos source]… … | gloss`.
fn read_data(text: Text<'_>) -> Result<Vec<Synset>, ReadError> {
    let mut synsets = Vec::new();
    each_entry(text, |mut fields| {
        let offset = fields.number("a synset offset", 10)?;
        fields.skip(2, "a lexicographer file and a synset type")?;
        let mut lemmas = Vec::new();
        for _ in 0..fields.number("the number of words", 16)? {
            lemmas.push(fields.text("a word")?.to_owned());
            fields.text("a lexical id")?;
        }
        let mut hypernyms = Vec::new();
        for _ in 0..fields.number("the number of pointers", 10)? {
            let symbol = fields.text("a pointer symbol")?;
            let to = fields.number("a pointer's offset", 10)?;
            fields.skip(2, "a pointer's part of speech and source")?;
            if symbol == "@" || symbol == "@i" {
                hypernyms.push(to);
            }
        }
        let gloss = fields.gloss.trim().to_owned();
        synsets.push(Synset { offset, lemmas, hypernyms, gloss, line: fields.line });
        Ok(())
    })?;
    Ok(synsets)
}

/// Calls `each` with the fields of every line. Lines that start with a space are the licence and
/// are skipped.
fn each_entry(
    text: Text<'_>,
    mut each: impl FnMut(Fields<'_>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let file = text.file().to_owned();
    text.for_each_line(|line, entry| {
        if entry.starts_with(' ') || entry.is_empty() {
            return Ok(());
        }
        let (entry, gloss) = entry.split_once(" | ").unwrap_or((entry, ""));
        each(Fields { entry, fields: entry.split_ascii_whitespace(), gloss, file: &file, line })
    })
}

/// The fields of a line, read one by one. Errors say which field is missing or wrong.
struct Fields<'l> {
    entry: &'l str,
    fields: std::str::SplitAsciiWhitespace<'l>,
    /// What follows the fields: the definition and examples.
    gloss: &'l str,
    file: &'l str,
    line: u64,
}

impl<'l> Fields<'l> {
    fn text(&mut self, what: &str) -> Result<&'l str, ReadError> {
        self.fields
            .next()
            .ok_or_else(|| self.error(self.entry.len(), &format!("the line ends before {what}")))
    }

    fn number(&mut self, what: &str, radix: u32) -> Result<u32, ReadError> {
        let field = self.text(what)?;
        let byte = field.as_ptr() as usize - self.entry.as_ptr() as usize;
        u32::from_str_radix(field, radix)
            .map_err(|_| self.error(byte, &format!("{field:?} is not {what}")))
    }

    fn skip(&mut self, count: u32, what: &str) -> Result<(), ReadError> {
        (0..count).try_for_each(|_| self.text(what).map(drop))
    }

    fn error(&self, byte: usize, message: &str) -> ReadError {
        let column = self.entry[..byte].chars().count() as u64 + 1;
        ReadError::at(self.file, self.line, Some(column), syntax(message))
    }
}

fn syntax(message: &str) -> Problem {
    Problem::Syntax { format: Format::WordNet, message: message.to_owned() }
}

/// The place of a synset among the senses of a lemma, from 1; 0 if the index does not list it.
fn sense_of(lemma: &str, offset: u32, senses: &Senses) -> u32 {
    let offsets = senses.get(&lemma.to_lowercase());
    let place = offsets.and_then(|offsets| offsets.iter().position(|&other| other == offset));
    place.and_then(|place| u32::try_from(place + 1).ok()).unwrap_or(0)
}

/// Names every synset as NLTK does and links it to its hypernyms.
///
/// NLTK's name is the first lemma in lower case, the part of speech, and the number of the sense:
/// `dog.n.01` is the first synset that the index lists under `dog`.
fn link(
    synsets: &[Synset],
    senses: &Senses,
    part: Part,
    file: &str,
) -> Result<HierarchyBuilder, ReadError> {
    let mut builder = HierarchyBuilder::default();
    let mut concepts = HashMap::with_capacity(synsets.len());
    for synset in synsets {
        let at = |problem: Problem| ReadError::at(file, synset.line, None, problem);
        let lemma = synset
            .lemmas
            .first()
            .ok_or_else(|| at(syntax("a synset without a word")))?
            .to_lowercase();
        let sense =
            senses.get(&lemma).and_then(|offsets| offsets.iter().position(|&o| o == synset.offset));
        let sense = sense.ok_or_else(|| {
            at(syntax(&format!("the index does not list this synset under {lemma:?}")))
        })?;
        let name = format!("{lemma}.{}.{:02}", part.letter(), sense + 1);
        let concept = builder.concept(&name).map_err(|error| at(error.into()))?;
        builder.label(concept, &synset.lemmas.join(", ").replace('_', " "));
        builder.definition(concept, &synset.gloss);
        for lemma in &synset.lemmas {
            let rank = sense_of(lemma, synset.offset, senses);
            builder.ranked_synonym(concept, &lemma.replace('_', " "), Scope::Exact, rank);
        }
        if concepts.insert(synset.offset, concept).is_some() {
            return Err(at(syntax(&format!("the synset {:08} occurs twice", synset.offset))));
        }
    }
    for synset in synsets {
        for hypernym in &synset.hypernyms {
            let parent = concepts.get(hypernym).ok_or_else(|| {
                let what =
                    format!("a pointer to {hypernym:08}, which is not a synset of this file");
                ReadError::at(file, synset.line, None, syntax(&what))
            })?;
            builder.link(concepts[&synset.offset], *parent);
        }
    }
    Ok(builder)
}
