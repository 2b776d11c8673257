//! A row of features for each candidate, from which the trees judge it.

use hashbrown::HashMap;

use super::evidence::{GENUS_SENSES, Known, Mention, endings};
use super::predictor::Sums;
use super::profile::{GROUPS, Profile};
use super::space::SPACES;
use super::subtrees::SMOOTHING;
use super::votes::Room;
use crate::bits::Id;

/// The features of a candidate, before those that compare it with the others.
const OWN: usize = 59;

/// Where some of the features are: votes of neighbours for a candidate and for all below it, votes
/// of the nearest of them, how near the first of its children is, and how near itself.
const VOTES: usize = 0;
const VOTES_BELOW: usize = 1;
const SHARP_VOTES: usize = 2;
const LIKENESS: usize = 4;
const WORDS: usize = 6;

/// Two features of each group: its votes for a candidate and for all below it.
const FIRST_GROUP: usize = 10;
const fn group(at: usize) -> usize {
    FIRST_GROUP + 2 * at
}

/// What comes after the groups; then which sense it is of a name in the definition and of the
/// genus, its children's centroid, the language model of its subtree, and its code.
const AFTER_GROUPS: usize = group(GROUPS);
const MENTIONED_SENSE: usize = AFTER_GROUPS + 1;
const GENUS_SENSE: usize = AFTER_GROUPS + 6;
const CENTROID: usize = AFTER_GROUPS + 22;
const LANGUAGE: usize = AFTER_GROUPS + 23;
const CODE: usize = AFTER_GROUPS + 25;

/// Features whose distance to the best candidate's is a feature too.
const COMPARED: [usize; 12] = [
    VOTES,
    VOTES_BELOW,
    SHARP_VOTES,
    LIKENESS,
    WORDS,
    group(0),
    group(1),
    group(2),
    CENTROID,
    LANGUAGE,
    CODE,
    group(5),
];

/// Where the features of the query begin among a candidate's own.
const QUERY: usize = OWN - 7;

/// Where the features of the spaces begin: in each, how near a candidate lies itself and the middle
/// of its children, and the votes of the nearest.
const FIRST_SPACE: usize = OWN + COMPARED.len();
const OF_SPACE: usize = 3;

/// The number of features. New ones come last, so that older files keep their meaning.
pub(super) const FEATURES: usize = FIRST_SPACE + SPACES * OF_SPACE;

/// Where a feature would be if there were such a thing.
const NONE: f32 = -1.0;

/// The likeness of a candidate to a text that has no vector.
const NOWHERE: f32 = -2.0;

/// How much speaks for a candidate at first sight: which rows are worth learning from.
pub(super) fn at_first_sight(row: &[f32]) -> f32 {
    let first_sense = |rank: f32| if rank == 0.0 { 0.3 } else { 0.0 };
    row[VOTES]
        + row[SHARP_VOTES]
        + row[group(0)]
        + row[group(1)]
        + row[group(2)]
        + row[CENTROID]
        + first_sense(row[MENTIONED_SENSE])
        + first_sense(row[GENUS_SENSE])
        + 0.1 * (3.0 + row[CODE]).max(0.0)
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
pub(super) struct Search<'a> {
    pub(super) profile: &'a Profile,
    pub(super) known: &'a Known<'a>,
    pub(super) room: &'a Room,
    pub(super) neighbours: &'a [(Id, f32)],
    pub(super) by_letters: &'a [(Id, f32)],
    pub(super) mentions: &'a HashMap<Id, Mention>,
    pub(super) sums: &'a Sums,
    pub(super) best_score: f32,
}

impl Search<'_> {
    pub(super) fn rows(&self, candidates: &[Id]) -> Vec<f32> {
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
            rows.extend_from_slice(&self.space_features(concept).concat());
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

    fn space_features(&self, concept: Id) -> [[f32; OF_SPACE]; SPACES] {
        std::array::from_fn(|at| match (&self.known.spaces[at], &self.profile.vectors[at]) {
            (Some(space), Some(vector)) => {
                let [own, children] = space.likeness(concept, vector);
                [own, children, self.room.spaces[at].direct.get(concept)]
            }
            _ => [NOWHERE; OF_SPACE],
        })
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
        out[..FIRST_GROUP].copy_from_slice(&features);
        for (at, votes) in room.groups.iter().enumerate() {
            out[group(at)] = votes.direct.get(concept);
            out[group(at) + 1] = votes.above.get(concept);
        }
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
        out[AFTER_GROUPS..AFTER_GROUPS + rest.len()].copy_from_slice(&rest);
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
