//! The laws of comparing two versions of a hierarchy, and of bringing a model to a new version.

use std::collections::BTreeSet;

use binder::diff::Diff;
use binder::encode::EncodeParams;
use binder::hierarchy::{Cycles, HierarchyBuilder};
use binder::update::UpdateError;
use binder::{Codes, Hierarchy, Model, evaluate, update};
use proptest::prelude::*;

use crate::common::*;

/// All pairs of the closure, by name.
fn closure(hierarchy: &Hierarchy) -> BTreeSet<(String, String)> {
    let name = |id| hierarchy.name(id).to_owned();
    let pairs = |child| hierarchy.ancestors(child).into_iter().map(move |above| (child, above));
    hierarchy.ids().flat_map(pairs).map(|(child, above)| (name(child), name(above))).collect()
}

fn names(hierarchy: &Hierarchy) -> BTreeSet<String> {
    hierarchy.names().texts().iter().map(str::to_owned).collect()
}

proptest! {
    #[test]
    fn a_diff_is_the_difference_of_the_closures(
        old in acyclic_pairs(14),
        new in acyclic_pairs(14),
    ) {
        let (old, new) = (hierarchy(&old), hierarchy(&new));
        let diff = Diff::between(&old, &new, &()).unwrap();
        let added: BTreeSet<String> = diff.added().map(|id| new.name(id).to_owned()).collect();
        let removed: BTreeSet<String> = diff.removed().map(|id| old.name(id).to_owned()).collect();
        prop_assert_eq!(added, &names(&new) - &names(&old));
        prop_assert_eq!(removed, &names(&old) - &names(&new));
        let (gained, lost) = (&closure(&new) - &closure(&old), &closure(&old) - &closure(&new));
        let kept = &names(&old) & &names(&new);
        let among_kept = |pairs: &BTreeSet<(String, String)>| {
            pairs.iter().filter(|(child, above)| kept.contains(child) && kept.contains(above)).count()
        };
        prop_assert_eq!(diff.closure.gained, gained.len() as u64);
        prop_assert_eq!(diff.closure.lost, lost.len() as u64);
        prop_assert_eq!(diff.closure.gained_among_kept, among_kept(&gained) as u64);
        prop_assert_eq!(diff.closure.lost_among_kept, among_kept(&lost) as u64);
        let relocated: BTreeSet<&str> = diff.relocated.iter().map(|&id| new.name(id)).collect();
        for name in &kept {
            let above = |pairs: &BTreeSet<(String, String)>| {
                pairs.iter().any(|(child, above)| child == name && kept.contains(above))
            };
            prop_assert_eq!(relocated.contains(name.as_str()), above(&gained) || above(&lost));
        }
    }

    #[test]
    fn an_updated_model_is_exact_and_its_changes_lead_to_it(
        old in acyclic_pairs(14),
        new in acyclic_pairs(14),
    ) {
        let (old, new) = (hierarchy(&old), hierarchy(&new));
        let shared = names(&old).intersection(&names(&new)).count();
        let model = binder::encode(&old).unwrap();
        let updated = match update(&model, new.clone(), &()) {
            Err(UpdateError::NothingInCommon) => {
                prop_assert_eq!(shared, 0);
                return Ok(());
            }
            updated => updated.unwrap(),
        };
        prop_assert_eq!(evaluate::all_pairs(updated.model.codes(), &new).confusion.errors(), 0);
        prop_assert_eq!(updated.model.codes().bits(), model.codes().bits() + updated.appended_bits);
        check_changes(&model, &updated)?;
    }
}

/// Applies the changes to a table of the old codes: it must become that of the new ones.
fn check_changes(old: &Model, updated: &update::Updated) -> Result<(), TestCaseError> {
    let table = |model: &Model| -> std::collections::BTreeMap<String, Vec<u64>> {
        let width = updated.model.codes().words_per_row();
        let row = |id| {
            let mut row = model.codes().row(id).to_vec();
            row.resize(width, 0);
            (model.hierarchy().name(id).to_owned(), row)
        };
        model.hierarchy().ids().map(row).collect()
    };
    let mut patched = table(old);
    let mut same = patched.len();
    for change in updated.changes(old) {
        let before = patched.remove(change.concept);
        prop_assert_eq!(before.is_some(), change.before.is_some());
        same -= usize::from(before.is_some());
        if let Some(after) = change.after {
            patched.insert(change.concept.to_owned(), after.to_vec());
        }
    }
    prop_assert_eq!(patched, table(&updated.model));
    prop_assert_eq!(same, updated.stayed);
    Ok(())
}

#[test]
fn nothing_changes_when_nothing_differs() {
    let animals = Hierarchy::read("wordnet-animals").unwrap();
    let model = binder::encode(&animals).unwrap();
    let updated = update(&model, animals, &()).unwrap();
    assert!(updated.diff.is_empty());
    assert_eq!(updated.model.codes(), model.codes());
    assert_eq!(updated.changes(&model).count(), 0);
    assert_eq!(updated.stayed, 4017);
}

#[test]
fn new_leaves_and_removed_ones_leave_most_codes_alone() {
    let animals = Hierarchy::read("wordnet-animals").unwrap();
    let model = binder::encode(&animals).unwrap();
    let name = |id| animals.name(id).to_owned();
    let gone: BTreeSet<u32> = animals.leaves().step_by(100).collect();
    let old = animals.pairs().filter(|(child, _)| !gone.contains(child));
    let old = old.map(|(child, parent)| (name(child), name(parent)));
    let parents = animals.ids().filter(|id| !gone.contains(id)).step_by(100);
    let new = parents.map(|parent| (format!("below {}", name(parent)), name(parent)));
    let version = Hierarchy::from_pairs(old.chain(new)).unwrap();
    let updated = update(&model, version, &()).unwrap();
    assert!(updated.diff.added().count() > 30 && updated.diff.removed().count() > 20);
    assert!(updated.diff.relocated.is_empty());
    // The codes of Animals are so short that not every leaf finds a free one.
    assert!(updated.stayed * 100 >= updated.diff.kept() * 95, "{} stay", updated.stayed);
    assert_eq!(updated.appended_bits, 0);
}

/// Every label of a flat vocabulary is taken, so one leaf more takes a column, and no code changes.
#[test]
fn a_column_within_the_last_word_is_better_than_other_codes() {
    let leaf = |number: usize| (format!("leaf {number}"), "root".to_owned());
    for leaves in [6, 252] {
        let model = binder::encode(&Hierarchy::from_pairs((0..leaves).map(leaf)).unwrap()).unwrap();
        let more = Hierarchy::from_pairs((0..=leaves).map(leaf)).unwrap();
        let updated = update(&model, more, &()).unwrap();
        assert_eq!((updated.stayed, updated.appended_bits), (leaves + 1, 1));
    }
}

/// Second parents from far away: where branches meet, codes must change, and fewer with room.
#[test]
fn more_codes_stay_where_there_is_room() {
    let animals = Hierarchy::read("wordnet-animals").unwrap();
    let name = |id| animals.name(id).to_owned();
    let old = animals.pairs().map(|(child, parent)| (name(child), name(parent)));
    let half = u32::try_from(animals.len() / 2).unwrap();
    let far = |child: u32| (child + half) % (2 * half);
    let new = animals.ids().step_by(150).map(|child| (child, far(child)));
    let new = new.filter(|&(child, far)| !animals.is_a(far, child));
    let new = new.map(|(child, far)| (name(child), name(far)));
    let version = Hierarchy::from_pairs(old.chain(new)).unwrap();
    let stayed = |room: usize| {
        let params = EncodeParams::default().room(room);
        let model = binder::encode_with(animals.clone(), &params, &()).unwrap().model;
        let updated = update(&model, version.clone(), &()).unwrap();
        (100 * updated.stayed / updated.diff.kept(), updated.appended_bits)
    };
    let ((tight, _), (roomy, appended)) = (stayed(0), stayed(8));
    assert!(roomy > tight && roomy >= 50, "{tight} % and {roomy} % stay");
    assert_eq!(appended, 0);
}

fn with_alias(pairs: &[(&str, &str)], concept: &str, alias: &str) -> Hierarchy {
    let mut builder = HierarchyBuilder::default();
    pairs.iter().for_each(|(child, parent)| builder.pair(child, parent).unwrap());
    let concept = builder.concept(concept).unwrap();
    builder.alias(concept, alias);
    builder.build(Cycles::Refuse).unwrap()
}

#[test]
fn a_name_that_became_an_alias_was_renamed_or_merged() {
    let old = Hierarchy::from_pairs([("hound", "animal"), ("cat", "animal")]).unwrap();
    let renamed = with_alias(&[("dog", "animal"), ("cat", "animal")], "dog", "hound");
    let diff = Diff::between(&old, &renamed, &()).unwrap();
    assert_eq!(diff.renamed, [(old.id("hound").unwrap(), renamed.id("dog").unwrap())]);
    assert_eq!((diff.added().count(), diff.removed().count(), diff.moved.len()), (0, 0, 0));

    let merged = with_alias(&[("cat", "animal")], "cat", "hound");
    let diff = Diff::between(&old, &merged, &()).unwrap();
    assert_eq!(diff.merged, [(old.id("hound").unwrap(), merged.id("cat").unwrap())]);
    assert_eq!((diff.renamed.len(), diff.removed().count()), (0, 1));

    let back = Diff::between(&renamed, &old, &()).unwrap();
    assert_eq!(back.renamed, [(renamed.id("dog").unwrap(), old.id("hound").unwrap())]);
}

#[test]
fn a_renamed_concept_keeps_its_code() {
    let old = Hierarchy::from_pairs([("hound", "animal"), ("cat", "animal")]).unwrap();
    let model = binder::encode(&old).unwrap();
    let new = with_alias(&[("dog", "animal"), ("cat", "animal")], "dog", "hound");
    let updated = update(&model, new, &()).unwrap();
    assert_eq!(updated.stayed, 3);
    let changes: Vec<_> = updated.changes(&model).map(|change| change.concept).collect();
    assert_eq!(changes, ["hound", "dog"]);
}

#[test]
fn false_pairs_are_mended_but_missed_ones_are_not() {
    let pets = Hierarchy::from_pairs([("dog", "pet"), ("cat", "pet")]).unwrap();
    let all_equal = Model::new(pets.clone(), Codes::zeros(3, 2).unwrap()).unwrap();
    let updated = update(&all_equal, pets.clone(), &()).unwrap();
    assert_eq!(updated.evaluation.confusion.errors(), 0);
    let root_alone = Codes::from_words(2, vec![1, 0, 0]).unwrap();
    let error = update(&Model::new(pets.clone(), root_alone).unwrap(), pets, &()).unwrap_err();
    assert_eq!(error, UpdateError::Misses { missed: 2 });
}
