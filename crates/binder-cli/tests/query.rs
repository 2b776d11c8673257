//! `binder query` and `binder add --as`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

/// A folder with the toy and the animals, encoded.
fn models() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    stdout(&binder(folder.path(), &["encode", "toy", "-o", "toy"]));
    stdout(&binder(folder.path(), &["encode", "wordnet-animals", "-o", "animals"]));
    folder
}

fn ask(folder: &Path, question: &[&str]) -> Value {
    let output = binder(folder, &[&["query", "animals", "--json"], question].concat());
    serde_json::from_str(stdout(&output)).unwrap()
}

fn batch(folder: &Path, args: &[&str], questions: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
        .args([&["query", "animals"], args].concat())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn every_question_is_answered() {
    let folder = models();
    let ask = |question: &[&str]| ask(folder.path(), question);
    let yes =
        json!({ "question": "is-a", "child": "dog.n.01", "parent": "canine.n.02", "is_a": true });
    assert_eq!(ask(&["is-a", "dog.n.01", "canine.n.02"]), yes);
    let above = ask(&["hypernyms", "dog.n.01"]);
    assert_eq!(above["count"], above["concepts"].as_array().unwrap().len());
    assert_eq!(above["concepts"].as_array().unwrap().last().unwrap(), "canine.n.02");
    assert_eq!(
        ask(&["hypernyms", "canine.n.02", "--nearest"])["concepts"],
        json!(["carnivore.n.01"])
    );
    let below = ask(&["hyponyms", "dog.n.01", "--limit", "2"]);
    assert_eq!(
        (below["count"].as_u64(), below["concepts"].as_array().unwrap().len()),
        (Some(189), 2)
    );
    assert_eq!(
        ask(&["meet", "dog.n.01", "young_mammal.n.01"])["most_general_below"],
        json!(["puppy.n.01"])
    );
    assert_eq!(ask(&["meet", "dog.n.01", "bird.n.01"])["count"], 0);
    assert_eq!(
        ask(&["join", "dog.n.01", "domestic_cat.n.01"])["nearest_above"].as_array().unwrap().len(),
        2
    );
    assert_eq!(ask(&["expr", "dog.n.01 & (young_mammal.n.01)"])["below"], json!(["puppy.n.01"]));
    assert!(ask(&["complement", "dog.n.01"])["disjoint_count"].as_u64().unwrap() > 3000);
    let nearest = ask(&["nearest", "dog.n.01", "--by", "path", "--count", "3"]);
    assert_eq!(nearest["concepts"][0]["score"], 0.5);
    let why = ask(&["explain", "puppy.n.01", "canine.n.02"]);
    assert_eq!(why["chain"], json!(["puppy.n.01", "dog.n.01", "canine.n.02"]));
    let why_not = ask(&["explain", "dog.n.01", "domestic_cat.n.01"]);
    assert!(!why_not["missing"].as_array().unwrap().is_empty());
    let about = ask(&["describe", "dog.n.01"]);
    assert_eq!(
        (about["hyponyms"].as_u64(), about["children"].as_array().unwrap().len()),
        (Some(189), 18)
    );
    assert_eq!(ask(&["formal", "puppy.n.01"])["extent"], json!(["puppy.n.01"]));
    assert_eq!(ask(&["search", "retreiver"])["concepts"][0]["concept"], "retriever.n.01");
    assert!(ask(&["picture", "puppy.n.01"])["text"].as_str().unwrap().contains("─ puppy.n.01"));
}

#[test]
fn people_get_text_and_scripts_get_exit_codes() {
    let folder = models();
    let ask =
        |question: &[&str]| binder(folder.path(), &[&["query", "animals"], question].concat());
    assert_eq!(
        stdout(&ask(&["is-a", "dog.n.01", "canine.n.02"])),
        "yes: dog.n.01 is-a canine.n.02\n"
    );
    assert_eq!(ask(&["is-a", "dog.n.01", "bird.n.01"]).status.code(), Some(0));
    let no = ask(&["is-a", "dog.n.01", "bird.n.01", "--exit-code"]);
    assert_eq!((no.status.code(), no.stderr.len()), (Some(1), 0));
    assert!(stdout(&ask(&["meet", "dog.n.01", "bird.n.01"])).ends_with("nothing is all of this\n"));
    let unknown = ask(&["is-a", "dgo.n.01", "bird.n.01"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("is it dog.n.01"), "{unknown:?}");
    let pointed = String::from_utf8(ask(&["expr", "dog.n.01 &"]).stderr).unwrap();
    assert!(pointed.contains("column 11") && pointed.ends_with("^\n"), "{pointed}");
    assert_eq!(ask(&["is-a", "dog.n.01"]).status.code(), Some(2));
}

#[test]
fn a_file_of_questions_is_answered_line_by_line() {
    let folder = models();
    let questions = "dog.n.01\tcanine.n.02\nis-a dog.n.01 bird.n.01\r\n\nhypernyms canine.n.02 --nearest\nbird.n.01\tdog.n.01";
    for answers in [
        batch(folder.path(), &[], questions),
        batch(folder.path(), &["--batch", "-"], questions),
        {
            std::fs::write(folder.path().join("questions"), questions).unwrap();
            batch(folder.path(), &["--batch", "questions"], "")
        },
    ] {
        assert_eq!(stdout(&answers), "yes\nno\n\ncarnivore.n.01\nno\n");
    }
    let json = batch(folder.path(), &["--json"], "hyponyms puppy.n.01\ndog.n.01\tdog.n.01\n");
    let lines: Vec<Value> =
        stdout(&json).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines[0],
        json!({ "question": "hyponyms", "concept": "puppy.n.01", "count": 0, "concepts": [] })
    );
    assert_eq!(lines[1]["is_a"], true);
}

#[test]
fn a_question_without_an_answer_keeps_its_line() {
    let folder = models();
    let answers = batch(
        folder.path(),
        &[],
        "dog.n.01\tcanine.n.02\nnobody\tdog.n.01\nwhat is this\nis-a \"dog\n",
    );
    assert_eq!(answers.status.code(), Some(1));
    let lines: Vec<&str> = std::str::from_utf8(&answers.stdout).unwrap().lines().collect();
    assert_eq!((lines.len(), &lines[..2]), (4, &["yes", "unknown"][..]));
    assert!(lines[2].starts_with("error: ") && lines[3].starts_with("error: "), "{lines:?}");
    let error = String::from_utf8(answers.stderr).unwrap();
    assert!(error.contains("3 questions could not be answered; the first is line 2"), "{error}");
    let missing = binder(folder.path(), &["query", "animals", "--batch", "nowhere"]);
    assert!(
        missing.status.code() == Some(1)
            && String::from_utf8_lossy(&missing.stderr).contains("nowhere")
    );
}

#[test]
fn more_questions_than_a_part_holds_come_back_in_order() {
    let folder = models();
    let pairs = ["dog.n.01\tcanine.n.02\n", "dog.n.01\tbird.n.01\n", "bird.n.01\tbird.n.01\n"];
    let questions: String = (0..900_000).map(|i| pairs[i * i % 7 % 3]).collect();
    let wanted: String = (0..900_000).map(|i| ["yes\n", "no\n", "yes\n"][i * i % 7 % 3]).collect();
    std::fs::write(folder.path().join("many"), questions).unwrap();
    let answers = binder(folder.path(), &["query", "animals", "--batch", "many"]);
    assert!(stdout(&answers) == wanted);
}

#[test]
fn a_picture_is_a_file() {
    let folder = models();
    let args = ["query", "animals", "picture", "puppy.n.01", "-o", "puppy.svg"];
    stdout(&binder(folder.path(), &args));
    let svg = std::fs::read_to_string(folder.path().join("puppy.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ")
            && svg.contains(">puppy.n.01</text>")
            && svg.contains("class=\"own on\"")
    );
}

#[test]
fn a_meet_is_named_and_kept() {
    let folder = models();
    let args = ["add", "animals", "whelp", "--as", "\"puppy.n.01\"", "-o", "grown", "--json"];
    let same = binder(folder.path(), &args);
    assert!(
        String::from_utf8_lossy(&same.stderr).contains("puppy.n.01 has the same code"),
        "{same:?}"
    );
    let args = [
        "add",
        "animals",
        "aquatic_bird_of_prey",
        "--as",
        "aquatic_bird.n.01 & bird_of_prey.n.01",
        "-o",
        "grown",
        "--json",
    ];
    let report: Value = serde_json::from_str(stdout(&binder(folder.path(), &args))).unwrap();
    assert_eq!([&report["added"], &report["fp"], &report["fn"]], [1, 0, 0]);
    let parents = binder(
        folder.path(),
        &["query", "grown", "hypernyms", "aquatic_bird_of_prey", "--nearest", "--json"],
    );
    let parents: Value = serde_json::from_str(stdout(&parents)).unwrap();
    assert_eq!(parents["count"], 2);
    let both =
        binder(folder.path(), &["add", "animals", "x", "--as", "dog.n.01", "--parent", "dog.n.01"]);
    assert_eq!(both.status.code(), Some(2));
}

/// Data are encoded for the question, words are understood, and a note says how.
#[test]
fn words_are_asked_of_data() {
    let folder = tempfile::tempdir().unwrap();
    let asked = binder(folder.path(), &["query", "wordnet-animals", "is-a", "cats", "Animal"]);
    let notes = String::from_utf8_lossy(&asked.stderr).into_owned();
    assert_eq!(stdout(&asked), "yes: cat.n.01 is-a animal.n.01\n");
    assert!(
        notes.contains("wordnet-animals is data, not a model: encoded 4,017 concepts"),
        "{notes}"
    );
    assert!(
        notes.contains("cats: cat.n.01, the first of 2 senses; others: big_cat.n.01"),
        "{notes}"
    );
    let folder_is_empty = std::fs::read_dir(folder.path()).unwrap().next().is_none();
    assert!(folder_is_empty, "nothing is kept");
    let exact = ["query", "wordnet-animals", "--exact-names", "is-a", "cat", "animal.n.01"];
    let refused = binder(folder.path(), &exact);
    assert_eq!(refused.status.code(), Some(1));
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(why.contains("no concept is named \"cat\"; is it cat.n.01"), "{why}");
    let no = ["query", "wordnet-animals", "is-a", "cat", "dog", "--exit-code"];
    assert_eq!(binder(folder.path(), &no).status.code(), Some(1));
}

#[test]
fn the_benchmarks_nouns_say_that_they_have_no_root() {
    let folder = models();
    let asked = binder(folder.path(), &["query", "animals", "describe", "entity.n.01"]);
    let why = String::from_utf8_lossy(&asked.stderr).into_owned();
    assert!(why.contains("without this root; wordnet has it"), "{why}");
}

#[test]
fn a_model_says_what_it_is() {
    let folder = models();
    let info = binder(folder.path(), &["info", "animals", "--json"]);
    let info: Value = serde_json::from_str(stdout(&info)).unwrap();
    assert_eq!((&info["entities"], &info["roots"]), (&4017.into(), &1.into()));
    assert_eq!((&info["root_names"][0], &info["labels"]), (&"animal.n.01".into(), &4017.into()));
    assert_eq!(
        (&info["model"]["method"], &info["model"]["exact"]),
        (&"encode".into(), &true.into())
    );
    assert_eq!(info["deepest"][0]["depth"], info["depth"]);
    assert!(info["widest"][0]["children"].as_u64().unwrap() > 10);
    let text = binder(folder.path(), &["info", "animals"]);
    let text = stdout(&text);
    assert!(text.contains("a model, encoded: ") && text.contains("exact: no error"), "{text}");
}
