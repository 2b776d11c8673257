//! A hierarchy of concepts: their names, and the direct pairs between them.
//!
//! ```text
//!         animal 0            Every pair is (child, parent): "child is-a parent".
//!        /        \           direct   (pet, animal) (dog, animal) (puppy, pet) (puppy, dog)
//!     pet 1      dog 3                 (cat, pet)
//!     /    \      /           closure  the direct pairs, (puppy, animal) and (cat, animal)
//!  cat 2    puppy 4           n² − n   20 ordered pairs, of which 7 are is-a
//! ```
//!
//! Ids are a depth-first topological order: **a parent's id is always below its children's**, and
//! the concepts under one parent lie close together. So "parents first" is `for id in 0..n`, and
//! everything that is laid out by id (codes, columns) has relatives in the same cache line.
//!
//! A hierarchy keeps only the *direct* pairs: the transitive reduction of the given pairs, which is
//! the same for every list of pairs with the same closure. [`Dropped`] counts what was left out.

mod aliases;
mod build;
mod definitions;
mod error;
mod given;
mod names;
pub(crate) mod packed;
mod ranks;
mod reading;
mod synonyms;
#[cfg(test)]
pub(crate) mod testing;
mod texts;

pub use aliases::Aliases;
pub use build::{Cycles, HierarchyBuilder};
pub use definitions::Definitions;
pub use error::{ClosureError, CycleError, HierarchyError};
pub use names::{Names, TooManyNames};
pub use packed::DamagedTexts;
pub use ranks::Ranks;
pub use reading::Reading;
pub use synonyms::{Scope, Synonym, Synonyms};
pub use texts::Texts;

use std::borrow::Cow;

use crate::bits::{Id, id};
use crate::choice::choices;
use crate::graph::{Dag, Graph, Rows};
use crate::memory::{self, Stage};
use crate::progress::Progress;

/// How many pairs, concepts and names were left out of a hierarchy, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Dropped {
    /// Duplicates of pairs.
    pub duplicate: usize,
    /// Pairs of a concept with itself.
    pub reflexive: usize,
    /// Pairs that follow from others: (puppy, animal) follows from (puppy, dog) and (dog, animal).
    pub implied: usize,
    /// Pairs within a cycle that was merged into one concept.
    pub in_cycle: usize,
    /// Concepts marked obsolete or deprecated.
    pub obsolete: usize,
    /// Pairs with an obsolete concept at either end.
    pub with_obsolete: usize,
    /// Pairs whose parent is a blank node, such as an OWL restriction.
    pub blank: usize,
    /// Aliases that are a concept's own name, or that another concept got first.
    pub aliases: usize,
    /// Synonyms that are empty, or that a concept has more than once.
    pub synonyms: usize,
}

/// A directed acyclic graph of named concepts. The [module](self) has a drawing and the laws.
///
/// Two hierarchies are equal when they have the same concepts, pairs, aliases and texts. What was
/// left out while building them does not count.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    names: Names,
    /// The direct pairs.
    dag: Dag,
    carried: Carried,
    /// How many cycles were merged into one concept each.
    merged: usize,
    dropped: Dropped,
    /// How it was read, if it comes from a source.
    reading: Option<Box<Reading>>,
}

/// What concepts carry besides their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// One per concept, empty where a concept has no label; an empty list when no concept has one.
    pub(crate) labels: Texts,
    pub(crate) aliases: Aliases,
    pub(crate) synonyms: Synonyms,
    pub(crate) definitions: Definitions,
}

choices! {
    /// Which texts of the concepts to keep. Names and alternative ids always stay.
    #[derive(Default)]
    pub enum KeepTexts {
        /// No labels, synonyms or definitions
        None = "none",
        /// Labels and synonyms
        Names = "names",
        /// Labels, synonyms and definitions
        #[default]
        All = "all",
    }
}

impl PartialEq for Hierarchy {
    fn eq(&self, other: &Self) -> bool {
        (&self.names, &self.dag, &self.carried) == (&other.names, &other.dag, &other.carried)
    }
}

impl Eq for Hierarchy {}

impl Hierarchy {
    /// Builds a hierarchy from (child, parent) names.
    ///
    /// # Errors
    ///
    /// When the pairs form a cycle, or when there are more names than ids.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::Hierarchy;
    /// let direct = [("pet", "animal"), ("dog", "animal"), ("puppy", "dog"), ("puppy", "pet")];
    /// let hierarchy = Hierarchy::from_pairs(direct.into_iter().chain([("puppy", "animal")]))?;
    /// assert_eq!((hierarchy.len(), hierarchy.direct(), hierarchy.closure_len()), (4, 4, 5));
    /// assert_eq!(hierarchy.dropped().implied, 1); // (puppy, animal)
    /// # Ok::<(), binder::Error>(())
    /// ```
    pub fn from_pairs<C: AsRef<str>, P: AsRef<str>>(
        pairs: impl IntoIterator<Item = (C, P)>,
    ) -> Result<Self, HierarchyError> {
        let mut builder = HierarchyBuilder::default();
        for (child, parent) in pairs {
            builder.pair(child.as_ref(), parent.as_ref())?;
        }
        Ok(builder.build(Cycles::Refuse)?)
    }

    /// A hierarchy from the parts that a model file keeps. The error says which law of the
    /// [module](self) the pairs break: every row ascends, every parent comes before its child, no
    /// pair is implied by others.
    pub(crate) fn from_parts(
        names: Names,
        parents: Rows,
        carried: Carried,
    ) -> Result<Self, &'static str> {
        let dag = Dag::checked(parents)?;
        let dropped = Dropped::default();
        Ok(Self { names, dag, carried, merged: 0, dropped, reading: None })
    }

    /// The same hierarchy with definitions that are compressed, one for each concept, and stay so
    /// until one is asked for.
    #[doc(hidden)]
    #[must_use]
    pub fn with_packed_definitions(mut self, packed: impl Into<Cow<'static, [u8]>>) -> Self {
        self.carried.definitions = Definitions::compressed(packed.into(), self.len());
        self
    }

    /// The same hierarchy with only some of its texts.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::hierarchy::KeepTexts;
    /// let animals = binder::Hierarchy::read("wordnet-animals")?;
    /// assert_eq!(animals.keeping(KeepTexts::None).labels().len(), 0);
    /// # Ok::<(), binder::read::ReadError>(())
    /// ```
    #[must_use]
    pub fn keeping(mut self, texts: KeepTexts) -> Self {
        if texts != KeepTexts::All {
            self.carried.definitions = Definitions::default();
        }
        if texts == KeepTexts::None {
            self.carried.labels = Texts::default();
            self.carried.synonyms = Synonyms::default();
        }
        self
    }

    /// The number of concepts.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no concepts.
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

    /// The name of a concept.
    ///
    /// # Panics
    ///
    /// When there is no such concept.
    pub fn name(&self, id: Id) -> &str {
        self.names.name(id)
    }

    /// The concept with a name or an alias, if there is one.
    pub fn id(&self, name: &str) -> Option<Id> {
        self.names.id(name).or_else(|| self.carried.aliases.concept(name))
    }

    /// The label of a concept, which is what people call it, if the source has one.
    pub fn label(&self, id: Id) -> Option<&str> {
        let labels = &self.carried.labels;
        if labels.is_empty() {
            return None;
        }
        Some(labels.get(id as usize)).filter(|label| !label.is_empty())
    }

    /// All labels: one per concept, or none at all.
    pub fn labels(&self) -> &Texts {
        &self.carried.labels
    }

    /// Other names of concepts: alternative ids.
    pub fn aliases(&self) -> &Aliases {
        &self.carried.aliases
    }

    /// What else people call a concept, in the order of the source.
    pub fn synonyms(&self, id: Id) -> impl ExactSizeIterator<Item = Synonym<'_>> {
        self.carried.synonyms.of(id)
    }

    /// The synonyms of all concepts.
    pub fn all_synonyms(&self) -> &Synonyms {
        &self.carried.synonyms
    }

    /// What a concept means, if the source says it.
    pub fn definition(&self, id: Id) -> Option<&str> {
        self.carried.definitions.of(id)
    }

    /// The definitions of all concepts.
    pub fn definitions(&self) -> &Definitions {
        &self.carried.definitions
    }

    /// Direct parents, ascending.
    pub fn parents(&self, id: Id) -> &[Id] {
        self.dag.parents(id)
    }

    /// Direct children, ascending.
    pub fn children(&self, id: Id) -> &[Id] {
        self.dag.children(id)
    }

    /// The number of direct pairs.
    pub fn direct(&self) -> usize {
        self.dag.len()
    }

    /// The direct (child, parent) pairs, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (Id, Id)> + Clone + '_ {
        self.dag.iter()
    }

    /// Concepts without a parent.
    pub fn roots(&self) -> impl Iterator<Item = Id> + '_ {
        self.dag.roots()
    }

    /// Concepts without a child.
    pub fn leaves(&self) -> impl Iterator<Item = Id> + '_ {
        self.ids().filter(|&id| self.children(id).is_empty())
    }

    /// The number of concepts with more than one direct parent.
    pub fn multi_parent(&self) -> usize {
        self.ids().filter(|&id| self.parents(id).len() > 1).count()
    }

    /// Length of the longest path up from a concept, in pairs; 0 for a root.
    pub fn depth_of(&self, id: Id) -> u32 {
        self.dag.depth_of(id)
    }

    /// Length of the longest path from a root to a leaf, in pairs.
    pub fn depth(&self) -> u32 {
        self.dag.depth()
    }

    /// How many cycles were merged into one concept each ([`Cycles::Merge`]).
    pub fn merged_cycles(&self) -> usize {
        self.merged
    }

    /// What was left out while the hierarchy was built, by reason.
    pub fn dropped(&self) -> &Dropped {
        &self.dropped
    }

    /// How the hierarchy was read: what was taken for child and parent. Absent where it was not read
    /// from a source, as for a built-in.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_deref()
    }

    /// Keeps how the hierarchy was read.
    pub(crate) fn with_reading(mut self, reading: Reading) -> Self {
        self.reading = Some(Box::new(reading));
        self
    }

    /// The direct pairs as a graph of ids.
    pub fn graph(&self) -> &Graph {
        self.dag.graph()
    }

    /// The direct pairs as an acyclic graph of ids, which also gives what follows from them.
    pub(crate) fn dag(&self) -> &Dag {
        &self.dag
    }

    /// Everything above a concept, ascending: its direct and indirect parents.
    pub fn ancestors(&self, of: Id) -> Vec<Id> {
        self.dag.ancestors(of)
    }

    /// Everything below a concept, ascending: its direct and indirect children.
    pub fn descendants(&self, of: Id) -> Vec<Id> {
        self.dag.descendants(of)
    }

    /// Whether `child` is `parent` or below it.
    pub fn is_a(&self, child: Id, parent: Id) -> bool {
        child == parent || self.is_strictly_below(child, parent)
    }

    /// Whether `child` is below `parent`. No concept is strictly below itself.
    pub fn is_strictly_below(&self, child: Id, parent: Id) -> bool {
        self.dag.is_below(child, parent)
    }

    /// The ancestors of every concept, ascending: the transitive closure, without reflexive pairs.
    pub fn closure(&self) -> Rows {
        self.dag.closure()
    }

    /// [`closure`](Self::closure), if it fits into memory.
    ///
    /// # Errors
    ///
    /// When it would take more memory than it may, four bytes for each pair, or when `progress`
    /// cancels it.
    pub fn checked_closure(&self, progress: &dyn Progress) -> Result<Rows, ClosureError> {
        memory::check(Stage::Closure, self.dag.closure_bytes())?;
        Ok(self.dag.closure_with(progress)?)
    }

    /// The pairs of the closure by child and by parent, to train on, if they fit into memory.
    ///
    /// # Errors
    ///
    /// When they would take more memory than they may, eight bytes for each pair, or when
    /// `progress` cancels it.
    pub fn closure_graph(&self, progress: &dyn Progress) -> Result<Graph, ClosureError> {
        memory::check(Stage::ClosureGraph, 2 * self.dag.closure_bytes())?;
        Ok(Graph::from_rows(self.dag.closure_with(progress)?))
    }

    /// The number of (child, ancestor) pairs in the closure. Counted on first use, then kept.
    pub fn closure_len(&self) -> u64 {
        self.dag.closure_len()
    }

    /// For each concept, how many concepts are above it.
    pub fn ancestor_counts(&self) -> Vec<u64> {
        self.dag.ancestor_counts()
    }

    /// For each concept, how many concepts are below it.
    pub fn descendant_counts(&self) -> Vec<u64> {
        self.dag.descendant_counts()
    }

    /// `top` and everything below it, as a hierarchy of its own with the same texts and aliases.
    pub fn below(&self, top: Id) -> Self {
        let mut kept = self.descendants(top);
        kept.insert(0, top);
        self.restricted(&kept)
    }

    /// The concepts in `kept` (ascending) and the direct pairs among them, as a hierarchy of its
    /// own. Paths through other concepts are lost.
    ///
    /// # Panics
    ///
    /// When `kept` has an id that is not in the hierarchy.
    pub fn restricted(&self, kept: &[Id]) -> Self {
        let fewer = "a part of a hierarchy has at most as many names as the whole";
        let position = |old: Id| kept.binary_search(&old).ok().map(id);
        let mut builder = HierarchyBuilder::default();
        for &old in kept {
            let new = builder.concept(self.name(old)).expect(fewer);
            builder.texts_of(new, self, old);
        }
        for (new, &old) in (0..).zip(kept) {
            self.parents(old)
                .iter()
                .filter_map(|&parent| position(parent))
                .for_each(|parent| builder.link(new, parent));
        }
        for (alias, old) in self.aliases().iter() {
            position(old).into_iter().for_each(|new| builder.alias(new, alias));
        }
        builder.build(Cycles::Refuse).expect("a part of an acyclic graph is acyclic")
    }
}
