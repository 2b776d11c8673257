use super::HITS;

/// With at most so many positives, a pass over the scores for each is vector code and faster than a
/// search for each score.
const MOST_PASSES: usize = 48;

/// How many scores are higher than one, and how many equal it.
#[inline(always)]
fn compared(scores: &[f32], one: f32) -> (u64, u64) {
    let (mut higher, mut at_least) = (0u32, 0u32);
    for &score in scores {
        higher += u32::from(score > one);
        at_least += u32::from(score >= one);
    }
    (higher.into(), (at_least - higher).into())
}

/// The positives of one child, and how many others score higher.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranks {
    /// Scores of the child's positives, ascending.
    scores: Vec<f32>,
    /// For each, the negatives that score between it and the next one, or equal it.
    above: Vec<u64>,
    equal: Vec<u64>,
}

impl Ranks {
    pub(super) fn new(mut scores: Vec<f32>) -> Self {
        scores.sort_unstable_by(f32::total_cmp);
        let none = vec![0; scores.len()];
        Self { scores, above: none.clone(), equal: none }
    }

    /// The least score of a positive.
    pub(super) fn least(&self) -> f32 {
        self.scores.first().copied().unwrap_or(f32::INFINITY)
    }

    /// Counts a negative that scores at least as high as the least positive.
    #[inline]
    pub(super) fn count(&mut self, score: f32) {
        let not_above = self.scores.partition_point(|&positive| positive <= score);
        let below = self.scores[..not_above].partition_point(|&positive| positive < score);
        // It equals some positives, and outranks those below them.
        self.equal[below..not_above].iter_mut().for_each(|count| *count += 1);
        if below > 0 {
            self.above[below - 1] += 1;
        }
    }

    /// [`count`](Self::count) for each of some scores, whatever they are.
    #[inline(always)]
    pub(super) fn count_all(&mut self, scores: &[f32]) {
        let least = self.least();
        if self.scores.len() > MOST_PASSES {
            scores.iter().filter(|&&score| score >= least).for_each(|&score| self.count(score));
            return;
        }
        let mut higher_before = 0;
        for at in 0..self.scores.len() {
            let (higher, equal) = compared(scores, self.scores[at]);
            if at > 0 {
                self.above[at - 1] += higher_before - higher;
            }
            self.equal[at] += equal;
            higher_before = higher;
            if higher == 0 && equal == 0 {
                return;
            }
        }
        if let Some(last) = self.above.last_mut() {
            *last += higher_before;
        }
    }

    /// Adds what the ranks give.
    #[expect(clippy::cast_precision_loss, reason = "counts of concepts are far below 2^53")]
    pub(super) fn add_to(&self, sums: &mut RankSums) {
        let mut higher = 0;
        for at in (0..self.scores.len()).rev() {
            higher += self.above[at];
            let rank = 1.0 + higher as f64 + self.equal[at] as f64 / 2.0;
            sums.pairs += 1.0;
            sums.reciprocal += 1.0 / rank;
            for (hits, most) in sums.hits.iter_mut().zip(HITS) {
                *hits += f64::from(u8::from(rank <= f64::from(most)));
            }
        }
    }
}

/// Sums over the ranks of pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RankSums {
    pairs: f64,
    reciprocal: f64,
    hits: [f64; 3],
}

impl RankSums {
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.pairs += other.pairs;
        self.reciprocal += other.reciprocal;
        self.hits.iter_mut().zip(other.hits).for_each(|(sum, hits)| *sum += hits);
        self
    }

    /// The mean of 1 / rank; 1 if there are no pairs.
    pub(super) fn mrr(&self) -> f64 {
        if self.pairs > 0.0 { self.reciprocal / self.pairs } else { 1.0 }
    }

    /// The shares of ranks that are at most [`HITS`].
    pub(super) fn hits(&self) -> [f64; 3] {
        self.hits.map(|hits| if self.pairs > 0.0 { hits / self.pairs } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn scores_are_counted_together_as_one_by_one(
            positives in vec(-5i8..5, 0..60), negatives in vec(-6i8..6, 0..40)
        ) {
            let scores = |numbers: &[i8]| numbers.iter().map(|&n| n.into()).collect::<Vec<f32>>();
            let mut one_by_one = Ranks::new(scores(&positives));
            let mut together = one_by_one.clone();
            let negatives = scores(&negatives);
            let least = one_by_one.least();
            for &score in negatives.iter().filter(|&&score| score >= least) {
                one_by_one.count(score);
            }
            let (some, others) = negatives.split_at(negatives.len() / 2);
            together.count_all(some);
            together.count_all(others);
            prop_assert_eq!((one_by_one.above, one_by_one.equal), (together.above, together.equal));
        }
    }

    #[test]
    fn ranks_are_counted_against_negatives_only() {
        let mut ranks = Ranks::new(vec![3.0, 1.0, 1.0]);
        for negative in [5.0, 2.0, 1.0] {
            ranks.count(negative);
        }
        let mut sums = RankSums::default();
        ranks.add_to(&mut sums);
        // 3 has rank 2; each 1 has two above it and one equal: rank 3.5.
        assert!((sums.reciprocal - (0.5 + 2.0 / 3.5)).abs() < 1e-12);
        for (found, expected) in sums.hits().into_iter().zip([0.0, 1.0 / 3.0, 1.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
