//! From words to concepts: one way for the command line, the prompt, the server and Python.
//!
//! A text means the concept with that **name** or alternative id. Otherwise it may be another
//! spelling of an **identifier** (`schema:Dentist` for `https://schema.org/Dentist`, and the other
//! way round), then a **label** or a **synonym**, whatever the case, with `_`, `-` or a space
//! between words, in the singular or the plural, and last the **beginning** of one.
//!
//! Several concepts may share a word. Then the closest kind of match comes first, then the rank
//! that the source gives ([`Synonym::rank`](crate::hierarchy::Synonym)), then the concept with more
//! below it.
//!
//! ```
//! use binder::lookup::{Match, NameIndex};
//!
//! let animals = binder::Hierarchy::read("wordnet-animals")?;
//! let names = NameIndex::new(&animals);
//! let dogs = names.meanings("Dogs", &animals).unwrap();
//! assert_eq!((animals.name(dogs.concepts[0]), dogs.by), ("dog.n.01", Match::Label));
//!
//! // A search finds words in any order, and forgives typing errors.
//! let first = |text| names.search(text, 1).first().map(|hit| animals.name(hit.concept));
//! assert_eq!(first("retriever golden"), Some("golden_retriever.n.01"));
//! assert_eq!(first("elefant"), Some("elephant.n.01"));
//! # Ok::<(), binder::read::ReadError>(())
//! ```

mod identifier;
mod index;
mod inflection;
mod keys;
mod search;
mod spelling;

pub use index::{Meanings, NameIndex};
pub use search::Hit;

use crate::choice::choices;
use crate::hierarchy::Scope;

choices! {
    /// How a text leads to a concept, the surest way first.
    #[derive(PartialOrd, Ord)]
    pub enum Match {
        /// It is the name, or an alternative id
        Name = "name",
        /// It is another spelling of the name, as a CURIE or an IRI
        Identifier = "identifier",
        /// It is the label, or the local name of an IRI
        Label = "label",
        /// It is an exact synonym
        Synonym = "synonym",
        /// It is a narrower, broader or related synonym
        Loose = "loose-synonym",
        /// It is the beginning of a name, a label or a synonym
        Beginning = "beginning",
        /// It is somewhere in a name, a label or a synonym, or spelt much like one
        Similar = "similar",
    }
}

impl From<Scope> for Match {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Exact => Self::Synonym,
            Scope::Narrow | Scope::Broad | Scope::Related | Scope::Other => Self::Loose,
        }
    }
}
