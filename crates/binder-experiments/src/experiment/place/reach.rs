//! How likely one concept is above another, when some direct pairs are not known.
//!
//! ```text
//!      animal         known: the pairs with a line. dog has no parent: it is an orphan.
//!     /              a placer says: dog is below animal 0.9, below cat 0.1
//!   cat     dog      P(dog, animal) = 0.9 + 0.1 · P(cat, animal) = 1.0
//!            |       P(puppy, animal) = P(dog, animal), because puppy is below dog for sure
//!          puppy
//! ```
//!
//! An orphan's parents may be below other orphans, so that chances are found in rounds, each with
//! those of the round before.

use binder::graph::Rows;
use binder::{Hierarchy, Id};
use rayon::prelude::*;

/// Chances go through at most so many orphans.
const ROUNDS: usize = 6;

/// A lower chance is none.
const LEAST: f32 = 0.002;

/// Orphans and the places that they may have.
pub(super) struct Orphan {
    pub(super) concept: Id,
    pub(super) places: Vec<(Id, f32)>,
}

/// Chances of all pairs.
pub(super) struct Reach {
    /// What is known to be above each concept.
    ancestors: Rows,
    /// By concept: the orphans that it is or is below, by their number.
    orphans_of: Vec<Vec<u32>>,
    /// By orphan: what may be above it, ascending, with chances.
    chances: Vec<Vec<(Id, f32)>>,
}

impl Reach {
    pub(super) fn new(known: &Hierarchy, orphans: &[Orphan]) -> Self {
        let ancestors = known.closure();
        let mut numbers = vec![u32::MAX; known.len()];
        for (number, orphan) in (0..).zip(orphans) {
            numbers[orphan.concept as usize] = number;
        }
        let orphans_of = |concept: Id| {
            let above = ancestors.row(concept).iter().chain([&concept]);
            above.map(|&above| numbers[above as usize]).filter(|&n| n != u32::MAX).collect()
        };
        let orphans_of = known.ids().map(orphans_of).collect();
        let mut reach = Self { ancestors, orphans_of, chances: vec![Vec::new(); orphans.len()] };
        for _ in 0..ROUNDS {
            let next = orphans
                .par_iter()
                .map_init(|| vec![0.0f32; known.len()], |sums, orphan| reach.above(orphan, sums));
            reach.chances = next.collect();
        }
        reach
    }

    /// What may be above an orphan, by the chances so far.
    fn above(&self, orphan: &Orphan, sums: &mut [f32]) -> Vec<(Id, f32)> {
        let mut touched = Vec::new();
        let mut add = |concept: Id, chance: f32| {
            if sums[concept as usize] == 0.0 {
                touched.push(concept);
            }
            sums[concept as usize] += chance;
        };
        for &(place, p) in &orphan.places {
            add(place, p);
            self.ancestors.row(place).iter().for_each(|&above| add(above, p));
            for &further in &self.orphans_of[place as usize] {
                for &(above, chance) in &self.chances[further as usize] {
                    if self.ancestors.row(place).binary_search(&above).is_err() {
                        add(above, p * chance);
                    }
                }
            }
        }
        touched.sort_unstable();
        let chances = touched
            .into_iter()
            .map(|concept| (concept, std::mem::take(&mut sums[concept as usize]).min(1.0)));
        chances.filter(|&(_, chance)| chance >= LEAST).collect()
    }

    /// The chance that `parent` is above `child`.
    pub(super) fn chance(&self, child: Id, parent: Id) -> f32 {
        if self.is_known(child, parent) {
            return 1.0;
        }
        let of_orphan = |&orphan: &u32| {
            let chances = &self.chances[orphan as usize];
            let at = chances.binary_search_by_key(&parent, |&(concept, _)| concept);
            at.map_or(0.0, |at| chances[at].1)
        };
        let not = self.orphans_of[child as usize].iter().map(|orphan| 1.0 - of_orphan(orphan));
        1.0 - not.product::<f32>()
    }

    pub(super) fn is_known(&self, child: Id, parent: Id) -> bool {
        self.ancestors.row(child).binary_search(&parent).is_ok()
    }
}
