//! How much memory a placer takes while it is fitted or opened, from the lengths of the texts.
//!
//! Nothing is made for it, so it can be asked before anything begins. The figures below are upper
//! bounds for English texts: for WordNet's nouns and verbs and for HPO, the estimate is 1.2 to 1.8
//! times what `time -v binder place fit` reports.

use super::PlaceParams;
use super::features::FEATURES;
use super::predictor::Predictor;
use super::senses::names;
use super::words::{MOST_WORDS, without_examples};
use crate::hierarchy::Hierarchy;

/// A word of a definition or name takes about so many bytes of text.
const WORD: usize = 6;

/// What a concept takes, whatever its texts: parts of profiles, indexes and facts.
const CONCEPT: u64 = 1000;

/// What a word takes in the profile of its concept, in the indexes and in the centroids.
const OF_WORD: u64 = 200;

/// What a letter of a name takes: three runs of letters begin with it.
const OF_LETTER: u64 = 3 * 48;

/// What a word takes in each subtree that its concept is in, while they are counted.
const IN_SUBTREE: u64 = 12;

/// Rows that trees learn from, for each hidden leaf; and bytes for each feature of a row.
const ROWS: u64 = 80;
const OF_FEATURE: u64 = 10;

/// Most bytes that fitting takes at a time.
pub(super) fn fitting(hierarchy: &Hierarchy, bits: usize, params: &PlaceParams) -> u64 {
    let rows = ROWS.saturating_mul(params.hidden.min(hierarchy.len()) as u64);
    let table = rows.saturating_mul(OF_FEATURE * FEATURES as u64);
    let learning = Predictor::bytes_while_learning(bits).max(table);
    counting(hierarchy).saturating_add(learning)
}

/// Most bytes that are taken while the texts of a hierarchy are counted.
pub(super) fn counting(hierarchy: &Hierarchy) -> u64 {
    let above = hierarchy.ancestor_counts();
    let of_concept = |concept: crate::bits::Id| {
        let named: usize = names(hierarchy, concept).iter().map(|(name, _)| name.len()).sum();
        let defined = hierarchy.definition(concept).map_or(0, |text| without_examples(text).len());
        let words = (defined.min(MOST_WORDS * WORD) + named) / WORD + 1;
        let (words, subtrees) = (words as u64, above[concept as usize] + 1);
        CONCEPT + words * OF_WORD + named as u64 * OF_LETTER + words * subtrees * IN_SUBTREE
    };
    // The ancestors of all concepts are kept too.
    hierarchy.ids().map(of_concept).sum::<u64>() + 4 * above.iter().sum::<u64>()
}
