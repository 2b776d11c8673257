//! Evaluation and the reference predictors against counting pair by pair.

use crate::common::*;
use binder::evaluate::{self, Confusion};
use binder::{Codes, Hierarchy};
use proptest::prelude::*;

/// Compares a predictor with the truth, pair by pair.
fn by_definition(
    n: u32,
    predicts: impl Fn(u32, u32) -> bool,
    truly: impl Fn(u32, u32) -> bool,
) -> Confusion {
    let mut confusion = Confusion::default();
    for (child, parent) in (0..n).flat_map(|child| (0..n).map(move |parent| (child, parent))) {
        if child != parent {
            confusion.count(predicts(child, parent), truly(child, parent));
        }
    }
    confusion
}

fn random_codes(hierarchy: &Hierarchy, seed: u64, bits: usize) -> Codes {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand::rngs::ChaCha8Rng::seed_from_u64(seed);
    let mut codes = Codes::zeros(hierarchy.len(), bits).unwrap();
    for id in hierarchy.ids() {
        (0..bits).for_each(|bit| codes.set(id, bit, rng.random_bool(0.4)));
    }
    // In half of the cases children inherit bits, so that many pairs are predicted correctly.
    if seed.is_multiple_of(2) {
        for (child, parent) in hierarchy.pairs() {
            (0..bits)
                .filter(|&bit| codes.get(parent, bit))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|bit| codes.set(child, bit, true));
        }
    }
    codes
}

proptest! {
    #[test]
    fn evaluation_of_all_pairs_equals_the_definition(
        pairs in acyclic_pairs(30),
        seed in any::<u64>(),
        bits in 1..70usize,
    ) {
        let hierarchy = hierarchy(&pairs);
        let codes = random_codes(&hierarchy, seed, bits);
        let n = u32::try_from(hierarchy.len()).unwrap();
        let judged = evaluate::all_pairs(&codes, &hierarchy);
        let truth = by_definition(n, |c, p| codes.is_a(c, p), |c, p| hierarchy.is_a(c, p));
        prop_assert_eq!(judged.confusion, truth);
        prop_assert_eq!(judged.equal_pairs, codes.equal_pairs());
        let apart = |c: u32, p: u32| codes.is_a(c, p) && codes.row(c) != codes.row(p);
        prop_assert_eq!(
            evaluate::all_pairs_strict(&codes, &hierarchy, &judged),
            by_definition(n, apart, |c, p| hierarchy.is_a(c, p))
        );
        let mistakes = evaluate::first_mistakes(&codes, &hierarchy, usize::MAX);
        prop_assert_eq!(mistakes.len() as u64, truth.errors());
        for mistake in mistakes {
            prop_assert_eq!(hierarchy.is_a(mistake.child, mistake.parent), mistake.truly);
            prop_assert_eq!(codes.is_a(mistake.child, mistake.parent), !mistake.truly);
        }
    }

    #[test]
    fn evaluation_of_references_equals_the_definition(
        pairs in acyclic_pairs(20),
        keep in proptest::collection::vec(any::<bool>(), 60),
    ) {
        let truth = hierarchy(&pairs);
        let n = u32::try_from(truth.len()).unwrap();
        let mut kept: Vec<_> =
            pairs.iter().zip(keep).filter(|(_, keep)| *keep).map(|(pair, _)| *pair).collect();
        kept.extend(pairs.iter().flat_map(|&(child, parent)| [(child, child), (parent, parent)]));
        let train = hierarchy(&kept);
        let trained = |child: u32, parent: u32| {
            let id = |id: u32| train.id(truth.name(id)).unwrap();
            train.is_a(id(child), id(parent))
        };
        prop_assert_eq!(
            evaluate::closure_on_all_pairs(&train, &truth),
            by_definition(n, trained, |c, p| truth.is_a(c, p))
        );

        let counts = truth.descendant_counts();
        let best = evaluate::descendants_on_all_pairs(&truth);
        for threshold in 0..u64::from(n) {
            let one = by_definition(
                n,
                |_, parent| counts[parent as usize] >= threshold,
                |c, p| truth.is_a(c, p),
            );
            prop_assert!(one.f1() <= best.f1() + 1e-12);
        }
        let all = (0..n)
            .flat_map(|child| (0..n).map(move |parent| (child, parent)))
            .filter(|(c, p)| c != p);
        let (positives, negatives): (Vec<_>, Vec<_>) = all.partition(|&(c, p)| truth.is_a(c, p));
        prop_assert_eq!(evaluate::closure_on_listed(&truth, &positives, &negatives).errors(), 0);
        if !positives.is_empty() {
            let listed = evaluate::descendants_on_listed(&truth, &positives, &negatives);
            prop_assert!((listed.f1() - best.f1()).abs() < 1e-12);
            let threshold = evaluate::descendants_threshold(&truth, &positives, &negatives);
            prop_assert_eq!(
                evaluate::descendants_at_threshold(&truth, threshold, &positives, &negatives),
                listed
            );
        }
    }
}

#[test]
fn a_small_example_has_the_scores_computed_by_hand() {
    let confusion = Confusion { tp: 6, fp: 2, false_negatives: 4, tn: 88 };
    assert_eq!((confusion.precision(), confusion.recall()), (0.75, 0.6));
    assert!((confusion.f1() - 2.0 * 0.75 * 0.6 / (0.75 + 0.6)).abs() < 1e-15);
    assert_eq!((confusion.accuracy(), confusion.pairs(), confusion.errors()), (0.94, 100, 6));
    // Without true and predicted pairs the scores are perfect; with a missed pair they are not.
    assert_eq!(Confusion::default().f1(), 1.0);
    assert_eq!(Confusion { false_negatives: 1, ..Confusion::default() }.f1(), 0.0);
}

#[test]
fn listed_pairs_count_equal_codes() {
    let codes = Codes::from_words(2, vec![0b00, 0b01, 0b01, 0b11]).unwrap();
    let judged = evaluate::listed(&codes, &[(1, 0), (3, 1)], &[(1, 2), (0, 3)]);
    assert_eq!(judged.confusion, Confusion { tp: 2, fp: 1, false_negatives: 0, tn: 1 });
    assert_eq!(judged.equal_pairs, 1);
    let apart = evaluate::listed_strict(&codes, &[(1, 0), (3, 1)], &[(1, 2), (0, 3)]);
    assert_eq!(apart, Confusion { tp: 2, fp: 0, false_negatives: 0, tn: 2 });
}

#[test]
fn no_concepts_and_one_concept_have_no_pairs() {
    for n in 0..2usize {
        let mut builder = binder::hierarchy::HierarchyBuilder::default();
        for i in 0..n {
            builder.concept(&i.to_string()).unwrap();
        }
        let hierarchy = builder.build(Default::default()).unwrap();
        let judged = evaluate::all_pairs(&Codes::zeros(n, 8).unwrap(), &hierarchy);
        assert_eq!((judged.confusion.pairs(), judged.confusion.f1()), (0, 1.0));
        assert_eq!(evaluate::descendants_on_all_pairs(&hierarchy).errors(), 0);
    }
}
