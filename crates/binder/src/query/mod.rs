//! Questions to a model, answered from its codes: who is above and below, what several concepts have in common, why.
//!
//! ```text
//!      animal  000        "who is a pet?"          who has every bit of 100: pet, cat, puppy
//!      /    \             "what is a cat?"         whose bits does 101 have: animal, pet, cat
//!   pet 100  dog 010      "both pet and dog?"      100 OR 010 = 110, and who has it: puppy
//!    /    \  /            "cat and puppy, both?"   101 AND 110 = 100, and who is that: pet
//! cat 101  puppy 110
//! ```
//!
//! On exact codes every answer is that of the hierarchy; on learnt codes it is what the codes say. Only similarity along the
//! hierarchy ([`Measure::Path`] and its like) looks at the pairs that the model keeps.
//!
//! ```
//! use binder::encode::{EncodeParams, encode};
//! use binder::{Hierarchy, Model, query::Index};
//!
//! let pets = Hierarchy::from_pairs([("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")])?;
//! let codes = encode(&pets, &EncodeParams::default(), &())?.codes;
//! let index = Index::new(Model::new(&pets, codes)?);
//!
//! let (cat, puppy) = (index.find("cat")?, index.find("puppy")?);
//! let common = index.join(&[cat, puppy]);
//! let lowest: Vec<_> = index.most_specific(&common.above).into_iter().map(|id| index.name(id)).collect();
//! assert_eq!(lowest, ["pet"]);
//! let both = index.evaluate("pet & dog")?;
//! assert_eq!(both.below.iter().map(|id| index.name(id)).collect::<Vec<_>>(), ["puppy"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
mod error;
mod explain;
mod expression;
mod names;
mod neighbourhood;
mod order;
mod similar;
mod spelling;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use algebra::{Complement, Derived, FormalConcept};
pub use error::{ExpressionError, QueryError};
pub use explain::{BitMeaning, Description, Explanation};
pub use expression::Expression;
pub use names::{Hit, NameIndex};
pub use neighbourhood::Neighbourhood;
pub use similar::Measure;

use rayon::prelude::*;

use crate::codes::{RowSet, ones};
use crate::hierarchy::{Id, Rows};
use crate::{Codes, Columns, Hierarchy, Model};

/// A model made ready to be asked. Cheap to make: what only some questions need is made when the first of them comes.
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

impl Index {
    /// Makes a model ready.
    pub fn new(model: Model) -> Self {
        let codes = model.codes();
        let (columns, sizes, twins) = (Columns::new(codes), sizes(codes), twins(codes));
        let owners = (0..codes.bits()).map(|_| OnceLock::new()).collect();
        let (names, nearest_above, contents) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { model, columns, sizes, twins, names, owners, nearest_above, contents }
    }

    /// Makes now what is otherwise made when first asked for, so that nobody has to wait for it.
    pub fn warm_up(&self) {
        self.names();
        self.tops(&RowSet::all(self.codes().len()));
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

    /// The codes by columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The concepts and the pairs that the model keeps.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.model.hierarchy()
    }

    /// A concept's name.
    pub fn name(&self, concept: Id) -> &str {
        self.hierarchy().name(concept)
    }

    /// The names, to be searched.
    pub fn names(&self) -> &NameIndex {
        self.names.get_or_init(|| NameIndex::new(self.hierarchy()))
    }

    /// The concept that a name, an alias, a label or the unique beginning of one stands for.
    pub fn find(&self, name: &str) -> Result<Id, QueryError> {
        match self.hierarchy().id(name) {
            Some(concept) => Ok(concept),
            None => self.names().find(name, self.hierarchy()),
        }
    }

    /// Whether `child` is-a `parent`; true of a concept and itself.
    pub fn is_a(&self, child: Id, parent: Id) -> bool {
        self.codes().is_a(child, parent)
    }

    /// Everything above a concept, without itself.
    pub fn hypernyms(&self, concept: Id) -> RowSet {
        let mut found = self.columns.subsets(self.codes().row(concept));
        found.remove(concept);
        found
    }

    /// Everything below a concept, without itself.
    pub fn hyponyms(&self, concept: Id) -> RowSet {
        let mut found = self.columns.supersets(self.codes().row(concept));
        found.remove(concept);
        found
    }

    /// The nearest of the hypernyms: the parents, as the codes have them.
    pub fn parents(&self, concept: Id) -> Vec<Id> {
        self.most_specific(&self.hypernyms(concept))
    }

    /// The nearest of the hyponyms: the children, as the codes have them.
    pub fn children(&self, concept: Id) -> Vec<Id> {
        self.tops(&self.hyponyms(concept))
    }

    /// How many concepts are below a concept.
    pub fn count_hyponyms(&self, concept: Id) -> u64 {
        self.columns.count_supersets(self.codes().row(concept)) - 1
    }

    /// How many concepts are above a concept.
    pub fn count_hypernyms(&self, concept: Id) -> u64 {
        self.columns.count_subsets(self.codes().row(concept)) - 1
    }

    /// The bits of a concept, ascending.
    pub fn bits(&self, concept: Id) -> Vec<u16> {
        bits_of(self.codes().row(concept))
    }
}

/// The bits of a code, ascending.
pub(crate) fn bits_of(code: &[u64]) -> Vec<u16> {
    let bit = |word: usize, bit: u32| u16::try_from(word * 64 + bit as usize).expect("MAX_BITS fits");
    code.iter().enumerate().flat_map(|(at, &word)| ones(word).map(move |one| bit(at, one))).collect()
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
