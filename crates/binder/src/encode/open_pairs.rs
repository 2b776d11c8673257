use hashbrown::HashMap;

use super::critical::Pair;
use super::relatives::Relatives;
use crate::hierarchy::Id;

/// The false pairs that are open: drawn by number, looked up, and listed by child and by parent.
#[derive(Debug, Clone)]
pub(super) struct OpenPairs {
    pairs: Vec<Pair>,
    /// Where each pair stands in `pairs`.
    places: HashMap<Pair, u32>,
    /// The parents of each child's pairs, and the children of each parent's; the same pairs as `pairs`.
    parents: Vec<Vec<Id>>,
    children: Vec<Vec<Id>>,
    /// What a pair counts where that is more than 1; pairs keep it when they are closed, and open again with it.
    weights: HashMap<Pair, i32>,
    /// Whether any pair of a child has a weight: most have none, and are not looked up.
    weighted: Vec<bool>,
}

impl OpenPairs {
    pub(super) fn new(concepts: usize, pairs: impl IntoIterator<Item = Pair>) -> Self {
        let mut open = Self {
            pairs: Vec::new(),
            places: HashMap::new(),
            parents: vec![Vec::new(); concepts],
            children: vec![Vec::new(); concepts],
            weights: HashMap::new(),
            weighted: vec![false; concepts],
        };
        pairs.into_iter().for_each(|pair| open.insert(pair));
        open
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(super) fn contains(&self, pair: Pair) -> bool {
        self.places.contains_key(&pair)
    }

    /// What a pair counts, open or not.
    #[inline]
    pub(super) fn weight(&self, pair: Pair) -> i32 {
        if self.weighted[pair.0 as usize] { self.weights.get(&pair).copied().unwrap_or(1) } else { 1 }
    }

    /// Makes a pair count more.
    pub(super) fn raise(&mut self, pair: Pair, by: i32) {
        *self.weights.entry(pair).or_insert(1) += by;
        self.weighted[pair.0 as usize] = true;
    }

    /// The children of a parent's open pairs.
    pub(super) fn children(&self, parent: Id) -> &[Id] {
        &self.children[parent as usize]
    }

    /// The parents of a child's open pairs.
    pub(super) fn parents(&self, child: Id) -> &[Id] {
        &self.parents[child as usize]
    }

    pub(super) fn insert(&mut self, (child, parent): Pair) {
        let place = u32::try_from(self.pairs.len()).expect("open pairs are few");
        if self.places.insert((child, parent), place).is_none() {
            self.pairs.push((child, parent));
            self.parents[child as usize].push(parent);
            self.children[parent as usize].push(child);
        }
    }

    pub(super) fn remove(&mut self, (child, parent): Pair) {
        let Some(place) = self.places.remove(&(child, parent)) else { return };
        self.pairs.swap_remove(place as usize);
        if let Some(moved) = self.pairs.get(place as usize) {
            self.places.insert(*moved, place);
        }
        take(&mut self.parents[child as usize], parent);
        take(&mut self.children[parent as usize], child);
    }

    /// The critical pair that `pair` leads to: `x` as low and `y` as high as the pair stays false.
    pub(super) fn critical(&self, (mut x, mut y): Pair, relatives: &Relatives<'_>) -> Pair {
        let hierarchy = relatives.hierarchy();
        while let Some(&parent) = hierarchy.parents(y).iter().find(|&&p| self.contains((x, p))) {
            y = parent;
        }
        while let Some(&child) = hierarchy.children(x).iter().find(|&&c| self.contains((c, y))) {
            x = child;
        }
        (x, y)
    }
}

fn take(list: &mut Vec<Id>, item: Id) {
    if let Some(at) = list.iter().position(|&other| other == item) {
        list.swap_remove(at);
    }
}
