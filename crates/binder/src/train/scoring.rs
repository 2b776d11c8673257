use super::Sampling;
use super::negatives::list;
use crate::bits::Id;
use crate::graph::{Graph, Reach};

/// The number of corruptions of each training pair, the same as in a validation split.
const PER_PAIR: u32 = 10;

/// Negatives to score epochs on when there is no validation data. The training pairs are then the
/// positives.
///
/// These are ten corruptions of every pair and the reversed pair, without duplicates and without
/// pairs that follow from the training pairs: after learning `puppy` is-a `dog` and `dog` is-a
/// `animal`, it is not an error that codes say `puppy` is-a `animal`. They are drawn once, from the
/// seed, as those of epoch 0. No run trains epoch 0, so training never sees these draws. The same
/// negatives are used for all epochs, so their scores can be compared.
///
/// # Examples
///
/// ```
/// use binder::{graph::Graph, train::scoring_negatives};
/// let pairs = Graph::new(4, [(1, 0), (2, 1), (3, 0)]);
/// let negatives = scoring_negatives(&pairs, 0);
/// assert!(negatives.contains(&(0, 1)) && !negatives.contains(&(2, 0)));
/// ```
///
/// For the direct pairs of WordNet's nouns these are 1 million pairs to check instead of 7 billion
/// to count.
pub fn scoring_negatives(pairs: &Graph, seed: u64) -> Vec<(Id, Id)> {
    let sampling = Sampling { filtered: true, distinct: true, with_self: false, reversed: true };
    let mut negatives = list(pairs, PER_PAIR, sampling, seed, 0);
    let (mut reach, mut above) = (Reach::new(pairs), None);
    negatives.retain(|&(child, parent)| {
        if above != Some(child) {
            reach.above(child);
            above = Some(child);
        }
        !reach.has_found(parent)
    });
    negatives
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "builtin")]
    fn no_negative_follows_from_the_training_pairs() {
        let animals = crate::read::Builtin::WordnetAnimals.load();
        let pairs = animals.graph();
        let negatives = scoring_negatives(pairs, 3);
        let true_ones = |&&(child, parent): &&(Id, Id)| animals.ancestors(child).contains(&parent);
        assert_eq!(negatives.iter().filter(true_ones).count(), 0);
        assert!(negatives.iter().all(|(child, parent)| child != parent));
        assert!(negatives.is_sorted() && negatives.len() > 10 * pairs.len());
        assert_eq!(negatives, scoring_negatives(pairs, 3));
        assert_ne!(negatives, scoring_negatives(pairs, 4));
    }

    #[test]
    fn there_are_no_negatives_when_all_pairs_follow() {
        let cycle = Graph::new(3, [(0, 1), (1, 2), (2, 0)]);
        assert_eq!(scoring_negatives(&cycle, 0), []);
        assert_eq!(scoring_negatives(&Graph::new(0, []), 0), []);
    }
}
