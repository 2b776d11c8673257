//! The answer to a query: ranked places with probabilities, the safe one, and why.

use super::Placer;
use super::evidence::{Evidence, Known, gather};
use super::features::FEATURES;
use super::profile::{Profile, kind};
use super::trees::probabilities;
use super::votes::Room;
use super::words::{hash, key};
use crate::bits::{Code, Id};

/// A place: a parent that an unseen concept may have, and how likely it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The parent.
    pub concept: Id,
    /// The chance that it is right, from 0 to 1.
    pub p: f64,
}

/// What a placer says about an unseen concept.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// Possible parents, the likeliest first. Their chances add up to less than 1: the rest is the
    /// chance that none of them is right.
    pub places: Vec<Place>,
    /// The parents to put it under: the likeliest place, or several where they are about equally
    /// likely and nothing else is. Empty if there is no candidate at all.
    pub parents: Vec<Id>,
    /// The place with the best expected F1 of is-a pairs, and the chance that the concept is below
    /// it. It is an ancestor of the likeliest places when they disagree.
    pub safe: Option<Place>,
    /// A concept that this rather is another name of, and how alike the texts are, from 0 to 1.
    pub same_as: Option<Place>,
    /// What spoke for the likeliest place.
    pub why: Why,
    /// The code that the concept would get under [`parents`](Self::parents): it has all bits of its
    /// ancestors and of nobody else, and nobody has all of its bits. `None` where a bit would have
    /// to be appended to all codes first.
    pub code: Option<Code>,
}

/// What spoke for a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Why {
    /// What the definition says that it is, if that name leads to the place.
    pub genus: Option<String>,
    /// The known name that the name ends with, if that leads to the place.
    pub ending: Option<String>,
    /// Names in the definition whose concepts are the place or below it.
    pub mentioned: Vec<Id>,
    /// The nearest concepts below the place, and the words that they share with the text.
    pub neighbours: Vec<(Id, Vec<String>)>,
}

/// So many of the likeliest places are weighed for the safe answer.
const WEIGHED: usize = 30;

/// So many neighbours say why.
const NAMED: usize = 3;

/// How alike two texts are that say the same, without and with the same name.
const ALIKE: f32 = 0.8;
const ALIKE_WITH_NAME: f32 = 0.5;

/// Several parents share at least this chance, and each has at least that.
const TOGETHER: f64 = 0.8;
const EACH: f64 = 0.3;

/// An answer, and what ways that learn nothing would answer.
pub(super) struct Found {
    pub(super) answer: Answer,
    /// The parent with the most votes of neighbours.
    pub(super) by_vote: Option<Id>,
    /// The first sense of the first known name in the definition.
    pub(super) by_first_word: Option<Id>,
}

impl Placer {
    pub(super) fn known(&self) -> Known<'_> {
        Known {
            hierarchy: self.model.hierarchy(),
            codes: self.model.codes(),
            lexicon: &self.learnt.lexicon,
            predictor: &self.learnt.predictor,
        }
    }

    /// Where a concept of this name and definition belongs. Either may be empty, but then less is
    /// known; beyond the first 300 words nothing is looked at.
    pub fn place(&self, name: &str, definition: &str) -> Answer {
        let mut found = self.find(name, definition);
        if !found.answer.parents.is_empty() {
            found.answer.code = self.growth().code_for(&found.answer.parents);
        }
        found.answer
    }

    /// The answer without a code.
    pub(super) fn find(&self, name: &str, definition: &str) -> Found {
        let known = self.known();
        let profile = known.profile(name, definition);
        let mut room = self.rooms.take(|| Room::new(known.hierarchy.len()));
        let evidence = gather(&profile, &known, &mut room);
        self.rooms.give(room);
        let places = self.ranked(&evidence);
        let senses = &known.lexicon.senses;
        let first_word = senses.mentioned(&profile.definition).into_iter().next();
        let by_first_word =
            first_word.and_then(|(_, key)| senses.of(&key).first().map(|&(_, concept)| concept));
        let answer = Answer {
            parents: self.parents(&places),
            safe: self.safe(&places),
            same_as: self.same_as(&profile, &evidence),
            why: self.why(&profile, &evidence, places.first().map(|place| place.concept)),
            places,
            code: None,
        };
        Found { answer, by_vote: evidence.by_vote.first().map(|&(id, _)| id), by_first_word }
    }

    /// The candidates by their chances.
    fn ranked(&self, evidence: &Evidence) -> Vec<Place> {
        let score = |row: &[f32]| f64::from(self.trees.score(row)) / self.temperature;
        let scores: Vec<f64> = evidence.rows.chunks_exact(FEATURES).map(score).collect();
        let candidates = evidence.candidates.iter().zip(probabilities(&scores));
        let mut places: Vec<Place> =
            candidates.map(|(&concept, p)| Place { concept, p: cautious(p) }).collect();
        places.sort_by(|a, b| b.p.total_cmp(&a.p).then(a.concept.cmp(&b.concept)));
        places
    }

    fn parents(&self, places: &[Place]) -> Vec<Id> {
        let above =
            |a: Id, b: Id| a == b || self.learnt.lexicon.ancestors.row(b).binary_search(&a).is_ok();
        let likely: Vec<&Place> = places.iter().take_while(|place| place.p >= EACH).collect();
        let ids = || likely.iter().map(|place| place.concept);
        let apart =
            ids().enumerate().all(|(at, a)| ids().take(at).all(|b| !above(a, b) && !above(b, a)));
        let together: f64 = likely.iter().map(|place| place.p).sum();
        match likely.len() > 1 && apart && together >= TOGETHER {
            true => ids().collect(),
            false => places.first().map(|place| place.concept).into_iter().collect(),
        }
    }

    /// The concept with the best expected F1 of is-a pairs over the likeliest places.
    fn safe(&self, places: &[Place]) -> Option<Place> {
        let ancestors = &self.learnt.lexicon.ancestors;
        let likely = &places[..places.len().min(WEIGHED)];
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
                best = Some((expected, Place { concept: option, p: below }));
            }
        }
        best.map(|(_, place)| place)
    }

    /// The concept that a text is rather another name of: it has the name, and nothing else is said
    /// or something alike; or it has another name, and the same is said.
    fn same_as(&self, profile: &Profile, evidence: &Evidence) -> Option<Place> {
        let senses = self.learnt.lexicon.senses.of(&key(&profile.name));
        let alike = |concept: Id| {
            let likeness = evidence.neighbours.iter().find(|&&(other, _)| other == concept);
            likeness.map_or(0.0, |&(_, score)| score / evidence.most.max(1e-6)).min(1.0)
        };
        let place = |concept: Id, p: f32| Some(Place { concept, p: p.into() });
        if profile.definition.is_empty() {
            return senses.first().and_then(|&(_, concept)| place(concept, 1.0));
        }
        let of_name = senses.iter().map(|&(_, concept)| (concept, alike(concept)));
        let best = of_name.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((concept, likeness)) = best.filter(|&(_, likeness)| likeness >= ALIKE_WITH_NAME)
        {
            return place(concept, likeness);
        }
        let &(nearest, _) = evidence.neighbours.first()?;
        let likeness = alike(nearest);
        if likeness >= ALIKE { place(nearest, likeness) } else { None }
    }

    fn why(&self, profile: &Profile, evidence: &Evidence, place: Option<Id>) -> Why {
        let Some(place) = place else { return Why::default() };
        let lexicon = &self.learnt.lexicon;
        let leads = |concept: Id| {
            concept == place || lexicon.ancestors.row(concept).binary_search(&place).is_ok()
        };
        let leading = |key: &str| lexicon.senses.of(key).iter().any(|&(_, sense)| leads(sense));
        let genera = [&profile.genus, &profile.second_genus].into_iter().flatten();
        let genus = genera.map(|(_, key)| key).find(|key| leading(key)).cloned();
        let endings = (1..profile.name.len()).map(|start| key(&profile.name[start..]));
        let mut mentioned: Vec<Id> = lexicon
            .senses
            .mentioned(&profile.definition)
            .iter()
            .filter_map(|(_, key)| lexicon.senses.of(key).first())
            .map(|&(_, concept)| concept)
            .filter(|&concept| leads(concept))
            .collect();
        mentioned.dedup();
        let words = profile.definition.iter().chain(&profile.name);
        let mut words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let shared = |concept: Id| -> Vec<String> {
            let has = |word: &&&str| {
                let token = hash(kind::WORD, word);
                profile.tokens.binary_search_by_key(&token, |&(token, _)| token).is_ok()
                    && lexicon.concepts.rows(token).binary_search(&concept).is_ok()
            };
            words.iter().filter(has).map(|&word| word.to_owned()).collect()
        };
        let near = evidence.neighbours.iter().map(|&(concept, _)| concept);
        let neighbours = near
            .filter(|&concept| leads(concept))
            .map(|concept| (concept, shared(concept)))
            .filter(|(_, words)| !words.is_empty())
            .take(NAMED)
            .collect();
        Why { genus, ending: endings.into_iter().find(|key| leading(key)), mentioned, neighbours }
    }
}

/// A chance as it is said. Of hidden WordNet leaves (draw 101) that the trees gave a chance of 0.8
/// to 0.9, 83 % were right; whoever adds a concept from 0.8 on wants more. So 0.8 is said of 0.88,
/// and what is between 0.7 and 1 follows.
fn cautious(p: f64) -> f64 {
    let (from, sure, said) = (0.7, 0.88, 0.8);
    match p {
        p if p < from => p,
        p if p < sure => from + (p - from) * (said - from) / (sure - from),
        p => said + (p - sure) * (1.0 - said) / (1.0 - sure),
    }
}

/// How many concepts are above both or equal to one of them.
fn shared(above_a: &[Id], a: Id, above_b: &[Id], b: Id) -> usize {
    let (mut at, mut count) = (0, 0);
    for other in above_b.iter().copied().chain([b]) {
        while above_a.get(at).is_some_and(|&above| above < other) {
            at += 1;
        }
        count += usize::from(above_a.get(at) == Some(&other) || other == a);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_ancestors_are_counted() {
        assert_eq!(shared(&[0, 1], 3, &[0, 2], 4), 1);
        assert_eq!(shared(&[0], 1, &[0, 1], 2), 2);
        assert_eq!(shared(&[0, 1], 2, &[0], 1), 2);
        assert_eq!(shared(&[], 0, &[], 0), 1);
    }
}
