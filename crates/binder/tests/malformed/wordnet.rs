//! WordNet folders.

use std::fs;
use std::path::{Path, PathBuf};

use binder::hierarchy::CycleError;
use binder::read::{Format, Problem, ReadError, ReadOptions};
use tempfile::TempDir;

use crate::{at, gzip, syntax, with};

const INDEX: &str = "  1 Licence\nthing n 1 0 1 0 00000010\ndog n 1 1 @ 1 0 00000020\n";
const DATA: &str = "  1 Licence\n00000010 03 n 01 thing 0 000 | what is\n\
    00000020 05 n 01 dog 0 001 @ 00000010 n 0000 | what barks\n";

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn read(path: &Path) -> Result<binder::Hierarchy, ReadError> {
    binder::read(path.to_str().unwrap(), &ReadOptions::default(), &())
}

/// The error on a folder with these two files.
fn refused(index: impl AsRef<[u8]>, data: impl AsRef<[u8]>) -> ReadError {
    let folder = folder(&[("index.noun", index.as_ref()), ("data.noun", data.as_ref())]);
    read(folder.path()).expect_err("a malformed WordNet is refused")
}

/// The file name in an error, without its folder.
fn file(error: &ReadError) -> String {
    PathBuf::from(&error.file).file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn the_folder_before_any_change_is_valid() {
    let folder = folder(&[("index.noun", INDEX.as_bytes()), ("data.noun", DATA.as_bytes())]);
    assert_eq!(read(folder.path()).unwrap().direct(), 1);
}

#[test]
fn folder_without_wordnet_files() {
    let folder = folder(&[("readme.txt", b"hello")]);
    let error = read(folder.path()).unwrap_err();
    let Problem::Unsuitable(what) = &error.problem else { panic!("{error:?}") };
    assert_eq!(what, "no index.noun in this folder; a WordNet folder has data.noun and index.noun");
    assert_eq!((error.file.as_str(), error.position), (folder.path().to_str().unwrap(), None));
}

#[test]
fn folder_without_data() {
    let folder = folder(&[("index.noun", INDEX.as_bytes())]);
    let error = read(folder.path()).unwrap_err();
    assert!(error.to_string().contains("no data.noun in this folder"), "{error}");
}

#[test]
fn folder_without_verbs() {
    let folder = folder(&[("index.noun", INDEX.as_bytes()), ("data.noun", DATA.as_bytes())]);
    let options = with(|o| o.verbs = true);
    let error = binder::read(folder.path().to_str().unwrap(), &options, &()).unwrap_err();
    assert!(error.to_string().contains("no index.verb in this folder"), "{error}");
}

#[test]
fn data_line_that_ends_early() {
    let error = refused(INDEX, &DATA[..DATA.len() - "10 n 0000 | what barks\n".len()]);
    assert_eq!(
        syntax(&error, Format::WordNet),
        "the line ends before a pointer's part of speech and source"
    );
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, 36)));
}

#[test]
fn data_line_with_a_wrong_number() {
    let error = refused(INDEX, DATA.replace("05 n 01", "05 n xy"));
    assert_eq!(syntax(&error, Format::WordNet), "\"xy\" is not the number of words");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, 15)));
}

#[test]
fn data_line_with_more_words_than_it_has() {
    let error = refused(INDEX, DATA.replace("05 n 01", "05 n ffffffff"));
    assert_eq!(syntax(&error, Format::WordNet), "the line ends before a lexical id");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, 51)));
}

#[test]
fn data_line_without_a_word() {
    let error = refused(INDEX, DATA.replace("05 n 01 dog 0", "05 n 00"));
    assert_eq!(syntax(&error, Format::WordNet), "a synset without a word");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, None)));
}

#[test]
fn pointer_to_a_missing_synset() {
    let error = refused(INDEX, DATA.replace("@ 00000010", "@ 00000011"));
    assert_eq!(
        syntax(&error, Format::WordNet),
        "a pointer to 00000011, which is not a synset of this file"
    );
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, None)));
}

#[test]
fn synset_that_the_index_does_not_list() {
    let error = refused(INDEX.replace("00000020", "00000021"), DATA);
    assert_eq!(
        syntax(&error, Format::WordNet),
        "the index does not list this synset under \"dog\""
    );
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, None)));
}

#[test]
fn synset_that_occurs_twice() {
    let error = refused(INDEX, [DATA, "00000020 05 n 01 dog 0 000 | again\n"].concat());
    assert_eq!(syntax(&error, Format::WordNet), "the synset 00000020 occurs twice");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(4, None)));
}

#[test]
fn index_line_that_ends_early() {
    let error =
        refused(INDEX.replace("dog n 1 1 @ 1 0 00000020", "dog n 2 1 @ 1 0 00000020"), DATA);
    assert_eq!(syntax(&error, Format::WordNet), "the line ends before a synset offset");
    assert_eq!((file(&error).as_str(), error.position), ("index.noun", at(3, 25)));
}

#[test]
fn index_line_with_a_wrong_number() {
    let error = refused(INDEX.replace("dog n 1", "dog n one"), DATA);
    assert_eq!(syntax(&error, Format::WordNet), "\"one\" is not the number of synsets");
    assert_eq!((file(&error).as_str(), error.position), ("index.noun", at(3, 7)));
}

/// The number of symbols plus two must not overflow.
#[test]
fn index_line_with_the_greatest_number_of_symbols() {
    let error = refused(INDEX.replace("dog n 1 1", "dog n 1 4294967295"), DATA);
    assert_eq!(syntax(&error, Format::WordNet), "the line ends before pointer symbols and counts");
    assert_eq!((file(&error).as_str(), error.position), ("index.noun", at(3, 34)));
}

#[test]
fn nul_byte() {
    let error = refused(INDEX, DATA.replace("dog", "d\0g"));
    assert!(matches!(error.problem, Problem::Nul), "{error:?}");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun", at(3, 19)));
}

#[test]
fn invalid_utf8() {
    let error = refused([INDEX.as_bytes(), b"caf\xe9 n 0 0 0 0\n"].concat(), DATA);
    assert!(matches!(error.problem, Problem::NotUtf8), "{error:?}");
    assert_eq!((file(&error).as_str(), error.position), ("index.noun", at(4, 4)));
}

#[test]
fn gzip_truncated() {
    let packed = gzip(DATA.as_bytes());
    let files = [("index.noun", INDEX.as_bytes()), ("data.noun.gz", &packed[..packed.len() - 9])];
    let error = read(folder(&files).path()).unwrap_err();
    assert!(matches!(error.problem, Problem::Truncated), "{error:?}");
    assert_eq!((file(&error).as_str(), error.position), ("data.noun.gz", None));
}

#[test]
fn cycle_lists_all_its_names() {
    let index = "a n 1 1 @ 1 0 00000001\nb n 1 1 @ 1 0 00000002\n";
    let data = "00000001 03 n 01 a 0 001 @ 00000002 n 0000 | a\n\
        00000002 03 n 01 b 0 001 @ 00000001 n 0000 | b\n";
    let error = refused(index, data);
    let Problem::Cycle(CycleError { names }) = &error.problem else { panic!("{error:?}") };
    assert_eq!(names, &["a.n.01", "b.n.01"]);
    assert_eq!(error.position, None);
}
