//! Codes by rows and by columns against their definition, one pair and one bit at a time.
//!
//! `src/bits/kernels/tests.rs` compares each version of the inner loops with its definition.

use std::process::Command;

use crate::common::codes;
use binder::bits::covers;
use binder::codes::CodesError;
use binder::{Codes, Columns, Id};
use proptest::prelude::*;

/// How many bits of `parent` are missing in `child`.
fn distance(codes: &Codes, child: Id, parent: Id) -> usize {
    (0..codes.bits()).filter(|&bit| codes.get(parent, bit) && !codes.get(child, bit)).count()
}

fn ids(codes: &Codes) -> std::ops::Range<Id> {
    0..Id::try_from(codes.len()).unwrap()
}

/// Checks every method of the columns, for every `step`-th concept.
fn check_columns(codes: &Codes, step: usize) -> Result<(), TestCaseError> {
    let columns = Columns::new(codes);
    prop_assert_eq!(columns.len(), codes.len());
    for id in ids(codes).step_by(step) {
        let code = codes.row(id);
        let below: Vec<Id> = ids(codes).filter(|&other| distance(codes, other, id) == 0).collect();
        let above: Vec<Id> = ids(codes).filter(|&other| distance(codes, id, other) == 0).collect();
        prop_assert_eq!(columns.count_supersets(code), below.len() as u64);
        prop_assert_eq!(columns.count_subsets(code), above.len() as u64);
        prop_assert_eq!(columns.supersets(code).into_iter().collect::<Vec<_>>(), below);
        prop_assert_eq!(columns.subsets(code).into_iter().collect::<Vec<_>>(), above);
        let both = &codes.code(id) | &codes.code(0);
        let any = ids(codes).any(|other| codes.code(other).covers(&both));
        prop_assert_eq!(columns.any_superset(both.words()), any);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn columns_equal_the_definition(
        codes in prop_oneof![
            codes(300, 64), codes(200, 128), codes(150, 192), codes(100, 256), codes(60, 700)
        ],
    ) {
        check_columns(&codes, 7)?;
    }

    /// Several blocks, so that the summaries rule out some of them.
    #[test]
    fn columns_search_all_blocks(codes in codes(2500, 24)) {
        check_columns(&codes, 401)?;
    }

    #[test]
    fn column_counts_equal_the_definition(
        codes in codes(40, 300),
        chosen in proptest::collection::vec(any::<u32>(), 0..700),
    ) {
        prop_assume!(!codes.is_empty());
        let chosen: Vec<Id> = chosen.into_iter().map(|id| id % ids(&codes).end).collect();
        let counts = codes.column_counts(&chosen);
        prop_assert_eq!(counts.len(), codes.bits());
        for (bit, &count) in counts.iter().enumerate() {
            let truly = chosen.iter().filter(|&&id| codes.get(id, bit)).count();
            prop_assert_eq!(count as usize, truly, "bit {}", bit);
        }
    }

    #[test]
    fn a_code_equals_its_row(codes in codes(20, 130)) {
        for id in ids(&codes) {
            let code = codes.code(id);
            prop_assert_eq!((code.bits(), code.words()), (codes.bits(), codes.row(id)));
            let ones: Vec<usize> = (0..codes.bits()).filter(|&bit| codes.get(id, bit)).collect();
            prop_assert_eq!(code.ones().map(usize::from).collect::<Vec<_>>(), ones);
            prop_assert_eq!(code.to_string().parse(), Ok(code));
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
        let equal = ids(&codes)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .filter(|&(a, b)| codes.row(a) == codes.row(b));
        prop_assert_eq!(codes.equal_pairs(), equal.count() as u64);
    }
}

#[test]
fn more_blocks_than_a_summary_holds_are_all_searched() {
    // One group of the summary has 512 blocks of 512 rows; this needs two groups.
    let rows = 512 * 512 + 700u64;
    let words = (0..rows).map(|row| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect();
    let codes = Codes::from_words(24, words).unwrap();
    let columns = Columns::new(&codes);
    for id in [0, 511, 512 * 512, 512 * 512 + 699] {
        let code = codes.row(id);
        let below = ids(&codes).filter(|&other| covers(codes.row(other), code));
        let above = ids(&codes).filter(|&other| covers(code, codes.row(other)));
        assert!(columns.supersets(code).into_iter().eq(below));
        assert!(columns.subsets(code).into_iter().eq(above));
    }
}

/// Each version of the inner loops runs these tests in its own process, because the version is
/// chosen once per process.
#[test]
fn every_version_of_the_kernels_keeps_these_laws() {
    for version in ["scalar", "avx2", "avx512"] {
        let laws = Command::new(std::env::current_exe().unwrap())
            .args(["codes::", "--skip", "every_version_of_the_kernels"])
            .env("BINDER_KERNELS", version)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&laws.stdout);
        assert!(laws.status.success(), "{version}: {said}");
        assert!(said.contains("codes::columns_equal_the_definition ... ok"), "{version}: {said}");
    }
}

#[test]
fn widths_from_one_to_the_maximum_work_and_others_are_refused() {
    for bits in [1, 63, 64, 65, 128, 4096] {
        let mut codes = Codes::zeros(3, bits).unwrap();
        codes.set(1, bits - 1, true);
        assert!(codes.is_a(1, 0) && !codes.is_a(0, 1) && codes.get(1, bits - 1));
        codes.set(1, bits - 1, false);
        assert_eq!(codes, Codes::zeros(3, bits).unwrap());
    }
    assert!(matches!(Codes::zeros(3, 0), Err(CodesError::Bits(0))));
    assert!(matches!(Codes::zeros(3, 4097), Err(CodesError::Bits(4097))));
    assert!(matches!(
        Codes::from_words(60, vec![0, 1 << 60]),
        Err(CodesError::Padding { row: 1, bits: 60 })
    ));
    assert!(matches!(
        Codes::from_words(65, vec![0; 3]),
        Err(CodesError::Words { words: 3, words_per_row: 2 })
    ));
}
