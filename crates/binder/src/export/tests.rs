//! The exact bytes of each format for five pets; and one named test for each thing that a format
//! cannot hold.

use super::*;
use crate::codes::Codes;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::{Cycles, HierarchyBuilder};
use crate::model::tests::pets_with;

/// The five pets with two aliases, and codes that need a second word.
fn pets() -> Model {
    pets_with(&["hound", "best|friend"], 65, 63, 64)
}

/// One concept of each name, without pairs.
fn named(names: &[&str]) -> Model {
    let mut builder = HierarchyBuilder::default();
    names.iter().for_each(|name| {
        builder.concept(name).unwrap();
    });
    let concepts = builder.build(Cycles::Refuse).unwrap();
    let codes = Codes::zeros(concepts.len(), 2).unwrap();
    Model::new(concepts, codes).unwrap()
}

fn bytes(model: &Model, format: &Format) -> Result<Vec<u8>, ExportError> {
    let mut out = Vec::new();
    write_to(model, format, &mut out).map(|()| out)
}

fn text(model: &Model, format: &Format) -> String {
    String::from_utf8(bytes(model, format).unwrap()).unwrap()
}

fn script(dialect: Dialect, table: &str) -> Format {
    Format::Sql(Script { dialect, table: table.to_owned() })
}

const POSTGRES: Dialect = Dialect::Postgres { bit_string: false };

#[test]
fn tsv_has_a_line_per_concept() {
    let zeros = "0".repeat(62);
    let expected = format!(
        "id\tname\tlabel\taliases\tbits\n\
         0\tanimal\t\t\t00{zeros}0\n\
         1\tpet\t\t\t10{zeros}0\n\
         2\tcat\t\t\t1{zeros}10\n\
         3\tdog\tder Hund · 犬\thound|best\\|friend\t00{zeros}1\n\
         4\tpuppy\t\t\t10{zeros}1\n"
    );
    assert_eq!(text(&pets(), &Format::Tsv), expected);
}

#[test]
fn npy_has_numpys_header_and_the_words() {
    let array = bytes(&pets(), &Format::Npy { unpacked: false }).unwrap();
    let header =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u8', 'fortran_order': False, 'shape': (5, 2), }";
    assert_eq!((&array[..header.len()], array[127]), (&header[..], b'\n'));
    let words: Vec<u64> =
        array[128..].chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words, pets().codes().words());

    let array = bytes(&pets(), &Format::Npy { unpacked: true }).unwrap();
    assert_eq!(array.len(), 128 + 5 * 65);
    assert!(array.starts_with(
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (5, 65), }"
    ));
    let cat: Vec<usize> = (0..65).filter(|bit| array[128 + 2 * 65 + bit] == 1).collect();
    assert_eq!(cat, [0, 63]);
}

#[test]
fn npy_comes_with_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let model = named(&["one", "two\nlines", r"back\slash"]);
    let path = folder.path().join("x.npy");
    let written = write(&model, &Format::Npy { unpacked: false }, &path).unwrap();
    let beside = ["x.names.txt", "x.sfv"].map(|name| folder.path().join(name));
    assert_eq!(written.files, [&[path][..], &beside].concat());
    assert_eq!(
        std::fs::read_to_string(&written.files[1]).unwrap(),
        "one\ntwo\\nlines\nback\\\\slash\n"
    );
    let sum = |at: usize| crc32fast::hash(&std::fs::read(&written.files[at]).unwrap());
    let sums = format!("x.names.txt {:08x}\nx.npy {:08x}\n", sum(1), sum(0));
    assert_eq!(std::fs::read_to_string(&written.files[2]).unwrap(), sums);
    assert_eq!(written.bytes, (128 + 3 * 8 + 4 + 11 + 12 + sums.len()) as u64);
}

#[test]
fn word2vec_has_no_blanks_in_names() {
    let model = named(&["hot dog", "hot\u{a0}cat", "hotel"]);
    assert_eq!(text(&model, &Format::Word2vec), "3 2\nhot_dog 0 0\nhot_cat 0 0\nhotel 0 0\n");
    assert_eq!(word2vec::renamed(model.hierarchy()), 2);
    for names in [["hot dog", "hot_dog"], ["hot_dog", "hot dog"], ["hot dog", "hot\tdog"]] {
        match bytes(&named(&names), &Format::Word2vec) {
            Err(ExportError::SameName { both, .. }) => assert_eq!(both, "hot_dog"),
            other => panic!("{names:?}: {other:?}"),
        }
    }
    assert!(matches!(bytes(&named(&["a", ""]), &Format::Word2vec), Err(ExportError::EmptyName)));
}

#[test]
fn a_script_for_postgres_copies() {
    let script = text(&pets(), &script(POSTGRES, "concepts"));
    let data = "COPY concepts FROM stdin;\n\
        0\tanimal\t\\N\t0\t0\t0\n\
        1\tpet\t\\N\t1\t0\t1\n\
        2\tcat\t\\N\t-9223372036854775807\t0\t2\n\
        3\tdog\tder Hund · 犬\t0\t1\t4\n\
        4\tpuppy\t\\N\t1\t1\t3\n\\.\n\n\
        COPY concepts_aliases FROM stdin;\nhound\t3\nbest|friend\t3\n\\.\n\n\
        COPY concepts_ranges FROM stdin;\n\
        0\t0\t4\n1\t1\t3\n2\t2\t2\n3\t3\t4\n4\t3\t3\n\\.\n";
    assert!(script.contains(data), "{script}");
    assert!(
        script.contains("c0 bigint NOT NULL,\n    c1 bigint NOT NULL,\n    rank bigint"),
        "{script}"
    );
    assert!(script.contains("SELECT (a.c0 & b.c0) = b.c0 AND (a.c1 & b.c1) = b.c1\n"), "{script}");
    let order = [
        "ON_ERROR_STOP on",
        "BEGIN;",
        "CREATE TABLE",
        "COPY",
        "CREATE FUNCTION is_a(",
        "COMMIT;",
        "-- Is A a B?",
    ];
    let places = order.map(|part| script.find(part).unwrap());
    assert!(places.is_sorted(), "{script}");
}

#[test]
fn a_script_for_postgres_can_have_one_column_of_bits() {
    let script = text(&pets(), &script(Dialect::Postgres { bit_string: true }, "pets"));
    let zeros = "0".repeat(62);
    assert!(script.contains("code bit(65) NOT NULL,\n"), "{script}");
    assert!(
        script.contains(&format!("COPY \"pets\" FROM stdin;\n0\tanimal\t\\N\t00{zeros}0\t0\n")),
        "{script}"
    );
    assert!(script.contains("CREATE FUNCTION \"pets_is_a\"("), "{script}");
    assert!(script.contains("SELECT (a.code & b.code) = b.code\n"), "{script}");
}

#[test]
fn a_script_for_duckdb_inserts() {
    let script = text(&pets(), &script(Dialect::DuckDb, r#"my "pets""#));
    let table = r#""my ""pets""""#;
    assert!(
        script.contains(&format!(
            "INSERT INTO {table} VALUES\n(0, 'animal', NULL, 0, 0, 0),\n(1, 'pet', "
        )),
        "{script}"
    );
    assert!(script.contains("VALUES\n('hound', 3),\n('best|friend', 3);\n"), "{script}");
    assert!(script.contains("CREATE MACRO \"my \"\"pets\"\"_is_a\"(child, parent)"), "{script}");
    let quoted =
        text(&named(&["it's", r"\'", "\\\r\n'"]), &self::script(Dialect::DuckDb, "concepts"));
    let rows = [
        r"(0, 'it''s', NULL, 0, 0),",
        r"(1, '\''', NULL, 0, 1),",
        r"(2, E'\\\r\n''', NULL, 0, 2);",
    ];
    assert!(quoted.contains(&rows.join("\n")), "{quoted}");
    let many = (0..1001).map(|number| format!("n{number}")).collect::<Vec<_>>();
    let many = named(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let script = text(&many, &self::script(Dialect::DuckDb, "concepts"));
    assert!(
        script.contains("(999, 'n999', NULL, 0, 999);\nINSERT INTO concepts VALUES\n(1000, "),
        "two statements"
    );
}

#[test]
fn what_no_database_takes_is_an_error() {
    for dialect in [POSTGRES, Dialect::DuckDb] {
        for table in ["", "a\nb", "a$$b", &"x".repeat(41)] {
            assert!(
                matches!(bytes(&pets(), &script(dialect, table)), Err(ExportError::Table(_))),
                "{table:?}"
            );
        }
        let nul = bytes(&named(&["a\0b"]), &script(dialect, "concepts"));
        assert!(matches!(nul, Err(ExportError::Nul(_))), "{nul:?}");
    }
    let long = named(&["x", &"é".repeat(1301)]);
    match bytes(&long, &script(POSTGRES, "concepts")) {
        Err(ExportError::LongName { bytes, .. }) => assert_eq!(bytes, 2602),
        other => panic!("{other:?}"),
    }
    assert!(bytes(&long, &script(Dialect::DuckDb, "concepts")).is_ok());
}

#[test]
fn every_width_and_nothing_at_all_are_written() {
    let formats = [
        Format::Tsv,
        Format::Npy { unpacked: false },
        Format::Npy { unpacked: true },
        Format::Word2vec,
        #[cfg(feature = "parquet")]
        Format::Parquet { signed: false },
        script(POSTGRES, "concepts"),
        script(Dialect::Postgres { bit_string: true }, "concepts"),
        script(Dialect::DuckDb, "concepts"),
    ];
    for width in [1, 63, 64, 65, 4096] {
        let nothing = Model::new(Hierarchy::default(), Codes::zeros(0, width).unwrap()).unwrap();
        let one =
            Model::new(named(&["x"]).hierarchy().clone(), Codes::zeros(1, width).unwrap()).unwrap();
        for format in &formats {
            assert!(
                !bytes(&nothing, format).unwrap().is_empty()
                    && !bytes(&one, format).unwrap().is_empty()
            );
        }
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let error = write(&pets(), &Format::Tsv, Path::new("no/such/folder/x.tsv")).unwrap_err();
    assert!(error.to_string().starts_with("no/such/folder/x.tsv: No such file"), "{error}");
}

#[cfg(feature = "parquet")]
mod parquet {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{Field, Row, RowAccessor};

    use super::*;

    fn rows(model: &Model, signed: bool) -> Vec<Row> {
        let folder = tempfile::tempdir().unwrap();
        let (path, beside) = ("x.parquet", "x.ranges.parquet");
        let [path, beside] = [path, beside].map(|name| folder.path().join(name));
        let written = write(model, &Format::Parquet { signed }, &path).unwrap();
        assert_eq!(written.files, [path.clone(), beside.clone()]);
        assert_eq!(ranges(&beside), [(0, 0, 4), (1, 1, 3), (2, 2, 2), (3, 3, 4), (4, 3, 3)]);
        let reader = SerializedFileReader::try_from(path.as_path()).unwrap();
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert_eq!((metadata[0].key.as_str(), metadata[0].value.as_deref()), ("bits", Some("65")));
        reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
    }

    fn ranges(path: &Path) -> Vec<(u32, u32, u32)> {
        let reader = SerializedFileReader::try_from(path).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        rows.map(|row| {
            (row.get_uint(0).unwrap(), row.get_uint(1).unwrap(), row.get_uint(2).unwrap())
        })
        .collect()
    }

    #[test]
    fn parquet_comes_back_as_it_was() {
        let model = pets();
        let rows = rows(&model, false);
        assert_eq!(rows.len(), 5);
        for (id, row) in (0..).zip(&rows) {
            let (concepts, code) = (model.hierarchy(), model.codes().row(id));
            assert_eq!(
                (row.get_uint(0).unwrap(), row.get_string(1).unwrap().as_str()),
                (id, concepts.name(id))
            );
            assert_eq!(row.get_string(2).ok().map(String::as_str), concepts.label(id));
            let aliases: Vec<_> =
                row.get_list(3).unwrap().elements().iter().map(ToString::to_string).collect();
            assert_eq!(
                aliases.len(),
                if concepts.name(id) == "dog" { 2 } else { 0 },
                "{aliases:?}"
            );
            assert_eq!([row.get_ulong(4).unwrap(), row.get_ulong(5).unwrap()], code);
            let words: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(row.get_bytes(6).unwrap().data(), words);
            assert_eq!(row.get_uint(7).unwrap(), [0, 1, 2, 4, 3][id as usize]);
        }
        let dog = rows[3].get_list(3).unwrap().elements();
        assert_eq!(dog, [Field::Str("hound".to_owned()), Field::Str("best|friend".to_owned())]);
    }

    #[test]
    fn signed_words_have_the_same_bits() {
        let rows = rows(&pets(), true);
        assert_eq!(rows[2].get_long(4).unwrap(), i64::MIN + 1);
    }

    #[test]
    fn too_much_text_for_a_page_is_an_error() {
        let long = named(&["x", &"y".repeat((1 << 20) + 1)]);
        let error = bytes(&long, &Format::Parquet { signed: false }).unwrap_err();
        assert!(matches!(error, ExportError::LongTexts { bytes: 1_048_577, .. }), "{error}");
    }
}
