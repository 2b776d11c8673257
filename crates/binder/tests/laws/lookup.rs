//! From words to concepts.

use std::sync::LazyLock;

use crate::common::data;
use binder::Hierarchy;
use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
use binder::lookup::{Match, NameIndex};
use binder::read::Builtin;
use proptest::prelude::*;

static WORDNET: LazyLock<(Hierarchy, NameIndex)> = LazyLock::new(|| {
    let nouns = Builtin::Wordnet.load();
    let names = NameIndex::new(&nouns);
    (nouns, names)
});

/// What a text means, by name, the likeliest first.
fn means(text: &str) -> Vec<&'static str> {
    let (nouns, names) = &*WORDNET;
    let meanings = names.meanings(text, nouns);
    meanings.map_or(Vec::new(), |all| all.concepts.iter().map(|&id| nouns.name(id)).collect())
}

/// What a search finds, by name.
fn found(text: &str, most: usize) -> Vec<&'static str> {
    let (nouns, names) = &*WORDNET;
    names.search(text, most).iter().map(|hit| nouns.name(hit.concept)).collect()
}

#[test]
fn senses_come_in_the_order_of_wordnet() {
    let senses = [
        "dog.n.01",
        "frump.n.01",
        "dog.n.03",
        "cad.n.01",
        "frank.n.02",
        "pawl.n.01",
        "andiron.n.01",
    ];
    for text in ["dog", "Dog", "DOGS", "dogs"] {
        assert_eq!(means(text), senses, "{text}");
    }
    assert_eq!(means("dog.n.03"), ["dog.n.03"], "a name is exact");
    assert_eq!(means("golden retrievers"), ["golden_retriever.n.01"]);
    assert_eq!(means("Golden-Retriever"), ["golden_retriever.n.01"]);
    assert_eq!(means("puppies")[0], "puppy.n.01");
    assert_eq!(means("animal")[0], "animal.n.01");
    assert!(means("no such word").is_empty() && means("").is_empty());
}

/// Every lemma leads to its concept, and its senses come in their order.
#[test]
fn every_lemma_of_wordnet_is_understood() {
    let (nouns, names) = &*WORDNET;
    for (concept, lemma) in nouns.all_synonyms().iter() {
        let meanings = names.meanings(lemma.text, nouns).unwrap().concepts;
        assert!(meanings.contains(&concept), "{}", lemma.text);
        if lemma.text.contains([' ', '-']) {
            continue; // "broad bean" and "broad-bean" are two lemmas, each with an order of its own
        }
        let rank = |&concept: &u32| {
            let mut same = nouns.synonyms(concept);
            Some(same.find(|other| other.text.eq_ignore_ascii_case(lemma.text))?.rank)
        };
        let ranks: Vec<_> = meanings.iter().filter_map(rank).collect();
        assert!(ranks.is_sorted(), "{}: {ranks:?}", lemma.text);
    }
}

#[test]
fn a_search_begins_with_the_likeliest() {
    assert_eq!(found("bank", 1), ["bank.n.01"]);
    assert_eq!(found("dgo", 1), ["dog.n.01"]);
    assert_eq!(found("elefant", 1), ["elephant.n.01"]);
    assert_eq!(found("retriever golden", 1), ["golden_retriever.n.01"]);
    assert_eq!(found("golden retreiver", 1), ["golden_retriever.n.01"]);
    assert_eq!(found("familiaris canis", 1), ["dog.n.01"]);
    assert_eq!(found("dogs", 1), ["dog.n.01"]);
    assert_eq!(found("zzzzzzzzz", 5).len(), 0);
}

/// Every synonym of the Human Phenotype Ontology is found by a search for it.
#[test]
fn every_synonym_of_hpo_is_found() {
    let Some(data) = data("every_synonym_of_hpo_is_found") else { return };
    let terms = Hierarchy::read(data.join("extra/hp.obo.gz")).unwrap();
    let names = NameIndex::new(&terms);
    for (concept, synonym) in terms.all_synonyms().iter() {
        let meanings = names.meanings(synonym.text, &terms).unwrap().concepts;
        let hits = names.search(synonym.text, meanings.len());
        assert!(hits.iter().any(|hit| hit.concept == concept), "{}", synonym.text);
    }
}

#[test]
fn identifiers_are_understood_both_ways() {
    let pairs = [
        ("http://schema.org/Dentist", "http://schema.org/MedicalBusiness"),
        ("HP:0001250", "HP:0000707"),
        ("http://purl.obolibrary.org/obo/GO_0008150", "http://example.org/pets#Thing"),
        ("http://example.org/pets#SmallDog", "http://example.org/pets#Thing"),
    ];
    let hierarchy = Hierarchy::from_pairs(pairs).unwrap();
    let names = NameIndex::new(&hierarchy);
    let read = |text: &str| {
        let meanings = names.meanings(text, &hierarchy)?;
        Some((hierarchy.name(meanings.concepts[0]), meanings.by))
    };
    for (text, name) in [
        ("schema:Dentist", "http://schema.org/Dentist"),
        ("https://schema.org/Dentist", "http://schema.org/Dentist"),
        ("<http://schema.org/Dentist>", "http://schema.org/Dentist"),
        ("http://purl.obolibrary.org/obo/HP_0001250", "HP:0001250"),
        ("hp:0001250", "HP:0001250"),
        ("GO:0008150", "http://purl.obolibrary.org/obo/GO_0008150"),
        ("pets:SmallDog", "http://example.org/pets#SmallDog"),
    ] {
        assert_eq!(read(text), Some((name, Match::Identifier)), "{text}");
    }
    for text in ["dentist", "Dentists"] {
        assert_eq!(read(text), Some(("http://schema.org/Dentist", Match::Label)), "{text}");
    }
    assert_eq!(read("medical business").unwrap().0, "http://schema.org/MedicalBusiness");
    assert_eq!(read("zoo:SmallDog"), None);
}

#[test]
fn labels_come_before_synonyms_and_close_ones_before_loose_ones() {
    let mut builder = HierarchyBuilder::default();
    let mut concept = |name: &str| builder.concept(name).unwrap();
    let [loose, exact, label] = ["loose", "exact", "label"].map(&mut concept);
    builder.synonym(loose, "fit", Scope::Related);
    builder.synonym(exact, "fit", Scope::Exact);
    builder.label(label, "Fit");
    let hierarchy = builder.build(Cycles::Refuse).unwrap();
    let names = NameIndex::new(&hierarchy);
    let all = names.meanings("fit", &hierarchy).unwrap();
    let order: Vec<_> = all.concepts.iter().map(|&id| hierarchy.name(id)).collect();
    assert_eq!((&order[..], all.by), (&["label", "exact", "loose"][..], Match::Label));
    let hits = names.search("fit", 9);
    assert_eq!(hits.iter().map(|hit| hierarchy.name(hit.concept)).collect::<Vec<_>>(), order);
    assert_eq!(hits[2].by, Match::Loose);
}

proptest! {
    /// Whatever people type, nothing panics, and what is called exactly so is among the first.
    #[test]
    fn any_text_can_be_asked(texts in prop::collection::vec("\\PC{0,12}", 1..8), asked in "\\PC{0,12}") {
        let mut builder = HierarchyBuilder::default();
        for (number, text) in texts.iter().enumerate() {
            let concept = builder.concept(&format!("concept {number}")).unwrap();
            builder.synonym(concept, text, Scope::Exact);
        }
        let hierarchy = builder.build(Cycles::Refuse).unwrap();
        let names = NameIndex::new(&hierarchy);
        names.meanings(&asked, &hierarchy);
        prop_assert!(names.search(&asked, 3).len() <= 3);
        for (concept, synonym) in hierarchy.all_synonyms().iter() {
            if synonym.text.chars().all(|char| char.is_whitespace() || matches!(char, '_' | '-')) {
                continue;
            }
            let hits = names.search(synonym.text, texts.len());
            prop_assert!(hits.iter().any(|hit| hit.concept == concept), "{:?}", synonym.text);
        }
    }
}
