use hashbrown::HashMap;

use super::Pair;
use crate::bits::Id;

/// The false pairs of codes and their weights. They can be drawn by index, looked up, and listed by
/// child or by parent.
#[derive(Debug, Clone)]
pub(crate) struct FalsePairs {
    /// All pairs, in no particular order.
    pairs: Vec<Pair>,
    /// The index of each pair in `pairs`.
    indices: HashMap<Pair, u32>,
    /// The parents in each child's pairs; the same pairs as `pairs`.
    parents: Vec<Vec<Id>>,
    /// The children in each parent's pairs; the same pairs as `pairs`.
    children: Vec<Vec<Id>>,
    /// The weights above 1. Pairs that are mended keep their weight.
    weights: HashMap<Pair, i32>,
    /// Whether any pair of a child has a weight above 1. Most children have none, which saves the
    /// lookup.
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

    /// The weight of a pair, false or not.
    #[inline]
    pub(crate) fn weight(&self, pair: Pair) -> i32 {
        if self.weighted[pair.0 as usize] {
            self.weights.get(&pair).copied().unwrap_or(1)
        } else {
            1
        }
    }

    /// Raises the weight of a pair.
    pub(crate) fn raise(&mut self, pair: Pair, by: i32) {
        *self.weights.entry(pair).or_insert(1) += by;
        self.weighted[pair.0 as usize] = true;
    }

    /// The children in a parent's false pairs.
    pub(crate) fn children(&self, parent: Id) -> &[Id] {
        &self.children[parent as usize]
    }

    /// The parents in a child's false pairs.
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
        remove_from(&mut self.parents[child as usize], parent);
        remove_from(&mut self.children[parent as usize], child);
    }
}

fn remove_from(list: &mut Vec<Id>, item: Id) {
    if let Some(at) = list.iter().position(|&other| other == item) {
        list.swap_remove(at);
    }
}
