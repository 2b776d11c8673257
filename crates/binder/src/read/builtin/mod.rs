//! Hierarchies that are part of the library.
//!
//! `wordnet-nouns` is WordNet 3.0 (see `LICENSE.wordnet` beside this file), packed by
//! `scripts/make-builtins`: zstd over one line per concept in the order of the ids,
//! `name TAB label TAB distance…`, where each distance stands for the parent `id - distance`.

use crate::bits::Id;
use crate::choice::choices;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder};

/// The 82,114 nouns, their labels, and their 84,363 direct pairs.
static WORDNET_NOUNS: &[u8] = include_bytes!("wordnet-nouns.zst");

/// Our replacement for the paper's case study of 15 entities, which was never published.
static TOY: &str = include_str!("toy.tsv");

choices! {
    /// A hierarchy that is part of the library.
    pub enum Builtin {
        /// WordNet 3.0's nouns without the root entity.n.01: 82,114 concepts
        WordnetNouns = "wordnet-nouns",
        /// animal.n.01 and everything below it: 4,017 concepts
        WordnetAnimals = "wordnet-animals",
        /// 15 concepts to try things on
        Toy = "toy",
    }
}

impl Builtin {
    /// Unpacks the hierarchy.
    ///
    /// # Examples
    ///
    /// ```
    /// let toy = binder::read::Builtin::Toy.load();
    /// assert_eq!((toy.len(), toy.direct()), (15, 14));
    /// ```
    pub fn load(self) -> Hierarchy {
        match self {
            Self::WordnetNouns => nouns(),
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

/// Packs a hierarchy for this module. The counterpart of [`Builtin::load`], for
/// `scripts/make-builtins`.
///
/// # Errors
///
/// When compression fails.
#[doc(hidden)]
pub fn pack(hierarchy: &Hierarchy) -> std::io::Result<Vec<u8>> {
    let mut lines = String::new();
    for id in hierarchy.ids() {
        lines += hierarchy.name(id);
        lines += "\t";
        lines += hierarchy.label(id).unwrap_or_default();
        for parent in hierarchy.parents(id) {
            lines += &format!("\t{}", id - parent);
        }
        lines += "\n";
    }
    zstd::encode_all(lines.as_bytes(), 22)
}

fn nouns() -> Hierarchy {
    unpack(WORDNET_NOUNS).expect("the packed nouns are part of this library and tested")
}

fn unpack(packed: &[u8]) -> Option<Hierarchy> {
    let bytes = zstd::decode_all(packed).ok()?;
    let mut builder = HierarchyBuilder::default();
    let mut pairs = Vec::new();
    for line in std::str::from_utf8(&bytes).ok()?.lines() {
        let mut fields = line.split('\t');
        let concept = builder.concept(fields.next()?).ok()?;
        builder.label(concept, fields.next()?);
        for distance in fields {
            pairs.push((concept, concept.checked_sub(distance.parse::<Id>().ok()?)?));
        }
    }
    pairs.into_iter().for_each(|(child, parent)| builder.link(child, parent));
    builder.build(Cycles::Refuse).ok()
}
