//! `binder place` and `binder add --place`, the real binary in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs;
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

/// A vector that points to the kind with this number, from 0.
fn towards(kind: usize) -> String {
    (0..10).map(|at| if at == kind { "1" } else { "0" }).collect::<Vec<_>>().join(" ")
}

/// Letters that tell nothing about the number that they are made from.
fn riddle(number: usize) -> String {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let letter = |at: u32| b'a' + u8::try_from((mixed >> (7 * at)) % 26).unwrap();
    (0..8).map(|at| char::from(letter(at))).collect()
}

/// The place of the first 1 among the numbers of a line.
fn one(line: &str) -> usize {
    let numbers = line.split('\t').nth(1).unwrap();
    numbers.split(' ').position(|number| number == "1").unwrap()
}

/// A safetensors file of tensors: name, type, shape and bytes.
fn safetensors(tensors: &[(&str, &str, Vec<usize>, Vec<u8>)]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let start = data.len();
        data.extend_from_slice(bytes);
        let offsets = [start, data.len()];
        let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": offsets});
        header.insert((*name).to_owned(), entry);
    }
    let header = Value::Object(header).to_string().into_bytes();
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], &header, &data].concat()
}

/// A safetensors file with so many rows of numbers, and their names unless there are none.
fn matrix(names: &str, rows: usize, numbers: &[f32]) -> Vec<u8> {
    let shape = vec![rows, numbers.len() / rows];
    let mut tensors = vec![("vectors", "F32", shape, little_endian(numbers))];
    if !names.is_empty() {
        tensors.push(("names", "U8", vec![names.len()], names.as_bytes().to_vec()));
    }
    safetensors(&tensors)
}

fn little_endian(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Writes the folder of an encoder without layers: the vector of a text is the mean of those of its
/// letters, which depend on a seed.
fn write_encoder(folder: &Path, seed: usize) {
    fs::create_dir(folder).unwrap();
    let letters: Vec<String> =
        ('a'..='z').flat_map(|l| [l.to_string(), format!("##{l}")]).collect();
    let mut tokens = vec!["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
    tokens.extend(letters.iter().map(String::as_str));
    fs::write(folder.join("vocab.txt"), tokens.join("\n")).unwrap();
    let width = 8;
    let config = json!({
        "model_type": "bert", "hidden_size": width, "intermediate_size": 4,
        "num_hidden_layers": 0, "num_attention_heads": 2, "max_position_embeddings": 32,
    });
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let tensor = |name: &'static str, shape: Vec<usize>, number: &dyn Fn(usize) -> f32| {
        let count = shape.iter().product();
        (name, "F32", shape, little_endian(&(0..count).map(number).collect::<Vec<f32>>()))
    };
    let mixed = |at: usize| ((at * 31 + at / width * 17 + seed * 7) % 101) as f32 / 50.0 - 1.0;
    let (zero, one) = (|_: usize| 0.0, |_: usize| 1.0);
    let file = safetensors(&[
        tensor("embeddings.word_embeddings.weight", vec![tokens.len(), width], &mixed),
        tensor("embeddings.position_embeddings.weight", vec![32, width], &zero),
        tensor("embeddings.token_type_embeddings.weight", vec![2, width], &zero),
        tensor("embeddings.LayerNorm.weight", vec![width], &one),
        tensor("embeddings.LayerNorm.bias", vec![width], &zero),
    ]);
    fs::write(folder.join("model.safetensors"), file).unwrap();
}

#[test]
fn an_encoder_is_used_and_another_one_is_refused() {
    let folder = folder();
    let folder = folder.path();
    write_encoder(&folder.join("one"), 1);
    write_encoder(&folder.join("two"), 2);
    let fit = ["place", "fit", "model", "-o", "near", "--trees", "5", "--encoder"];
    stdout(&binder(folder, &[&fit[..], &["one"]].concat()));
    let ask = ["place", "ask", "near", "gale", "--definition", "a vessel", "--json"];
    let with = binder(folder, &[&ask[..], &["--encoder", "one"]].concat());
    assert!(with.stderr.is_empty(), "{}", String::from_utf8_lossy(&with.stderr));
    let answer: Value = serde_json::from_str(stdout(&with)).unwrap();
    assert_eq!(answer["places"][0]["label"], "vessel", "{answer}");
    let without = binder(folder, &ask);
    stdout(&without);
    let note = String::from_utf8_lossy(&without.stderr);
    assert!(note.contains("give its folder with --encoder for better answers"), "{note}");
    let error = stderr(&binder(folder, &[&ask[..], &["--encoder", "two"]].concat()));
    assert!(error.contains("near: the placer was fitted with another encoder"), "{error}");
    assert!(error.contains("give the folder of that encoder with --encoder"), "{error}");
    let ask = ["place", "ask", "placer", "gale", "--encoder", "one"];
    let error = stderr(&binder(folder, &ask));
    assert!(error.contains("fitted without an encoder") && error.contains("leave out --encoder"));
    let error = stderr(&binder(folder, &[&fit[..], &["nowhere"]].concat()));
    assert!(error.contains("config.json: No such file"), "{error}");
    let add = ["add", "model", "gale", "--definition", "a vessel", "--place", "near"];
    let add = [&add[..], &["--encoder", "one", "--min-p", "0", "-o", "grown"]].concat();
    stdout(&binder(folder, &add));
    let eval = ["place", "eval", "model", "--trees", "5", "--encoder", "one", "--json"];
    stdout(&binder(folder, &eval));
}

#[test]
fn vectors_of_words_and_concepts_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut table, mut concepts) = ("id,parents,name\n".to_owned(), String::new());
    for kind in 0..10 {
        let _ = writeln!(table, "K:{kind},root,kind {kind}");
        let _ = writeln!(concepts, "K:{kind}\t{}", towards(kind));
        for at in 0..30 {
            let _ = writeln!(table, "T:{kind}x{at},K:{kind},{}", riddle(30 * kind + at));
            let _ = writeln!(concepts, "T:{kind}x{at}\t{}", towards(kind));
        }
    }
    fs::write(folder.join("riddles.csv"), table).unwrap();
    fs::write(folder.join("concepts.tsv"), concepts).unwrap();
    fs::write(folder.join("words.txt"), "2 3\nfruit 1 0 0.5\napple 0.9 0 0.4\n").unwrap();
    let source = ["riddles.csv", "--child", "id", "--parent", "parents", "--label", "name"];
    let given = ["--vectors", "words.txt", "--embeddings", "concepts.tsv", "--trees", "30"];
    let fit = [&["place", "fit", "-o", "near"], &source[..], &given[..]].concat();
    stdout(&binder(folder, &fit));

    let first = |output: &Output| {
        let answer: Value = serde_json::from_str(stdout(output)).unwrap();
        answer["places"][0]["concept"].as_str().unwrap().to_owned()
    };
    let ask = ["place", "ask", "near", "zyx", "--embedding", &towards(2), "--json"];
    assert_eq!(first(&binder(folder, &ask)), "K:2");
    fs::write(folder.join("asked.tsv"), format!("zyx\t\t{}\n", towards(4))).unwrap();
    assert_eq!(first(&binder(folder, &["place", "ask", "near", "--batch", "asked.tsv"])), "K:4");

    // The same from safetensors files, byte for byte.
    let text = fs::read_to_string(folder.join("concepts.tsv")).unwrap();
    let names: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    let kinds = text.lines().map(one);
    let numbers = kinds.flat_map(|kind| (0..10).map(move |at| f32::from(u8::from(at == kind))));
    let file = matrix(&names.join("\n"), names.len(), &numbers.collect::<Vec<f32>>());
    fs::write(folder.join("concepts.safetensors"), file).unwrap();
    let words = matrix("", 2, &[1.0, 0.0, 0.5, 0.9, 0.0, 0.4]);
    fs::write(folder.join("same.safetensors"), words).unwrap();
    fs::write(folder.join("vocab.txt"), "fruit\napple\n").unwrap();
    let tensors = ["--vectors", "same.safetensors", "--embeddings", "concepts.safetensors"];
    let fit = ["place", "fit", "-o", "same", "--trees", "30"];
    stdout(&binder(folder, &[&fit[..], &source[..], &tensors[..]].concat()));
    assert_eq!(fs::read(folder.join("same")).unwrap(), fs::read(folder.join("near")).unwrap());

    let eval = [&["place", "eval", "--json"], &source[..], &given[..]].concat();
    let found: Value = serde_json::from_str(stdout(&binder(folder, &eval))).unwrap();
    assert!(found["hit1"].as_f64().unwrap() > 0.9, "{found}");
}

#[test]
fn vectors_that_cannot_be_used_are_refused() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("words.txt"), "fruit 1 0\napple 1\n").unwrap();
    let fit = ["place", "fit", "model", "-o", "near", "--vectors", "words.txt"];
    let error = stderr(&binder(folder, &fit));
    assert!(error.contains("words.txt:2: 1 numbers instead of 2"), "{error}");
    assert!(!folder.join("near").exists());
    fs::write(folder.join("words.safetensors"), matrix("fruit\napple", 3, &[1.0; 6])).unwrap();
    let fit = ["place", "fit", "model", "-o", "near", "--vectors", "words.safetensors"];
    let error = stderr(&binder(folder, &fit));
    assert!(error.contains("words.safetensors: 3 rows, but 2 names"), "{error}");
    let ask = ["place", "ask", "placer", "zyx", "--embedding", "1 0"];
    let error = stderr(&binder(folder, &ask));
    assert!(error.contains("fitted without --embeddings"), "{error}");
    fs::write(folder.join("concepts.tsv"), "T:1\t1 0\nT:2\t0 1\n").unwrap();
    let fit = ["place", "fit", "model", "-o", "near", "--embeddings", "concepts.tsv"];
    stdout(&binder(folder, &[&fit[..], &["--trees", "5"]].concat()));
    for (given, said) in [("1 0 0", "has 3 numbers"), ("1 x", "\"x\" is not a number")] {
        let error = stderr(&binder(folder, &["place", "ask", "near", "zyx", "--embedding", given]));
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_fit_that_needs_more_memory_says_so_before_it_begins() {
    let folder = folder();
    let fit = ["place", "fit", "model", "-o", "other", "--memory", "2MB"];
    let error = stderr(&binder(folder.path(), &fit));
    assert!(error.contains("what a placer counts in the texts takes about"), "{error}");
    assert!(error.contains("--memory") && error.contains("--texts names"), "{error}");
}
