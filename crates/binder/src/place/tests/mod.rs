//! A placer of WordNet's animals, fitted once, and everything that may be asked of it.

mod encoder;
mod golden;
mod tensors;
mod vectors;

use std::sync::OnceLock;

use super::*;
use crate::bits::{Id, covers};
use crate::container::ContainerError;
use crate::encode::{Effort, EncodeParams};
use crate::hierarchy::{Hierarchy, KeepTexts};

/// WordNet's animals with their glosses.
fn animals() -> Hierarchy {
    let nouns = Hierarchy::read("wordnet").unwrap();
    nouns.below(nouns.id("animal.n.01").unwrap())
}

fn encoded(hierarchy: Hierarchy) -> Model {
    let fast = EncodeParams::default().effort(Effort::Fast);
    crate::model::encode_with(hierarchy, &fast, &()).unwrap().model
}

fn params() -> PlaceParams {
    PlaceParams::default().trees(40)
}

fn placer() -> &'static Placer {
    static PLACER: OnceLock<Placer> = OnceLock::new();
    PLACER.get_or_init(|| Placer::fit(encoded(animals()), &params(), &()).unwrap())
}

fn id(name: &str) -> Id {
    placer().model().hierarchy().id(name).unwrap()
}

const LABRADOODLE: (&str, &str) =
    ("labradoodle", "a cross between a Labrador retriever and a poodle");

#[test]
fn a_labradoodle_is_a_dog() {
    let answer = placer().place(LABRADOODLE.0, LABRADOODLE.1);
    let (first, dog) = (answer.places[0].concept, id("dog.n.01"));
    assert!(placer().model().hierarchy().is_a(first, dog), "{answer:?}");
    assert!(placer().model().hierarchy().is_a(answer.safe.unwrap().concept, dog));
    assert!(answer.same_as.is_none());
    assert!(!answer.why.neighbours.is_empty());
}

#[test]
fn chances_are_chances() {
    let answer = placer().place("kestrel", "small falcon that hovers in the air");
    assert!(answer.places.windows(2).all(|pair| pair[0].p >= pair[1].p));
    assert!(answer.places.iter().all(|place| (0.0..=1.0).contains(&place.p)), "{answer:?}");
}

#[test]
fn the_code_is_below_the_parents_and_no_one_else() {
    let (model, mut given) = (placer().model(), 0);
    for (name, definition) in [LABRADOODLE, ("zorse", "a cross between a zebra and a horse")] {
        let answer = placer().place(name, definition);
        let Some(code) = answer.code else { continue };
        given += 1;
        for concept in model.hierarchy().ids() {
            let above =
                answer.parents.iter().any(|&parent| model.hierarchy().is_a(parent, concept));
            let row = model.codes().row(concept);
            assert_eq!(covers(code.words(), row), above, "{name} and {concept}");
            assert!(!covers(row, code.words()), "{name} and {concept}");
        }
    }
    assert!(given > 0);
}

#[test]
fn threads_change_nothing() {
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let birds = animals();
        let birds = encoded(birds.below(birds.id("bird.n.01").unwrap()));
        pool.install(|| Placer::fit(birds, &PlaceParams::default().trees(10), &()).unwrap())
    };
    let (one, three) = (fit(1), fit(3));
    assert_eq!(one.to_bytes(), three.to_bytes());
    let (name, definition) = ("kestrel", "small falcon that hovers");
    assert_eq!(one.place(name, definition), three.place(name, definition));
}

#[test]
fn a_placer_comes_back_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("animals.placer");
    placer().save(&path).unwrap();
    let opened = Placer::open(&path).unwrap();
    assert_eq!(opened.to_bytes(), placer().to_bytes());
    let ask = |placer: &Placer| placer.place(LABRADOODLE.0, LABRADOODLE.1);
    assert_eq!(ask(&opened), ask(placer()));
}

#[test]
fn damage_is_noticed() {
    let bytes = placer().to_bytes();
    let open = |bytes: &[u8]| Placer::from_bytes(bytes).unwrap_err();
    assert!(matches!(open(&bytes[..bytes.len() - 1]), ContainerError::Length));
    for at in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert!(matches!(open(&bytes), ContainerError::Checksum), "{at}");
    }
    let model = placer().model().to_bytes();
    let other = open(&model);
    assert!(matches!(other, ContainerError::OtherFormat { found: Some("model"), .. }), "{other}");
    let other = Model::from_bytes(&bytes).unwrap_err();
    assert!(matches!(other, ContainerError::OtherFormat { found: Some("placer"), .. }), "{other}");
}

#[test]
fn trees_that_are_none_are_refused() {
    use crate::place::trees::{LEAF, Node, Trees};
    let leaf = Node { feature: LEAF, value: 1.0, left: 0 };
    let fork = |feature, left| Node { feature, value: 0.0, left };
    let sound = |nodes: Vec<Node>, root| Trees { roots: vec![root], nodes }.is_sound(3);
    assert!(sound(vec![fork(2, 1), leaf, leaf], 0));
    assert!(!sound(vec![fork(3, 1), leaf, leaf], 0), "no such feature");
    assert!(!sound(vec![fork(2, 2), leaf, leaf], 0), "no such child");
    assert!(!sound(vec![fork(2, 0), leaf, leaf], 0), "a circle");
    assert!(!sound(vec![leaf], 1), "no such root");
    assert!(!sound(vec![Node { value: f32::NAN, ..leaf }], 0), "no number");
}

#[test]
fn data_without_texts_are_refused() {
    let bare = encoded(animals().keeping(KeepTexts::None));
    assert!(matches!(Placer::fit(bare, &params(), &()), Err(PlaceError::NoTexts)));
}

#[test]
fn few_leaves_are_refused() {
    let animals = animals();
    let dogs = encoded(animals.below(animals.id("cat.n.01").unwrap()));
    let refused = Placer::fit(dogs, &params(), &());
    assert!(matches!(refused, Err(PlaceError::TooFew { least: 200, .. })));
}

#[test]
fn any_text_gets_an_answer() {
    let long = "a small dog with long hair ".repeat(40_000);
    assert!(long.len() > 1 << 20);
    let texts = [
        ("", ""),
        ("", "a dog"),
        ("Schäferhund", "ein großer Hund, der Schafe hütet"),
        ("犬", "家で飼われる動物"),
        ("\u{0}\n\t", "...;;;((("),
        ("x", &long),
    ];
    for (name, definition) in texts {
        let answer = placer().place(name, definition);
        assert!(answer.places.iter().all(|place| place.p.is_finite()), "{name:?}");
        assert_eq!(answer.places.is_empty(), answer.parents.is_empty());
    }
}

#[test]
fn a_known_concept_is_recognised() {
    let same = |name: &str, definition: &str| {
        placer().place(name, definition).same_as.map(|place| place.concept)
    };
    assert_eq!(same("beagle", ""), Some(id("beagle.n.01")));
    let gloss = placer().model().hierarchy().definition(id("beagle.n.01")).unwrap();
    assert_eq!(same("beagle", gloss), Some(id("beagle.n.01")));
    assert_eq!(same(LABRADOODLE.0, LABRADOODLE.1), None);
    // A known word for something else.
    assert_eq!(same("beagle", "a bank robber"), None);
}

#[test]
fn a_placer_for_another_model_is_refused() {
    let animals = animals();
    let dogs = encoded(animals.below(animals.id("dog.n.01").unwrap()));
    let refused = placer().check_model(&dogs).unwrap_err();
    assert!(matches!(refused, PlaceError::OtherModel { .. }), "{refused}");
    placer().check_model(placer().model()).unwrap();
}

#[test]
fn work_can_be_cancelled() {
    struct Now;
    impl crate::Progress for Now {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let cancelled = Placer::fit(encoded(animals()), &params(), &Now);
    assert!(matches!(cancelled, Err(PlaceError::Cancelled(_))));
}

#[test]
fn hidden_concepts_are_found_again() {
    for hide in [Hide::Leaves, Hide::Inner, Hide::Subtrees] {
        let asking = Asking::default().hide(hide);
        let found = evaluate(&animals(), &asking, &params(), &()).unwrap();
        assert!(found.queries > 20, "{hide}");
        assert!(found.hit1 > 0.4 && found.hit10 > found.hit1, "{hide}: {found:?}");
        assert!(found.safe_f1 > 0.8 && found.wup > 0.8, "{hide}: {found:?}");
        assert!(found.hit1 > found.first_word.hit1, "{hide}: {found:?}");
    }
}
