//! Queries: with exact codes the answers are those of the hierarchy, with any codes they follow
//! from the codes.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::common::*;
use binder::Choice;
use binder::bits::{Code, IdSet};
use binder::encode::{Effort, EncodeParams};
use binder::grow::GrowError;
use binder::hierarchy::HierarchyBuilder;
use binder::query::{Derived, Expression, Measure, QueryError};
use binder::read::Builtin;
use binder::{Codes, Growth, Hierarchy, Id, Index, Model, encode_with, evaluate};
use proptest::prelude::*;

fn exact(hierarchy: &Hierarchy) -> Index {
    let params = EncodeParams::default().effort(Effort::Fast);
    encode_with(hierarchy.clone(), &params, &()).unwrap().into_index()
}

/// An index of codes whose concepts have no pairs.
fn without_pairs(codes: Codes) -> Index {
    let mut builder = HierarchyBuilder::default();
    (0..codes.len()).for_each(|i| _ = builder.concept(&format!("c{i}")).unwrap());
    Model::new(builder.build(Default::default()).unwrap(), codes).unwrap().into_index()
}

/// The parts of a derived code.
fn parts<'a>(derived: &'a Derived<'_>) -> (&'a Code, &'a IdSet, &'a IdSet) {
    (&derived.code, &derived.below, &derived.above)
}

fn list(set: &IdSet) -> Vec<Id> {
    set.iter().collect()
}

fn sorted(mut ids: Vec<Id>) -> Vec<Id> {
    ids.sort_unstable();
    ids
}

fn at_or_above(hierarchy: &Hierarchy, concept: Id) -> BTreeSet<Id> {
    hierarchy.ancestors(concept).into_iter().chain([concept]).collect()
}

fn at_or_below(hierarchy: &Hierarchy, concept: Id) -> BTreeSet<Id> {
    hierarchy.descendants(concept).into_iter().chain([concept]).collect()
}

/// The concepts of a set that have no other concept of the set below them.
fn lowest(hierarchy: &Hierarchy, set: &BTreeSet<Id>) -> Vec<Id> {
    let others_below =
        |&concept: &Id| set.iter().any(|&other| hierarchy.is_strictly_below(other, concept));
    set.iter().copied().filter(|concept| !others_below(concept)).collect()
}

fn check_pair(index: &Index, a: Id, b: Id) {
    let hierarchy = index.hierarchy();
    let both = &at_or_below(hierarchy, a) & &at_or_below(hierarchy, b);
    assert_eq!(list(&index.meet([a, b]).unwrap().below), both.into_iter().collect::<Vec<_>>());
    let common = &at_or_above(hierarchy, a) & &at_or_above(hierarchy, b);
    let join = index.join([a, b]).unwrap();
    assert_eq!(list(&join.above), common.iter().copied().collect::<Vec<_>>());
    assert_eq!(sorted(index.most_specific(&join.above)), lowest(hierarchy, &common));
    assert_eq!(sorted(join.nearest_above().map(|c| c.id()).collect()), lowest(hierarchy, &common));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn answers_equal_those_of_the_hierarchy(pairs in acyclic_pairs(40)) {
        let index = exact(&hierarchy(&pairs));
        let hierarchy = index.hierarchy();
        for concept in hierarchy.ids() {
            prop_assert_eq!(list(&index.hypernyms(concept).unwrap()), hierarchy.ancestors(concept));
            prop_assert_eq!(
                list(&index.hyponyms(concept).unwrap()),
                hierarchy.descendants(concept)
            );
            prop_assert_eq!(
                index.count_hyponyms(concept).unwrap(),
                hierarchy.descendants(concept).len() as u64
            );
            prop_assert_eq!(
                index.count_hypernyms(concept).unwrap(),
                hierarchy.ancestors(concept).len() as u64
            );
            prop_assert_eq!(sorted(index.parents(concept).unwrap()), hierarchy.parents(concept));
            prop_assert_eq!(sorted(index.children(concept).unwrap()), hierarchy.children(concept));
            let disjoint = index.complement(concept).unwrap().disjoint;
            for other in hierarchy.ids() {
                check_pair(&index, concept, other);
                let nothing_is_both =
                    at_or_below(hierarchy, concept).is_disjoint(&at_or_below(hierarchy, other));
                prop_assert_eq!(disjoint.contains(other), nothing_is_both);
            }
        }
    }

    #[test]
    fn explanations_are_true(pairs in acyclic_pairs(40)) {
        let index = exact(&hierarchy(&pairs));
        let hierarchy = index.hierarchy();
        for (child, parent) in hierarchy.ids().flat_map(|a| hierarchy.ids().map(move |b| (a, b))) {
            let why = index.explain(child, parent).unwrap();
            prop_assert_eq!(why.is_a, hierarchy.is_a(child, parent));
            prop_assert_eq!(why.is_a, why.missing.is_empty());
            prop_assert_eq!(
                why.shared.len() + why.missing.len(),
                index.codes().code(parent).ones().count()
            );
            if why.is_a {
                prop_assert_eq!((why.chain[0], why.chain[why.chain.len() - 1]), (child, parent));
                for step in why.chain.windows(2) {
                    prop_assert!(
                        hierarchy.parents(step[0]).contains(&step[1]),
                        "{:?} of {:?}",
                        step,
                        why.chain
                    );
                }
            }
            for reason in why.missing {
                prop_assert!(
                    !reason.from.is_empty()
                        && reason.from.iter().all(|owner| reason.owners.contains(owner))
                );
                prop_assert!(reason.from.iter().all(|&owner| index.is_a(parent, owner).unwrap()
                    && !index.is_a(child, owner).unwrap()));
            }
        }
    }

    #[test]
    fn outermost_equals_the_definition(codes in codes(70, 12)) {
        let index = without_pairs(codes);
        let n = index.codes().len();
        let set = IdSet::all(n);
        let strictly = |a: Id, b: Id| index.is_a(a, b).unwrap() && !index.is_a(b, a).unwrap();
        let general: Vec<Id> =
            set.iter().filter(|&a| !set.iter().any(|b| strictly(a, b))).collect();
        let specific: Vec<Id> =
            set.iter().filter(|&a| !set.iter().any(|b| strictly(b, a))).collect();
        prop_assert_eq!(sorted(index.most_general(&set)), general);
        prop_assert_eq!(sorted(index.most_specific(&set)), specific);
        prop_assert_eq!(index.tops(&set), index.most_general(&set));
        let order = index.by_generality(&set);
        for (at, &concept) in order.iter().enumerate() {
            prop_assert!(order[..at].iter().all(|&earlier| !strictly(earlier, concept)));
        }
    }

    #[test]
    fn tops_are_the_most_general(codes in codes(90, 12)) {
        let index = without_pairs(codes);
        // Computed in two ways: one by one, and from the nearest hypernyms of all concepts.
        for warm in [false, true] {
            if warm {
                index.warm_up();
            }
            for concept in index.hierarchy().ids() {
                let below = index.derived(index.codes().code(concept)).below;
                prop_assert_eq!(index.tops(&below), index.most_general(&below));
                prop_assert_eq!(
                    sorted(index.children(concept).unwrap()),
                    sorted(index.most_general(&index.hyponyms(concept).unwrap()))
                );
            }
        }
    }

    #[test]
    fn algebra_is_bitwise(codes in codes(70, 140)) {
        let index = without_pairs(codes);
        index.warm_up();
        let ids = index.hierarchy().ids();
        for (a, b) in ids.clone().zip(ids.skip(1)) {
            let bits = |concept| index.codes().code(concept).ones().collect::<BTreeSet<_>>();
            let (one, other) = (bits(a), bits(b));
            prop_assert_eq!(
                index.meet([a, b]).unwrap().code.ones().collect::<Vec<_>>(),
                (&one | &other).into_iter().collect::<Vec<_>>()
            );
            prop_assert_eq!(
                index.join([a, b]).unwrap().code.ones().collect::<Vec<_>>(),
                (&one & &other).into_iter().collect::<Vec<_>>()
            );
            let not = index.complement(a).unwrap();
            prop_assert_eq!(not.derived.code.ones().count() + one.len(), index.codes().bits());
            let unlike =
                index.hierarchy().ids().filter(|&x| bits(x).is_disjoint(&one)).collect::<Vec<_>>();
            prop_assert_eq!(list(&not.derived.above), unlike);
            let is_both = |x, y| {
                index.hierarchy().ids().any(|z| index.codes().is_a(z, x) && index.codes().is_a(z, y))
            };
            let disjoint = index.hierarchy().ids().filter(|&x| !is_both(x, a)).collect::<Vec<_>>();
            prop_assert_eq!(list(&not.disjoint), disjoint);
            let above = &not.derived.above;
            prop_assert_eq!(index.bottoms(above), index.most_specific(above));
            let word = |concept: Id| format!("c{concept}");
            let meet = index.meet([a, b]).unwrap();
            let by_de_morgan = index.evaluate(&format!("!(!{}|!{})", word(a), word(b))).unwrap();
            prop_assert_eq!(parts(&by_de_morgan), parts(&meet));
        }
    }

    #[test]
    fn nearest_are_the_first_of_all_in_order(codes in codes(90, 140), most in 0usize..12) {
        let index = without_pairs(codes);
        for to in index.hierarchy().ids().take(5) {
            let bits = |concept| index.codes().code(concept).ones().collect::<BTreeSet<_>>();
            let own = bits(to);
            let others = || index.hierarchy().ids().filter(|&other| other != to);
            let mut by_distance: Vec<(usize, Id)> =
                others().map(|x| ((&bits(x) ^ &own).len(), x)).collect();
            by_distance.sort_unstable();
            let found = index.nearest(to, most, Measure::Hamming).unwrap();
            let wanted: Vec<_> =
                by_distance.iter().take(most).map(|&(distance, x)| (x, distance as f64)).collect();
            prop_assert_eq!(found, wanted);
            let jaccard = |x: Id| {
                let (shared, either) = ((&bits(x) & &own).len(), (&bits(x) | &own).len());
                if either == 0 { 1.0 } else { shared as f64 / either as f64 }
            };
            let mut alike: Vec<(Id, f64)> = others().map(|x| (x, jaccard(x))).collect();
            alike.sort_by(|a, b| b.1.total_cmp(&a.1));
            alike.truncate(most);
            prop_assert_eq!(index.nearest(to, most, Measure::Jaccard).unwrap(), alike);
        }
    }

    #[test]
    fn similarities_equal_the_definition(pairs in acyclic_pairs(25)) {
        let index = exact(&hierarchy(&pairs));
        let h = index.hierarchy();
        prop_assume!(h.direct() > 0);
        let n = h.len();
        let content = |x: Id| 1.0 - ((1 + h.descendants(x).len()) as f64).ln() / (n as f64).ln();
        for to in h.ids() {
            let depth = |x: Id| f64::from(h.depth_of(x) + 1);
            let weights: [(Measure, &dyn Fn(Id) -> f64); 2] =
                [(Measure::WuPalmer, &depth), (Measure::Lin, &content)];
            for (measure, weight) in weights {
                for (x, found) in index.nearest(to, n, measure).unwrap() {
                    let common = &at_or_above(h, to) & &at_or_above(h, x);
                    let best = common.iter().map(|&c| weight(c)).fold(0.0, f64::max);
                    let both = weight(to) + weight(x);
                    let wanted = if both > 0.0 { 2.0 * best / both } else { 0.0 };
                    prop_assert!(
                        (found - wanted).abs() < 1e-12,
                        "{measure:?}: {found} for {wanted}"
                    );
                }
            }
            for (x, found) in index.nearest(to, n, Measure::Path).unwrap() {
                let common = &at_or_above(h, to) & &at_or_above(h, x);
                let steps = common.iter().map(|&c| steps_up(h, to, c) + steps_up(h, x, c)).min();
                prop_assert_eq!(found, steps.map_or(0.0, |steps| 1.0 / (1.0 + f64::from(steps))));
            }
        }
    }

    #[test]
    fn similarity_is_what_nearest_says(pairs in acyclic_pairs(25)) {
        let index = exact(&hierarchy(&pairs));
        prop_assume!(index.hierarchy().direct() > 0);
        let n = index.hierarchy().len();
        for &measure in Measure::ALL {
            for to in index.hierarchy().ids() {
                for (x, found) in index.nearest(to, n, measure).unwrap() {
                    prop_assert_eq!(index.similarity(to, x, measure).unwrap(), found);
                }
            }
        }
    }

    #[test]
    fn expressions_never_panic(text in "[a-c&|!() \"\\\\ä]{0,24}") {
        let _ = Expression::parse(&text).map_err(|error| {
            assert!(error.column >= 1 && error.column <= text.chars().count() + 1, "{error}");
        });
    }
}

/// The length of the shortest path up, by trying every parent.
fn steps_up(hierarchy: &Hierarchy, from: Id, to: Id) -> u32 {
    if from == to {
        return 0;
    }
    let ways = hierarchy.parents(from).iter().filter(|&&p| hierarchy.is_a(p, to));
    1 + ways.map(|&parent| steps_up(hierarchy, parent, to)).min().expect("a way up")
}

/// The table of the paper's appendix "Binary Properties".
fn paper() -> Index {
    let table = [
        ("flying", "100000"),
        ("vehicle", "001000"),
        ("airplane", "111000"),
        ("helicopter", "101100"),
        ("shoe", "000010"),
        ("mens-shoe", "000110"),
        ("womens-shoe", "000011"),
    ];
    let pairs = [
        ("airplane", "flying"),
        ("airplane", "vehicle"),
        ("helicopter", "flying"),
        ("helicopter", "vehicle"),
        ("mens-shoe", "shoe"),
        ("womens-shoe", "shoe"),
    ];
    let hierarchy = Hierarchy::from_pairs(pairs).unwrap();
    let mut codes = Codes::zeros(7, 6).unwrap();
    for (name, bits) in table {
        let set = bits.bytes().enumerate().filter(|(_, bit)| *bit == b'1');
        set.for_each(|(bit, _)| codes.set(hierarchy.id(name).unwrap(), bit, true));
    }
    Model::new(hierarchy, codes).unwrap().into_index()
}

fn names(index: &Index, ids: impl IntoIterator<Item = Id>) -> BTreeSet<&str> {
    ids.into_iter().map(|concept| index.name(concept)).collect()
}

#[test]
fn every_statement_of_the_papers_appendix_is_true() {
    let index = paper();
    let evaluate = |text: &str| index.evaluate(text).unwrap();

    // meet(flying, vehicle) is (1,0,1,0,0,0), a hypernym of airplane and helicopter.
    let flying_vehicle = evaluate("flying & vehicle");
    assert_eq!(flying_vehicle.code.to_string(), "101000");
    assert_eq!(names(&index, flying_vehicle.below.iter()), ["airplane", "helicopter"].into());
    assert!(flying_vehicle.named().is_empty());

    // join(flying, vehicle) is the zero vector.
    assert_eq!(evaluate("flying | vehicle").code.to_string(), "000000");

    // join(mens-shoe, womens-shoe) = shoe.
    let shoe = evaluate("mens-shoe | womens-shoe");
    assert_eq!(shoe.code.to_string(), "000010");
    assert_eq!(names(&index, shoe.named()), ["shoe"].into());

    // meet(shoe, vehicle) is (0,0,1,0,1,0), without hyponyms: nothing is both.
    let nothing = evaluate("shoe & vehicle");
    assert_eq!(nothing.code.to_string(), "001010");
    assert!(nothing.below.is_empty());

    // The complement of helicopter is (0,1,0,0,1,1), without hyponyms, and shoe is a hypernym of
    // it; so helicopter and shoe have no attribute and no hypernym in common.
    let complement = index.complement("helicopter").unwrap();
    assert_eq!(complement.derived.code.to_string(), "010011");
    assert_eq!(parts(&complement.derived), parts(&evaluate("!helicopter")));
    assert!(complement.derived.below.is_empty());
    assert!(complement.derived.above.contains(index.find("shoe").unwrap()));
    assert!(index.join(["helicopter", "shoe"]).unwrap().code.ones().next().is_none());

    // No nonzero vector is above both it and its complement; nothing but all ones is below both.
    assert_eq!(evaluate("helicopter | !helicopter").code.to_string(), "000000");
    assert_eq!(evaluate("helicopter & !helicopter").code.to_string(), "111111");
    assert!(evaluate("helicopter & !helicopter").below.is_empty());

    // The formal concept of a word: it and its hyponyms, and its columns.
    let concept = index.formal_concept("flying").unwrap();
    assert_eq!(names(&index, concept.extent.iter()), ["flying", "airplane", "helicopter"].into());
    assert_eq!(concept.intent, [0]);
}

#[test]
fn a_derived_concept_can_be_named_and_kept() {
    let index = paper();
    let code = index.evaluate("flying & vehicle").unwrap().code;
    let mut growth = Growth::new(index.model());
    growth.add_code("flying-vehicle", code.words()).unwrap();
    let again = growth.add_code("aircraft", code.words()).unwrap_err();
    assert!(matches!(&again, GrowError::Same { same, .. } if same == "flying-vehicle"), "{again}");
    assert!(again.to_string().contains("flying-vehicle has the same code"), "{again}");
    let grown = growth.finish(&()).unwrap().model.into_index();
    let new = grown.find("flying-vehicle").unwrap();
    assert_eq!(
        names(&grown, grown.hierarchy().parents(new).to_vec()),
        ["flying", "vehicle"].into()
    );
    assert_eq!(
        names(&grown, grown.hierarchy().children(new).to_vec()),
        ["airplane", "helicopter"].into()
    );
    assert_eq!(grown.codes().bits(), 6);
    let airplane = grown.find("airplane").unwrap();
    assert_eq!(grown.hierarchy().parents(airplane), [new], "the old pairs are implied now");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_meet_that_is_kept_is_exact(
        pairs in acyclic_pairs(30),
        picks in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let index = exact(&hierarchy(&pairs));
        let h = index.hierarchy();
        prop_assume!(!h.is_empty());
        let [a, b] = [picks.0, picks.1].map(|pick| Id::try_from(pick.index(h.len())).unwrap());
        let mut growth = Growth::new(index.model());
        match growth.add_meet("both", &[h.name(a), h.name(b)]) {
            // One is below the other, or a concept is already the meet of both.
            Err(GrowError::Same { .. }) => {}
            other => {
                other.unwrap();
                let model = growth.finish(&()).unwrap().model;
                let judged = evaluate::all_pairs(model.codes(), model.hierarchy());
                prop_assert_eq!(judged.confusion.errors(), 0);
                let both = model.hierarchy().id("both").unwrap();
                let names = |h: &Hierarchy, ids: Vec<Id>| {
                    ids.iter().map(|&x| h.name(x).to_owned()).collect::<BTreeSet<_>>()
                };
                let above = &at_or_above(h, a) | &at_or_above(h, b);
                let below = &at_or_below(h, a) & &at_or_below(h, b);
                prop_assert_eq!(
                    names(model.hierarchy(), model.hierarchy().ancestors(both)),
                    names(h, above.into_iter().collect())
                );
                prop_assert_eq!(
                    names(model.hierarchy(), model.hierarchy().descendants(both)),
                    names(h, below.into_iter().collect())
                );
            }
        }
    }
}

#[test]
fn a_code_of_another_width_is_refused() {
    let mut growth = Growth::new(paper().model());
    let error = growth.add_code("wide", &[1, 2]).unwrap_err();
    assert!(matches!(error, GrowError::Width { given: 2, wanted: 1, .. }), "{error}");
}

#[test]
fn expression_errors_point_at_the_column() {
    let place = |text: &str| Expression::parse(text).unwrap_err();
    assert_eq!(place("flying & ").column, 10);
    assert_eq!(place("").column, 1);
    assert_eq!(place("a (b)").column, 3);
    assert_eq!(place("a b").column, 3);
    assert_eq!(place("(a & b").column, 7);
    assert_eq!(place("a & b)").column, 6);
    assert_eq!(place("a & \"b").column, 5);
    assert_eq!(place("ä | & b").column, 5);
    assert!(place("a b").to_string().ends_with("\n  a b\n    ^"), "{}", place("a b"));
    assert_eq!(place(&"(".repeat(100_000)).problem, "nested too deeply; split the expression");
    assert_eq!(place(&"!".repeat(100_000)).problem, "nested too deeply; split the expression");
    let index = paper();
    assert_eq!(
        parts(&index.evaluate("\"flying\"&!(! vehicle)").unwrap()),
        parts(&index.evaluate("flying & vehicle").unwrap())
    );
    assert!(matches!(index.evaluate("flying & vehikel"), Err(QueryError::Unknown { .. })));
}

#[test]
fn names_are_found_by_alias_label_and_prefix() {
    let mut builder = HierarchyBuilder::default();
    builder.pair("golden_retriever.n.01", "dog.n.01").unwrap();
    builder.pair("dog.n.03", "fellow.n.01").unwrap();
    let dog = builder.find("dog.n.01").unwrap();
    builder.label(dog, "dog, domestic dog");
    builder.alias(dog, "Canis-familiaris");
    let index = exact(&builder.build(Default::default()).unwrap());
    let found = |text: &str| index.find(text).map(|concept| index.name(concept).to_owned());
    for text in [
        "dog.n.01",
        "Canis-familiaris",
        "canis familiaris",
        "Domestic Dog",
        "dog, domestic dog",
        "dog",
    ] {
        assert_eq!(found(text).unwrap(), "dog.n.01", "{text}");
    }
    assert_eq!(found("golden retr").unwrap(), "golden_retriever.n.01");
    let error = found("dog.n").unwrap_err();
    assert!(matches!(&error, QueryError::Ambiguous { count: 2, .. }), "{error}");
    assert_eq!(
        found("retreiver").unwrap_err().to_string(),
        "no concept is named \"retreiver\"; is it golden_retriever.n.01?"
    );
    assert_eq!(found("zzz").unwrap_err().to_string(), "no concept is named \"zzz\"");
    assert_eq!(found("").unwrap_err().to_string(), "no concept is named \"\"");
    let hits = index.names().search("retriver", 5);
    assert_eq!(
        (hits[0].typos, hits[0].inside, index.name(hits[0].concept)),
        (1, true, "golden_retriever.n.01")
    );
}

/// Every query accepts a name or an id, and its error says which one is unknown.
#[test]
fn questions_take_names_and_ids() {
    let index = paper();
    let (airplane, vehicle) = (index.find("airplane").unwrap(), index.find("vehicle").unwrap());
    assert!(index.is_a("airplane", vehicle).unwrap() && !index.is_a(vehicle, "airplane").unwrap());
    assert_eq!(index.hyponyms("vehicle"), index.hyponyms(vehicle));
    assert_eq!(index.hypernyms("airplane"), index.hypernyms(index.concept(airplane).unwrap()));
    assert_eq!(index.join(["airplane"]).unwrap().named(), [airplane]);
    assert_eq!(index.is_a(airplane, 7), Err(QueryError::UnknownId { id: 7, concepts: 7 }));
    assert_eq!(index.parents(99), Err(QueryError::UnknownId { id: 99, concepts: 7 }));
    assert!(matches!(index.is_a("aeroplane", vehicle), Err(QueryError::Unknown { .. })));
}

#[test]
fn an_empty_model_and_one_concept_answer_too() {
    let none = without_pairs(Codes::zeros(0, 3).unwrap());
    assert!(none.meet([0; 0]).unwrap().below.is_empty() && none.find("x").is_err());
    let one = without_pairs(Codes::zeros(1, 3).unwrap());
    assert!(
        one.hyponyms(0).unwrap().is_empty()
            && one.nearest(0, 3, Measure::Hamming).unwrap().is_empty()
    );
    assert_eq!(one.nearest(0, 3, Measure::Lin), Err(QueryError::NoHierarchy));
    assert_eq!(one.explain(0, 0).unwrap().chain, [0]);
    assert!(one.describe(0).unwrap().children.is_empty());
    assert_eq!(one.neighbourhood(0, 3).unwrap().hierarchy.len(), 1);
}

static NOUNS: LazyLock<Index> = LazyLock::new(|| exact(&Builtin::WordnetNouns.load()));

#[test]
fn every_noun_is_answered_as_the_hierarchy_would() {
    let hierarchy = NOUNS.hierarchy();
    let closure = hierarchy.closure();
    let mut below = vec![Vec::new(); hierarchy.len()];
    closure.pairs().for_each(|(child, parent)| below[parent as usize].push(child));
    for concept in hierarchy.ids() {
        assert_eq!(list(&NOUNS.hypernyms(concept).unwrap()), closure.row(concept));
        assert_eq!(list(&NOUNS.hyponyms(concept).unwrap()), below[concept as usize]);
        assert_eq!(sorted(NOUNS.parents(concept).unwrap()), hierarchy.parents(concept));
        assert_eq!(sorted(NOUNS.children(concept).unwrap()), hierarchy.children(concept));
    }
}

#[test]
fn meet_and_join_of_every_noun_agree_with_the_hierarchy() {
    let hierarchy = NOUNS.hierarchy();
    let n = hierarchy.ids().end;
    for concept in hierarchy.ids() {
        // A neighbour in depth-first order is probably a relative; a distant concept probably not.
        for other in [(concept + 1) % n, (concept.wrapping_mul(48_271)) % n] {
            check_pair(&NOUNS, concept, other);
        }
    }
}

proptest! {
    #[test]
    fn ranges_have_exactly_what_is_below(pairs in acyclic_pairs(60)) {
        let hierarchy = hierarchy(&pairs);
        let index = exact(&hierarchy);
        let ranks = index.ranks();
        let mut all = ranks.as_slice().to_vec();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(hierarchy.ids()), "a permutation of the ids");
        for concept in hierarchy.ids() {
            let mut below: Vec<u32> = hierarchy.descendants(concept);
            below.push(concept);
            let mut below: Vec<u32> = below.into_iter().map(|id| ranks.of(id)).collect();
            below.sort_unstable();
            let ranges = index.ranges(concept).unwrap();
            prop_assert!(ranges.windows(2).all(|two| two[0].end() + 1 < *two[1].start()));
            prop_assert_eq!(ranges.into_iter().flatten().collect::<Vec<_>>(), below);
        }
    }
}
