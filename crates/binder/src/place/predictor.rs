//! Predicts the code of a text's parent: one linear layer, a logit for each bit.
//!
//! Codes are a short and complete description of a place: 17,000 possible parents are 60 to 100
//! yes-or-no questions. Every bit is a logistic regression on the traits of a text (words, pairs of
//! words, letters of the name), learnt from all concepts and the codes of their parents. With l_b
//! the logit of bit b, the log-likelihood of a whole code c is Σ ln σ(±l_b), which is, up to a
//! constant that all codes share, the sum of l_b over the set bits of c: one pass over all codes.
//!
//! ```text
//!   text        logits     codes: animal 000   pet 100   dog 010   cat 101   puppy 110
//!   "a young    2 1 -3     sums:           0         2         1        -1         3  ← puppy
//!    dog …"
//! ```

use rayon::prelude::*;

use super::words::hash_pair;
use crate::bits::{Id, id};
use crate::progress::{Cancelled, Progress};

/// Traits share this many rows of weights, by their hashes.
const ROWS: usize = 1 << ROW_BITS;
const ROW_BITS: u32 = 17;

/// So many bits are learnt together: 48 numbers are three cache lines. Groups know nothing of one
/// another, so it does not matter which thread learns which.
const GROUP: usize = 48;

const EPOCHS: u64 = 3;

/// The chance that a trait is hidden while a concept is learnt, in 256ths.
const HIDDEN: u64 = 100;

/// How far a step goes.
const RATE: f32 = 0.3;

/// Learnt weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Predictor {
    bits: usize,
    /// One row of `bits` weights per hashed trait, in units of `scale`.
    weights: Vec<i8>,
    scale: f32,
    /// What every text starts with.
    bias: Vec<f32>,
}

/// The row of a trait.
fn row_of(of: u64) -> usize {
    (of >> (64 - ROW_BITS)) as usize
}

impl Predictor {
    /// Learns from texts (their traits) and the codes that their parents have together.
    pub(super) fn learn(
        traits: &[Vec<u64>],
        targets: &[Option<Vec<u64>>],
        bits: usize,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let groups = bits.div_ceil(GROUP);
        progress.start("learning codes", Some(EPOCHS * groups as u64));
        let mut order: Vec<Id> =
            (0..id(targets.len())).filter(|&concept| targets[concept as usize].is_some()).collect();
        order.sort_unstable_by_key(|&concept| hash_pair(seed, u64::from(concept)));
        let learnt: Vec<_> = (0..groups)
            .into_par_iter()
            .map(|group| learn_group(traits, targets, &order, group, seed, progress))
            .collect::<Result<_, _>>()?;
        Ok(Self::packed(&learnt, bits))
    }

    /// Puts the groups side by side and rounds the weights to a byte each.
    fn packed(groups: &[Group], bits: usize) -> Self {
        let largest = groups
            .iter()
            .flat_map(|group| &group.weights)
            .flatten()
            .fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let scale = largest.max(1e-6) / 127.0;
        let mut weights = vec![0i8; ROWS * bits];
        weights.par_chunks_mut(bits.max(1)).enumerate().for_each(|(row, out)| {
            for (bit, out) in out.iter_mut().enumerate() {
                *out = rounded(groups[bit / GROUP].weights[row][bit % GROUP] / scale);
            }
        });
        let bias = (0..bits).map(|bit| groups[bit / GROUP].bias[bit % GROUP]).collect();
        Self { bits, weights, scale, bias }
    }

    /// The logit of each bit.
    pub(super) fn logits(&self, traits: &[u64]) -> Vec<f32> {
        let mut sums = vec![0i32; self.bits];
        for &of in traits {
            let row = &self.weights[row_of(of) * self.bits..][..self.bits];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i32::from(weight));
        }
        let unit = self.scale * share(traits.len());
        sums.iter().zip(&self.bias).map(|(&sum, bias)| sum as f32 * unit + bias).collect()
    }
}

/// Sums of logits over the set bits of codes.
#[derive(Debug)]
pub(super) struct Sums {
    /// For each byte of a code, the sums of its 256 values.
    bytes: Vec<[f32; 256]>,
}

impl Sums {
    pub(super) fn new(logits: &[f32]) -> Self {
        let mut bytes = vec![[0.0f32; 256]; logits.len().div_ceil(8)];
        for (bit, &logit) in logits.iter().enumerate() {
            let of_byte = &mut bytes[bit / 8];
            let low = 1 << (bit % 8);
            for value in 0..low {
                of_byte[low | value] = of_byte[value] + logit;
            }
        }
        Self { bytes }
    }

    /// The sum of the logits of a code's set bits.
    pub(super) fn of(&self, code: &[u64]) -> f32 {
        let bytes = code.iter().flat_map(|word| word.to_le_bytes());
        self.bytes.iter().zip(bytes).map(|(sums, byte)| sums[usize::from(byte)]).sum()
    }
}

impl Predictor {
    pub(super) fn parts(&self) -> (&[i8], f32, &[f32]) {
        (&self.weights, self.scale, &self.bias)
    }

    /// How many weights there are for so many bits.
    pub(super) fn weights_of(bits: usize) -> usize {
        bits.saturating_mul(ROWS)
    }

    /// What is held while so many bits are learnt: weights and squares of all groups at once.
    pub(super) fn bytes_while_learning(bits: usize) -> u64 {
        let of_group = ROWS * (GROUP + 1) * size_of::<f32>();
        (bits.div_ceil(GROUP).saturating_mul(of_group) as u64) + Self::weights_of(bits) as u64
    }

    /// A predictor from what a file keeps; `None` if that does not fit together.
    pub(super) fn from_parts(weights: Vec<i8>, scale: f32, bias: Vec<f32>) -> Option<Self> {
        let bits = bias.len();
        let finite = scale.is_finite() && bias.iter().all(|bias| bias.is_finite());
        (finite && weights.len() == Self::weights_of(bits)).then_some(Self {
            bits,
            weights,
            scale,
            bias,
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "between -127 and 127")]
fn rounded(weight: f32) -> i8 {
    weight.round().clamp(-127.0, 127.0) as i8
}

/// What each of so many traits counts.
fn share(traits: usize) -> f32 {
    1.0 / (traits.max(1) as f32).sqrt()
}

struct Group {
    weights: Vec<[f32; GROUP]>,
    bias: [f32; GROUP],
}

/// Logistic regressions by Adagrad, one for each bit of a group.
fn learn_group(
    traits: &[Vec<u64>],
    targets: &[Option<Vec<u64>>],
    order: &[Id],
    group: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Group, Cancelled> {
    let mut learnt = Group { weights: vec![[0.0; GROUP]; ROWS], bias: [0.0; GROUP] };
    // One step length for all bits of a row: a square root less for each of them.
    let mut squares = vec![0.01f32; ROWS];
    let mut bias_squares = [1.0f32; GROUP];
    let mut seen = Vec::new();
    for epoch in 0..EPOCHS {
        progress.go_on()?;
        for &concept in order {
            let Some(target) = &targets[concept as usize] else { continue };
            let draw = hash_pair(seed ^ epoch << 32, u64::from(concept));
            seen.clear();
            let kept = |of: &&u64| hash_pair(draw, **of) & 255 >= HIDDEN;
            seen.extend(traits[concept as usize].iter().filter(kept).map(|&of| row_of(of)));
            let share = share(seen.len());
            let mut logits = [0.0f32; GROUP];
            for &row in &seen {
                let weights = &learnt.weights[row];
                logits.iter_mut().zip(weights).for_each(|(logit, weight)| *logit += weight);
            }
            let mut slopes = [0.0f32; GROUP];
            for (at, slope) in slopes.iter_mut().enumerate() {
                let bit = group * GROUP + at;
                let wanted = target.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
                let logit = logits[at] * share + learnt.bias[at];
                *slope = sigmoid(logit) - f32::from(u8::from(wanted));
                bias_squares[at] += *slope * *slope;
                learnt.bias[at] -= 0.1 * *slope / bias_squares[at].sqrt();
                *slope *= share;
            }
            let square = slopes.iter().map(|slope| slope * slope).sum::<f32>() / GROUP as f32;
            for &row in &seen {
                squares[row] += square;
                let step = RATE / squares[row].sqrt();
                let weights = &mut learnt.weights[row];
                weights.iter_mut().zip(&slopes).for_each(|(weight, slope)| *weight -= step * slope);
            }
        }
        progress.advance(1);
    }
    Ok(learnt)
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}
