//! One named test for each way a model file can be wrong. The files are made by the writer itself,
//! so that they contain only the fault under test.

use std::collections::BTreeMap;

use std::path::Path;

use super::*;
use crate::container::{ContainerError, Tensor, to_bytes};
use crate::hierarchy::{Cycles, HierarchyBuilder};

/// The five concepts of the documentation, with a label and aliases. In their codes, `pet` has bit
/// 0, and `cat` and `dog` each have one of the given bits.
pub(crate) fn pets_with(aliases: &[&str], width: usize, cat: usize, dog: usize) -> Model {
    let mut builder = HierarchyBuilder::default();
    for (child, parent) in
        [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")]
    {
        builder.pair(child, parent).unwrap();
    }
    let hound = builder.find("dog").unwrap();
    builder.label(hound, "der Hund · 犬");
    aliases.iter().for_each(|alias| builder.alias(hound, alias));
    let pets = builder.build(Cycles::Refuse).unwrap();
    let mut codes = Codes::zeros(pets.len(), width).unwrap();
    for (name, bits) in
        [("pet", vec![0]), ("cat", vec![0, cat]), ("dog", vec![dog]), ("puppy", vec![0, dog])]
    {
        bits.into_iter().for_each(|bit| codes.set(pets.id(name).unwrap(), bit, true));
    }
    Model::new(pets, codes).unwrap()
}

fn pets() -> Model {
    pets_with(&["hound"], 3, 2, 1).with_note("made by", r#"hand, "checksum":"crc32:ffffffff""#)
}

/// Opens the pets' file with one tensor changed and a correct checksum.
fn with_part(
    name: &str,
    change: impl FnOnce(&mut Tensor<'static>),
) -> Result<Model, ContainerError> {
    let (mut parts, notes) = parts();
    change(parts.iter_mut().find(|part| part.name == name).unwrap());
    reopen(&parts, notes)
}

fn parts() -> (Vec<Tensor<'static>>, BTreeMap<String, String>) {
    let model = pets();
    let own = |part: Tensor<'_>| Tensor { bytes: part.bytes.into_owned().into(), ..part };
    (file::tensors(&model).into_iter().map(own).collect(), file::metadata(&model))
}

fn reopen(parts: &[Tensor<'_>], notes: BTreeMap<String, String>) -> Result<Model, ContainerError> {
    Model::from_bytes(&to_bytes(parts, notes))
}

/// The tensor that an error names, and the problem.
fn blamed(result: Result<Model, ContainerError>) -> (&'static str, String) {
    match result {
        Err(ContainerError::Part { name, problem }) => (name, problem),
        other => panic!("expected a bad tensor, got {other:?}"),
    }
}

#[test]
fn a_model_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.safetensors");
    pets().save(&path).unwrap();
    let opened = Model::open(&path).unwrap();
    assert_eq!(opened, pets());
    assert_eq!(opened.to_bytes(), std::fs::read(&path).unwrap());
    assert_eq!(Model::from_bytes(&pets().to_bytes()).unwrap(), pets());
    assert_eq!(opened.is_a("hound", "animal"), Some(true));
    assert_eq!(
        opened.hierarchy().label(opened.hierarchy().id("dog").unwrap()),
        Some("der Hund · 犬")
    );
}

#[test]
fn the_smallest_models_come_back() {
    for n in 0..2usize {
        let mut builder = HierarchyBuilder::default();
        for i in 0..n {
            builder.concept(&i.to_string()).unwrap();
        }
        let model = Model::new(builder.build(Cycles::Refuse).unwrap(), Codes::zeros(n, 1).unwrap())
            .unwrap();
        assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
    }
}

#[test]
fn a_saved_model_is_replaced_while_it_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.safetensors");
    pets().save(&path).unwrap();
    let old = Model::open(&path).unwrap();
    pets().with_note("another", "run").save(&path).unwrap();
    assert_eq!(old, pets());
    assert_eq!(Model::open(&path).unwrap().notes()["another"], "run");
}

#[test]
fn the_data_start_on_a_cache_line() {
    let file = pets().to_bytes();
    let header = u64::from_le_bytes(file[..8].try_into().unwrap());
    assert!((8 + header).is_multiple_of(64));
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let file = pets().to_bytes();
    for end in 0..file.len() {
        let problem = Model::from_bytes(&file[..end]).unwrap_err();
        assert!(matches!(problem, ContainerError::Length), "cut at {end}: {problem}");
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut file = pets().to_bytes();
    file.push(0);
    assert!(matches!(Model::from_bytes(&file), Err(ContainerError::Length)));
}

#[test]
fn any_flipped_bit_is_noticed() {
    let mut file = pets().to_bytes();
    for bit in 0..file.len() * 8 {
        file[bit / 8] ^= 1 << (bit % 8);
        assert!(Model::from_bytes(&file).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
        file[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(Model::from_bytes(&file).is_ok());
}

#[test]
fn a_flipped_bit_in_a_code_is_a_wrong_checksum() {
    let mut file = pets().to_bytes();
    let header = u64::from_le_bytes(file[..8].try_into().unwrap());
    file[8 + usize::try_from(header).unwrap()] ^= 1;
    assert!(matches!(Model::from_bytes(&file), Err(ContainerError::Checksum)));
}

#[test]
fn a_file_of_something_else_is_refused() {
    assert!(matches!(
        Model::from_bytes(b"dog\tanimal\ncat\tanimal\n"),
        Err(ContainerError::NotSafetensors(_))
    ));
    assert!(matches!(
        Model::from_bytes(b"\x02\0\0\0\0\0\0\0{}"),
        Err(ContainerError::OtherFormat { .. })
    ));
    let error = Model::open(Path::new("/no/such/file")).unwrap_err();
    assert!(
        matches!(error.problem, ContainerError::Io(_))
            && error.to_string().starts_with("/no/such/file: ")
    );
}

#[test]
fn a_version_from_the_future_is_refused_by_name() {
    let (parts, mut notes) = parts();
    notes.insert("format_version".to_owned(), "2".to_owned());
    let problem = reopen(&parts, notes).unwrap_err();
    assert!(matches!(&problem, ContainerError::Version { found, .. } if found == "2"), "{problem}");
    assert_eq!(problem.to_string(), "format version 2, but only 1 is known");
}

#[test]
fn names_that_are_not_utf8_are_refused() {
    let (tensor, problem) = blamed(with_part("names", |part| part.bytes.to_mut()[0] = 0xff));
    assert!(tensor == "names" && problem.contains("UTF-8"), "{tensor}: {problem}");
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    // "cat" becomes "pet".
    let (tensor, problem) = blamed(with_part("names", |part| {
        let at = String::from_utf8_lossy(&part.bytes).find("cat").unwrap();
        part.bytes.to_mut()[at..at + 3].copy_from_slice(b"pet");
    }));
    assert!(tensor == "names" && problem.contains("duplicate"), "{tensor}: {problem}");
}

#[test]
fn offsets_that_lie_are_refused() {
    for (at, value) in [(0, 1u8), (8, 200), (8, 255), (40, 0)] {
        let (tensor, problem) =
            blamed(with_part("name_offsets", |part| part.bytes.to_mut()[at] = value));
        assert_eq!(tensor, "name_offsets", "{problem}");
    }
    let (tensor, _) = blamed(with_part("label_offsets", |part| part.bytes.to_mut()[7] = 1));
    assert_eq!(tensor, "label_offsets");
}

#[test]
fn a_bit_past_the_last_is_refused() {
    let (tensor, problem) = blamed(with_part("codes", |part| part.bytes.to_mut()[0] |= 1 << 3));
    assert!(tensor == "codes" && problem.contains("past the last"), "{tensor}: {problem}");
}

#[test]
fn shapes_that_lie_are_refused() {
    let problem = with_part("codes", |part| part.shape = vec![50, 1]).unwrap_err();
    assert!(matches!(problem, ContainerError::NotSafetensors(_)), "{problem}");
    assert_eq!(blamed(with_part("codes", |part| part.shape = vec![1, 5])).0, "codes");
    assert_eq!(blamed(with_part("codes", |part| part.shape = vec![5])).0, "codes");
    assert_eq!(blamed(with_part("pairs", |part| part.shape = vec![2, 5])).0, "pairs");
    assert_eq!(blamed(with_part("names", |part| part.dtype = "I8")).0, "names");
}

#[test]
fn pairs_that_break_the_order_are_refused() {
    let set = |at: usize, value: u8| {
        blamed(with_part("pairs", move |part| part.bytes.to_mut()[4 * at] = value))
    };
    assert!(set(0, 9).1.contains("out of range"));
    assert!(set(1, 4).1.contains("before its child"));
    // The last two pairs are (puppy, pet) and (puppy, dog).
    let last = parts().0.iter().find(|part| part.name == "pairs").unwrap().bytes.len() / 4 - 1;
    assert!(set(last, 0).1.contains("ascending"));
    assert!(set(last - 2, 0).1.contains("implied"));
}

#[test]
fn a_missing_part_is_named() {
    for name in [
        "codes",
        "names",
        "name_offsets",
        "pairs",
        "alias_concepts",
        "alias_offsets",
        "label_offsets",
    ] {
        let (mut parts, notes) = parts();
        parts.retain(|part| part.name != name);
        assert_eq!(blamed(reopen(&parts, notes)), (name, "is missing".to_owned()));
    }
}

#[test]
fn widths_that_no_code_has_are_refused() {
    for bits in ["0", "4097", "many", "-1", ""] {
        let (parts, mut notes) = parts();
        notes.insert("bits".to_owned(), bits.to_owned());
        assert_eq!(blamed(reopen(&parts, notes)).0, "codes", "{bits:?} bits");
    }
}

#[test]
fn codes_for_another_number_of_concepts_are_refused() {
    let error = Model::new(pets().hierarchy().clone(), Codes::zeros(4, 3).unwrap()).unwrap_err();
    assert!(matches!(error, ModelError::Lengths { concepts: 5, codes: 4 }));
}

/// `testdata/models/v1.safetensors` holds these pets in version 1 of the format. It must always
/// open. While the format version is 1, the bytes must not change.
#[test]
fn the_golden_model_of_version_1_opens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/models/v1.safetensors");
    assert_eq!(Model::open(&path).unwrap(), pets());
    assert_eq!(
        file::FORMAT.version,
        "1",
        "keep this file, test that it opens, and add one for the new version"
    );
    assert_eq!(std::fs::read(&path).unwrap(), pets().to_bytes());
}
