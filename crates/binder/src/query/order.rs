use rayon::prelude::*;

use super::Index;
use crate::bits::{Id, IdSet};
use crate::graph::Rows;

/// The tops or bottoms of a smaller set are found faster one by one than from the nearest hypernyms
/// of all concepts, unless these are cached already.
const FEW: usize = 4096;

impl Index {
    /// The concepts of a set, the most general first: by the number of bits, then by id. A concept
    /// always comes after everything above it.
    pub fn by_generality(&self, set: &IdSet) -> Vec<Id> {
        // A counting sort: there are few sizes, and the concepts of the set come by id.
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

    /// The most general concepts of a downward-closed set: one that contains, with every concept,
    /// everything below it. Examples are everything below a code, and all concepts with a bit.
    ///
    /// For such a set, checking the nearest hypernyms is enough: if anything above a concept is in
    /// the set, so is one of its nearest hypernyms.
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

    /// The most specific concepts of an upward-closed set: one that contains, with every concept,
    /// everything above it. An example is everything above a code. The most specific comes first.
    ///
    /// For such a set, a concept with anything of the set strictly below it is a nearest hypernym
    /// of something in the set.
    pub fn bottoms(&self, closed: &IdSet) -> Vec<Id> {
        if self.nearest_above.get().is_none() && closed.len() <= FEW {
            return self.most_specific(closed);
        }
        let mut bottoms = closed.clone();
        for concept in closed {
            self.nearest_above().row(concept).iter().for_each(|&above| bottoms.remove(above));
        }
        let mut order = self.by_generality(&bottoms);
        order.reverse();
        order
    }

    /// The nearest strict hypernyms of every concept, the most specific first. Computed on first use
    /// and cached.
    ///
    /// If all pairs were checked and the codes are exact, these are the direct parents.
    pub(super) fn nearest_above(&self) -> &Rows {
        self.nearest_above.get_or_init(|| {
            let exact = self.model().is_exact() == Some(true);
            let nearest = |concept| match exact {
                true => self.by_specificity(self.hierarchy().parents(concept).to_vec()),
                false => self.nearest_above_one(concept),
            };
            let ids = self.hierarchy().ids().into_par_iter();
            let lists: Vec<Vec<Id>> = ids.map(nearest).collect();
            let mut rows = Rows::with_capacity(lists.len(), lists.iter().map(Vec::len).sum());
            lists.into_iter().for_each(|list| rows.push(list));
            rows
        })
    }

    fn by_specificity(&self, mut concepts: Vec<Id>) -> Vec<Id> {
        concepts.sort_by_key(|&id| std::cmp::Reverse((self.sizes[id as usize], id)));
        concepts
    }

    /// The nearest strict hypernyms of a concept, the most specific first: all that are above it and
    /// above no other that is. In time in proportion to what is above it, without a set of all
    /// concepts, since it is done for each of them.
    fn nearest_above_one(&self, concept: Id) -> Vec<Id> {
        let (codes, own) = (self.codes(), self.codes().row(concept));
        let mut above = Vec::new();
        self.columns.each_subset(own, |id| above.push(id));
        above.retain(|&id| codes.row(id) != own);
        let mut nearest: Vec<Id> = Vec::new();
        for id in self.by_specificity(above) {
            let is_above = |&other: &Id| codes.is_a(other, id) && codes.row(other) != codes.row(id);
            if !nearest.iter().any(is_above) {
                nearest.push(id);
            }
        }
        nearest
    }

    /// The most general concepts of a set: those that are not strictly below another of the set.
    ///
    /// A concept with the fewest bits is one of them. Everything below it is not, and one search of
    /// the columns removes it. So the work grows with the size of the answer, not with the square
    /// of the size of the set.
    pub fn most_general(&self, set: &IdSet) -> Vec<Id> {
        let order = self.by_generality(set);
        self.outermost(set, order, |code| self.columns.supersets(code))
    }

    /// The most specific concepts of a set: those that are not strictly above another of the set.
    /// The most specific comes first.
    pub fn most_specific(&self, set: &IdSet) -> Vec<Id> {
        let mut order = self.by_generality(set);
        order.reverse();
        self.outermost(set, order, |code| self.columns.subsets(code))
    }

    /// The concepts of a set that `beyond` reaches from no earlier concept in `order`. Of concepts
    /// with equal codes, either all or none are returned.
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
