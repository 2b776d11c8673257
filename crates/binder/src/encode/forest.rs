//! The first codes: exact codes of a spanning forest, then inherited along all pairs.
//!
//! Every concept keeps one of its parents. The resulting forest is coded from the bottom up (see
//! [`antichain`](super::antichain)): a concept needs the bits of its children's labels and, after
//! them, as many bits as the child that needs most. Subtrees of siblings share all bits after the
//! labels. Then every concept inherits the bits of *all* its parents. Now no is-a is missed, but
//! the bits from its other parents may put a concept into false pairs.
//!
//! ```text
//!         animal 000           kept: (puppy, dog); inherited: puppy gets bit 0 from pet
//!        /        \            labels 10 and 01 for pet and dog; then label 1 for cat and puppy
//!    pet 100     dog 010
//!     /    \ ·    /            puppy has pet's bit, as it should. It also has all bits of cat:
//! cat 101   puppy 111          (puppy, cat) is a false pair, which the next stages mend.
//! ```

use super::EncodeError;
use super::antichain::{Label, labels, narrow};
use crate::bits::{Id, MAX_BITS, id};
use crate::codes::Codes;
use crate::graph::{Dag, Rows};

/// The rule by which a concept keeps one parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Keeps the parent furthest from the roots.
    Deepest,
    /// Keeps the parent with the highest id, which is the nearest in the layout.
    Last,
    /// Keeps the parent with the fewest children.
    Narrowest,
}

impl Kept {
    /// All rules.
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

/// The codes of the forest of kept parents, inherited along all pairs.
///
/// A forest may need more bits than codes can have, such as a chain of five thousand. That is an
/// error, unless the codes are `limited` anyway: then the labels of the deepest concepts are cut
/// off, and they look like their parents.
pub(super) fn forest_codes(dag: &Dag, kept: Kept, limited: bool) -> Result<Codes, EncodeError> {
    if dag.depth() as usize > MAX_BITS && !limited {
        return Err(EncodeError::TooManyBits { bits: dag.depth() as usize, most: MAX_BITS });
    }
    let root = id(dag.concepts());
    let above: Vec<Id> = dag.ids().map(|id| kept.of(dag, id).unwrap_or(root)).collect();
    let below = Rows::from_pairs(dag.concepts() + 1, above.iter().copied().zip(0..));
    let (bits, labels) = label_all(&below, limited)?;
    drop(below);
    let mut codes = Codes::zeros(dag.concepts(), bits.max(1))
        .map_err(|error| EncodeError::of_codes(error, bits))?;
    // Where the labels of each concept's children start.
    let mut starts = vec![0u16; dag.concepts() + 1];
    for concept in dag.ids() {
        let start = starts[above[concept as usize] as usize];
        let (label, end) = labels.of(concept);
        let label = label.iter().map(|bit| usize::from(start) + usize::from(*bit));
        label.filter(|&bit| bit < bits).for_each(|bit| codes.set(concept, bit, true));
        starts[concept as usize] = start.saturating_add(end);
        dag.parents(concept).iter().for_each(|&parent| codes.inherit(concept, parent));
    }
    Ok(codes)
}

/// The number of bits that the whole forest needs, and the label of every concept among its
/// siblings. Row `n` holds the roots.
fn label_all(below: &Rows, limited: bool) -> Result<(usize, Labels), EncodeError> {
    let root = below.len() - 1;
    let mut needs = vec![0u16; below.len()];
    let mut all = Labels::none(root);
    for concept in (0..root).rev().chain([root]) {
        let children = below.row(id(concept));
        // A single root has no siblings, so it needs no label.
        if concept == root && children.len() == 1 {
            needs[root] = needs[children[0] as usize];
            continue;
        }
        let child_needs: Vec<usize> =
            children.iter().map(|&child| needs[child as usize].into()).collect();
        let (need, labels) = labels(&child_needs);
        if need > MAX_BITS && !limited {
            return Err(EncodeError::TooManyBits { bits: need, most: MAX_BITS });
        }
        needs[concept] = narrow(need.min(MAX_BITS));
        children.iter().zip(labels).for_each(|(&child, label)| all.put(child, &label));
    }
    Ok((needs[root].into(), all))
}

/// The labels of all concepts. A list for each would take three times the memory and ten million
/// allocations for ten million concepts.
struct Labels {
    /// The bits of all labels, in the order in which they were put here.
    bits: Vec<u16>,
    /// By concept.
    places: Vec<Place>,
}

/// Where the bits of a label lie among all, and where the label ends.
#[derive(Clone, Copy, Default)]
struct Place {
    start: usize,
    count: u16,
    end: u16,
}

impl Labels {
    /// Empty labels.
    fn none(concepts: usize) -> Self {
        Self { bits: Vec::with_capacity(2 * concepts), places: vec![Place::default(); concepts] }
    }

    fn put(&mut self, concept: Id, label: &Label) {
        let (start, count) = (self.bits.len(), narrow(label.bits.len()));
        self.places[concept as usize] = Place { start, count, end: label.end };
        self.bits.extend(&label.bits);
    }

    /// The bits of a concept's label, and where the label ends.
    fn of(&self, concept: Id) -> (&[u16], u16) {
        let Place { start, count, end } = self.places[concept as usize];
        (&self.bits[start..start + usize::from(count)], end)
    }
}
