use rayon::prelude::*;

use super::Index;
use crate::bits::{Id, IdSet};
use crate::graph::Rows;

/// The tops of a smaller set are found faster one by one than by the nearest hypernyms of
/// everybody, if those are not known yet.
const FEW: usize = 4096;

impl Index {
    /// A set's concepts, the most general first: by fewest bits, then by id. What is above
    /// something always comes before it.
    pub fn by_generality(&self, set: &IdSet) -> Vec<Id> {
        // Sizes are few and the set's concepts come by id: counted, each goes straight to its
        // place.
        let mut places = vec![0; self.codes().bits() + 2];
        set.iter().for_each(|concept| places[usize::from(self.sizes[concept as usize]) + 1] += 1);
        (1..places.len()).for_each(|size| places[size] += places[size - 1]);
        let mut concepts = vec![0; places[places.len() - 1]];
        for concept in set {
            let place = &mut places[usize::from(self.sizes[concept as usize])];
            concepts[*place] = concept;
            *place += 1;
        }
        concepts
    }

    /// The most general of a set that has, with every concept, everything below it: what is below a
    /// code, or has a bit.
    ///
    /// Of such a set it is enough to look at the nearest hypernyms: if anything above a concept is
    /// in it, then so is one of those.
    pub fn tops(&self, closed: &IdSet) -> Vec<Id> {
        if self.nearest_above.get().is_none() && closed.len() <= FEW {
            return self.most_general(closed);
        }
        let mut tops = closed.clone();
        let covered = |concept: Id| {
            self.nearest_above().row(concept).iter().any(|&above| closed.contains(above))
        };
        closed.iter().filter(|&concept| covered(concept)).for_each(|concept| tops.remove(concept));
        self.by_generality(&tops)
    }

    /// The nearest of the strict hypernyms of every concept. Found once, then kept.
    fn nearest_above(&self) -> &Rows {
        self.nearest_above.get_or_init(|| {
            let strict = |concept: Id| {
                let mut above = self.above(concept);
                self.twins.get(&concept).into_iter().flatten().for_each(|&twin| above.remove(twin));
                self.most_specific(&above)
            };
            let lists: Vec<Vec<Id>> = self.hierarchy().ids().into_par_iter().map(strict).collect();
            let mut rows = Rows::with_capacity(lists.len(), lists.iter().map(Vec::len).sum());
            lists.into_iter().for_each(|list| rows.push(list));
            rows
        })
    }

    /// The concepts of a set that are strictly below no other of it.
    ///
    /// Whoever has fewest bits is one of them; all below it are not, and are struck out by one scan
    /// of the columns. So the work grows with the answer, not with the square of the set.
    pub fn most_general(&self, set: &IdSet) -> Vec<Id> {
        let order = self.by_generality(set);
        self.outermost(set, order, |code| self.columns.supersets(code))
    }

    /// The concepts of a set that are strictly above no other of it, the most specific first.
    pub fn most_specific(&self, set: &IdSet) -> Vec<Id> {
        let mut order = self.by_generality(set);
        order.reverse();
        self.outermost(set, order, |code| self.columns.subsets(code))
    }

    /// Those of a set that no earlier one of `order` reaches by `beyond`; of equal codes all or
    /// none.
    fn outermost(&self, set: &IdSet, order: Vec<Id>, beyond: impl Fn(&[u64]) -> IdSet) -> Vec<Id> {
        let mut left = set.clone();
        let mut found: Vec<Id> = Vec::new();
        for concept in order {
            if !left.contains(concept) {
                continue;
            }
            found.push(concept);
            left -= &beyond(self.codes().row(concept));
            if let Some(twins) = self.twins.get(&concept) {
                twins
                    .iter()
                    .filter(|&&twin| set.contains(twin))
                    .for_each(|&twin| left.insert(twin));
            }
            if left.is_empty() {
                break;
            }
        }
        found
    }
}
