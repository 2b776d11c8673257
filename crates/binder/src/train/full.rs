//! Concepts whose code has every bit, as all have at the published start.
//!
//! What a negative pair does is known without looking when one of its ends is full. With a full
//! child, no bit separates the pair. That adds the bits of the parent to the gradient of the child,
//! and nothing to that of the parent, because the child lacks no bit. With a full parent, every bit
//! that the child lacks separates the pair, so it has an effect only if the child lacks at most one
//! bit.
//!
//! In the first epochs most concepts are full. Their pairs with each other, nearly all there are,
//! need only be counted:
//!
//! ```text
//! child  parent   gradient of the child   gradient of the parent
//! full   full     +1 at every bit         –
//! full   other    +1 at parent's bits     –
//! other  full     – (two bits missing), or −1 at the only missing bit, at both ends
//! ```

use crate::bits::{Block, Id, id, last_word_mask};
use crate::codes::Codes;

/// The full concepts at the start of an epoch.
#[derive(Debug)]
pub(super) struct Full {
    /// One bit for each concept.
    set: Vec<Block>,
}

impl Full {
    pub(super) fn of(codes: &Codes) -> Self {
        let (mut set, last) =
            (vec![Block::ZERO; codes.len().div_ceil(Block::SIZE)], last_word_mask(codes.bits()));
        for (concept, row) in codes.rows().enumerate() {
            let is_full = row.split_last().is_some_and(|(&end, words)| {
                end == last && words.iter().all(|&word| word == u64::MAX)
            });
            set[concept / Block::SIZE].set(concept % Block::SIZE, is_full);
        }
        Self { set }
    }

    #[inline]
    pub(super) fn has(&self, concept: Id) -> bool {
        self.set[concept as usize / Block::SIZE].has(concept as usize % Block::SIZE)
    }

    /// The full concepts, block by block.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.set
    }
}

/// A set of concepts that is quickly emptied, to find duplicates.
#[derive(Debug)]
pub(super) struct Seen {
    /// One bit for each concept.
    words: Vec<u64>,
    /// The concepts in the set.
    ids: Vec<Id>,
}

impl Seen {
    pub(super) fn new(concepts: usize) -> Self {
        Self { words: vec![0; concepts.div_ceil(64)], ids: Vec::new() }
    }

    /// Adds a concept; says whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, concept: Id) -> bool {
        let (word, bit) = (&mut self.words[concept as usize / 64], 1 << (concept % 64));
        let is_new = *word & bit == 0;
        if is_new {
            *word |= bit;
            self.ids.push(concept);
        }
        is_new
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        for concept in self.ids.drain(..) {
            self.words[concept as usize / 64] = 0;
        }
    }
}

/// The concepts of some blocks, one by one.
pub(super) fn ids_of(blocks: impl Iterator<Item = Block>) -> impl Iterator<Item = Id> {
    blocks.enumerate().flat_map(|(at, block)| {
        let first = id(at * Block::SIZE);
        block.iter().map(move |at| first + at)
    })
}
