use super::Columns;
use super::columns::BLOCK;
use super::kernels::{BlockPartners, Lane};
use crate::hierarchy::{Id, id};

/// Columns that change, and the concepts that a single bit keeps apart from a code: what a local search asks for.
impl Columns {
    /// Gives `concept` the bit `column`, or takes it away, and keeps the summaries true.
    pub(crate) fn set(&mut self, concept: Id, column: usize, on: bool) {
        let (block, at) = (concept as usize / BLOCK, concept as usize % BLOCK);
        let filled = self.filled(block);
        let lane = &mut self.blocks[block * self.bits + column];
        lane.put(at, on);
        let (any, every) = (*lane != Lane::ZERO, *lane == filled);
        let summary = block / BLOCK * self.bits + column;
        self.any[summary].put(block % BLOCK, any);
        self.every[summary].put(block % BLOCK, every);
    }

    /// Whether `concept` has the bit `column`.
    pub(crate) fn has(&self, concept: Id, column: usize) -> bool {
        self.blocks[concept as usize / BLOCK * self.bits + column].has(concept as usize % BLOCK)
    }

    /// Hands over every concept that lacks exactly one bit of `code`; says how many blocks were looked at.
    pub(crate) fn one_below(&self, code: &[u64], each: impl FnMut(Id)) -> u64 {
        self.ones(&self.columns_in(code), &self.any, self.kernels.all_but_one, each)
    }

    /// Hands over every concept of which `code` lacks exactly one bit; says how many blocks were looked at.
    pub(crate) fn one_above(&self, code: &[u64], each: impl FnMut(Id)) -> u64 {
        self.ones(&self.columns_outside(code), &self.every, self.kernels.none_but_one, each)
    }

    fn ones(
        &self,
        columns: &[u16],
        summary: &[Lane],
        kernel: BlockPartners,
        mut each: impl FnMut(Id),
    ) -> u64 {
        let mut visited = 0;
        let alive = |lanes: &[Lane]| {
            let (zero, one) = kernel(lanes, columns);
            zero | one
        };
        for block in self.live_blocks(summary, alive) {
            visited += 1;
            let (_, one) = kernel(self.block(block), columns);
            (one & self.filled(block)).iter().for_each(|at| each(id(block * BLOCK + at)));
        }
        visited
    }
}
