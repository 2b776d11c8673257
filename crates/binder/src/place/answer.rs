//! The answer to a query: ranked places with probabilities, and the safe one.

use super::Placer;
use super::evidence::{Evidence, FEATURES, Known, Room, gather};
use super::profile::Profile;
use super::trees::probabilities;
use crate::bits::Id;

/// A place: a parent that an unseen concept may have, and how likely it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The parent.
    pub concept: Id,
    /// The chance that it is a parent of the concept, from 0 to 1.
    pub p: f64,
}

/// What a placer says about an unseen concept.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Possible parents, the likeliest first.
    pub places: Vec<Place>,
    /// The concept with the best expected F1 of is-a pairs, and the chance that the unseen concept
    /// is below it.
    pub safe: Option<Place>,
    /// Where the nearest neighbours by words would put it, the most voted for first.
    pub by_vote: Vec<Id>,
    /// The first sense of the first known name in the definition.
    pub by_first_word: Option<Id>,
}

/// So many of the likeliest places are weighed for the safe answer.
const WEIGHED: usize = 30;

impl Placer {
    fn known(&self) -> Known<'_> {
        Known {
            hierarchy: self.model.hierarchy(),
            codes: self.model.codes(),
            lexicon: &self.learnt.lexicon,
            predictor: &self.learnt.predictor,
        }
    }

    /// Where a concept of this name and definition belongs.
    pub fn place(&self, name: &str, definition: &str) -> Answer {
        let known = self.known();
        let profile = Profile::new(&[name], definition, &known.lexicon.senses);
        let mut room = self.rooms.take(|| Room::new(known.hierarchy.len()));
        let evidence = gather(&profile, &known, &mut room);
        self.rooms.give(room);
        let places = self.ranked(&evidence);
        let first_word = known.lexicon.senses.mentioned(&profile.definition).into_iter().next();
        Answer {
            safe: self.safe(&places),
            places,
            by_vote: evidence.by_vote.iter().map(|&(concept, _)| concept).collect(),
            by_first_word: first_word
                .and_then(|(_, key)| known.lexicon.senses.of(&key).first().map(|&(_, id)| id)),
        }
    }

    fn ranked(&self, evidence: &Evidence) -> Vec<Place> {
        let scores: Vec<f64> = evidence
            .rows
            .chunks_exact(FEATURES)
            .map(|row| f64::from(self.trees.score(row)))
            .collect();
        let chances = probabilities(&scores);
        let mut places: Vec<Place> = evidence
            .candidates
            .iter()
            .zip(chances)
            .map(|(&concept, p)| Place { concept, p })
            .collect();
        places.sort_by(|a, b| b.p.total_cmp(&a.p).then(a.concept.cmp(&b.concept)));
        places
    }

    /// The concept with the best expected F1 of is-a pairs over the likeliest places.
    fn safe(&self, places: &[Place]) -> Option<Place> {
        let ancestors = &self.learnt.lexicon.ancestors;
        let likely = &places[..places.len().min(WEIGHED)];
        let all: f64 = likely.iter().map(|place| place.p).sum();
        let mut options: Vec<Id> = likely
            .iter()
            .take(WEIGHED / 3)
            .flat_map(|place| ancestors.row(place.concept).iter().copied().chain([place.concept]))
            .collect();
        options.sort_unstable();
        options.dedup();
        let mut best: Option<(f64, Place)> = None;
        for option in options {
            let own = ancestors.row(option);
            let (mut expected, mut below) = (0.0, 0.0);
            for place in likely {
                let other = ancestors.row(place.concept);
                let shared = shared(own, option, other, place.concept);
                expected += place.p * 2.0 * shared as f64 / (own.len() + other.len() + 2) as f64;
                if option == place.concept || other.binary_search(&option).is_ok() {
                    below += place.p;
                }
            }
            if best.is_none_or(|(most, _)| expected > most) {
                best = Some((expected, Place { concept: option, p: below / all.max(1e-9) }));
            }
        }
        best.map(|(_, place)| place)
    }
}

/// How many concepts are above or equal to both.
pub(super) fn shared(above_a: &[Id], a: Id, above_b: &[Id], b: Id) -> usize {
    let (mut at, mut count) = (0, 0);
    let all_b = || above_b.iter().copied().chain([b]);
    let len = above_a.len();
    for other in all_b() {
        while at < len && above_a[at] < other {
            at += 1;
        }
        if at < len && above_a[at] == other || other == a {
            count += 1;
        }
    }
    count
}
