//! A hierarchy without some of its concepts, which are then asked for.

use crate::bits::{Id, IdSet, id};
use crate::choice::choices;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder};

use super::words::hash_pair;

choices! {
    /// Which concepts are hidden and asked for.
    #[derive(Default)]
    pub enum Hide {
        /// Concepts without children
        #[default]
        Leaves = "leaves",
        /// Concepts with children, which go to the concept's parents
        Inner = "inner",
        /// Concepts with everything below them; the top is asked for
        Subtrees = "subtrees",
    }
}

/// A hierarchy with a part hidden.
#[derive(Debug)]
pub(super) struct Hidden {
    /// The concepts that are asked for, by their ids in the whole hierarchy, ascending.
    pub(super) queries: Vec<Id>,
    /// What is left.
    pub(super) rest: Hierarchy,
    /// For each id of the rest, the id in the whole.
    pub(super) whole: Vec<Id>,
    /// For each id of the whole, the id in the rest; `Id::MAX` if it is hidden.
    pub(super) rest_ids: Vec<Id>,
}

impl Hidden {
    /// Hides concepts of this kind, drawn by `seed`: so many, or all that there are.
    pub(super) fn draw(hierarchy: &Hierarchy, hide: Hide, count: usize, seed: u64) -> Self {
        let suits = |&concept: &Id| {
            let leaf = hierarchy.children(concept).is_empty();
            !hierarchy.parents(concept).is_empty() && leaf == (hide == Hide::Leaves)
        };
        let mut drawn: Vec<Id> = hierarchy.ids().filter(suits).collect();
        drawn.sort_unstable_by_key(|&concept| (hash_pair(seed, u64::from(concept)), concept));
        drawn.truncate(count);
        let mut gone = IdSet::new(hierarchy.len());
        if hide == Hide::Subtrees {
            // A subtree within another is hidden with it and not asked for.
            let all = drawn.clone();
            drawn.retain(|&top| !all.iter().any(|&other| hierarchy.is_strictly_below(top, other)));
            for &top in &drawn {
                hierarchy.descendants(top).into_iter().for_each(|below| gone.insert(below));
            }
        }
        drawn.iter().for_each(|&concept| gone.insert(concept));
        drawn.sort_unstable();
        Self::without(hierarchy, drawn, &gone)
    }

    /// The hierarchy without the concepts in `gone`; what is below them goes to what is above.
    fn without(hierarchy: &Hierarchy, queries: Vec<Id>, gone: &IdSet) -> Self {
        let fewer = "a part of a hierarchy has at most as many names as the whole";
        let mut builder = HierarchyBuilder::default();
        let mut given = vec![Id::MAX; hierarchy.len()];
        let kept = || hierarchy.ids().filter(|&concept| !gone.contains(concept));
        for concept in kept() {
            let new = builder.concept(hierarchy.name(concept)).expect(fewer);
            builder.texts_of(new, hierarchy, concept);
            given[concept as usize] = new;
        }
        for concept in kept() {
            for parent in kept_above(hierarchy, concept, |above| gone.contains(above)) {
                builder.link(given[concept as usize], given[parent as usize]);
            }
        }
        let kept: Vec<Id> = kept().collect();
        let (rest, order) =
            builder.build_ordered(Cycles::Refuse).expect("a part of an acyclic graph is acyclic");
        let whole: Vec<Id> = order.iter().map(|&given| kept[given as usize]).collect();
        let mut rest_ids = vec![Id::MAX; hierarchy.len()];
        whole.iter().enumerate().for_each(|(new, &old)| rest_ids[old as usize] = id(new));
        Self { queries, rest, whole, rest_ids }
    }

    /// The parents that a hidden concept has in the rest: its nearest ancestors there.
    pub(super) fn parents(&self, hierarchy: &Hierarchy, query: Id) -> Vec<Id> {
        let rest_id = |concept: Id| self.rest_ids[concept as usize];
        let kept = kept_above(hierarchy, query, |concept| rest_id(concept) == Id::MAX);
        let found: Vec<Id> = kept.into_iter().map(rest_id).collect();
        let is_nearest =
            |one: Id| !found.iter().any(|&other| self.rest.is_strictly_below(other, one));
        let mut nearest: Vec<Id> = found.iter().copied().filter(|&one| is_nearest(one)).collect();
        nearest.sort_unstable();
        nearest
    }
}

/// The parents of a concept, with those of its parents in place of the ones that are gone.
fn kept_above(hierarchy: &Hierarchy, concept: Id, is_gone: impl Fn(Id) -> bool) -> Vec<Id> {
    let mut open: Vec<Id> = hierarchy.parents(concept).to_vec();
    let mut found = Vec::new();
    while let Some(parent) = open.pop() {
        match is_gone(parent) {
            true => open.extend(hierarchy.parents(parent)),
            false => found.push(parent),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
