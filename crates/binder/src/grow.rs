//! New concepts under old codes.
//!
//! A new concept `x` under parents `P` takes all their bits and a few more. No bit that anyone has
//! is changed; exactness asks for two things:
//!
//! * nobody looks *below* `x`: whoever has all bits of the parents must lack one of the bits that
//!   `x` takes on top;
//! * nobody looks *above* `x` but the parents and what is above them: no other code may lie within
//!   the bits of `x`.
//!
//! ```text
//!         animal 000       kitten under cat: takes cat's 101 and one bit more. Nobody else has 101, so the bit only has to
//!        /        \        leave every other code sticking out: with 010 kitten would be a dog (010), too.
//!    pet 100     dog 010   No bit is left: a column is appended, which kitten alone has.
//!     /    \      /
//! cat 101   puppy 110      kitten 1011
//! ```
//!
//! A column is appended in two cases: where no bits on top will do, and where two parents together
//! cover a concept that is above neither. In the second case the concepts covered get the new bit,
//! with all below them; that is the only thing that is ever added to an old code.

use crate::bits::{Block, Id, IdSet, id, ones};
use crate::codes::{Codes, CodesError, Columns};
use crate::evaluate::{self, Evaluation};
use crate::hierarchy::{Cycles, HierarchyBuilder, Names, TooManyNames};
use crate::model::Model;
use crate::progress::{Cancelled, Progress};

/// Why a concept could not be added.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrowError {
    /// There is such a concept.
    #[error("{0}: there is a concept of that name already")]
    Exists(String),
    /// There is no such concept.
    #[error("{0}: no such concept, so nothing can be added under it")]
    NoParent(String),
    /// A concept under nothing.
    #[error("{0}: a new concept needs a parent")]
    NoParents(String),
    /// A code that a concept has already.
    #[error("{name}: {same} has the same code, so it is that concept already")]
    Same {
        /// The name of the concept that was to be added.
        name: String,
        /// The concept that has the code.
        same: String,
    },
    /// A code of another width than those of the model.
    #[error("{name}: a code of {given} words for a model whose codes have {wanted}")]
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

/// A model that has grown, and what is known of it.
#[derive(Debug)]
pub struct Grown {
    /// The model; its notes are the old ones and those of the check.
    pub model: Model,
    /// What the check of all pairs found.
    pub evaluation: Evaluation,
    /// How many concepts were added.
    pub added: usize,
    /// How many bits were appended to every code.
    pub appended_bits: usize,
}

/// A model that grows.
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
    /// The names of new concepts; their ids follow those of the old.
    new: Names,
    /// The parents of each concept, old ones first.
    parents: Vec<Vec<Id>>,
    /// The children of each concept; `parents` turned round.
    children: Vec<Vec<Id>>,
    /// A code for each, and the same by columns.
    codes: Codes,
    columns: Columns,
}

impl Growth {
    /// A model to add to.
    pub fn new(model: &Model) -> Self {
        let hierarchy = model.hierarchy();
        let lists = |of: &dyn Fn(Id) -> Vec<Id>| hierarchy.ids().map(of).collect::<Vec<_>>();
        Self {
            model: model.clone(),
            new: Names::default(),
            parents: lists(&|concept| hierarchy.parents(concept).to_vec()),
            children: lists(&|concept| hierarchy.children(concept).to_vec()),
            codes: model.codes().clone(),
            columns: Columns::new(model.codes()),
        }
    }

    /// How wide the codes are by now.
    pub fn bits(&self) -> usize {
        self.codes.bits()
    }

    /// How many concepts have been added.
    pub fn added(&self) -> usize {
        self.new.len()
    }

    /// Adds a concept under parents, old or new.
    pub fn add(&mut self, name: &str, parents: &[&str]) -> Result<(), GrowError> {
        let parents = self.new_parents(name, parents)?;
        let above = self.reached(&parents, &self.parents);
        self.uncover(&parents, &above)?;
        let code = self.code_under(&parents, &above)?;
        self.new.intern(name)?;
        self.append(&code, parents);
        Ok(())
    }

    /// Adds what is all of some concepts at once: below each of them, above everything that is
    /// below all of them.
    ///
    /// Its code is the meet of theirs. Where that covers a concept that is above none of them, a
    /// column is appended that tells them apart, as for [`add`](Self::add); so it is exact, which
    /// the bare code ([`add_code`](Self::add_code)) need not be.
    pub fn add_meet(&mut self, name: &str, of: &[&str]) -> Result<(), GrowError> {
        let parents = self.new_parents(name, of)?;
        let above = self.reached(&parents, &self.parents);
        self.uncover(&parents, &above)?;
        self.insert(name, &self.inherited(&parents))
    }

    /// Adds a concept with a code of its own ([`crate::query::Index::evaluate`]): below everything
    /// whose bits the code has, above everything that has all of its bits. No column is appended
    /// and no code changes.
    pub fn add_code(&mut self, name: &str, code: &[u64]) -> Result<(), GrowError> {
        if self.id(name).is_some() {
            return Err(GrowError::Exists(name.to_owned()));
        }
        let wanted = self.codes.words_per_row();
        if code.len() != wanted {
            return Err(GrowError::Width { name: name.to_owned(), given: code.len(), wanted });
        }
        self.insert(name, code)
    }

    /// Puts a concept between those above and below its code.
    fn insert(&mut self, name: &str, code: &[u64]) -> Result<(), GrowError> {
        let (above, below) = (self.columns.subsets(code), self.columns.supersets(code));
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
        let new = id(self.codes.len());
        self.append(code, parents);
        for child in children {
            self.parents[child as usize].push(new);
            self.children[new as usize].push(child);
        }
        Ok(())
    }

    /// The parents that a new concept is to have.
    fn new_parents(&self, name: &str, parents: &[&str]) -> Result<Vec<Id>, GrowError> {
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

    /// Adds concepts, each with its parents, in any order: a concept waits for those of its parents
    /// that are new too.
    ///
    /// # Errors
    ///
    /// When one of them cannot be added.
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
                let (name, parents) = &still[0];
                self.add(name, &parents.iter().map(String::as_str).collect::<Vec<_>>())?;
            }
            waiting = still;
        }
        Ok(())
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
            old.label(concept).into_iter().for_each(|label| builder.label(new, label));
        }
        for name in self.new.texts().iter() {
            builder.concept(name)?;
        }
        for (child, parents) in (0..).zip(&self.parents) {
            parents.iter().for_each(|&parent| builder.link(child, parent));
        }
        old.aliases().iter().for_each(|(alias, concept)| builder.alias(concept, alias));
        let arranged = builder.build_ordered(Cycles::Refuse);
        let (hierarchy, order) = arranged.expect("new concepts are added below old ones only");
        let codes = self.codes.reordered(&order);
        let model = Model::new(hierarchy, codes).expect("there is a code for each concept");
        let evaluation = evaluate::all_pairs_with(model.codes(), model.hierarchy(), progress)?;
        Ok(Grown {
            model: model.with_notes_of(&self.model).with_check(&evaluation),
            evaluation,
            added: self.new.len(),
            appended_bits: self.codes.bits() - self.model.codes().bits(),
        })
    }

    fn id(&self, name: &str) -> Option<Id> {
        let old = self.model.hierarchy();
        old.id(name).or_else(|| self.new.id(name).map(|new| id(old.len()) + new))
    }

    /// Everything that `from` leads to, itself included.
    fn reached(&self, from: &[Id], next: &[Vec<Id>]) -> IdSet {
        let mut found = IdSet::new(self.codes.len());
        let mut open = from.to_vec();
        while let Some(concept) = open.pop() {
            if !found.contains(concept) {
                found.insert(concept);
                open.extend(&next[concept as usize]);
            }
        }
        found
    }

    /// All bits of the parents.
    fn inherited(&self, parents: &[Id]) -> Vec<u64> {
        let mut code = vec![0; self.codes.words_per_row()];
        for &parent in parents {
            code.iter_mut().zip(self.codes.row(parent)).for_each(|(all, word)| *all |= word);
        }
        code
    }

    /// Appends a column for those that the parents together cover without being below them, if
    /// there are any.
    fn uncover(&mut self, parents: &[Id], above: &IdSet) -> Result<(), GrowError> {
        let looks_above = self.columns.subsets(&self.inherited(parents));
        let covered: Vec<Id> =
            looks_above.iter().filter(|&concept| !above.contains(concept)).collect();
        if !covered.is_empty() {
            let below = self.reached(&covered, &self.children);
            self.append_column(&below)?;
        }
        Ok(())
    }

    /// The parents' bits and as many more as it takes that nobody looks below; in a new column if
    /// it must be.
    fn code_under(&mut self, parents: &[Id], above: &IdSet) -> Result<Vec<u64>, GrowError> {
        let mut code = self.inherited(parents);
        let mut below: Vec<Id> = self.columns.supersets(&code).iter().collect();
        while !below.is_empty() {
            let Some(bit) = self.best_bit(&code, &below, above) else {
                self.append_column(&IdSet::new(self.codes.len()))?;
                let bit = self.codes.bits() - 1;
                code = self.inherited(parents);
                code[bit / 64] |= 1 << (bit % 64);
                break;
            };
            code[bit / 64] |= 1 << (bit % 64);
            below.retain(|&concept| self.codes.get(concept, bit));
        }
        Ok(code)
    }

    /// The bit that most of those below lack, among the bits with which nobody new looks above.
    fn best_bit(&self, code: &[u64], below: &[Id], above: &IdSet) -> Option<usize> {
        let mut free: Vec<bool> =
            (0..self.codes.bits()).map(|bit| code[bit / 64] >> (bit % 64) & 1 == 0).collect();
        self.columns.near_above(code, |block, _, one| {
            let others = one
                .iter()
                .map(|at| id(block * Block::SIZE) + at)
                .filter(|&concept| !above.contains(concept));
            for concept in others {
                for (word, (mine, other)) in code.iter().zip(self.codes.row(concept)).enumerate() {
                    ones(other & !mine).for_each(|bit| free[word * 64 + bit as usize] = false);
                }
            }
        });
        let having = self.codes.column_counts(below);
        let best =
            (0..self.codes.bits()).filter(|&bit| free[bit]).min_by_key(|&bit| having[bit])?;
        ((having[best] as usize) < below.len()).then_some(best)
    }

    fn append_column(&mut self, having: &IdSet) -> Result<(), GrowError> {
        let bit = self.codes.bits();
        self.codes = self.codes.widened(1)?;
        having.iter().for_each(|concept| self.codes.set(concept, bit, true));
        self.columns = Columns::new(&self.codes);
        Ok(())
    }

    fn append(&mut self, code: &[u64], parents: Vec<Id>) {
        let new = id(self.codes.len());
        self.codes.push(code);
        self.columns.push(code);
        parents.iter().for_each(|&parent| self.children[parent as usize].push(new));
        self.parents.push(parents);
        self.children.push(Vec::new());
    }
}
