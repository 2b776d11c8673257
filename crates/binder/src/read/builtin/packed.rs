//! How WordNet is packed. A hierarchy is in three zstd frames:
//!
//! - pairs: one line per concept in the order of the ids, `name TAB label TAB distance…`, where each
//!   distance stands for the parent `id - distance`. The label is the lemmas, joined by a comma and
//!   a space.
//! - senses: one line per concept, with a field for each lemma: the place of the concept among the
//!   senses of the lemma.
//! - glosses: a [list of texts](crate::hierarchy::packed), in the order of the ids once a root was
//!   added.

use crate::bits::Id;
use crate::hierarchy::{Cycles, Hierarchy, HierarchyBuilder, Scope, packed};

/// As small as zstd makes it.
const LEVEL: i32 = 22;

/// A root to add above all that have no parent.
#[derive(Debug)]
pub struct Root {
    /// Its name.
    pub name: &'static str,
    /// Its only lemma, which has no other sense.
    pub lemma: &'static str,
}

/// The root of the nouns, which is not among those that are packed.
pub(super) const ENTITY: Root = Root { name: "entity.n.01", lemma: "entity" };

/// A hierarchy on its way out.
#[derive(Debug)]
pub struct Unpacked {
    builder: HierarchyBuilder,
    /// The lines of the pairs.
    lines: String,
    /// The concept of the first line.
    first: Id,
}

impl Unpacked {
    /// Unpacks names, labels and pairs; `None` if they are damaged.
    pub fn pairs(packed: &[u8], root: Option<&Root>) -> Option<Self> {
        let (lines, mut builder) = (text(packed)?, HierarchyBuilder::default());
        let top = match root {
            Some(root) => Some(builder.concept(root.name).ok()?),
            None => None,
        };
        if let (Some(top), Some(Root { lemma, .. })) = (top, root) {
            builder.label(top, lemma);
        }
        let first = top.map_or(0, |top| top + 1);
        let mut pairs = Vec::new();
        for line in lines.lines() {
            let mut fields = line.split('\t');
            let concept = builder.concept(fields.next()?).ok()?;
            builder.label(concept, fields.next()?);
            let before = pairs.len();
            for distance in fields {
                pairs.push((concept, concept.checked_sub(distance.parse::<Id>().ok()?)?));
            }
            if pairs.len() == before {
                pairs.extend(top.map(|top| (concept, top)));
            }
        }
        pairs.into_iter().for_each(|(child, parent)| builder.link(child, parent));
        if let (Some(top), Some(Root { lemma, .. })) = (top, root) {
            builder.ranked_synonym(top, lemma, Scope::Exact, 1);
        }
        Some(Self { builder, lines, first })
    }

    /// Adds the lemmas as synonyms with their ranks; `None` if they are damaged.
    pub fn with_senses(mut self, packed: &[u8]) -> Option<Self> {
        let senses = text(packed)?;
        let lines = self.lines.lines().zip(senses.lines());
        for (concept, (line, places)) in (self.first..).zip(lines) {
            let lemmas = line.split('\t').nth(1)?.split(", ");
            for (lemma, place) in lemmas.zip(places.split('\t')) {
                self.builder.ranked_synonym(concept, lemma, Scope::Exact, place.parse().ok()?);
            }
        }
        Some(self)
    }

    /// The hierarchy.
    pub fn build(self) -> Option<Hierarchy> {
        self.builder.build(Cycles::Refuse).ok()
    }
}

fn text(packed: &[u8]) -> Option<String> {
    String::from_utf8(zstd::decode_all(packed).ok()?).ok()
}

/// Packs names, labels and pairs.
///
/// # Errors
///
/// When compression fails.
pub fn pack_pairs(hierarchy: &Hierarchy) -> std::io::Result<Vec<u8>> {
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
    zstd::encode_all(lines.as_bytes(), LEVEL)
}

/// Packs the ranks of the lemmas.
///
/// # Errors
///
/// When compression fails.
pub fn pack_senses(hierarchy: &Hierarchy) -> std::io::Result<Vec<u8>> {
    let mut lines = String::new();
    for id in hierarchy.ids() {
        let places = hierarchy.synonyms(id).map(|lemma| lemma.rank.to_string());
        lines += &places.collect::<Vec<_>>().join("\t");
        lines += "\n";
    }
    zstd::encode_all(lines.as_bytes(), LEVEL)
}

/// Packs the definitions that the concepts of `order` have in `hierarchy`, in the order of `order`.
pub fn pack_glosses(hierarchy: &Hierarchy, order: &Hierarchy) -> Vec<u8> {
    let gloss = |id: Id| hierarchy.definition(hierarchy.id(order.name(id))?);
    let glosses = order.ids().map(|id| gloss(id).unwrap_or_default()).collect();
    packed::pack_at(&glosses, LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Builtin;

    #[test]
    fn wordnet_is_the_nouns_and_their_root() {
        let (whole, nouns) = (Builtin::Wordnet.load(), Builtin::WordnetNouns.load());
        assert_eq!((whole.len(), whole.direct()), (82_115, 84_366));
        assert_eq!(whole.roots().map(|id| whole.name(id)).collect::<Vec<_>>(), ["entity.n.01"]);
        assert_eq!(nouns.id("entity.n.01"), None);
        let others: Vec<Id> = whole.ids().skip(1).collect();
        let others = whole.restricted(&others);
        assert_eq!((others.names(), others.labels()), (nouns.names(), nouns.labels()));
        assert!(others.pairs().eq(nouns.pairs()));
        assert_eq!(nouns.all_synonyms().len(), 0);
    }

    #[test]
    fn glosses_and_senses_are_those_of_their_concepts() {
        let nouns = Builtin::Wordnet.load();
        let dog = nouns.id("dog.n.01").unwrap();
        let gloss = nouns.definition(dog).unwrap();
        assert!(gloss.starts_with("a member of the genus Canis"), "{gloss}");
        let lemmas: Vec<_> = nouns.synonyms(dog).map(|lemma| (lemma.text, lemma.rank)).collect();
        assert_eq!(lemmas, [("dog", 1), ("domestic dog", 1), ("Canis familiaris", 1)]);
        let frump = nouns.synonyms(nouns.id("frump.n.01").unwrap());
        assert_eq!(frump.map(|lemma| lemma.rank).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(
            nouns.definitions().checked().unwrap().iter().filter(|g| g.is_empty()).count(),
            0
        );
        let root = nouns.definition(0).unwrap();
        assert!(root.starts_with("that which is perceived"), "{root}");
    }

    #[test]
    fn verbs_have_glosses_and_senses_too() {
        let verbs = Builtin::WordnetVerbs.load();
        assert_eq!((verbs.len(), verbs.direct()), (13_767, 13_235));
        let walk = verbs.id("walk.v.01").unwrap();
        assert_eq!(
            verbs.synonyms(walk).next().map(|lemma| (lemma.text, lemma.rank)),
            Some(("walk", 1))
        );
        assert_eq!(verbs.definitions().checked().unwrap().len(), verbs.len());
    }

    #[test]
    fn damage_is_none_and_no_panic() {
        assert!(Unpacked::pairs(b"no frame", None).is_none());
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        for lines in ["dog", "dog\tdog\t9", "dog\tdog\tx"] {
            assert!(Unpacked::pairs(&frame(lines), None).is_none(), "{lines:?}");
        }
        let pairs = || Unpacked::pairs(&frame("dog\tdog"), None).unwrap();
        assert!(pairs().with_senses(&frame("x")).is_none());
        assert_eq!(pairs().with_senses(&frame("1")).unwrap().build().unwrap().len(), 1);
    }
}
