use binder::evaluate::Confusion;

use super::Measures;

/// How many negatives score between the positives: all that F1 at any threshold, AUC and average
/// precision depend on.
///
/// It takes as much memory as there are positives, however many negatives there are.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// The different scores of positives, ascending, as keys whose order is that of the scores.
    keys: Vec<u32>,
    /// How many positives have each.
    positives: Vec<u64>,
    /// For every value of a key's upper half, how many keys have a smaller one.
    starts: Vec<u32>,
}

/// Negatives by where they lie among the keys of a [`Curve`].
#[derive(Debug, Clone)]
pub(super) struct Negatives {
    /// Those above key `i − 1` and below key `i`; those above all at the end.
    between: Vec<u64>,
    /// Those equal to key `i`.
    equal: Vec<u64>,
}

/// A number whose order is that of scores. 0 and −0 are the same; no score is NaN.
#[inline(always)]
pub(super) fn key(score: f32) -> u32 {
    let bits = (score + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn score(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

impl Curve {
    pub(super) fn new(positives: &[f32]) -> Self {
        let mut all: Vec<_> = positives.iter().map(|&score| key(score)).collect();
        all.sort_unstable();
        let groups = || all.chunk_by(|a, b| a == b);
        let keys: Vec<_> = groups().map(|group| group[0]).collect();
        let upper = |key: u32| (key >> 16) as usize;
        let mut starts = vec![0u32; (1 << 16) + 1];
        keys.iter().for_each(|&key| starts[upper(key) + 1] += 1);
        for at in 0..1 << 16 {
            starts[at + 1] += starts[at];
        }
        Self { positives: groups().map(|group| group.len() as u64).collect(), keys, starts }
    }

    /// The least score of a positive.
    pub(super) fn least(&self) -> f32 {
        self.keys.first().map_or(f32::INFINITY, |&key| score(key))
    }

    pub(super) fn no_negatives(&self) -> Negatives {
        Negatives { between: vec![0; self.keys.len() + 1], equal: vec![0; self.keys.len()] }
    }

    /// Counts a negative.
    #[inline]
    pub(super) fn count(&self, score: f32, negatives: &mut Negatives) {
        let key = key(score);
        let upper = (key >> 16) as usize;
        let (start, end) = (self.starts[upper] as usize, self.starts[upper + 1] as usize);
        let at = start + self.keys[start..end].partition_point(|&other| other < key);
        if self.keys.get(at) == Some(&key) {
            negatives.equal[at] += 1;
        } else {
            negatives.between[at] += 1;
        }
    }

    /// [`count`](Self::count) for negatives with these keys, ascending.
    pub(super) fn count_sorted(&self, keys: &[u32], negatives: &mut Negatives) {
        let mut at = 0;
        for &key in keys {
            while self.keys.get(at).is_some_and(|&other| other < key) {
                at += 1;
            }
            if self.keys.get(at) == Some(&key) {
                negatives.equal[at] += 1;
            } else {
                negatives.between[at] += 1;
            }
        }
    }

    /// The measures, given what is right and wrong at a threshold, which tells the number of all
    /// negatives too. Those that were not counted lie below all positives.
    #[expect(clippy::cast_precision_loss, reason = "counts of pairs are far below 2^53")]
    pub(super) fn measures(
        &self,
        counted: &Negatives,
        threshold: f32,
        confusion: Confusion,
    ) -> Measures {
        let all: u64 = self.positives.iter().sum();
        let negatives = confusion.fp + confusion.tn;
        let (mut tp, mut fp) = (0, counted.between.last().copied().unwrap_or(0));
        let (mut best, mut wins, mut precisions) = ((f32::INFINITY, 0.0), 0.0, 0.0);
        for at in (0..self.keys.len()).rev() {
            let (here, equal) = (self.positives[at], counted.equal[at]);
            wins += here as f64 * ((negatives - fp - equal) as f64 + equal as f64 / 2.0);
            (tp, fp) = (tp + here, fp + equal);
            let here_on =
                Confusion { tp, fp, false_negatives: all - tp, tn: negatives.saturating_sub(fp) };
            precisions += here as f64 * here_on.precision();
            if here_on.f1() > best.1 {
                best = (score(self.keys[at]), here_on.f1());
            }
            fp += counted.between[at];
        }
        let share = |sum: f64, of: f64| if of > 0.0 { sum / of } else { 1.0 };
        Measures {
            threshold,
            confusion,
            best_threshold: best.0,
            best_f1: best.1,
            auc: share(wins, all as f64 * negatives as f64),
            average_precision: share(precisions, all as f64),
        }
    }
}

impl Negatives {
    /// Both counts together.
    pub(super) fn and(mut self, other: &Self) -> Self {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.between, &other.between);
        add(&mut self.equal, &other.equal);
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::threshold::best_threshold;

    fn measures(positives: &[f32], negatives: &[f32]) -> Measures {
        let curve = Curve::new(positives);
        let mut counted = curve.no_negatives();
        negatives.iter().for_each(|&score| curve.count(score, &mut counted));
        let confusion = Confusion { tn: negatives.len() as u64, ..Confusion::default() };
        curve.measures(&counted, 0.0, confusion)
    }

    proptest! {
        #[test]
        fn measures_are_those_of_the_definitions(
            positives in vec(-5i8..5, 1..20), negatives in vec(-5i8..5, 1..20)
        ) {
            let scores = |numbers: &[i8]| numbers.iter().map(|&n| n.into()).collect::<Vec<f32>>();
            let (positives, negatives) = (scores(&positives), scores(&negatives));
            let found = measures(&positives, &negatives);
            let wins: f64 = positives.iter().flat_map(|p| negatives.iter().map(move |n| {
                if p > n { 1.0 } else if p < n { 0.0 } else { 0.5 }
            })).sum();
            let auc = wins / (positives.len() * negatives.len()) as f64;
            prop_assert!((found.auc - auc).abs() < 1e-9);
            let at_least =
                |scores: &[f32], at: f32| scores.iter().filter(|&&s| s >= at).count() as f64;
            let precision = |at: f32| {
                at_least(&positives, at) / (at_least(&positives, at) + at_least(&negatives, at))
            };
            let all = positives.iter().map(|&at| precision(at)).sum::<f64>();
            let mean = all / positives.len() as f64;
            prop_assert!((found.average_precision - mean).abs() < 1e-9);
            let best = best_threshold(&positives, &negatives);
            prop_assert!((found.best_f1 - best.confusion.f1()).abs() < 1e-12);
        }

        #[test]
        fn sorted_negatives_are_counted_like_single_ones(
            positives in vec(-5i8..5, 0..20), negatives in vec(-6i8..6, 0..40)
        ) {
            let scores = |numbers: &[i8]| numbers.iter().map(|&n| n.into()).collect::<Vec<f32>>();
            let curve = Curve::new(&scores(&positives));
            let (mut single, mut sorted) = (curve.no_negatives(), curve.no_negatives());
            let negatives = scores(&negatives);
            negatives.iter().for_each(|&score| curve.count(score, &mut single));
            let mut keys: Vec<_> = negatives.iter().map(|&score| key(score)).collect();
            keys.sort_unstable();
            curve.count_sorted(&keys, &mut sorted);
            prop_assert_eq!((single.between, single.equal), (sorted.between, sorted.equal));
        }

        #[test]
        fn keys_keep_the_order_of_scores(a in -1e30f32..1e30, b in -1e30f32..1e30) {
            prop_assert_eq!(a.total_cmp(&b), key(a).cmp(&key(b)));
            prop_assert_eq!(score(key(a)).to_bits(), (a + 0.0).to_bits());
            prop_assert_eq!(key(0.0), key(-0.0));
        }
    }
}
