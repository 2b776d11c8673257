//! Everything that is counted in the texts of a hierarchy, made ready to be asked.

use rayon::prelude::*;

use super::postings::Postings;
use super::profile::{Profile, kind};
use super::senses::{Senses, names};
use super::subtrees::Subtrees;
use super::words::{hash, without_examples, words};
use crate::bits::{Id, id};
use crate::graph::Rows;
use crate::hierarchy::Hierarchy;
use crate::progress::{Cancelled, Progress};

/// How fast a word that is repeated stops to count, k₁ of BM25.
const SATURATION: f32 = 1.2;

/// How much a long text counts less, b of BM25.
const LENGTH: f32 = 0.6;

/// Counts and indexes of the texts of a hierarchy.
#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) senses: Senses,
    /// Tokens → concepts, with BM25's weights.
    pub(super) concepts: Postings,
    /// Groups → concepts.
    pub(super) groups: Postings,
    /// Letters of names → concepts, with weights such that a sum is a cosine.
    pub(super) letters: Postings,
    /// Tokens → parents, with the weights of the children's centroid, such that a sum is a cosine.
    pub(super) centroids: Postings,
    pub(super) subtrees: Subtrees,
    /// All ancestors of each concept, ascending.
    pub(super) ancestors: Rows,
    /// The concepts that have children.
    pub(super) inner: Vec<Id>,
    /// By concept.
    pub(super) facts: Vec<Facts>,
    /// The profiles' traits, by concept, for the code predictor.
    pub(super) traits: Vec<Vec<u64>>,
    /// The number of concepts.
    count: usize,
}

/// What is known of a concept as a parent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facts {
    pub(super) depth: f32,
    /// Logarithms of the number of descendants and children, plus one.
    pub(super) below: f32,
    pub(super) children: f32,
    /// The share of the children that have no child.
    pub(super) leaves: f32,
    /// The share of the children whose name begins with a capital letter.
    pub(super) proper: f32,
    /// The children's mean likeness to their centroid.
    pub(super) unity: f32,
}

/// The weight of a token that so many of all concepts have.
fn rarity(having: usize, of: usize) -> f32 {
    let (having, of) = (having as f32, of as f32);
    libm::logf(1.0 + (of - having + 0.5) / (having + 0.5))
}

impl Lexicon {
    /// Counts everything in a hierarchy's texts. `ancestors` are those of each concept.
    pub(super) fn new(
        hierarchy: &Hierarchy,
        ancestors: Rows,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        progress.start("reading texts", None);
        let senses = Senses::new(hierarchy);
        progress.go_on()?;
        let profiles: Vec<Profile> = hierarchy
            .ids()
            .into_par_iter()
            .map(|concept| {
                let called = names(hierarchy, concept);
                let called: Vec<&str> = called.iter().map(|(name, _)| *name).collect();
                let definition = hierarchy.definition(concept).unwrap_or("");
                Profile::new(&called, words(without_examples(definition)), &senses)
            })
            .collect();
        progress.go_on()?;
        progress.start("indexing", None);
        let concepts = bm25(&profiles);
        let letters = letters(&profiles);
        let entries = (0..).zip(&profiles).flat_map(|(concept, profile)| {
            profile.groups.iter().flatten().map(move |&token| (token, concept, 1.0))
        });
        let groups = Postings::new(distinct(entries.collect()));
        progress.go_on()?;
        let (centroids, unity) = centroids(hierarchy, &profiles, &concepts);
        progress.go_on()?;
        let subtrees = Subtrees::new(&profiles, &concepts, &ancestors);
        let facts = facts(hierarchy, &profiles, &unity);
        let traits = profiles.into_iter().map(|profile| profile.traits).collect();
        let count = hierarchy.len();
        let inner = hierarchy.ids().filter(|&id| !hierarchy.children(id).is_empty()).collect();
        Ok(Self {
            senses,
            concepts,
            groups,
            letters,
            centroids,
            subtrees,
            ancestors,
            inner,
            facts,
            traits,
            count,
        })
    }

    /// The number of concepts.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// How rare a word is.
    pub(super) fn rarity(&self, word: &str) -> f32 {
        rarity(self.concepts.rows(hash(kind::WORD, word)).len(), self.count)
    }

    /// The tokens with the weight that rarity gives them, scaled to length 1: what centroids are
    /// compared with.
    pub(super) fn direction(&self, tokens: &[(u64, f32)]) -> Vec<(u64, f32)> {
        direction(tokens, &self.concepts, self.count)
    }

    /// How much of what these tokens say a concept says too, from 0 to 1.
    pub(super) fn overlap(&self, concept: Id, tokens: &[(u64, f32)]) -> f32 {
        let own = self.own_score(tokens, self.count).max(1e-6);
        let shared = tokens.iter().map(|&(token, _)| self.concepts.weight(token, concept));
        (shared.sum::<f32>() / own).min(1.0)
    }

    /// What a concept would score that has exactly these tokens, at a usual length. Tokens that
    /// nobody has count too: they are what tells the concept from others.
    pub(super) fn own_score(&self, tokens: &[(u64, f32)], common: usize) -> f32 {
        let counted =
            tokens.iter().filter(|&&(token, _)| self.concepts.rows(token).len() <= common);
        let score = |&(token, weight): &(u64, f32)| {
            let rarity = rarity(self.concepts.rows(token).len(), self.count);
            weight * rarity * weight * (SATURATION + 1.0) / (weight + SATURATION)
        };
        counted.map(score).sum()
    }
}

fn distinct(mut entries: Vec<(u64, Id, f32)>) -> Vec<(u64, Id, f32)> {
    entries.par_sort_unstable_by_key(|&(token, row, _)| (token, row));
    entries.dedup_by_key(|&mut (token, row, _)| (token, row));
    entries
}

fn bm25(profiles: &[Profile]) -> Postings {
    let entries: Vec<(u64, Id, f32)> = (0..)
        .zip(profiles)
        .flat_map(|(row, profile)| {
            profile.tokens.iter().map(move |&(token, weight)| (token, row, weight))
        })
        .collect();
    let length = |profile: &Profile| profile.tokens.iter().map(|(_, weight)| weight).sum::<f32>();
    let lengths: Vec<f32> = profiles.iter().map(length).collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
    let mut index = Postings::new(entries);
    for number in 0..id(index.tokens()) {
        let (rows, weights) = index.weights_of_mut(number);
        let rarity = rarity(rows.len(), profiles.len());
        for (row, weight) in rows.iter().zip(weights) {
            let relative = lengths[*row as usize] / mean.max(1e-6);
            let damping = SATURATION * (1.0 - LENGTH + LENGTH * relative);
            *weight = rarity * *weight * (SATURATION + 1.0) / (*weight + damping);
        }
    }
    index
}

fn letters(profiles: &[Profile]) -> Postings {
    let entries = (0..)
        .zip(profiles)
        .flat_map(|(row, profile)| profile.letters.iter().map(move |&token| (token, row, 1.0)));
    let mut index = Postings::new(entries.collect());
    let mut lengths = vec![0.0; profiles.len()];
    for number in 0..id(index.tokens()) {
        let (rows, weights) = index.weights_of_mut(number);
        let rarity = rarity(rows.len(), profiles.len());
        for (row, weight) in rows.iter().zip(weights) {
            *weight = rarity;
            lengths[*row as usize] += rarity * rarity;
        }
    }
    for number in 0..id(index.tokens()) {
        let (rows, weights) = index.weights_of_mut(number);
        rows.iter().zip(weights).for_each(|(row, weight)| {
            *weight /= lengths[*row as usize].sqrt();
        });
    }
    index
}

fn direction(tokens: &[(u64, f32)], index: &Postings, count: usize) -> Vec<(u64, f32)> {
    let weigh = |&(token, weight): &(u64, f32)| {
        (token, weight.sqrt() * rarity(index.rows(token).len(), count))
    };
    let mut vector: Vec<(u64, f32)> = tokens.iter().map(weigh).collect();
    let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|(_, weight)| *weight /= length.max(1e-6));
    vector
}

/// The centroids of children, and how alike the children of each concept are: the length of the
/// mean of their directions.
fn centroids(
    hierarchy: &Hierarchy,
    profiles: &[Profile],
    index: &Postings,
) -> (Postings, Vec<f32>) {
    let directions: Vec<Vec<(u64, f32)>> = profiles
        .par_iter()
        .map(|profile| direction(&profile.tokens, index, profiles.len()))
        .collect();
    let centroid = |parent: Id| {
        let children = hierarchy.children(parent);
        let mut sum: Vec<(u64, f32)> =
            children.iter().flat_map(|&child| directions[child as usize].iter().copied()).collect();
        sum.sort_by_key(|&(token, _)| token);
        sum.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        let length = sum.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        let unity = length / children.len().max(1) as f32;
        let entries: Vec<(u64, Id, f32)> = sum
            .into_iter()
            .map(|(token, weight)| (token, parent, weight / length.max(1e-6)))
            .filter(|(.., weight)| *weight > 0.01)
            .collect();
        (entries, unity)
    };
    let made: Vec<_> = hierarchy.ids().into_par_iter().map(centroid).collect();
    let unity = made.iter().map(|(_, unity)| *unity).collect();
    (Postings::new(made.into_iter().flat_map(|(entries, _)| entries).collect()), unity)
}

fn facts(hierarchy: &Hierarchy, profiles: &[Profile], unity: &[f32]) -> Vec<Facts> {
    let below = hierarchy.descendant_counts();
    let facts = |concept: Id| {
        let children = hierarchy.children(concept);
        let share = |is: &dyn Fn(Id) -> bool| {
            let count = children.iter().filter(|&&child| is(child)).count();
            count as f32 / children.len().max(1) as f32
        };
        Facts {
            depth: hierarchy.depth_of(concept) as f32,
            below: libm::logf(1.0 + below[concept as usize] as f32),
            children: libm::logf(1.0 + children.len() as f32),
            leaves: share(&|child| hierarchy.children(child).is_empty()),
            proper: share(&|child| profiles[child as usize].proper),
            unity: unity[concept as usize],
        }
    };
    hierarchy.ids().into_par_iter().map(facts).collect()
}
