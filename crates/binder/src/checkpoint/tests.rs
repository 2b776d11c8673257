//! A checkpoint comes back as it was saved; and one named test for each way a file can be wrong.
#![cfg(feature = "builtin")]

use super::*;
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::read::Builtin;
use crate::train::{Keep, Recipe, TrainParams};

fn params() -> TrainParams {
    TrainParams {
        bits: 70,
        epochs: 40,
        patience: 15,
        seed: 7,
        keep: Keep::Loss,
        ..Recipe::Published.params(true)
    }
}

fn pairs(toy: &Hierarchy) -> Graph {
    toy.graph().clone()
}

/// A run on the toy hierarchy after the given number of epochs.
fn toy_after(epochs: u32, params: &TrainParams) -> Checkpoint {
    let toy = Builtin::Toy.load();
    let (pairs, params) = (pairs(&toy), params.clone().check(toy.len()).unwrap());
    let mut training = Training::new(&pairs, &params, Validation::AllPairs(&toy)).unwrap();
    for _ in 0..epochs {
        training.step();
    }
    training.checkpoint()
}

/// The error of resuming a run of twelve epochs on the toy with other settings.
fn refused(params: TrainParams) -> ResumeError {
    let toy = Builtin::Toy.load();
    let (pairs, params) = (pairs(&toy), params.check(toy.len()).unwrap());
    let checkpoint = toy_after(12, &self::params());
    Training::resume(&pairs, &params, Validation::AllPairs(&toy), checkpoint).unwrap_err()
}

#[test]
fn a_checkpoint_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy");
    for (epochs, kept) in [(0, false), (1, false), (12, true), (40, true)] {
        let checkpoint = toy_after(epochs, &params());
        assert_eq!((checkpoint.epoch(), checkpoint.state.kept.is_some()), (epochs, kept));
        checkpoint.save(&path).unwrap();
        assert_eq!(Checkpoint::open(&path).unwrap(), checkpoint);
        assert_eq!(std::fs::read(&path).unwrap(), checkpoint.to_bytes());
    }
}

#[test]
fn a_run_resumes_from_any_epoch_as_if_never_interrupted() {
    let toy = Builtin::Toy.load();
    let pairs = pairs(&toy);
    let listed: Vec<_> = pairs.iter().collect();
    let on_listed = Validation::Listed { positives: &listed, negatives: &[(1, 2), (2, 1)] };
    for keep in [Keep::F1, Keep::Loss, Keep::Last] {
        for validation in [Validation::AllPairs(&toy), on_listed, Validation::Nothing] {
            let params = TrainParams { keep, ..params() }.check(toy.len()).unwrap();
            let mut whole = Training::new(&pairs, &params, validation).unwrap();
            let mut parted = Training::new(&pairs, &params, validation).unwrap();
            while !whole.is_over() {
                let file = parted.checkpoint().to_bytes();
                let checkpoint = Checkpoint::from_bytes(&file).unwrap();
                parted = Training::resume(&pairs, &params, validation, checkpoint).unwrap();
                let (one, other) = (whole.step(), parted.step());
                assert_eq!(
                    (one.epoch, one.report, one.score),
                    (other.epoch, other.report, other.score)
                );
            }
            assert!(parted.is_over());
            assert_eq!(parted.result(), whole.result());
        }
    }
}

#[test]
fn other_settings_are_named() {
    let error = refused(TrainParams { alpha: 30, seed: 8, ..params() });
    let ResumeError::Differs(differences) = &error else { panic!("{error}") };
    assert_eq!(differences.iter().map(|d| d.what.as_str()).collect::<Vec<_>>(), ["alpha", "seed"]);
    assert!(
        error.to_string().contains("(alpha: 25000 then, 30 now; seed: 7 then, 8 now)"),
        "{error}"
    );
    for params in [
        TrainParams { bits: 71, ..params() },
        TrainParams { patience: 16, ..params() },
        TrainParams { rate: 0.008_000_000_000_000_002, ..params() },
        TrainParams { init: Init::Codes(crate::codes::Codes::zeros(15, 70).unwrap()), ..params() },
    ] {
        assert!(
            matches!(refused(params), ResumeError::Differs(differences) if differences.len() == 1)
        );
    }
}

#[test]
fn the_codes_of_a_model_to_begin_with_must_be_the_same() {
    let toy = Builtin::Toy.load();
    let (pairs, zeros) = (pairs(&toy), crate::codes::Codes::zeros(toy.len(), 70).unwrap());
    let mut other = zeros.clone();
    other.set(3, 69, true);
    let from = |codes| TrainParams { init: Init::Codes(codes), ..params() };
    let checkpoint = toy_after(2, &from(zeros.clone()));
    let (same, other) = (from(zeros).check(15).unwrap(), from(other).check(15).unwrap());
    let validation = Validation::AllPairs(&toy);
    assert!(Training::resume(&pairs, &same, validation, checkpoint.clone()).is_ok());
    let error = Training::resume(&pairs, &other, validation, checkpoint).unwrap_err();
    assert!(error.to_string().contains("init: model ("), "{error}");
}

#[test]
fn other_data_are_named() {
    let toy = Builtin::Toy.load();
    let params = params().check(toy.len()).unwrap();
    let (all, closure) = (pairs(&toy), Graph::new(15, toy.closure().pairs()));
    let why = |pairs: &Graph, validation| {
        let checkpoint = toy_after(12, &params);
        Training::resume(pairs, &params, validation, checkpoint).map(drop).unwrap_err().to_string()
    };
    let error = why(&closure, Validation::AllPairs(&toy));
    assert!(
        error.contains("training pairs: 14 pairs (") && error.contains(") then, 33 pairs ("),
        "{error}"
    );
    let error = why(&all, Validation::Nothing);
    assert!(error.contains("validation: all pairs, after 14 pairs ("), "{error}");
    let error = why(&all, Validation::Listed { positives: &[(1, 0)], negatives: &[] });
    assert!(error.contains("then, 1 pairs (") && error.contains(", 0 pairs ("), "{error}");
    let error = why(&Graph::new(16, toy.pairs()), Validation::AllPairs(&toy));
    assert!(error.contains("concepts: 15 then, 16 now"), "{error}");
}

#[test]
fn a_run_can_be_made_longer_but_not_shorter_than_it_is() {
    let toy = Builtin::Toy.load();
    let (pairs, longer) =
        (pairs(&toy), TrainParams { epochs: 60, patience: 0, keep: Keep::Last, ..params() });
    let checkpoint = toy_after(40, &TrainParams { epochs: 40, ..longer.clone() });
    let longer = longer.check(toy.len()).unwrap();
    let mut training =
        Training::resume(&pairs, &longer, Validation::AllPairs(&toy), checkpoint).unwrap();
    while !training.is_over() {
        training.step();
    }
    assert_eq!(training.checkpoint(), toy_after(60, &longer));
    let error = refused(TrainParams { epochs: 11, ..params() });
    assert_eq!(error, ResumeError::Past { done: 12, asked: 11 });
    assert!(error.to_string().contains("at least 12"), "{error}");
}

#[test]
fn a_file_cut_off_or_added_to_is_refused() {
    let mut file = toy_after(12, &params()).to_bytes();
    for end in 0..file.len() {
        assert!(
            matches!(Checkpoint::from_bytes(&file[..end]), Err(ContainerError::Length)),
            "at {end}"
        );
    }
    file.push(0);
    assert!(matches!(Checkpoint::from_bytes(&file), Err(ContainerError::Length)));
}

#[test]
fn any_changed_byte_is_noticed() {
    let mut file = toy_after(12, &params()).to_bytes();
    for at in 0..file.len() {
        file[at] ^= 1;
        assert!(Checkpoint::from_bytes(&file).is_err(), "byte {at}");
        file[at] ^= 1;
    }
    *file.last_mut().unwrap() ^= 1;
    assert!(matches!(Checkpoint::from_bytes(&file), Err(ContainerError::Checksum)));
}

#[test]
fn a_file_of_something_else_is_refused() {
    let toy = Builtin::Toy.load();
    let model = Model::new(toy, toy_after(1, &params()).state.codes).unwrap().to_bytes();
    let foreign = |bytes: &[u8]| {
        matches!(
            Checkpoint::from_bytes(bytes),
            Err(ContainerError::OtherFormat { .. } | ContainerError::NotSafetensors(_))
        )
    };
    assert!(
        foreign(&model)
            && foreign(b"dog\tanimal\ncat\tanimal\n")
            && foreign(b"\x02\0\0\0\0\0\0\0{}")
    );
    let is_missing = Checkpoint::open(Path::new("/no/such/file")).unwrap_err();
    assert!(matches!(is_missing.problem, ContainerError::Io(_)), "{is_missing}");
    let folder = Checkpoint::open(Path::new("/")).unwrap_err();
    assert!(matches!(folder.problem, ContainerError::NotAFile), "{folder}");
}

/// The error of opening the toy's checkpoint after changes to metadata and tensors, with a correct
/// checksum.
fn changed(
    change: impl FnOnce(&mut BTreeMap<String, String>, &mut Vec<Tensor<'_>>),
) -> ContainerError {
    let checkpoint = toy_after(12, &params());
    let (mut tensors, mut metadata) = (checkpoint.tensors(), checkpoint.metadata());
    change(&mut metadata, &mut tensors);
    Checkpoint::from_bytes(&container::to_bytes(&tensors, metadata)).unwrap_err()
}

#[test]
fn a_version_from_the_future_is_refused_by_name() {
    let problem = changed(|metadata, _| drop(metadata.insert("format_version".into(), "2".into())));
    assert!(matches!(&problem, ContainerError::Version { found, .. } if found == "2"), "{problem}");
}

#[test]
fn a_part_that_is_missing_or_lies_is_named() {
    for (key, value) in [
        ("epoch", "many"),
        ("epoch", "3"),
        ("kept_epoch", "-1"),
        ("kept_f1", "good"),
        ("kept_loss", ""),
        ("run.bits", "0"),
        ("run.bits", "18446744073709551615"),
        ("run.concepts", "16"),
        ("run.patience", "5"),
    ] {
        let problem = changed(|metadata, _| drop(metadata.insert(key.into(), value.into())));
        assert!(matches!(problem, ContainerError::Part { .. }), "{key} {value}: {problem}");
    }
    for key in
        ["epoch", "kept_epoch", "kept_f1", "kept_loss", "run.bits", "run.concepts", "run.patience"]
    {
        let problem = changed(|metadata, _| drop(metadata.remove(key)));
        assert!(matches!(problem, ContainerError::Part { name, .. } if name == key), "{key}");
    }
    for part in ["codes", "scores"] {
        let problem = changed(|_, tensors| tensors.retain(|tensor| tensor.name != part));
        assert!(matches!(problem, ContainerError::Part { name, .. } if name == part), "{part}");
    }
}
