//! Sums and updates over the dimensions of vectors, in a fixed order.
//!
//! A sum has sixteen partial sums, one per lane of the widest vector registers. They are added up in
//! the same order on every machine, whatever the width of its registers, so results are the same
//! bits everywhere.

use std::array::from_fn;

use crate::real::Real;

/// Partial sums. As many as the widest registers have lanes.
const LANES: usize = 16;

/// The sum of `term` over the dimensions. All rows have the same length.
#[inline(always)]
pub(crate) fn sum<R: Real, const N: usize>(rows: [&[R]; N], term: impl Fn([R; N]) -> R) -> R {
    let blocks: [&[[R; LANES]]; N] = rows.map(|row| row.as_chunks().0);
    let rests: [&[R]; N] = rows.map(|row| row.as_chunks::<LANES>().1);
    let mut sums = [R::ZERO; LANES];
    for at in 0..blocks[0].len() {
        let block: [&[R; LANES]; N] = from_fn(|row| &blocks[row][at]);
        for lane in 0..LANES {
            sums[lane] += term(from_fn(|row| block[row][lane]));
        }
    }
    for at in 0..rests[0].len() {
        sums[at] += term(from_fn(|row| rests[row][at]));
    }
    folded(sums)
}

/// The sum of all lanes: halves are added to halves.
#[inline(always)]
fn folded<R: Real>(mut sums: [R; LANES]) -> R {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] = sums[lane] + sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

/// The scalar product of two rows.
#[inline(always)]
pub(crate) fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    sum([a, b], |[a, b]| a * b)
}

/// Adds `terms` to the dimensions of the rows in `to`. All rows have the same length.
#[inline(always)]
pub(crate) fn add<R: Real, const N: usize, const M: usize>(
    rows: [&[R]; N],
    to: [&mut [R]; M],
    terms: impl Fn([R; N]) -> [R; M],
) {
    let length = rows[0].len();
    let whole = length - length % LANES;
    for start in (0..whole).step_by(LANES) {
        let block: [&[R; LANES]; N] = from_fn(|row| block(rows[row], start));
        let mut sums: [[R; LANES]; M] = from_fn(|row| *self::block(to[row], start));
        for lane in 0..LANES {
            let terms = terms(from_fn(|row| block[row][lane]));
            for row in 0..M {
                sums[row][lane] += terms[row];
            }
        }
        for row in 0..M {
            to[row][start..start + LANES].copy_from_slice(&sums[row]);
        }
    }
    for at in whole..length {
        let terms = terms(from_fn(|row| rows[row][at]));
        for row in 0..M {
            to[row][at] += terms[row];
        }
    }
}

/// The lanes from `start` on.
#[inline(always)]
fn block<R>(row: &[R], start: usize) -> &[R; LANES] {
    row[start..].first_chunk().expect("a whole block")
}

/// Adds a multiple of a row to another.
#[inline(always)]
pub(crate) fn add_scaled<R: Real>(to: &mut [R], factor: R, row: &[R]) {
    add([row], [to], |[value]| [factor * value]);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_and_updates_are_those_of_plain_loops(
            pairs in vec((-1e3f64..1e3, -1e3f64..1e3), 0..70)
        ) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let plain: f64 = pairs.iter().map(|(a, b)| a * b).sum();
            prop_assert!((dot(&a, &b) - plain).abs() <= 1e-9 * plain.abs().max(1e6));
            let (mut x, mut y) = (b.clone(), a.clone());
            add([&a, &b], [&mut x, &mut y], |[a, b]| [2.0 * a, a * b]);
            for (at, (a, b)) in pairs.iter().enumerate() {
                prop_assert_eq!((x[at], y[at]), (b + 2.0 * a, a + a * b));
            }
        }
    }
}
