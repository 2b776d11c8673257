use binder::evaluate::Mistake;
use binder::{Cancelled, Hierarchy, Id, Progress};
use rayon::prelude::*;

use crate::score::Scores;

/// Children that are scored at a time, by all threads together.
const CHILDREN: usize = 256;

/// The first `most` wrong pairs of all ordered pairs, by child, then by parent. A pair is predicted
/// to be is-a if it scores at least the threshold.
///
/// # Errors
///
/// When the work is cancelled.
///
/// # Panics
///
/// When there is not one row for each concept.
pub fn first_mistakes(
    scores: &dyn Scores,
    threshold: f32,
    truth: &Hierarchy,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Mistake>, Cancelled> {
    assert_eq!(scores.concepts(), truth.len(), "one row for each concept");
    let (closure, children) = (truth.closure(), truth.ids().collect::<Vec<Id>>());
    let mut found = Vec::new();
    for children in children.chunks(CHILDREN) {
        if found.len() >= most {
            break;
        }
        if progress.is_cancelled() {
            return Err(Cancelled);
        }
        let wrong = |&child: &Id| of_child(scores, threshold, child, closure.row(child));
        let wrong: Vec<Vec<Mistake>> = children.par_iter().map(wrong).collect();
        found.extend(wrong.into_iter().flatten());
    }
    found.truncate(most);
    Ok(found)
}

/// The wrong pairs of a child, given its ancestors, ascending.
fn of_child(scores: &dyn Scores, threshold: f32, child: Id, above: &[Id]) -> Vec<Mistake> {
    #[expect(clippy::cast_possible_truncation, reason = "there are no more than ids")]
    let concepts = scores.concepts() as Id;
    let mut of_parents = vec![0.0; concepts as usize];
    scores.of_child(child, 0..concepts, &mut of_parents);
    let pairs = (0..concepts).zip(of_parents).filter(|&(parent, _)| parent != child);
    let pairs = pairs.map(|(parent, score)| {
        let mistake = Mistake { child, parent, truly: above.binary_search(&parent).is_ok() };
        (mistake, score)
    });
    let wrong = pairs.filter(|&(pair, score)| (score >= threshold) != pair.truly);
    wrong.map(|(pair, _)| pair).collect()
}

/// The first `most` wrong pairs of the listed ones, in the order of the lists.
///
/// # Panics
///
/// When a listed concept has no row.
pub fn first_listed_mistakes(
    scores: &dyn Scores,
    threshold: f32,
    positives: &[(Id, Id)],
    negatives: &[(Id, Id)],
    most: usize,
) -> Vec<Mistake> {
    let wrong = |pairs: &[(Id, Id)], truly: bool| -> Vec<Mistake> {
        let scored = pairs.iter().zip(scores.of_pairs(pairs));
        let wrong = scored.filter(|&(_, score)| (score >= threshold) != truly).take(most);
        wrong.map(|(&(child, parent), _)| Mistake { child, parent, truly }).collect()
    };
    let mut found = wrong(positives, true);
    found.extend(wrong(negatives, false));
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate::{all_pairs, code_scores, listed};
    use binder::Codes;

    proptest! {
        /// Codes are scores too, at the threshold 0: their mistakes are those that codes have.
        #[test]
        fn mistakes_are_those_of_codes(
            pairs in proptest::collection::vec((0..40u32, 0..40u32), 1..60),
            words in proptest::collection::vec(0u64..64, 40), most in 0..300usize
        ) {
            let edges = pairs.iter().map(|&(a, b)| (a.max(b), a.min(b)));
            let lines = (1..40u32).map(|child| (child, 0)).chain(edges);
            let lines = lines.filter(|(child, parent)| child != parent);
            let named = lines.map(|(child, parent)| (format!("c{child}"), format!("c{parent}")));
            let truth = Hierarchy::from_pairs(named).unwrap();
            let codes = Codes::from_words(6, words[..truth.len()].to_vec()).unwrap();
            let scores = code_scores(&codes);
            let found = first_mistakes(&scores, 0.0, &truth, most, &()).unwrap();
            prop_assert_eq!(&found, &binder::evaluate::first_mistakes(&codes, &truth, most));
            let all = first_mistakes(&scores, 0.0, &truth, usize::MAX, &()).unwrap();
            let judged = all_pairs(&scores, 0.0, &truth, &()).unwrap();
            prop_assert_eq!(all.len() as u64, judged.measures.confusion.errors());
            let (positives, negatives) = pairs.split_at(pairs.len() / 2);
            let few = |pairs: &[(Id, Id)]| -> Vec<(Id, Id)> {
                let here = Id::try_from(truth.len()).unwrap();
                pairs.iter().map(|&(a, b)| (a % here, b % here)).collect()
            };
            let (positives, negatives) = (few(positives), few(negatives));
            let found = first_listed_mistakes(&scores, 0.0, &positives, &negatives, most);
            let plain =
                binder::evaluate::first_listed_mistakes(&codes, &positives, &negatives, most);
            prop_assert_eq!(found, plain);
            let every = first_listed_mistakes(&scores, 0.0, &positives, &negatives, usize::MAX);
            let judged = listed(&scores, 0.0, &positives, &negatives, &truth);
            prop_assert_eq!(every.len() as u64, judged.measures.confusion.errors());
        }
    }
}
