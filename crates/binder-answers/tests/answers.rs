//! Every question about five concepts: its JSON to the byte, its text and its line.
//!
//! ```text
//!      animal
//!      /    \
//!    pet    dog
//!    /  \   /
//!  cat   puppy
//! ```
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use binder::Hierarchy;
use binder::hierarchy::{Cycles, HierarchyBuilder, Scope};
use binder::query::{Index, Measure, QueryError};
use binder_answers::{
    Asked, ManyIsA, Page, Preview, Question, Relatives, Style, Summary, Taken, answer, called,
};

const PAIRS: [(&str, &str); 5] =
    [("pet", "animal"), ("cat", "pet"), ("dog", "animal"), ("puppy", "pet"), ("puppy", "dog")];

fn pets() -> Index {
    let pets = Hierarchy::from_pairs(PAIRS).unwrap();
    binder::encode(&pets).unwrap().into_index()
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The answer as JSON, as a line and as text.
fn check(question: Question, json: &str, line: &str, text: &str) {
    let index = pets();
    let answer = answer(&index, &question).unwrap();
    assert_eq!(serde_json::to_string(&answer).unwrap(), json);
    assert_eq!(answer.line(), line);
    assert_eq!(answer.text(&index, &Style::PLAIN), text);
}

#[test]
fn yes_or_no() {
    let is_a =
        |child: &str, parent: &str| Question::IsA { child: child.into(), parent: parent.into() };
    let yes = r#"{"question":"is-a","child":"cat","parent":"pet","is_a":true}"#;
    check(is_a("cat", "pet"), yes, "yes", "yes: cat is-a pet\n");
    let no = r#"{"question":"is-a","child":"cat","parent":"dog","is_a":false}"#;
    check(is_a("cat", "dog"), no, "no", "no: cat is not dog\n");
    let many = ManyIsA::new(&pets(), [("cat", "pet"), ("cat", "nobody"), ("cat", "dog")]);
    assert_eq!((many.is_a, many.unknown), (vec![Some(true), None, Some(false)], 1));
}

#[test]
fn relatives() {
    let (concept, page) = ("puppy".to_owned(), Page::ALL);
    check(
        Question::Hypernyms { concept: concept.clone(), nearest: false, page },
        r#"{"question":"hypernyms","concept":"puppy","count":3,"concepts":["animal","pet","dog"]}"#,
        "animal\tpet\tdog",
        "puppy: 3 hypernyms\n  animal\n  pet\n  dog\n",
    );
    check(
        Question::Hypernyms { concept, nearest: true, page: Page { offset: 1, limit: 5 } },
        r#"{"question":"hypernyms","concept":"puppy","count":2,"concepts":["pet"]}"#,
        "pet",
        "puppy: 2 parents\n  pet\n",
    );
    check(
        Question::Hyponyms { concept: "dog".to_owned(), nearest: true, page },
        r#"{"question":"hyponyms","concept":"dog","count":1,"concepts":["puppy"]}"#,
        "puppy",
        "dog: 1 child\n  puppy\n",
    );
}

#[test]
fn algebra() {
    check(
        Question::Meet { concepts: list(&["pet", "dog"]) },
        concat!(
            r#"{"question":"meet","of":["pet","dog"],"bits":[0,1],"named":["puppy"],"#,
            r#""nearest_above":["puppy"],"count":1,"most_general_below":["puppy"],"#,
            r#""below":["puppy"]}"#,
        ),
        "puppy",
        "pet & dog: puppy, with 0 concepts below\n",
    );
    check(
        Question::Join { concepts: list(&["cat", "puppy"]) },
        concat!(
            r#"{"question":"join","of":["cat","puppy"],"bits":[0],"named":["pet"],"#,
            r#""nearest_above":["pet"],"count":3,"most_general_below":["pet"],"#,
            r#""below":["pet","cat","puppy"]}"#,
        ),
        "pet",
        "cat | puppy: 1 lowest common hypernym\n  pet\n",
    );
    check(
        Question::Expr { text: "cat & dog".to_owned() },
        concat!(
            r#"{"question":"expr","of":["cat & dog"],"bits":[0,1,2],"named":[],"#,
            r#""nearest_above":["puppy","cat"],"count":0,"most_general_below":[],"below":[]}"#,
        ),
        "",
        "cat & dog\n  bits   0 1 2\n  has all bits of    puppy, cat\n  nothing has all its bits\n",
    );
    check(
        Question::Complement { concept: "cat".to_owned() },
        concat!(
            r#"{"question":"complement","concept":"cat","bits":[1],"count":2,"#,
            r#""shares_no_attribute":["animal","dog"],"disjoint_count":2,"disjoint":["dog"]}"#,
        ),
        "dog",
        "not cat\n  no attribute in common: 2 concepts\n  \
         no hyponym in common: 2 concepts, the most general:\n  dog\n",
    );
    check(
        Question::Formal { concept: "dog".to_owned() },
        r#"{"question":"formal","concept":"dog","intent":[1],"count":2,"extent":["dog","puppy"]}"#,
        "dog\tpuppy",
        "dog\n  intent  bits 1\n  extent  2 concepts\n  dog\n  puppy\n",
    );
}

#[test]
fn likeness_and_names() {
    let (concept, by) = ("cat".to_owned(), Measure::Path);
    check(
        Question::Nearest { concept, by, count: 1 },
        r#"{"question":"nearest","concept":"cat","by":"path","concepts":[{"concept":"pet","score":0.5}]}"#,
        "pet",
        "cat by path\n  0.5000  pet\n",
    );
    check(
        Question::Search { text: "pupy".to_owned(), count: 3 },
        concat!(
            r#"{"question":"search","text":"pupy","#,
            r#""concepts":[{"concept":"puppy","found":"puppy","typos":1,"by":"similar"}]}"#,
        ),
        "puppy",
        "puppy  puppy\n",
    );
    let nothing = r#"{"question":"search","text":"zebra","concepts":[]}"#;
    let question = Question::Search { text: "zebra".to_owned(), count: 3 };
    check(question, nothing, "", "nothing is spelt like \"zebra\"\n");
}

#[test]
fn reasons() {
    let explain = |child: &str, parent: &str| Question::Explain {
        child: child.into(),
        parent: parent.into(),
    };
    check(
        explain("puppy", "animal"),
        concat!(
            r#"{"question":"explain","child":"puppy","parent":"animal","is_a":true,"#,
            r#""chain":["puppy","dog","animal"],"shared":[],"missing":[],"#,
            r#""lowest_common_hypernyms":["animal"]}"#,
        ),
        "yes: puppy → dog → animal",
        "yes: puppy is-a animal\n  puppy → dog → animal\n  \
         animal has 0 bits, and puppy has them all\n",
    );
    check(
        explain("cat", "dog"),
        concat!(
            r#"{"question":"explain","child":"cat","parent":"dog","is_a":false,"chain":[],"#,
            r#""shared":[],"missing":[{"bit":1,"from":["dog"],"owners":1,"#,
            r#""first_owners":["dog"]}],"lowest_common_hypernyms":["animal"]}"#,
        ),
        "no: lacks 1",
        "no: cat is not dog\n  cat lacks bit 1, which dog has of its own\n  what both are: animal\n",
    );
}

#[test]
fn descriptions_and_pictures() {
    check(
        Question::Describe { concept: "pet".to_owned() },
        concat!(
            r#"{"question":"describe","concept":"pet","label":null,"aliases":[],"synonyms":[],"definition":null,"#,
            r#""parents":["animal"],"children_count":2,"children":["cat","puppy"],"#,
            r#""hypernyms":1,"hyponyms":2,"information_content":0.31739380551401464,"#,
            r#""code":"100","#,
            r#""bits":[{"bit":0,"from":["pet"],"owners":1,"first_owners":["pet"]}]}"#,
        ),
        "100",
        "pet\n  ●○○\n  is-a animal (1 hypernym in all)\n  \
         covers 2 hyponyms; information content 0.32\n  bit 0    of its own\n  \
         directly below:\n  cat\n  puppy\n",
    );
    check(
        Question::Picture { concept: "dog".to_owned(), children: 0 },
        concat!(
            r#"{"question":"picture","concept":"dog","left_out":1,"#,
            r#""text":"animal  ○○○\n└─ dog  ○●○\n"}"#,
        ),
        "animal  ○○○\t└─ dog  ○●○",
        "animal  ○○○\n└─ dog  ○●○\n… and 1 more child\n",
    );
}

#[test]
fn a_style_marks_and_shortens() {
    let index = pets();
    let below = answer(
        &index,
        &Question::Hyponyms { concept: "animal".to_owned(), nearest: false, page: Page::ALL },
    );
    let style = Style { bold: |text| format!("*{text}*"), rows: 1, rest: "; ask for all" };
    let text = below.unwrap().text(&index, &style);
    assert_eq!(text, "*animal*: 4 hyponyms\n  pet\n  … and 3 more; ask for all\n");
}

#[test]
fn a_page_cuts_the_list_and_not_the_count() {
    let index = pets();
    let page =
        |offset, limit| Relatives::below(&index, "animal", false, Page { offset, limit }).unwrap();
    let all = page(0, usize::MAX).concepts;
    for offset in 0..6 {
        let two = page(offset, 2);
        assert_eq!(two.count, 4);
        assert_eq!(two.concepts[..], all[offset.min(4)..(offset + 2).min(4)]);
    }
}

#[test]
fn what_cannot_be_answered_says_why() {
    let index = pets();
    let unknown = answer(&index, &Question::Describe { concept: "nobody".to_owned() });
    assert!(matches!(unknown, Err(QueryError::Unknown { .. })));
    let unreadable = answer(&index, &Question::Expr { text: "cat &".to_owned() });
    assert!(matches!(unreadable, Err(QueryError::Expression(_))));
}

/// Words are understood, and the answer says how.
#[test]
fn words_are_taken_for_concepts() {
    let mut builder = HierarchyBuilder::default();
    for (child, parent) in [("dog.n.01", "animal.n.01"), ("frump.n.01", "woman.n.01")] {
        builder.pair(child, parent).unwrap();
    }
    for (name, rank) in [("frump.n.01", 2), ("dog.n.01", 1)] {
        let concept = builder.concept(name).unwrap();
        builder.ranked_synonym(concept, "dog", Scope::Exact, rank);
    }
    let dog = builder.concept("dog.n.01").unwrap();
    builder.definition(dog, "a pet that barks");
    let index = binder::encode(&builder.build(Cycles::Refuse).unwrap()).unwrap().into_index();
    let question = Question::IsA { child: "dogs".into(), parent: "animal.n.01".into() };
    let asked = Asked::new(&index, &question).unwrap();
    let lines: Vec<_> = asked.taken.iter().map(Taken::line).collect();
    assert_eq!(lines, ["dogs: dog.n.01, the first of 2 senses; others: frump.n.01"]);
    let json = serde_json::to_value(&asked).unwrap();
    assert_eq!((&json["is_a"], &json["taken"][0]["senses"]), (&true.into(), &2.into()));
    let exact = Question::IsA { child: "dog.n.01".into(), parent: "animal.n.01".into() };
    let json = serde_json::to_value(Asked::new(&index, &exact).unwrap()).unwrap();
    assert!(json.get("taken").is_none(), "{json}");
    let about = answer(&index, &Question::Describe { concept: "dog".into() }).unwrap();
    let text = about.text(&index, &Style::PLAIN);
    assert!(text.contains("\n  a pet that barks\n  also called dog\n"), "{text}");
    let expression = Question::Expr { text: "dog & !(animal)".into() };
    let taken: Vec<_> = Taken::of(&index, &expression).into_iter().map(|one| one.concept).collect();
    assert_eq!(taken, ["dog.n.01", "animal.n.01"]);
    let index = index.with_exact_names(true);
    assert!(matches!(answer(&index, &question), Err(QueryError::Unknown { .. })));
    assert!(answer(&index, &exact).is_ok());
}

#[test]
fn a_summary_says_what_a_concept_is_called_and_where_it_is() {
    let mut builder = HierarchyBuilder::default();
    let [animal, dog] = ["animal", "dog.n.01"].map(|name| builder.concept(name).unwrap());
    builder.link(dog, animal);
    builder.label(dog, "dog, domestic dog");
    builder.definition(dog, "It barks.");
    for word in ["dog", "domestic dog"] {
        builder.synonym(dog, word, Scope::Exact);
    }
    let hierarchy = builder.build(Cycles::Refuse).unwrap();
    let index = binder::encode(&hierarchy).unwrap().into_index();
    let dog = Summary::new(&index, "dog.n.01").unwrap();
    assert_eq!((dog.called.as_str(), dog.definition.as_deref()), ("dog", Some("It barks.")));
    assert_eq!((dog.path, dog.parent_ids), (list(&["animal"]), vec![animal]));
    assert_eq!(called(&index, animal), "animal");
    assert!(Summary::new(&index, "cat").is_err());
}

#[test]
fn a_preview_changes_nothing() {
    let index = pets();
    let kitten = Preview::under(&index, "kitten", &["cat"]).unwrap();
    assert_eq!((kitten.parents, kitten.children_count), (list(&["cat"]), 0));
    assert!(kitten.code.len() == index.codes().bits() + kitten.appended_bits);
    let both = Preview::of_expression(&index, "young", "pet & dog").unwrap();
    assert_eq!((both.children_count, both.children), (1, list(&["puppy"])));
    let same = Preview::of_expression(&index, "tom", "pet & cat").unwrap_err().to_string();
    assert_eq!(same, "tom: cat has the same code, so it is that concept already");
    assert!(Preview::under(&index, "cat", &["dog"]).is_err());
    assert!(index.concept("kitten").is_err());
}
