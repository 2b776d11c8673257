//! The parts that the AVX2 and AVX-512 versions share.

/// Defines a module's table of kernels, given the CPU features that all its functions may use.
///
/// The module itself defines `all`, `but_one`, `column_counts`, `near_rows` and `compare`.
macro_rules! vector_kernels {
    ($features:literal) => {
        macro_rules! detected {
            ($call:expr) => {{
                // SAFETY: `Kernels::of` returns this table only where the features were detected.
                unsafe { $call }
            }};
        }

        pub(super) static KERNELS: Kernels = Kernels {
            all: |blocks, columns| detected!(all::<true>(blocks, columns)),
            none: |blocks, columns| detected!(all::<false>(blocks, columns)),
            all_but_one: |blocks, columns| detected!(but_one::<true>(blocks, columns)),
            none_but_one: |blocks, columns| detected!(but_one::<false>(blocks, columns)),
            column_counts: |words, stride, rows, counts| {
                detected!(column_counts(words, stride, rows, counts))
            },
            near_below: |words, code, rows, near| {
                detected!(near_rows::<true>(words, code, rows, near))
            },
            near_above: |words, code, rows, near| {
                detected!(near_rows::<false>(words, code, rows, near))
            },
            compare: |numbers, bounds| detected!(compare(numbers, bounds)),
            distances: |rows, code, out| detected!(distances(rows, code, out)),
        };

        #[target_feature(enable = $features)]
        fn distances(rows: &[u64], code: &[u64], out: &mut [u16]) {
            super::distances(rows, code, out);
        }
    };
}
