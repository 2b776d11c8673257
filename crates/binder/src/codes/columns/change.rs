//! Columns that change in place.

use super::{Columns, column};
use crate::bits::{Block, Id, id, ones};

impl Columns {
    /// Sets or clears the bit `column` of `concept` and updates the summaries.
    pub(crate) fn set(&mut self, concept: Id, column: usize, on: bool) {
        let (block, at) = (concept as usize / Block::SIZE, concept as usize % Block::SIZE);
        let filled = self.filled(block);
        let who = &mut self.blocks[block * self.bits + column];
        who.assign(at, on);
        let (any, every) = (!who.is_empty(), filled.without(*who).is_empty());
        let group = block / Block::SIZE;
        let summary = group * self.bits + column;
        self.every[summary].assign(block % Block::SIZE, every);
        if self.any[summary].has(block % Block::SIZE) != any {
            self.any[summary].flip(block % Block::SIZE);
            let (any, at) = (!self.any[summary].is_empty(), group % Block::SIZE);
            self.any_in_group[group / Block::SIZE * self.bits + column].assign(at, any);
        }
    }

    /// Changes the code of a concept from `before` to `after`.
    pub(crate) fn update(&mut self, concept: Id, before: &[u64], after: &[u64]) {
        for (word, (before, after)) in before.iter().zip(after).enumerate() {
            for bit in ones(before ^ after) {
                self.set(concept, word * 64 + bit as usize, after >> bit & 1 == 1);
            }
        }
    }

    /// Appends a column that no concept has.
    pub(crate) fn append_column(&mut self) {
        let wider = |blocks: &[Block]| {
            let rows = blocks.chunks_exact(self.bits);
            rows.flat_map(|row| row.iter().copied().chain([Block::ZERO])).collect::<Vec<_>>()
        };
        (self.blocks, self.any, self.every) =
            (wider(&self.blocks), wider(&self.any), wider(&self.every));
        self.any_in_group = wider(&self.any_in_group);
        self.rarest_first.insert(0, column(self.bits));
        self.bits += 1;
    }

    /// Appends one more concept.
    pub(crate) fn push(&mut self, code: &[u64]) {
        let (block, concept) = (self.len / Block::SIZE, id(self.len));
        self.len += 1;
        let groups = self.groups();
        self.blocks.resize((block + 1) * self.bits, Block::ZERO);
        self.any.resize(groups * self.bits, Block::ZERO);
        self.every.resize(groups * self.bits, Block::ZERO);
        self.any_in_group.resize(groups.div_ceil(Block::SIZE) * self.bits, Block::ZERO);
        // The new concept lacks these columns, so not every concept of its block has them now.
        for column in self.columns_outside(code) {
            self.every[block / Block::SIZE * self.bits + usize::from(column)]
                .assign(block % Block::SIZE, false);
        }
        self.update(concept, &vec![0; code.len()], code);
    }
}
