//! The answer to a query: ranked places with probabilities, the safe one, and why.

use super::Placer;
use super::evidence::{Evidence, Known, gather};
use super::features::FEATURES;
use super::profile::{Profile, kind};
use super::senses::first_name;
use super::trees::probabilities;
use super::vectors::{VectorsError, unit};
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
    /// Possible parents, the likeliest first, each with the chance that it is one. A concept may
    /// have several, so that chances may add up to more than 1. Chances above 0.7 are said
    /// cautiously, for those who add a concept only where it is sure.
    pub places: Vec<Place>,
    /// The parents to put it under: the likeliest place, or several where they are about equally
    /// likely and nothing else is. Empty if there is no candidate at all.
    pub parents: Vec<Id>,
    /// The place with the best expected F1 of is-a pairs, and the chance that the concept is below
    /// it, as it is. It is an ancestor of the likeliest places when they disagree.
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

/// Several parents together have at least this share of the softmax, and each at least that.
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
            embeddings: &self.embeddings,
            spaces: &self.learnt.spaces,
            without: &[],
        }
    }

    /// Where a concept of this name and definition belongs. Either may be empty, but then less is
    /// known; beyond the first 300 words nothing is looked at. If the placer has its
    /// [encoder](Self::with_encoder), the text's vector is made too.
    pub fn place(&self, name: &str, definition: &str) -> Answer {
        let vector = self.embeddings.encoded(name, definition);
        self.with_code(self.find(name, definition, vector).answer)
    }

    /// [`place`](Self::place) with the concept's own vector, for a placer that was fitted with
    /// vectors of [concepts](super::Embeddings::concepts). Others pay no heed to it.
    ///
    /// # Errors
    ///
    /// When the vector has another length than those.
    pub fn place_with(
        &self,
        name: &str,
        definition: &str,
        vector: &[f32],
    ) -> Result<Answer, VectorsError> {
        if let Some(vectors) = &self.embeddings.concepts {
            let (found, wanted) = (vector.len(), vectors.dimension());
            if found != wanted {
                return Err(VectorsError::Length { found, wanted });
            }
        }
        Ok(self.with_code(self.find(name, definition, unit(vector.to_vec())).answer))
    }

    fn with_code(&self, mut answer: Answer) -> Answer {
        if !answer.parents.is_empty() {
            answer.code = self.growth().code_for(&answer.parents);
        }
        answer
    }

    /// Where a known concept would be placed by its name and definition, if neither it nor anything
    /// below it were there. Without a code.
    pub fn reconsider(&self, concept: Id) -> Answer {
        let hierarchy = self.model.hierarchy();
        let mut without = hierarchy.descendants(concept);
        without.push(concept);
        without.sort_unstable();
        let known = Known { without: &without, ..self.known() };
        let definition = hierarchy.definition(concept).unwrap_or("");
        let mut profile = known.profile(first_name(hierarchy, concept), definition);
        profile.vectors[1] = known.given(hierarchy.name(concept));
        self.find_profile(&profile, &known).answer
    }

    /// The answer without a code. A vector has the length 1.
    pub(super) fn find(&self, name: &str, definition: &str, vector: Option<Vec<f32>>) -> Found {
        let known = self.known();
        let mut profile = known.profile(name, definition);
        profile.vectors[1] = vector;
        self.find_profile(&profile, &known)
    }

    fn find_profile(&self, profile: &Profile, known: &Known<'_>) -> Found {
        let mut room = self.rooms.take(|| Room::new(known.hierarchy.len()));
        let evidence = gather(profile, known, &mut room);
        self.rooms.give(room);
        let shares = self.shares(&evidence);
        let senses = &known.lexicon.senses;
        let first_word = senses.mentioned(&profile.definition).into_iter().next();
        let by_first_word =
            first_word.and_then(|(_, key)| senses.of(&key).first().map(|&(_, concept)| concept));
        let answer = Answer {
            parents: self.parents(&shares),
            safe: self.safe(&shares),
            same_as: self.same_as(profile, &evidence, known),
            why: self.why(profile, &evidence, shares.first().map(|place| place.concept)),
            places: shares.iter().map(|share| self.said(share)).collect(),
            code: None,
        };
        Found { answer, by_vote: evidence.by_vote.first().map(|&(id, _)| id), by_first_word }
    }

    /// The candidates with their shares of the softmax, the largest first.
    fn shares(&self, evidence: &Evidence) -> Vec<Place> {
        let score = |row: &[f32]| f64::from(self.trees.score(row)) / self.calibration.temperature;
        let scores: Vec<f64> = evidence.rows.chunks_exact(FEATURES).map(score).collect();
        let candidates = evidence.candidates.iter().zip(probabilities(&scores));
        let mut places: Vec<Place> = candidates.map(|(&concept, p)| Place { concept, p }).collect();
        places.sort_by(|a, b| b.p.total_cmp(&a.p).then(a.concept.cmp(&b.concept)));
        places
    }

    fn said(&self, share: &Place) -> Place {
        Place { p: self.calibration.said(share.p), ..*share }
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
        best.map(|(_, place)| Place { p: self.calibration.chance(place.p), ..place })
    }

    /// The concept that a text is rather another name of: it has the name, and nothing else is said
    /// or something alike; or it has another name, and the same is said.
    fn same_as(&self, profile: &Profile, evidence: &Evidence, known: &Known<'_>) -> Option<Place> {
        let is_there = |&&(_, concept): &&(u32, Id)| known.without.binary_search(&concept).is_err();
        let mut senses = self.learnt.lexicon.senses.of(&key(&profile.name)).iter().filter(is_there);
        let place = |concept: Id, p: f32| Some(Place { concept, p: p.into() });
        // The name is the same already: only what the definition says beyond it counts.
        let told = profile.told();
        if told.is_empty() {
            return senses.next().and_then(|&(_, concept)| place(concept, 1.0));
        }
        let of_name =
            senses.map(|&(_, concept)| (concept, self.learnt.lexicon.overlap(concept, &told)));
        let best = of_name.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((concept, likeness)) = best.filter(|&(_, likeness)| likeness >= ALIKE_WITH_NAME)
        {
            return place(concept, likeness);
        }
        let &(nearest, score) = evidence.neighbours.first()?;
        let likeness = (score / evidence.most.max(1e-6)).min(1.0);
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
