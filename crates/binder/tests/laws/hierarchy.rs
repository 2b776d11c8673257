//! The laws of hierarchies, on random graphs and against definitions.

use std::collections::BTreeSet;

use crate::common::*;
use binder::Hierarchy;
use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
use proptest::prelude::*;

fn build(
    pairs: &[(String, String)],
    cycles: Cycles,
) -> Result<Hierarchy, binder::hierarchy::CycleError> {
    let mut builder = HierarchyBuilder::default();
    for (child, parent) in pairs {
        builder.pair(child, parent).unwrap();
    }
    builder.build(cycles)
}

proptest! {
    #[test]
    fn parents_come_first_and_rows_agree(pairs in acyclic_pairs(40)) {
        let hierarchy = hierarchy(&pairs);
        for id in hierarchy.ids() {
            prop_assert!(hierarchy.parents(id).is_sorted() && hierarchy.children(id).is_sorted());
            prop_assert!(hierarchy.parents(id).iter().all(|&parent| parent < id));
            prop_assert!(
                hierarchy
                    .parents(id)
                    .iter()
                    .all(|&parent| hierarchy.children(parent).contains(&id))
            );
            let above =
                hierarchy.parents(id).iter().map(|&parent| hierarchy.depth_of(parent) + 1).max();
            prop_assert_eq!(hierarchy.depth_of(id), above.unwrap_or(0));
        }
    }

    #[test]
    fn a_subtree_by_last_parents_has_consecutive_ids(pairs in acyclic_pairs(40)) {
        let hierarchy = hierarchy(&pairs);
        for top in hierarchy.ids() {
            let under = |mut id: u32| loop {
                if id == top {
                    return true;
                }
                match hierarchy.parents(id).last() {
                    Some(&parent) => id = parent,
                    None => return false,
                }
            };
            let run: Vec<u32> = hierarchy.ids().filter(|&id| under(id)).collect();
            prop_assert_eq!(run.len(), (run.last().unwrap() - run[0] + 1) as usize);
        }
    }

    #[test]
    fn closure_equals_the_definition(pairs in acyclic_pairs(30)) {
        let hierarchy = hierarchy(&pairs);
        let truth = closure_by_definition(&named(&pairs));
        prop_assert_eq!(&names_of(&hierarchy, hierarchy.closure().pairs()), &truth);
        prop_assert_eq!(hierarchy.closure_len(), truth.len() as u64);
        let closure = hierarchy.closure();
        let ancestor_counts = hierarchy.ancestor_counts();
        let descendant_counts = hierarchy.descendant_counts();
        for id in hierarchy.ids() {
            prop_assert_eq!(hierarchy.ancestors(id), closure.row(id));
            prop_assert_eq!(hierarchy.ancestors(id).len() as u64, ancestor_counts[id as usize]);
            prop_assert_eq!(hierarchy.descendants(id).len() as u64, descendant_counts[id as usize]);
            for other in hierarchy.ids() {
                let truly = truth
                    .contains(&(hierarchy.name(id).to_owned(), hierarchy.name(other).to_owned()));
                prop_assert_eq!(hierarchy.is_strictly_below(id, other), truly);
                prop_assert_eq!(hierarchy.is_a(id, other), truly || id == other);
                prop_assert_eq!(hierarchy.descendants(other).contains(&id), truly);
            }
        }
    }

    #[test]
    fn reduction_undoes_closure_and_closure_is_idempotent(pairs in acyclic_pairs(30)) {
        let once = hierarchy(&pairs);
        let closure = names_of(&once, once.closure().pairs());
        let direct = names_of(&once, once.pairs());
        let again = Hierarchy::from_pairs(closure.iter().cloned()).unwrap();
        prop_assert_eq!(names_of(&again, again.pairs()), direct.clone());
        prop_assert_eq!(names_of(&again, again.closure().pairs()), closure);
        // Without a direct pair, the closure does not have it.
        for left_out in &direct {
            let others: Vec<_> = direct.iter().filter(|pair| *pair != left_out).cloned().collect();
            prop_assert!(!closure_by_definition(&others).contains(left_out));
        }
    }

    #[test]
    fn every_pair_is_kept_or_counted(pairs in any_pairs(20)) {
        let merged = build(&named(&pairs), Cycles::Merge).unwrap();
        let dropped = merged.dropped();
        prop_assert_eq!(
            pairs.len(),
            merged.direct()
                + dropped.duplicate
                + dropped.reflexive
                + dropped.implied
                + dropped.in_cycle
        );
    }

    #[test]
    fn the_order_of_the_lines_changes_only_the_ids(
        (pairs, shuffled) in acyclic_pairs(30)
            .prop_flat_map(|pairs| (Just(pairs.clone()), Just(pairs).prop_shuffle())),
    ) {
        let (a, b) = (hierarchy(&pairs), hierarchy(&shuffled));
        prop_assert_eq!(names_of(&a, a.pairs()), names_of(&b, b.pairs()));
        prop_assert_eq!(
            (a.len(), a.closure_len(), a.depth(), a.dropped()),
            (b.len(), b.closure_len(), b.depth(), b.dropped())
        );
    }

    #[test]
    fn an_error_lists_a_whole_cycle_and_only_if_there_is_one(pairs in any_pairs(20)) {
        let pairs = named(&pairs);
        let closure = closure_by_definition(&pairs);
        let is_cyclic = closure.iter().any(|(child, parent)| child == parent);
        match build(&pairs, Cycles::Refuse) {
            Ok(_) => prop_assert!(!is_cyclic),
            Err(cycle) => {
                let names = &cycle.names;
                prop_assert!(
                    names.len() > 1 && names.iter().collect::<BTreeSet<_>>().len() == names.len()
                );
                for (at, child) in names.iter().enumerate() {
                    let parent = &names[(at + 1) % names.len()];
                    prop_assert!(
                        pairs.contains(&(child.clone(), parent.clone())),
                        "{child} is-a {parent} was never said"
                    );
                }
            }
        }
    }

    #[test]
    fn merging_keeps_every_name_and_the_closure_between_components(pairs in any_pairs(16)) {
        let pairs = named(&pairs);
        let closure = closure_by_definition(&pairs);
        let merged = build(&pairs, Cycles::Merge).unwrap();
        for (a, b) in pairs.iter().flat_map(|(child, parent)| [(child, parent), (parent, child)]) {
            let (x, y) = (merged.id(a).unwrap(), merged.id(b).unwrap());
            let (up, down) = (
                closure.contains(&(a.clone(), b.clone())),
                closure.contains(&(b.clone(), a.clone())),
            );
            prop_assert_eq!(x == y, a == b || (up && down));
            prop_assert_eq!(merged.is_strictly_below(x, y), up && !down);
            prop_assert_eq!(merged.is_a(x, y), up || a == b);
        }
    }

    #[test]
    fn a_concept_and_its_descendants_are_a_hierarchy_of_their_own(pairs in acyclic_pairs(20)) {
        let whole = hierarchy(&pairs);
        for top in whole.ids() {
            let part = whole.below(top);
            prop_assert_eq!(part.len(), whole.descendants(top).len() + 1);
            prop_assert_eq!(part.name(0), whole.name(top));
            let kept = |name: &str| part.id(name).is_some();
            let expected: BTreeSet<_> = names_of(&whole, whole.closure().pairs())
                .into_iter()
                .filter(|(c, p)| kept(c) && kept(p))
                .collect();
            prop_assert_eq!(names_of(&part, part.closure().pairs()), expected);
        }
    }
}

#[test]
fn a_long_chain_and_a_ladder_of_diamonds_are_counted_fast() {
    let chain = |n: usize| (1..n).map(|i| (i, i - 1)).collect::<Vec<_>>();
    let n = 200_000;
    assert_eq!(hierarchy(&chain(n)).closure_len(), (n * (n - 1) / 2) as u64);
    // 0 above 1 and 2, both above 3, which is above 4 and 5 …
    let ladder: Vec<_> = (0..n / 3)
        .flat_map(|i| {
            [(3 * i + 1, 3 * i), (3 * i + 2, 3 * i), (3 * i + 3, 3 * i + 1), (3 * i + 3, 3 * i + 2)]
        })
        .collect();
    let steps = n as u64 / 3;
    assert_eq!(
        hierarchy(&ladder).closure_len(),
        (0..steps).map(|i| 2 * (3 * i + 1) + (3 * i + 3)).sum::<u64>()
    );
}

#[test]
fn a_chain_that_also_points_to_its_root_is_reduced_fast() {
    let n = 200_000;
    let pairs: Vec<_> = (1..n).map(|i| (i, i - 1)).chain((2..n).map(|i| (i, 0))).collect();
    let hierarchy = hierarchy(&pairs);
    assert_eq!((hierarchy.direct(), hierarchy.dropped().implied), (n - 1, n - 2));
}

#[test]
fn labels_and_aliases_follow_their_concept() {
    let mut builder = HierarchyBuilder::default();
    let (dog, pet) = (builder.concept("dog").unwrap(), builder.concept("pet").unwrap());
    builder.link(dog, pet);
    builder.label(dog, "a dog");
    builder.label(dog, "not the first label");
    builder.alias(dog, "hound");
    builder.alias(pet, "hound");
    builder.alias(pet, "dog");
    let hierarchy = builder.build(Cycles::Refuse).unwrap();
    let dog = hierarchy.id("dog").unwrap();
    assert_eq!(hierarchy.name(dog), "dog");
    assert_eq!(hierarchy.label(dog), Some("a dog"));
    assert_eq!(hierarchy.label(hierarchy.id("pet").unwrap()), None);
    assert_eq!(hierarchy.aliases().len(), 1, "a name is no alias");
    assert_eq!(
        hierarchy.id("hound"),
        hierarchy.id("pet"),
        "the concept that comes first keeps an alias"
    );
}

/// What people call a concept: the texts of its synonyms and their scopes.
fn called(hierarchy: &Hierarchy, name: &str) -> Vec<(String, Scope)> {
    let synonyms = hierarchy.synonyms(hierarchy.id(name).unwrap());
    synonyms.map(|synonym| (synonym.text.to_owned(), synonym.scope)).collect()
}

fn defined<'a>(hierarchy: &'a Hierarchy, name: &str) -> Option<&'a str> {
    hierarchy.definition(hierarchy.id(name).unwrap())
}

#[test]
fn synonyms_and_definitions_follow_their_concept() {
    let mut builder = HierarchyBuilder::default();
    let (puppy, dog) = (builder.concept("puppy").unwrap(), builder.concept("dog").unwrap());
    let (pet, old) = (builder.concept("pet").unwrap(), builder.concept("old").unwrap());
    builder.link(puppy, dog);
    builder.link(dog, pet);
    builder.obsolete(old);
    builder.synonym(dog, "hound", Scope::Related);
    builder.synonym(puppy, "pup", Scope::Exact);
    builder.synonym(dog, "cur", Scope::Narrow);
    builder.synonym(dog, "hound", Scope::Exact);
    builder.synonym(old, "former", Scope::Exact);
    builder.synonym(pet, "", Scope::Exact);
    builder.synonym(pet, "cur", Scope::Broad);
    builder.definition(dog, "A pet that barks.");
    builder.definition(dog, "not the first definition");
    builder.definition(old, "gone");
    let whole = builder.build(Cycles::Refuse).unwrap();
    let dogs = [("cur".to_owned(), Scope::Narrow), ("hound".to_owned(), Scope::Exact)];
    let part = whole.below(whole.id("dog").unwrap());
    for hierarchy in [&whole, &part] {
        assert_eq!(called(hierarchy, "dog"), dogs, "the closest scope wins");
        assert_eq!(called(hierarchy, "puppy"), [("pup".to_owned(), Scope::Exact)]);
        assert_eq!(defined(hierarchy, "dog"), Some("A pet that barks."));
        assert_eq!(defined(hierarchy, "puppy"), None);
    }
    assert_eq!(called(&whole, "pet"), [("cur".to_owned(), Scope::Broad)], "synonyms are shared");
    assert_eq!((whole.all_synonyms().len(), whole.dropped().synonyms), (4, 2));
    assert_eq!(whole.restricted(&whole.ids().collect::<Vec<_>>()), whole);
}

#[test]
fn a_merged_cycle_keeps_the_texts_of_all_its_members() {
    let mut builder = HierarchyBuilder::default();
    let (dog, hound) = (builder.concept("dog").unwrap(), builder.concept("hound").unwrap());
    builder.link(dog, hound);
    builder.link(hound, dog);
    builder.synonym(dog, "Hund", Scope::Exact);
    builder.synonym(hound, "chien", Scope::Related);
    builder.definition(hound, "It barks.");
    let hierarchy = builder.build(Cycles::Merge).unwrap();
    let synonyms = [("Hund".to_owned(), Scope::Exact), ("chien".to_owned(), Scope::Related)];
    assert_eq!(called(&hierarchy, "hound"), synonyms);
    assert_eq!(defined(&hierarchy, "dog"), Some("It barks."));
}

#[test]
fn no_pairs_are_the_empty_hierarchy() {
    let empty = Hierarchy::from_pairs(Vec::<(&str, &str)>::new()).unwrap();
    assert_eq!((empty.len(), empty.direct(), empty.closure_len(), empty.depth()), (0, 0, 0, 0));
    let alone = Hierarchy::from_pairs([("a", "a")]).unwrap();
    assert_eq!((alone.len(), alone.direct(), alone.dropped().reflexive), (1, 0, 1));
}
