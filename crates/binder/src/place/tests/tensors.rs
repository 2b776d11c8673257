//! Safetensors files of vectors, good and bad.

use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, TensorView, serialize};

use super::encoded;
use crate::place::{
    Embeddings, PlaceError, PlaceParams, Placer, RowsProblem, TensorsProblem, Vectors, VectorsError,
};

/// A tensor: its name, type, shape and bytes.
type Part<'a> = (&'a str, Dtype, Vec<usize>, Vec<u8>);

fn wide(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The numbers 1, 0, 0 and 0.6, 0.8, 0.
fn matrix(name: &str) -> Part<'_> {
    (name, Dtype::F32, vec![2, 3], wide(&[1.0, 0.0, 0.0, 0.6, 0.8, 0.0]))
}

fn text<'a>(name: &'a str, text: &str) -> Part<'a> {
    (name, Dtype::U8, vec![text.len()], text.as_bytes().to_vec())
}

fn offsets(offsets: &[u64]) -> Part<'static> {
    let bytes = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
    ("name_offsets", Dtype::U64, vec![offsets.len()], bytes)
}

fn write(folder: &Path, file: &str, parts: &[Part<'_>]) -> PathBuf {
    let views = parts.iter().map(|(name, dtype, shape, bytes)| {
        (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
    });
    let path = folder.join(file);
    std::fs::write(&path, serialize(views, None).unwrap()).unwrap();
    path
}

fn read(parts: &[Part<'_>]) -> Result<Vectors, VectorsError> {
    let folder = tempfile::tempdir().unwrap();
    Vectors::read(write(folder.path(), "v.safetensors", parts))
}

/// What is wrong with the tensors or the rows.
fn problem(parts: &[Part<'_>]) -> Result<TensorsProblem, RowsProblem> {
    match read(parts).unwrap_err() {
        VectorsError::Tensors { problem, .. } => Ok(problem),
        VectorsError::Rows { problem, .. } => Err(problem),
        other => panic!("{other}"),
    }
}

/// The vectors of `dog` and `cat`, as a text has them.
fn wanted() -> Vectors {
    Vectors::read_from("dog 1 0 0\ncat 0.6 0.8 0\n".as_bytes(), "text").unwrap()
}

#[test]
fn names_are_lines_or_pieces_of_a_tensor() {
    for name in ["names", "words", "vocab"] {
        assert_eq!(read(&[matrix("any"), text(name, "dog\ncat\n")]).unwrap(), wanted());
    }
    let pieces = [matrix("any"), text("names", "dogcat"), offsets(&[0, 3, 6])];
    assert_eq!(read(&pieces).unwrap(), wanted());
    // Another matrix does not matter if one is called vectors.
    let both = [matrix("vectors"), matrix("other"), text("names", "dog\ncat")];
    assert_eq!(read(&both).unwrap(), wanted());
}

#[test]
fn names_may_be_in_a_file_beside() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = write(folder, "v.safetensors", &[matrix("weight")]);
    let missing = Vectors::read(&file).unwrap_err().to_string();
    assert!(missing.contains("no names for the rows; add a tensor called names"), "{missing}");
    assert!(missing.contains("v.vocab.txt"), "{missing}");
    std::fs::write(folder.join("vocab.txt"), "dog\r\ncat\r\n").unwrap();
    assert_eq!(Vectors::read(&file).unwrap(), wanted());
    std::fs::write(folder.join("v.vocab.txt"), "one\n").unwrap();
    let error = Vectors::read(&file).unwrap_err();
    let count = RowsProblem::Count { rows: 2, names: 1 };
    assert!(matches!(&error, VectorsError::Rows { problem, .. } if *problem == count), "{error}");
    std::fs::write(folder.join("v.vocab.txt"), b"\xff\n\xff\n").unwrap();
    let error = Vectors::read(&file).unwrap_err().to_string();
    assert!(error.contains("v.vocab.txt: the names: are not UTF-8"), "{error}");
}

#[test]
fn a_file_is_known_by_its_content_too() {
    let folder = tempfile::tempdir().unwrap();
    let parts = [matrix("vectors"), text("names", "dog\ncat\n")];
    let path = write(folder.path(), "vectors.bin", &parts);
    assert_eq!(Vectors::read(path).unwrap(), wanted());
    let cut = folder.path().join("cut.safetensors");
    std::fs::write(&cut, b"dog 1 0 0\n").unwrap();
    let error = Vectors::read(cut).unwrap_err();
    let VectorsError::Tensors { problem: TensorsProblem::NotSafetensors(_), .. } = &error else {
        panic!("{error}")
    };
}

#[test]
fn numbers_may_have_16_bits() {
    let half = vec![0x00, 0x3c, 0x00, 0x00, 0x00, 0x00, 0xcd, 0x38, 0x66, 0x3a, 0x00, 0x00];
    let brain = vec![0x80, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x1a, 0x3f, 0x4d, 0x3f, 0x00, 0x00];
    for (dtype, bytes) in [(Dtype::F16, half), (Dtype::BF16, brain)] {
        let parts = [("v", dtype, vec![2, 3], bytes), text("names", "dog\ncat\n")];
        assert_eq!(read(&parts).unwrap(), wanted(), "{dtype:?}");
    }
}

#[test]
fn matrices_that_are_none_are_refused() {
    let names = || text("names", "dog\ncat\n");
    assert!(matches!(problem(&[names()]), Ok(TensorsProblem::NoMatrix { matrices: 0, .. })));
    let two = problem(&[matrix("a"), matrix("b"), names()]).unwrap();
    assert_eq!(
        two.to_string(),
        "no tensor called vectors, and 2 of 2 dimensions; it has a, b, names"
    );
    let other = ("vectors", Dtype::F64, vec![2, 1], vec![0; 16]);
    let said = problem(&[other, names()]).unwrap().to_string();
    assert_eq!(said, "the tensor vectors is F64 [2, 1], not a matrix of F32, F16 or BF16");
    for shape in [vec![6], vec![2, 1, 3], vec![0, 3], vec![2, 0]] {
        let count = 4 * shape.iter().product::<usize>();
        let refused = read(&[("vectors", Dtype::F32, shape.clone(), vec![0; count]), names()]);
        assert!(refused.is_err(), "{shape:?}");
    }
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let with = |names: Part<'_>| problem(&[matrix("vectors"), names]);
    let count = |names| Err(RowsProblem::Count { rows: 2, names });
    assert_eq!(with(text("names", "dog\n")), count(1));
    assert_eq!(with(text("names", "dog\ncat\ncow\n")), count(3));
    let twice = RowsProblem::Twice { name: "dog".to_owned(), first: 0, second: 1 };
    assert_eq!(with(text("names", "dog\ndog\n")), Err(twice));
    assert_eq!(with(text("names", "dog\n\n")), Err(RowsProblem::Name { row: 1 }));
    let said = |names: Part<'_>| with(names).unwrap().to_string();
    assert!(said(("names", Dtype::U16, vec![1], vec![0; 2])).contains("is not bytes (U8)"));
    assert!(said(("names", Dtype::U8, vec![1], vec![0xff])).contains("is not UTF-8"));
    for wrong in [vec![0, 3], vec![0, 9, 6], vec![1, 3, 6], vec![]] {
        let parts = [matrix("vectors"), text("names", "dogcat"), offsets(&wrong)];
        let said = problem(&parts).unwrap().to_string();
        assert!(said.contains("does not fit name_offsets"), "{wrong:?}: {said}");
    }
    let lines = [matrix("vectors"), text("names", "d\ngcat"), offsets(&[0, 3, 6])];
    assert_eq!(problem(&lines), Err(RowsProblem::Name { row: 0 }));
}

#[test]
fn numbers_that_are_none_are_refused() {
    for number in [f32::NAN, f32::INFINITY] {
        let numbers = wide(&[1.0, 0.0, number, 1.0]);
        let parts = [("v", Dtype::F32, vec![2, 2], numbers), text("names", "dog\ncat\n")];
        let wanted = RowsProblem::NotFinite { row: 1, name: "cat".to_owned() };
        assert_eq!(problem(&parts), Err(wanted));
    }
}

#[test]
fn vectors_of_nobody_are_refused() {
    let vectors = Embeddings::default().concepts(wanted());
    let model = encoded(super::vectors::riddles());
    let refused = Placer::fit_with(model, vectors, &PlaceParams::default(), &()).unwrap_err();
    let said = "none of the 2 vectors has the name of a concept; the first is called \"dog\"";
    assert!(matches!(refused, PlaceError::Vectors(_)) && refused.to_string() == said, "{refused}");
}
