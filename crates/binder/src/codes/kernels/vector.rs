//! What the versions with wider registers have in common.

/// The table of kernels of a module, given its name and the features that all its functions may use.
///
/// The module brings `fixed_scan`, `all`, `but_one`, `column_counts`, `near_rows` and `sort_out` in its own instructions; loops that a
/// compiler turns into vectors by itself are only compiled once more here, with the features.
macro_rules! vector_kernels {
    ($name:literal, $features:literal) => {
        macro_rules! detected {
            ($call:expr) => {{
                // SAFETY: `KERNELS` is reached only through `kernels`, which has found the features.
                unsafe { $call }
            }};
        }

        static KERNELS: Kernels = Kernels {
            name: $name,
            supersets: |rows, code, found| detected!(row_scan::<true>(rows, code, found)),
            subsets: |rows, code, found| detected!(row_scan::<false>(rows, code, found)),
            all: |lanes, columns| detected!(all::<true>(lanes, columns)),
            none: |lanes, columns| detected!(all::<false>(lanes, columns)),
            all_but_one: |lanes, columns| detected!(but_one::<true>(lanes, columns)),
            none_but_one: |lanes, columns| detected!(but_one::<false>(lanes, columns)),
            column_counts: |words, stride, rows, counts| {
                detected!(column_counts(words, stride, rows, counts))
            },
            near_below: |words, code, rows, near| detected!(near_rows::<true>(words, code, rows, near)),
            near_above: |words, code, rows, near| detected!(near_rows::<false>(words, code, rows, near)),
            signed_counts: |code, ones, offset, weight, out| {
                detected!(signed_counts(code, ones, offset, weight, out));
            },
            sort_out: |numbers, bounds| detected!(sort_out(numbers, bounds)),
            draw: |key, from, bound, out| detected!(draw(key, from, bound, out)),
            happen: |key, from, chance, asked| detected!(happen(key, from, chance, asked)),
            distances: |rows, code, out| detected!(distances(rows, code, out)),
        };

        #[target_feature(enable = $features)]
        fn row_scan<const SUPERSETS: bool>(rows: &[u64], code: &[u64], found: &mut [u64]) {
            match code.len() {
                1 => fixed_scan::<1, SUPERSETS>(rows, code, found),
                2 => fixed_scan::<2, SUPERSETS>(rows, code, found),
                3 => fixed_scan::<3, SUPERSETS>(rows, code, found),
                4 => fixed_scan::<4, SUPERSETS>(rows, code, found),
                _ if SUPERSETS => scalar::supersets(rows, code, found),
                _ => scalar::subsets(rows, code, found),
            }
        }

        #[target_feature(enable = $features)]
        fn signed_counts(code: &[u64], ones: &[u32], offset: i64, weight: i64, out: &mut [i64]) {
            super::signed_counts(code, ones, offset, weight, out);
        }

        #[target_feature(enable = $features)]
        fn draw(key: u64, from: u64, bound: u32, out: &mut [u32]) {
            super::draw(key, from, bound, out);
        }

        #[target_feature(enable = $features)]
        fn happen(key: u64, from: u64, chance: u64, asked: u64) -> u64 {
            super::happen(key, from, chance, asked)
        }

        #[target_feature(enable = $features)]
        fn distances(rows: &[u64], code: &[u64], out: &mut [u16]) {
            super::distances(rows, code, out);
        }
    };
}
