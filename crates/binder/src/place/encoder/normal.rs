//! What is done to single rows: the norm of a layer, GELU, and the softmax of attention.

use std::sync::LazyLock;

/// Rows are brought to mean 0 and variance 1, then scaled and shifted.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
    pub(super) least: f32,
}

impl Norm {
    /// Normalises the sum of two rows, in place of the first, for all rows.
    pub(super) fn add(&self, rows: &mut [f32], others: &[f32]) {
        add_and_norm(rows, others, &self.scale, &self.shift, self.least);
    }
}

per_cpu! {
    fn add_and_norm(rows: &mut [f32], others: &[f32], scale: &[f32], shift: &[f32], least: f32) {
        let width = scale.len();
        let shift = &shift[..width];
        for (row, other) in rows.chunks_exact_mut(width).zip(others.chunks_exact(width)) {
            row.iter_mut().zip(other).for_each(|(number, other)| *number += other);
            let mean = sum(row, |number| number) / width as f32;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / width as f32;
            let by = 1.0 / (variance + least).sqrt();
            for ((number, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *number = (*number - mean) * by * scale + shift;
            }
        }
    }
}

/// A sum over numbers, as sixteen partial ones whatever the processor.
#[inline(always)]
fn sum(numbers: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (whole, rest) = numbers.as_chunks::<16>();
    let mut sums = [0.0f32; 16];
    for numbers in whole {
        sums.iter_mut().zip(numbers).for_each(|(sum, &number)| *sum += of(number));
    }
    sums.iter().sum::<f32>() + rest.iter().map(|&number| of(number)).sum::<f32>()
}

/// The product of two rows, in the same way.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let mut sums = [0.0f32; 16];
    for (a, b) in a.iter().zip(b) {
        for at in 0..16 {
            sums[at] += a[at] * b[at];
        }
    }
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

/// From −8 to 8 in steps of 1/256; beyond, GELU is the number itself or 0.
const WIDEST: f32 = 8.0;
const STEPS: f32 = 256.0;

/// GELU(x) = x · Φ(x) at all steps. Between two of them it is taken to be a line: as its second
/// derivative is at most 0.8, that is off by at most 0.8 / (8 · 256²) < 2 · 10⁻⁶.
static GELU: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let gelu = |x: f64| x / 2.0 * (1.0 + libm::erf(x / std::f64::consts::SQRT_2));
    #[expect(clippy::cast_possible_truncation, reason = "rounded to 32 bits")]
    let step = |at: i32| gelu(f64::from(at) / f64::from(STEPS) - f64::from(WIDEST)) as f32;
    // One more than is asked for, for the line after the last step.
    (0..=4097).map(step).collect()
});

/// GELU of each number.
pub(super) fn gelu(numbers: &mut [f32]) {
    let table: &[f32] = &GELU;
    for number in numbers {
        *number = match *number {
            x if x >= WIDEST => x,
            x if x <= -WIDEST => 0.0,
            x => {
                let place = (x + WIDEST) * STEPS;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "from 0 to 4096"
                )]
                let at = (place as usize).min(4096);
                let (low, high) = (table[at], table[at + 1]);
                low + (high - low) * (place - at as f32)
            }
        };
    }
}

per_cpu! {
    /// Attention within a text: rows of queries, keys and values, one after another, become rows of
    /// as many values, each a mean of all rows' values, weighted by how well keys suit the query.
    fn attend_heads(rows: &[f32], heads: usize, width: usize, out: &mut [f32]) {
        let size = width / heads;
        let count = rows.len() / (3 * width);
        let by = 1.0 / (size as f32).sqrt();
        let part = |row: usize, of: usize, head: usize| {
            &rows[(3 * row + of) * width + head * size..][..size]
        };
        let mut weights = vec![0.0f32; count];
        for head in 0..heads {
            for (row, out) in out.chunks_exact_mut(width).enumerate() {
                let query = part(row, 0, head);
                for (other, weight) in weights.iter_mut().enumerate() {
                    *weight = dot(query, part(other, 1, head)) * by;
                }
                softmax(&mut weights);
                let out = &mut out[head * size..][..size];
                for (other, weight) in weights.iter().enumerate() {
                    let values = part(other, 2, head);
                    out.iter_mut().zip(values).for_each(|(out, value)| *out += weight * value);
                }
            }
        }
    }
}

/// Attention within a text.
pub(super) fn attend(rows: &[f32], heads: usize, width: usize, out: &mut [f32]) {
    attend_heads(rows, heads, width, out);
}

/// Weights that add up to 1.
#[inline(always)]
fn softmax(weights: &mut [f32]) {
    let most = weights.iter().fold(f32::NEG_INFINITY, |most, &weight| most.max(weight));
    weights.iter_mut().for_each(|weight| *weight = libm::expf(*weight - most));
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gelu_is_near_its_definition() {
        let mut numbers: Vec<f32> = (-90_000..90_000).map(|at| at as f32 / 9999.0).collect();
        let wanted: Vec<f64> = numbers
            .iter()
            .map(|&x| f64::from(x) / 2.0 * (1.0 + libm::erf(f64::from(x) / 2f64.sqrt())))
            .collect();
        gelu(&mut numbers);
        for (&found, wanted) in numbers.iter().zip(wanted) {
            assert!((f64::from(found) - wanted).abs() < 3e-6, "{found} {wanted}");
        }
    }

    #[test]
    fn numbers_that_are_none_do_no_harm() {
        let mut numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 7.999_999_5, -7.999_999_5];
        gelu(&mut numbers);
        assert!(numbers[0].is_nan() && numbers[1] == f32::INFINITY && numbers[2] == 0.0);
    }
}
