use binder::bits::{VectorWork, vectorised};
use binder::container::ContainerError;
use rayon::prelude::*;

use super::adam::Adam;
use super::{NOT_OF_METHOD, State};

/// Rows that a thread works on at a time. Sums over concepts are made of one part per block, in the
/// order of the blocks, so it must not depend on the number of threads.
const BLOCK: usize = 128;

/// What is learnt for every concept, with the state of Adam.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Numbers per concept.
    width: usize,
    /// One record per concept: its values, the means of their slopes and of the squares. They lie
    /// together because they are used together.
    records: Vec<f32>,
    /// The last step that each record knows of; 0 if no step ever touched it.
    last: Vec<u32>,
}

/// Some rows of a block, and what belongs to them.
pub(super) struct Part<'a, 'b> {
    /// The concepts whose rows are wanted, ascending.
    pub(super) wanted: &'b [u32],
    /// Where the first of them is in the list of all that are wanted.
    pub(super) slot: usize,
    /// The first concept of the block.
    first: u32,
    width: usize,
    records: &'a mut [f32],
    last: &'a mut [u32],
}

impl Part<'_, '_> {
    /// The record of a concept, and the last step that it knows of.
    #[inline(always)]
    pub(super) fn record(&mut self, concept: u32) -> (&mut [f32], &mut u32) {
        let at = (concept - self.first) as usize;
        let size = 3 * self.width;
        (&mut self.records[at * size..(at + 1) * size], &mut self.last[at])
    }
}

impl Table {
    /// A table that starts with these values, row after row.
    pub(super) fn new(width: usize, values: &[f32]) -> Self {
        let mut records = vec![0.0; 3 * values.len()];
        let rows = records.chunks_exact_mut(3 * width).zip(values.chunks_exact(width));
        rows.for_each(|(record, values)| record[..width].copy_from_slice(values));
        Self { width, records, last: vec![0; values.len() / width] }
    }

    /// Copies the records into a state.
    pub(super) fn save(&self, state: &mut State) {
        state.width = self.width;
        (state.records, state.touched) = (self.records.clone(), self.last.clone());
    }

    /// Goes on from the records of a state.
    pub(super) fn restore(&mut self, state: State) -> Result<(), ContainerError> {
        if (state.records.len(), state.touched.len()) != (self.records.len(), self.last.len()) {
            return Err(ContainerError::tensor("records", NOT_OF_METHOD));
        }
        if state.touched.iter().any(|&step| step > state.steps) {
            return Err(ContainerError::tensor("touched", "knows of a step after the last"));
        }
        (self.records, self.last) = (state.records, state.touched);
        Ok(())
    }

    /// The wanted rows, block by block. `wanted` ascends.
    pub(super) fn parts<'b>(&mut self, wanted: &'b [u32]) -> Vec<Part<'_, 'b>> {
        let width = self.width;
        let blocks = self.records.chunks_mut(BLOCK * 3 * width).zip(self.last.chunks_mut(BLOCK));
        let (mut slot, mut first, mut parts) = (0, 0u32, Vec::new());
        for (records, last) in blocks {
            #[expect(clippy::cast_possible_truncation, reason = "at most BLOCK")]
            let next = first + last.len() as u32;
            let count = wanted[slot..].partition_point(|&concept| concept < next);
            if count > 0 {
                let wanted = &wanted[slot..slot + count];
                parts.push(Part { wanted, slot, first, width, records, last });
            }
            (slot, first) = (slot + count, next);
        }
        parts
    }

    /// All values, row after row, as they are after the last step.
    pub(super) fn values(&mut self, adam: &Adam) -> Vec<f32> {
        let (width, step) = (self.width, adam.step());
        let records = self.records.par_chunks_mut(BLOCK * 3 * width);
        let blocks = records.zip(self.last.par_chunks_mut(BLOCK));
        blocks.for_each(|(records, last)| {
            vectorised(CatchUp { adam, width, records, last, step });
        });
        // Reserved at once: a list that grows would be moved, and its pages cleared, many times.
        let mut values = Vec::with_capacity(self.records.len() / 3);
        for record in self.records.chunks_exact(3 * width) {
            values.extend_from_slice(&record[..width]);
        }
        values
    }
}

/// Brings the records of a block up to date.
struct CatchUp<'a> {
    adam: &'a Adam,
    width: usize,
    records: &'a mut [f32],
    last: &'a mut [u32],
    step: u32,
}

impl VectorWork for CatchUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (record, last) in self.records.chunks_exact_mut(3 * self.width).zip(self.last) {
            self.adam.catch_up(record, *last, self.step);
            *last = if *last == 0 { 0 } else { self.step };
        }
    }
}
