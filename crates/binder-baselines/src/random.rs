//! Random numbers by position: any thread, in any order, gets the same ones.

/// What random numbers are for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The vectors that a run starts with.
    Start = 1,
    /// The order of the training pairs in an epoch.
    Order = 2,
    /// The concepts that a batch draws its negatives from.
    Pool = 3,
    /// The negatives of a training pair.
    Negatives = 4,
}

/// A source of random words, which depends only on what it is for.
///
/// The words are those of SplitMix64 (Steele, Lea & Flood 2014), begun at a hash of the seed, the
/// purpose and two numbers of the caller's.
#[derive(Debug, Clone)]
pub struct Draws {
    state: u64,
    /// A normal number that was drawn together with the last one and not used yet.
    spare: Option<f64>,
}

/// 2^64 divided by the golden ratio, rounded to an odd number. Multiples of it are spread evenly
/// over all words.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Draws {
    #[inline(always)]
    pub(crate) fn new(seed: u64, purpose: Purpose, first: u64, second: u64) -> Self {
        let run = mix(seed.wrapping_add(STEP) ^ (purpose as u64) << 56);
        let outer = mix(run.wrapping_add(first.wrapping_mul(STEP)));
        Self { state: mix(outer.wrapping_add(second.wrapping_mul(STEP))), spare: None }
    }

    /// The next word.
    #[inline(always)]
    pub(crate) fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Two numbers below `bound`. The error of a number's chance is at most `bound / 2^32`.
    #[inline(always)]
    pub(crate) fn two_below(&mut self, bound: u32) -> [u32; 2] {
        let word = self.word();
        let scaled = |half: u64| ((half * u64::from(bound)) >> 32) as u32;
        [scaled(word & 0xffff_ffff), scaled(word >> 32)]
    }

    /// A number from 0 to 1, without either end.
    #[expect(clippy::cast_precision_loss, reason = "the number has 52 bits")]
    pub fn uniform(&mut self) -> f64 {
        ((self.word() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// A number from the normal distribution, by the polar method of Marsaglia.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(y * scale);
                return x * scale;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut draws = Draws::new(7, Purpose::Start, 0, 0);
        let numbers: Vec<_> = (0..20_000).map(|_| draws.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 2e4;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 2e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn small_numbers_are_all_drawn() {
        let mut draws = Draws::new(1, Purpose::Pool, 2, 3);
        let drawn: Vec<_> = (0..100).flat_map(|_| draws.two_below(7)).collect();
        assert!((0..7).all(|number| drawn.contains(&number)));
        assert!(drawn.iter().all(|&number| number < 7));
    }
}
