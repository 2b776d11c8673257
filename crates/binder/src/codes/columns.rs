use rayon::prelude::*;

use super::kernels::{self, Kernels, Lane};
use super::rowset::ones;
use super::transpose::transpose;
use super::{Codes, RowSet};
use crate::hierarchy::{Id, id};

/// Concepts in a block: the bits of one [`Lane`].
pub(crate) const BLOCK: usize = 512;

/// The bits by columns: for every bit, who has it; in blocks of 512 concepts, with a summary over the blocks.
///
/// "Who has every bit of `y`?" is one AND per bit of `y` over 512 concepts at once. Before a block is looked at, the same
/// ANDs over the summary (one bit per *block*: does anyone in it have the bit?) rule out most blocks, 512 of
/// them at once. Concepts are laid out depth-first, so relatives share blocks and few blocks are left.
///
/// The distance that matters is `G(x, y)`: how many bits of `y` are missing in `x`. `G = 0` is "x is-a y"; `G = 1` means
/// that a single bit keeps the pair apart. It is counted with two accumulators: `zero` (nothing missing yet) and
/// `one` (a single bit missing), updated by each column `c` of `y` as
///
/// ```text
/// one  = one & c | zero & !c        zero = zero & c
/// ```
#[derive(Debug, Clone)]
pub struct Columns {
    /// Column `j` of block `b` is `blocks[b * bits + j]`; concepts past the last have no bits.
    pub(super) blocks: Vec<Lane>,
    /// Bit `b % 512` of `any[b / 512 * bits + j]`: some concept of block `b` has bit `j`.
    pub(super) any: Vec<Lane>,
    /// Bit `b % 512` of `every[b / 512 * bits + j]`: all concepts of block `b` have bit `j`.
    pub(super) every: Vec<Lane>,
    /// The columns, the rarest first: in this order wanted ones rule out most concepts soonest. Any order is right, so it need not follow
    /// changes.
    rarest_first: Vec<u16>,
    pub(super) len: usize,
    pub(super) bits: usize,
    pub(super) kernels: &'static Kernels,
}

/// How many concepts are at distance 0 and 1 from a code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Partners {
    /// Concepts with `G = 0`, the code's own concept among them.
    pub zero: u64,
    /// Concepts with `G = 1`.
    pub one: u64,
}

impl Columns {
    /// The columns of `codes`.
    pub fn new(codes: &Codes) -> Self {
        Self::with_kernels(codes, kernels::best())
    }

    /// The columns of `codes`, searched by chosen kernels.
    pub fn with_kernels(codes: &Codes, kernels: &'static Kernels) -> Self {
        let (len, bits) = (codes.len(), codes.bits());
        let mut blocks = vec![Lane::ZERO; len.div_ceil(BLOCK) * bits];
        blocks.par_chunks_mut(bits).enumerate().for_each(|(block, lanes)| fill(codes, block, lanes));
        let (any, every) = summaries(&blocks, len, bits);
        Self { rarest_first: rarest_first(&blocks, bits), blocks, any, every, len, bits, kernels }
    }

    /// How many concepts there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All concepts whose code has every bit of `code`.
    pub fn supersets(&self, code: &[u64]) -> RowSet {
        let mut found = RowSet::empty(self.len);
        let wanted = self.columns_in(code);
        self.below(&wanted, |block, rows| collect(&mut found, block, rows));
        found
    }

    /// All concepts whose code has no bit beyond those of `code`.
    pub fn subsets(&self, code: &[u64]) -> RowSet {
        let mut found = RowSet::empty(self.len);
        let unwanted = self.columns_outside(code);
        self.above(&unwanted, |block, rows| collect(&mut found, block, rows));
        found
    }

    /// Whether some concept has every bit of `code`.
    pub fn any_superset(&self, code: &[u64]) -> bool {
        let (all, wanted) = (self.kernels.all, self.columns_in(code));
        self.live_blocks(&self.any, |lanes| all(lanes, &wanted))
            .any(|block| !(all(self.block(block), &wanted) & self.filled(block)).is_empty())
    }

    /// How many concepts have every bit of `code`.
    pub fn count_supersets(&self, code: &[u64]) -> u64 {
        let mut count = 0;
        self.below(&self.columns_in(code), |_, rows| count += rows.count());
        count
    }

    /// How many concepts have no bit beyond those of `code`.
    pub fn count_subsets(&self, code: &[u64]) -> u64 {
        let mut count = 0;
        self.above(&self.columns_outside(code), |_, rows| count += rows.count());
        count
    }

    /// How many concepts lack no bit, and how many a single bit, of `code`: partners of `code` as the parent.
    pub fn partners_below(&self, code: &[u64]) -> Partners {
        let wanted = self.columns_in(code);
        self.partners(&wanted, &self.any, self.kernels.all_but_one)
    }

    /// Of how many concepts `code` lacks no bit, and of how many a single bit: partners of `code` as the child.
    pub fn partners_above(&self, code: &[u64]) -> Partners {
        let unwanted = self.columns_outside(code);
        self.partners(&unwanted, &self.every, self.kernels.none_but_one)
    }

    fn partners(&self, columns: &[u16], summary: &[Lane], kernel: kernels::BlockPartners) -> Partners {
        let mut found = Partners::default();
        self.near(columns, summary, kernel, |_, zero, one| {
            found.zero += zero.count();
            found.one += one.count();
        });
        found
    }

    /// Hands over each block that has concepts with all of `columns`, with the bits of those concepts.
    fn below(&self, columns: &[u16], mut each: impl FnMut(usize, Lane)) {
        let all = self.kernels.all;
        for block in self.live_blocks(&self.any, |lanes| all(lanes, columns)) {
            each(block, all(self.block(block), columns) & self.filled(block));
        }
    }

    /// Hands over each block that has concepts with none of `columns`, with the bits of those concepts.
    fn above(&self, columns: &[u16], mut each: impl FnMut(usize, Lane)) {
        let none = self.kernels.none;
        for block in self.live_blocks(&self.every, |lanes| none(lanes, columns)) {
            each(block, none(self.block(block), columns) & self.filled(block));
        }
    }

    /// The blocks that a kernel does not rule out by their summary.
    pub(super) fn live_blocks<'a>(
        &'a self,
        summary: &'a [Lane],
        kernel: impl Fn(&[Lane]) -> Lane + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let blocks = self.len.div_ceil(BLOCK);
        summary.chunks_exact(self.bits).enumerate().flat_map(move |(group, lanes)| {
            let live = kernel(lanes) & Lane::first(blocks - group * BLOCK);
            (0..8).flat_map(move |word| {
                ones(live.0[word]).map(move |bit| group * BLOCK + word * 64 + bit as usize)
            })
        })
    }

    pub(super) fn block(&self, block: usize) -> &[Lane] {
        &self.blocks[block * self.bits..(block + 1) * self.bits]
    }

    /// Ones for the concepts that a block really has.
    pub(super) fn filled(&self, block: usize) -> Lane {
        Lane::first(self.len - block * BLOCK)
    }

    /// The columns that `code` has.
    pub(super) fn columns_in(&self, code: &[u64]) -> Vec<u16> {
        self.columns_where(code, |word| word)
    }

    /// The columns that `code` has not.
    pub(super) fn columns_outside(&self, code: &[u64]) -> Vec<u16> {
        self.columns_where(code, |word| !word)
    }

    fn columns_where(&self, code: &[u64], word: impl Fn(u64) -> u64) -> Vec<u16> {
        self.check_width(code);
        let mut columns = Vec::with_capacity(self.bits);
        for (at, &bits) in code.iter().enumerate() {
            columns.extend(ones(word(bits)).map(|bit| column(at * 64 + bit as usize)));
        }
        columns.truncate(columns.partition_point(|&column| usize::from(column) < self.bits));
        columns
    }

    /// The columns that `code` has, the rarest first. Each is written down, and kept by counting it: no branch to mispredict.
    pub(super) fn rarest_in(&self, code: &[u64]) -> Vec<u16> {
        self.check_width(code);
        let (mut columns, mut count) = (vec![0; self.bits], 0);
        for &column in &self.rarest_first {
            columns[count] = column;
            count += usize::from(code[usize::from(column) / 64] >> (column % 64) & 1 == 1);
        }
        columns.truncate(count);
        columns
    }

    fn check_width(&self, code: &[u64]) {
        assert_eq!(code.len(), super::stride(self.bits), "a code of another width");
    }
}

fn rarest_first(blocks: &[Lane], bits: usize) -> Vec<u16> {
    let mut counts = vec![0; bits];
    for block in blocks.chunks_exact(bits.max(1)) {
        counts.iter_mut().zip(block).for_each(|(count, lane)| *count += lane.count());
    }
    let mut order: Vec<u16> = (0..bits).map(column).collect();
    order.sort_by_key(|&column| counts[usize::from(column)]);
    order
}

fn column(index: usize) -> u16 {
    u16::try_from(index).expect("MAX_BITS fits")
}

fn collect(found: &mut RowSet, block: usize, rows: Lane) {
    let words = &mut found.words_mut()[block * BLOCK / 64..];
    for (word, &bits) in words.iter_mut().zip(&rows.0) {
        *word = bits;
    }
}

/// Transposes the rows of a block into its lanes.
fn fill(codes: &Codes, block: usize, lanes: &mut [Lane]) {
    let stride = codes.words_per_row();
    for part in 0..8 {
        let first = block * BLOCK + part * 64;
        let last = (first + 64).min(codes.len());
        for word in 0..stride {
            let mut square = [0; 64];
            for row in first..last {
                square[row - first] = codes.row(id(row) as Id)[word];
            }
            transpose(&mut square);
            for (lane, &column) in lanes[word * 64..].iter_mut().zip(&square) {
                lane.0[part] = column;
            }
        }
    }
}

/// Which blocks have some concept, and which have only concepts, with each bit.
fn summaries(blocks: &[Lane], len: usize, bits: usize) -> (Vec<Lane>, Vec<Lane>) {
    let groups = len.div_ceil(BLOCK).div_ceil(BLOCK);
    let (mut any, mut every) = (vec![Lane::ZERO; groups * bits], vec![Lane::ZERO; groups * bits]);
    for (block, lanes) in blocks.chunks_exact(bits.max(1)).enumerate() {
        let (at, filled) = (block / BLOCK * bits, Lane::first(len - block * BLOCK));
        for (column, &lane) in lanes.iter().enumerate() {
            any[at + column].set(block % BLOCK, !lane.is_empty());
            every[at + column].set(block % BLOCK, lane == filled);
        }
    }
    (any, every)
}
