//! Adam (Kingma & Ba 2015) for rows of which a step touches only some.

/// How fast the means of the slopes and of their squares forget.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// Added to the root of the squares, so that nothing is divided by 0.
const LEAST_ROOT: f32 = 1e-8;

/// A row without slopes still moves by what its mean remembers. After so many steps in a row the
/// mean is 0.9^256 = 2e-12 of itself, which moves no `f32` any more, and is set to 0.
const MOST_REPLAYED: u32 = 256;

/// A mean below this is 0. It moves a value by less than 1e-21 of the rate, which no `f32` shows,
/// and it must not fade on to numbers that are not normal, which processors take a hundred times as
/// long for and which never become 0: the smallest of all times 0.9 is rounded to itself.
const FORGOTTEN: f32 = 1e-30;

/// Numbers that catch up together: as many as the widest registers hold.
const LANES: usize = 16;

/// The factors of one step.
#[derive(Debug, Clone, Copy)]
struct Factors {
    /// The rate, corrected for a mean that started at 0.
    rate: f32,
    /// 1 / √(1 − 0.999^t), the same correction for the root of the squares.
    root: f32,
}

/// The steps of a run so far.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    rate: f64,
    /// Powers of the decays: what the start still counts for.
    mean_left: f64,
    square_left: f64,
    /// The factors of every step, the first at 0.
    steps: Vec<Factors>,
}

impl Adam {
    pub(super) fn new(rate: f64) -> Self {
        Self { rate, mean_left: 1.0, square_left: 1.0, steps: Vec::new() }
    }

    /// As it is after so many steps.
    pub(super) fn after(rate: f64, steps: u32) -> Self {
        let mut adam = Self::new(rate);
        for _ in 0..steps {
            adam.begin();
        }
        adam
    }

    /// Begins the next step and gives its number, from 1.
    #[expect(clippy::cast_possible_truncation, reason = "rounded to f32; a run has fewer steps")]
    pub(super) fn begin(&mut self) -> u32 {
        self.mean_left *= f64::from(MEAN_DECAY);
        self.square_left *= f64::from(SQUARE_DECAY);
        self.steps.push(Factors {
            rate: (self.rate / (1.0 - self.mean_left)) as f32,
            root: (1.0 / (1.0 - self.square_left).sqrt()) as f32,
        });
        self.steps.len() as u32
    }

    /// The number of the last step begun.
    #[expect(clippy::cast_possible_truncation, reason = "a run has fewer steps")]
    pub(super) fn step(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Makes up for the steps from `after` on, `until` included, in which the row had no slopes:
    /// the same operations as if every step had touched every row.
    #[inline(always)]
    pub(super) fn catch_up(&self, record: &mut [f32], after: u32, until: u32) {
        if after == 0 || after >= until {
            return;
        }
        let (values, mean, square) = parts(record);
        let replayed = (until - after).min(MOST_REPLAYED);
        let steps = &self.steps[after as usize..(after + replayed) as usize];
        let (value_blocks, value_rest) = values.as_chunks_mut::<LANES>();
        let (mean_blocks, mean_rest) = mean.as_chunks_mut::<LANES>();
        let (square_blocks, square_rest) = square.as_chunks_mut::<LANES>();
        let blocks = value_blocks.iter_mut().zip(mean_blocks).zip(square_blocks);
        for ((values, mean), square) in blocks {
            [*values, *mean, *square] = replayed_block(steps, [*values, *mean, *square]);
        }
        let rests = [value_rest, mean_rest, square_rest];
        let replayed_rests = replayed_block(steps, rests.each_ref().map(|rest| padded(rest)));
        for (rest, block) in rests.into_iter().zip(replayed_rests) {
            rest.copy_from_slice(&block[..rest.len()]);
        }
        let skipped = until - after - replayed;
        if skipped > 0 {
            let left = libm::powf(SQUARE_DECAY, f32_of(skipped));
            mean.fill(0.0);
            square.iter_mut().for_each(|square| *square *= left);
        }
    }

    /// Step `step` for a row with slopes.
    #[inline(always)]
    pub(super) fn update(&self, record: &mut [f32], slopes: &[f32], step: u32) {
        let (values, mean, square) = parts(record);
        let factors = self.steps[step as usize - 1];
        let state = values.iter_mut().zip(mean).zip(square).zip(slopes);
        for (((value, mean), square), &slope) in state {
            *mean = remembered(*mean * MEAN_DECAY + slope * (1.0 - MEAN_DECAY));
            *square = *square * SQUARE_DECAY + slope * slope * (1.0 - SQUARE_DECAY);
            *value -= factors.rate * *mean / (square.sqrt() * factors.root + LEAST_ROOT);
        }
    }
}

/// A block of values, means and squares after steps without slopes. It is handed over whole, so
/// that it stays in registers from step to step. Once all means are 0, values rest and only the
/// squares fade.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain indices become vector code")]
fn replayed_block(
    steps: &[Factors],
    [mut values, mut mean, mut square]: [[f32; LANES]; 3],
) -> [[f32; LANES]; 3] {
    let mut left = steps.iter();
    while mean.iter().fold(0, |bits, mean| bits | mean.abs().to_bits()) != 0 {
        let Some(factors) = left.next() else { break };
        for lane in 0..LANES {
            mean[lane] = remembered(mean[lane] * MEAN_DECAY);
            square[lane] *= SQUARE_DECAY;
            let root = square[lane].sqrt() * factors.root + LEAST_ROOT;
            values[lane] -= factors.rate * mean[lane] / root;
        }
    }
    for _ in left {
        for lane in 0..LANES {
            square[lane] *= SQUARE_DECAY;
        }
    }
    [values, mean, square]
}

/// What is left of a row after its whole blocks, as a block.
#[inline(always)]
fn padded(row: &[f32]) -> [f32; LANES] {
    let mut block = [0.0; LANES];
    block[..row.len()].copy_from_slice(row);
    block
}

/// A mean, or 0 where nothing is left of it.
#[inline(always)]
fn remembered(mean: f32) -> f32 {
    if mean.abs() < FORGOTTEN { 0.0 } else { mean }
}

#[expect(clippy::cast_precision_loss, reason = "a number of steps, far below 2^24")]
fn f32_of(steps: u32) -> f32 {
    steps as f32
}

/// The values of a record, the means of their slopes, and those of the squares.
#[inline(always)]
fn parts(record: &mut [f32]) -> (&mut [f32], &mut [f32], &mut [f32]) {
    let width = record.len() / 3;
    let (values, state) = record.split_at_mut(width);
    let (mean, square) = state.split_at_mut(width);
    (values, mean, square)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A row that is touched now and then ends up where it would if every step touched it.
        #[test]
        fn rows_that_catch_up_are_those_of_dense_adam(
            slopes in vec(proptest::option::weighted(0.2, -2.0f32..2.0), 1..60)
        ) {
            let (mut dense, mut lazy) = (vec![0.5f32, 0.0, 0.0], vec![0.5f32, 0.0, 0.0]);
            let (mut adam, mut last) = (Adam::new(0.1), 0);
            for slope in slopes {
                let step = adam.begin();
                adam.update(&mut dense, &[slope.unwrap_or(0.0)], step);
                if let Some(slope) = slope {
                    adam.catch_up(&mut lazy, last, step - 1);
                    adam.update(&mut lazy, &[slope], step);
                    last = step;
                }
            }
            adam.catch_up(&mut lazy, last, adam.step());
            prop_assert_eq!(dense, lazy);
        }
    }

    #[test]
    fn long_absences_change_nothing_that_counts() {
        let (mut dense, mut lazy) = (vec![0.5f32, 0.0, 0.0], vec![0.5f32, 0.0, 0.0]);
        let mut adam = Adam::new(0.1);
        let first = adam.begin();
        adam.update(&mut dense, &[1.0], first);
        adam.update(&mut lazy, &[1.0], first);
        for _ in 0..2000 {
            let step = adam.begin();
            adam.update(&mut dense, &[0.0], step);
        }
        adam.catch_up(&mut lazy, first, adam.step());
        assert!((dense[0] - lazy[0]).abs() < 1e-6 && (dense[2] / lazy[2] - 1.0).abs() < 1e-3);
    }
}
