//! The first codes: a forest out of the hierarchy, coded without an error, then handed down all
//! pairs.
//!
//! Every concept keeps one of its parents. The forest that is left is coded from the bottom up (see
//! [`antichain`](super::antichain)): a concept needs the bits of its children's labels and, behind
//! them, as many as the neediest child; subtrees of siblings share all bits behind the labels. Then
//! every concept takes over the bits of *all* its parents: no is-a is missed any more, and what a
//! concept has from its other parents may make it look like more than it is.
//!
//! ```text
//!         animal 000           kept: (puppy, dog); handed down: puppy takes bit 0 from pet
//!        /        \            labels 10, 01 for pet and dog; 1 behind them for cat, and for puppy
//!    pet 100     dog 010
//!     /    \ ·    /            puppy has pet's bit too: true. And bit 2 of cat: puppy looks like a cat,
//! cat 101   puppy 111          which is left to the next stages.
//! ```

use super::EncodeError;
use super::antichain::{Label, labels};
use crate::bits::{Id, MAX_BITS, id};
use crate::codes::Codes;
use crate::graph::{Dag, Rows};

/// Which parent a concept keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The one furthest from the roots.
    Deepest,
    /// The last: the one next to which the concept is laid out.
    Last,
    /// The one with the fewest children.
    Narrowest,
}

impl Kept {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Deepest, Self::Narrowest, Self::Last];

    fn of(self, dag: &Dag, concept: Id) -> Option<Id> {
        let parents = dag.parents(concept).iter().copied();
        match self {
            Self::Deepest => parents.max_by_key(|&parent| (dag.depth_of(parent), parent)),
            Self::Last => parents.max(),
            Self::Narrowest => parents.min_by_key(|&parent| (dag.children(parent).len(), parent)),
        }
    }
}

/// Codes of the forest of kept parents, handed down all pairs.
pub(super) fn forest_codes(dag: &Dag, kept: Kept) -> Result<Codes, EncodeError> {
    if dag.depth() as usize > MAX_BITS {
        return Err(EncodeError::TooManyBits { bits: dag.depth() as usize, most: MAX_BITS });
    }
    let root = id(dag.concepts());
    let above: Vec<Id> = dag.ids().map(|id| kept.of(dag, id).unwrap_or(root)).collect();
    let below = Rows::from_pairs(dag.concepts() + 1, above.iter().copied().zip(0..));
    let (bits, labels) = label_all(&below)?;
    let mut codes = Codes::zeros(dag.concepts(), bits.max(1))
        .map_err(|error| EncodeError::of_codes(error, bits))?;
    let mut begins = vec![0; dag.concepts() + 1];
    for concept in dag.ids() {
        let begin = begins[above[concept as usize] as usize];
        let Label { bits, end } = &labels[concept as usize];
        bits.iter().for_each(|bit| codes.set(concept, begin + usize::from(*bit), true));
        begins[concept as usize] = begin + usize::from(*end);
        dag.parents(concept).iter().for_each(|&parent| codes.inherit(concept, parent));
    }
    Ok(codes)
}

/// The label of every concept among its siblings, and the bits that the whole forest needs. Row `n`
/// holds the roots.
fn label_all(below: &Rows) -> Result<(usize, Vec<Label>), EncodeError> {
    let root = below.len() - 1;
    let mut needs = vec![0; below.len()];
    let mut all = vec![Label { bits: Vec::new(), end: 0 }; root];
    for concept in (0..root).rev().chain([root]) {
        let children = below.row(id(concept));
        // A single root is told from nothing else.
        if concept == root && children.len() == 1 {
            needs[root] = needs[children[0] as usize];
            continue;
        }
        let theirs: Vec<usize> = children.iter().map(|&child| needs[child as usize]).collect();
        let (need, labels) = labels(&theirs);
        if need > MAX_BITS {
            return Err(EncodeError::TooManyBits { bits: need, most: MAX_BITS });
        }
        needs[concept] = need;
        children.iter().zip(labels).for_each(|(&child, label)| all[child as usize] = label);
    }
    Ok((needs[root], all))
}
