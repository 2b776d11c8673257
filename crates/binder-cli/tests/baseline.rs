//! `binder baseline`, and `binder eval` of its models.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn binder(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binder"));
    command.args(args).current_dir(folder);
    command
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = binder(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"", "{args:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn failure(folder: &Path, args: &[&str]) -> String {
    let output = binder(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Options of a run of a moment.
const QUICK: [&str; 6] = ["--dim", "8", "--epochs", "4", "--negatives", "8"];

fn quick<'a>(args: &[&'a str]) -> Vec<&'a str> {
    args.iter().copied().chain(QUICK).collect()
}

#[test]
fn a_baseline_is_trained_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let train = ["baseline", "toy", "--method", "oe", "-o", "m", "--on", "closure", "--json"];
    let report = json(folder.path(), &quick(&train));
    assert_eq!((report["entities"].as_u64(), report["numbers"].as_u64()), (Some(15), Some(8)));
    assert_eq!(report["epochs"], 4);
    let judged = json(folder.path(), &["eval", "m", "--against", "toy", "--json"]);
    let counts = ["tp", "fp", "fn", "tn"].map(|key| judged[key].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 15 * 14);
    for key in ["f1", "precision", "recall", "best_f1", "auc", "average_precision", "mrr"] {
        let share = judged[key].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share), "{key}: {share}");
    }
    let text = binder(folder.path(), &["eval", "m", "--against", "toy"]);
    assert!(String::from_utf8(text.stdout).unwrap().contains("Hits@10"));
    assert!(judged.get("mistakes").is_none());
    let all = ["eval", "m", "--against", "toy", "--mistakes", "1000"];
    let wrong = json(folder.path(), &[&all[..], &["--json"]].concat());
    let wrong = wrong["mistakes"].as_array().unwrap();
    let missed = wrong.iter().filter(|pair| pair["truly"] == true).count() as u64;
    assert_eq!((missed, wrong.len() as u64 - missed), (counts[2], counts[1]));
    let text = String::from_utf8(binder(folder.path(), &all).stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("the vectors say")).count(), wrong.len());
}

#[test]
fn listed_pairs_are_validated_on_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let split = binder(path, &["split", "wordnet-animals", "-o", "split"]);
    assert!(split.status.success());
    let train = [
        "baseline",
        "wordnet-animals",
        "--method",
        "poe",
        "-o",
        "m",
        "--on",
        "split/train_0.tsv",
        "--valid",
        "split/valid.tsv",
        "--valid-neg",
        "split/valid_neg.tsv",
        "--log",
        "log",
    ];
    assert!(binder(path, &quick(&train)).status.success());
    assert_eq!(fs::read_to_string(path.join("log")).unwrap().lines().count(), 4);
    let listed = ["--positives", "split/test.tsv", "--negatives", "split/test_neg.tsv"];
    let judged = json(path, &[&["eval", "m", "--json"], &listed[..]].concat());
    assert_eq!(judged["method"], "poe");
    assert!(judged["f1"].as_f64().unwrap() > 0.1);
    let judged = json(path, &[&["eval", "m", "--mistakes", "2", "--json"], &listed[..]].concat());
    assert_eq!(judged["mistakes"].as_array().unwrap().len(), 2);
    assert!(judged["mistakes"][0]["child"].is_string());
}

/// The same file on every processor: the plain version is the meaning.
#[test]
fn models_do_not_depend_on_the_instruction_set() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["sim", "bilinear", "complex", "oe", "poe", "lorentzian", "hec", "gumbel-box"]
        .into_iter()
        .chain(["t-box", "poincare"])
    {
        let of = |kernels: &str| {
            let args = ["baseline", "toy", "--method", method, "-o", kernels, "--dim", "21"];
            let args = [&args[..], &["--epochs", "3", "--negatives", "8"]].concat();
            let mut run = command(folder.path(), &args);
            assert!(run.env("BINDER_KERNELS", kernels).status().unwrap().success());
            fs::read(folder.path().join(kernels)).unwrap()
        };
        let scalar = of("scalar");
        assert_eq!(scalar, of("avx2"), "{method}");
        assert_eq!(scalar, of("avx512"), "{method}");
    }
}

#[test]
fn files_and_settings_that_do_not_fit_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(binder(path, &["encode", "toy", "-o", "codes"]).status.success());
    let train = ["baseline", "toy", "--method", "hec", "-o", "m"];
    assert!(binder(path, &quick(&train)).status.success());
    let message = failure(path, &["query", "m", "hypernyms", "dog"]);
    assert!(message.contains("not a Binder model: it is a baseline"), "{message}");
    let wrong_use = |option: &[&str]| {
        let baseline = ["baseline", "toy", "--method", "oe", "-o", "x"];
        let wrong = binder(path, &[&baseline[..], option].concat());
        assert_eq!(wrong.status.code(), Some(2));
        String::from_utf8(wrong.stderr).unwrap()
    };
    let message = wrong_use(&["--epsilon", "0.1"]);
    assert!(message.contains("--epsilon means nothing to oe"), "{message}");
    let message = wrong_use(&["--dim", "0"]);
    assert!(message.contains("--dim is 0; choose from 1"), "{message}");
    let message = failure(path, &["baseline", "codes", "--method", "oe", "-o", "x"]);
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn codes_are_ranked_too() {
    let folder = tempfile::tempdir().unwrap();
    assert!(binder(folder.path(), &["encode", "toy", "-o", "m"]).status.success());
    let judged = json(folder.path(), &["eval", "m", "--against", "toy", "--ranking", "--json"]);
    assert_eq!(judged["ranking"]["mrr"].as_f64(), Some(1.0));
    let plain = json(folder.path(), &["eval", "m", "--against", "toy", "--json"]);
    assert!(plain.get("ranking").is_none());
}

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let at = |epochs: &'static str, output: &'static str| {
        let args = ["baseline", "toy", "--method", "hec", "--dim", "8", "--negatives", "8"];
        [&args[..], &["--patience", "0", "--epochs", epochs, "-o", output]].concat()
    };
    assert!(binder(folder.path(), &at("6", "whole")).status.success());
    let kept = ["--checkpoint", "c", "--log", "log"];
    assert!(binder(folder.path(), &[&at("3", "half")[..], &kept].concat()).status.success());
    let again = [&at("6", "resumed")[..], &kept, &["--resume"]].concat();
    let output = binder(folder.path(), &again);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && notes.contains("resuming after epoch 3"), "{notes}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("resumed"), read("whole"));
    assert_eq!(String::from_utf8(read("log")).unwrap().lines().count(), 6);
    let other = [&at("6", "x")[..], &kept, &["--resume", "--seed", "1"]].concat();
    assert!(failure(folder.path(), &other).contains("seed: 0 then, 1 now"));
    let without = [&at("6", "x")[..], &kept].concat();
    assert!(failure(folder.path(), &without).contains("continue from it with --resume"));
    let train = ["train", "toy", "-o", "x", "--checkpoint", "c", "--resume"];
    assert!(failure(folder.path(), &train).contains("checkpoint of a baseline"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_a_run_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["baseline", "toy", "--method", "oe", "--dim", "8", "--patience", "0", "-o", "m"];
    let endless = [&args[..], &["--epochs", "4000000", "--checkpoint", "c"]].concat();
    let mut child =
        command(folder.path(), &endless).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let started = std::time::Instant::now();
    while !folder.path().join("c").exists() {
        assert!(started.elapsed().as_secs() < 60, "nothing happens");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut notes = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut notes).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{notes}");
    assert!(notes.contains("resume with") && notes.contains("--resume"), "{notes}");
}
