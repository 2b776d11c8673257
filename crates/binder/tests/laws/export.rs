//! Exports can be read back, whatever the names are.

use binder::export::{Dialect, Format, Script, write_to};
use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::{Codes, Model};
use proptest::prelude::*;

/// A name of characters that have a meaning in some format, and of others.
fn name() -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec![
        'a', 'b', 'é', '犬', ' ', '\t', '\n', '\r', '\0', '\\', '"', '\'', '|', ',', '.', 'N', 'n',
        't', 'e', '0', '\u{85}', '\u{2028}', '\u{b}', '\u{1a}', '-', ';', '$',
    ]);
    prop::collection::vec(letter, 0..6).prop_map(|letters| letters.into_iter().collect())
}

/// A model with any names, labels and aliases, and with any codes of any width.
fn model() -> impl Strategy<Value = Model> {
    let concept = (name(), name(), prop::collection::vec(name(), 0..3), any::<[u64; 3]>());
    (prop::collection::vec(concept, 0..12), 1..=192_usize).prop_map(|(concepts, bits)| {
        let mut builder = HierarchyBuilder::default();
        for (name, label, aliases, _) in &concepts {
            let id = builder.concept(name).unwrap();
            builder.label(id, label);
            aliases.iter().for_each(|alias| builder.alias(id, alias));
        }
        let hierarchy = builder.build(Cycles::Refuse).unwrap();
        let mut codes = Codes::zeros(hierarchy.len(), bits).unwrap();
        for (id, (_, _, _, words)) in hierarchy.ids().zip(&concepts) {
            (0..bits).for_each(|bit| codes.set(id, bit, words[bit / 64] >> (bit % 64) & 1 == 1));
        }
        Model::new(hierarchy, codes).unwrap()
    })
}

fn text(model: &Model, format: &Format) -> String {
    let mut out = Vec::new();
    write_to(model, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The original text of a cell, by the rule in the documentation. A cell of aliases must be split
/// at its bars first.
fn unescaped(cell: &str) -> String {
    let mut letters = cell.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        text.push(match (letter == '\\').then(|| letters.next().unwrap()) {
            None => letter,
            Some('t') => '\t',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('0') => '\0',
            Some('e') => continue,
            Some(itself) => itself,
        });
    }
    text
}

fn split_aliases(cell: &str) -> Vec<String> {
    let mut aliases = vec![String::new()];
    let mut escape = false;
    for letter in cell.chars() {
        if letter == '|' && !escape {
            aliases.push(String::new());
        } else {
            aliases.last_mut().unwrap().push(letter);
        }
        escape = letter == '\\' && !escape;
    }
    if cell.is_empty() {
        Vec::new()
    } else {
        aliases.iter().map(|alias| unescaped(alias)).collect()
    }
}

proptest! {
    #[test]
    fn tsv_is_read_back(model in model()) {
        let (hierarchy, text) = (model.hierarchy(), text(&model, &Format::Tsv));
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap().split('\n').skip(1).collect();
        prop_assert_eq!(lines.len(), hierarchy.len());
        for (id, line) in hierarchy.ids().zip(lines) {
            let cells: Vec<&str> = line.split('\t').collect();
            prop_assert_eq!(cells.len(), 5);
            prop_assert_eq!(cells[0], id.to_string());
            prop_assert_eq!(unescaped(cells[1]), hierarchy.name(id));
            prop_assert_eq!(unescaped(cells[2]), hierarchy.label(id).unwrap_or_default());
            let aliases = hierarchy.aliases().iter().filter(|&(_, concept)| concept == id);
            prop_assert_eq!(
                split_aliases(cells[3]),
                aliases.map(|(alias, _)| alias).collect::<Vec<_>>()
            );
            let bits: String = (0..model.codes().bits())
                .map(|bit| if model.codes().get(id, bit) { '1' } else { '0' })
                .collect();
            prop_assert_eq!(cells[4], bits);
        }
    }

    /// Every format writes the model or returns an error; none panics.
    #[test]
    fn every_format_writes_or_refuses_any_name(model in model(), table in name()) {
        let scripts = [
            Dialect::Postgres { bit_string: false },
            Dialect::Postgres { bit_string: true },
            Dialect::DuckDb,
        ]
        .map(|dialect| Format::Sql(Script { dialect, table: table.clone() }));
        let formats = [
            Format::Npy { unpacked: false },
            Format::Npy { unpacked: true },
            Format::Word2vec,
            #[cfg(feature = "parquet")]
            Format::Parquet { signed: false },
        ];
        for format in formats.iter().chain(&scripts) {
            let mut out = Vec::new();
            match write_to(&model, format, &mut out) {
                Ok(()) => prop_assert!(!out.is_empty()),
                Err(error) => prop_assert!(out.is_empty() && !error.to_string().is_empty()),
            }
        }
    }

    /// A line of word2vec is a name without blanks and one number per bit.
    #[test]
    fn every_line_of_word2vec_has_a_name_and_one_number_per_bit(model in model()) {
        let mut out = Vec::new();
        if write_to(&model, &Format::Word2vec, &mut out).is_ok() {
            let text = String::from_utf8(out).unwrap();
            prop_assert_eq!(text.lines().count(), model.codes().len() + 1);
            let even = |line: &str| line.split_whitespace().count() == model.codes().bits() + 1;
            prop_assert!(text.lines().skip(1).all(even));
        }
    }
}
