use std::io::Write;

use binder::read::Problem;

use super::*;

const PETS: &[u8] = b"cat\tpet\ndog\tpet\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// `PETS` as the program xz packs it.
const XZ: &[u8] = include_bytes!("pets.tsv.xz");

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn every_compression() {
    let packed = [
        ("gz", gzip(PETS)),
        ("bz2", bzip2(PETS)),
        ("xz", XZ.to_vec()),
        ("zip", zip(&[("a.tsv", PETS)])),
    ];
    for (ending, bytes) in packed {
        for name in [format!("pets.tsv.{ending}"), "pets".to_owned()] {
            assert_eq!(pairs(&read(&name, &bytes)), [("cat", "pet"), ("dog", "pet")], "{name}");
        }
    }
}

#[test]
fn bzip2_of_several_streams() {
    let packed = [bzip2(&PETS[..5]), bzip2(&PETS[5..])].concat();
    assert_eq!(read("a.tsv.bz2", packed).direct(), 2);
}

#[test]
fn cut_off() {
    for (name, bytes) in [("a.tsv.bz2", bzip2(PETS)), ("a.tsv.xz", XZ.to_vec())] {
        for length in [6, bytes.len() / 2, bytes.len() - 1] {
            let error = refused(name, &bytes[..length]);
            assert!(
                matches!(error.problem, Problem::Truncated | Problem::Damaged(_)),
                "{name} of {length} bytes: {error:?}"
            );
        }
    }
    let bytes = zip(&[("a.tsv", PETS)]);
    for length in [6, bytes.len() / 2, bytes.len() - 1] {
        let error = refused("a.zip", &bytes[..length]);
        assert!(matches!(error.problem, Problem::Truncated | Problem::Damaged(_)), "{error:?}");
    }
}

#[test]
fn damaged() {
    for (name, mut bytes) in
        [("a.tsv.bz2", bzip2(PETS)), ("a.tsv.xz", XZ.to_vec()), ("a.zip", zip(&[("a.tsv", PETS)]))]
    {
        bytes[14..30].iter_mut().for_each(|byte| *byte ^= 0x55);
        let error = refused(name, &bytes);
        assert!(
            matches!(error.problem, Problem::Damaged(_) | Problem::Truncated),
            "{name}: {error:?}"
        );
    }
}

#[test]
fn empty_file_that_is_called_compressed() {
    for ending in ["gz", "zst", "bz2", "xz", "zip"] {
        let error = refused(&format!("a.tsv.{ending}"), "");
        assert!(matches!(error.problem, Problem::EmptyCompressed), "{error:?}");
    }
}

#[test]
fn members_of_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.zip");
    std::fs::write(&path, zip(&[("pets.tsv", PETS), ("more/cars.csv", b"van,car\n")])).unwrap();
    let read = |member: &str| Hierarchy::read(path.join(member)).unwrap();
    assert_eq!(pairs(&read("pets.tsv")), [("cat", "pet"), ("dog", "pet")]);
    assert_eq!(pairs(&read("more/cars.csv")), [("van", "car")]);
    let error = Hierarchy::read(&path).unwrap_err();
    assert!(
        error.to_string().ends_with("the archive has several members: pets.tsv, more/cars.csv"),
        "{error}"
    );
    let error = Hierarchy::read(path.join("dogs.tsv")).unwrap_err();
    assert!(
        error.to_string().contains("the archive has no member \"dogs.tsv\"; it has pets.tsv"),
        "{error}"
    );
}

#[test]
fn office_document() {
    let error = refused("a.xlsx", zip(&[("[Content_Types].xml", b"<x/>"), ("xl/a.xml", b"")]));
    assert!(error.to_string().contains("Office document, such as an Excel workbook"), "{error}");
}

/// What unpacks to more than is allowed is refused before it fills the memory.
#[test]
fn bomb() {
    let zeros = vec![b'a'; 1 << 22];
    for bytes in [bzip2(&zeros), zip(&[("a.tsv", &zeros)]), gzip(&zeros)] {
        let error = refused_with("a.tsv", bytes, |o| o.max_bytes = Some(1 << 20));
        assert!(matches!(error.problem, Problem::TooLong { .. }), "{error:?}");
    }
}

#[test]
fn other_kinds_of_files() {
    let mut tensors = 20u64.to_le_bytes().to_vec();
    tensors.extend(b"{\"__metadata__\":{}}");
    for (bytes, what) in [
        (b"%PDF-1.7\n".to_vec(), "a PDF document"),
        (b"SQLite format 3\0".to_vec(), "an SQLite database"),
        (b"\x93NUMPY\x01\0".to_vec(), "a NumPy array"),
        (tensors, "a safetensors file"),
    ] {
        let error = refused("a.csv", bytes);
        assert_eq!(error.to_string(), format!("a.csv: this is {what}, not a hierarchy"));
    }
    let pets = read("a.tsv", PETS);
    let codes = binder::Codes::zeros(pets.len(), 1).unwrap();
    let model = binder::Model::new(pets, codes).unwrap().to_bytes();
    assert_eq!(refused("m", model).to_string(), "m: this is a Binder model, not a hierarchy");
}
