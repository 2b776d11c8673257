//! One named test for each way a model file can be wrong. The files are made by the writer itself,
//! so that they contain only the fault under test.

use std::collections::BTreeMap;

use std::path::Path;

use super::*;
use crate::bits::Id;
use crate::container::{ContainerError, Tensor, to_bytes};
use crate::hierarchy::{Cycles, HierarchyBuilder, KeepTexts, Scope};

/// The five concepts of the documentation, with a label and aliases. In their codes, `pet` has bit
/// 0, and `cat` and `dog` each have one of the given bits.
pub(crate) fn pets_with(aliases: &[&str], width: usize, cat: usize, dog: usize) -> Model {
    let (builder, hound) = (HierarchyBuilder::default(), |_: &mut HierarchyBuilder, _| {});
    pets_from(builder, aliases, width, [cat, dog], hound)
}

/// The same, and whatever else `more` says about `dog`.
fn pets_from(
    mut builder: HierarchyBuilder,
    aliases: &[&str],
    width: usize,
    [cat, dog]: [usize; 2],
    more: impl FnOnce(&mut HierarchyBuilder, Id),
) -> Model {
    for (child, parent) in
        [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")]
    {
        builder.pair(child, parent).unwrap();
    }
    let hound = builder.find("dog").unwrap();
    builder.label(hound, "der Hund · 犬");
    aliases.iter().for_each(|alias| builder.alias(hound, alias));
    more(&mut builder, hound);
    let pets = builder.build(Cycles::Refuse).unwrap();
    let mut codes = Codes::zeros(pets.len(), width).unwrap();
    for (name, bits) in
        [("pet", vec![0]), ("cat", vec![0, cat]), ("dog", vec![dog]), ("puppy", vec![0, dog])]
    {
        bits.into_iter().for_each(|bit| codes.set(pets.id(name).unwrap(), bit, true));
    }
    Model::new(pets, codes).unwrap()
}

const NOTE: &str = r#"hand, "checksum":"crc32:ffffffff""#;

/// What version 1 could hold.
fn pets_of_version_1() -> Model {
    pets_with(&["hound"], 3, 2, 1).with_note("made by", NOTE)
}

fn pets() -> Model {
    let more = |builder: &mut HierarchyBuilder, dog| {
        builder.ranked_synonym(dog, "cur", Scope::Narrow, 2);
        builder.synonym(dog, "canine", Scope::Broad);
        builder.definition(dog, "A pet that barks; 吠える.");
    };
    pets_from(HierarchyBuilder::default(), &["hound"], 3, [2, 1], more).with_note("made by", NOTE)
}

/// The tensors of the pets as version 1 had them.
fn parts_of_version_1() -> (Vec<Tensor<'static>>, BTreeMap<String, String>) {
    let model = pets_of_version_1();
    let own = |part: Tensor<'_>| Tensor { bytes: part.bytes.into_owned().into(), ..part };
    let mut parts: Vec<_> = file::tensors(&model).into_iter().map(own).collect();
    let is_text = |part: &Tensor<'_>| matches!(part.name, "labels" | "aliases");
    parts.retain(|part| !is_text(part));
    let hierarchy = model.hierarchy();
    let aliases = hierarchy.aliases().iter().map(|(alias, _)| alias).collect();
    for (texts, names) in [
        (hierarchy.labels(), ["labels", "label_offsets"]),
        (&aliases, ["aliases", "alias_offsets"]),
    ] {
        parts.push(own(Tensor::texts(names[0], texts)));
        parts.push(own(Tensor::text_offsets(names[1], texts)));
    }
    let place = |part: &Tensor<'_>| {
        let order = [
            "codes",
            "name_offsets",
            "label_offsets",
            "alias_offsets",
            "pairs",
            "alias_concepts",
            "names",
            "labels",
            "aliases",
        ];
        order.iter().position(|name| *name == part.name)
    };
    parts.sort_by_key(place);
    let mut notes = file::metadata(&model);
    notes.insert("format_version".to_owned(), "1".to_owned());
    (parts, notes)
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

/// The same in version 1.
fn with_part_of_version_1(
    name: &str,
    change: impl FnOnce(&mut Tensor<'static>),
) -> Result<Model, ContainerError> {
    let (mut parts, notes) = parts_of_version_1();
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
    let dog = opened.hierarchy().id("dog").unwrap();
    let called: Vec<_> = opened.hierarchy().synonyms(dog).collect();
    assert_eq!((called[0].text, called[0].scope, called[0].rank), ("cur", Scope::Narrow, 2));
    assert_eq!((called[1].text, called[1].scope, called[1].rank), ("canine", Scope::Broad, 0));
    assert_eq!(opened.hierarchy().definition(dog), Some("A pet that barks; 吠える."));
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
    notes.insert("format_version".to_owned(), "3".to_owned());
    let problem = reopen(&parts, notes).unwrap_err();
    assert!(matches!(&problem, ContainerError::Version { found, .. } if found == "3"), "{problem}");
    assert_eq!(problem.to_string(), "format version 3, but only 1 and 2 are known");
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
    let (tensor, _) =
        blamed(with_part_of_version_1("label_offsets", |part| part.bytes.to_mut()[7] = 1));
    assert_eq!(tensor, "label_offsets");
}

#[test]
fn packed_texts_that_are_damaged_are_refused() {
    for name in ["labels", "aliases", "synonyms"] {
        let (tensor, problem) = blamed(with_part(name, |part| part.bytes.to_mut()[0] ^= 1));
        assert_eq!((tensor, problem.as_str()), (name, "cannot be unpacked"));
    }
}

#[test]
fn definitions_that_are_damaged_are_noticed_when_they_are_read() {
    let opened = with_part("definitions", |part| part.bytes.to_mut()[0] ^= 1).unwrap();
    let hierarchy = opened.hierarchy();
    assert_eq!(hierarchy.definition(hierarchy.id("dog").unwrap()), None);
    assert!(hierarchy.definitions().checked().is_err());
}

#[test]
fn synonyms_that_do_not_fit_are_refused() {
    let set = |name, at: usize, value| {
        blamed(with_part(name, move |part| part.bytes.to_mut()[at] = value))
    };
    assert!(set("synonym_concepts", 0, 9).1.contains("out of range"));
    assert!(set("synonym_concepts", 4, 0).1.contains("ascending"));
    assert_eq!(set("synonym_scopes", 0, 5), ("synonym_scopes", "an unknown scope".to_owned()));
}

#[test]
fn texts_can_be_left_out() {
    let (model, kept) = (pets(), |texts| pets().hierarchy().as_ref().clone().keeping(texts));
    let (all, names, none) = (kept(KeepTexts::All), kept(KeepTexts::Names), kept(KeepTexts::None));
    assert_eq!(all, **model.hierarchy());
    assert!(names.definitions().is_empty() && !names.all_synonyms().is_empty());
    assert!(none.definitions().is_empty() && none.all_synonyms().is_empty());
    assert_eq!((none.label(none.id("hound").unwrap()), none.aliases().len()), (None, 1));
    let bytes = |hierarchy| {
        let model = Model::new(hierarchy, model.codes().clone()).unwrap();
        assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
        model.to_bytes().len()
    };
    let (all, names, none) = (bytes(all), bytes(names), bytes(none));
    assert!(all > names && names > none, "{all} {names} {none}");
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
    let missing = |name: &str, (mut parts, notes): (Vec<Tensor<'_>>, _)| {
        parts.retain(|part| part.name != name);
        blamed(reopen(&parts, notes))
    };
    let always = ["codes", "names", "name_offsets", "pairs", "alias_concepts"];
    for name in always.into_iter().chain(["synonym_concepts", "synonym_scopes"]) {
        assert_eq!(missing(name, parts()), (name, "is missing".to_owned()));
    }
    for name in always.into_iter().chain(["alias_offsets", "label_offsets"]) {
        assert_eq!(missing(name, parts_of_version_1()), (name, "is missing".to_owned()));
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

fn golden(version: &str) -> std::path::PathBuf {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/models");
    models.join(format!("v{version}.safetensors"))
}

/// `testdata/models/v1.safetensors` holds these pets in version 1 of the format. It must always
/// open.
#[test]
fn the_golden_model_of_version_1_opens() {
    let (parts, notes) = parts_of_version_1();
    assert_eq!(std::fs::read(golden("1")).unwrap(), to_bytes(&parts, notes));
    assert_eq!(Model::open(golden("1")).unwrap(), pets_of_version_1());
}

/// `testdata/models/v2.safetensors` holds the pets with synonyms and a definition. It must always
/// open, and opening and saving must not change it.
#[test]
fn the_golden_model_of_version_2_opens() {
    let opened = Model::open(golden("2")).unwrap();
    assert_eq!(opened, pets());
    assert_eq!(
        file::FORMAT.version(),
        "2",
        "keep this file, test that it opens, and add one for the new version"
    );
    assert_eq!(std::fs::read(golden("2")).unwrap(), pets().to_bytes());
}
