//! What speaks for which parent: the candidates of a query, and a row of features for each.
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

use super::lexicon::Lexicon;
use super::postings::{Postings, Tally};
use super::predictor::{Predictor, Sums};
use super::profile::{GROUPS, Profile};
use super::senses::first_name;
use super::subtrees::SMOOTHING;
use super::words::{Word, key, without_examples, words};
use crate::bits::Id;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;

/// Neighbours by words, and by letters.
const NEIGHBOURS: usize = 60;
const LETTER_NEIGHBOURS: usize = 20;

/// Candidates by their children's centroid, by their code, and by each group.
const BY_CENTROID: usize = 40;
const BY_CODE: usize = 20;
const BY_GROUP: usize = 12;

/// Senses of a mentioned name and of the genus that become candidates.
const SENSES: usize = 3;
const GENUS_SENSES: usize = 8;

/// Of a larger group, so many concepts are looked at, evenly spread.
const MOST_OF_GROUP: usize = 250;

/// Tokens and letters that more than one part in so many concepts have are not searched for.
const TOO_COMMON: usize = 20;
const LETTERS_TOO_COMMON: usize = 80;

/// Nobody mentions more names than this.
const MENTIONS: usize = 24;

/// The features of a candidate, before those that compare it with the others.
const OWN: usize = 59;

/// Features whose distance to the best candidate's is a feature too.
const COMPARED: [usize; 12] = [0, 1, 2, 4, 6, 10, 12, 14, 48, 49, 51, 20];

/// The number of features.
pub(super) const FEATURES: usize = OWN + COMPARED.len();

/// Where a feature would be if there were such a thing.
const NONE: f32 = -1.0;

/// What a hierarchy says, with codes and their predictor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) codes: &'a Codes,
    pub(super) lexicon: &'a Lexicon,
    pub(super) predictor: &'a Predictor,
}

impl Known<'_> {
    /// The profile of a query.
    pub(super) fn profile(&self, name: &str, definition: &str) -> Profile {
        let senses = &self.lexicon.senses;
        let mut definition = words(without_examples(definition));
        let said = sentence_start(&definition, &words(name));
        definition.drain(..said);
        let definition = match crossed(&definition, self) {
            Some(ancestor) => {
                // Said plainly: a dog, Labrador and poodle.
                let mut plain = words(first_name(self.hierarchy, ancestor));
                let first = plain.len();
                plain.extend(definition);
                plain.get_mut(first).into_iter().for_each(|word| word.after_break = true);
                plain
            }
            None => definition,
        };
        Profile::new(&[name], definition, senses)
    }
}

/// How many words a definition takes to say the name again: four in `A guide dog is a dog …`. 0 if
/// it does not.
fn sentence_start(definition: &[Word], name: &[Word]) -> usize {
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    const VERBS: [&str; 7] = ["is", "are", "wa", "were", "mean", "refer", "be"];
    let starts =
        |at: usize, word: &Word| definition.get(at).is_some_and(|other| other.text == word.text);
    let first = definition.first().is_some_and(|word| ARTICLES.contains(&word.text.as_str()));
    let start = usize::from(first);
    let named = !name.is_empty() && name.iter().zip(start..).all(|(word, at)| starts(at, word));
    let mut end = start + name.len();
    let says =
        |end: usize| definition.get(end).is_some_and(|word| VERBS.contains(&word.text.as_str()));
    if !named || !says(end) {
        return 0;
    }
    end += 1;
    end + usize::from(definition.get(end).is_some_and(|word| word.text == "to"))
}

/// Words for what has parents of two kinds, if one of [`BETWEEN`] follows.
const CROSSES: [&str; 5] = ["cross", "hybrid", "crossbreed", "crossing", "offspring"];
const BETWEEN: [&str; 3] = ["between", "of", "from"];

/// A cross is looked for among so many words.
const CROSS_WITHIN: usize = 5;

/// What a cross between two concepts is: the deepest concept above a sense of each of the first
/// names that follow.
fn crossed(definition: &[Word], known: &Known<'_>) -> Option<Id> {
    let is = |list: &[&str], at: usize| {
        definition.get(at).is_some_and(|word| list.contains(&word.text.as_str()))
    };
    let at = (0..CROSS_WITHIN).find(|&at| is(&CROSSES, at) && is(&BETWEEN, at + 1))?;
    let names = known.lexicon.senses.mentioned(&definition[at + 2..]);
    let senses: Vec<&[(u32, Id)]> = names
        .iter()
        .take(CROSS_WITHIN)
        .map(|(_, key)| known.lexicon.senses.of(key))
        .map(|senses| &senses[..senses.len().min(CROSS_WITHIN)])
        .collect();
    let ancestors = &known.lexicon.ancestors;
    let mut best: Option<(u32, Id)> = None;
    for (at, first) in senses.iter().enumerate() {
        let others = senses[at + 1..].iter().copied().flatten();
        for (&(_, a), &(_, b)) in others.flat_map(|b| first.iter().map(move |a| (a, b))) {
            let common = ancestors.row(a).iter().filter(|id| ancestors.row(b).contains(id));
            for &above in common {
                let depth = known.hierarchy.depth_of(above);
                if best.is_none_or(|(most, _)| depth > most) {
                    best = Some((depth, above));
                }
            }
        }
    }
    best.map(|(_, above)| above)
}

/// Room for sums, used again from query to query.
#[derive(Debug)]
pub(super) struct Room {
    words: Tally,
    letters: Tally,
    centroids: Tally,
    neighbours: Votes,
    sharp: Votes,
    by_letters: Votes,
    groups: [Votes; GROUPS],
    mentioned: Votes,
}

/// Votes for parents, and for everything above what votes.
#[derive(Debug)]
struct Votes {
    direct: Tally,
    above: Tally,
}

impl Votes {
    fn new(concepts: usize) -> Self {
        Self { direct: Tally::new(concepts), above: Tally::new(concepts) }
    }

    fn clear(&mut self) {
        self.direct.clear();
        self.above.clear();
    }

    /// A concept votes for its parents and, less directly, for all its ancestors and itself.
    fn cast(&mut self, concept: Id, weight: f32, known: &Known<'_>) {
        if weight <= 0.0 {
            return;
        }
        for &parent in known.hierarchy.parents(concept) {
            self.direct.add(parent, weight);
        }
        self.above.add(concept, weight);
        for &above in known.lexicon.ancestors.row(concept) {
            self.above.add(above, weight);
        }
    }
}

impl Room {
    pub(super) fn new(concepts: usize) -> Self {
        let tally = || Tally::new(concepts);
        let votes = || Votes::new(concepts);
        Self {
            words: tally(),
            letters: tally(),
            centroids: tally(),
            neighbours: votes(),
            sharp: votes(),
            by_letters: votes(),
            groups: std::array::from_fn(|_| votes()),
            mentioned: votes(),
        }
    }

    fn clear(&mut self) {
        for tally in [&mut self.words, &mut self.letters, &mut self.centroids] {
            tally.clear();
        }
        let named =
            [&mut self.neighbours, &mut self.sharp, &mut self.by_letters, &mut self.mentioned];
        named.into_iter().chain(&mut self.groups).for_each(Votes::clear);
    }
}

/// Where a concept is mentioned, and as which sense of the name.
#[derive(Debug, Clone, Copy)]
struct Mention {
    at: f32,
    rank: f32,
    words: f32,
    senses: f32,
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

impl Evidence {
    /// How much speaks for a candidate at first sight: which rows are worth learning from.
    pub(super) fn at_first_sight(row: &[f32]) -> f32 {
        let first_sense = |rank: f32| if rank == 0.0 { 0.3 } else { 0.0 };
        row[0]
            + row[2]
            + row[10]
            + row[12]
            + row[14]
            + row[48]
            + first_sense(row[27])
            + first_sense(row[32])
            + 0.1 * (3.0 + row[51]).max(0.0)
    }
}

/// Looks for everything that speaks for a place of this profile.
pub(super) fn gather(profile: &Profile, known: &Known<'_>, room: &mut Room) -> Evidence {
    room.clear();
    let lexicon = known.lexicon;
    let common = (lexicon.len() / TOO_COMMON).max(50);
    lexicon.concepts.add_up(&profile.tokens, common, &mut room.words);
    let neighbours = room.words.best(NEIGHBOURS);
    cast_all(&neighbours, 2, known, &mut room.neighbours);
    cast_all(&neighbours, 6, known, &mut room.sharp);
    let letters: Vec<(u64, f32)> = letter_direction(&profile.letters, &lexicon.letters);
    let rare = (lexicon.len() / LETTERS_TOO_COMMON).max(50);
    lexicon.letters.add_up(&letters, rare, &mut room.letters);
    let by_letters = room.letters.best(LETTER_NEIGHBOURS);
    cast_all(&by_letters, 3, known, &mut room.by_letters);
    for (group, votes) in profile.groups.iter().zip(&mut room.groups) {
        if let Some(token) = group {
            cast_group(lexicon.groups.rows(*token), known, votes);
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

/// Every neighbour votes with its likeness, relative to the best, to a power; 1 in all.
fn cast_all(neighbours: &[(Id, f32)], power: i32, known: &Known<'_>, votes: &mut Votes) {
    let best = neighbours.first().map_or(1.0, |&(_, score)| score);
    let weigh = |score: f32| (1..power).fold(score / best, |product, _| product * score / best);
    let all: f32 = neighbours.iter().map(|&(_, score)| weigh(score)).sum();
    for &(concept, score) in neighbours {
        votes.cast(concept, weigh(score) / all, known);
    }
}

fn cast_group(rows: &[Id], known: &Known<'_>, votes: &mut Votes) {
    let step = rows.len().div_ceil(MOST_OF_GROUP).max(1);
    let share = 1.0 / rows.len().div_ceil(step).max(1) as f32;
    for &concept in rows.iter().step_by(step) {
        votes.cast(concept, share, known);
    }
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
    for (_, key) in &told {
        if let Some(&(_, first)) = senses.of(key).first() {
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
    found.sort_unstable();
    found.dedup();
    found
}

/// The known names that a longer name ends with: (words, whole name?, key).
fn endings(profile: &Profile, known: &Known<'_>) -> Vec<(usize, bool, String)> {
    let name = &profile.name;
    (0..name.len())
        .map(|start| (name.len() - start, start == 0, key(&name[start..])))
        .filter(|(_, whole, key)| !whole && !known.lexicon.senses.of(key).is_empty())
        .collect()
}

/// The language model of a subtree for the tokens of a query.
struct Model {
    /// The chance of each token.
    chances: Vec<f32>,
    /// The tokens that a concept of the subtree has, by their places in the query, ascending.
    present: Vec<u32>,
    score: f32,
}

/// Everything that is known when rows are made.
struct Search<'a> {
    profile: &'a Profile,
    known: &'a Known<'a>,
    room: &'a Room,
    neighbours: &'a [(Id, f32)],
    by_letters: &'a [(Id, f32)],
    mentions: &'a HashMap<Id, Mention>,
    sums: &'a Sums,
    best_score: f32,
}

impl Search<'_> {
    fn rows(&self, candidates: &[Id]) -> Vec<f32> {
        let first = self.best_places(self.neighbours);
        let first_by_letters = self.best_places(self.by_letters);
        let genus = self.genus_senses(&self.profile.genus);
        let second = self.genus_senses(&self.profile.second_genus);
        let endings = self.ending_senses();
        let likely = self.language_models(candidates);
        let of_query = self.query_features(candidates.len());
        let mut rows = Vec::with_capacity((candidates.len() + 1) * FEATURES);
        for (at, &concept) in candidates.iter().enumerate() {
            let own = self.own_features(
                concept,
                &first,
                &first_by_letters,
                &genus,
                &second,
                &endings,
                likely[at],
            );
            rows.extend_from_slice(&own[..QUERY]);
            rows.extend_from_slice(&of_query);
            rows.resize(rows.len() + COMPARED.len(), 0.0);
        }
        for (at, feature) in COMPARED.into_iter().enumerate() {
            let most = rows.chunks_exact(FEATURES).map(|row| row[feature]).fold(NONE, f32::max);
            for row in rows.chunks_exact_mut(FEATURES) {
                row[OWN + at] = row[feature] - most;
            }
        }
        // None of these: what is known of the query alone, and how good the best candidates are.
        let mut none = vec![-2.0; FEATURES];
        for (at, feature) in COMPARED.into_iter().enumerate() {
            none[OWN + at] =
                rows.chunks_exact(FEATURES).map(|row| row[feature]).fold(NONE, f32::max);
        }
        none[QUERY..OWN].copy_from_slice(&of_query);
        rows.extend_from_slice(&none);
        rows
    }

    /// For each parent, the first of the neighbours that it has: (place, likeness).
    fn best_places(&self, neighbours: &[(Id, f32)]) -> HashMap<Id, (f32, f32)> {
        let mut first = HashMap::new();
        let best = neighbours.first().map_or(1.0, |&(_, score)| score);
        for (place, &(concept, score)) in neighbours.iter().enumerate() {
            for &parent in self.known.hierarchy.parents(concept) {
                first.entry(parent).or_insert((place as f32, score / best));
            }
        }
        first
    }

    /// The senses of a genus, likeliest first.
    fn genus_senses(&self, genus: &Option<(std::ops::Range<usize>, String)>) -> Vec<Id> {
        let key = genus.as_ref().map_or("", |(_, key)| key);
        let senses = self.known.lexicon.senses.of(key);
        senses.iter().take(GENUS_SENSES).map(|&(_, concept)| concept).collect()
    }

    /// The senses of the ends of the name: how many words, and the place among the senses.
    fn ending_senses(&self) -> HashMap<Id, (f32, f32)> {
        let mut found = HashMap::new();
        for (words, _, key) in endings(self.profile, self.known) {
            let senses = self.known.lexicon.senses.of(&key);
            for (rank, &(_, concept)) in senses.iter().enumerate() {
                found.entry(concept).or_insert((words as f32, rank as f32));
            }
        }
        found
    }

    /// The score of each candidate's subtree as a language model, and its lead over its parent's.
    fn language_models(&self, candidates: &[Id]) -> Vec<[f32; 2]> {
        let lexicon = self.known.lexicon;
        let mut tokens: Vec<u32> = self
            .profile
            .tokens
            .iter()
            .filter_map(|&(token, _)| lexicon.concepts.number(token))
            .filter(|&number| lexicon.concepts.rows_of(number).len() > 1)
            .collect();
        tokens.sort_unstable();
        let all = lexicon.len() as f32;
        let ground: Vec<f32> = tokens
            .iter()
            .map(|&number| lexicon.concepts.rows_of(number).len() as f32 / all)
            .collect();
        let mut known: HashMap<Id, Model> = HashMap::new();
        candidates
            .iter()
            .map(|&candidate| {
                // The path up along first parents, to the first concept that is known.
                let mut path = vec![candidate];
                while let Some(&next) = path.last() {
                    if known.contains_key(&next) {
                        break;
                    }
                    let Some(&parent) = self.known.hierarchy.parents(next).first() else { break };
                    path.push(parent);
                }
                for &concept in path.iter().rev() {
                    if known.contains_key(&concept) {
                        continue;
                    }
                    let parent = self.known.hierarchy.parents(concept).first();
                    let prior = parent.and_then(|parent| known.get(parent));
                    let model = self.model(concept, &tokens, &ground, prior);
                    known.insert(concept, model);
                }
                let score = |concept: &Id| known.get(concept).map_or(0.0, |model| model.score);
                let parent = self.known.hierarchy.parents(candidate).first();
                let own = score(&candidate);
                [own, own - parent.map_or(0.0, score)]
            })
            .collect()
    }

    /// The language model of a subtree, from that of the subtree around it. A token that nobody has
    /// there has nobody here.
    fn model(&self, top: Id, tokens: &[u32], ground: &[f32], around: Option<&Model>) -> Model {
        let subtrees = &self.known.lexicon.subtrees;
        let size = subtrees.size(top) as f32;
        let all: Vec<u32>;
        let (prior, searched) = match around {
            Some(around) => (&around.chances[..], &around.present[..]),
            None => {
                all = (0..super::number(tokens.len())).collect();
                (ground, &all[..])
            }
        };
        let share = SMOOTHING / (size + SMOOTHING);
        let mut chances: Vec<f32> = prior.iter().map(|prior| prior * share).collect();
        let mut present = Vec::with_capacity(searched.len());
        subtrees.find(top, tokens, searched, |at, count| {
            chances[at as usize] += count / (size + SMOOTHING);
            present.push(at);
        });
        let gain = chances.iter().zip(ground).map(|(chance, ground)| chance / ground);
        let score = log_of_product(gain) / (tokens.len().max(1) as f32);
        Model { chances, present, score }
    }

    fn query_features(&self, candidates: usize) -> [f32; OWN - QUERY] {
        let profile = self.profile;
        let group = |at: usize| {
            let rows = profile.groups[at].map(|token| self.known.lexicon.groups.rows(token).len());
            rows.map_or(NONE, |rows| libm::logf(1.0 + rows as f32))
        };
        let best = self.neighbours.first().map_or(0.0, |&(_, score)| score);
        [
            profile.definition.len() as f32,
            profile.name.len() as f32,
            f32::from(u8::from(profile.proper)),
            group(0),
            group(3),
            best / (profile.tokens.len().max(1) as f32),
            candidates as f32,
        ]
    }

    #[expect(clippy::too_many_arguments, reason = "each is a list of its own")]
    fn own_features(
        &self,
        concept: Id,
        first: &HashMap<Id, (f32, f32)>,
        first_by_letters: &HashMap<Id, (f32, f32)>,
        genus: &[Id],
        second: &[Id],
        endings: &HashMap<Id, (f32, f32)>,
        likely: [f32; 2],
    ) -> [f32; OWN] {
        let room = self.room;
        let facts = &self.known.lexicon.facts[concept as usize];
        let best_word = self.neighbours.first().map_or(1.0, |&(_, score)| score);
        let (place, likeness) = first.get(&concept).copied().unwrap_or((99.0, NONE));
        let by_letters = first_by_letters.get(&concept).copied().unwrap_or((99.0, NONE));
        let mention = self.mentions.get(&concept);
        let mention = |part: fn(&Mention) -> f32| mention.map_or(NONE, part);
        let ending = endings.get(&concept).copied().unwrap_or((NONE, NONE));
        let relation = self.relation(concept, genus);
        let to_second = self.relation(concept, second);
        let mut out = [0.0; OWN];
        let features = [
            room.neighbours.direct.get(concept),
            room.neighbours.above.get(concept),
            room.sharp.direct.get(concept),
            room.sharp.above.get(concept),
            likeness,
            place,
            room.words.get(concept) / best_word,
            room.by_letters.direct.get(concept),
            room.by_letters.above.get(concept),
            by_letters.1,
        ];
        out[..10].copy_from_slice(&features);
        for (at, votes) in room.groups.iter().enumerate() {
            out[10 + 2 * at] = votes.direct.get(concept);
            out[11 + 2 * at] = votes.above.get(concept);
        }
        // 10 + 2 · GROUPS = 26
        let rest = [
            mention(|mention| mention.at),
            mention(|mention| mention.rank),
            mention(|mention| mention.words),
            mention(|mention| mention.senses),
            room.mentioned.above.get(concept),
            room.mentioned.direct.get(concept),
            relation[0],
            relation[1],
            relation[2],
            to_second[0],
            to_second[1],
            to_second[2],
            ending.0,
            ending.1,
            room.letters.get(concept),
            facts.depth,
            facts.below,
            facts.children,
            facts.leaves,
            facts.proper,
            facts.unity,
            f32::from(u8::from(self.profile.proper)) - facts.proper,
            room.centroids.get(concept),
            likely[0],
            likely[1],
            self.sums.of(self.known.codes.row(concept)) - self.best_score,
        ];
        out[26..26 + rest.len()].copy_from_slice(&rest);
        out
    }

    /// How a candidate is related to the senses of the genus: the first sense that it is, the first
    /// that it is below, and the first that it is above.
    fn relation(&self, concept: Id, senses: &[Id]) -> [f32; 3] {
        let above = self.known.lexicon.ancestors.row(concept);
        let first = |is: &dyn Fn(Id) -> bool| {
            senses.iter().position(|&sense| is(sense)).map_or(9.0, |at| at as f32)
        };
        [
            first(&|sense| sense == concept),
            first(&|sense| above.binary_search(&sense).is_ok()),
            first(&|sense| self.known.lexicon.ancestors.row(sense).binary_search(&concept).is_ok()),
        ]
    }
}

/// Where the features of the query begin among a candidate's own.
const QUERY: usize = OWN - 7;

/// The logarithm of a product, with one logarithm for many factors.
fn log_of_product(factors: impl Iterator<Item = f32>) -> f32 {
    let (mut sum, mut product) = (0.0f64, 1.0f64);
    for factor in factors {
        product *= f64::from(factor.max(1e-9));
        if !(1e-200..1e200).contains(&product) {
            sum += libm::log(product);
            product = 1.0;
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "a feature needs few digits")]
    let log = (sum + libm::log(product)) as f32;
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_may_say_the_name_again() {
        let start = |definition: &str, name: &str| sentence_start(&words(definition), &words(name));
        assert_eq!(start("A guide dog is a dog that guides", "guide dog"), 4);
        assert_eq!(start("Gneiss refers to a rock", "gneiss"), 3);
        assert_eq!(start("a dog that guides", "guide dog"), 0);
        assert_eq!(start("guide dog", "guide dog"), 0);
        assert_eq!(start("is a dog", ""), 0);
    }
}
