//! From a text to words: lower case, without plural endings, and with what punctuation tells.

/// Words beyond this many are not looked at: no definition needs them, and a text of a megabyte
/// must not take longer than a sentence.
pub(super) const MOST_WORDS: usize = 300;

/// A word is cut to so many bytes: what is longer is no word.
const LONGEST_WORD: usize = 64;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case, in the singular as far as [`singular`] knows it.
    pub(super) text: String,
    /// Whether punctuation that ends a phrase stands before it: `, ; : .` or a dash.
    pub(super) after_break: bool,
    /// Whether it stands in parentheses.
    pub(super) aside: bool,
}

/// The words of a text, the first [`MOST_WORDS`] of them.
///
/// `dogs (large), or a cat` gives `dog`, `large` (aside), `or` (after a break), `a`, `cat`.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut current = String::new();
    let (mut after_break, mut depth) = (false, 0u32);
    let mut previous = ' ';
    for letter in text.chars().chain([' ']) {
        if letter.is_alphanumeric() {
            // A hump begins a new word: LivingThing.
            if letter.is_uppercase() && previous.is_lowercase() {
                finish(&mut current, &mut words, &mut after_break, depth);
            }
            if current.len() < LONGEST_WORD {
                current.extend(letter.to_lowercase());
            }
        } else if !(letter == '\'' && previous.is_alphanumeric()) {
            finish(&mut current, &mut words, &mut after_break, depth);
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' | ';' | ':' | '.' | '–' | '—' => after_break = true,
                _ => {}
            }
        }
        if words.len() == MOST_WORDS {
            break;
        }
        previous = letter;
    }
    words
}

fn finish(current: &mut String, words: &mut Vec<Word>, after_break: &mut bool, depth: u32) {
    if current.is_empty() {
        return;
    }
    let text = singular(current);
    current.clear();
    words.push(Word { text, after_break: std::mem::take(after_break), aside: depth > 0 });
}

/// A word without its plural ending: dogs → dog, boxes → box, flies → fly; bus stays. It need not
/// be a word: it only has to be the same for both numbers.
fn singular(word: &str) -> String {
    let (bytes, length) = (word.as_bytes(), word.len());
    if length < 4 || !word.is_ascii() {
        return word.to_owned();
    }
    match bytes {
        [_, _, .., b'i', b'e', b's'] => format!("{}y", &word[..length - 3]),
        [.., b's' | b'x' | b'z', b'e', b's'] | [.., b's' | b'c', b'h', b'e', b's'] => {
            word[..length - 2].to_owned()
        }
        [.., b's' | b'u' | b'i', b's'] => word.to_owned(),
        [.., b's'] => word[..length - 1].to_owned(),
        _ => word.to_owned(),
    }
}

/// What a name is looked up by: its words, joined.
pub(super) fn key(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A definition without what is not said about the concept: WordNet's examples in quotes.
pub(super) fn without_examples(definition: &str) -> &str {
    let end = definition.find("; \"").unwrap_or(definition.len());
    &definition[..end]
}

/// Words that open a definition without saying anything: any of various …
const OPENERS: [&str; 28] = [
    "a",
    "an",
    "the",
    "any",
    "some",
    "one",
    "of",
    "various",
    "several",
    "numerous",
    "certain",
    "many",
    "other",
    "each",
    "either",
    "all",
    "two",
    "both",
    "usually",
    "especially",
    "chiefly",
    "often",
    "this",
    "another",
    "most",
    "very",
    "more",
    "is",
];

/// Nouns that are no genus when `of` follows: a kind of …
const KINDS: [&str; 12] = [
    "type", "kind", "sort", "form", "variety", "class", "breed", "specie", "member", "example",
    "instance", "one",
];

/// Words that end the first phrase of a definition: a dog *of* …, a person *who* …
const STOPS: [&str; 56] = [
    "of",
    "that",
    "which",
    "who",
    "whose",
    "whom",
    "with",
    "in",
    "from",
    "for",
    "by",
    "to",
    "at",
    "on",
    "used",
    "having",
    "is",
    "are",
    "wa",
    "were",
    "as",
    "where",
    "when",
    "between",
    "made",
    "containing",
    "found",
    "under",
    "over",
    "into",
    "consisting",
    "formed",
    "produced",
    "caused",
    "characterized",
    "made",
    "given",
    "resembling",
    "like",
    "than",
    "without",
    "native",
    "using",
    "being",
    "belonging",
    "living",
    "including",
    "based",
    "during",
    "about",
    "after",
    "before",
    "through",
    "against",
    "involving",
    "within",
];

/// Where the first phrase of a definition is: `a small dog of the north` has `small dog`. With
/// `through_and`, the phrase goes on through `and` and `or`: `a wild or tame dog`.
pub(super) fn first_phrase(words: &[Word], through_and: bool) -> std::ops::Range<usize> {
    let mut start = 0;
    while let Some(word) = words.get(start) {
        let kind_of = KINDS.contains(&word.text.as_str())
            && words.get(start + 1).is_some_and(|next| next.text == "of");
        if word.aside || kind_of || OPENERS.contains(&word.text.as_str()) {
            start += 1;
        } else {
            break;
        }
    }
    let ends = |word: &Word| {
        let text = word.text.as_str();
        let and = matches!(text, "and" | "or");
        STOPS.contains(&text) || word.aside || and && !through_and
    };
    let mut end = start;
    while let Some(word) = words.get(end) {
        let comma = word.after_break && (!through_and || end > start + 4);
        if end > start && (comma || ends(word)) || end == start && ends(word) {
            break;
        }
        end += 1;
    }
    start..end
}

/// A 64-bit key of a text for a purpose. The same on every machine: files depend on it.
pub(super) fn hash(purpose: u8, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ u64::from(purpose).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    mix(text.as_bytes().iter().fold(start, step))
}

/// A key of two keys, in this order.
pub(super) fn hash_pair(first: u64, second: u64) -> u64 {
    mix(first.rotate_left(17) ^ second.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_lower_case_and_singular() {
        assert_eq!(texts("Big DOGS, boxes; a bus' gas"), ["big", "dog", "box", "a", "bus", "gas"]);
        assert_eq!(texts("livingThing_of-it"), ["living", "thing", "of", "it"]);
        assert_eq!(texts("der Hund · 犬"), ["der", "hund", "犬"]);
        assert_eq!(key(&words("flies")), key(&words("fly")));
        assert_eq!(key(&words("Labrador retrievers")), "labrador retriever");
    }

    #[test]
    fn breaks_and_asides_are_known() {
        let words = words("a (large) dog, tame");
        assert!(words[1].aside && !words[2].aside && words[3].after_break);
    }

    #[test]
    fn the_first_phrase_ends_where_the_rest_begins() {
        let phrase = |text: &str, through| {
            let words = words(text);
            key(&words[first_phrase(&words, through)])
        };
        assert_eq!(phrase("a small dog of the north", false), "small dog");
        assert_eq!(phrase("any of various breeds of dogs that hunt", false), "dog");
        assert_eq!(phrase("wild or tame dog that barks", true), "wild or tame dog");
        assert_eq!(phrase("(botany) a type of leaf with hair", false), "leaf");
        assert_eq!(phrase("of", false), "");
        assert_eq!(phrase("", true), "");
    }

    #[test]
    fn a_megabyte_is_cut() {
        assert_eq!(words(&"word ".repeat(200_000)).len(), MOST_WORDS);
        assert!(words(&"w".repeat(1 << 20))[0].text.len() <= LONGEST_WORD);
    }
}
