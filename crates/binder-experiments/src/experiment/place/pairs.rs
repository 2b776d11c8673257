//! The pairs of the mixed-hop task of He et al. 2024 ("Language Models as Hierarchy Encoders").
//!
//! 90 % of the direct pairs are known. Of the other direct pairs and of a tenth of the indirect
//! ones, half are for validation and half for the test. Each of these positives has ten negatives
//! with the same child: concepts that are not above it, drawn evenly (random), or its siblings and,
//! where they do not suffice, others drawn evenly (hard).

use std::collections::HashSet;

use binder::split::Pair;
use binder::{Hierarchy, Id};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::classes::Classes;

/// Negatives for each positive.
const NEGATIVES: usize = 10;

/// One direct pair in so many is hidden, and one indirect pair in so many is asked for.
const HELD_OUT: usize = 10;

/// What is known, and what is asked.
pub(super) struct MixedHop {
    /// The direct pairs that are known.
    pub(super) known: Vec<Pair>,
    pub(super) valid: Asked,
    pub(super) test: Asked,
}

/// Pairs to be judged.
pub(super) struct Asked {
    pub(super) positives: Vec<Pair>,
    pub(super) random: Vec<Pair>,
    pub(super) hard: Vec<Pair>,
}

impl MixedHop {
    pub(super) fn draw(classes: &Classes, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut direct, mut indirect) = (classes.direct.clone(), classes.indirect.clone());
        direct.shuffle(&mut rng);
        indirect.shuffle(&mut rng);
        let mut hidden = direct.split_off(direct.len() - direct.len() / HELD_OUT);
        indirect.truncate(indirect.len() / HELD_OUT);
        let tested = |pairs: &mut Vec<Pair>| pairs.split_off(pairs.len() / 2);
        let test: Vec<Pair> = [tested(&mut hidden), tested(&mut indirect)].concat();
        let valid: Vec<Pair> = [hidden, indirect].concat();
        let mut asked = |positives| Asked::new(positives, &classes.hierarchy, &mut rng);
        Self { known: direct, valid: asked(valid), test: asked(test) }
    }
}

impl Asked {
    fn new(positives: Vec<Pair>, hierarchy: &Hierarchy, rng: &mut ChaCha8Rng) -> Self {
        let (mut random, mut hard) = (Vec::new(), Vec::new());
        for &(child, _) in &positives {
            let mut above: HashSet<Id> = hierarchy.ancestors(child).into_iter().collect();
            above.insert(child);
            let mut drawn: Vec<Id> = Vec::with_capacity(NEGATIVES);
            while drawn.len() < NEGATIVES {
                let other = rng.random_range(hierarchy.ids());
                if !above.contains(&other) && !drawn.contains(&other) {
                    drawn.push(other);
                }
            }
            let parents = hierarchy.parents(child).iter();
            let siblings: HashSet<Id> =
                parents.flat_map(|&parent| hierarchy.children(parent)).copied().collect();
            let mut siblings: Vec<Id> = siblings.difference(&above).copied().collect();
            siblings.sort_unstable();
            siblings.shuffle(rng);
            let hardest = siblings.iter().chain(&drawn).take(NEGATIVES);
            hard.extend(hardest.map(|&other| (child, other)));
            random.extend(drawn.iter().map(|&other| (child, other)));
        }
        Self { positives, random, hard }
    }
}
