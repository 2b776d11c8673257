//! The real binary, in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use binder::read::Builtin;
use binder::{Codes, Hierarchy, Model};
use serde_json::Value;
use tempfile::TempDir;

fn binder(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binder")).args(args).current_dir(folder).output().unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The output of a verb with --json: one object on one line, and nothing on standard error.
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = binder(folder, args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((text.lines().count(), output.stderr.len()), (1, 0), "{args:?}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The exit code and the text on standard error.
fn failure(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = binder(folder, args);
    assert!(
        output.stdout.is_empty(),
        "{args:?} printed {}",
        String::from_utf8_lossy(&output.stdout)
    );
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Codes with one bit per concept, which the concept and everything below it have: exact, but wide.
fn one_bit_each(hierarchy: &Hierarchy) -> Codes {
    let mut codes = Codes::zeros(hierarchy.len(), hierarchy.len()).unwrap();
    for id in hierarchy.ids() {
        codes.set(id, id as usize, true);
        hierarchy.ancestors(id).into_iter().for_each(|above| codes.set(id, above as usize, true));
    }
    codes
}

fn save(folder: &Path, name: &str, hierarchy: &Hierarchy, codes: Codes) {
    Model::new(hierarchy.clone(), codes).unwrap().save(folder.join(name)).unwrap();
}

#[test]
fn info_counts_a_builtin_and_a_file() {
    let folder = folder();
    let toy = json(folder.path(), &["info", "toy", "--json"]);
    let keys = [
        "entities",
        "direct",
        "indirect",
        "closure",
        "roots",
        "leaves",
        "depth",
        "multi_parent",
        "cycles",
    ];
    assert_eq!(keys.map(|key| toy[key].as_u64().unwrap()), [15, 14, 19, 33, 1, 9, 3, 0, 0]);
    assert!(toy["seconds"].as_f64().unwrap() <= toy["total_seconds"].as_f64().unwrap());

    std::fs::write(
        folder.path().join("pets.csv"),
        "who,what\npuppy,dog\npuppy,dog\ndog,dog\npuppy,pet\n",
    )
    .unwrap();
    let pets = json(folder.path(), &["info", "pets.csv", "--header", "--json"]);
    assert_eq!(
        (&pets["entities"], &pets["dropped"]["duplicate"], &pets["dropped"]["reflexive"]),
        (&3.into(), &1.into(), &1.into())
    );
    let text = String::from_utf8(
        binder(folder.path(), &["info", "pets.csv", "--columns", "who,what"]).stdout,
    )
    .unwrap();
    assert!(text.contains("left out: 1 pair given more than once\n"), "{text}");
    assert!(!text.contains('\x1b'), "colours only on a terminal: {text:?}");
}

#[test]
fn what_was_taken_for_child_and_parent_is_said() {
    let folder = folder();
    let path = folder.path();
    std::fs::write(path.join("pets.csv"), "id,name,parent_id\n1,animal,\n2,dog,1\n").unwrap();
    let output = binder(path, &["info", "pets.csv"]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "note: csv: child = column 1 (id), parent = column 3 (parent_id); 2 (dog) is-a 1 (animal); \
         the first row is a header; 1 without a parent\n"
    );
    let report = json(path, &["info", "pets.csv", "--json"]);
    assert_eq!(report["reading"]["example"][1], "1 (animal)");
    std::fs::write(path.join("two.csv"), "a,b\nc,d\n").unwrap();
    for (header, entities) in
        [(&["--header"][..], 2), (&["--header", "no"], 4), (&["--header", "yes"], 2)]
    {
        let args = [header, &["two.csv", "--json"]].concat();
        let report = json(path, &[&["info"], &args[..]].concat());
        assert_eq!(report["entities"], entities, "{args:?}");
    }
    let (code, error) = failure(path, &["info", "pets.csv", "--child", "key"]);
    assert!(code == 1 && error.contains("no column \"key\"; the columns are id, name, parent_id"));
}

#[test]
fn info_reads_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
        .args(["info", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"dog animal\ncat animal\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["entities"], &report["direct"]), (&3.into(), &2.into()));
}

#[test]
fn a_cycle_is_printed_whole_or_merged() {
    let folder = folder();
    std::fs::write(folder.path().join("cycle.tsv"), "a\tb\nb\tc\nc\ta\nd\ta\n").unwrap();
    let (code, error) = failure(folder.path(), &["info", "cycle.tsv"]);
    assert_eq!(code, 1);
    assert!(
        error.contains("a is-a b is-a c is-a a") && error.contains("--cycles merge"),
        "{error}"
    );
    let merged = json(folder.path(), &["info", "cycle.tsv", "--cycles", "merge", "--json"]);
    assert_eq!(
        (&merged["entities"], &merged["cycles"], &merged["aliases"]),
        (&2.into(), &1.into(), &2.into())
    );
}

#[test]
fn errors_say_where_and_what_to_do() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.tsv"), "a\tb\na\tb\tc\n").unwrap();
    let (code, error) = failure(folder.path(), &["info", "bad.tsv"]);
    assert_eq!(code, 1);
    assert_eq!(
        error,
        "error: bad.tsv:2:5: expected 2 columns, found 3; choose child and parent with --columns, for example --columns 1,2\n"
    );
    let (_, error) = failure(folder.path(), &["eval", "missing", "--against", "toy"]);
    assert!(error.starts_with("error: missing: no such file, and no built-in has"), "{error}");
    let (_, error) = failure(folder.path(), &["eval", ".", "--against", "toy"]);
    assert!(error.starts_with("error: .: no index.noun in this folder"), "{error}");
    let (_, error) = failure(folder.path(), &["info", "toy", "--reversed"]);
    assert!(error.contains("a built-in takes no options for reading"), "{error}");
    let (code, error) = failure(folder.path(), &["info", "wordnet-noun"]);
    assert!(code == 1 && error.contains("wordnet-nouns"), "{error}");
    for wrong_use in [
        &["info"][..],
        &["eval", "m"],
        &["info", "toy", "--format", "xls"],
        &["split", "toy", "-o", "s", "--train", "95"],
        &[],
    ] {
        assert_eq!(failure(folder.path(), wrong_use).0, 2, "{wrong_use:?}");
    }
}

#[test]
fn split_writes_eight_files_once() {
    let folder = folder();
    let report = json(
        folder.path(),
        &["split", "wordnet-animals", "-o", "animals", "--seed", "3", "--json"],
    );
    assert_eq!(
        (&report["files"]["train_10.tsv"], &report["files"]["test.tsv"]),
        (&6625.into(), &1287.into())
    );
    let lines = |file: &str| {
        std::fs::read_to_string(folder.path().join("animals").join(file)).unwrap().lines().count()
            as u64
    };
    for (file, pairs) in report["files"].as_object().unwrap() {
        assert_eq!(lines(file), pairs.as_u64().unwrap(), "{file}");
    }
    let (code, error) = failure(folder.path(), &["split", "wordnet-animals", "-o", "animals"]);
    assert_eq!(
        (code, error.as_str()),
        (1, "error: animals: already exists; choose another folder, or remove it\n")
    );
    let train = json(folder.path(), &["info", "animals/train_50.tsv", "--json"]);
    assert_eq!(
        (&train["entities"], &train["direct"], &train["dropped"]["implied"]),
        (&4017.into(), &4051.into(), &12872.into())
    );
}

#[test]
fn eval_judges_all_pairs_exactly() {
    let folder = folder();
    let animals = Builtin::WordnetAnimals.load();
    save(folder.path(), "exact", &animals, one_bit_each(&animals));
    let report = json(folder.path(), &["eval", "exact", "--against", "wordnet-animals", "--json"]);
    assert_eq!(
        ["tp", "fp", "fn", "tn"].map(|key| report[key].as_u64().unwrap()),
        [29_795, 0, 0, 4017 * 4016 - 29_795]
    );
    for share in ["precision", "recall", "f1", "accuracy"] {
        assert_eq!(report[share], 1.0, "{share}");
    }
    assert_eq!((&report["bits"], &report["equal_pairs"]), (&4017.into(), &0.into()));
    assert_eq!(report["references"]["closure_of_training_pairs"]["f1"], 1.0);
    assert!(report["references"]["many_descendants"]["f1"].as_f64().unwrap() < 0.6);
}

#[test]
fn the_closure_of_training_pairs_is_left_out_if_they_are_not_known() {
    let folder = folder();
    std::fs::write(folder.path().join("some.tsv"), "dog\tanimal\n").unwrap();
    let train = ["train", "toy", "--on", "some.tsv", "--epochs", "1", "-o", "m", "--json"];
    json(folder.path(), &train);
    let report = json(folder.path(), &["eval", "m", "--against", "toy", "--json"]);
    assert!(report["references"]["closure_of_training_pairs"].is_null(), "{report}");
    let text = binder(folder.path(), &["eval", "m", "--against", "toy"]);
    assert!(!String::from_utf8(text.stdout).unwrap().contains("closure of training pairs"));
}

#[test]
fn eval_lists_mistakes_by_name() {
    let folder = folder();
    let toy = Builtin::Toy.load();
    let mut codes = one_bit_each(&toy);
    codes.set(toy.id("cat").unwrap(), toy.id("dog").unwrap() as usize, true);
    codes.set(toy.id("tree").unwrap(), toy.id("plant").unwrap() as usize, false);
    save(folder.path(), "wrong", &toy, codes);
    let report =
        json(folder.path(), &["eval", "wrong", "--against", "toy", "--mistakes", "9", "--json"]);
    assert_eq!((&report["fp"], &report["fn"]), (&1.into(), &1.into()));
    let mut mistakes: Vec<_> =
        report["mistakes"].as_array().unwrap().iter().map(Value::to_string).collect();
    mistakes.sort();
    assert_eq!(
        mistakes,
        [
            r#"{"child":"cat","parent":"dog","truly":false}"#,
            r#"{"child":"tree","parent":"plant","truly":true}"#
        ]
    );
    let text = String::from_utf8(
        binder(folder.path(), &["eval", "wrong", "--against", "toy", "--mistakes", "1"]).stdout,
    )
    .unwrap();
    assert!(text.contains("210 pairs of 15 concepts"), "{text}");
}

#[test]
fn files_without_pairs_are_refused_wherever_something_is_judged_learnt_or_added() {
    let folder = folder();
    let here = folder.path();
    std::fs::write(here.join("none.tsv"), "").unwrap();
    std::fs::write(here.join("some.tsv"), "dog\tanimal\n").unwrap();
    assert!(binder(here, &["encode", "toy", "-o", "m"]).status.success());
    let baseline = ["baseline", "toy", "--method", "oe", "-o", "b", "--epochs", "1"];
    let train = ["train", "toy", "-o", "n", "--epochs", "1"];
    for args in [
        &[&train[..], &["--valid", "none.tsv", "--valid-neg", "some.tsv"]].concat()[..],
        &[&train[..], &["--valid", "some.tsv", "--valid-neg", "none.tsv"]].concat(),
        &[&train[..], &["--on", "none.tsv"]].concat(),
        &[&baseline[..], &["--valid", "none.tsv", "--valid-neg", "some.tsv"]].concat(),
        &["tune", "toy", "-o", "t.csv", "--valid", "some.tsv", "--valid-neg", "none.tsv"],
        &["eval", "m", "--positives", "none.tsv", "--negatives", "some.tsv"],
        &["eval", "m", "--positives", "some.tsv", "--negatives", "none.tsv"],
        &["add", "m", "--pairs", "none.tsv"],
    ] {
        let (code, error) = failure(here, args);
        assert!(code == 1 && error.contains("none.tsv: has no pairs"), "{args:?}: {error}");
    }
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 3, "nothing was written");
}

#[cfg(unix)]
#[test]
fn the_command_that_tune_ends_with_works() {
    let folder = folder();
    let here = folder.path();
    std::fs::write(here.join("my data.txt"), "animal;dog\n# not\nanimal;cat\ndog;puppy\n").unwrap();
    std::fs::write(here.join("yes.tsv"), "puppy\tanimal\n").unwrap();
    std::fs::write(here.join("no.tsv"), "cat\tdog\n").unwrap();
    let search = ["--bits", "8", "--alpha", "25", "--negatives", "12", "--epochs", "2"];
    let data = ["tune", "my data.txt", "-o", "t.csv", "--reversed", "--columns", "1,2"];
    let reading = ["--delimiter", ";", "--comment=#", "--header", "no"];
    let valid = ["--valid", "yes.tsv", "--valid-neg", "no.tsv"];
    let tuned = binder(here, &[&data[..], &reading, &valid, &search].concat());
    let text = String::from_utf8(tuned.stdout).unwrap();
    assert!(!text.contains('±'), "one seed has no deviation: {text}");
    let command = text.lines().last().unwrap().trim();
    let program = Path::new(env!("CARGO_BIN_EXE_binder")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", program.display());
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", command]).env("PATH", path).current_dir(here);
    assert!(shell.status().unwrap().success(), "{command}");
    let notes = Model::open(here.join("model.safetensors")).unwrap().notes().clone();
    assert_eq!((&*notes["alpha"], &*notes["recipe"]), ("25", "published"), "{command}");
}

#[test]
fn a_command_line_that_cannot_be_obeyed_ends_with_2() {
    let folder = folder();
    let here = folder.path();
    for args in [
        &["tune", "toy", "-o", "t.csv", "--bits", "0"][..],
        &["baseline", "toy", "--method", "oe", "-o", "b", "--aperture", "2"],
        &["reproduce", "edges", "--methods", "oe", "-o", "out"],
        &["diff", "-", "-"],
        &["eval", "toy", "--positives", "-", "--negatives", "-"],
        &["encode", "toy", "-o", "-", "--json"],
    ] {
        let (code, error) = failure(here, args);
        assert_eq!(code, 2, "{args:?}: {error}");
    }
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 0, "nothing was written");
}

#[test]
fn eval_judges_listed_pairs() {
    let folder = folder();
    let animals = Builtin::WordnetAnimals.load();
    save(folder.path(), "exact", &animals, one_bit_each(&animals));
    json(folder.path(), &["split", "wordnet-animals", "-o", "s", "--json"]);
    let report = json(
        folder.path(),
        &["eval", "exact", "--positives", "s/test.tsv", "--negatives", "s/test_neg.tsv", "--json"],
    );
    assert_eq!(
        (&report["tp"], &report["fp"], &report["fn"], &report["f1"]),
        (&1287.into(), &0.into(), &0.into(), &1.0.into())
    );
    std::fs::write(folder.path().join("no.tsv"), "dog.n.01\tcat.n.01\ndog.n.01\tanimal.n.01\n")
        .unwrap();
    let args = [
        "eval",
        "exact",
        "--positives",
        "s/test.tsv",
        "--negatives",
        "no.tsv",
        "--mistakes",
        "5",
        "--json",
    ];
    let mistakes = &json(folder.path(), &args)["mistakes"];
    assert_eq!(
        mistakes.to_string(),
        r#"[{"child":"dog.n.01","parent":"animal.n.01","truly":false}]"#
    );
    std::fs::write(folder.path().join("odd.tsv"), "dog.n.01\tanimal.n.01\nunicorn\tanimal.n.01\n")
        .unwrap();
    let (code, error) = failure(
        folder.path(),
        &["eval", "exact", "--positives", "odd.tsv", "--negatives", "s/test_neg.tsv"],
    );
    assert!(
        code == 1 && error.contains("odd.tsv:2: \"unicorn\" is not a known concept"),
        "{error}"
    );
}

#[test]
fn eval_refuses_a_model_of_other_concepts_and_notes_extra_ones() {
    let folder = folder();
    let toy = Builtin::Toy.load();
    save(folder.path(), "toy", &toy, one_bit_each(&toy));
    let (code, error) = failure(folder.path(), &["eval", "toy", "--against", "wordnet-animals"]);
    assert!(
        code == 1 && error.contains("4017 of the concepts in wordnet-animals are not in the model"),
        "{error}"
    );
    std::fs::write(folder.path().join("part.tsv"), "cat\tanimal\ndog\tanimal\n").unwrap();
    let output = binder(folder.path(), &["eval", "toy", "--against", "part.tsv", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["tp"], &report["fp"], &report["pairs"]), (&2.into(), &0.into(), &6.into()));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("12 concepts that part.tsv does not have")
    );
}

#[test]
fn eval_refuses_a_damaged_model() {
    let folder = folder();
    let toy = Builtin::Toy.load();
    save(folder.path(), "toy", &toy, one_bit_each(&toy));
    let mut bytes = std::fs::read(folder.path().join("toy")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(folder.path().join("damaged"), &bytes).unwrap();
    std::fs::write(folder.path().join("cut"), &bytes[..last]).unwrap();
    for (file, says) in [("damaged", "checksum"), ("cut", "cut off"), ("missing", "no such file")] {
        let (code, error) = failure(folder.path(), &["eval", file, "--against", "toy"]);
        assert!(
            code == 1 && error.starts_with(&format!("error: {file}: ")) && error.contains(says),
            "{error}"
        );
    }
}

#[test]
fn names_that_are_one_concept_in_the_truth_count_once() {
    let folder = folder();
    let pets = Hierarchy::from_pairs([("dog", "animal"), ("cat", "animal")]).unwrap();
    save(folder.path(), "pets", &pets, one_bit_each(&pets));
    std::fs::write(folder.path().join("cycle.tsv"), "dog\tanimal\nanimal\tdog\ncat\tdog\n")
        .unwrap();
    let output = binder(
        folder.path(),
        &["eval", "pets", "--against", "cycle.tsv", "--cycles", "merge", "--json"],
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["entities"], &report["pairs"]), (&2.into(), &2.into()));
    let closure = &report["references"]["closure_of_training_pairs"];
    assert_eq!(["tp", "fp", "fn", "tn"].map(|key| closure[key].as_u64().unwrap()), [1, 0, 0, 1]);
}

#[test]
fn results_do_not_depend_on_threads_or_kernels() {
    let folder = folder();
    let animals = Builtin::WordnetAnimals.load();
    let words = (0..animals.len() as u64 * 2)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & i.wrapping_mul(0xbf58_476d_1ce4_e5b9))
        .collect();
    save(folder.path(), "random", &animals, Codes::from_words(128, words).unwrap());
    let judge = |threads: &str, kernels: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_binder"))
            .args([
                "eval",
                "random",
                "--against",
                "wordnet-animals",
                "--json",
                "--threads",
                threads,
            ])
            .env("BINDER_KERNELS", kernels)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        ["tp", "fp", "fn", "tn", "equal_pairs"].map(|key| report[key].as_u64().unwrap())
    };
    let first = judge("1", "scalar");
    for (threads, kernels) in [("2", "avx2"), ("8", "avx512"), ("3", "")] {
        assert_eq!(judge(threads, kernels), first, "{threads} threads, {kernels}");
    }
}

#[test]
fn train_learns_the_toy_and_the_animals() {
    let folder = folder();
    let toy = json(folder.path(), &["train", "toy", "-o", "toy", "--bits", "8", "--json"]);
    assert_eq!((&toy["f1"], &toy["bits"], &toy["entities"]), (&1.0.into(), &8.into(), &15.into()));
    let judged = json(folder.path(), &["eval", "toy", "--against", "toy", "--json"]);
    assert_eq!((&judged["tp"], &judged["fp"], &judged["fn"]), (&33.into(), &0.into(), &0.into()));

    json(folder.path(), &["split", "wordnet-animals", "-o", "s", "--json"]);
    let report = json(
        folder.path(),
        &[
            "train",
            "wordnet-animals",
            "-o",
            "animals",
            "--recipe",
            "published",
            "--on",
            "s/train_0.tsv",
            "--valid",
            "s/valid.tsv",
            "--valid-neg",
            "s/valid_neg.tsv",
            "--epochs",
            "300",
            "--log",
            "log.jsonl",
            "--json",
        ],
    );
    assert!(report["best_epoch"].as_u64() <= report["epochs"].as_u64(), "{report}");
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((log.lines().count(), &last["epoch"]), (300, &300.into()));
    let test = json(
        folder.path(),
        &[
            "eval",
            "animals",
            "--positives",
            "s/test.tsv",
            "--negatives",
            "s/test_neg.tsv",
            "--json",
        ],
    );
    assert!(test["f1"].as_f64().unwrap() > 0.95, "{test}");
}

#[test]
fn training_gives_the_same_bytes_on_any_number_of_threads_and_with_any_kernels() {
    let folder = folder();
    let train = |name: &str, threads: &str, kernels: &str, recipe: &str| {
        let args = [
            "train",
            "wordnet-animals",
            "-o",
            name,
            "--epochs",
            "12",
            "--negatives",
            "7",
            "--bits",
            "100",
            "--seed",
            "5",
        ];
        let status = Command::new(env!("CARGO_BIN_EXE_binder"))
            .args(args)
            .args(["--threads", threads, "--recipe", recipe, "--init", "random"])
            .env("BINDER_KERNELS", kernels)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        std::fs::read(folder.path().join(name)).unwrap()
    };
    for recipe in ["paper", "published", "best"] {
        let first = train("first", "1", "scalar", recipe);
        for (threads, kernels) in [("2", "avx2"), ("8", "avx512"), ("3", "")] {
            assert_eq!(
                train("other", threads, kernels, recipe),
                first,
                "{threads} threads, {kernels}, {recipe}"
            );
        }
    }
}

#[test]
fn the_best_recipe_ends_when_nothing_is_wrong() {
    let folder = folder();
    let report = json(folder.path(), &["train", "wordnet-animals", "-o", "m", "--json"]);
    assert_eq!((&report["f1"], &report["fp"], &report["fn"]), (&1.0.into(), &0.into(), &0.into()));
    assert!(report["epochs"].as_u64().unwrap() < 100, "{report}");
    let output = binder(folder.path(), &["train", "toy", "-o", "m", "--alpha", "50"]);
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("--alpha and --negatives mean nothing")
    );
}

#[test]
fn models_grow_by_one_and_by_many() {
    let folder = folder();
    json(folder.path(), &["encode", "wordnet-animals", "-o", "m", "--json"]);
    let parents = ["--parent", "dog.n.01", "--parent", "wolf.n.01"];
    let report =
        json(folder.path(), &[&["add", "m", "wolfdog"], &parents[..], &["--json"]].concat());
    assert_eq!(
        (&report["entities"], &report["fp"], &report["fn"]),
        (&4018.into(), &0.into(), &0.into())
    );
    std::fs::write(
        folder.path().join("new.tsv"),
        "pup\twolfdog\nwolfcat\twolf.n.01\nwolfcat\tcat.n.01\nkit\tpup\n",
    )
    .unwrap();
    let report = json(folder.path(), &["add", "m", "--pairs", "new.tsv", "-o", "more", "--json"]);
    assert_eq!((&report["added"], &report["fp"], &report["fn"]), (&3.into(), &0.into(), &0.into()));
    let model = Model::open(folder.path().join("more")).unwrap();
    assert_eq!((&*model.notes()["pairs_checked"], &*model.notes()["errors"]), ("16164420", "0"));
    let (code, error) = failure(folder.path(), &["add", "more", "pup", "--parent", "dog.n.01"]);
    assert!(
        code == 1 && error.starts_with("error: pup: there is a concept of that name already"),
        "{error}"
    );
    let (_, error) = failure(folder.path(), &["add", "more", "x", "--parent", "nosuch"]);
    assert!(error.starts_with("error: nosuch: no such concept"), "{error}");
}

#[test]
fn sequential_training_ends_by_itself() {
    let folder = folder();
    let args = [
        "train",
        "toy",
        "-o",
        "toy",
        "--on",
        "closure",
        "--sequential",
        "--init",
        "random",
        "--json",
    ];
    assert!(json(folder.path(), &args)["f1"].as_f64().unwrap() > 0.5);
}

#[test]
fn invalid_settings_are_refused_before_any_work() {
    let folder = folder();
    for (setting, value) in [
        ("--bits", "0"),
        ("--bits", "5000"),
        ("--alpha", "0"),
        ("--rate", "0"),
        ("--rate", "nan"),
        ("--bias", "2"),
        ("--negatives", "0"),
        ("--epochs", "0"),
    ] {
        let (code, error) = failure(folder.path(), &["train", "toy", "-o", "m", setting, value]);
        assert!(code == 2 && error.starts_with(&format!("error: {setting} is ")), "{error}");
    }
    let (_, error) = failure(folder.path(), &["train", "toy", "-o", "m", "--init", "nosuch"]);
    assert_eq!(
        error,
        "error: --init takes ones, zeros, random, inherited or a model file: nosuch: No such file or directory (os error 2)\n"
    );
    let (_, error) = failure(folder.path(), &["train", "toy", "-o", "nosuch/m"]);
    assert_eq!(error, "error: nosuch: no such folder; create it first\n");
    let (_, error) =
        failure(folder.path(), &["train", "toy", "-o", "m", "--valid", "-", "--valid-neg", "-"]);
    assert!(error.contains("both kinds of pairs from standard input"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let output = binder(
        folder.path(),
        &[
            "train", "toy", "-o", "m", "--recipe", "paper", "--bits", "3", "--alpha", "5",
            "--epochs", "1",
        ],
    );
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(
        notes.contains("alpha (5) is not above beta (10)") && notes.contains("at least 4"),
        "{notes}"
    );
}

#[test]
fn completions_and_manual_pages_are_written() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = binder(folder.path(), &["completions", shell]);
        assert!(
            script.status.success() && String::from_utf8(script.stdout).unwrap().contains("split"),
            "{shell}"
        );
    }
    assert!(binder(folder.path(), &["man", "pages"]).status.success());
    let page = std::fs::read_to_string(folder.path().join("pages/binder-eval.1")).unwrap();
    assert!(page.contains("against") && folder.path().join("pages/binder.1").exists());
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_binder"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_graph_is_not_taken_for_a_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.dot"), "digraph { dog -> animal; cat -> animal }")
        .unwrap();
    let output = binder(folder.path(), &["info", "g.dot", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"entities\":3"));
}
