//! `binder place` and `binder add --place`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Ten kinds of things with thirty of each, as a table with names and definitions.
fn terms() -> String {
    let kinds = [
        ("fruit", "grows on trees and is eaten"),
        ("tool", "is used to work on wood"),
        ("vessel", "carries goods over water"),
        ("garment", "is worn around the body"),
        ("tune", "is sung to a drum"),
        ("coin", "pays for bread"),
        ("beetle", "eats leaves at night"),
        ("rock", "lies deep in the earth"),
        ("dance", "is danced in a ring"),
        ("sauce", "is poured over noodles"),
    ];
    let mut table = "id,parents,name,synonyms,definition\nT:0,,thing,,anything at all\n".to_owned();
    for (kind, (name, does)) in kinds.iter().enumerate() {
        let _ = writeln!(table, "T:{},T:0,{name},,a thing that {does}", kind + 1);
        for number in 0..30 {
            let place = ["northern", "southern", "eastern", "western", "royal", "plain"];
            let (first, second) = (place[number % 6], place[(number / 6 + 1) % 6]);
            let _ = writeln!(
                table,
                "T:{kind}x{number},T:{},{first} {second} {name},{name} {number}|old {name} {number},\
                 a {first} {name} of {second} make that {does}",
                kind + 1
            );
        }
    }
    table
}

const READING: [&str; 12] = [
    "--child",
    "id",
    "--parent",
    "parents",
    "--label",
    "name",
    "--alias",
    "synonyms",
    "--definition",
    "definition",
    "--cell-separator",
    "|",
];

/// A folder with the table, a model of it and a placer.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("terms.csv"), terms()).unwrap();
    let encode = [&["encode", "terms.csv", "-o", "model"], &READING[..]].concat();
    stdout(&binder(folder.path(), &encode));
    let fit = ["place", "fit", "model", "-o", "placer", "--trees", "20", "--json"];
    let fitted: Value = serde_json::from_str(stdout(&binder(folder.path(), &fit))).unwrap();
    assert_eq!(fitted["entities"], 311);
    folder
}

#[test]
fn a_placer_is_fitted_asked_and_used() {
    let folder = folder();
    let folder = folder.path();
    // From the table itself, with the same codes or not, the placer answers alike.
    let fit = [&["place", "fit", "terms.csv", "-o", "other", "--json"], &READING[..]].concat();
    stdout(&binder(folder, &fit));
    let definition = "a shiny beetle from the moon that eats leaves";
    let ask = ["place", "ask", "placer", "moon beetle", "--definition", definition, "--json"];
    let answer: Value = serde_json::from_str(stdout(&binder(folder, &ask))).unwrap();
    assert_eq!(answer["places"][0]["concept"], "T:7");
    assert_eq!(answer["places"][0]["label"], "beetle");
    assert!(answer["places"][0]["p"].as_f64().unwrap() > 0.3, "{answer}");
    assert_eq!(answer["why"]["ending"], "beetle");
    assert!(answer["code"].as_str().is_none_or(|code| code.bytes().all(|bit| bit <= b'1')));
    let text = binder(folder, &["place", "ask", "placer", "moon beetle"]);
    assert!(stdout(&text).contains("T:7 (beetle)"));

    let add = [
        "add",
        "model",
        "moon beetle",
        "--definition",
        definition,
        "--place",
        "placer",
        "--min-p",
        "0.2",
        "--json",
    ];
    let added: Value = serde_json::from_str(stdout(&binder(folder, &add))).unwrap();
    assert_eq!((&added["added"], &added["fp"], &added["fn"]), (&1.into(), &0.into(), &0.into()));
    let is_a = binder(folder, &["query", "model", "is-a", "moon beetle", "T:7", "--json"]);
    assert!(stdout(&is_a).contains("true"));
    // The model has grown, and the placer still knows its concepts.
    let unsure = ["add", "model", "zyx", "--definition", "qqq", "--place", "placer"];
    assert!(stderr(&binder(folder, &unsure)).contains("not sure enough"));
    let same = ["add", "model", "x", "--definition", "", "--place", "placer", "--min-p", "2"];
    assert_eq!(binder(folder, &same).status.code(), Some(2));
}

#[test]
fn a_file_is_answered_line_by_line_in_order() {
    let folder = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
        .args(["place", "ask", "placer", "--batch", "-", "--top", "2"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = "red coin\ta coin that pays for bread\r\n\nblue dance\n".to_owned();
    let _ = writeln!(lines, "long rock\t{}", "a rock that lies deep ".repeat(50_000));
    lines.push_str("Käfer\tein Käfer, der nachts Blätter frisst");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = answers.iter().map(|answer| answer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["red coin", "", "blue dance", "long rock", "Käfer"]);
    assert_eq!(answers[0]["places"][0]["concept"], "T:6");
    assert_eq!(answers[3]["places"][0]["concept"], "T:8");
    assert!(answers.iter().all(|answer| answer["places"].as_array().unwrap().len() <= 2));
}

#[test]
fn hidden_concepts_are_judged() {
    let folder = folder();
    let eval = ["place", "eval", "model", "--share", "0.1", "--trees", "20", "--json"];
    let found: Value = serde_json::from_str(stdout(&binder(folder.path(), &eval))).unwrap();
    for key in [
        "queries",
        "hit1",
        "hit5",
        "hit10",
        "mrr",
        "wup",
        "f1",
        "safe_f1",
        "ece",
        "seconds_fit",
        "seconds_ask",
        "total_seconds",
    ] {
        assert!(found[key].is_number(), "{key}");
    }
    assert!(found["hit1"].as_f64().unwrap() > 0.8, "{found}");
    assert!(found["vote"]["hit1"].is_number() && found["first_word"]["hit1"].is_number());
}

#[test]
fn threads_change_nothing() {
    let folder = folder();
    let fit = |threads: &str, name: &str| {
        let args = ["place", "fit", "model", "-o", name, "--trees", "20", "--threads", threads];
        stdout(&binder(folder.path(), &args));
        fs::read(folder.path().join(name)).unwrap()
    };
    assert_eq!(fit("1", "one"), fit("3", "three"));
    // A placer may be replaced without asking, as a model may.
    assert_eq!(fit("2", "one"), fit("2", "three"));
}

#[test]
fn errors_say_what_to_do() {
    let folder = folder();
    let folder = folder.path();
    let fit = binder(folder, &["place", "fit", "toy", "-o", "x"]);
    assert!(stderr(&fit).contains("--definition name the columns"), "{}", stderr(&fit));
    fs::write(folder.join("few.csv"), terms().lines().take(60).collect::<Vec<_>>().join("\n"))
        .unwrap();
    let few = [&["place", "fit", "few.csv", "-o", "x"], &READING[..]].concat();
    assert!(stderr(&binder(folder, &few)).contains("too few"));
    assert!(stderr(&binder(folder, &["place", "ask", "model", "x"])).contains("it is a model"));
    assert!(stderr(&binder(folder, &["query", "placer", "is-a", "a", "b"])).contains("placer"));
    let nothing = binder(folder, &["place", "ask", "placer", " "]);
    assert!(stderr(&nothing).contains("give a name"));
    let mut bytes = fs::read(folder.join("placer")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.join("damaged"), bytes).unwrap();
    assert!(stderr(&binder(folder, &["place", "ask", "damaged", "x"])).contains("checksum"));
    stdout(&binder(folder, &["encode", "toy", "-o", "toy"]));
    let other = binder(folder, &["add", "toy", "x", "--place", "placer"]);
    assert!(stderr(&other).contains("another model"), "{}", stderr(&other));
    let known = ["add", "model", "old coin 3", "--place", "placer"];
    assert!(stderr(&binder(folder, &known)).contains("another name of"));
}
