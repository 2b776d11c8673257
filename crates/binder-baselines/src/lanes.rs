//! Sums and updates over the dimensions of vectors, in a fixed order.
//!
//! A sum has sixteen partial sums, one per lane of the widest vector registers. They are added up
//! in the same order on every machine, whatever the width of its registers, so results are the same
//! bits everywhere.

use crate::real::Real;

/// Partial sums. As many as the widest registers have lanes.
pub(crate) const LANES: usize = 16;

/// The sum of `term` over the dimensions. All rows have the same length.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
pub(crate) fn sum<R: Real, const N: usize>(rows: [&[R]; N], term: impl Fn([R; N]) -> R) -> R {
    let length = rows[0].len();
    let whole = length - length % LANES;
    let mut sums = [R::ZERO; LANES];
    let mut start = 0;
    while start < whole {
        let block = blocks(&rows, start);
        for lane in 0..LANES {
            sums[lane] += term(at(&block, lane));
        }
        start += LANES;
    }
    let mut sums = in_one_register(sums);
    for place in whole..length {
        sums[place - whole] += term(place_of(&rows, place));
    }
    folded(sums)
}

/// For each of `factors`, which are above 0, the sum of its logarithms over the dimensions.
///
/// It is the logarithm of the product, so each lane needs one logarithm.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
pub(crate) fn sums_of_logs<R: Real, const N: usize, const M: usize>(
    rows: [&[R]; N],
    factors: impl Fn([R; N]) -> [R; M],
) -> [R; M] {
    let length = rows[0].len();
    let whole = length - length % LANES;
    let mut products = [LogProduct::new(); M];
    let mut start = 0;
    while start < whole {
        let block = blocks(&rows, start);
        let mut made = [[R::ONE; LANES]; M];
        for lane in 0..LANES {
            let factors = factors(at(&block, lane));
            for row in 0..M {
                made[row][lane] = factors[row];
            }
        }
        for row in 0..M {
            products[row].times(&made[row]);
        }
        start += LANES;
    }
    let mut sums = [R::ZERO; M];
    for row in 0..M {
        products[row] = products[row].in_registers();
    }
    for place in whole..length {
        let factors = factors(place_of(&rows, place));
        for row in 0..M {
            products[row].times_in(place - whole, factors[row]);
        }
    }
    for row in 0..M {
        sums[row] = products[row].log();
    }
    sums
}

/// A product of numbers above 0 whose logarithm is wanted.
///
/// Powers of two are added up on their own, so the product of the rest stays near 1 whatever the
/// size of the factors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogProduct<R> {
    near_one: [R; LANES],
    powers: [R; LANES],
}

#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
impl<R: Real> LogProduct<R> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { near_one: [R::ONE; LANES], powers: [R::ZERO; LANES] }
    }

    /// Multiplies by a factor in each lane.
    #[inline(always)]
    pub(crate) fn times(&mut self, factors: &[R; LANES]) {
        for lane in 0..LANES {
            self.times_in(lane, factors[lane]);
        }
    }

    /// Multiplies by a factor in one lane.
    #[inline(always)]
    pub(crate) fn times_in(&mut self, lane: usize, factor: R) {
        let (near_one, power) = factor.split();
        self.near_one[lane] = self.near_one[lane] * near_one;
        self.powers[lane] += power;
    }

    /// The same, after the last factors of all lanes.
    #[inline(always)]
    pub(crate) fn in_registers(self) -> Self {
        Self { near_one: in_one_register(self.near_one), powers: in_one_register(self.powers) }
    }

    /// The logarithm of the product over all lanes.
    #[inline(always)]
    pub(crate) fn log(self) -> R {
        let mut logs = self.near_one;
        for lane in 0..LANES {
            logs[lane] = logs[lane].ln();
        }
        folded(logs) + folded(self.powers) * R::of(std::f64::consts::LN_2)
    }
}

/// Lanes as they are. The compiler must not look from here into the loop that filled them: to have
/// them in the order of what comes next, it would split their register into many small ones there.
#[inline(always)]
fn in_one_register<L>(lanes: L) -> L {
    std::hint::black_box(lanes)
}

/// One number of each row. Plain loops here and below: compilers leave calls in `from_fn`.
#[inline(always)]
pub(crate) fn at<R: Real, const N: usize>(block: &[&[R; LANES]; N], lane: usize) -> [R; N] {
    let mut numbers = [R::ZERO; N];
    for row in 0..N {
        numbers[row] = block[row][lane];
    }
    numbers
}

#[inline(always)]
fn place_of<R: Real, const N: usize>(rows: &[&[R]; N], place: usize) -> [R; N] {
    let mut numbers = [R::ZERO; N];
    for row in 0..N {
        numbers[row] = rows[row][place];
    }
    numbers
}

/// The lanes of every row from `start` on.
#[inline(always)]
pub(crate) fn blocks<'a, R, const N: usize>(
    rows: &[&'a [R]; N],
    start: usize,
) -> [&'a [R; LANES]; N] {
    let mut blocks = [block(rows[0], start); N];
    for row in 1..N {
        blocks[row] = block(rows[row], start);
    }
    blocks
}

/// The sum of all lanes: halves are added to halves.
#[inline(always)]
fn folded<R: Real>(mut sums: [R; LANES]) -> R {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

/// The scalar product of two rows.
#[inline(always)]
pub(crate) fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    sum(
        [a, b],
        #[inline(always)]
        |[a, b]| a * b,
    )
}

/// Adds `terms` to the dimensions of the rows in `to`. All rows have the same length.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
pub(crate) fn add<R: Real, const N: usize, const M: usize>(
    rows: [&[R]; N],
    to: [&mut [R]; M],
    terms: impl Fn([R; N]) -> [R; M],
) {
    let length = rows[0].len();
    let whole = length - length % LANES;
    let mut start = 0;
    while start < whole {
        let block = blocks(&rows, start);
        let mut sums = [[R::ZERO; LANES]; M];
        for lane in 0..LANES {
            let terms = terms(at(&block, lane));
            for row in 0..M {
                sums[row][lane] = terms[row];
            }
        }
        for row in 0..M {
            let to = &mut to[row][start..start + LANES];
            for lane in 0..LANES {
                to[lane] += sums[row][lane];
            }
        }
        start += LANES;
    }
    for place in whole..length {
        let terms = terms(place_of(&rows, place));
        for row in 0..M {
            to[row][place] += terms[row];
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
    add(
        [row],
        [to],
        #[inline(always)]
        |[value]| [factor * value],
    );
}

/// Adds multiples of several rows to another, the first row first. `rows` has one after the other,
/// a factor for each.
#[inline(always)]
pub(crate) fn add_multiples<R: Real>(to: &mut [R], factors: &[R], rows: &[R]) {
    /// Numbers that stay in registers from row to row: four registers, since an addition has to
    /// wait for the last one to the same register.
    const CHUNK: usize = 4 * LANES;
    let width = to.len();
    let (chunks, rest) = to.as_chunks_mut::<CHUNK>();
    for (chunk, to) in chunks.iter_mut().enumerate() {
        let mut sums = *to;
        for (&factor, row) in factors.iter().zip(rows.chunks_exact(width)) {
            let row = &row[chunk * CHUNK..(chunk + 1) * CHUNK];
            for lane in 0..CHUNK {
                sums[lane] += factor * row[lane];
            }
        }
        *to = sums;
    }
    let whole = width - rest.len();
    for (&factor, row) in factors.iter().zip(rows.chunks_exact(width)) {
        add_scaled(rest, factor, &row[whole..]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Up to as many dimensions as there may be, and factors as small and large as there are.
        #[test]
        fn sums_of_logarithms_are_those_of_plain_loops(
            logs in vec((-80.0f64..80.0, -80.0f64..80.0), 0..1025)
        ) {
            let (a, b): (Vec<_>, Vec<_>) = logs.iter().copied().unzip();
            let plain: [f64; 2] = [a.iter().sum(), b.iter().sum()];
            let powers = |logs: &[f64]| logs.iter().map(|&x| libm::exp(x)).collect::<Vec<_>>();
            let (a, b) = (powers(&a), powers(&b));
            let short = |row: &[f64]| row.iter().map(|&x| Real::of(x)).collect::<Vec<f32>>();
            let (a_short, b_short) = (short(&a), short(&b));
            let long = sums_of_logs([&a, &b], #[inline(always)] |[a, b]| [a, b]);
            let fast: [f32; 2] =
                sums_of_logs([&a_short, &b_short], #[inline(always)] |[a, b]| [a, b]);
            for ((plain, long), fast) in plain.into_iter().zip(long).zip(fast) {
                prop_assert!((plain - long).abs() < 1e-9 * plain.abs().max(1.0));
                prop_assert!((plain - f64::from(fast)).abs() < 1e-6 * plain.abs().max(300.0));
            }
        }

        #[test]
        fn sums_and_updates_are_those_of_plain_loops(
            pairs in vec((-1e3f64..1e3, -1e3f64..1e3), 0..70)
        ) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let plain: f64 = pairs.iter().map(|(a, b)| a * b).sum();
            prop_assert!((dot(&a, &b) - plain).abs() <= 1e-9 * plain.abs().max(1e6));
            let (mut x, mut y) = (b.clone(), a.clone());
            add([&a, &b], [&mut x, &mut y], #[inline(always)] |[a, b]| [2.0 * a, a * b]);
            for (at, (a, b)) in pairs.iter().enumerate() {
                prop_assert_eq!((x[at], y[at]), (b + 2.0 * a, a + a * b));
            }
        }

        /// Bit for bit: the first row is added first.
        #[test]
        fn multiples_are_added_as_one_by_one(
            width in 1usize..200, factors in vec(-1e3f32..1e3, 0..6), seed in 0u32..1000
        ) {
            let number = |at: usize| libm::sinf(at as f32 + seed as f32);
            let rows: Vec<f32> = (0..width * factors.len()).map(number).collect();
            let (mut plain, mut fast) = (vec![0.5f32; width], vec![0.5f32; width]);
            for (&factor, row) in factors.iter().zip(rows.chunks_exact(width)) {
                add_scaled(&mut plain, factor, row);
            }
            add_multiples(&mut fast, &factors, &rows);
            prop_assert_eq!(plain, fast);
        }
    }
}
