use binder::read::Problem;

use super::*;

#[test]
fn header_by_usual_words_in_any_case() {
    for header in ["child,parent", "Child,PARENT", "source,target", "narrower,broader", "name,is_a"]
    {
        let pets = read("a.csv", format!("{header}\ndog,animal\ncat,animal\n"));
        assert_eq!(pairs(&pets), [("cat", "animal"), ("dog", "animal")], "{header}");
        assert!(said(&pets).contains("the first row is a header"), "{}", said(&pets));
    }
}

#[test]
fn header_words_in_the_other_order() {
    let pets = read("a.csv", "parent,child\nanimal,dog\n");
    assert_eq!(pairs(&pets), [("dog", "animal")]);
    assert!(said(&pets).starts_with("csv: child = column 2 (child), parent = column 1 (parent)"));
}

#[test]
fn header_words_that_recur_are_data() {
    let family = read("a.csv", "child,parent\nparent,person\n");
    assert_eq!(pairs(&family), [("child", "parent"), ("parent", "person")]);
}

#[test]
fn header_by_type_above_numbers() {
    let numbers = read("a.csv", "lower,upper\n2,1\n3,1\n");
    assert_eq!(pairs(&numbers), [("2", "1"), ("3", "1")]);
}

#[test]
fn one_row_alone_is_no_header() {
    let pets = read("a.csv", "dog,animal\n");
    assert_eq!(pairs(&pets), [("dog", "animal")]);
    assert!(said(&pets).contains("dog is-a animal; the first row is taken as data"));
}

#[test]
fn names_that_occur_once_are_no_header() {
    let pets = read("a.tsv", "whale\tmammal\ndog\tpet\ncat\tpet\n");
    assert_eq!(pets.len(), 5);
}

#[test]
fn header_as_told() {
    let told = |header| read_with("a.csv", "a,b\nc,d\n", |o| o.header = Some(header)).len();
    assert_eq!((told(true), told(false)), (2, 4));
    assert_eq!(read_with("a.csv", "child,parent\n", |o| o.header = Some(false)).len(), 2);
}

const TABLE: &str = "id,name,parent_id,description\n1,animal,0,moves\n2,dog,1,\"barks,\nalways\"\n\
    3,cat,1,NULL\n";

#[test]
fn id_name_and_parent_id() {
    let pets = read("a.csv", TABLE);
    assert_eq!(pairs(&pets), [("2", "1"), ("3", "1")]);
    assert_eq!((label(&pets, "2"), definition(&pets, "2")), (Some("dog"), Some("barks,\nalways")));
    assert_eq!(definition(&pets, "3"), None);
    assert_eq!(
        said(&pets),
        "csv: child = column 1 (id), parent = column 3 (parent_id); 2 (dog) is-a 1 (animal); \
         the first row is a header; 1 without a parent"
    );
}

#[test]
fn parents_of_another_column_are_pointed_out() {
    let warns = |table: &str| said(&read("a.csv", table)).contains("the columns may be others");
    assert!(warns("label,parent_id,sku\nAll,,P0\nAudio,P0,P1\n"), "parents are in sku");
    assert!(warns("id,label,parent\nP0,All,\nP1,Audio,All\n"), "parents are labels");
    assert!(!warns(TABLE));
    assert!(
        !warns("child,parent\ndog,animal\ncat,animal\n"),
        "a list of pairs has no rows for all"
    );
}

#[test]
fn zero_is_a_parent_where_a_row_has_that_id() {
    let pets = read("a.csv", "id,parent_id\n0,\n1,0\n");
    assert_eq!(pairs(&pets), [("1", "0")]);
}

#[test]
fn zero_is_a_concept_in_a_list_of_pairs() {
    assert_eq!(pairs(&read("a.tsv", "1\t0\n2\t0\n")), [("1", "0"), ("2", "0")]);
}

#[test]
fn every_word_for_a_missing_parent() {
    for none in ["", "NULL", "null", "NaN", "\\N", "0"] {
        let pets = read("a.csv", format!("id,parent_id\na,{none}\nb,a\n"));
        assert_eq!((pairs(&pets), pets.len()), (vec![("b", "a")], 2), "{none:?}");
    }
}

#[test]
fn a_word_for_a_missing_parent_is_a_name_where_a_row_or_the_columns_say_so() {
    for word in ["NULL", "NaN", "\\N"] {
        let text = format!("child,parent\na,{word}\n{word},b\n");
        assert_eq!(pairs(&read("a.csv", &text)), [(word, "b"), ("a", word)], "{word:?}");
        let text = format!("child,parent\na,{word}\n");
        let told = read_with("a.csv", &text, |o| o.columns = Some(("1".into(), "2".into())));
        assert_eq!(pairs(&told), [("a", word)], "{word:?}");
    }
}

#[test]
fn columns_as_told() {
    let text = "key,up,called,also,means,kind\n1,,pet,,tame,isa\n2,1,dog,hound|cur,barks,isa\n\
        2,3,dog,,,part\n";
    let pets = read_with("a.csv", text, |o| {
        o.child = Some("key".into());
        o.parent = Some("2".into());
        o.label = Some("called".into());
        o.aliases = vec!["also".into()];
        o.definition = Some("means".into());
        o.relation_column = Some(("kind".into(), "isa".to_owned()));
        o.cell_separator = Some("|".to_owned());
    });
    assert_eq!(pairs(&pets), [("2", "1")]);
    assert_eq!((label(&pets, "2"), definition(&pets, "2")), (Some("dog"), Some("barks")));
    assert_eq!(synonyms(&pets, "2"), ["hound", "cur"]);
    assert!(said(&pets).contains("1 rows of another relation left out"), "{}", said(&pets));
}

#[test]
fn several_parents_in_one_cell() {
    let text = "id,subTypeOf\na,\nb,\nc,\"a, b\"\n";
    let pets = read_with("a.csv", text, |o| o.cell_separator = Some(",".to_owned()));
    assert_eq!(pairs(&pets), [("c", "a"), ("c", "b")]);
    let error = refused("a.csv", text);
    assert!(
        matches!(&error.problem, Problem::SeveralInCell { cell, separator }
            if cell == "a, b" && separator == ","),
        "{error:?}"
    );
}

#[test]
fn a_concept_on_several_rows() {
    let pets = read("a.csv", "id,parent\npuppy,dog\npuppy,pet\n");
    assert_eq!(pairs(&pets), [("puppy", "dog"), ("puppy", "pet")]);
}

#[test]
fn every_delimiter_is_sniffed() {
    for delimiter in [',', ';', '|', '\t'] {
        let text = format!("dog{delimiter}animal\ncat{delimiter}animal\n");
        assert_eq!(read("a.csv", &text).direct(), 2, "{delimiter:?}");
        assert_eq!(read("a", &text).direct(), 2, "{delimiter:?}");
    }
    let colons = read_with("a.csv", "dog:animal\n", |o| o.delimiter = Some(':'));
    assert_eq!(pairs(&colons), [("dog", "animal")]);
}

#[test]
fn quotes_byte_order_mark_and_carriage_returns() {
    let text = "\u{feff}child,parent\r\n\"a\r\nb\",\"the \"\"pet\"\"\"\r\n\r\nc,\"d,e\"\r\n";
    assert_eq!(pairs(&read("a.csv", text)), [("a\r\nb", "the \"pet\""), ("c", "d,e")]);
}

#[test]
fn delimiter_that_cannot_be_one() {
    for delimiter in ['"', '\n', '→'] {
        let error = refused_with("a.csv", "a,b\n", |o| o.delimiter = Some(delimiter));
        assert!(matches!(error.problem, Problem::Delimiter(_)), "{error:?}");
    }
}

#[test]
fn row_with_another_number_of_columns_below_a_header() {
    let error = refused("a.csv", "id,name,parent_id\n1,a,\n2,b\n");
    assert_eq!(error.to_string(), "a.csv:3:4: expected 3 columns, found 2");
}

#[test]
fn child_that_is_missing_below_a_header() {
    let error = refused("a.csv", "id,parent_id\n1,\n,1\n");
    assert!(matches!(error.problem, Problem::EmptyName), "{error:?}");
    assert_eq!(place(&error), (3, Some(1)));
}

#[test]
fn fault_in_a_row_that_begins_lines_before() {
    let error = refused("a.csv", "a,b\n\"c\nd\",e,f\n");
    assert_eq!(place(&error), (3, Some(6)));
    let error = refused("a.csv", "a,b\n\"c\nd\"x,e\n");
    assert_eq!(syntax(&error), "the closing quote is not followed by a comma");
    assert_eq!(place(&error), (2, Some(1)));
}

#[test]
fn quote_that_is_never_closed() {
    let text = format!("a,b\nc,\"d\n{}", "e,f\n".repeat(1000));
    let error = refused("a.csv", text);
    assert_eq!((syntax(&error), place(&error)), ("the quote is not closed", (2, Some(3))));
}

#[test]
fn levels() {
    let text = "level1,level2,level3\nAnimals,Pets,Dogs\nAnimals,Pets,\nCars,Accessories,\n\
        Pets,Accessories,\n";
    let tree = read("a.csv", text);
    let expected = [
        ("Animals > Pets", "Animals"),
        ("Cars > Accessories", "Cars"),
        ("Dogs", "Animals > Pets"),
        ("Pets > Accessories", "Pets"),
    ];
    assert_eq!(pairs(&tree), expected);
    assert_eq!(label(&tree, "Cars > Accessories"), Some("Accessories"));
}

/// `cat2` and `cat1` could head level columns, but here they are names, which come again.
#[test]
fn names_that_look_like_level_headings_are_data() {
    let tree = read("cats.tsv", "cat2\tcat1\ncat3\tcat2\ncat4\tcat2\ncat4\tcat1\n");
    assert_eq!(pairs(&tree), [("cat2", "cat1"), ("cat3", "cat2"), ("cat4", "cat2")]);
}
