//! WordNet's nouns without instances: Einstein is an instance of a physicist, a physicist is a kind
//! of scientist. Benchmarks that are made with NLTK have kinds only.

use std::collections::HashSet;

use binder::Hierarchy;
use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
use binder::split::Pair;

/// Concepts whose parents are those of an instance, one a line; or, after a tab, one such parent of
/// a concept that has others. From the pointers `@i` of WordNet 3.0's `data.noun`; made by
/// `scripts/make-builtins`.
static INSTANCES: &[u8] = include_bytes!("wordnet-instances.zst");

/// Pairs (child, parent) in WordNet 3.0 that follow from others, which a hierarchy leaves out.
static IMPLIED: &str = include_str!("wordnet-implied.tsv");

/// More than the list of instances takes when it is unpacked.
const MOST: usize = 1 << 20;

/// A hierarchy of kinds, with WordNet's own pairs.
pub(super) struct Classes {
    pub(super) hierarchy: Hierarchy,
    /// As WordNet has them, ascending.
    pub(super) direct: Vec<Pair>,
    /// What follows from them, ascending.
    pub(super) indirect: Vec<Pair>,
}

impl Classes {
    /// The kinds among WordNet's nouns.
    pub(super) fn new(nouns: &Hierarchy) -> Self {
        let packed = "the list of instances is part of this program and tested";
        let list = zstd::bulk::decompress(INSTANCES, MOST).expect(packed);
        let list = String::from_utf8(list).expect(packed);
        let instances: HashSet<&str> = list.lines().collect();
        let is_kind = |&(child, parent): &Pair| {
            let (child, parent) = (nouns.name(child), nouns.name(parent));
            !instances.contains(child) && !instances.contains(&format!("{child}\t{parent}")[..])
        };
        let pairs: Vec<Pair> = nouns.pairs().filter(is_kind).collect();
        let mut kept: Vec<_> = pairs.iter().flat_map(|&(child, parent)| [child, parent]).collect();
        kept.sort_unstable();
        kept.dedup();
        let mut builder = HierarchyBuilder::default();
        for concept in kept {
            let given = builder.concept(nouns.name(concept)).expect(packed);
            if let Some(definition) = nouns.definition(concept) {
                builder.definition(given, definition);
            }
            for synonym in nouns.synonyms(concept) {
                builder.ranked_synonym(given, synonym.text, Scope::Exact, synonym.rank);
            }
        }
        for (child, parent) in pairs {
            builder.pair(nouns.name(child), nouns.name(parent)).expect(packed);
        }
        let hierarchy = builder.build(Cycles::Refuse).expect(packed);
        let implied = IMPLIED.lines().filter_map(|line| {
            let (child, parent) = line.split_once('\t')?;
            Some((hierarchy.id(child)?, hierarchy.id(parent)?))
        });
        let mut direct: Vec<Pair> = hierarchy.pairs().chain(implied).collect();
        direct.sort_unstable();
        let is_indirect = |pair: &Pair| direct.binary_search(pair).is_err();
        let indirect = hierarchy.closure().pairs().filter(is_indirect).collect();
        Self { hierarchy, direct, indirect }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As He et al. 2024 count them.
    #[test]
    fn there_are_as_many_as_published() {
        let classes = Classes::new(&Hierarchy::read("wordnet").unwrap());
        let counts = [classes.hierarchy.len(), classes.direct.len(), classes.indirect.len()];
        assert_eq!(counts, [74_401, 75_850, 587_658]);
    }
}
