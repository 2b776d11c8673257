//! Slopes of rows, gathered from the pairs that move them.
//!
//! A pair moves the rows of both its ends. Added to those rows as pairs are scored, slopes would
//! need a table of all rows for each shard, far larger than the caches, and every pair would read
//! and write it in two random places. So pairs are only listed at first, sorted by row, and the
//! slopes of a row are summed when it is updated, where they stay in the nearest cache:
//!
//! ```text
//! shard 0: (a, b) (c, a)      a:  0 (parent of b)  0 (child of c)  1 (parent of c)
//! shard 1: (a, c)             b:  0 (child of a)
//!                             c:  0 (parent of a)  1 (child of a)
//! ```
//!
//! The gradient of a pair is computed twice that way, once for each end. The order of additions is
//! that of a table for each shard: first within a shard, then over the shards.

use super::shard::{Moving, Shard};
use crate::embedding::{Embedding, End};

/// An end of a pair, in the list of its row.
#[derive(Debug, Clone, Copy, Default)]
struct Listed {
    /// The slot of the other end.
    other: u32,
    slope: f32,
    shard: u8,
    /// Whether the row is the parent.
    is_parent: bool,
}

/// For each slot, the pairs that move its row.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    /// Where the ends of each slot begin, and where those of the last one end.
    starts: Vec<u32>,
    ends: Vec<Listed>,
}

impl Gathered {
    /// Lists the pairs of the shards by row. The ends of a row are in the order of the shards, and
    /// within a shard in the order of its pairs.
    #[expect(clippy::cast_possible_truncation, reason = "a batch has at most 2^24 pairs")]
    pub(super) fn collect(&mut self, shards: &[Shard], slots: usize) {
        let pairs: usize = shards.iter().map(|shard| shard.moving.len()).sum();
        self.starts.clear();
        self.starts.resize(slots + 1, 0);
        for &Moving { parent, child, .. } in shards.iter().flat_map(|shard| &shard.moving) {
            self.starts[parent as usize] += 1;
            self.starts[child as usize] += 1;
        }
        let mut before = 0;
        for start in &mut self.starts {
            before += *start;
            *start = before;
        }
        // Every start is now the end of its slot. Filled from behind, it becomes the start.
        self.ends.resize(2 * pairs, Listed::default());
        for (number, shard) in shards.iter().enumerate().rev() {
            let shard_number = number as u8;
            for &Moving { parent, child, slope } in shard.moving.iter().rev() {
                for (slot, other, is_parent) in [(parent, child, true), (child, parent, false)] {
                    let place = &mut self.starts[slot as usize];
                    *place -= 1;
                    self.ends[*place as usize] =
                        Listed { other, slope, shard: shard_number, is_parent };
                }
            }
        }
    }

    /// The ends of a slot.
    #[inline(always)]
    fn of(&self, slot: usize) -> &[Listed] {
        &self.ends[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// The slopes of one row after the other.
#[derive(Debug)]
pub(super) struct Slopes {
    /// Those of all shards.
    total: Vec<f32>,
    /// Those of one shard.
    of_shard: Vec<f32>,
    /// What a gradient adds to the other end, which is of no use.
    unused: Vec<f32>,
}

impl Slopes {
    /// For derived rows of so many numbers.
    pub(super) fn new(derived: usize) -> Self {
        let zeros = vec![0.0; derived];
        Self { total: zeros.clone(), of_shard: zeros.clone(), unused: zeros }
    }

    /// The slopes of the row in a slot, if any pair moves it. `row` gives derived rows.
    #[inline(always)]
    pub(super) fn of<'a>(
        &mut self,
        slot: usize,
        gathered: &Gathered,
        embedding: &impl Embedding,
        row: impl Fn(usize) -> &'a [f32],
    ) -> Option<&[f32]> {
        let ends = gathered.of(slot);
        if ends.is_empty() {
            return None;
        }
        let own = row(slot);
        self.total.fill(0.0);
        self.unused.fill(0.0);
        for ends in ends.chunk_by(|one, next| one.shard == next.shard) {
            self.of_shard.fill(0.0);
            embedding.gradients(
                own,
                ends.len(),
                #[inline(always)]
                |number| {
                    let Listed { slope, other, is_parent, .. } = ends[number];
                    End { slope, other: row(other as usize), is_parent }
                },
                &mut self.of_shard,
                &mut self.unused,
            );
            self.total.iter_mut().zip(&self.of_shard).for_each(|(sum, slope)| *sum += slope);
        }
        Some(&self.total)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::method::oe::Oe;

    const DIM: usize = 3;
    const SLOTS: u32 = 5;

    fn moving() -> impl Strategy<Value = Vec<Moving>> {
        let slots = (0..SLOTS, 1..SLOTS);
        let pair = (slots, -1.0f32..1.0).prop_map(|((parent, by), slope)| Moving {
            parent,
            child: (parent + by) % SLOTS,
            slope,
        });
        vec(pair, 0..12)
    }

    /// The definition: a table of all rows for each shard, added up shard by shard.
    fn by_tables(oe: Oe, shards: &[Shard], rows: &[f32]) -> Vec<f32> {
        let mut total = vec![0.0; rows.len()];
        for shard in shards {
            let mut table = vec![0.0; rows.len()];
            for pair in &shard.moving {
                let range = |slot: u32| slot as usize * DIM..(slot as usize + 1) * DIM;
                let (parent, child) = (range(pair.parent), range(pair.child));
                let (of_parent, of_child) = (&rows[parent.clone()], &rows[child.clone()]);
                let ends = table.get_disjoint_mut([parent, child]);
                let [to_parent, to_child] = ends.expect("no pair of a concept with itself");
                oe.gradient(pair.slope, of_parent, of_child, to_parent, to_child);
            }
            total.iter_mut().zip(table).for_each(|(sum, slope)| *sum += slope);
        }
        total
    }

    proptest! {
        /// Bit for bit, and where the lists have held another batch before.
        #[test]
        fn gathered_slopes_are_those_of_tables(
            batches in vec(vec(moving(), 3), 2), rows in vec(-1.0f32..1.0, SLOTS as usize * DIM)
        ) {
            let oe = Oe { dim: DIM, start: 1.0 };
            let row = |slot: usize| &rows[slot * DIM..(slot + 1) * DIM];
            let mut gathered = Gathered::default();
            for batch in batches {
                let mut shards = vec![Shard::default(); batch.len()];
                for (shard, moving) in shards.iter_mut().zip(batch) {
                    shard.moving = moving;
                }
                gathered.collect(&shards, SLOTS as usize);
                let mut slopes = Slopes::new(DIM);
                let fast = (0..SLOTS as usize).flat_map(|slot| {
                    slopes.of(slot, &gathered, &oe, row).map_or(vec![0.0; DIM], <[f32]>::to_vec)
                });
                prop_assert_eq!(fast.collect::<Vec<_>>(), by_tables(oe, &shards, &rows));
            }
        }
    }
}
