//! Questions to a model, answered from its codes: who is above and below, what several concepts
//! have in common, why.
//!
//! ```text
//!      animal  000        "who is a pet?"          who has every bit of 100: pet, cat, puppy
//!      /    \             "what is a cat?"         whose bits does 101 have: animal, pet, cat
//!   pet 100  dog 010      "both pet and dog?"      100 OR 010 = 110, and who has it: puppy
//!    /    \  /            "cat and puppy, both?"   101 AND 110 = 100, and who is that: pet
//! cat 101  puppy 110
//! ```
//!
//! On exact codes every answer is that of the hierarchy; on learnt codes it is what the codes say.
//! Only similarity along the hierarchy ([`Measure::Path`] and its like) looks at the pairs that the
//! model keeps.
//!
//! ```
//! use binder::Hierarchy;
//!
//! let pets = [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")];
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
mod error;
mod explain;
mod expression;
mod grow;
mod names;
mod neighbourhood;
mod order;
mod similar;
mod spelling;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

pub use algebra::{Complement, Derived, FormalConcept};
pub use concept::{Concept, Term};
pub use error::{ExpressionError, QueryError};
pub use explain::{BitMeaning, Description, Explanation};
pub use expression::Expression;
pub use grow::DefineError;
pub use names::{Hit, NameIndex};
pub use neighbourhood::Neighbourhood;
pub use similar::Measure;

use rayon::prelude::*;

use crate::bits::{Id, IdSet};
use crate::codes::{Codes, Columns};
use crate::graph::Rows;
use crate::hierarchy::Hierarchy;
use crate::model::{Encoded, Model};

/// A model made ready to be asked. Cheap to make: what only some questions need is made when the
/// first of them comes.
#[derive(Debug)]
pub struct Index {
    model: Model,
    columns: Columns,
    /// How many bits each concept has: fewer than anything strictly below it.
    sizes: Vec<u16>,
    /// For each concept that shares its code with others, those others. Empty on exact codes.
    twins: HashMap<Id, Vec<Id>>,
    names: OnceLock<NameIndex>,
    /// The most general concepts with each bit.
    owners: Vec<OnceLock<Vec<Id>>>,
    /// The nearest strict hypernyms of each concept.
    nearest_above: OnceLock<Rows>,
    /// Intrinsic information content of each concept.
    contents: OnceLock<Vec<f64>>,
}

impl Model {
    /// The model made ready to be asked.
    pub fn into_index(self) -> Index {
        let columns = Columns::new(self.codes());
        Index::new(self, columns)
    }
}

impl Encoded {
    /// The model made ready to be asked; the columns of the check are used again.
    pub fn into_index(self) -> Index {
        Index::new(self.model, self.columns)
    }
}

impl Index {
    /// Makes a model ready, whose columns are at hand.
    fn new(model: Model, columns: Columns) -> Self {
        let codes = model.codes();
        let (sizes, twins) = (sizes(codes), twins(codes));
        let owners = (0..codes.bits()).map(|_| OnceLock::new()).collect();
        let (names, nearest_above, contents) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { model, columns, sizes, twins, names, owners, nearest_above, contents }
    }

    /// Makes now what is otherwise made when first asked for, so that nobody has to wait for it.
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

    /// The concepts and the pairs that the model keeps.
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

    /// The names, to be searched.
    pub fn names(&self) -> &NameIndex {
        self.names.get_or_init(|| NameIndex::new(self.hierarchy()))
    }

    /// The concept that a name, an alias, a label or the unique beginning of one stands for.
    ///
    /// # Errors
    ///
    /// When there is no such concept, or when several may be meant.
    pub fn find(&self, name: &str) -> Result<Id, QueryError> {
        match self.hierarchy().id(name) {
            Some(concept) => Ok(concept),
            None => self.names().find(name, self.hierarchy()),
        }
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

    /// The nearest of the hypernyms: the parents, as the codes have them.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn parents(&self, concept: impl Term) -> Result<Vec<Id>, QueryError> {
        Ok(self.most_specific(&self.hypernyms(concept)?))
    }

    /// The nearest of the hyponyms: the children, as the codes have them.
    ///
    /// # Errors
    ///
    /// When the concept is not known.
    pub fn children(&self, concept: impl Term) -> Result<Vec<Id>, QueryError> {
        Ok(self.tops(&self.hyponyms(concept)?))
    }

    /// How many concepts are below a concept.
    ///
    /// # Errors
    ///
    /// When it is not known.
    pub fn count_hyponyms(&self, concept: impl Term) -> Result<u64, QueryError> {
        Ok(self.columns.count_supersets(self.codes().row(concept.resolve(self)?)) - 1)
    }

    /// How many concepts are above a concept.
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

/// How many bits a code has.
fn size(code: &[u64]) -> u16 {
    u16::try_from(code.iter().map(|word| word.count_ones()).sum::<u32>()).expect("MAX_BITS fits")
}

fn sizes(codes: &Codes) -> Vec<u16> {
    codes.rows().map(size).collect()
}

/// Concepts with equal codes, each with the others.
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
