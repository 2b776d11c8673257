//! What is known of a concept from its names and its definition: the tokens it is found by.

use super::senses::Senses;
use super::space::SPACES;
use super::words::{Word, first_phrase, hash, hash_pair, key, words};

/// What a token stands for. The numbers are part of the file format, through [`hash`].
pub(super) mod kind {
    /// A word of the definition or of a name.
    pub(in crate::place) const WORD: u8 = 1;
    /// The last word of a name.
    pub(in crate::place) const HEAD: u8 = 2;
    /// The last letters of a name of one word.
    pub(in crate::place) const ENDING: u8 = 3;
    /// The genus: what the definition says first that it is.
    pub(in crate::place) const GENUS: u8 = 4;
    /// The last word of the first phrase, known or not.
    pub(in crate::place) const PHRASE: u8 = 5;
    /// Letters of a name that follow one another.
    pub(in crate::place) const LETTERS: u8 = 7;
    /// Whether the name begins with a capital letter.
    pub(in crate::place) const PROPER: u8 = 8;
    /// The first word of the definition.
    pub(in crate::place) const FIRST: u8 = 9;
}

/// Words that say little: they count for nothing between neighbours.
const EMPTY: [&str; 26] = [
    "a", "an", "the", "of", "and", "or", "in", "to", "that", "for", "with", "by", "is", "on", "as",
    "at", "from", "it", "are", "be", "which", "one", "any", "who", "used", "usually",
];

/// What a name and a definition say.
#[derive(Debug, Default, Clone)]
pub(super) struct Profile {
    /// The tokens that neighbours share, ascending, each with its weight.
    pub(super) tokens: Vec<(u64, f32)>,
    /// Everything that the code predictor looks at, ascending, without duplicates.
    pub(super) traits: Vec<u64>,
    /// The letters of the names, three to five in a row, ascending, without duplicates.
    pub(super) letters: Vec<u64>,
    /// The genus, and where it is among the definition's words.
    pub(super) genus: Option<(std::ops::Range<usize>, String)>,
    /// The genus if the first phrase goes on through `and` and `or`; only if it is another one.
    pub(super) second_genus: Option<(std::ops::Range<usize>, String)>,
    /// The key of the first name's last word.
    pub(super) head: String,
    /// Tokens that stand for the group that a concept is in: genus, phrase, head, endings.
    pub(super) groups: [Option<u64>; GROUPS],
    /// Whether the first name begins with a capital letter.
    pub(super) proper: bool,
    /// The words of the definition.
    pub(super) definition: Vec<Word>,
    /// The words of the first name.
    pub(super) name: Vec<Word>,
    /// Where it lies in each space, if that is known.
    pub(super) vectors: [Option<Vec<f32>>; SPACES],
}

/// The number of ways to group concepts: by genus, second genus, last word of the first phrase,
/// last word of the name, and its last five, four and three letters.
pub(super) const GROUPS: usize = 8;

impl Profile {
    /// The profile of a concept with these names, of which the first counts most, and the words of
    /// its definition.
    pub(super) fn new(names: &[&str], definition: Vec<Word>, senses: &Senses) -> Self {
        let mut profile = Self { definition, ..Self::default() };
        profile.add_definition(senses);
        for (at, name) in names.iter().enumerate() {
            profile.add_name(name, at == 0);
        }
        profile.settle();
        profile
    }

    fn add_definition(&mut self, senses: &Senses) {
        let phrase = first_phrase(&self.definition, false);
        let genus = |phrase: &std::ops::Range<usize>| {
            senses
                .ending(&self.definition[phrase.clone()])
                .map(|(range, key)| (phrase.start + range.start..phrase.start + range.end, key))
        };
        self.genus = genus(&phrase);
        let longer = first_phrase(&self.definition, true);
        self.second_genus = genus(&longer)
            .filter(|(_, key)| self.genus.as_ref().is_none_or(|(_, first)| first != key));
        if let Some((_, key)) = &self.genus {
            self.groups[0] = Some(hash(kind::GENUS, key));
        }
        if let Some((_, key)) = &self.second_genus {
            self.groups[1] = Some(hash(kind::GENUS, key));
        }
        if let Some(last) = self.definition[phrase].last() {
            self.groups[2] = Some(hash(kind::PHRASE, &last.text));
        }
        if let Some(first) = self.definition.first() {
            self.traits.push(hash(kind::FIRST, &first.text));
        }
        let mut before = None;
        for word in &self.definition {
            let token = hash(kind::WORD, &word.text);
            self.traits.push(token);
            if let Some(before) = before {
                self.traits.push(hash_pair(before, token));
            }
            before = Some(token);
            if !EMPTY.contains(&word.text.as_str()) {
                self.tokens.push((token, 1.0));
            }
        }
        for (group, weight) in [(0, 1.5), (1, 0.7), (2, 0.7)] {
            self.tokens.extend(self.groups[group].map(|token| (token, weight)));
        }
        self.traits.extend(self.groups.iter().take(3).flatten());
    }

    /// The words of the definition that tell something, without those of the name.
    pub(super) fn told(&self) -> Vec<(u64, f32)> {
        let says = |word: &&Word| {
            !EMPTY.contains(&word.text.as_str())
                && self.name.iter().all(|other| other.text != word.text)
        };
        let told = self.definition.iter().filter(says);
        let mut tokens: Vec<u64> = told.map(|word| hash(kind::WORD, &word.text)).collect();
        tokens.sort_unstable();
        tokens.dedup();
        tokens.into_iter().map(|token| (token, 1.0)).collect()
    }

    fn add_name(&mut self, name: &str, first: bool) {
        let words = words(name);
        let Some(last) = words.last() else { return };
        for word in &words {
            let token = hash(kind::WORD, &word.text);
            self.tokens.push((token, if first { 1.0 } else { 0.5 }));
            self.traits.push(hash(kind::LETTERS, &word.text));
        }
        let head = hash(kind::HEAD, &last.text);
        self.tokens.push((head, 1.0));
        self.traits.push(head);
        let endings = [5, 4, 3].map(|length| (length, ending(&last.text, length)));
        for (at, (length, ending)) in endings.into_iter().enumerate() {
            let Some(ending) = ending else { continue };
            let token = hash(kind::ENDING, ending);
            if words.len() == 1 && length > 3 {
                self.tokens.push((token, 0.5));
            }
            self.traits.push(token);
            if first {
                self.groups[4 + at] = Some(token);
            }
        }
        letters(&words, &mut self.letters);
        if first {
            self.proper = name.chars().next().is_some_and(char::is_uppercase);
            self.traits.push(hash(kind::PROPER, if self.proper { "yes" } else { "no" }));
            self.groups[3] = (words.len() > 1).then_some(head);
            self.groups[7] = self.groups[0].map(|genus| {
                hash_pair(genus, hash(kind::PROPER, if self.proper { "yes" } else { "no" }))
            });
            self.head = key(&words[words.len() - 1..]);
            self.name = words;
        }
    }

    /// Adds up the weights of equal tokens.
    fn settle(&mut self) {
        self.tokens.extend(self.groups[7].map(|token| (token, 0.5)));
        self.tokens.sort_unstable_by_key(|&(token, _)| token);
        self.tokens.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        self.traits.extend_from_slice(&self.letters);
        for list in [&mut self.traits, &mut self.letters] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

/// The last letters of a word that is longer than that.
fn ending(word: &str, length: usize) -> Option<&str> {
    let (at, _) = word.char_indices().rev().nth(length - 1)?;
    (at > 0).then(|| &word[at..])
}

/// The letters of a name in threes, fours and fives, with its ends marked.
fn letters(words: &[Word], into: &mut Vec<u64>) {
    let name: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let name: String = format!("^{}$", name.join(" ")).chars().take(60).collect();
    let starts: Vec<usize> = name.char_indices().map(|(at, _)| at).chain([name.len()]).collect();
    for length in 3..=5 {
        for bounds in starts.windows(length + 1) {
            into.push(hash(kind::LETTERS, &name[bounds[0]..bounds[length]]));
        }
    }
}
