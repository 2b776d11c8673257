//! Every kernel against the meaning of it: one pair, one bit at a time.

use crate::common::codes;
use binder::codes::kernels::{self, Kernels};
use binder::codes::{Columns, Partners, covers};
use binder::{Codes, Error};
use proptest::prelude::*;

/// How many bits of `parent` are missing in `child`.
fn distance(codes: &Codes, child: u32, parent: u32) -> usize {
    (0..codes.bits()).filter(|&bit| codes.get(parent, bit) && !codes.get(child, bit)).count()
}

fn ids(codes: &Codes) -> std::ops::Range<u32> {
    0..u32::try_from(codes.len()).unwrap()
}

fn row_scan(kernel: kernels::RowScan, codes: &Codes, code: &[u64]) -> Vec<u32> {
    let mut found = vec![0; codes.len().div_ceil(64)];
    kernel(codes.words(), code, &mut found);
    (0..u32::try_from(found.len() * 64).unwrap())
        .filter(|&row| found[row as usize / 64] >> (row % 64) & 1 == 1)
        .collect()
}

fn check_rows(kernels: &Kernels, codes: &Codes) -> Result<(), TestCaseError> {
    for id in ids(codes).step_by(7) {
        let below: Vec<u32> = ids(codes).filter(|&other| distance(codes, other, id) == 0).collect();
        let above: Vec<u32> = ids(codes).filter(|&other| distance(codes, id, other) == 0).collect();
        prop_assert_eq!(
            row_scan(kernels.supersets, codes, codes.row(id)),
            below,
            "{} supersets",
            kernels.name
        );
        prop_assert_eq!(
            row_scan(kernels.subsets, codes, codes.row(id)),
            above,
            "{} subsets",
            kernels.name
        );
        let mut hamming = vec![0; codes.len()];
        (kernels.distances)(codes.words(), codes.row(id), &mut hamming);
        let both_ways = |other| distance(codes, id, other) + distance(codes, other, id);
        prop_assert!(
            ids(codes).zip(hamming).all(|(other, found)| both_ways(other) == usize::from(found))
        );
    }
    Ok(())
}

fn check_columns(
    kernels: &'static Kernels,
    codes: &Codes,
    step: usize,
) -> Result<(), TestCaseError> {
    let columns = Columns::with_kernels(codes, kernels);
    for id in ids(codes).step_by(step) {
        let code = codes.row(id);
        let count = |wanted: usize, distance_to: &dyn Fn(u32) -> usize| {
            ids(codes).filter(|&other| distance_to(other) == wanted).count() as u64
        };
        let (below, above) =
            (|other| distance(codes, other, id), |other| distance(codes, id, other));
        prop_assert_eq!(
            columns.supersets(code).iter().collect::<Vec<_>>(),
            ids(codes).filter(|&o| below(o) == 0).collect::<Vec<_>>()
        );
        prop_assert_eq!(
            columns.subsets(code).iter().collect::<Vec<_>>(),
            ids(codes).filter(|&o| above(o) == 0).collect::<Vec<_>>()
        );
        prop_assert_eq!(columns.count_supersets(code), count(0, &below));
        prop_assert_eq!(columns.count_subsets(code), count(0, &above));
        let both: Vec<u64> = code.iter().zip(codes.row(0)).map(|(a, b)| a | b).collect();
        prop_assert_eq!(columns.any_superset(&both), columns.count_supersets(&both) > 0);
        prop_assert_eq!(
            columns.partners_below(code),
            Partners { zero: count(0, &below), one: count(1, &below) }
        );
        prop_assert_eq!(
            columns.partners_above(code),
            Partners { zero: count(0, &above), one: count(1, &above) }
        );
    }
    Ok(())
}

fn check_counts(kernels: &Kernels, codes: &Codes, chosen: &[u32]) -> Result<(), TestCaseError> {
    let mut counts = vec![1; codes.words_per_row() * 64];
    (kernels.column_counts)(codes.words(), codes.words_per_row(), chosen, &mut counts);
    for (bit, &count) in counts.iter().enumerate().take(codes.bits()) {
        let truly = chosen.iter().filter(|&&id| codes.get(id, bit)).count();
        prop_assert_eq!(count as usize, truly + 1, "{}: bit {}", kernels.name, bit);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_kernel_equals_the_meaning(codes in prop_oneof![codes(300, 64), codes(200, 128), codes(150, 192), codes(100, 256), codes(60, 700)]) {
        for kernels in kernels::available() {
            check_rows(kernels, &codes)?;
            check_columns(kernels, &codes, 7)?;
        }
    }

    /// Several blocks, so that their summaries rule some out.
    #[test]
    fn every_kernel_searches_all_blocks(codes in codes(2500, 24)) {
        for kernels in kernels::available() {
            check_columns(kernels, &codes, 401)?;
        }
    }

    #[test]
    fn every_column_count_equals_the_meaning(codes in codes(40, 300), chosen in proptest::collection::vec(any::<u32>(), 0..700)) {
        prop_assume!(!codes.is_empty());
        let chosen: Vec<u32> = chosen.into_iter().map(|id| id % u32::try_from(codes.len()).unwrap()).collect();
        for kernels in kernels::available() {
            check_counts(kernels, &codes, &chosen)?;
        }
        let counts = codes.column_counts(&chosen);
        prop_assert_eq!(counts.len(), codes.bits());
    }

    #[test]
    fn every_kernel_finds_the_near_rows(codes in prop_oneof![codes(60, 64), codes(60, 128), codes(60, 192), codes(60, 256), codes(40, 400)], drawn in proptest::collection::vec(any::<u32>(), 0..200)) {
        prop_assume!(!codes.is_empty());
        let n = u32::try_from(codes.len()).unwrap();
        let drawn: Vec<u32> = drawn.into_iter().map(|id| id % n).collect();
        for kernels in kernels::available() {
            for id in ids(&codes).step_by(7) {
                let (mut below, mut above) = (vec![7], vec![7]);
                (kernels.near_below)(codes.words(), codes.row(id), &drawn, &mut below);
                (kernels.near_above)(codes.words(), codes.row(id), &drawn, &mut above);
                let near = |distance: &dyn Fn(u32) -> usize| [7].into_iter().chain(drawn.iter().copied().filter(|&row| distance(row) <= 1)).collect::<Vec<_>>();
                prop_assert_eq!(below, near(&|row| distance(&codes, row, id)), "{}", kernels.name);
                prop_assert_eq!(above, near(&|row| distance(&codes, id, row)), "{}", kernels.name);
            }
        }
    }

    #[test]
    fn every_kernel_signs_sorts_and_draws_alike(
        code in proptest::collection::vec(any::<u64>(), 1..5), counts in proptest::collection::vec(0..1000u32, 256), offset in 0..1000i64,
        weight in 0..60_000i64, bound in -50..50i64, length in 0..65usize, key in any::<u64>(), from in any::<u32>(), below in 1..u32::MAX,
    ) {
        let (ones, plain) = (&counts[..code.len() * 64], kernels::available()[0]);
        let expected: Vec<i64> = ones.iter().enumerate().map(|(bit, &ones)| {
            let sign = if code[bit / 64] >> (bit % 64) & 1 == 1 { -1 } else { 1 };
            sign * weight * (i64::from(ones) - offset)
        }).collect();
        let small: Vec<i64> = counts[..length].iter().map(|&count| i64::from(count % 100) - 50).collect();
        let draw = |kernels: &Kernels| {
            let mut out = vec![0; length];
            (kernels.draw)(key, u64::from(from), below, &mut out);
            out
        };
        for kernels in kernels::available() {
            let mut signed = vec![0; ones.len()];
            (kernels.signed_counts)(&code, ones, offset, weight, &mut signed);
            prop_assert_eq!(&signed, &expected, "{}", kernels.name);
            let (zero, large) = (kernels.sort_out)(&small, [bound, offset]);
            let bits = |wanted: &dyn Fn(i64) -> bool| (0..length).filter(|&at| wanted(small[at])).fold(0u64, |bits, at| bits | 1 << at);
            prop_assert_eq!((zero, large), (bits(&|n| n == 0), [bound, offset].map(|bound| bits(&|n| n >= bound))), "{}", kernels.name);
            let happens = |kernels: &Kernels| (kernels.happen)(key, u64::from(from), !key, code[0]);
            prop_assert_eq!(happens(kernels), happens(plain), "{}", kernels.name);
            prop_assert_eq!(happens(kernels) & !code[0], 0);
            prop_assert_eq!(draw(kernels), draw(plain), "{}", kernels.name);
            prop_assert!(draw(kernels).into_iter().all(|drawn| drawn < below));
        }
    }

    #[test]
    fn having_every_bit_is_a_partial_order(codes in codes(30, 130)) {
        for a in ids(&codes) {
            prop_assert!(codes.is_a(a, a));
            for b in ids(&codes) {
                prop_assert_eq!(codes.is_a(a, b), distance(&codes, a, b) == 0);
                prop_assert_eq!(codes.is_a(a, b), covers(codes.row(a), codes.row(b)));
                prop_assert_eq!(codes.is_a(a, b) && codes.is_a(b, a), codes.row(a) == codes.row(b));
                for c in ids(&codes) {
                    prop_assert!(!(codes.is_a(a, b) && codes.is_a(b, c)) || codes.is_a(a, c));
                }
            }
        }
    }

    #[test]
    fn equal_pairs_are_counted_once_each(codes in codes(60, 6)) {
        let equal = ids(&codes).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| codes.row(a) == codes.row(b));
        prop_assert_eq!(codes.equal_pairs(), equal.count() as u64);
    }
}

#[test]
fn more_blocks_than_a_summary_holds_are_all_searched() {
    // 512 blocks of 512 rows fill one group of the summary; this needs two.
    let rows = 512 * 512 + 700u64;
    let words = (0..rows).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect();
    let codes = Codes::from_words(24, words).unwrap();
    let columns = Columns::new(&codes);
    for id in [0, 511, 512 * 512, 512 * 512 + 699] {
        assert_eq!(columns.supersets(codes.row(id)), codes.supersets(codes.row(id)));
        assert_eq!(columns.subsets(codes.row(id)), codes.subsets(codes.row(id)));
    }
}

#[test]
fn widths_from_one_to_the_widest_work_and_others_are_refused() {
    for bits in [1, 63, 64, 65, 128, 4096] {
        let mut codes = Codes::zeros(3, bits).unwrap();
        codes.set(1, bits - 1, true);
        assert!(codes.is_a(1, 0) && !codes.is_a(0, 1) && codes.get(1, bits - 1));
        codes.set(1, bits - 1, false);
        assert_eq!(codes, Codes::zeros(3, bits).unwrap());
    }
    assert!(matches!(Codes::zeros(3, 0), Err(Error::Bits(0))));
    assert!(matches!(Codes::zeros(3, 4097), Err(Error::Bits(4097))));
    assert!(matches!(
        Codes::from_words(60, vec![0, 1 << 60]),
        Err(Error::Padding { row: 1, bits: 60 })
    ));
    assert!(matches!(Codes::from_words(65, vec![0; 3]), Err(Error::Words { words: 3, stride: 2 })));
}
