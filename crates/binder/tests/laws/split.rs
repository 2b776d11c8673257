//! The laws of the link-prediction protocol.

use std::collections::BTreeSet;

use crate::common::*;
use binder::read::Builtin;
use binder::split;
use binder::split::SplitError;
use proptest::prelude::*;

proptest! {
    #[test]
    fn parts_are_disjoint_and_negatives_are_negative(
        pairs in acyclic_pairs(40),
        seed in any::<u64>(),
    ) {
        let hierarchy = hierarchy(&pairs);
        let split = split(&hierarchy, &[0, 50, 90], seed).unwrap();
        let set = |pairs: &[(u32, u32)]| pairs.iter().copied().collect::<BTreeSet<_>>();
        let (direct, closure): (BTreeSet<_>, BTreeSet<_>) =
            (hierarchy.pairs().collect(), hierarchy.closure().pairs().collect());
        let (test, valid) = (set(&split.test), set(&split.valid));
        prop_assert!(
            test.is_disjoint(&valid) && test.is_disjoint(&direct) && valid.is_disjoint(&direct)
        );
        prop_assert!(test.is_subset(&closure) && valid.is_subset(&closure));
        prop_assert_eq!(set(&split.train[0].1), direct.clone());
        for (_, train) in &split.train {
            let train = set(train);
            prop_assert!(direct.is_subset(&train) && train.is_subset(&closure));
            prop_assert!(train.is_disjoint(&test) && train.is_disjoint(&valid));
        }
        for (positives, negatives) in
            [(&split.valid, &split.valid_neg), (&split.test, &split.test_neg)]
        {
            prop_assert!(negatives.iter().all(|pair| !closure.contains(pair) && pair.0 != pair.1));
            let n = hierarchy.len();
            let per_positive = |&(child, parent): &(u32, u32)| {
                let children = n - 1 - hierarchy.descendants(parent).len();
                let parents = n - 1 - hierarchy.ancestors(child).len();
                children.min(5) + parents.min(5)
            };
            prop_assert_eq!(negatives.len(), positives.iter().map(per_positive).sum::<usize>());
        }
    }
}

#[test]
fn the_split_of_animals_has_the_sizes_of_the_paper() {
    let animals = Builtin::WordnetAnimals.load();
    let split = split(&animals, &[0, 10, 25, 50], 1).unwrap();
    let sizes: Vec<_> =
        split.train.iter().map(|(percentage, pairs)| (*percentage, pairs.len())).collect();
    assert_eq!(sizes, [(0, 4051), (10, 4051 + 2574), (25, 4051 + 6436), (50, 4051 + 12872)]);
    assert_eq!((split.test.len(), split.valid.len()), (1287, 1287));
    // A positive whose parent is the root has no corrupted children: everything is below it.
    let root = animals.roots().next().unwrap();
    let of_root = split.test.iter().filter(|&&(_, parent)| parent == root).count();
    assert_eq!(split.test_neg.len(), 10 * split.test.len() - 5 * of_root);
}

#[test]
fn the_same_seed_gives_the_same_files_and_another_gives_others() {
    let toy = Builtin::Toy.load();
    let folder = tempfile::tempdir().unwrap();
    let files = |name: &str, seed| {
        let path = folder.path().join(name);
        split(&toy, &[0, 10, 25, 50], seed).unwrap().save(&toy, &path).unwrap();
        let mut files: Vec<_> =
            std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
            .iter()
            .map(|file| {
                (file.file_name().unwrap().to_owned(), std::fs::read_to_string(file).unwrap())
            })
            .collect::<Vec<_>>()
    };
    let first = files("a", 7);
    assert_eq!(first, files("b", 7));
    assert_ne!(first, files("c", 8));
    assert_eq!(first.len(), 8);
    // The split for seed 7. A change of it changes published numbers and must be in the changelog.
    let test = &first.iter().find(|(name, _)| name == "test.tsv").unwrap().1;
    assert_eq!(test, "man\tentity\n");
}

/// The split for seed 5. A change of it changes published numbers and must be in the changelog.
#[test]
fn the_split_for_a_seed_stays_the_same() {
    for (builtin, expected) in [(Builtin::Toy, 0x67ad_4c6d), (Builtin::WordnetAnimals, 0x6e97_8090)]
    {
        let hierarchy = builtin.load();
        let split = split(&hierarchy, &[0, 10, 25, 50], 5).unwrap();
        let mut files = split.files();
        files.sort();
        let mut sum = crc32fast::Hasher::new();
        for &(child, parent) in files.iter().flat_map(|(_, pairs)| *pairs) {
            let line = format!("{}\t{}\n", hierarchy.name(child), hierarchy.name(parent));
            sum.update(line.as_bytes());
        }
        assert_eq!(sum.finalize(), expected, "{builtin}");
    }
}

#[test]
fn a_folder_that_already_exists_is_refused() {
    let toy = Builtin::Toy.load();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("precious"), "data").unwrap();
    let error = split(&toy, &[0], 1).unwrap().save(&toy, folder.path()).unwrap_err();
    assert!(matches!(&error, SplitError::Exists(path) if path == folder.path()), "{error:?}");
    assert!(error.to_string().contains("choose another"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.path().join("precious")).unwrap(), "data");
}

#[test]
fn hierarchies_that_cannot_be_divided_or_written_are_refused() {
    let toy = Builtin::Toy.load();
    assert!(matches!(split(&toy, &[10, 91], 1), Err(SplitError::Percentage(91))));
    let chain = hierarchy(&(1..20_000).map(|i| (i, i - 1)).collect::<Vec<_>>());
    assert!(matches!(
        split(&chain, &[0], 1),
        Err(SplitError::TooManyPairs { pairs: 199_990_000, .. })
    ));
    let folder = tempfile::tempdir().unwrap();
    for name in ["a\tb", "a\r", "a\nb"] {
        let odd = binder::Hierarchy::from_pairs([(name, "c")]).unwrap();
        let saved = split(&odd, &[0], 1).unwrap().save(&odd, folder.path().join("odd"));
        assert!(matches!(saved, Err(SplitError::UnwritableName(_))));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
