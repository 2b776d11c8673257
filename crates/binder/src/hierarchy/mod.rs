//! A hierarchy of concepts: names, and who is directly below whom.
//!
//! ```text
//!         animal 0            Every pair is (child, parent): "child is-a parent".
//!        /        \           direct   (pet, animal) (dog, animal) (puppy, pet) (puppy, dog) (cat, pet)
//!     pet 1      dog 3        closure  the direct pairs, (puppy, animal) and (cat, animal)
//!     /    \      /           n² − n   20 ordered pairs, of which 7 are is-a
//!  cat 2    puppy 4
//! ```
//!
//! Ids are a depth-first topological order: **a parent's id is always below its children's**, and the
//! concepts under one parent lie close together. So "parents first" is `for id in 0..n`, sorted ids are
//! sorted by rank, and whatever is laid out by id (codes, columns) finds relatives in the same cache line.
//!
//! A hierarchy keeps the *direct* pairs only: the transitive reduction of what it was built from, which
//! is the same for every list of pairs with the same closure. What fell out is counted in [`Dropped`].

mod blocks;
mod build;
mod closure;
mod cycles;
mod names;
mod order;
mod reduce;
mod rows;
mod texts;

pub use build::{Cycles, HierarchyBuilder};
pub use cycles::CycleError;
pub use names::{Names, TooManyNames};
pub use rows::Rows;
pub use texts::Texts;

use crate::Error;

/// A concept's number, dense from 0.
pub type Id = u32;

/// A count of concepts as an id; counts never exceed what [`Names::intern`] gives out.
pub(crate) fn id(count: usize) -> Id {
    Id::try_from(count).expect("a hierarchy never holds more concepts than ids")
}

/// What did not make it into a hierarchy, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Dropped {
    /// Pairs that were given before.
    pub duplicate: usize,
    /// Pairs of a concept with itself.
    pub reflexive: usize,
    /// Pairs that other pairs imply: (puppy, animal) next to (puppy, dog) and (dog, animal).
    pub implied: usize,
    /// Pairs inside a cycle that was merged into one concept.
    pub in_cycle: usize,
    /// Concepts marked obsolete or deprecated.
    pub obsolete: usize,
    /// Pairs with an obsolete concept at either end.
    pub with_obsolete: usize,
    /// Pairs whose parent is a blank node, such as an OWL restriction.
    pub blank: usize,
    /// Aliases that are a concept's own name, or that another concept had first.
    pub aliases: usize,
}

/// Names that lead to a concept beside its own: alternative ids, and the other names of a merged cycle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    names: Names,
    /// The concept of alias `i`; as long as `names`.
    concepts: Vec<Id>,
}

impl Aliases {
    /// Aliases from names without repetition and the concept of each.
    pub(crate) fn new(names: Names, concepts: Vec<Id>) -> Self {
        debug_assert_eq!(names.len(), concepts.len());
        Self { names, concepts }
    }

    /// The concept that `alias` leads to.
    pub fn concept(&self, alias: &str) -> Option<Id> {
        self.names.id(alias).map(|id| self.concepts[id as usize])
    }

    /// All aliases and their concepts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Id)> {
        self.names.texts().iter().zip(self.concepts.iter().copied())
    }

    /// How many aliases there are.
    pub fn len(&self) -> usize {
        self.concepts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }
}

/// A directed acyclic graph of named concepts. See the [module](self) for its picture and its laws.
///
/// Two are equal when they have the same concepts, pairs, labels and aliases, whatever was left out on the way.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    names: Names,
    /// Direct parents, ascending; each is below the row's own id.
    parents: Rows,
    /// Direct children, ascending; `parents` transposed.
    children: Rows,
    /// Length of the longest way up from each concept.
    depths: Vec<u32>,
    /// One per concept, empty where a concept has none; no entries at all when no concept has one.
    labels: Texts,
    aliases: Aliases,
    /// How many cycles were merged into one concept each.
    merged: usize,
    dropped: Dropped,
}

impl PartialEq for Hierarchy {
    fn eq(&self, other: &Self) -> bool {
        (&self.names, &self.parents, &self.labels, &self.aliases)
            == (&other.names, &other.parents, &other.labels, &other.aliases)
    }
}

impl Eq for Hierarchy {}

impl Hierarchy {
    /// A hierarchy from (child, parent) names; a cycle is an error.
    ///
    /// ```
    /// use binder::Hierarchy;
    /// let pets = [("pet", "animal"), ("dog", "animal"), ("puppy", "dog"), ("puppy", "pet"), ("puppy", "animal")];
    /// let hierarchy = Hierarchy::from_pairs(pets)?;
    /// assert_eq!((hierarchy.len(), hierarchy.direct(), hierarchy.closure_len()), (4, 4, 5));
    /// assert_eq!(hierarchy.dropped().implied, 1); // (puppy, animal)
    /// # Ok::<(), binder::Error>(())
    /// ```
    pub fn from_pairs<N: AsRef<str>>(pairs: impl IntoIterator<Item = (N, N)>) -> Result<Self, Error> {
        let mut builder = HierarchyBuilder::default();
        for (child, parent) in pairs {
            builder.pair(child.as_ref(), parent.as_ref())?;
        }
        Ok(builder.build(Cycles::Refuse)?)
    }

    /// A hierarchy from the parts that a model file keeps; says what is wrong with the pairs if they break a law of the
    /// [module](self): every row ascending, every parent before its child, no pair implied by others.
    pub(crate) fn from_parts(
        names: Names,
        parents: Rows,
        labels: Texts,
        aliases: Aliases,
    ) -> Result<Self, &'static str> {
        let rows = || (0..id(parents.len())).map(|child| (child, parents.row(child)));
        if rows().any(|(child, row)| row.iter().any(|&parent| parent >= child)) {
            return Err("a parent does not come before its child");
        }
        if rows().any(|(_, row)| !row.is_sorted_by(|a, b| a < b)) {
            return Err("pairs are not in ascending order");
        }
        if !reduce::is_reduced(&parents) {
            return Err("a pair is implied by others");
        }
        let (children, depths) = (parents.transposed(), build::depths(&parents));
        Ok(Self { names, parents, children, depths, labels, aliases, merged: 0, dropped: Dropped::default() })
    }

    /// How many concepts there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All ids, every parent before its children.
    pub fn ids(&self) -> std::ops::Range<Id> {
        0..id(self.len())
    }

    /// The concepts' names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// A concept's name.
    pub fn name(&self, id: Id) -> &str {
        self.names.name(id)
    }

    /// The concept of a name or an alias.
    pub fn id(&self, name: &str) -> Option<Id> {
        self.names.id(name).or_else(|| self.aliases.concept(name))
    }

    /// A concept's label: what people call it, where the source says so.
    pub fn label(&self, id: Id) -> Option<&str> {
        if self.labels.is_empty() {
            None
        } else {
            Some(self.labels.get(id as usize)).filter(|l| !l.is_empty())
        }
    }

    /// All labels: one per concept, or none at all.
    pub fn labels(&self) -> &Texts {
        &self.labels
    }

    /// Other names of concepts.
    pub fn aliases(&self) -> &Aliases {
        &self.aliases
    }

    /// Direct parents, ascending.
    pub fn parents(&self, id: Id) -> &[Id] {
        self.parents.row(id)
    }

    /// Direct children, ascending.
    pub fn children(&self, id: Id) -> &[Id] {
        self.children.row(id)
    }

    /// How many direct pairs there are.
    pub fn direct(&self) -> usize {
        self.parents.items()
    }

    /// The direct (child, parent) pairs, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        self.parents.pairs()
    }

    /// Concepts without a parent.
    pub fn roots(&self) -> impl Iterator<Item = Id> + '_ {
        self.ids().filter(|&id| self.parents(id).is_empty())
    }

    /// Concepts without a child.
    pub fn leaves(&self) -> impl Iterator<Item = Id> + '_ {
        self.ids().filter(|&id| self.children(id).is_empty())
    }

    /// How many concepts have more than one direct parent.
    pub fn multi_parent(&self) -> usize {
        self.ids().filter(|&id| self.parents(id).len() > 1).count()
    }

    /// Length of the longest way up from a concept; 0 for a root.
    pub fn depth_of(&self, id: Id) -> u32 {
        self.depths[id as usize]
    }

    /// Length of the longest way from a root to a leaf, in pairs.
    pub fn depth(&self) -> u32 {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// How many cycles were merged into one concept each ([`Cycles::Merge`]).
    pub fn merged_cycles(&self) -> usize {
        self.merged
    }

    /// What was left out on the way in.
    pub fn dropped(&self) -> &Dropped {
        &self.dropped
    }

    /// `top` and everything below it, as a hierarchy of its own with the same labels and aliases.
    pub fn below(&self, top: Id) -> Self {
        let mut kept = self.descendants(top);
        kept.insert(0, top);
        self.restricted(&kept)
    }

    /// The concepts in `kept` (ascending) and the direct pairs among them. Ways that lead through other concepts are cut.
    pub fn restricted(&self, kept: &[Id]) -> Self {
        let few = "a part of a hierarchy has no more names than the whole";
        let position = |old: Id| kept.binary_search(&old).ok().map(id);
        let mut builder = HierarchyBuilder::default();
        for &old in kept {
            let new = builder.concept(self.name(old)).expect(few);
            self.label(old).into_iter().for_each(|label| builder.label(new, label));
        }
        for (new, &old) in (0..).zip(kept) {
            self.parents(old)
                .iter()
                .filter_map(|&parent| position(parent))
                .for_each(|parent| builder.link(new, parent));
        }
        for (alias, old) in self.aliases.iter() {
            position(old).into_iter().for_each(|new| builder.alias(new, alias));
        }
        builder.build(Cycles::Refuse).expect("a part of an acyclic graph is acyclic")
    }
}
