//! The built-ins, WordNet as Debian installs it, and the benchmark data have the published counts.

use crate::common::{data, skipped};
use binder::read::Builtin;
use binder::{Hierarchy, read};

/// The numbers of concepts, direct pairs and pairs in the closure.
fn counts(hierarchy: &Hierarchy) -> (usize, usize, u64) {
    (hierarchy.len(), hierarchy.direct(), hierarchy.closure_len())
}

#[test]
fn builtins_have_the_published_counts() {
    assert_eq!(counts(&Builtin::WordnetNouns.load()), (82_114, 84_363, 661_127));
    assert_eq!(counts(&Builtin::WordnetAnimals.load()), (4_017, 4_051, 29_795));
    assert_eq!(counts(&Builtin::Wordnet.load()), (82_115, 84_366, 743_241));
    assert_eq!(counts(&Builtin::Toy.load()), (15, 14, 33));
    let nouns = Builtin::WordnetNouns.load();
    let dog = nouns.id("dog.n.01").unwrap();
    assert_eq!(nouns.label(dog), Some("dog, domestic dog, Canis familiaris"));
    let parents: Vec<_> = nouns.parents(dog).iter().map(|&id| nouns.name(id)).collect();
    assert_eq!(parents, ["domestic_animal.n.01", "canine.n.02"]);
}

#[test]
fn builtin_nouns_are_debians_wordnet_without_its_root() {
    let folder = "/usr/share/wordnet";
    if !std::path::Path::new(folder).is_dir() {
        skipped(
            "builtin_nouns_are_debians_wordnet_without_its_root",
            "install the package wordnet-base",
        );
        return;
    }
    let whole = read(folder, &Default::default(), &()).unwrap();
    assert_eq!(counts(&whole), (82_115, 84_366, 743_241));
    assert_eq!(whole.dropped().implied, 61);
    let root = whole.id("entity.n.01").unwrap();
    let others: Vec<_> = whole.ids().filter(|&id| id != root).collect();
    let (expected, nouns) = (whole.restricted(&others), Builtin::WordnetNouns.load());
    assert_eq!((expected.names(), expected.labels()), (nouns.names(), nouns.labels()));
    assert!(expected.pairs().eq(nouns.pairs()));
    let builtin = Builtin::Wordnet.load();
    for id in whole.ids() {
        let same = builtin.id(whole.name(id)).unwrap();
        assert_eq!(whole.definition(id), builtin.definition(same), "{}", whole.name(id));
        assert!(whole.synonyms(id).eq(builtin.synonyms(same)), "{}", whole.name(id));
    }
}

#[test]
fn benchmark_data_have_the_published_counts() {
    let Some(data) = data("benchmark_data_have_the_published_counts") else { return };
    let expected = [
        ("medical/direct.tsv", (1_412, 2_616, 4_308)),
        ("music/direct.tsv", (1_034, 3_920, 6_528)),
        ("animals/direct.tsv", (4_017, 4_051, 29_795)),
        ("shwartz-lex/direct.tsv", (5_847, 5_566, 13_506)),
        ("shwartz-random/direct.tsv", (13_148, 13_740, 56_177)),
        ("wordnet-nouns/direct.tsv.gz", (82_114, 84_363, 661_127)),
        ("toy/direct.tsv", (15, 14, 33)),
        ("extra/go.tsv.gz", (43_558, 70_058, 484_697)),
        ("extra/icd10cm.tsv.gz", (47_200, 47_178, 194_358)),
        ("extra/hp.obo.gz", (19_034, 23_392, 195_395)),
    ];
    for (file, expected) in expected {
        let hierarchy = read(data.join(file).to_str().unwrap(), &Default::default(), &()).unwrap();
        assert_eq!(counts(&hierarchy), expected, "{file}");
    }
}

#[test]
fn training_sets_imply_the_closure_and_reduce_to_the_direct_pairs() {
    let Some(data) = data("training_sets_imply_the_closure_and_reduce_to_the_direct_pairs") else {
        return;
    };
    for name in ["medical", "music", "animals", "shwartz-lex", "shwartz-random"] {
        let direct =
            read(data.join(name).join("direct.tsv").to_str().unwrap(), &Default::default(), &())
                .unwrap();
        for percentage in [0, 10, 25, 50] {
            let file = data.join(name).join(format!("splits/train_{percentage}.tsv"));
            let train = read(file.to_str().unwrap(), &Default::default(), &()).unwrap();
            assert_eq!(counts(&train), counts(&direct), "{name} {percentage}");
        }
    }
}
