use super::Index;
use crate::codes::RowSet;
use crate::hierarchy::Id;

impl Index {
    /// A set's concepts, the most general first: by fewest bits, then by id. What is above something always comes before it.
    pub fn by_generality(&self, set: &RowSet) -> Vec<Id> {
        let mut concepts: Vec<Id> = set.iter().collect();
        concepts.sort_unstable_by_key(|&concept| (self.sizes[concept as usize], concept));
        concepts
    }

    /// The concepts of a set that are strictly below no other of it.
    ///
    /// Whoever has fewest bits is one of them; all below it are not, and are struck out by one scan of the columns. So the work
    /// grows with the answer, not with the square of the set.
    pub fn most_general(&self, set: &RowSet) -> Vec<Id> {
        let order = self.by_generality(set);
        self.outermost(set, order, |code| self.columns.supersets(code))
    }

    /// The concepts of a set that are strictly above no other of it.
    pub fn most_specific(&self, set: &RowSet) -> Vec<Id> {
        let mut order = self.by_generality(set);
        order.sort_by_key(|&concept| std::cmp::Reverse(self.sizes[concept as usize]));
        self.outermost(set, order, |code| self.columns.subsets(code))
    }

    /// Those of a set that no earlier one of `order` reaches by `beyond`; of equal codes all or none.
    fn outermost(&self, set: &RowSet, order: Vec<Id>, beyond: impl Fn(&[u64]) -> RowSet) -> Vec<Id> {
        let mut left = set.clone();
        let mut found: Vec<Id> = Vec::new();
        for concept in order {
            if !left.contains(concept) {
                continue;
            }
            found.push(concept);
            left -= &beyond(self.codes().row(concept));
            if let Some(twins) = self.twins.get(&concept) {
                twins.iter().filter(|&&twin| set.contains(twin)).for_each(|&twin| left.insert(twin));
            }
            if left.is_empty() {
                break;
            }
        }
        found
    }
}
