use rayon::slice::ParallelSliceMut;

use super::given::Given;
use super::synonyms::GivenSynonyms;
use super::{
    Aliases, Carried, CycleError, Dropped, Hierarchy, Names, Scope, Synonym, TooManyNames,
};
use crate::bits::{Id, id};
use crate::choice::choices;
use crate::graph::{Dag, Rows, components, depth_first, find_cycle, positions};
use crate::memory::{self, MemoryError, Stage};

choices! {
    /// What to do about cycles.
    #[derive(Default)]
    pub enum Cycles {
        /// A cycle is an error that names every concept on it
        #[default]
        Refuse = "refuse",
        /// Each cycle becomes one concept; its other names stay as aliases
        Merge = "merge",
    }
}

/// Collects concepts and pairs in any order, then builds a [`Hierarchy`] from them.
///
/// # Examples
///
/// ```
/// use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
/// let mut builder = HierarchyBuilder::default();
/// builder.pair("puppy", "dog")?;
/// builder.pair("dog", "animal")?;
/// let dog = builder.concept("dog")?;
/// builder.label(dog, "domestic dog");
/// builder.synonym(dog, "hound", Scope::Narrow);
/// builder.definition(dog, "A pet that barks.");
/// let hierarchy = builder.build(Cycles::Refuse)?;
/// assert_eq!(hierarchy.name(0), "animal"); // parents come first
/// assert_eq!(hierarchy.label(1), Some("domestic dog"));
/// assert_eq!(hierarchy.synonyms(1).map(|synonym| synonym.text).collect::<Vec<_>>(), ["hound"]);
/// assert_eq!(hierarchy.definition(1), Some("A pet that barks."));
/// # Ok::<(), binder::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct HierarchyBuilder {
    names: Names,
    /// (child, parent) pairs as given. May have duplicates, but never a reflexive pair.
    pairs: Vec<(Id, Id)>,
    /// In the order given, because the first label of a concept wins.
    labels: Given,
    /// In the order given, because the first concept with an alias keeps it.
    aliases: Given,
    synonyms: GivenSynonyms,
    /// In the order given, because the first definition of a concept wins.
    definitions: Given,
    /// Concepts to leave out; `build` sorts and deduplicates them first.
    obsolete: Vec<Id>,
    dropped: Dropped,
    /// How many pairs there were when duplicates were last dropped.
    distinct: usize,
}

/// Duplicates are dropped whenever there are so many pairs, and twice as many as after the last
/// time: a file that says the same over and over takes no more memory than one that says it once.
const MANY_PAIRS: usize = 1 << 20;

impl HierarchyBuilder {
    /// The id of a concept within this builder. Adds the concept if it is new.
    ///
    /// # Errors
    ///
    /// When there are more names than ids.
    pub fn concept(&mut self, name: &str) -> Result<Id, TooManyNames> {
        self.names.intern(name)
    }

    /// The id of a concept within this builder, if it was added before.
    pub fn find(&self, name: &str) -> Option<Id> {
        self.names.id(name)
    }

    /// Adds the pair "`child` is-a `parent`", and the two concepts if they are new.
    ///
    /// # Errors
    ///
    /// When there are more names than ids.
    pub fn pair(&mut self, child: &str, parent: &str) -> Result<(), TooManyNames> {
        let (child, parent) = (self.concept(child)?, self.concept(parent)?);
        self.link(child, parent);
        Ok(())
    }

    /// Adds the pair "`child` is-a `parent`", by the ids that [`concept`](Self::concept) gave.
    pub fn link(&mut self, child: Id, parent: Id) {
        if child == parent {
            self.dropped.reflexive += 1;
            return;
        }
        if self.pairs.len() >= self.distinct.saturating_mul(2).max(MANY_PAIRS) {
            self.drop_duplicates();
            self.distinct = self.pairs.len();
        }
        self.pairs.push((child, parent));
    }

    /// Whether what was collected can be made a hierarchy within the memory that may be used. Names,
    /// texts and pairs are all written anew on the way, in another order. Duplicates are dropped
    /// before the answer is no.
    pub(crate) fn check_memory(&mut self) -> Result<(), MemoryError> {
        let needed = |pairs: usize| {
            let (names, bytes) = (self.names.len() as u64, self.names.texts().bytes().len() as u64);
            let texts = [&self.labels, &self.aliases, &self.definitions].map(Given::bytes);
            let texts = texts.iter().sum::<u64>() + self.synonyms.bytes();
            2 * (bytes + texts) + 64 * names + 24 * pairs as u64
        };
        let before = self.pairs.len();
        let Err(error) = memory::check(Stage::Hierarchy, needed(before)) else { return Ok(()) };
        self.drop_duplicates();
        self.distinct = self.pairs.len();
        // Otherwise the next pairs would ask for the same again.
        if 2 * self.pairs.len() <= before { Ok(()) } else { Err(error) }
    }

    /// Gives a concept a label, which is what people call it. The first label of a concept wins.
    pub fn label(&mut self, concept: Id, label: &str) {
        self.labels.push(concept, label);
    }

    /// Gives a concept an alias, which is one more name for it. An alias that is a concept's own
    /// name is dropped, and so is one that another concept got first.
    pub fn alias(&mut self, concept: Id, alias: &str) {
        self.aliases.push(concept, alias);
    }

    /// Gives a concept a synonym, which is something else that people call it. Concepts may share
    /// synonyms. Where a concept gets the same text twice, the closer scope wins.
    pub fn synonym(&mut self, concept: Id, text: &str, scope: Scope) {
        self.ranked_synonym(concept, text, scope, 0);
    }

    /// Gives a concept a synonym, and its place among the concepts that share it, from 1: the first
    /// is the one that people most likely mean.
    pub fn ranked_synonym(&mut self, concept: Id, text: &str, scope: Scope, rank: u32) {
        self.synonyms.push(concept, Synonym { text, scope, rank });
    }

    /// Gives a concept a definition: what it means, in a sentence. The first definition of a
    /// concept wins.
    pub fn definition(&mut self, concept: Id, text: &str) {
        self.definitions.push(concept, text);
    }

    /// Gives a concept the label, the synonyms and the definition that `old` has in a hierarchy.
    pub(crate) fn texts_of(&mut self, concept: Id, hierarchy: &Hierarchy, old: Id) {
        hierarchy.label(old).into_iter().for_each(|label| self.label(concept, label));
        hierarchy.synonyms(old).for_each(|synonym| self.synonyms.push(concept, synonym));
        let definition = hierarchy.definition(old);
        definition.into_iter().for_each(|text| self.definition(concept, text));
    }

    /// Marks a concept as obsolete: it and its pairs are left out and counted.
    pub fn obsolete(&mut self, concept: Id) {
        self.obsolete.push(concept);
    }

    /// Counts a pair that is left out because its parent has no name.
    pub fn skip_blank(&mut self) {
        self.dropped.blank += 1;
    }

    /// Puts the concepts into depth-first topological order and keeps the direct pairs.
    ///
    /// # Errors
    ///
    /// When the pairs form a cycle and cycles are refused.
    pub fn build(self, cycles: Cycles) -> Result<Hierarchy, CycleError> {
        self.build_ordered(cycles).map(|(hierarchy, _)| hierarchy)
    }

    /// Like [`build`](Self::build), and also returns the order of the concepts: for each id of the
    /// hierarchy, the id that [`concept`](Self::concept) gave.
    ///
    /// # Errors
    ///
    /// When the pairs form a cycle and cycles are refused.
    pub fn build_ordered(mut self, cycles: Cycles) -> Result<(Hierarchy, Vec<Id>), CycleError> {
        self.drop_obsolete();
        self.drop_duplicates();
        let (order, merged) = self.settle_cycles(cycles)?;
        let concepts = self.names.len();
        let pairs = std::mem::take(&mut self.pairs);
        let position = positions(&order, concepts);
        let ((dag, implied), names) = rayon::join(
            || Dag::arranged(&position, order.len(), pairs.iter().copied()),
            || self.names.reordered(&order, &position),
        );
        drop(pairs);
        self.dropped.implied += implied;
        let labels = self.labels.first_of_each(&position, order.len());
        let definitions = self.definitions.first_of_each(&position, order.len());
        let (synonyms, left_out) = self.synonyms.in_order(&position);
        self.dropped.synonyms += left_out;
        let stays = |(concept, _): &(Id, &str)| position[*concept as usize] != Id::MAX;
        let given = self.aliases.iter().filter(stays).count();
        let aliases = aliases_in_order(&self.aliases, &position, &names);
        self.dropped.aliases += given - aliases.len();
        let carried = Carried { labels, aliases, synonyms, definitions: definitions.into() };
        let (dropped, reading) = (self.dropped, None);
        let hierarchy = Hierarchy { names, dag, carried, merged, dropped, reading };
        Ok((hierarchy, order))
    }

    fn drop_obsolete(&mut self) {
        self.obsolete.sort_unstable();
        self.obsolete.dedup();
        self.dropped.obsolete += self.obsolete.len();
        let (before, obsolete) = (self.pairs.len(), &self.obsolete);
        if !obsolete.is_empty() {
            let is_obsolete = |id: &Id| obsolete.binary_search(id).is_ok();
            self.pairs.retain(|(child, parent)| !is_obsolete(child) && !is_obsolete(parent));
        }
        self.dropped.with_obsolete += before - self.pairs.len();
    }

    fn drop_duplicates(&mut self) {
        let before = self.pairs.len();
        self.pairs.par_sort_unstable();
        self.pairs.dedup();
        self.dropped.duplicate += before - self.pairs.len();
    }

    /// Refuses or merges cycles. Returns the order of the remaining concepts and the number of
    /// merged cycles.
    fn settle_cycles(&mut self, cycles: Cycles) -> Result<(Vec<Id>, usize), CycleError> {
        let kept = |obsolete: &[Id], id: Id| obsolete.binary_search(&id).is_err();
        let n = id(self.names.len());
        let remaining = (0..n).filter(|&id| kept(&self.obsolete, id)).count();
        let children = self.children();
        let order = depth_first(&children, (0..n).filter(|&id| kept(&self.obsolete, id)));
        if order.len() == remaining {
            return Ok((order, 0));
        }
        if cycles == Cycles::Refuse {
            return Err(self.one_cycle(&order));
        }
        let component = components(&children);
        let merged = self.merge(&component);
        let head = |id: Id| component[id as usize] == id && kept(&self.obsolete, id);
        Ok((depth_first(&self.children(), (0..n).filter(|&id| head(id))), merged))
    }

    fn children(&self) -> Rows {
        Rows::from_pairs(
            self.names.len(),
            self.pairs.iter().map(|&(child, parent)| (parent, child)),
        )
    }

    fn one_cycle(&self, ordered: &[Id]) -> CycleError {
        let mut stuck = vec![true; self.names.len()];
        ordered.iter().chain(&self.obsolete).for_each(|&id| stuck[id as usize] = false);
        let parents = Rows::from_pairs(self.names.len(), self.pairs.iter().copied());
        let cycle = find_cycle(&parents, &stuck);
        CycleError { names: cycle.into_iter().map(|id| self.names.name(id).to_owned()).collect() }
    }

    /// Moves the pairs and the texts of a component's members to its head. Returns the number of
    /// components with more than one member.
    fn merge(&mut self, component: &[Id]) -> usize {
        let mut heads = Vec::new();
        for (member, &head) in (0..).zip(component).filter(|&(member, &head)| member != head) {
            self.aliases.push(head, self.names.name(member));
            heads.push(head);
        }
        let before = self.pairs.len();
        self.pairs.iter_mut().for_each(|(child, parent)| {
            *child = component[*child as usize];
            *parent = component[*parent as usize];
        });
        self.pairs.retain(|(child, parent)| child != parent);
        self.dropped.in_cycle += before - self.pairs.len();
        self.drop_duplicates();
        for texts in [&mut self.labels, &mut self.aliases, &mut self.definitions] {
            texts.hand_over(component);
        }
        self.synonyms.hand_over(component);
        heads.sort_unstable();
        heads.dedup();
        heads.len()
    }
}

/// The aliases under the new ids, in the order of their concepts, without those that are the name
/// of a concept.
fn aliases_in_order(aliases: &Given, position: &[Id], names: &Names) -> Aliases {
    let renumbered = aliases.iter().map(|(old, alias)| (position[old as usize], alias));
    let mut renumbered: Vec<_> =
        renumbered.filter(|(new, alias)| *new != Id::MAX && names.id(alias).is_none()).collect();
    renumbered.sort_by_key(|&(new, _)| new);
    let (mut distinct, mut concepts) = (Names::default(), Vec::new());
    for (concept, alias) in renumbered {
        // The first concept with an alias keeps it. A duplicate gets the id of the first alias, not
        // the next free one.
        if distinct.intern(alias).is_ok_and(|alias_id| alias_id as usize == concepts.len()) {
            concepts.push(concept);
        }
    }
    Aliases::new(distinct, concepts)
}
