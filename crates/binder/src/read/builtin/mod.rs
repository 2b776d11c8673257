//! Hierarchies that are part of the library.
//!
//! WordNet 3.0 (see `LICENSE.wordnet` beside this file) is packed by `scripts/make-builtins`; nouns
//! and verbs are in three files each. `packed.rs` describes them.

mod packed;

#[doc(hidden)]
pub use packed::{Root, Unpacked, pack_glosses, pack_pairs, pack_senses};

use crate::choice::choices;
use crate::hierarchy::Hierarchy;
use packed::ENTITY;

/// The 82,114 nouns without their root, their lemmas, and their 84,363 direct pairs.
static NOUNS: &[u8] = include_bytes!("wordnet-nouns.zst");

/// For each noun, the place of the concept among the senses of each lemma.
static NOUN_SENSES: &[u8] = include_bytes!("wordnet-nouns-senses.zst");

/// The glosses of all nouns, with the root.
static NOUN_GLOSSES: &[u8] = include_bytes!("wordnet-nouns-glosses.zst");

/// The 13,767 verbs, their lemmas, and their direct pairs.
static VERBS: &[u8] = include_bytes!("wordnet-verbs.zst");

/// As for the nouns.
static VERB_SENSES: &[u8] = include_bytes!("wordnet-verbs-senses.zst");

/// As for the nouns.
static VERB_GLOSSES: &[u8] = include_bytes!("wordnet-verbs-glosses.zst");

/// Our replacement for the paper's case study of 15 entities, which was never published.
static TOY: &str = include_str!("toy.tsv");

choices! {
    /// A hierarchy that is part of the library.
    pub enum Builtin {
        /// WordNet 3.0's nouns with their root entity.n.01, glosses and the order of senses: 82,115
        /// concepts
        Wordnet = "wordnet",
        /// The nouns as benchmarks have them, without the root entity.n.01 and without glosses:
        /// 82,114 concepts
        WordnetNouns = "wordnet-nouns",
        /// WordNet 3.0's verbs with glosses and the order of senses: 13,767 concepts
        WordnetVerbs = "wordnet-verbs",
        /// animal.n.01 and everything below it: 4,017 concepts
        WordnetAnimals = "wordnet-animals",
        /// 15 concepts to try things on
        Toy = "toy",
    }
}

impl Builtin {
    /// Unpacks the hierarchy. Glosses stay packed until one is asked for.
    ///
    /// # Examples
    ///
    /// ```
    /// use binder::read::Builtin;
    /// let toy = Builtin::Toy.load();
    /// assert_eq!((toy.len(), toy.direct()), (15, 14));
    ///
    /// let verbs = Builtin::WordnetVerbs.load();
    /// let walk = verbs.id("walk.v.01").unwrap();
    /// assert!(verbs.definition(walk).unwrap().starts_with("use one's feet to advance"));
    /// ```
    pub fn load(self) -> Hierarchy {
        match self {
            Self::Wordnet => whole(NOUNS, NOUN_SENSES, Some(&ENTITY), NOUN_GLOSSES),
            Self::WordnetNouns => nouns(),
            Self::WordnetVerbs => whole(VERBS, VERB_SENSES, None, VERB_GLOSSES),
            Self::WordnetAnimals => {
                let nouns = nouns();
                nouns.below(nouns.id("animal.n.01").expect("WordNet has animals"))
            }
            Self::Toy => {
                let pairs = TOY.lines().filter_map(|line| line.split_once('\t'));
                Hierarchy::from_pairs(pairs).expect("the toy has no cycle")
            }
        }
    }
}

/// What is packed is part of this library and tested.
const PACKED: &str = "the packed WordNet is part of this library and tested";

fn nouns() -> Hierarchy {
    Unpacked::pairs(NOUNS, None).and_then(Unpacked::build).expect(PACKED)
}

fn whole(pairs: &[u8], senses: &[u8], root: Option<&Root>, glosses: &'static [u8]) -> Hierarchy {
    let unpacked = Unpacked::pairs(pairs, root).and_then(|unpacked| unpacked.with_senses(senses));
    unpacked.and_then(Unpacked::build).expect(PACKED).with_packed_definitions(glosses)
}
