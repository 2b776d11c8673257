//! Adds concepts to a model without changing the codes it has.
//!
//! A new concept `x` takes all bits of its parents and a few more. No bit of an existing code
//! changes. For exact codes, two conditions must hold:
//!
//! * No concept may look *below* `x`: every concept with all bits of the parents must lack one of
//!   the additional bits of `x`.
//! * Only the parents and their ancestors may look *above* `x`: no other code may be a subset of the
//!   bits of `x`.
//!
//! ```text
//!         animal 000       kitten under cat takes cat's 101 and one more bit. No other concept
//!        /        \        has 101, so the first condition holds. With 010, kitten would be a
//!    pet 100     dog 010   dog (010) too, against the second. No other bit is free: a column is
//!     /    \      /        appended, and only kitten has it.
//! cat 101   puppy 110      kitten 1011
//! ```
//!
//! A column is appended in two cases: when no free bits satisfy both conditions, and when the
//! parents together have all bits of a concept that is above none of them. In the second case, that
//! concept and everything below it get the new bit. An appended column serves again for other
//! concepts, where that puts none of them below one that has it. Only bits of appended columns are
//! ever added to an existing code.

mod fitting;

use std::collections::HashMap;

use crate::bits::{Code, Id, IdSet, id};
use crate::codes::CodesError;
use crate::evaluate::{self, Evaluation};
use crate::hierarchy::{Cycles, HierarchyBuilder, Names, TooManyNames};
use crate::model::Model;
use crate::progress::{Cancelled, Progress};

/// Why a concept could not be added.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrowError {
    /// A concept of that name exists already.
    #[error("{0}: there is a concept of that name already")]
    Exists(String),
    /// The new concept has no name.
    #[error("a new concept needs a name")]
    NoName,
    /// New concepts that are above themselves, from one to the next.
    #[error("the new pairs form a cycle: {0}")]
    Cycle(String),
    /// A parent does not exist.
    #[error("{0}: no such concept, so nothing can be added under it")]
    NoParent(String),
    /// The new concept has no parent.
    #[error("{0}: a new concept needs a parent")]
    NoParents(String),
    /// An existing concept has the same code.
    #[error("{name}: {same} has the same code, so it is that concept already")]
    Same {
        /// The name of the concept that was to be added.
        name: String,
        /// The concept that has the code.
        same: String,
    },
    /// The code does not have the width of the model's codes.
    #[error("{name}: the code has {given} words, but the model's codes have {wanted}")]
    Width {
        /// The name of the concept that was to be added.
        name: String,
        /// How many words its code has.
        given: usize,
        /// How many it must have.
        wanted: usize,
    },
    /// Codes would be wider than codes can be.
    #[error(transparent)]
    Codes(#[from] CodesError),
    /// More names than ids.
    #[error(transparent)]
    TooManyNames(#[from] TooManyNames),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

pub(crate) use fitting::{Fitting, Position};

/// A model with added concepts, and what is known about it.
#[derive(Debug)]
pub struct Grown {
    /// The model. Its notes are those of the original model and of the check.
    pub model: Model,
    /// The result of the check of all pairs.
    pub evaluation: Evaluation,
    /// How many concepts were added.
    pub added: usize,
    /// How many bits were appended to every code.
    pub appended_bits: usize,
    /// How many concepts that were there before have an appended bit. All other codes are as they
    /// were, with zeros appended.
    pub changed: usize,
}

/// A concept that was added: its code and its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// Its code, with the bits that were appended.
    pub code: Code,
    /// Its parents. Ids beyond those of the model are of concepts added before.
    pub parents: Vec<Id>,
    /// Its children.
    pub children: Vec<Id>,
}

/// Adds concepts to a model, one at a time or many at once.
///
/// # Examples
///
/// ```
/// use binder::{Growth, Hierarchy};
/// let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")])?;
/// let mut growth = Growth::new(&binder::encode(&pets)?);
/// growth.add("puppy", &["dog"])?;
/// let model = growth.finish(&())?.model;
/// assert_eq!(model.is_a("puppy", "dog"), Some(true));
/// assert_eq!(model.is_a("puppy", "cat"), Some(false));
/// # Ok::<(), binder::Error>(())
/// ```
#[derive(Debug)]
pub struct Growth {
    model: Model,
    /// The names of new concepts. Their ids come after those of the existing ones.
    new: Names,
    /// Definitions of new concepts, by their ids.
    definitions: Vec<(Id, String)>,
    /// The parents of each concept, existing concepts first.
    parents: Vec<Vec<Id>>,
    /// The children of each concept: `parents` reversed.
    children: Vec<Vec<Id>>,
    fitting: Fitting,
}

impl Growth {
    /// Starts with the concepts of a model.
    pub fn new(model: &Model) -> Self {
        let hierarchy = model.hierarchy();
        let lists = |of: &dyn Fn(Id) -> Vec<Id>| hierarchy.ids().map(of).collect::<Vec<_>>();
        Self {
            model: model.clone(),
            new: Names::default(),
            definitions: Vec::new(),
            parents: lists(&|concept| hierarchy.parents(concept).to_vec()),
            children: lists(&|concept| hierarchy.children(concept).to_vec()),
            fitting: Fitting::new(model.codes().clone()),
        }
    }

    /// The width of the codes so far, in bits.
    pub fn bits(&self) -> usize {
        self.fitting.codes().bits()
    }

    /// The number of concepts added so far.
    pub fn added(&self) -> usize {
        self.new.len()
    }

    /// Adds a concept under its parents, which may be new themselves.
    ///
    /// # Errors
    ///
    /// When the name exists, a parent does not exist, or the codes would be too wide.
    pub fn add(&mut self, name: &str, parents: &[&str]) -> Result<(), GrowError> {
        let parents = self.new_parents(name, parents)?;
        let (above, below) = (reached(&parents, &self.parents), IdSet::new(self.parents.len()));
        let position = Position { parents: &parents, above: &above, below: &below };
        let children = &self.children;
        let code = self.fitting.fit(&position, |concepts| reached(concepts, children))?;
        self.new.intern(name)?;
        self.append(&code, parents);
        Ok(())
    }

    /// The concept that was added under a name.
    pub fn added_as(&self, name: &str) -> Option<Added> {
        let concept = self.id(name).filter(|&id| id as usize >= self.model.hierarchy().len())?;
        Some(Added {
            code: self.fitting.codes().code(concept),
            parents: self.parents[concept as usize].clone(),
            children: self.children[concept as usize].clone(),
        })
    }

    /// Says what a concept means that was added. Other concepts keep the definitions they have.
    pub fn define(&mut self, name: &str, definition: &str) {
        let first = id(self.model.hierarchy().len());
        if let Some(concept) = self.id(name).filter(|&concept| concept >= first) {
            self.definitions.push((concept, definition.to_owned()));
        }
    }

    /// The code that a concept under these parents would get from [`add`](Self::add), while nothing
    /// is added. `None` where a column would have to be appended first.
    ///
    /// No concept but the parents and their ancestors has a subset of its bits, and none all of
    /// them.
    ///
    /// # Panics
    ///
    /// When there is no such parent.
    pub fn code_for(&self, parents: &[Id]) -> Option<Code> {
        let (above, below) = (reached(parents, &self.parents), IdSet::new(self.parents.len()));
        self.fitting.free_fit(&Position { parents, above: &above, below: &below })
    }

    /// Adds the meet of several concepts: below each of them, and above everything that is below
    /// all of them.
    ///
    /// Its code is the meet of their codes. If that has all bits of a concept that is above none of
    /// them, a column is appended to separate the two, as for [`add`](Self::add). So the result is
    /// exact, which is not guaranteed for the plain code ([`add_code`](Self::add_code)).
    ///
    /// # Errors
    ///
    /// When the name or the code exists, a concept does not exist, or the codes would be too wide.
    pub fn add_meet(&mut self, name: &str, of: &[&str]) -> Result<(), GrowError> {
        let parents = self.new_parents(name, of)?;
        let (above, children) = (reached(&parents, &self.parents), &self.children);
        self.fitting.uncover(&parents, &above, |concepts| reached(concepts, children))?;
        self.insert(name, &self.fitting.inherited(&parents))
    }

    /// Adds a concept with a given code, such as a value of [`crate::query::Index::evaluate`]. It
    /// is below every concept whose bits the code has, and above every concept that has all of its
    /// bits. No column is appended, and no code changes.
    ///
    /// # Errors
    ///
    /// When the name or the code exists, or the code has another width.
    pub fn add_code(&mut self, name: &str, code: &[u64]) -> Result<(), GrowError> {
        if self.id(name).is_some() {
            return Err(GrowError::Exists(name.to_owned()));
        }
        let wanted = self.fitting.codes().words_per_row();
        if code.len() != wanted {
            return Err(GrowError::Width { name: name.to_owned(), given: code.len(), wanted });
        }
        self.insert(name, code)
    }

    /// Puts a concept between those above and below its code.
    fn insert(&mut self, name: &str, code: &[u64]) -> Result<(), GrowError> {
        let columns = self.fitting.columns();
        let (above, below) = (columns.subsets(code), columns.supersets(code));
        if let Some(same) = above.iter().find(|&concept| below.contains(concept)) {
            let same = self.name(same).to_owned();
            return Err(GrowError::Same { name: name.to_owned(), same });
        }
        let outermost = |set: &IdSet, beyond: &[Vec<Id>]| -> Vec<Id> {
            let inner =
                |concept: &Id| beyond[*concept as usize].iter().any(|&next| set.contains(next));
            set.iter().filter(|concept| !inner(concept)).collect()
        };
        let (parents, children) =
            (outermost(&above, &self.children), outermost(&below, &self.parents));
        self.new.intern(name)?;
        let new = id(self.parents.len());
        self.append(code, parents);
        for child in children {
            self.parents[child as usize].push(new);
            self.children[new as usize].push(child);
        }
        Ok(())
    }

    /// The ids of a new concept's parents.
    fn new_parents(&self, name: &str, parents: &[&str]) -> Result<Vec<Id>, GrowError> {
        if name.trim().is_empty() {
            return Err(GrowError::NoName);
        }
        if self.id(name).is_some() {
            return Err(GrowError::Exists(name.to_owned()));
        }
        if parents.is_empty() {
            return Err(GrowError::NoParents(name.to_owned()));
        }
        let find = |parent: &&str| {
            self.id(parent).ok_or_else(|| GrowError::NoParent((*parent).to_owned()))
        };
        parents.iter().map(find).collect()
    }

    fn name(&self, concept: Id) -> &str {
        let old = self.model.hierarchy();
        match (concept as usize).checked_sub(old.len()) {
            None => old.name(concept),
            Some(new) => self.new.name(id(new)),
        }
    }

    /// Adds concepts with their parents, in any order. A concept is added after those of its
    /// parents that are new.
    ///
    /// # Errors
    ///
    /// When one of the concepts cannot be added.
    pub fn add_all(&mut self, mut waiting: Vec<(String, Vec<String>)>) -> Result<(), GrowError> {
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for (name, parents) in waiting {
                let names: Vec<&str> = parents.iter().map(String::as_str).collect();
                match self.add(&name, &names) {
                    Err(GrowError::NoParent(_)) => still.push((name, parents)),
                    other => other?,
                }
            }
            if still.len() == before {
                return Err(self.why_none_can_be_added(&still));
            }
            waiting = still;
        }
        Ok(())
    }

    /// Each of these concepts waits for a parent. Going from one to the parent that it waits for
    /// ends at a parent that nobody adds, or comes back to one that was passed.
    fn why_none_can_be_added(&self, waiting: &[(String, Vec<String>)]) -> GrowError {
        let parents_of: HashMap<&str, &[String]> =
            waiting.iter().map(|(name, parents)| (&**name, &**parents)).collect();
        let mut passed: Vec<&str> = vec![&waiting[0].0];
        loop {
            let parents = parents_of[passed[passed.len() - 1]];
            let missing = parents.iter().find(|parent| self.id(parent).is_none());
            let missing: &str = missing.expect("a concept that waits lacks a parent");
            if !parents_of.contains_key(missing) {
                return GrowError::NoParent(missing.to_owned());
            }
            if let Some(start) = passed.iter().position(|&name| name == missing) {
                passed.push(missing);
                return GrowError::Cycle(passed[start..].join(" is-a "));
            }
            passed.push(missing);
        }
    }

    /// The model with everything that was added, checked on every pair.
    ///
    /// # Errors
    ///
    /// When the work is cancelled.
    pub fn finish(self, progress: &dyn Progress) -> Result<Grown, GrowError> {
        let old = self.model.hierarchy();
        let mut builder = HierarchyBuilder::default();
        for concept in old.ids() {
            let new = builder.concept(old.name(concept))?;
            builder.texts_of(new, old, concept);
        }
        for name in self.new.texts().iter() {
            builder.concept(name)?;
        }
        for (concept, definition) in &self.definitions {
            builder.definition(*concept, definition);
        }
        for (child, parents) in (0..).zip(&self.parents) {
            parents.iter().for_each(|&parent| builder.link(child, parent));
        }
        old.aliases().iter().for_each(|(alias, concept)| builder.alias(concept, alias));
        let arranged = builder.build_ordered(Cycles::Refuse);
        let (hierarchy, order) = arranged.expect("new concepts are added below old ones only");
        let (appended_bits, changed) = (self.fitting.appended_bits(), self.changed());
        let codes = self.fitting.into_codes().reordered(&order);
        let model = Model::new(hierarchy, codes).expect("there is a code for each concept");
        let evaluation = evaluate::all_pairs_with(model.codes(), model.hierarchy(), progress)?;
        Ok(Grown {
            model: model.with_notes_of(&self.model).with_check(&evaluation),
            evaluation,
            added: self.new.len(),
            appended_bits,
            changed,
        })
    }

    /// How many old concepts have an appended bit.
    fn changed(&self) -> usize {
        let (codes, given) = (self.fitting.codes(), self.model.codes().bits());
        let has_one = |concept: &Id| (given..codes.bits()).any(|bit| codes.get(*concept, bit));
        self.model.hierarchy().ids().filter(has_one).count()
    }

    fn id(&self, name: &str) -> Option<Id> {
        let old = self.model.hierarchy();
        old.id(name).or_else(|| self.new.id(name).map(|new| id(old.len()) + new))
    }

    fn append(&mut self, code: &[u64], parents: Vec<Id>) {
        let new = id(self.parents.len());
        self.fitting.push(code);
        parents.iter().for_each(|&parent| self.children[parent as usize].push(new));
        self.parents.push(parents);
        self.children.push(Vec::new());
    }
}

/// Everything that `from` leads to, including `from`.
fn reached(from: &[Id], next: &[Vec<Id>]) -> IdSet {
    let mut found = IdSet::new(next.len());
    let mut open = from.to_vec();
    while let Some(concept) = open.pop() {
        if !found.contains(concept) {
            found.insert(concept);
            open.extend(&next[concept as usize]);
        }
    }
    found
}
