//! Questions to a model, answered from its codes: which concepts are above and below, what several
//! concepts have in common, and why.
//!
//! ```text
//!      animal  000        "who is a pet?"          who has every bit of 100: pet, cat, puppy
//!      /    \             "what is a cat?"         whose bits does 101 have: animal, pet, cat
//!   pet 100  dog 010      "both pet and dog?"      100 OR 010 = 110, and who has it: puppy
//!    /    \  /            "cat and puppy, both?"   101 AND 110 = 100, and who is that: pet
//! cat 101  puppy 110
//! ```
//!
//! With exact codes, every answer is that of the hierarchy. With trained codes, it is what the
//! codes say. Only similarity along the hierarchy ([`Measure::Path`], [`Measure::WuPalmer`] and
//! [`Measure::Lin`]) uses the pairs that the model holds.
//!
//! ```
//! use binder::Hierarchy;
//!
//! let pets = [
//!     ("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog"),
//! ];
//! let index = binder::encode(&Hierarchy::from_pairs(pets)?)?.into_index();
//!
//! assert!(index.is_a("puppy", "animal")?);
//! let lowest: Vec<_> = index.join(["cat", "puppy"])?.nearest_above().map(|c| c.name()).collect();
//! assert_eq!(lowest, ["pet"]);
//! let both = index.evaluate("pet & dog")?;
//! assert_eq!(both.below.iter().map(|id| index.name(id)).collect::<Vec<_>>(), ["puppy"]);
//! # Ok::<(), binder::Error>(())
//! ```

mod algebra;
mod concept;
mod define;
mod error;
mod explain;
mod expression;
mod neighbourhood;
mod order;
mod ranges;
mod reading;
mod similar;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

pub use algebra::{Complement, Derived, FormalConcept};
pub use concept::{Concept, Term};
pub use define::DefineError;
pub use error::{ExpressionError, QueryError};
pub use explain::{BitMeaning, Description, Explanation};
pub use expression::Expression;
pub use neighbourhood::Neighbourhood;
pub use reading::Reading;
pub use similar::Measure;

use rayon::prelude::*;

use crate::bits::{Id, IdSet};
use crate::codes::{Codes, Columns};
use crate::graph::Rows;
use crate::hierarchy::{Hierarchy, Ranks};
use crate::lookup::NameIndex;
use crate::model::{Encoded, Model};

/// A model that is ready to answer questions. It is cheap to build: what only some questions need
/// is built on first use.
#[derive(Debug)]
pub struct Index {
    model: Model,
    columns: Columns,
    /// The number of bits of each concept: fewer than any concept strictly below it has.
    sizes: Vec<u16>,
    /// For each concept that shares its code with others: those others. Empty if codes are exact.
    twins: HashMap<Id, Vec<Id>>,
    names: OnceLock<NameIndex>,
    /// Whether only whole names and alternative ids stand for concepts.
    exact_names: bool,
    /// The most general concepts with each bit.
    owners: Vec<OnceLock<Vec<Id>>>,
    /// The nearest strict hypernyms of each concept.
    nearest_above: OnceLock<Rows>,
    /// Intrinsic information content of each concept.
    contents: OnceLock<Vec<f64>>,
    /// An order in which the descendants of each concept are few ranges.
    ranks: OnceLock<Ranks>,
}

impl Model {
    /// Turns the model into an index that answers questions.
    pub fn into_index(self) -> Index {
        let columns = Columns::new(self.codes());
        Index::new(self, columns)
    }
}

impl Encoded {
    /// Turns the model into an index that answers questions. The columns of the check are reused.
    pub fn into_index(self) -> Index {
        Index::new(self.model, self.columns)
    }
}

impl Index {
    /// An index of a model whose columns are known.
    fn new(model: Model, columns: Columns) -> Self {
        let codes = model.codes();
        let (sizes, twins) = (sizes(codes), twins(codes));
        let owners = (0..codes.bits()).map(|_| OnceLock::new()).collect();
        let (names, nearest_above, contents) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self {
            model,
            columns,
            sizes,
            twins,
            names,
            exact_names: false,
            owners,
            nearest_above,
            contents,
            ranks: OnceLock::new(),
        }
    }

    /// Builds now what is otherwise built on first use, so that no question has to wait for it.
    pub fn warm_up(&self) {
        self.names();
        self.tops(&IdSet::all(self.codes().len()));
        (0..self.codes().bits())
            .into_par_iter()
            .for_each(|bit| _ = self.owners(u16::try_from(bit).expect("MAX_BITS fits")));
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The codes.
    pub fn codes(&self) -> &Codes {
        self.model.codes()
    }

    /// The concepts and the pairs of the model.
    pub fn hierarchy(&self) -> &Arc<Hierarchy> {
        self.model.hierarchy()
    }

    /// A concept's name.
    ///
    /// # Panics
    ///
    /// When no concept has that id.
    pub fn name(&self, concept: Id) -> &str {
        self.hierarchy().name(concept)
    }

    /// The index of names, alternative ids, labels and synonyms.
    pub fn names(&self) -> &NameIndex {
        self.names.get_or_init(|| NameIndex::new(self.hierarchy()))
    }

    /// The same index, but only whole names and alternative ids stand for concepts in questions.
    /// This is for programs, which are to fail where people are to be understood.
    #[must_use]
    pub fn with_exact_names(mut self, exact: bool) -> Self {
        self.exact_names = exact;
        self
    }

    /// A concept, with its name, label and code.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn concept(&self, concept: impl Term) -> Result<Concept<'_>, QueryError> {
        Ok(Concept { index: self, id: concept.resolve(self)? })
    }

    /// Whether `child` is-a `parent`; true of a concept and itself.
    ///
    /// # Errors
    ///
    /// When one of them is not known.
    pub fn is_a(&self, child: impl Term, parent: impl Term) -> Result<bool, QueryError> {
        Ok(self.codes().is_a(child.resolve(self)?, parent.resolve(self)?))
    }

    /// Everything above a concept, without itself.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn hypernyms(&self, concept: impl Term) -> Result<IdSet, QueryError> {
        Ok(self.above(concept.resolve(self)?))
    }

    /// Everything below a concept, without itself.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn hyponyms(&self, concept: impl Term) -> Result<IdSet, QueryError> {
        Ok(self.below(concept.resolve(self)?))
    }

    /// The nearest hypernyms: the parents according to the codes.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn parents(&self, concept: impl Term) -> Result<Vec<Id>, QueryError> {
        Ok(self.most_specific(&self.hypernyms(concept)?))
    }

    /// The nearest hyponyms: the children according to the codes.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn children(&self, concept: impl Term) -> Result<Vec<Id>, QueryError> {
        Ok(self.tops(&self.hyponyms(concept)?))
    }

    /// The number of concepts below a concept, without itself.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn count_hyponyms(&self, concept: impl Term) -> Result<u64, QueryError> {
        Ok(self.columns.count_supersets(self.codes().row(concept.resolve(self)?)) - 1)
    }

    /// The number of concepts above a concept, without itself.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn count_hypernyms(&self, concept: impl Term) -> Result<u64, QueryError> {
        Ok(self.columns.count_subsets(self.codes().row(concept.resolve(self)?)) - 1)
    }

    fn above(&self, concept: Id) -> IdSet {
        let mut found = self.columns.subsets(self.codes().row(concept));
        found.remove(concept);
        found
    }

    fn below(&self, concept: Id) -> IdSet {
        let mut found = self.columns.supersets(self.codes().row(concept));
        found.remove(concept);
        found
    }
}

/// The number of bits that are set in a code.
fn size(code: &[u64]) -> u16 {
    u16::try_from(code.iter().map(|word| word.count_ones()).sum::<u32>()).expect("MAX_BITS fits")
}

fn sizes(codes: &Codes) -> Vec<u16> {
    codes.rows().map(size).collect()
}

/// For each concept that shares its code: the other concepts with that code.
fn twins(codes: &Codes) -> HashMap<Id, Vec<Id>> {
    let mut twins = HashMap::new();
    if codes.equal_pairs() == 0 {
        return twins;
    }
    let mut groups: HashMap<&[u64], Vec<Id>> = HashMap::new();
    for (concept, row) in (0..).zip(codes.rows()) {
        groups.entry(row).or_default().push(concept);
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        for &one in &group {
            twins.insert(one, group.iter().copied().filter(|&other| other != one).collect());
        }
    }
    twins
}
