//! A text as tokens of a vocabulary: words, or the longest known pieces of them.
//!
//! ```text
//! "Zorses, café"  →  [CLS] zo ##rse ##s , cafe [SEP]
//! ```
//!
//! Words end at white space; punctuation and Chinese characters are words of their own. In lower
//! case, letters lose their accents. A word that cannot be put together of pieces is `[UNK]`. Other
//! programs take `[SEP]` in a text for the token; here a text is only a text.

use std::collections::HashMap as Map;
use std::path::Path;

use hashbrown::HashMap;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::config::{json, json_if_any};
use super::{EncoderError, read};

/// A longer word is not known.
const LONGEST_WORD: usize = 100;

/// What pieces begin with that do not begin a word.
const INSIDE: &str = "##";

/// A vocabulary, and how texts are made ready for it.
#[derive(Debug)]
pub(super) struct Wordpieces {
    numbers: HashMap<String, u32>,
    /// `[CLS]`, `[SEP]` and `[UNK]`.
    first: u32,
    last: u32,
    unknown: u32,
    lower_case: bool,
    strip_accents: bool,
    /// The most tokens of a text.
    longest: usize,
}

/// What is used of `tokenizer_config.json`.
#[derive(Debug, Default, Deserialize)]
struct Settings {
    do_lower_case: Option<bool>,
    strip_accents: Option<bool>,
}

/// What is used of `tokenizer.json`.
#[derive(Debug, Deserialize)]
struct Tokenizer {
    normalizer: Option<Normalizer>,
    model: TokenizerModel,
}

#[derive(Debug, Deserialize)]
struct Normalizer {
    lowercase: Option<bool>,
    strip_accents: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct TokenizerModel {
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Only those of pieces are numbered.
    vocab: serde_json::Value,
}

impl Wordpieces {
    pub(super) fn read(folder: &Path, longest: usize) -> Result<Self, EncoderError> {
        let settings: Option<Settings> = json_if_any(&folder.join("tokenizer_config.json"))?;
        let mut settings = settings.unwrap_or_default();
        let file = folder.join("vocab.txt");
        if file.exists() {
            let text = String::from_utf8(read(&file)?).map_err(|_| wrong(&file, "not UTF-8"))?;
            let tokens = text.lines().map(str::to_owned).zip(0..).collect();
            return Self::new(&file, tokens, &settings, longest);
        }
        let file = folder.join("tokenizer.json");
        if !file.exists() {
            return Err(wrong(folder, "neither vocab.txt nor tokenizer.json is there"));
        }
        let Tokenizer { normalizer, model } = json(&file)?;
        if model.kind.is_some_and(|kind| kind != "WordPiece") {
            return Err(wrong(&file, "not a tokenizer of word pieces"));
        }
        if let Some(normalizer) = normalizer {
            settings.do_lower_case = normalizer.lowercase.or(settings.do_lower_case);
            settings.strip_accents = normalizer.strip_accents.or(settings.strip_accents);
        }
        let tokens: Result<Map<String, u32>, _> = serde_json::from_value(model.vocab);
        let tokens = tokens.map_err(|error| wrong(&file, &format!("model.vocab: {error}")))?;
        Self::new(&file, tokens.into_iter().collect(), &settings, longest)
    }

    fn new(
        file: &Path,
        tokens: Vec<(String, u32)>,
        settings: &Settings,
        longest: usize,
    ) -> Result<Self, EncoderError> {
        let count = tokens.len();
        let numbers: HashMap<String, u32> = tokens.into_iter().collect();
        if numbers.len() != count {
            return Err(wrong(file, "a token occurs twice"));
        }
        if numbers.values().any(|&number| number as usize >= count) {
            return Err(wrong(file, "tokens are not numbered from 0 on"));
        }
        let special = |token: &str| {
            let number = numbers.get(token).copied();
            number.ok_or_else(|| wrong(file, &format!("the token {token} is missing")))
        };
        let lower_case = settings.do_lower_case.unwrap_or(true);
        Ok(Self {
            first: special("[CLS]")?,
            last: special("[SEP]")?,
            unknown: special("[UNK]")?,
            lower_case,
            strip_accents: settings.strip_accents.unwrap_or(lower_case),
            longest,
            numbers,
        })
    }

    /// How many tokens the vocabulary has.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// A checksum of the vocabulary and of how it is used.
    pub(super) fn checksum(&self) -> u32 {
        let mut tokens: Vec<(&String, &u32)> = self.numbers.iter().collect();
        tokens.sort_unstable_by_key(|(_, number)| **number);
        let mut checksum = crc32fast::Hasher::new();
        for (token, _) in tokens {
            checksum.update(token.as_bytes());
            checksum.update(b"\n");
        }
        checksum.update(&[u8::from(self.lower_case), u8::from(self.strip_accents)]);
        checksum.update(&(self.longest as u64).to_le_bytes());
        checksum.finalize()
    }

    /// The tokens of a text, between the first and the last one.
    pub(super) fn of(&self, text: &str) -> Vec<u32> {
        let mut tokens = vec![self.first];
        let room = self.longest - 1;
        for word in words(&self.normal(text)) {
            if tokens.len() >= room {
                break;
            }
            self.add_pieces(word, &mut tokens);
        }
        tokens.truncate(room);
        tokens.push(self.last);
        tokens
    }

    /// The text without control characters, with spaces around Chinese characters, and in lower
    /// case without accents if so wanted.
    fn normal(&self, text: &str) -> String {
        // A token has at least one character, apart from those that are left out.
        let mut spaced = String::with_capacity(text.len());
        for letter in text.chars().filter(|&letter| !is_control(letter)) {
            match letter {
                letter if letter.is_whitespace() => spaced.push(' '),
                letter if is_chinese(letter) => spaced.extend([' ', letter, ' ']),
                letter => spaced.push(letter),
            }
        }
        if self.strip_accents {
            let is_accent =
                |letter: &char| letter.general_category() == GeneralCategory::NonspacingMark;
            spaced = spaced.nfd().filter(|letter| !is_accent(letter)).collect();
        }
        if self.lower_case { spaced.chars().flat_map(char::to_lowercase).collect() } else { spaced }
    }

    /// Adds the longest known pieces of a word, from its start on.
    fn add_pieces(&self, word: &str, tokens: &mut Vec<u32>) {
        let before = tokens.len();
        let mut rest = word;
        let mut piece = String::new();
        if word.chars().count() > LONGEST_WORD {
            return tokens.push(self.unknown);
        }
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
            let ends: Vec<usize> = ends.collect();
            let found = ends.iter().rev().find_map(|&end| {
                piece.clear();
                piece.push_str(if rest.len() < word.len() { INSIDE } else { "" });
                piece.push_str(&rest[..end]);
                Some((end, *self.numbers.get(&piece)?))
            });
            let Some((end, number)) = found else {
                tokens.truncate(before);
                return tokens.push(self.unknown);
            };
            tokens.push(number);
            rest = &rest[end..];
        }
    }
}

/// Words and single signs.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').flat_map(|part| {
        part.split_inclusive(is_sign).flat_map(|part| {
            let sign = part.chars().next_back().filter(|&letter| is_sign(letter));
            let (word, sign) = part.split_at(part.len() - sign.map_or(0, char::len_utf8));
            [word, sign].into_iter().filter(|part| !part.is_empty())
        })
    })
}

fn is_sign(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || letter.general_category_group() == GeneralCategoryGroup::Punctuation
}

fn is_control(letter: char) -> bool {
    let other = || letter.general_category_group() == GeneralCategoryGroup::Other;
    match letter {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        letter => !letter.is_ascii_graphic() && other(),
    }
}

/// The blocks of Chinese characters.
fn is_chinese(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x3400..=0x4dbf
            | 0x4e00..=0x9fff
            | 0xf900..=0xfaff
            | 0x2_0000..=0x2_a6df
            | 0x2_a700..=0x2_ceaf
            | 0x2_f800..=0x2_fa1f
    )
}

fn wrong(file: &Path, problem: &str) -> EncoderError {
    EncoderError::Vocabulary { file: file.to_owned(), problem: problem.to_owned() }
}
