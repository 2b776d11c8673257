//! The laws of adding concepts to a model without changing its old codes.

use binder::grow::GrowError;
use binder::train::{Recipe, Training, Validation};
use binder::{Codes, Growth, Hierarchy, Model, evaluate};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::*;

/// Exact codes of a hierarchy, found by training.
fn exact(hierarchy: &Hierarchy, bits: usize, seed: u64) -> Option<Codes> {
    let params = Recipe::Best.params(true).with(|p| (p.bits, p.seed, p.epochs) = (bits, seed, 300));
    let params = params.check(hierarchy.len()).unwrap();
    let mut training = Training::new(hierarchy.graph(), &params, Validation::Nothing).unwrap();
    while !training.is_over() {
        training.step();
    }
    let (_, codes) = training.result();
    (evaluate::all_pairs(codes, hierarchy).confusion.errors() == 0).then(|| codes.clone())
}

proptest! {
    #[test]
    fn grown_models_are_exact_and_keep_every_old_answer(
        pairs in acyclic_pairs(14),
        new in vec(vec(any::<prop::sample::Index>(), 1..4), 1..12),
        seed in any::<u64>(),
    ) {
        let hierarchy = hierarchy(&pairs);
        prop_assume!(!hierarchy.is_empty());
        let codes = exact(&hierarchy, 40, seed).expect("few concepts, many bits");
        let model = Model::new(hierarchy.clone(), codes).unwrap();
        let mut growth = Growth::new(&model);
        let mut names: Vec<String> = hierarchy.names().texts().iter().map(str::to_owned).collect();
        for (number, parents) in new.iter().enumerate() {
            let parents: Vec<&str> =
                parents.iter().map(|at| names[at.index(names.len())].as_str()).collect();
            growth.add(&format!("new {number}"), &parents).unwrap();
            names.push(format!("new {number}"));
        }
        let grown = growth.finish(&()).unwrap();
        prop_assert_eq!(grown.added, new.len());
        prop_assert_eq!(grown.model.codes().bits(), model.codes().bits() + grown.appended_bits);
        prop_assert_eq!(grown.evaluation.confusion.errors(), 0);
        let (grown, changed) = (grown.model, grown.changed);
        let mut with_appended_bits = 0;
        prop_assert_eq!(grown.hierarchy().len(), names.len());
        prop_assert_eq!(
            evaluate::all_pairs(grown.codes(), grown.hierarchy()).confusion.errors(),
            0
        );
        for child in hierarchy.names().texts().iter() {
            let (old, new) =
                (model.hierarchy().id(child).unwrap(), grown.hierarchy().id(child).unwrap());
            for bit in 0..model.codes().bits() {
                prop_assert_eq!(model.codes().get(old, bit), grown.codes().get(new, bit));
            }
            let mut appended = model.codes().bits()..grown.codes().bits();
            with_appended_bits += usize::from(appended.any(|bit| grown.codes().get(new, bit)));
            for parent in hierarchy.names().texts().iter() {
                prop_assert_eq!(model.is_a(child, parent), grown.is_a(child, parent));
            }
        }
        prop_assert_eq!(changed, with_appended_bits);
    }
}

#[test]
fn errors_name_the_concept_that_cannot_be_added() {
    let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")]).unwrap();
    let codes = exact(&pets, 4, 1).unwrap();
    let mut growth = Growth::new(&Model::new(pets, codes).unwrap());
    let message = |result: Result<(), GrowError>| result.unwrap_err().to_string();
    assert!(
        message(growth.add("dog", &["pet"]))
            .starts_with("dog: there is a concept of that name already")
    );
    assert!(message(growth.add("puppy", &["hound"])).starts_with("hound: no such concept"));
    assert_eq!(message(growth.add("puppy", &[])), "puppy: a new concept needs a parent");
    assert_eq!(message(growth.add(" ", &["dog"])), "a new concept needs a name");
    let mut all = |pairs: &[(&str, &str)]| {
        let own = |&(name, parent): &(&str, &str)| (name.to_owned(), vec![parent.to_owned()]);
        message(growth.add_all(pairs.iter().map(own).collect()))
    };
    let cycle = "the new pairs form a cycle: y is-a z is-a y";
    assert_eq!(all(&[("x", "y"), ("y", "z"), ("z", "y")]), cycle);
    assert_eq!(all(&[("x", "x")]), "the new pairs form a cycle: x is-a x");
    assert!(all(&[("x", "y"), ("y", "hound")]).starts_with("hound: no such concept"));
    assert_eq!(growth.added(), 0);
    growth.add("puppy", &["dog"]).unwrap();
    assert!(message(growth.add("puppy", &["dog"])).starts_with("puppy: there is"));
}
