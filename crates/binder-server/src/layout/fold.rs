//! A concept and its hypernyms as boxes; long chains are folded into one box.
//!
//! ```text
//! entity              entity       What has one parent and one child adds a step, but no branch.
//!   │                   │          Three or more such concepts in a row become one box. A root
//! object              3 steps      and the parents of the concept are always shown.
//!   │                   │
//! whole      folded    dog
//!   │         to        │
//! animal              puppy
//!   │
//! dog
//!   │
//! puppy
//! ```

use binder::query::Neighbourhood;
use binder::{Hierarchy, Id};

/// Boxes in layers: each is below all boxes above it.
pub(super) struct Boxes {
    /// The concepts of each box, from the top down: one, or a folded chain.
    pub(super) concepts: Vec<Vec<Id>>,
    /// The layer of each box, from the top.
    pub(super) rows: Vec<usize>,
    /// Lines, as (child, parent).
    pub(super) links: Vec<(usize, usize)>,
}

/// Chains shorter than this stay as they are.
const SHORTEST: usize = 3;

impl Boxes {
    /// One box for each concept of a neighbourhood without children, chains folded if wished.
    pub(super) fn new(around: &Neighbourhood, folded: bool) -> Self {
        let hierarchy = &around.hierarchy;
        let mut of: Vec<usize> = vec![0; hierarchy.len()];
        let mut concepts: Vec<Vec<Id>> = Vec::new();
        // Parents have smaller ids, so a chain is met from its top.
        for id in hierarchy.ids() {
            let continued = hierarchy.parents(id).first().map(|&parent| of[parent as usize]);
            let joins = folded && is_step(around, id);
            match continued.filter(|&at| joins && is_step(around, concepts[at][0])) {
                Some(at) => {
                    concepts[at].push(id);
                    of[id as usize] = at;
                }
                None => {
                    of[id as usize] = concepts.len();
                    concepts.push(vec![id]);
                }
            }
        }
        let (mut concepts, short): (Vec<_>, Vec<_>) =
            concepts.into_iter().partition(|chain| chain.len() == 1 || chain.len() >= SHORTEST);
        concepts.extend(short.into_iter().flatten().map(|id| vec![id]));
        concepts.sort_unstable_by_key(|chain| chain[0]);
        Self::linked(hierarchy, concepts)
    }

    fn linked(hierarchy: &Hierarchy, concepts: Vec<Vec<Id>>) -> Self {
        let mut of = vec![0; hierarchy.len()];
        for (at, chain) in concepts.iter().enumerate() {
            chain.iter().for_each(|&id| of[id as usize] = at);
        }
        let (mut rows, mut links) = (vec![0; concepts.len()], Vec::new());
        for (at, chain) in concepts.iter().enumerate() {
            for &parent in hierarchy.parents(chain[0]) {
                let above: usize = of[parent as usize];
                rows[at] = rows[at].max(rows[above] + 1);
                links.push((at, above));
            }
        }
        Self { concepts, rows, links }
    }
}

/// Whether a concept is only a step on the way: one parent, one child, and not next to the centre.
fn is_step(around: &Neighbourhood, id: Id) -> bool {
    let hierarchy = &around.hierarchy;
    let children = hierarchy.children(id);
    id != around.centre
        && hierarchy.parents(id).len() == 1
        && children.len() == 1
        && children[0] != around.centre
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_fold_and_short_ones_stay() {
        let pairs = [
            ("b", "a"),
            ("c", "b"),
            ("d", "c"),
            ("e", "d"),
            ("f", "e"),
            ("p", "a"),
            ("q", "p"),
            ("f", "q"),
            ("g", "f"),
        ];
        let hierarchy = Hierarchy::from_pairs(pairs).expect("no cycle");
        let index = binder::encode(&hierarchy).expect("it can be encoded").into_index();
        let around = index.neighbourhood("g", 0).expect("g is known");
        let sizes = |folded| {
            let boxes = Boxes::new(&around, folded);
            for &(child, parent) in &boxes.links {
                assert!(boxes.rows[child] > boxes.rows[parent]);
            }
            let mut sizes: Vec<usize> = boxes.concepts.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            (sizes, boxes.links.len())
        };
        // a, (b c d e), p, q, f, g
        assert_eq!(sizes(true), (vec![1, 1, 1, 1, 1, 4], 6));
        assert_eq!(sizes(false), (vec![1; 9], 9));
    }
}
