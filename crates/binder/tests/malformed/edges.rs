//! Edge lists: tsv, csv and columns separated by spaces.

use binder::hierarchy::CycleError;
use binder::read::{Column, ColumnsFault, Format, Problem, ReadError, ReadOptions};

use crate::{at, refused, refused_with, syntax, with};

/// The expected and found numbers of columns, and the probable reason.
fn columns(error: &ReadError) -> (usize, usize, ColumnsFault) {
    match error.problem {
        Problem::Columns { expected, found, likely } => (expected, found, likely),
        ref other => panic!("not about columns: {other:?}"),
    }
}

fn no_column(error: &ReadError) -> (&str, &str) {
    match &error.problem {
        Problem::NoColumn { wanted, known } => (wanted, known),
        other => panic!("not about a missing column: {other:?}"),
    }
}

fn by(child: &str, parent: &str) -> ReadOptions {
    with(|o| o.columns = Some((child.into(), parent.into())))
}

#[test]
fn tsv_row_with_too_few_columns() {
    let error = refused("a.tsv", "a\tb\nc\nd\te\n");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(2, 2));
    assert_eq!(error.to_string(), "a.tsv:2:2: expected 2 columns, found 1");
}

#[test]
fn tsv_row_with_too_many_columns() {
    let error = refused("a.tsv", "a\tb\nä\td\te\n");
    assert_eq!(columns(&error), (2, 3, ColumnsFault::NotChosen));
    assert_eq!(error.position, at(2, 5));
}

#[test]
fn csv_row_with_too_few_columns() {
    let error = refused("a.csv", "a,b\n\"c\"\n");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(2, 4));
}

#[test]
fn csv_row_with_too_many_columns() {
    let error = refused("a.csv", "a,b\n\"c,d\",e,f\n");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 3));
    assert_eq!(error.position, at(2, 9));
}

#[test]
fn spaces_row_with_too_few_columns() {
    let error = refused("a.edges", "a b\nc\n");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(2, 2));
}

#[test]
fn spaces_row_with_too_many_columns() {
    let error = refused("a.edges", "a b\n c  d  e f\n");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 4));
    assert_eq!(error.position, at(2, 8));
}

#[test]
fn row_with_another_number_of_columns_than_the_first() {
    let error = refused_with("a.tsv", "1\ta\tb\n2\tc\n", &by("2", "3"));
    assert_eq!(columns(&error), (3, 2, ColumnsFault::Ragged));
    assert_eq!(error.position, at(2, 4));
}

#[test]
fn one_column_hints_at_the_separator() {
    let error = refused("a.tsv", "a b\n");
    assert_eq!(columns(&error), (2, 1, ColumnsFault::OtherSeparator));
    assert_eq!(error.position, at(1, 4));
}

#[test]
fn comment_line_hints_at_the_comment_option() {
    let error = refused("a.tsv", "# who is what\na\tb\n");
    assert_eq!(columns(&error), (2, 1, ColumnsFault::CommentLine));
    assert_eq!(error.position, at(1, 14));
}

#[test]
fn column_name_that_the_header_does_not_have() {
    let error = refused_with("a.tsv", "child\tparent\na\tb\n", &by("child", "mother"));
    assert_eq!(no_column(&error), ("\"mother\"", "child, parent"));
    assert_eq!(error.position, at(1, 1));
}

#[test]
fn column_number_beyond_the_last() {
    let error = refused_with("a.csv", "a,b\n", &by("1", "3"));
    assert_eq!(no_column(&error), ("3", "1 to 2"));
    assert_eq!(error.position, at(1, 1));
}

#[test]
fn column_number_zero() {
    let error = refused_with("a.csv", "\na,b\n", &by("0", "1"));
    assert_eq!(no_column(&error), ("0", "1 to 2"));
    assert_eq!(error.position, at(2, 1));
}

#[test]
fn header_that_is_too_narrow() {
    let options = with(|o| o.header = Some(true));
    let error = refused_with("a.tsv", "pairs\na\tb\n", &options);
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(1, 6));
}

#[test]
fn tsv_empty_child() {
    let error = refused("a.tsv", "a\tb\n\tc\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(error.position, at(2, 1));
}

#[test]
fn tsv_empty_parent() {
    let error = refused("a.tsv", "a\tb\nä\t\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(error.position, at(2, 3));
}

#[test]
fn csv_empty_quoted_name() {
    let error = refused("a.csv", "a,\"\"\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(error.position, at(1, 3));
}

#[test]
fn csv_quote_that_is_not_closed() {
    let error = refused("a.csv", "a,b\nc,\"d\ne,f\n");
    assert_eq!(syntax(&error, Format::Csv), "the quote is not closed");
    assert_eq!(error.position, at(2, 3));
}

#[test]
fn csv_quote_that_ends_in_a_doubled_quote() {
    let error = refused("a.csv", "a,\"b\"\"\n");
    assert_eq!(syntax(&error, Format::Csv), "the quote is not closed");
    assert_eq!(error.position, at(1, 3));
}

#[test]
fn csv_junk_after_the_closing_quote() {
    let error = refused("a.csv", "\"a\" ,b\n");
    assert_eq!(syntax(&error, Format::Csv), "the closing quote is not followed by a comma");
    assert_eq!(error.position, at(1, 1));
}

#[test]
fn tsv_truncated() {
    let error = refused("a.tsv", "a\tb\nc\td\ne");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(3, 2));
}

#[test]
fn csv_truncated() {
    let error = refused("a.csv", "a,b\nc,\"d");
    assert_eq!(syntax(&error, Format::Csv), "the quote is not closed");
    assert_eq!(error.position, at(2, 3));
}

#[test]
fn spaces_truncated() {
    let error = refused("a.edges", "a b\nc ");
    assert_eq!((columns(&error).0, columns(&error).1), (2, 1));
    assert_eq!(error.position, at(2, 3));
}

#[test]
fn one_column_of_names_has_no_format() {
    let error = refused("names", "cat\ndog\n");
    assert!(matches!(error.problem, Problem::UnknownFormat), "{error:?}");
    assert_eq!(error.position, None);
}

#[test]
fn cycle_lists_all_its_names_and_no_others() {
    let error = refused("a.tsv", "x\ta\na\tb\nb\tc\nc\ta\nd\tc\n");
    let Problem::Cycle(CycleError { names }) = &error.problem else { panic!("{error:?}") };
    let start = names.iter().position(|name| name == "a").unwrap();
    let from_a: Vec<&str> =
        names.iter().cycle().skip(start).take(names.len()).map(String::as_str).collect();
    assert_eq!(from_a, ["a", "b", "c"]);
    assert_eq!(error.position, None);
}

#[test]
fn cycle_of_two() {
    let error = refused("a.csv", "a,b\nb,a\n");
    assert_eq!(error.to_string(), "a.csv: the pairs form a cycle: a is-a b is-a a");
}

#[test]
fn column_by_name_shows_its_quotes() {
    assert_eq!(Column::from("mother").to_string(), "\"mother\"");
    assert_eq!(Column::from("3").to_string(), "3");
}

#[test]
fn names_of_only_white_space_are_empty() {
    for (name, text, column) in [("a.tsv", "a\tb\n \t \n", 1), ("a.csv", "a,b\na, \n", 3)] {
        let error = refused(name, text);
        assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
        assert_eq!(error.position, at(2, column));
    }
}
