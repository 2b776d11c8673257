//! Exports can be read back, whatever the names are.

use std::collections::BTreeSet;

use binder::export::{
    Dialect, ExportError, Format, Notation, Script, write_hierarchy_to, write_to,
};
use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
use binder::read::Builtin;
use binder::{Codes, Hierarchy, Model};
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

/// Concepts with everything they can carry, some of it hard to write.
fn carrying() -> Hierarchy {
    let mut builder = HierarchyBuilder::default();
    for (child, parent) in
        [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")]
    {
        builder.pair(child, parent).unwrap();
    }
    let dog = builder.find("dog").unwrap();
    builder.label(dog, "der Hund · 犬, \"a {dog}\"! \\o/ <&>");
    builder.alias(dog, "ALT:1");
    builder.synonym(dog, "man's \"best\" friend, so to say", Scope::Narrow);
    builder.synonym(dog, "hound", Scope::Exact);
    builder.definition(dog, "A pet, that\nbarks; \\ \"wow\" <b>&</b>.");
    builder.concept("alone").unwrap();
    builder.build(Cycles::Refuse).unwrap()
}

fn written(hierarchy: &Hierarchy, notation: Notation) -> String {
    let mut bytes = Vec::new();
    write_hierarchy_to(hierarchy, notation, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn read_again(text: &str, name: &str) -> Hierarchy {
    binder::read::read_from(text.as_bytes(), name, &Default::default(), &()).unwrap()
}

/// The pairs by name, in order.
fn pairs_by_name(hierarchy: &Hierarchy) -> BTreeSet<(String, String)> {
    let name = |id| hierarchy.name(id).to_owned();
    hierarchy.pairs().map(|(child, parent)| (name(child), name(parent))).collect()
}

#[test]
fn a_hierarchy_comes_back_from_edges() {
    let hierarchy = carrying();
    let again = read_again(&written(&hierarchy, Notation::Edges), "pets.tsv");
    assert_eq!((again.len(), pairs_by_name(&again)), (6, pairs_by_name(&hierarchy)));
}

#[test]
fn a_hierarchy_comes_back_from_obo() {
    let hierarchy = carrying();
    let again = read_again(&written(&hierarchy, Notation::Obo), "pets.obo");
    assert_eq!((again.len(), pairs_by_name(&again)), (6, pairs_by_name(&hierarchy)));
    let (dog, was) = (again.id("ALT:1").unwrap(), hierarchy.id("dog").unwrap());
    assert_eq!(again.label(dog), hierarchy.label(was));
}

#[test]
fn a_hierarchy_comes_back_from_turtle() {
    let hierarchy = carrying();
    let again = read_again(&written(&hierarchy, Notation::Turtle), "pets.ttl");
    assert_eq!((again.len(), again.direct()), (6, 5));
    let (dog, was) = (again.id("urn:binder:dog").unwrap(), hierarchy.id("dog").unwrap());
    assert_eq!(again.label(dog), hierarchy.label(was));
    let terms = Hierarchy::from_pairs([("HP:2", "HP:1"), ("http://x.org/a b#c", "HP:1")]).unwrap();
    let again = read_again(&written(&terms, Notation::Turtle), "terms.ttl");
    assert!(again.id("HP:2").is_some() && again.id("http://x.org/a%20b#c").is_some());
}

#[test]
fn texts_come_back_from_every_notation_that_has_them() {
    let hierarchy = carrying();
    let was = hierarchy.id("dog").unwrap();
    let texts = |hierarchy: &Hierarchy, id| -> BTreeSet<String> {
        hierarchy.synonyms(id).map(|synonym| synonym.text.to_owned()).collect()
    };
    for (notation, name, dog) in [
        (Notation::Csv, "pets.csv", "dog"),
        (Notation::Json, "pets.json", "dog"),
        (Notation::Obo, "pets.obo", "dog"),
        (Notation::Turtle, "pets.ttl", "urn:binder:dog"),
        (Notation::GraphMl, "pets.graphml", "dog"),
    ] {
        let again = read_again(&written(&hierarchy, notation), name);
        let dog = again.id(dog).unwrap();
        assert_eq!((again.len(), again.direct()), (6, 5), "{notation}");
        assert_eq!(again.label(dog), hierarchy.label(was), "{notation}");
        assert_eq!(again.definition(dog), hierarchy.definition(was), "{notation}");
        assert_eq!(texts(&again, dog), texts(&hierarchy, was), "{notation}");
    }
}

#[test]
fn animals_come_back_from_every_notation() {
    let animals = Builtin::WordnetAnimals.load();
    for (notation, name) in [
        (Notation::Edges, "animals.tsv"),
        (Notation::Csv, "animals.csv"),
        (Notation::Json, "animals.json"),
        (Notation::Obo, "animals.obo"),
        (Notation::Dot, "animals.dot"),
        (Notation::GraphMl, "animals.graphml"),
    ] {
        let again = read_again(&written(&animals, notation), name);
        assert_eq!(pairs_by_name(&again), pairs_by_name(&animals), "{notation}");
    }
}

#[test]
fn tables_records_and_graphs_are_written_to_the_letter() {
    let mut builder = HierarchyBuilder::default();
    builder.pair("dog", "pet").unwrap();
    let dog = builder.find("dog").unwrap();
    builder.label(dog, "a \"dog\", or so");
    builder.synonym(dog, "hound", Scope::Exact);
    builder.synonym(dog, "cur", Scope::Narrow);
    builder.definition(dog, "It <barks>.");
    let pets = builder.build(Cycles::Refuse).unwrap();
    assert_eq!(
        written(&pets, Notation::Csv),
        "id,label,parent,synonym,definition\npet,,,,\n\
         dog,\"a \"\"dog\"\", or so\",pet,hound,It <barks>.\ndog,,,cur,\n"
    );
    assert_eq!(
        written(&pets, Notation::Json),
        "[\n{\"id\":\"pet\",\"parents\":[]},\n{\"id\":\"dog\",\"label\":\"a \\\"dog\\\", or so\",\
         \"parents\":[\"pet\"],\"synonyms\":[\"hound\",\"cur\"],\"definition\":\"It <barks>.\"}\n]\n"
    );
    assert_eq!(
        written(&pets, Notation::Dot),
        "digraph {\n  // Made by `binder export`.\n  \"pet\";\n  \"dog\" [label=\"a \\\"dog\\\", or so\"];\n  \"dog\" -> \"pet\";\n}\n"
    );
    let graphml = written(&pets, Notation::GraphMl);
    assert!(graphml.contains("<data key=\"definition\">It &lt;barks&gt;.</data>"), "{graphml}");
    assert!(graphml.contains("<edge source=\"dog\" target=\"pet\"/>"), "{graphml}");
}

#[test]
fn names_that_would_not_come_back_are_refused() {
    for (notation, name) in [
        (Notation::Edges, "a\tb"),
        (Notation::Edges, " a"),
        (Notation::Obo, "a dog"),
        (Notation::GraphMl, "a\u{1}"),
        (Notation::Csv, ""),
    ] {
        let hierarchy = Hierarchy::from_pairs([(name, "parent")]).unwrap();
        let error = write_hierarchy_to(&hierarchy, notation, &mut Vec::new()).unwrap_err();
        assert!(matches!(&error, ExportError::Name { .. }), "{notation}: {error}");
    }
}
