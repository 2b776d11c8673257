use binder::evaluate::Confusion;

/// Where to cut: pairs with at least this score are taken to be is-a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The score.
    pub at: f32,
    /// Right and wrong predictions on the pairs that it was chosen on.
    pub confusion: Confusion,
}

/// The threshold with the best F1, given the scores of pairs that are is-a and of pairs that are
/// not. Equal scores fall on one side. Among equally good thresholds it is the highest.
///
/// It lies half-way to the next lower score, where it is the least sensitive to small changes.
///
/// # Examples
///
/// ```
/// use binder_baselines::best_threshold;
/// let best = best_threshold(&[3.0, 2.0, 0.0], &[1.0, -1.0]);
/// assert_eq!(best.at, -0.5);
/// assert_eq!((best.confusion.tp, best.confusion.fp), (3, 1));
/// ```
pub fn best_threshold(positives: &[f32], negatives: &[f32]) -> Threshold {
    let scored = |scores: &[f32], truly: bool| {
        scores.iter().map(move |&score| (score, truly)).collect::<Vec<_>>()
    };
    let mut all = scored(positives, true);
    all.extend(scored(negatives, false));
    all.sort_unstable_by(|(a, _), (b, _)| b.total_cmp(a));
    let (positives, negatives) = (positives.len() as u64, negatives.len() as u64);
    let none = Confusion { false_negatives: positives, tn: negatives, ..Confusion::default() };
    let mut best = Threshold { at: f32::INFINITY, confusion: none };
    let mut now = none;
    let mut rest = all.iter().peekable();
    while let Some(&(score, truly)) = rest.next() {
        if truly {
            (now.tp, now.false_negatives) = (now.tp + 1, now.false_negatives - 1);
        } else {
            (now.fp, now.tn) = (now.fp + 1, now.tn - 1);
        }
        let next = rest.peek().map(|(next, _)| *next);
        let is_cut = next.is_none_or(|next| next < score);
        if is_cut && truly_better(&now, &best.confusion) {
            best =
                Threshold { at: next.map_or(score, |next| between(next, score)), confusion: now };
        }
    }
    best
}

fn truly_better(now: &Confusion, best: &Confusion) -> bool {
    now.tp > 0 && (best.tp == 0 || now.f1() > best.f1())
}

/// A number above `lower` and at most `upper`, half-way if there is one.
fn between(lower: f32, upper: f32) -> f32 {
    let middle = lower + (upper - lower) / 2.0;
    if middle > lower && middle <= upper { middle } else { upper }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_other_threshold_is_better(
            positives in vec(-4i8..4, 1..20), negatives in vec(-4i8..4, 0..20)
        ) {
            let scores = |numbers: &[i8]| numbers.iter().map(|&n| n.into()).collect::<Vec<f32>>();
            let (positives, negatives) = (scores(&positives), scores(&negatives));
            let judged = |at: f32| {
                let mut confusion = Confusion::default();
                positives.iter().for_each(|&score| confusion.count(score >= at, true));
                negatives.iter().for_each(|&score| confusion.count(score >= at, false));
                confusion
            };
            let best = best_threshold(&positives, &negatives);
            prop_assert_eq!(judged(best.at), best.confusion);
            let others = positives.iter().map(|&at| judged(at).f1());
            prop_assert!(others.fold(0.0, f64::max) <= best.confusion.f1());
        }
    }
}
