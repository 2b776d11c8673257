//! Texts as tokens.

use super::*;

fn tokens(wordpieces: &Wordpieces, text: &str) -> Vec<String> {
    let names = vocabulary();
    wordpieces.of(text).iter().map(|&token| names[token as usize].clone()).collect()
}

/// The tokens within the first and the last one, with spaces between them.
fn shown(wordpieces: &Wordpieces, text: &str) -> String {
    let tokens = tokens(wordpieces, text);
    assert_eq!((tokens[0].as_str(), tokens[tokens.len() - 1].as_str()), ("[CLS]", "[SEP]"));
    tokens[1..tokens.len() - 1].join(" ")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Tiny::new(SMALL, 1).write(folder.path());
    folder
}

const TEXTS: [(&str, &str); 12] = [
    ("dog", "dog"),
    ("DOG, dogs.", "dog , dog ##s ."),
    ("hotdog", "h ##o ##t ##dog"),
    ("Café", "cafe"),
    ("caf\u{e9}\u{301}", "cafe"),
    ("a\tb\nc\u{a0}d", "a b c d"),
    ("d\u{0}o\u{200b}g\u{fffd}", "dog"),
    ("犬dog犬", "犬 dog 犬"),
    ("do$g", "do [UNK] g"),
    ("dog\u{2014}dog", "dog [UNK] dog"),
    ("ünïx 42", "u ##n ##i ##x [UNK]"),
    ("[SEP]", "[UNK] s ##e ##p [UNK]"),
];

#[test]
fn words_are_cut_into_the_longest_known_pieces() {
    let wordpieces = Wordpieces::read(folder().path(), 24).unwrap();
    for (text, wanted) in TEXTS {
        assert_eq!(shown(&wordpieces, text), wanted, "{text}");
    }
    assert_eq!(shown(&wordpieces, &"z".repeat(101)), "[UNK]");
    assert_eq!(wordpieces.of(&"dog ".repeat(99)).len(), 24);
    assert_eq!(wordpieces.of("dogsdogsdogsdogsdogsdogsdogsdogsdogs").len(), 20);
}

#[test]
fn both_files_give_the_same_tokens() {
    let folder = folder();
    let folder = folder.path();
    let lines = Wordpieces::read(folder, 24).unwrap();
    std::fs::remove_file(folder.join("vocab.txt")).unwrap();
    let numbers: Map = vocabulary().into_iter().zip(0..).collect();
    let normalizer = json!({"type": "BertNormalizer", "lowercase": true, "strip_accents": null});
    let tokenizer = json!({
        "normalizer": normalizer, "model": {"type": "WordPiece", "vocab": numbers},
    });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let numbered = Wordpieces::read(folder, 24).unwrap();
    assert_eq!(lines.checksum(), numbered.checksum());
    for (text, _) in TEXTS {
        assert_eq!(lines.of(text), numbered.of(text), "{text}");
    }
}

type Map = std::collections::BTreeMap<String, u32>;

#[test]
fn cases_and_accents_are_kept_if_so_wanted() {
    let folder = folder();
    let settings = folder.path().join("tokenizer_config.json");
    let read = |text: &str| {
        std::fs::write(&settings, text).unwrap();
        Wordpieces::read(folder.path(), 24).unwrap()
    };
    let cased = read(r#"{"do_lower_case": false}"#);
    assert_eq!((shown(&cased, "D"), shown(&cased, "é")), ("D".to_owned(), "é".to_owned()));
    let lower = read(r#"{"do_lower_case": true, "strip_accents": false}"#);
    assert_eq!((shown(&lower, "D"), shown(&lower, "É")), ("d".to_owned(), "é".to_owned()));
    assert_ne!(cased.checksum(), lower.checksum());
}
