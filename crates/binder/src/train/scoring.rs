use super::Sampling;
use super::negatives::list;
use crate::bits::Id;
use crate::graph::{Graph, Reach};

/// Corruptions of a training pair to score on, as many as a pair of a validation split has.
const A_PAIR: u32 = 10;

/// Negatives to score epochs on when there is nothing but the training pairs; score the pairs
/// themselves as positives.
///
/// Ten corruptions of every pair and the pair turned round, each once, less what follows from the
/// training pairs: learning `puppy` is-a `dog` and `dog` is-a `animal`, codes must not be blamed
/// for `puppy` is-a `animal`. Drawn once, by the seed, as epoch 0, which no run trains: so training
/// never sees these draws, and scores of epochs can be compared.
///
/// ```
/// use binder::{graph::Graph, train::scoring_negatives};
/// let pairs = Graph::new(4, [(1, 0), (2, 1), (3, 0)]);
/// let negatives = scoring_negatives(&pairs, 0);
/// assert!(negatives.contains(&(0, 1)) && !negatives.contains(&(2, 0)));
/// ```
///
/// For the direct pairs of WordNet's nouns these are 1 million pairs to look at instead of 7
/// billion to count.
pub fn scoring_negatives(pairs: &Graph, seed: u64) -> Vec<(Id, Id)> {
    let sampling = Sampling { filtered: true, distinct: true, with_self: false, reversed: true };
    let mut negatives = list(pairs, A_PAIR, sampling, seed, 0);
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
    fn nothing_that_follows_is_a_negative() {
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
    fn where_everything_is_true_there_are_none() {
        let cycle = Graph::new(3, [(0, 1), (1, 2), (2, 0)]);
        assert_eq!(scoring_negatives(&cycle, 0), []);
        assert_eq!(scoring_negatives(&Graph::new(0, []), 0), []);
    }
}
