//! A matrix of weights, applied to many rows at once.
//!
//! The definition is `out[r][c] = bias[c] + rows[r][0]·w[0][c] + rows[r][1]·w[1][c] + …`, added from
//! left to right. Here sixteen columns and four rows are computed at a time, each of these 64 sums
//! still from left to right, so that the result is the same bit by bit. Weights and rows lie in the
//! order in which they are used, so that no place needs to be looked up or checked:
//!
//! ```text
//!          a panel  the next one              a block          the next one
//! columns  0 … 15   16 … 31  …         rows   0 1 2 3  4 5 6 7  …
//! input 0  w w … w  w w … w            0      x x x x  x x x x
//! input 1  w w … w  w w … w            1      x x x x  x x x x
//! ```
//!
//! On one core of a processor with AVX2 that is about 90 billion operations a second; with blocks of
//! six or eight rows, the compiler does not keep all sums in registers.

/// The columns of a panel: as many numbers as the widest registers hold.
const COLUMNS: usize = 16;

/// The rows of a block: each weight that is read is used so often.
const ROWS: usize = 4;

/// The sums of a row in the columns of a panel.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Sums([f32; COLUMNS]);

/// Weights and what is added.
#[derive(Debug)]
pub(super) struct Linear {
    inputs: usize,
    outputs: usize,
    /// A panel for every 16 outputs; weights of outputs that are none are 0.
    panels: Vec<[f32; COLUMNS]>,
    /// What is added in each panel.
    bias: Vec<[f32; COLUMNS]>,
}

impl Linear {
    /// From a row of weights for each output.
    pub(super) fn new(weights: &[f32], bias: &[f32]) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs.max(1);
        let count = outputs.div_ceil(COLUMNS);
        let mut panels = vec![[0.0; COLUMNS]; count * inputs];
        let mut padded = vec![[0.0; COLUMNS]; count];
        for (output, &added) in bias.iter().enumerate() {
            let (panel, column) = (output / COLUMNS, output % COLUMNS);
            padded[panel][column] = added;
            let panel = &mut panels[panel * inputs..][..inputs];
            for (place, weight) in panel.iter_mut().zip(&weights[output * inputs..]) {
                place[column] = *weight;
            }
        }
        Self { inputs, outputs, panels, bias: padded }
    }

    /// The outputs of all rows.
    pub(super) fn apply(&self, rows: &[f32]) -> Vec<f32> {
        let blocks = blocks(rows, self.inputs);
        let mut out = vec![0.0; rows.len() / self.inputs * self.outputs];
        let mut sums = vec![Sums([0.0; COLUMNS]); blocks.len() / self.inputs * ROWS];
        let panels = self.panels.chunks_exact(self.inputs).zip(&self.bias);
        for (at, (panel, bias)) in panels.enumerate() {
            apply_panel(&blocks, panel, bias, &mut sums);
            let first = at * COLUMNS;
            let count = COLUMNS.min(self.outputs - first);
            for (row, sums) in out.chunks_exact_mut(self.outputs).zip(&sums) {
                row[first..first + count].copy_from_slice(&sums.0[..count]);
            }
        }
        out
    }
}

/// Rows in blocks; the last one is filled up with 0.
fn blocks(rows: &[f32], inputs: usize) -> Vec<[f32; ROWS]> {
    let count = (rows.len() / inputs).div_ceil(ROWS);
    let mut blocks = vec![[0.0; ROWS]; count * inputs];
    for (at, row) in rows.chunks_exact(inputs).enumerate() {
        let block = &mut blocks[at / ROWS * inputs..][..inputs];
        block.iter_mut().zip(row).for_each(|(place, number)| place[at % ROWS] = *number);
    }
    blocks
}

per_cpu! {
    /// The sums of all rows in the columns of a panel.
    fn apply_panel(
        blocks: &[[f32; 4]],
        panel: &[[f32; 16]],
        bias: &[f32; 16],
        out: &mut [Sums],
    ) {
        let (out, _) = out.as_chunks_mut::<ROWS>();
        for (block, out) in blocks.chunks_exact(panel.len()).zip(out) {
            let [mut a, mut b, mut c, mut d] = [Sums(*bias); ROWS];
            for (numbers, weights) in block.iter().zip(panel) {
                a = a.plus(numbers[0], weights);
                b = b.plus(numbers[1], weights);
                c = c.plus(numbers[2], weights);
                d = d.plus(numbers[3], weights);
            }
            *out = [a, b, c, d];
        }
    }
}

impl Sums {
    /// The sums with one more product each. A plain loop over arrays becomes one instruction for all
    /// columns; with iterators that depends on what else the compiler does.
    #[inline(always)]
    fn plus(self, number: f32, weights: &[f32; COLUMNS]) -> Self {
        let mut sums = [0.0; COLUMNS];
        for at in 0..COLUMNS {
            sums[at] = self.0[at] + number * weights[at];
        }
        Self(sums)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, with the same bits.
    fn plain(rows: &[f32], inputs: usize, weights: &[f32], bias: &[f32]) -> Vec<f32> {
        let of_row = |row: &[f32]| -> Vec<f32> {
            let output = |(weights, bias): (&[f32], &f32)| {
                row.iter().zip(weights).fold(*bias, |sum, (number, weight)| sum + number * weight)
            };
            weights.chunks_exact(inputs).zip(bias).map(output).collect()
        };
        rows.chunks_exact(inputs).flat_map(of_row).collect()
    }

    proptest! {
        #[test]
        fn panels_give_the_bits_of_the_definition(
            (inputs, outputs, count) in (1usize..40, 1usize..40, 0usize..20),
            seed: u64,
        ) {
            let number = |at: usize| {
                let mixed = (at as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed >> 40) as f32 / 1e7 - 0.8
            };
            let rows: Vec<f32> = (0..count * inputs).map(number).collect();
            let weights: Vec<f32> = (0..inputs * outputs).map(|at| number(at + 7777)).collect();
            let bias: Vec<f32> = (0..outputs).map(|at| number(at + 99_999)).collect();
            let fast = Linear::new(&weights, &bias).apply(&rows);
            let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&fast), bits(&plain(&rows, inputs, &weights, &bias)));
        }
    }
}
