//! The loss and its discrete gradient as the paper defines them, pair by pair and bit by bit. The
//! fast version in `gradient.rs` must give the same.
//!
//! A positive pair (a, b) costs α for every bit that `b` has and `a` lacks. A negative pair (a′,
//! b′) costs β if there is no such bit. With `G(a, b) = |{j : a_j = 0, b_j = 1}|`:
//!
//! ```text
//! Loss = α Σ_P G(a, b)  +  β |{(a′, b′) ∈ N : G(a′, b′) = 0}|
//! ```
//!
//! The *gradient* of a bit is the amount by which flipping that bit alone lowers the loss. So a
//! positive gradient favours the flip. Flipping a_j or b_j of a positive pair changes its `G` only
//! where b_j = 1 (for a_j) or a_j = 0 (for b_j):
//!
//! ```text
//! a_j b_j   Δ a_j   Δ b_j
//!  0   0      0      −1       b_j(1 − 2a_j)   and   (1 − a_j)(2b_j − 1)
//!  0   1     +1      +1
//!  1   0      0       0
//!  1   1     −1       0
//! ```
//!
//! The loss of a negative pair falls when `G` rises from 0. That happens when a_j is cleared where
//! a_j = b_j = 1, or when b_j is set where a_j = b_j = 0. It rises when `G` falls to 0 from 1,
//! which happens when the only separating bit (the paper's "good bit") is flipped at either end.
//! With `G ≥ 2`, no single flip changes the loss.

use crate::bits::{Id, missing_bits};
use crate::codes::Codes;
use crate::graph::Graph;

/// The loss in its two parts, without the weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loss {
    /// Bits that parents of positive pairs have and their children lack, over all pairs.
    pub missing: u64,
    /// Negative pairs that the codes say are is-a.
    pub false_positives: u64,
}

impl Loss {
    /// The sum of both parts, weighted by α and β.
    pub fn weighted(&self, alpha: u32, beta: u32) -> u64 {
        self.missing * u64::from(alpha) + self.false_positives * u64::from(beta)
    }
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, other: Self) {
        self.missing += other.missing;
        self.false_positives += other.false_positives;
    }
}

/// The loss of `codes` by definition.
///
/// # Panics
///
/// When a concept of a pair has no code.
pub fn loss(codes: &Codes, positives: &Graph, negatives: &[(Id, Id)]) -> Loss {
    let missing = |(child, parent)| u64::from(missing_bits(codes.row(child), codes.row(parent)));
    let is_a = |&&(child, parent): &&(Id, Id)| codes.is_a(child, parent);
    Loss {
        missing: positives.iter().map(missing).sum(),
        false_positives: negatives.iter().filter(is_a).count() as u64,
    }
}

/// The gradient of one bit in its two parts, without the weights (Algorithm 1 of the paper).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gradient {
    /// The amount by which flipping the bit lowers [`Loss::missing`].
    pub positive: i64,
    /// The amount by which flipping the bit lowers [`Loss::false_positives`].
    pub negative: i64,
}

/// The gradient of every bit by definition, row by row.
///
/// # Panics
///
/// When a concept of a pair has no code.
pub fn gradient(codes: &Codes, positives: &Graph, negatives: &[(Id, Id)]) -> Vec<Gradient> {
    let bits = codes.bits();
    let mut gradient = vec![Gradient::default(); codes.len() * bits];
    let at = |id: Id, bit: usize| id as usize * bits + bit;
    for (a, b) in positives.iter() {
        for bit in 0..bits {
            let (a_j, b_j) = (i64::from(codes.get(a, bit)), i64::from(codes.get(b, bit)));
            gradient[at(a, bit)].positive += b_j * (1 - 2 * a_j);
            gradient[at(b, bit)].positive += (1 - a_j) * (2 * b_j - 1);
        }
    }
    for &(a, b) in negatives {
        let separating = missing_bits(codes.row(a), codes.row(b));
        for bit in 0..bits {
            let (a_j, b_j) = (i64::from(codes.get(a, bit)), i64::from(codes.get(b, bit)));
            if separating == 0 {
                gradient[at(a, bit)].negative += a_j * b_j;
                gradient[at(b, bit)].negative += (1 - a_j) * (1 - b_j);
            } else if separating == 1 {
                gradient[at(a, bit)].negative -= b_j * (1 - a_j);
                gradient[at(b, bit)].negative -= b_j * (1 - a_j);
            }
        }
    }
    gradient
}
