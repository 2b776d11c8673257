mod change;
mod descent;
mod near;

use rayon::prelude::*;

use super::Codes;
use crate::bits::kernels::Kernels;
use crate::bits::{Block, Id, IdSet, id, ones, transpose, words_per_code};

/// The codes by columns: for every bit, the concepts that have it, in blocks of 512 concepts and
/// with a summary over the blocks.
///
/// "Which concepts have every bit of `y`?" takes one AND per bit of `y` for 512 concepts at once.
/// The summary has one bit per *block*, which says whether any concept in it has the bit. The same
/// ANDs over the summary come first and rule out most blocks, a *group* of 512 of them at once.
/// Concepts are laid out depth-first, so relatives share blocks and few blocks are left. Where
/// there are several groups, more than 262,144 concepts, groups are ruled out in the same way.
///
/// Searches also need `G(x, y)`, the number of bits of `y` that `x` lacks. `G = 0` means "x is-a
/// y"; `G = 1` means that a single bit separates the pair. It is counted with two accumulators:
/// `zero` (no bit missing so far) and `one` (one bit missing so far). Each column `c` of `y`
/// updates them:
///
/// ```text
/// one  = one & c | zero & !c        zero = zero & c
/// ```
///
/// # Examples
///
/// ```
/// use binder::codes::{Codes, Columns};
/// let codes = Codes::from_words(2, vec![0b00, 0b01, 0b11])?; // animal, pet, cat
/// let columns = Columns::new(&codes);
/// assert_eq!(columns.supersets(codes.row(1)).iter().collect::<Vec<_>>(), [1, 2]);
/// assert_eq!(columns.count_subsets(codes.row(1)), 2);
/// # Ok::<(), binder::codes::CodesError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Columns {
    /// Column `j` of block `b` is `blocks[b * bits + j]`; concepts past the last have no bits.
    blocks: Vec<Block>,
    /// Bit `b % 512` of `any[b / 512 * bits + j]`: some concept of block `b` has bit `j`.
    any: Vec<Block>,
    /// Bit `b % 512` of `every[b / 512 * bits + j]`: all concepts of block `b` have bit `j`.
    every: Vec<Block>,
    /// Bit `g % 512` of `any_in_group[g / 512 * bits + j]`: some concept of group `g` has bit `j`.
    any_in_group: Vec<Block>,
    /// The columns, the rarest first. In this order a search rules out concepts earliest. Every
    /// order gives the same result, so this one is not updated when bits change.
    rarest_first: Vec<u16>,
    /// The number of concepts.
    len: usize,
    /// The number of columns.
    bits: usize,
    kernels: &'static Kernels,
}

impl Columns {
    /// The columns of `codes`.
    pub fn new(codes: &Codes) -> Self {
        Self::with_kernels(codes, Kernels::current())
    }

    /// The columns of `codes`, searched with the given version of the kernels.
    pub(crate) fn with_kernels(codes: &Codes, kernels: &'static Kernels) -> Self {
        let (len, bits) = (codes.len(), codes.bits());
        let mut blocks = vec![Block::ZERO; len.div_ceil(Block::SIZE) * bits];
        blocks
            .par_chunks_mut(bits)
            .enumerate()
            .for_each(|(block, having)| fill(codes, block, having));
        let (any, every) = summaries(&blocks, len, bits);
        let (any_in_group, _) = summaries(&any, len.div_ceil(Block::SIZE), bits);
        let rarest_first = rarest_first(&blocks, bits);
        Self { blocks, any, every, any_in_group, rarest_first, len, bits, kernels }
    }

    /// The number of concepts.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no concepts.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All concepts whose code has every bit of `code`.
    ///
    /// # Panics
    ///
    /// When `code` has another width.
    pub fn supersets(&self, code: &[u64]) -> IdSet {
        let mut found = IdSet::new(self.len);
        let wanted = self.columns_in(code);
        self.below(&wanted, |block, rows| collect(&mut found, block, rows));
        found
    }

    /// All concepts whose code has no bit beyond those of `code`.
    ///
    /// # Panics
    ///
    /// When `code` has another width.
    pub fn subsets(&self, code: &[u64]) -> IdSet {
        let mut found = IdSet::new(self.len);
        let unwanted = self.columns_outside(code);
        self.above(&unwanted, |block, rows| collect(&mut found, block, rows));
        found
    }

    /// Calls `each` with every concept whose code has every bit of `code`, ascending. In a loop over
    /// all concepts, this takes time in proportion to what is found, and a set does not.
    pub(crate) fn each_superset(&self, code: &[u64], mut each: impl FnMut(Id)) {
        self.below(&self.columns_in(code), |block, rows| ids(block, rows).for_each(&mut each));
    }

    /// Calls `each` with every concept whose code has no bit beyond those of `code`, ascending.
    pub(crate) fn each_subset(&self, code: &[u64], mut each: impl FnMut(Id)) {
        self.above(&self.columns_outside(code), |block, rows| ids(block, rows).for_each(&mut each));
    }

    /// Whether some concept has every bit of `code`.
    ///
    /// # Panics
    ///
    /// When `code` has another width.
    pub fn any_superset(&self, code: &[u64]) -> bool {
        let (all, wanted) = (self.kernels.all, self.columns_in(code));
        self.live_by_any(|having| all(having, &wanted))
            .any(|block| !(all(self.block(block), &wanted) & self.filled(block)).is_empty())
    }

    /// The number of concepts that have every bit of `code`.
    ///
    /// # Panics
    ///
    /// When `code` has another width.
    pub fn count_supersets(&self, code: &[u64]) -> u64 {
        let mut count = 0;
        self.below(&self.columns_in(code), |_, rows| count += rows.count());
        count
    }

    /// The number of concepts that have no bit beyond those of `code`.
    ///
    /// # Panics
    ///
    /// When `code` has another width.
    pub fn count_subsets(&self, code: &[u64]) -> u64 {
        let mut count = 0;
        self.above(&self.columns_outside(code), |_, rows| count += rows.count());
        count
    }

    /// Calls `each` with each block that may have concepts with all of `columns`, and with those
    /// concepts.
    fn below(&self, columns: &[u16], mut each: impl FnMut(usize, Block)) {
        let all = self.kernels.all;
        for block in self.live_by_any(|having| all(having, columns)) {
            each(block, all(self.block(block), columns) & self.filled(block));
        }
    }

    /// Calls `each` with each block that may have concepts with none of `columns`, and with those
    /// concepts.
    fn above(&self, columns: &[u16], mut each: impl FnMut(usize, Block)) {
        let none = self.kernels.none;
        for block in self.live_by_every(|having| none(having, columns)) {
            each(block, none(self.block(block), columns) & self.filled(block));
        }
    }

    /// The blocks that a kernel does not rule out by what some of their concepts have.
    fn live_by_any<'a>(
        &'a self,
        kernel: impl Fn(&[Block]) -> Block + Copy + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let groups = self.groups();
        let summary = self.any_in_group.chunks_exact(self.bits).enumerate();
        let live = summary.flat_map(move |(at, having)| {
            // A single group is looked at anyway.
            let live = if groups > 1 { kernel(having) } else { Block::first(1) };
            places(at, live, groups)
        });
        live.flat_map(move |group| self.live_in_group(&self.any, group, kernel))
    }

    /// The blocks that a kernel does not rule out by what all of their concepts have.
    fn live_by_every<'a>(
        &'a self,
        kernel: impl Fn(&[Block]) -> Block + Copy + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let groups = 0..self.groups();
        groups.flat_map(move |group| self.live_in_group(&self.every, group, kernel))
    }

    /// The blocks of a group that a kernel does not rule out by a summary.
    fn live_in_group<K: Fn(&[Block]) -> Block>(
        &self,
        summary: &[Block],
        group: usize,
        kernel: K,
    ) -> impl Iterator<Item = usize> + use<K> {
        let having = &summary[group * self.bits..(group + 1) * self.bits];
        places(group, kernel(having), self.len.div_ceil(Block::SIZE))
    }

    /// The number of groups of blocks.
    fn groups(&self) -> usize {
        self.len.div_ceil(Block::SIZE).div_ceil(Block::SIZE)
    }

    fn block(&self, block: usize) -> &[Block] {
        &self.blocks[block * self.bits..(block + 1) * self.bits]
    }

    /// A mask of the concepts that exist in a block; the last block may not be full.
    fn filled(&self, block: usize) -> Block {
        Block::first(self.len - block * Block::SIZE)
    }

    /// The columns that `code` has.
    fn columns_in(&self, code: &[u64]) -> Vec<u16> {
        self.columns_where(code, |word| word)
    }

    /// The columns that `code` lacks.
    fn columns_outside(&self, code: &[u64]) -> Vec<u16> {
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

    fn check_width(&self, code: &[u64]) {
        assert_eq!(code.len(), words_per_code(self.bits), "the code has another width");
    }
}

fn rarest_first(blocks: &[Block], bits: usize) -> Vec<u16> {
    let mut counts = vec![0; bits];
    for block in blocks.chunks_exact(bits.max(1)) {
        counts.iter_mut().zip(block).for_each(|(count, who)| *count += who.count());
    }
    let mut order: Vec<u16> = (0..bits).map(column).collect();
    order.sort_by_key(|&column| counts[usize::from(column)]);
    order
}

fn column(index: usize) -> u16 {
    u16::try_from(index).expect("MAX_BITS fits")
}

fn collect(found: &mut IdSet, block: usize, rows: Block) {
    let words = &mut found.words_mut()[block * Block::SIZE / 64..];
    for (word, &bits) in words.iter_mut().zip(&rows.0) {
        *word = bits;
    }
}

/// Transposes the rows of a block: `having[j]` becomes the concepts of the block that have bit `j`.
fn fill(codes: &Codes, block: usize, having: &mut [Block]) {
    let stride = codes.words_per_row();
    for part in 0..8 {
        let first = block * Block::SIZE + part * 64;
        let last = (first + 64).min(codes.len());
        for word in 0..stride {
            let mut square = [0; 64];
            for row in first..last {
                square[row - first] = codes.row(id(row))[word];
            }
            transpose(&mut square);
            for (who, &column) in having[word * 64..].iter_mut().zip(&square) {
                who.0[part] = column;
            }
        }
    }
}

/// For each bit, the blocks in which some concept has it, and the blocks in which all do.
fn summaries(blocks: &[Block], len: usize, bits: usize) -> (Vec<Block>, Vec<Block>) {
    let groups = len.div_ceil(Block::SIZE).div_ceil(Block::SIZE);
    let (mut any, mut every) = (vec![Block::ZERO; groups * bits], vec![Block::ZERO; groups * bits]);
    for (block, having) in blocks.chunks_exact(bits.max(1)).enumerate() {
        let (at, filled) = (block / Block::SIZE * bits, Block::first(len - block * Block::SIZE));
        for (column, &who) in having.iter().enumerate() {
            any[at + column].set(block % Block::SIZE, !who.is_empty());
            every[at + column].set(block % Block::SIZE, who == filled);
        }
    }
    (any, every)
}

/// The numbers below `end` whose bits are set, where `set` has the bits of the numbers from `at *
/// 512` on.
fn places(at: usize, set: Block, end: usize) -> impl Iterator<Item = usize> {
    let set = set & Block::first(end - at * Block::SIZE);
    (0..8).flat_map(move |word| {
        ones(set.0[word]).map(move |bit| at * Block::SIZE + word * 64 + bit as usize)
    })
}

/// The concepts of a block that are set, ascending.
fn ids(block: usize, set: Block) -> impl Iterator<Item = Id> {
    set.iter().map(move |at| id(block * Block::SIZE) + at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::missing_bits;

    /// Codes of several blocks, with rare bits, so that the summaries rule out some blocks.
    fn codes() -> impl Strategy<Value = Codes> {
        let words = proptest::collection::vec(any::<[u64; 3]>(), 1..1500);
        (words, 1..=64usize).prop_map(|(words, bits)| {
            let mask = u64::MAX >> (64 - bits);
            let rare = words.into_iter().map(|[a, b, c]| a & b & c & mask);
            Codes::from_words(bits, rare.collect()).unwrap()
        })
    }

    /// The concepts that a scan finds: those that lack no bit, and those that lack one.
    fn collected(near: impl FnOnce(&mut dyn FnMut(usize, Block, Block))) -> [Vec<Id>; 2] {
        let mut found = [Vec::new(), Vec::new()];
        near(&mut |block, zero, one| {
            for (found, block_of) in found.iter_mut().zip([zero, one]) {
                found.extend(block_of.iter().map(|at| id(block * Block::SIZE) + at));
            }
        });
        found
    }

    /// More than one group. A bit is in one stretch of concepts, so most groups are ruled out.
    #[test]
    fn groups_are_ruled_out_like_blocks() {
        let concepts = 3 * Block::SIZE * Block::SIZE / 2;
        let code = |concept: usize| 1u64 << (concept >> 14) | (concept as u64 % 7) << 60;
        let mut codes = Codes::from_words(64, (0..concepts).map(code).collect()).unwrap();
        let mut columns = Columns::new(&codes);
        let agree = |columns: &Columns, codes: &Codes, code: u64| {
            let ids = 0..id(codes.len());
            let below: Vec<Id> = ids.clone().filter(|&x| code & !codes.row(x)[0] == 0).collect();
            assert_eq!(columns.supersets(&[code]).iter().collect::<Vec<_>>(), below);
            let near = |x: &Id| (code & !codes.row(*x)[0]).count_ones() == 1;
            let (mut found, wanted) = (Vec::new(), ids.filter(near).collect::<Vec<_>>());
            columns.one_below(&[code], |concept| found.push(concept));
            assert_eq!(found, wanted);
        };
        for code in [1 << 3, 1 << 23 | 1 << 60, 3 << 20] {
            agree(&columns, &codes, code);
        }
        // A bit that a group lacked, and one more concept in the last group.
        let (far, last) = (id(concepts - 1), 1 << 3 | 1 << 2);
        codes.set(far, 3, true);
        columns.set(far, 3, true);
        codes.push(&[last]);
        columns.push(&[last]);
        agree(&columns, &codes, 1 << 3);
        agree(&columns, &codes, last);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn scans_find_the_concepts_that_lack_no_bit_or_one(codes in codes()) {
            let (columns, ids) = (Columns::new(&codes), 0..id(codes.len()));
            for code in ids.clone().step_by(101).map(|concept| codes.row(concept)) {
                let who = |missing: &dyn Fn(&[u64]) -> u32| {
                    [0, 1].map(|n| -> Vec<Id> {
                        ids.clone().filter(|&x| missing(codes.row(x)) == n).collect()
                    })
                };
                let below = who(&|row| missing_bits(row, code));
                let above = who(&|row| missing_bits(code, row));
                let (mut one_below, mut one_above) = (Vec::new(), Vec::new());
                columns.one_below(code, |concept| one_below.push(concept));
                columns.one_above(code, |concept| one_above.push(concept));
                prop_assert_eq!((&one_below, &one_above), (&below[1], &above[1]));
                prop_assert_eq!(collected(|each| columns.near_below(code, each)), below);
                prop_assert_eq!(collected(|each| columns.near_above(code, each)), above);
            }
        }
    }
}
