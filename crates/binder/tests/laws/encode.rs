//! The laws of the encoder: exact on every shape, the same on any number of threads, within its
//! limit of bits.

use crate::common::{acyclic_pairs, hierarchy};
use binder::codes::CodesError;
use binder::encode::{Effort, EncodeError, EncodeParams, codes, most_lost};
use binder::hierarchy::HierarchyBuilder;
use binder::{Choice, Codes, Hierarchy, evaluate};
use proptest::prelude::*;

fn with(effort: Effort, bits: Option<usize>) -> EncodeParams {
    EncodeParams::default().effort(effort).bits(bits).seed(7)
}

/// Encodes and checks every pair. Returns the number of bits.
fn exact_bits(hierarchy: &Hierarchy, effort: Effort) -> usize {
    let encoding = codes(hierarchy, &with(effort, None), &()).unwrap();
    assert_eq!(evaluate::all_pairs(&encoding.codes, hierarchy).confusion.errors(), 0, "{effort:?}");
    assert!(encoding.lower_bound <= encoding.codes.bits());
    encoding.codes.bits()
}

fn on_threads(threads: usize, hierarchy: &Hierarchy, params: &EncodeParams) -> Codes {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| codes(hierarchy, params, &()).unwrap().codes)
}

/// A hierarchy of `upper` concepts that are all above each of `lower` concepts.
fn bipartite(upper: usize, lower: usize) -> Hierarchy {
    let pairs: Vec<_> = (0..lower).flat_map(|l| (0..upper).map(move |u| (upper + l, u))).collect();
    hierarchy(&pairs)
}

fn concepts(n: usize) -> Hierarchy {
    let mut builder = HierarchyBuilder::default();
    for i in 0..n {
        builder.concept(&i.to_string()).unwrap();
    }
    builder.build(Default::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_hierarchy_is_encoded_exactly(pairs in acyclic_pairs(60)) {
        let hierarchy = hierarchy(&pairs);
        let bits: Vec<usize> =
            [Effort::Fast, Effort::Normal].map(|effort| exact_bits(&hierarchy, effort)).into();
        prop_assert!(bits[1] <= bits[0]);
    }

    #[test]
    fn every_concept_has_the_bits_of_room(pairs in acyclic_pairs(40), room in 1..70usize) {
        let (hierarchy, plain) = (hierarchy(&pairs), EncodeParams::default());
        let narrow = codes(&hierarchy, &plain, &()).unwrap().codes;
        let wide = codes(&hierarchy, &plain.room(room), &()).unwrap().codes;
        prop_assert_eq!(wide.bits(), narrow.bits() + room);
        for concept in hierarchy.ids() {
            for bit in 0..wide.bits() {
                let expected = bit >= narrow.bits() || narrow.get(concept, bit);
                prop_assert_eq!(wide.get(concept, bit), expected);
            }
        }
        prop_assert_eq!(evaluate::all_pairs(&wide, &hierarchy).confusion.errors(), 0);
        let limited = plain.bits(wide.bits()).room(room);
        prop_assert!(codes(&hierarchy, &limited, &()).unwrap().codes.bits() <= wide.bits());
        let error = plain.bits(room).room(room).check().unwrap_err();
        prop_assert_eq!(error, CodesError::Room { room, most: room });
    }

    #[test]
    fn trees_are_encoded_exactly(
        parents in proptest::collection::vec(any::<prop::sample::Index>(), 1..300),
    ) {
        let pairs: Vec<_> =
            parents.iter().enumerate().map(|(at, parent)| (at + 1, parent.index(at + 1))).collect();
        exact_bits(&hierarchy(&pairs), Effort::Normal);
    }

    #[test]
    fn layers_are_encoded_exactly(width in 1..12usize, depth in 1..5usize, seed in any::<u64>()) {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand::rngs::ChaCha8Rng::seed_from_u64(seed);
        let pair = |at: usize, above: usize| (at, at / width * width - width + above);
        let pairs: Vec<_> = (width..width * (depth + 1))
            .flat_map(|at| (0..width).map(move |above| pair(at, above)))
            .filter(|_| rng.random_ratio(1, 3))
            .collect();
        exact_bits(&hierarchy(&pairs), Effort::Normal);
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_codes(
        pairs in acyclic_pairs(80),
        budget in proptest::option::of(1..12usize),
    ) {
        let (hierarchy, params) = (hierarchy(&pairs), with(Effort::Normal, budget));
        prop_assert_eq!(on_threads(1, &hierarchy, &params), on_threads(3, &hierarchy, &params));
    }

    #[test]
    fn a_limit_of_bits_misses_no_pair_and_reports_false_pairs(
        pairs in acyclic_pairs(60),
        bits in 1..10usize,
    ) {
        let hierarchy = hierarchy(&pairs);
        let codes = codes(&hierarchy, &with(Effort::Normal, Some(bits)), &()).unwrap().codes;
        prop_assert!(codes.bits() <= bits);
        let judged = evaluate::all_pairs(&codes, &hierarchy).confusion;
        prop_assert_eq!(judged.false_negatives, 0);
        let lost = most_lost(&codes, &hierarchy, usize::MAX);
        prop_assert_eq!(lost.iter().map(|lost| lost.false_parents).sum::<u64>(), judged.fp);
        prop_assert_eq!(lost.iter().map(|lost| lost.false_children).sum::<u64>(), judged.fp);
    }
}

#[test]
fn known_shapes_take_the_known_number_of_bits() {
    for &effort in Effort::ALL {
        assert_eq!(exact_bits(&concepts(0), effort), 1);
        assert_eq!(exact_bits(&concepts(1), effort), 1);
        assert_eq!(exact_bits(&concepts(70), effort), 8);
        let chain: Vec<_> = (1..300).map(|at| (at, at - 1)).collect();
        assert_eq!(exact_bits(&hierarchy(&chain), effort), 299);
        let most = if effort == Effort::Fast { 17 } else { 12 };
        assert!(exact_bits(&bipartite(20, 20), effort) <= most);
        let diamond = [(1, 0), (2, 0), (3, 1), (3, 2)];
        assert!(exact_bits(&hierarchy(&diamond), effort) <= 3);
    }
}

#[test]
fn a_star_of_a_hundred_thousand_takes_twenty_bits() {
    let star: Vec<_> = (1..=100_000).map(|child| (child, 0)).collect();
    assert_eq!(exact_bits(&hierarchy(&star), Effort::Normal), 20);
}

#[test]
fn a_chain_that_needs_too_many_bits_is_an_error_unless_bits_are_limited() {
    let chain: Vec<_> = (1..=4097).map(|at| (at, at - 1)).collect();
    let error = codes(&hierarchy(&chain), &EncodeParams::default(), &()).unwrap_err();
    assert!(matches!(error, EncodeError::TooManyBits { bits: 4097, most: 4096 }), "{error}");
    assert!(error.to_string().contains("4097 bits"), "{error}");
    // With a limit there are codes: they miss no pair, and the deepest concepts look like their
    // parents.
    let hierarchy = hierarchy(&chain);
    let limited = codes(&hierarchy, &with(Effort::Fast, Some(8)), &()).unwrap().codes;
    let judged = evaluate::all_pairs(&limited, &hierarchy).confusion;
    assert_eq!((limited.bits(), judged.false_negatives), (8, 0));
    assert!(judged.fp > 0);
}

/// All sets of so many elements, each below those with one element less.
fn sets(elements: usize) -> Hierarchy {
    let without = |set: usize| (0..elements).map(move |at| (set, set & !(1 << at)));
    let pairs = (0..1usize << elements).flat_map(without).filter(|(child, parent)| child != parent);
    hierarchy(&pairs.collect::<Vec<_>>())
}

#[test]
fn as_many_bits_as_exact_codes_have_give_exact_codes() {
    for elements in 3..=6 {
        let sets = sets(elements);
        assert_eq!(exact_bits(&sets, Effort::Normal), elements);
        for bits in elements..elements + 4 {
            let limited = codes(&sets, &with(Effort::Normal, Some(bits)), &()).unwrap().codes;
            let errors = evaluate::all_pairs(&limited, &sets).confusion.errors();
            assert_eq!((limited.bits(), errors), (elements, 0), "at most {bits} bits");
        }
    }
}

#[test]
fn columns_of_a_deep_forest_are_dropped() {
    // A chain of twenty concepts with four leaves below each; no codes have fewer than 23 bits.
    let chain = (1..20).map(|at| (at, at - 1));
    let leaves = (0..80).map(|leaf| (20 + leaf, leaf / 4));
    let pairs: Vec<_> = chain.chain(leaves).collect();
    assert!(exact_bits(&hierarchy(&pairs), Effort::Fast) > 40);
    assert!(exact_bits(&hierarchy(&pairs), Effort::Max) <= 26);
}
