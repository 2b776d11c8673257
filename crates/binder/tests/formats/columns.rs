//! Parquet and Arrow.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use binder::read::Problem;

use super::*;

fn table() -> RecordBatch {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some("animal"), Some("dog"), None]));
    let parents: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(1.0), Some(2.0)]));
    RecordBatch::try_from_iter([("id", ids), ("name", names), ("parent_id", parents)]).unwrap()
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn arrow(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    bytes
}

fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn ids_names_and_parents() {
    for (name, bytes) in [
        ("a.parquet", parquet(&table())),
        ("a.arrow", arrow(&table())),
        ("whatever", stream(&table())),
        ("a.csv", parquet(&table())),
    ] {
        let pets = read(name, bytes);
        assert_eq!(pairs(&pets), [("2", "1"), ("3", "2")], "{name}");
        assert_eq!((label(&pets, "2"), label(&pets, "3")), (Some("dog"), None));
        assert!(said(&pets).contains("child = column 1 (id), parent = column 3 (parent_id)"));
    }
}

#[test]
fn columns_as_told() {
    let pets = read_with("a.parquet", parquet(&table()), |o| {
        o.columns = Some(("name".into(), "1".into()));
        o.header = None;
        o.reversed = false;
        o.relation_column = Some(("id".into(), "2".to_owned()));
    });
    assert_eq!(pairs(&pets), [("dog", "2")]);
}

#[test]
fn lists_of_parents() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("dog"), Some("pet")]);
    lists.append_null();
    let lists: ArrayRef = Arc::new(lists.finish());
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["puppy", "pet"]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("parents", lists)]).unwrap();
    assert_eq!(pairs(&read("a", parquet(&batch))), [("puppy", "dog"), ("puppy", "pet")]);
}

#[test]
fn lists_and_texts_keep_their_names_as_they_are() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("x "), Some("\u{1f}1:a")]);
    lists.append_value([Some("\u{1f}1:a1:b")]);
    let lists: ArrayRef = Arc::new(lists.finish());
    // This text looks like what a list becomes inside the reader.
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["k", "\u{1f}1:a"]));
    let batch = RecordBatch::try_from_iter([("id", ids.clone()), ("parents", lists)]).unwrap();
    let expected = [("\u{1f}1:a", "\u{1f}1:a1:b"), ("k", "\u{1f}1:a"), ("k", "x ")];
    assert_eq!(pairs(&read("a", parquet(&batch))), expected);
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["\u{1f}1:a1:b", "k"]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("parent", texts)]).unwrap();
    let expected = [("\u{1f}1:a", "k"), ("k", "\u{1f}1:a1:b")];
    assert_eq!(pairs(&read("a", parquet(&batch))), expected);
}

#[test]
fn parquet_that_is_cut_off() {
    let bytes = parquet(&table());
    for length in [4, 20, bytes.len() / 2, bytes.len() - 1] {
        let error = refused("a.parquet", &bytes[..length]);
        assert!(matches!(error.problem, Problem::Syntax { .. }), "{error:?}");
    }
}

#[test]
fn arrow_that_is_cut_off() {
    let bytes = arrow(&table());
    for length in [8, 20, bytes.len() / 2, bytes.len() - 1] {
        let error = refused("a.arrow", &bytes[..length]);
        assert!(matches!(error.problem, Problem::Syntax { .. }), "{error:?}");
    }
}

#[test]
fn column_that_is_not_there() {
    let error = refused_with("a.parquet", parquet(&table()), |o| o.child = Some("key".into()));
    assert!(error.to_string().contains("no column \"key\"; the columns are id, name, parent_id"));
}

#[test]
fn parquet_read_as_another_format() {
    let error = refused_with("a", parquet(&table()), |o| o.format = Some("csv".parse().unwrap()));
    assert_eq!(error.to_string(), "a: this is a Parquet file, not csv");
}

#[test]
fn text_read_as_parquet() {
    let error = refused("a.parquet", "a,b\n");
    assert!(error.to_string().contains("this is a text, not parquet"), "{error}");
}
