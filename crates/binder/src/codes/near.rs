use super::Columns;
use super::columns::BLOCK;
use super::kernels::{BlockPartners, Lane};
use super::ones;
use crate::hierarchy::{Id, id};

/// Columns that change, and the concepts that a single bit keeps apart from a code: what a local search asks for.
impl Columns {
    /// Gives `concept` the bit `column`, or takes it away, and keeps the summaries true.
    pub(crate) fn set(&mut self, concept: Id, column: usize, on: bool) {
        let (block, at) = (concept as usize / BLOCK, concept as usize % BLOCK);
        let filled = self.filled(block);
        let lane = &mut self.blocks[block * self.bits + column];
        lane.put(at, on);
        let (any, every) = (!lane.is_empty(), filled.without(*lane).is_empty());
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
        self.near(&self.columns_in(code), &self.any, self.kernels.all_but_one, one_by_one(each))
    }

    /// Hands over every concept of which `code` lacks exactly one bit; says how many blocks were looked at.
    pub(crate) fn one_above(&self, code: &[u64], each: impl FnMut(Id)) -> u64 {
        self.near(&self.columns_outside(code), &self.every, self.kernels.none_but_one, one_by_one(each))
    }

    /// Hands over, block by block, the concepts that lack no bit and those that lack a single bit of `code`: the partners of
    /// [`partners_below`](Self::partners_below) one by one.
    pub(crate) fn near_below(&self, code: &[u64], each: impl FnMut(usize, Lane, Lane)) {
        let wanted = self.rarest_in(code);
        self.near(&wanted, &self.any, self.kernels.all_but_one, each);
    }

    /// Hands over, block by block, the concepts of which `code` lacks no bit and those of which it lacks a single bit.
    pub(crate) fn near_above(&self, code: &[u64], each: impl FnMut(usize, Lane, Lane)) {
        let unwanted = self.columns_outside(code);
        self.near(&unwanted, &self.every, self.kernels.none_but_one, each);
    }

    /// The same for chosen columns; says how many blocks were looked at.
    pub(super) fn near(
        &self,
        columns: &[u16],
        summary: &[Lane],
        kernel: BlockPartners,
        mut each: impl FnMut(usize, Lane, Lane),
    ) -> u64 {
        let mut blocks = 0;
        let live = self.live_blocks(summary, |lanes| {
            let (zero, one) = kernel(lanes, columns);
            zero | one
        });
        for block in live {
            blocks += 1;
            let (zero, one) = kernel(self.block(block), columns);
            if !(zero | one).is_empty() {
                each(block, zero & self.filled(block), one & self.filled(block));
            }
        }
        blocks
    }

    /// Follows the change of a concept's code.
    pub(crate) fn update(&mut self, concept: Id, before: &[u64], after: &[u64]) {
        for (word, (before, after)) in before.iter().zip(after).enumerate() {
            for bit in ones(before ^ after) {
                self.set(concept, word * 64 + bit as usize, after >> bit & 1 == 1);
            }
        }
    }

    /// Appends one more concept.
    pub(crate) fn push(&mut self, code: &[u64]) {
        let (block, concept) = (self.len / BLOCK, id(self.len));
        self.len += 1;
        self.blocks.resize((block + 1) * self.bits, Lane::ZERO);
        self.any.resize((block / BLOCK + 1) * self.bits, Lane::ZERO);
        self.every.resize((block / BLOCK + 1) * self.bits, Lane::ZERO);
        // Whatever it lacks, not everyone of its block has any more.
        for column in self.columns_outside(code) {
            self.every[block / BLOCK * self.bits + usize::from(column)].put(block % BLOCK, false);
        }
        self.update(concept, &vec![0; code.len()], code);
    }
}

/// Hands over the concepts that a single bit keeps apart.
fn one_by_one(mut each: impl FnMut(Id)) -> impl FnMut(usize, Lane, Lane) {
    move |block, _, one| one.iter().for_each(|at| each(id(block * BLOCK) + at))
}
