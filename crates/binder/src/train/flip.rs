use super::Chances;
use super::gradient::{FEW_NEAR, Weights};
use crate::bits::kernels::Kernels;
use crate::random::Stream;

/// The chance that a bit flips, `max(0, ½ tanh(2 (r Δ + b)))`, in units of 2^-64: the bit flips
/// when a random word is below this number. [`Chances::Table`] has a power of two instead.
///
/// It is computed with the same arithmetic on every machine (`libm`'s tanh, not the system's), so
/// that the same seed gives the same codes everywhere.
#[derive(Debug)]
pub(crate) struct FlipRule {
    rate: f64,
    bias: f64,
    chances: Chances,
    /// The chances for the gradients that start with `first`.
    table: Vec<u64>,
    /// The smallest gradient with a chance above zero.
    first: i64,
    /// The smallest gradient whose chance is one half within the precision of a double.
    half_from: i64,
    /// The chance of a neutral bit, whose gradient is 0.
    neutral: u64,
    kernels: &'static Kernels,
}

/// Half of the largest power of two that is at most x, and at most 1; 0 if x is not above 0. The
/// exponent is read from the bits of x.
fn step(x: f64) -> u64 {
    if x <= 0.0 {
        return 0;
    }
    let below_one = 1023u64.saturating_sub(x.to_bits() >> 52);
    if below_one < 64 { HALF >> below_one } else { 0 }
}

/// A chance of one half.
const HALF: u64 = 1 << 63;

/// From here on, tanh is 1 within the precision of a double.
const TANH_IS_ONE: f64 = 20.0;

/// The size of the table of chances. The chances of larger gradients are computed when needed.
const TABLE: i64 = 1 << 16;

impl FlipRule {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "floats saturate when they become integers"
    )]
    pub(crate) fn new(rate: f64, bias: f64, chances: Chances) -> Self {
        let half_at = match chances {
            Chances::Tanh => TANH_IS_ONE,
            Chances::Table => 1.0,
        };
        let half_from = ((half_at / 2.0 - bias) / rate).ceil() as i64;
        let first = (-bias / rate).floor() as i64 + 1;
        let mut rule = Self {
            rate,
            bias,
            chances,
            table: Vec::new(),
            first,
            half_from,
            neutral: 0,
            kernels: Kernels::current(),
        };
        rule.neutral = rule.compute(0);
        rule.table = (first..half_from.min(first.saturating_add(TABLE)))
            .map(|gradient| rule.compute(gradient))
            .collect();
        rule
    }

    /// The chance of a flip for a gradient, in units of 2^-64.
    pub(crate) fn chance(&self, gradient: i64) -> u64 {
        if gradient >= self.half_from {
            return HALF;
        }
        let Ok(at) = usize::try_from(gradient.saturating_sub(self.first)) else { return 0 };
        self.table.get(at).copied().unwrap_or_else(|| self.compute(gradient))
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "floats saturate when they become integers"
    )]
    #[expect(
        clippy::cast_precision_loss,
        reason = "gradients beyond 2^53 have a chance of one half anyway"
    )]
    fn compute(&self, gradient: i64) -> u64 {
        let x = 2.0 * (self.rate * gradient as f64 + self.bias);
        match self.chances {
            Chances::Tanh => ((0.5 * libm::tanh(x)).max(0.0) * 2f64.powi(64)) as u64,
            Chances::Table => step(x),
        }
    }

    /// The bits of a word that flip, given their gradients (fewer than 64 in the last word of a
    /// row). Uses fewer than 256 words of `stream`, starting with word `at`.
    pub(crate) fn flips(&self, gradients: &[i64], stream: Stream, at: u64) -> u64 {
        let (neutral, [possible, half]) =
            (self.kernels.compare)(gradients, [self.first, self.half_from]);
        let mut flips = self.clear_flips(neutral, half, stream, at);
        for bit in crate::bits::ones(possible & !(neutral | half)) {
            let chance = self.chance(gradients[bit as usize]);
            flips |= u64::from(stream.word(at + 128 + u64::from(bit)) < chance) << bit;
        }
        flips
    }

    /// The bits of a word with a chance above zero, given their gradients.
    pub(super) fn possible(&self, gradients: &[i64]) -> u64 {
        (self.kernels.compare)(gradients, [self.first, self.half_from]).1[0]
    }

    /// The bits of a word that flip, when only `neutral` bits and bits with a chance of one `half`
    /// can flip. Draws the same as [`flips`](Self::flips).
    pub(crate) fn clear_flips(&self, neutral: u64, half: u64, stream: Stream, at: u64) -> u64 {
        let mut flips = 0;
        if half != 0 {
            flips |= half & stream.word(at);
        }
        if neutral != 0 {
            flips |= stream.bits_with_chance(self.neutral, neutral, at + 1);
        }
        flips
    }

    /// Whether one missing bit always outweighs a few near negatives. Then a wanted bit flips with
    /// a chance of one half. An unwanted bit never flips, and neither does the only separating bit
    /// of a pair.
    pub(super) fn is_clear(&self, Weights { alpha, beta, .. }: Weights) -> bool {
        let few = beta * FEW_NEAR as i64;
        alpha - few >= self.half_from && few - alpha < self.first && -beta < self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    fn share(count: u32, of: u32) -> f64 {
        f64::from(count) / f64::from(of)
    }

    #[test]
    fn chances_follow_the_formula_of_the_paper() {
        let rule = FlipRule::new(0.008, 0.01, Chances::Tanh);
        for gradient in [-1_000_000, -2, -1, 0, 1, 10, 25, 250, 1240, 1260, 100_000, i64::MAX / 2] {
            #[expect(clippy::cast_precision_loss)]
            let expected = (0.5 * (2.0 * (0.008 * gradient as f64 + 0.01)).tanh()).max(0.0);
            #[expect(clippy::cast_precision_loss)]
            let got = rule.chance(gradient) as f64 / 2f64.powi(64);
            assert!((got - expected).abs() < 1e-12, "{gradient}: {got} for {expected}");
        }
        assert_eq!(FlipRule::new(0.008, 0.0, Chances::Tanh).chance(0), 0);
        assert_eq!(FlipRule::new(0.008, 0.0, Chances::Tanh).chance(-5), 0);
    }

    #[test]
    fn a_table_has_powers_of_two_below_the_formula() {
        let (table, tanh) =
            [Chances::Table, Chances::Tanh].map(|c| FlipRule::new(0.008, 0.01, c)).into();
        for (gradient, expected) in
            [(-2, 0), (0, HALF >> 6), (15, HALF >> 2), (31, HALF >> 1), (62, HALF), (9999, HALF)]
        {
            assert_eq!(table.chance(gradient), expected, "{gradient}");
        }
        for gradient in 0..2000 {
            // The table is above half of x and at most x, tanh(x) at least three quarters of it.
            let (table, tanh) = (table.chance(gradient), tanh.chance(gradient));
            assert!(table / 4 * 3 <= tanh && tanh / 2 <= table, "{gradient}");
        }
    }

    #[test]
    fn bits_flip_as_often_as_their_chance() {
        let rule = FlipRule::new(0.008, 0.01, Chances::Tanh);
        let mut gradients = [0i64; 64];
        gradients[32..].fill(10);
        gradients[48..].fill(1_000_000);
        gradients[60..].fill(-10);
        let (mut neutral, mut small, mut half) = (0, 0, 0);
        for concept in 0..20_000 {
            let flips = rule.flips(&gradients, Stream::new(1, 1, Purpose::Flips, concept), 0);
            assert_eq!(flips >> 60, 0);
            neutral += (flips & 0xffff_ffff).count_ones();
            small += (flips >> 32 & 0xffff).count_ones();
            half += (flips >> 48).count_ones();
        }
        assert!((share(neutral, 32 * 20_000) - 0.0099987).abs() < 4e-4);
        assert!((share(small, 16 * 20_000) - 0.5 * (2.0 * (0.08 + 0.01f64)).tanh()).abs() < 2e-3);
        assert!((share(half, 12 * 20_000) - 0.5).abs() < 4e-3);
    }
}
