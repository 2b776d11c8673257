//! Scans for the concepts that at most one bit separates from a code.

use super::{Columns, ids};
use crate::bits::kernels::NearScan;
use crate::bits::{Block, Id, id};

impl Columns {
    /// Calls `each` with every concept that lacks exactly one bit of `code`. Returns the number of
    /// blocks scanned.
    pub(crate) fn one_below(&self, code: &[u64], each: impl FnMut(Id)) -> u64 {
        self.near_by_any(&self.rarest_in(code), one_by_one(each))
    }

    /// Calls `each` with every concept that has exactly one bit that `code` lacks. Returns the
    /// number of blocks scanned.
    pub(crate) fn one_above(&self, code: &[u64], each: impl FnMut(Id)) -> u64 {
        self.near_by_every(&self.columns_outside(code), one_by_one(each))
    }

    /// Calls `each`, block by block, with the concepts that lack no bit of `code` and those that
    /// lack exactly one.
    pub(crate) fn near_below(&self, code: &[u64], each: impl FnMut(usize, Block, Block)) {
        self.near_by_any(&self.rarest_in(code), each);
    }

    /// Calls `each`, block by block, with the concepts that have no bit that `code` lacks and those
    /// that have exactly one.
    pub(crate) fn near_above(&self, code: &[u64], each: impl FnMut(usize, Block, Block)) {
        self.near_by_every(&self.columns_outside(code), each);
    }

    /// Calls `each` with every concept that has the bit `column` and at most one bit that `code`
    /// lacks, and whether it has none. Returns the number of blocks scanned.
    pub(crate) fn near_above_having(
        &self,
        code: &[u64],
        column: usize,
        each: impl FnMut(Id, bool),
    ) -> u64 {
        let (unwanted, kernel) = (self.columns_outside(code), self.kernels.none_but_one);
        self.near_within(&unwanted, (&self.every, &self.any), kernel, column, |who| who, each)
    }

    /// Calls `each` with every concept that lacks the bit `column` and at most one bit of `code`,
    /// and whether it lacks none. Returns the number of blocks scanned.
    pub(crate) fn near_below_lacking(
        &self,
        code: &[u64],
        column: usize,
        each: impl FnMut(Id, bool),
    ) -> u64 {
        let (wanted, kernel) = (self.rarest_in(code), self.kernels.all_but_one);
        let lacking = |who: Block| Block::first(Block::SIZE).without(who);
        self.near_within(&wanted, (&self.any, &self.every), kernel, column, lacking, each)
    }

    /// A near scan over the concepts that `within` selects from the bit `column`. The first summary
    /// is that of the scan, the second tells which blocks have none of these concepts.
    fn near_within(
        &self,
        columns: &[u16],
        (summary, limits): (&[Block], &[Block]),
        kernel: NearScan,
        column: usize,
        within: impl Fn(Block) -> Block,
        mut each: impl FnMut(Id, bool),
    ) -> u64 {
        let (mut scanned, blocks) = (0, self.len.div_ceil(Block::SIZE));
        let groups = summary.chunks_exact(self.bits).zip(limits.chunks_exact(self.bits));
        for (group, (having, limits)) in groups.enumerate() {
            let inside = within(limits[column]) & Block::first(blocks - group * Block::SIZE);
            if inside.is_empty() {
                continue;
            }
            let (zero, one) = kernel(having, columns);
            for block in ((zero | one) & inside).iter() {
                let block = group * Block::SIZE + block as usize;
                let having = self.block(block);
                let inside = within(having[column]) & self.filled(block);
                scanned += 1;
                let (zero, one) = kernel(having, columns);
                let first = id(block * Block::SIZE);
                (zero & inside).iter().for_each(|at| each(first + at, true));
                (one & inside).iter().for_each(|at| each(first + at, false));
            }
        }
        scanned
    }

    /// The number of blocks that may have concepts which lack at most one bit of `code`.
    pub(crate) fn blocks_below(&self, code: &[u64]) -> u64 {
        let (columns, kernel) = (self.rarest_in(code), self.kernels.all_but_one);
        self.live_by_any(|having| either(kernel(having, &columns))).count() as u64
    }

    /// The number of blocks that may have concepts with at most one bit that `code` lacks.
    pub(crate) fn blocks_above(&self, code: &[u64]) -> u64 {
        let (columns, kernel) = (self.columns_outside(code), self.kernels.none_but_one);
        self.live_by_every(|having| either(kernel(having, &columns))).count() as u64
    }

    /// Calls `each`, block by block, with the concepts that lack none of `columns` and those that
    /// lack one. Returns the number of blocks scanned.
    fn near_by_any(&self, columns: &[u16], each: impl FnMut(usize, Block, Block)) -> u64 {
        let kernel = self.kernels.all_but_one;
        self.near(columns, kernel, self.live_by_any(|having| either(kernel(having, columns))), each)
    }

    /// Calls `each`, block by block, with the concepts that have none of `columns` and those that
    /// have one. Returns the number of blocks scanned.
    fn near_by_every(&self, columns: &[u16], each: impl FnMut(usize, Block, Block)) -> u64 {
        let kernel = self.kernels.none_but_one;
        self.near(
            columns,
            kernel,
            self.live_by_every(|having| either(kernel(having, columns))),
            each,
        )
    }

    /// Calls `each`, for the live blocks, with the concepts that a kernel finds for all chosen
    /// columns and for all but one. Returns the number of blocks scanned.
    fn near(
        &self,
        columns: &[u16],
        kernel: NearScan,
        live: impl Iterator<Item = usize>,
        mut each: impl FnMut(usize, Block, Block),
    ) -> u64 {
        let mut blocks = 0;
        for block in live {
            blocks += 1;
            let (zero, one) = kernel(self.block(block), columns);
            if !(zero | one).is_empty() {
                each(block, zero & self.filled(block), one & self.filled(block));
            }
        }
        blocks
    }

    /// The columns that `code` has, the rarest first. Every column is written after the last one
    /// kept; increasing the count keeps it. So there is no branch to mispredict.
    fn rarest_in(&self, code: &[u64]) -> Vec<u16> {
        self.check_width(code);
        let (mut columns, mut count) = (vec![0; self.bits], 0);
        for &column in &self.rarest_first {
            columns[count] = column;
            count += usize::from(code[usize::from(column) / 64] >> (column % 64) & 1 == 1);
        }
        columns.truncate(count);
        columns
    }
}

/// What a kernel finds for all columns or for all but one.
fn either((zero, one): (Block, Block)) -> Block {
    zero | one
}

/// Calls `each` with every concept that exactly one bit separates.
fn one_by_one(mut each: impl FnMut(Id)) -> impl FnMut(usize, Block, Block) {
    move |block, _, one| ids(block, one).for_each(&mut each)
}
