//! Vectors that others have learnt help where texts say nothing.

use std::fmt::Write;

use super::encoded;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder};
use crate::place::words::{hash, hash_pair};
use crate::place::{
    Asking, Embeddings, PlaceError, PlaceParams, Placer, Vectors, VectorsError, evaluate_with,
};

const KINDS: usize = 8;
const OF_KIND: usize = 40;

/// Things whose names say nothing about their kinds.
pub(super) fn riddles() -> Hierarchy {
    let mut builder = HierarchyBuilder::default();
    for (name, parent) in names() {
        let concept = builder.concept(&name).unwrap();
        builder.label(concept, &word(&name));
        builder.pair(&name, &parent).unwrap();
    }
    builder.build(Cycles::Refuse).unwrap()
}

/// All concepts but the root, with their parents.
fn names() -> Vec<(String, String)> {
    let of_kind = |kind: usize| {
        let things = (0..OF_KIND).map(move |at| (format!("t{kind}x{at}"), format!("k{kind}")));
        std::iter::once((format!("k{kind}"), "root".to_owned())).chain(things)
    };
    (0..KINDS).flat_map(of_kind).collect()
}

/// A word of letters that depend on the name in no way that can be learnt.
fn word(name: &str) -> String {
    let letter = |at: u64| char::from(b'a' + (hash_pair(hash(0, name), at) % 26) as u8);
    (0..8).map(letter).collect()
}

/// A line for each concept: its key, and a vector that leans towards its kind.
fn lines(key: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for (name, _) in names() {
        let kind: usize = name[1..].split('x').next().unwrap().parse().unwrap();
        let mut numbers = [0.0f32; KINDS + 2];
        numbers[kind] = 1.0;
        numbers[KINDS] = (hash(1, &name) % 7) as f32 / 10.0;
        let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
        writeln!(text, "{}\t{}", key(&name), numbers.join(" ")).unwrap();
    }
    text
}

fn vectors(key: impl Fn(&str) -> String) -> Vectors {
    Vectors::read_from(lines(key).as_bytes(), "vectors").unwrap()
}

fn params() -> PlaceParams {
    PlaceParams::default().trees(30)
}

#[test]
fn vectors_of_words_and_of_concepts_tell_what_names_do_not() {
    let hit1 = |embeddings: Embeddings| {
        let asking = Asking::default().share(0.1);
        evaluate_with(&riddles(), embeddings, &asking, &params(), &()).unwrap().hit1
    };
    let nothing = hit1(Embeddings::default());
    let words = hit1(Embeddings::default().words(vectors(word)));
    let concepts = hit1(Embeddings::default().concepts(vectors(str::to_owned)));
    assert!(nothing < 0.5 && words > 0.9 && concepts > 0.9, "{nothing} {words} {concepts}");
}

#[test]
fn a_placer_keeps_its_vectors() {
    let embeddings = Embeddings::default().words(vectors(word)).concepts(vectors(str::to_owned));
    let placer = Placer::fit_with(encoded(riddles()), embeddings, &params(), &()).unwrap();
    let opened = Placer::from_bytes(&placer.to_bytes()).unwrap();
    assert_eq!(opened.embeddings(), placer.embeddings());
    assert_eq!(opened.to_bytes(), placer.to_bytes());
    let mut vector = [0.0; KINDS + 2];
    vector[3] = 2.0;
    let ask = |placer: &Placer| placer.place_with("unheard", "", &vector).unwrap();
    assert_eq!(ask(&opened), ask(&placer));
    let first = ask(&placer).places[0].concept;
    assert_eq!(placer.model().hierarchy().name(first), "k3");
    let error = placer.place_with("unheard", "", &[1.0]).unwrap_err();
    let wanted = KINDS + 2;
    assert!(matches!(error, VectorsError::Length { found: 1, wanted: w } if w == wanted));
    assert!(matches!(PlaceError::from(error), PlaceError::Vectors(_)));
}
