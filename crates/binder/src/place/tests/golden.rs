//! A placer file that must open for ever and give the same answers.

use std::path::PathBuf;

use super::encoded;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder};
use crate::place::file::FORMAT;
use crate::place::{Embeddings, PlaceParams, Placer, Vectors};

/// Ten kinds of things, and what each does.
const KINDS: [(&str, &str); 10] = [
    ("fruit", "grows on trees and is eaten"),
    ("tool", "is used to work on wood"),
    ("vessel", "carries goods over water"),
    ("garment", "is worn around the body"),
    ("tune", "is sung to a drum"),
    ("coin", "pays for bread"),
    ("beetle", "eats leaves at night"),
    ("rock", "lies deep in the earth"),
    ("dance", "is danced in a ring"),
    ("sauce", "is poured over noodles"),
];

/// Thirty of each of the kinds.
fn things() -> Hierarchy {
    let mut builder = HierarchyBuilder::default();
    let mut add = |name: &str, parent: &str, label: &str, definition: &str| {
        let concept = builder.concept(name).unwrap();
        builder.label(concept, label);
        builder.definition(concept, definition);
        if !parent.is_empty() {
            builder.pair(name, parent).unwrap();
        }
    };
    add("thing", "", "thing", "anything at all");
    let makes = ["northern", "southern", "eastern", "western", "royal", "plain"];
    for (kind, does) in KINDS {
        add(kind, "thing", kind, &format!("a thing that {does}"));
        for number in 0..30 {
            let (first, second) = (makes[number % 6], makes[(number / 6 + 1) % 6]);
            let label = format!("{first} {second} {kind}");
            let definition = format!("a {first} {kind} of {second} make that {does}");
            add(&format!("{kind}-{number}"), kind, &label, &definition);
        }
    }
    builder.build(Cycles::Refuse).unwrap()
}

/// Words that the things' texts do not have, near those that they have.
const WORDS: &str = "fruit 1 0 0\napple 0.9 0.1 0\ntool 0 1 0\nhammer 0 0.9 0.1\nrock 0 0 1\n";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/placers/v1.placer")
}

/// What is asked, and the first place, its chance and the safe place that it must say.
const ANSWERS: [(&str, &str, &str, f64, &str); 5] = [
    ("lute tune", "a tune that is sung to a drum", "tune", 0.972_555_86, "tune"),
    ("lugger", "a small vessel that carries goods over water", "vessel", 0.894_523_23, "vessel"),
    ("apple", "", "thing", 0.081_305_73, "thing"),
    ("obol", "pays for bread", "coin", 0.594_398_03, "coin"),
    ("nothing", "which nobody has said", "thing", 0.407_843_28, "thing"),
];

/// `testdata/placers/v1.placer` knows the things. It must always open and answer as it did.
#[test]
fn the_golden_placer_of_version_1_answers_as_ever() {
    let placer = Placer::open(file()).unwrap();
    assert_eq!(
        FORMAT.version(),
        "1",
        "keep this file, test that it answers, and add one for the new version"
    );
    let hierarchy = placer.model().hierarchy();
    assert_eq!(hierarchy.names().texts().len(), things().len());
    for (name, definition, first, p, safe) in ANSWERS {
        let answer = placer.place(name, definition);
        let said = answer.places.first().map_or("", |place| hierarchy.name(place.concept));
        let chance = answer.places.first().map_or(0.0, |place| place.p);
        let said_safe = answer.safe.map_or("", |place| hierarchy.name(place.concept));
        let same = (said, said_safe) == (first, safe) && (chance - p).abs() < 1e-6;
        assert!(same, "{name}: {said:?}, {chance}, {said_safe:?}");
    }
}

/// The first placers were written before chances had a line of their own.
#[test]
fn a_placer_without_a_line_opens_and_says_shares() {
    let placer = Placer::open(file()).unwrap();
    let mut metadata = placer.metadata();
    metadata.retain(|key, _| key != "place_slope" && key != "place_offset");
    let bytes = crate::container::to_bytes(&placer.tensors(), metadata);
    let older = Placer::from_bytes(&bytes).unwrap();
    let shares = older.place("obol", "pays for bread").places;
    assert!(shares.iter().map(|place| place.p).sum::<f64>() <= 1.0 + 1e-9);
    assert_eq!(older.model(), placer.model());
}

/// Writes the file, once for a version of the format:
/// `cargo test -p binder-codes --lib -- --ignored the_golden_placer_is_written`.
#[test]
#[ignore = "writes testdata/placers/v1.placer, which must not change"]
fn the_golden_placer_is_written() {
    let words = Vectors::read_from(WORDS.as_bytes(), "words").unwrap();
    let params = PlaceParams::default().trees(8);
    let embeddings = Embeddings::default().words(words);
    let placer = Placer::fit_with(encoded(things()), embeddings, &params, &()).unwrap();
    placer.save(file()).unwrap();
    for (name, definition, ..) in ANSWERS {
        let answer = placer.place(name, definition);
        let called = |place: &crate::place::Place| placer.model().hierarchy().name(place.concept);
        let (first, safe) = (answer.places.first(), answer.safe.as_ref());
        println!(
            "{name} {:?} {:?} {:?}",
            first.map(called),
            first.map(|at| at.p),
            safe.map(called)
        );
    }
}
