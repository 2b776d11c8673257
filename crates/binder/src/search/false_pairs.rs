use hashbrown::HashMap;

use super::Pair;
use crate::bits::Id;
use crate::graph::Graph;

/// The false pairs of some codes, with a weight each: drawn by number, looked up, and listed by
/// child and by parent.
#[derive(Debug, Clone)]
pub(crate) struct FalsePairs {
    pairs: Vec<Pair>,
    /// Where each pair stands in `pairs`.
    indices: HashMap<Pair, u32>,
    /// The parents of each child's pairs, and the children of each parent's; the same pairs as
    /// `pairs`.
    parents: Vec<Vec<Id>>,
    children: Vec<Vec<Id>>,
    /// What a pair weighs where that is more than 1. Pairs that are mended keep their weight.
    weights: HashMap<Pair, i32>,
    /// Whether any pair of a child has a weight: most have none, and are not looked up.
    weighted: Vec<bool>,
}

impl FalsePairs {
    pub(crate) fn new(concepts: usize, pairs: impl IntoIterator<Item = Pair>) -> Self {
        let mut all = Self {
            pairs: Vec::new(),
            indices: HashMap::new(),
            parents: vec![Vec::new(); concepts],
            children: vec![Vec::new(); concepts],
            weights: HashMap::new(),
            weighted: vec![false; concepts],
        };
        pairs.into_iter().for_each(|pair| all.insert(pair));
        all
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(crate) fn contains(&self, pair: Pair) -> bool {
        self.indices.contains_key(&pair)
    }

    /// What a pair weighs, false or not.
    #[inline]
    pub(crate) fn weight(&self, pair: Pair) -> i32 {
        if self.weighted[pair.0 as usize] {
            self.weights.get(&pair).copied().unwrap_or(1)
        } else {
            1
        }
    }

    /// Makes a pair weigh more.
    pub(crate) fn raise(&mut self, pair: Pair, by: i32) {
        *self.weights.entry(pair).or_insert(1) += by;
        self.weighted[pair.0 as usize] = true;
    }

    /// The children of a parent's false pairs.
    pub(crate) fn children(&self, parent: Id) -> &[Id] {
        &self.children[parent as usize]
    }

    /// The parents of a child's false pairs.
    pub(crate) fn parents(&self, child: Id) -> &[Id] {
        &self.parents[child as usize]
    }

    pub(crate) fn insert(&mut self, (child, parent): Pair) {
        let index = u32::try_from(self.pairs.len()).expect("false pairs are few");
        if self.indices.insert((child, parent), index).is_none() {
            self.pairs.push((child, parent));
            self.parents[child as usize].push(parent);
            self.children[parent as usize].push(child);
        }
    }

    pub(crate) fn remove(&mut self, (child, parent): Pair) {
        let Some(index) = self.indices.remove(&(child, parent)) else { return };
        self.pairs.swap_remove(index as usize);
        if let Some(moved) = self.pairs.get(index as usize) {
            self.indices.insert(*moved, index);
        }
        take(&mut self.parents[child as usize], parent);
        take(&mut self.children[parent as usize], child);
    }

    /// The critical pair that `pair` leads to: `x` as low and `y` as high as the pair stays false.
    pub(crate) fn critical(&self, (mut x, mut y): Pair, graph: &Graph) -> Pair {
        while let Some(&parent) = graph.parents(y).iter().find(|&&p| self.contains((x, p))) {
            y = parent;
        }
        while let Some(&child) = graph.children(x).iter().find(|&&c| self.contains((c, y))) {
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
