//! Training against its definition.

use binder::Codes;
use binder::graph::Graph;
use binder::train::loss::{gradient, loss};
use binder::train::negatives::list;
use binder::train::sequential::{descend, negatives_without_self};
use binder::train::{Recipe, Sampling};
use proptest::prelude::*;

use crate::common::*;

fn sampling() -> impl Strategy<Value = Sampling> {
    any::<(bool, bool, bool, bool)>().prop_map(|(filtered, distinct, with_self, reversed)| {
        Sampling { filtered, distinct, with_self, reversed }
    })
}

proptest! {
    #[test]
    fn the_gradient_is_what_flipping_the_bit_alone_gains(
        pairs in acyclic_pairs(12),
        negatives in proptest::collection::vec(any::<(u32, u32)>(), 0..60),
        seed in any::<u64>(),
        bits in 1..70usize,
    ) {
        let hierarchy = hierarchy(&pairs);
        prop_assume!(!hierarchy.is_empty());
        let n = u32::try_from(hierarchy.len()).unwrap();
        let positives = Graph::new(hierarchy.len(), hierarchy.closure().pairs());
        // No flip can separate a concept from itself. The paper's formula does not account for
        // that.
        let negatives: Vec<_> =
            negatives.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b).collect();
        let mut codes = random_codes(hierarchy.len(), bits, seed);
        let (before, gradients) =
            (loss(&codes, &positives, &negatives), gradient(&codes, &positives, &negatives));
        for id in 0..n {
            for bit in 0..bits {
                flip(&mut codes, id, bit);
                let after = loss(&codes, &positives, &negatives);
                flip(&mut codes, id, bit);
                let gained = gradients[id as usize * bits + bit];
                prop_assert_eq!(
                    gained.positive,
                    before.missing.cast_signed() - after.missing.cast_signed()
                );
                prop_assert_eq!(
                    gained.negative,
                    before.false_positives.cast_signed() - after.false_positives.cast_signed()
                );
            }
        }
    }

    #[test]
    fn negatives_follow_the_sampling_rules(
        pairs in acyclic_pairs(12),
        sampling in sampling(),
        per_pair in 1..9u32,
        seed in any::<u64>(),
        epoch in 0..100u64,
    ) {
        let hierarchy = hierarchy(&pairs);
        let positives = hierarchy.graph();
        let negatives = list(positives, per_pair, sampling, seed, epoch);
        let n = u32::try_from(hierarchy.len()).unwrap();
        prop_assert!(negatives.iter().all(|&(child, parent)| child < n && parent < n));
        prop_assert!(sampling.with_self || negatives.iter().all(|(child, parent)| child != parent));
        prop_assert!(
            !sampling.filtered
                || negatives.iter().all(|&(child, parent)| !positives.contains(child, parent))
        );
        prop_assert!(!sampling.distinct || negatives.windows(2).all(|two| two[0] < two[1]));
        if sampling.reversed {
            prop_assert!(
                positives.iter().all(|(child, parent)| negatives.contains(&(parent, child)))
            );
        }
        let open = Sampling { filtered: false, distinct: false, with_self: true, reversed: false };
        prop_assert_eq!(
            list(positives, per_pair, open, seed, epoch).len(),
            positives.len() * per_pair as usize
        );
        // Every pair that is not reversed shares an end with a positive pair.
        let touches = |&(child, parent): &(u32, u32)| {
            !positives.parents(child).is_empty() || !positives.children(parent).is_empty()
        };
        prop_assert!(sampling.reversed || negatives.iter().all(touches));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_descent_ends_where_no_single_flip_is_better(
        pairs in acyclic_pairs(10),
        sampling in sampling(),
        per_pair in 1..6u32,
        seed in any::<u64>(),
        bits in 1..12usize,
    ) {
        let hierarchy = hierarchy(&pairs);
        prop_assume!(!hierarchy.is_empty());
        let positives = hierarchy.graph();
        let params = Recipe::Paper.params(true).with(|p| {
            (p.bits, p.negatives, p.sampling, p.seed) = (bits, per_pair, sampling, seed);
            (p.alpha, p.bias) = (25, 0.0);
        });
        let params = params.check(hierarchy.len()).unwrap();
        let negatives = negatives_without_self(positives, &params);
        let weighted =
            |codes: &Codes| loss(codes, positives, &negatives).weighted(params.alpha, params.beta);
        let mut codes = random_codes(hierarchy.len(), bits, seed);
        let (before, mut gained) = (weighted(&codes), 0);
        descend(&mut codes, positives, &params, |gain| {
            assert!(gain > 0, "the loss rose");
            gained += gain;
            Ok(())
        })
        .unwrap();
        let end = weighted(&codes);
        prop_assert_eq!(before - end, gained);
        for id in hierarchy.ids() {
            for bit in 0..bits {
                flip(&mut codes, id, bit);
                prop_assert!(weighted(&codes) >= end);
                flip(&mut codes, id, bit);
            }
        }
    }
}

fn random_codes(rows: usize, bits: usize, seed: u64) -> Codes {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand::rngs::ChaCha8Rng::seed_from_u64(seed);
    let mut codes = Codes::zeros(rows, bits).unwrap();
    for id in 0..u32::try_from(rows).unwrap() {
        (0..bits).for_each(|bit| {
            codes.set(id, bit, rng.random_ratio(1, 1 + u32::try_from(seed % 4).unwrap()));
        });
    }
    codes
}

fn flip(codes: &mut Codes, id: u32, bit: usize) {
    codes.set(id, bit, !codes.get(id, bit));
}
