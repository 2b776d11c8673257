//! The models that the page shows in these tests.

use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::read::Builtin;
use binder::{Index, Model};

use crate::common::exact;

/// WordNet's animals with glosses and synonyms; concepts with ids only; and names that are very
/// long, written from right to left, or look like HTML. Or only the model that `BINDER_MODEL`
/// names.
pub(crate) fn all() -> Vec<(String, Index)> {
    if let Some(path) = std::env::var_os("BINDER_MODEL").map(std::path::PathBuf::from) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        return vec![(name, Model::open(&path).unwrap().into_index())];
    }
    let nouns = Builtin::Wordnet.load();
    let animals = nouns.below(nouns.id("animal.n.01").unwrap());
    vec![
        ("animals".to_owned(), exact(&animals)),
        ("ids".to_owned(), exact(&ids())),
        ("odd".to_owned(), exact(&odd())),
    ]
}

/// A root with a hundred children, and no text but ids.
fn ids() -> binder::Hierarchy {
    let pairs = (1..=100).map(|id| (format!("GO:{id:07}"), "GO:0000000".to_owned()));
    binder::Hierarchy::from_pairs(pairs).unwrap()
}

fn odd() -> binder::Hierarchy {
    let long = "a very long name that goes on and on ".repeat(8);
    let unbroken = "Donaudampfschifffahrtsgesellschaft".repeat(5);
    let labels =
        ["الحيوانات", "כלב", long.trim(), &unbroken, "<b>bold</b> & \"quoted\"", "犬のような動物"];
    let mut builder = HierarchyBuilder::default();
    for (at, label) in labels.iter().enumerate() {
        let concept = builder.concept(&format!("X:{at}")).unwrap();
        builder.label(concept, label);
        builder.definition(concept, &format!("{label}, explained at length. ").repeat(4));
        if at > 0 {
            builder.link(concept, (concept - 1) / 2);
        }
    }
    builder.build(Cycles::Refuse).unwrap()
}
