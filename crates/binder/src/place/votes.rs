//! Votes of known concepts for places: of neighbours, of groups, of names in a definition.

use super::evidence::Known;
use super::postings::Tally;
use super::profile::GROUPS;
use super::space::SPACES;
use crate::bits::Id;

/// Of a larger group, so many concepts are looked at, evenly spread.
const MOST_OF_GROUP: usize = 250;

/// Room for sums, used again from query to query.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) words: Tally,
    pub(super) letters: Tally,
    pub(super) centroids: Tally,
    pub(super) neighbours: Votes,
    pub(super) sharp: Votes,
    pub(super) by_letters: Votes,
    pub(super) groups: [Votes; GROUPS],
    pub(super) mentioned: Votes,
    /// Of the nearest concepts in each space.
    pub(super) spaces: [Votes; SPACES],
}

/// Votes for parents, and for everything above what votes.
#[derive(Debug)]
pub(super) struct Votes {
    pub(super) direct: Tally,
    pub(super) above: Tally,
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
    pub(super) fn cast(&mut self, concept: Id, weight: f32, known: &Known<'_>) {
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
            spaces: std::array::from_fn(|_| votes()),
        }
    }

    pub(super) fn clear(&mut self) {
        for tally in [&mut self.words, &mut self.letters, &mut self.centroids] {
            tally.clear();
        }
        let named =
            [&mut self.neighbours, &mut self.sharp, &mut self.by_letters, &mut self.mentioned];
        named.into_iter().chain(&mut self.groups).chain(&mut self.spaces).for_each(Votes::clear);
    }
}

/// Every neighbour votes with its likeness, relative to the best, to a power; 1 in all.
pub(super) fn cast_all(neighbours: &[(Id, f32)], power: i32, known: &Known<'_>, votes: &mut Votes) {
    let best = neighbours.first().map_or(1.0, |&(_, score)| score);
    let weigh = |score: f32| (1..power).fold(score / best, |product, _| product * score / best);
    let all: f32 = neighbours.iter().map(|&(_, score)| weigh(score)).sum();
    for &(concept, score) in neighbours {
        votes.cast(concept, weigh(score) / all, known);
    }
}

pub(super) fn cast_group(rows: &[Id], known: &Known<'_>, votes: &mut Votes) {
    let others: Vec<Id>;
    let rows = match known.without {
        [] => rows,
        without => {
            let is_other = |row: &Id| without.binary_search(row).is_err();
            others = rows.iter().copied().filter(is_other).collect();
            &others
        }
    };
    let step = rows.len().div_ceil(MOST_OF_GROUP).max(1);
    let share = 1.0 / rows.len().div_ceil(step).max(1) as f32;
    for &concept in rows.iter().step_by(step) {
        votes.cast(concept, share, known);
    }
}
