//! What speaks for which parent: the candidates of a query, and what was found for each.
//!
//! ```text
//!            animal              query  labradoodle: a cross between a Labrador and a poodle
//!           /      \             mentioned   labrador, poodle      → candidates, and dog, which is
//!        dog        cat                                              above both
//!       /    \                   neighbours  texts that share words → their parents: dog
//!  labrador  poodle              features    of dog: both mentioned names are below it, both
//!                                            neighbours' parent, …
//! ```

use hashbrown::HashMap;

use super::features::Search;
use super::lexicon::Lexicon;
use super::postings::Postings;
use super::predictor::{Predictor, Sums};
use super::profile::Profile;
use super::space::{Embeddings, Spaces};
use super::votes::{Room, cast_all, cast_group};
use super::words::{Word, key};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;

/// Neighbours by words, by letters, and in each space.
const NEIGHBOURS: usize = 60;
const LETTER_NEIGHBOURS: usize = 20;
const SPACE_NEIGHBOURS: usize = 30;

/// Candidates by their children's centroid, by their code, and by each group.
const BY_CENTROID: usize = 40;
const BY_CODE: usize = 20;
const BY_GROUP: usize = 12;

/// Senses of a mentioned name and of the genus that become candidates.
const SENSES: usize = 3;
pub(super) const GENUS_SENSES: usize = 8;

/// Tokens and letters that more than one part in so many concepts have are not searched for.
const TOO_COMMON: usize = 20;
const LETTERS_TOO_COMMON: usize = 80;

/// Nobody mentions more names than this.
const MENTIONS: usize = 24;

/// What a hierarchy says, with codes and their predictor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) codes: &'a Codes,
    pub(super) lexicon: &'a Lexicon,
    pub(super) predictor: &'a Predictor,
    pub(super) embeddings: &'a Embeddings,
    pub(super) spaces: &'a Spaces,
    /// Concepts that are asked as if they were not there, ascending.
    pub(super) without: &'a [Id],
}

/// Where a concept is mentioned, and as which sense of the name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    pub(super) at: f32,
    pub(super) rank: f32,
    pub(super) words: f32,
    pub(super) senses: f32,
}

/// What was found for a query.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Ascending.
    pub(super) candidates: Vec<Id>,
    /// A row of [`FEATURES`] for each candidate, and one for "none of these".
    pub(super) rows: Vec<f32>,
    /// The nearest concepts by words, the nearest first.
    pub(super) neighbours: Vec<(Id, f32)>,
    /// The score of a concept that would have exactly the query's tokens.
    pub(super) most: f32,
    /// Where neighbours alone would put it: the parents with the most votes first.
    pub(super) by_vote: Vec<(Id, f32)>,
}

/// Looks for everything that speaks for a place of this profile.
pub(super) fn gather(profile: &Profile, known: &Known<'_>, room: &mut Room) -> Evidence {
    room.clear();
    let lexicon = known.lexicon;
    let common = (lexicon.len() / TOO_COMMON).max(50);
    lexicon.concepts.add_up(&profile.tokens, common, &mut room.words);
    room.words.forget(known.without);
    let neighbours = room.words.best(NEIGHBOURS);
    cast_all(&neighbours, 2, known, &mut room.neighbours);
    cast_all(&neighbours, 6, known, &mut room.sharp);
    let letters: Vec<(u64, f32)> = letter_direction(&profile.letters, &lexicon.letters);
    let rare = (lexicon.len() / LETTERS_TOO_COMMON).max(50);
    lexicon.letters.add_up(&letters, rare, &mut room.letters);
    room.letters.forget(known.without);
    let by_letters = room.letters.best(LETTER_NEIGHBOURS);
    cast_all(&by_letters, 3, known, &mut room.by_letters);
    for (group, votes) in profile.groups.iter().zip(&mut room.groups) {
        if let Some(token) = group {
            cast_group(lexicon.groups.rows(*token), known, votes);
        }
    }
    for (at, (space, vector)) in known.spaces.iter().zip(&profile.vectors).enumerate() {
        if let (Some(space), Some(vector)) = (space, vector) {
            let nearest = space.nearest(vector, SPACE_NEIGHBOURS, known.without);
            cast_all(&nearest, 3, known, &mut room.spaces[at]);
        }
    }
    let direction = lexicon.direction(&profile.tokens);
    lexicon.centroids.add_up(&direction, common, &mut room.centroids);
    let logits = known.predictor.logits(&profile.traits);
    let sums = Sums::new(&logits);
    let mentions = mentions(profile, known, room);
    let by_code = best_codes(&sums, known, BY_CODE);
    let candidates = candidates(profile, known, room, &by_code, &mentions);
    let search = Search {
        profile,
        known,
        room,
        neighbours: &neighbours,
        by_letters: &by_letters,
        mentions: &mentions,
        sums: &sums,
        best_score: by_code.first().map_or(0.0, |&(_, score)| score),
    };
    let rows = search.rows(&candidates);
    let by_vote = room.neighbours.direct.best(10);
    let most = lexicon.own_score(&profile.tokens, common);
    Evidence { candidates, rows, neighbours, most, by_vote }
}

fn letter_direction(letters: &[u64], index: &Postings) -> Vec<(u64, f32)> {
    let share = 1.0 / (letters.len().max(1) as f32).sqrt();
    letters.iter().filter(|&&of| index.number(of).is_some()).map(|&of| (of, share)).collect()
}

/// The concepts with children whose codes are likeliest.
fn best_codes(sums: &Sums, known: &Known<'_>, count: usize) -> Vec<(Id, f32)> {
    let mut best: Vec<(Id, f32)> = Vec::with_capacity(count + 1);
    let mut least = f32::NEG_INFINITY;
    for &concept in &known.lexicon.inner {
        let score = sums.of(known.codes.row(concept));
        if score > least || best.len() < count {
            let at = best.partition_point(|&(_, other)| other >= score);
            best.insert(at, (concept, score));
            best.truncate(count);
            least = best.last().map_or(least, |&(_, score)| score);
        }
    }
    best
}

/// The names in the definition and the ends of the name, and where they are: the first place wins.
fn mentions(profile: &Profile, known: &Known<'_>, room: &mut Room) -> HashMap<Id, Mention> {
    let senses = &known.lexicon.senses;
    let mut found = HashMap::new();
    let mut names = senses.mentioned(&profile.definition);
    names.truncate(MENTIONS);
    let heads: Vec<_> = names
        .iter()
        .filter(|(range, _)| range.len() > 1)
        .map(|(range, _)| {
            (range.end - 1..range.end, key(&profile.definition[range.end - 1..range.end]))
        })
        .collect();
    let long = |word: &Word| word.text.len() > 3;
    let told: Vec<_> = names
        .iter()
        .filter(|(range, _)| profile.definition[range.clone()].iter().any(long))
        .collect();
    let is_there = |concept: &Id| known.without.binary_search(concept).is_err();
    for (_, key) in &told {
        if let Some(&(_, first)) = senses.of(key).first().filter(|(_, first)| is_there(first)) {
            room.mentioned.cast(first, 1.0 / told.len() as f32, known);
        }
    }
    for (range, key) in names.iter().chain(&heads) {
        let all = senses.of(key);
        for (rank, &(_, concept)) in all.iter().enumerate() {
            found.entry(concept).or_insert(Mention {
                at: range.start as f32,
                rank: rank as f32,
                words: range.len() as f32,
                senses: all.len() as f32,
            });
        }
    }
    found
}

fn candidates(
    profile: &Profile,
    known: &Known<'_>,
    room: &Room,
    by_code: &[(Id, f32)],
    mentions: &HashMap<Id, Mention>,
) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    found.extend(room.neighbours.direct.touched());
    found.extend(room.by_letters.direct.touched());
    for votes in &room.spaces {
        found.extend(votes.direct.touched());
    }
    found.extend(room.centroids.best(BY_CENTROID).iter().map(|&(concept, _)| concept));
    found.extend(by_code.iter().map(|&(concept, _)| concept));
    for votes in &room.groups {
        found.extend(votes.direct.best(BY_GROUP).iter().map(|&(concept, _)| concept));
    }
    let mentioned = mentions.iter().filter(|(_, mention)| mention.rank < SENSES as f32);
    found.extend(mentioned.map(|(&concept, _)| concept));
    let genera = [&profile.genus, &profile.second_genus].into_iter().flatten();
    for (_, key) in genera {
        let senses = known.lexicon.senses.of(key);
        found.extend(senses.iter().take(GENUS_SENSES).map(|&(_, concept)| concept));
    }
    for (_, _, key) in endings(profile, known) {
        let senses = known.lexicon.senses.of(&key);
        found.extend(senses.iter().take(SENSES).map(|&(_, concept)| concept));
    }
    found.extend(room.mentioned.above.best(8).iter().map(|&(concept, _)| concept));
    found.retain(|concept| known.without.binary_search(concept).is_err());
    found.sort_unstable();
    found.dedup();
    found
}

/// The known names that a longer name ends with: (words, whole name?, key).
pub(super) fn endings(profile: &Profile, known: &Known<'_>) -> Vec<(usize, bool, String)> {
    let name = &profile.name;
    (0..name.len())
        .map(|start| (name.len() - start, start == 0, key(&name[start..])))
        .filter(|(_, whole, key)| !whole && !known.lexicon.senses.of(key).is_empty())
        .collect()
}
