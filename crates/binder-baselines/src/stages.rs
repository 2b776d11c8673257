//! Long chains of operations on many numbers, cut into stages.
//!
//! The score of two boxes takes, in every dimension, powers of logarithms of powers: hundreds of
//! operations that wait for one another. A processor looks only a few hundred operations ahead, so
//! it finds little else to do meanwhile. In stages, each a loop over all dimensions of several
//! pairs, it finds enough:
//!
//! ```text
//!   pair by pair:   exp─ln─exp─ln─sum   exp─ln─exp─ln─sum   …
//!   in stages:      exp exp exp … ─ ln ln ln … ─ exp exp exp … ─ ln ln ln … ─ sum sum sum …
//! ```
//!
//! Every number goes through the same operations in the same order, so the results are the same
//! bits.

use crate::lanes::{LANES, LogProduct, at, blocks};
use crate::real::Real;

/// Blocks of dimensions that go through the stages together: their numbers stay in the nearest
/// cache.
const BLOCKS: usize = 32;

/// Some pairs, with `C` numbers in every dimension.
#[derive(Debug)]
pub(crate) struct Stages<R, const C: usize> {
    dim: usize,
    /// The numbers of each block of dimensions, pair by pair. What is left of the last block of a
    /// pair is of no use.
    blocks: Vec<[[R; LANES]; C]>,
}

impl<R: Real, const C: usize> Stages<R, C> {
    /// For pairs of rows of so many dimensions.
    pub(crate) fn new(dim: usize) -> Self {
        let blocks = Vec::with_capacity(BLOCKS.max(dim.div_ceil(LANES)));
        Self { dim, blocks }
    }

    /// The pairs that should go through the stages together.
    pub(crate) fn pairs(&self) -> usize {
        (BLOCKS / self.dim.div_ceil(LANES).max(1)).max(1)
    }

    /// Forgets all pairs.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Adds a pair: in every dimension, what `first` makes of the numbers of its rows.
    #[inline(always)]
    pub(crate) fn add<const N: usize>(
        &mut self,
        rows: [&[R]; N],
        first: impl Fn([R; N]) -> [R; C],
    ) {
        let whole = self.dim - self.dim % LANES;
        let mut start = 0;
        while start < whole {
            self.blocks.push(each_lane(&blocks(&rows, start), &first));
            start += LANES;
        }
        if start < self.dim {
            let mut padded = [[R::ONE; LANES]; N];
            for row in 0..N {
                padded[row][..self.dim - start].copy_from_slice(&rows[row][start..self.dim]);
            }
            self.blocks.push(each_lane(&padded.each_ref(), &first));
        }
    }

    /// The next stage: what `stage` makes of the numbers in each dimension of all pairs.
    #[inline(always)]
    pub(crate) fn then(&mut self, stage: impl Fn([R; C]) -> [R; C]) {
        for block in &mut self.blocks {
            *block = each_lane(&block.each_ref(), &stage);
        }
    }

    /// Adds what `terms` makes of the numbers of a pair to the dimensions of the rows in `to`.
    #[inline(always)]
    pub(crate) fn add_to<const M: usize>(
        &self,
        pair: usize,
        to: [&mut [R]; M],
        terms: impl Fn([R; C]) -> [R; M],
    ) {
        let blocks = self.blocks_of(pair);
        let whole = self.dim / LANES;
        for (number, block) in blocks[..whole].iter().enumerate() {
            let made = each_lane(&block.each_ref(), &terms);
            for row in 0..M {
                let to = &mut to[row][number * LANES..(number + 1) * LANES];
                for lane in 0..LANES {
                    to[lane] += made[row][lane];
                }
            }
        }
        if let Some(block) = blocks.get(whole) {
            let made = each_lane(&block.each_ref(), &terms);
            for row in 0..M {
                for place in whole * LANES..self.dim {
                    to[row][place] += made[row][place - whole * LANES];
                }
            }
        }
    }

    /// The blocks of a pair.
    #[inline(always)]
    fn blocks_of(&self, pair: usize) -> &[[[R; LANES]; C]] {
        let each = self.dim.div_ceil(LANES);
        &self.blocks[pair * each..(pair + 1) * each]
    }

    /// The sum over the dimensions of the logarithms of a pair's numbers at one place. They are
    /// above 0. It has the bits of [`sums_of_logs`](crate::lanes::sums_of_logs).
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
    pub(crate) fn sum_of_logs(&self, pair: usize, place: usize) -> R {
        let (whole, rest) = (self.dim / LANES, self.dim % LANES);
        let blocks = self.blocks_of(pair);
        let mut product = LogProduct::new();
        for block in &blocks[..whole] {
            product.times(&block[place]);
        }
        let mut product = product.in_registers();
        for lane in 0..rest {
            product.times_in(lane, blocks[whole][place][lane]);
        }
        product.log()
    }
}

/// What a function makes of the numbers in each lane.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
fn each_lane<R: Real, const N: usize, const C: usize>(
    block: &[&[R; LANES]; N],
    function: &impl Fn([R; N]) -> [R; C],
) -> [[R; LANES]; C] {
    let mut made = [[R::ZERO; LANES]; C];
    for lane in 0..LANES {
        let numbers = function(at(block, lane));
        for place in 0..C {
            made[place][lane] = numbers[place];
        }
    }
    made
}
