//! Runs that are killed, interrupted and resumed, with the real binary in a temporary folder.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use binder::Checkpoint;
use serde_json::Value;

/// A run that takes a second or two.
const TRAIN: [&str; 14] = [
    "train",
    "wordnet-animals",
    "--recipe",
    "published",
    "--negatives",
    "16",
    "--epochs",
    "200",
    "--patience",
    "90",
    "--score",
    "training",
    "--seed",
    "3",
];

/// A run that continues until it is stopped.
const ENDLESS: [&str; 9] =
    ["train", "toy", "--recipe", "published", "--epochs", "4000000000", "--keep", "last", "--json"];

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binder"));
    command.args(args).current_dir(folder);
    command
}

fn train(folder: &Path, first: &[&str], more: &[&str]) -> Output {
    command(folder, first).args(more).output().unwrap()
}

fn start(folder: &Path, first: &[&str], more: &[&str]) -> Child {
    command(folder, first).args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The epoch of a checkpoint; 0 if there is none yet.
fn epoch(path: &Path) -> u32 {
    if path.exists() { Checkpoint::open(path).unwrap().epoch() } else { 0 }
}

/// Waits until a condition holds, or the process has ended.
fn wait_until(child: &mut Child, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() && child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing happens");
        thread::sleep(Duration::from_micros(500));
    }
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// The lines of a log without the times, which vary.
fn epochs(log: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(log).unwrap();
    let mut lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("seconds")));
    lines
}

/// Seeded numbers below a bound (Knuth's MMIX generator).
fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_never_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let undisturbed =
        train(folder.path(), &TRAIN, &["-o", "whole", "--log", "whole.jsonl", "--threads", "1"]);
    assert!(undisturbed.status.success(), "{}", text(&undisturbed.stderr));

    let (mut seed, mut kills) = (11, 0);
    loop {
        let threads = ["1", "1", "2"][kills % 3];
        let more = [
            "-o",
            "parts",
            "--log",
            "parts.jsonl",
            "--checkpoint",
            "c",
            "--checkpoint-every",
            "2",
            "--resume",
        ];
        let mut child =
            start(folder.path(), &TRAIN, &[&more[..], &["--threads", threads]].concat());
        // Wait until some time after the last checkpoint. The kill then comes at a random point:
        // within an epoch, or while saving.
        let least = epoch(&path("c")) + u32::try_from(random(&mut seed, 40)).unwrap();
        wait_until(&mut child, || epoch(&path("c")) >= least);
        thread::sleep(Duration::from_micros(random(&mut seed, 20_000)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.signal() != Some(9) {
            assert!(output.status.success(), "{}", text(&output.stderr));
            break;
        }
        kills += 1;
    }
    assert!(kills >= 4, "killed only {kills} times");
    assert!(
        fs::read(path("parts")).unwrap() == fs::read(path("whole")).unwrap(),
        "the models differ"
    );
    assert_eq!(epochs(&path("parts.jsonl")), epochs(&path("whole.jsonl")));
}

#[test]
fn an_interrupted_run_saves_and_prints_how_to_resume() {
    for name in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log file");
        let mut child = start(folder.path(), &ENDLESS, &["-o", "m", "--log", "log file"]);
        // The log is written in blocks. The first one appears after some training.
        wait_until(&mut child, || fs::metadata(&log).is_ok_and(|log| log.len() > 0));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let says = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{says}");
        let saved = epoch(&folder.path().join("m.checkpoint"));
        assert!(
            says.contains(&format!(
                "stopped after epoch {saved} of 4000000000 and saved; resume with"
            )),
            "{says}"
        );
        assert!(
            says.ends_with(" -o m --log 'log file' --checkpoint m.checkpoint --resume\n"),
            "{says}"
        );
        assert_eq!(epochs(&log).len() as u64, u64::from(saved));
        assert!(!folder.path().join("m").exists());

        let command = says.lines().last().unwrap().replace("4000000000", &(saved + 5).to_string());
        let output =
            Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["epochs"], saved + 5, "{}", text(&output.stderr));
        assert_eq!(epochs(&log).len() as u64, u64::from(saved + 5));
        assert!(
            text(&output.stderr).contains(&format!("m.checkpoint: resuming after epoch {saved}"))
        );
    }
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // One epoch of this run takes far longer than the test.
    let args = [
        "train",
        "wordnet-nouns",
        "-o",
        "m",
        "--recipe",
        "published",
        "--negatives",
        "1000000",
        "--log",
        "log",
    ];
    let mut child = start(folder.path(), &args, &[]);
    // The log is created after signals are caught.
    wait_until(&mut child, || folder.path().join("log").exists());
    signal(&child, "-INT");
    thread::sleep(Duration::from_millis(50));
    assert!(child.try_wait().unwrap().is_none(), "the first one only asks");
    signal(&child, "-INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(!folder.path().join("m.checkpoint").exists());
}

#[test]
fn an_interrupted_run_uses_the_checkpoint_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["-o", "m", "--checkpoint", "c", "--checkpoint-every", "1", "--resume"];
    let mut child = start(folder.path(), &ENDLESS, &more);
    wait_until(&mut child, || epoch(&folder.path().join("c")) > 0);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let says = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{says}");
    assert!(says.contains("c: does not exist yet; starting from the beginning"), "{says}");
    assert!(says.ends_with("--checkpoint c --checkpoint-every 1 --resume\n"), "{says}");
    assert!(!folder.path().join("m.checkpoint").exists());
}

#[test]
fn a_finished_run_can_be_extended() {
    let folder = tempfile::tempdir().unwrap();
    let toy = |more: &[&str]| {
        let output =
            train(folder.path(), &["train", "toy", "--patience", "0", "--recipe", "paper"], more);
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    toy(&["-o", "whole", "--epochs", "50"]);
    toy(&["-o", "m", "--epochs", "20", "--checkpoint", "c"]);
    assert_eq!(epoch(&folder.path().join("c")), 20);
    toy(&["-o", "m", "--epochs", "50", "--checkpoint", "c", "--resume"]);
    let model = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(model("m") == model("whole"));
    fs::remove_file(folder.path().join("m")).unwrap();
    toy(&["-o", "m", "--epochs", "50", "--checkpoint", "c", "--resume"]);
    assert!(
        model("m") == model("whole"),
        "nothing was left to train, but the model is there again"
    );
}

#[test]
fn what_cannot_be_resumed_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let toy =
        ["train", "toy", "-o", "m", "--recipe", "published", "--epochs", "20", "--checkpoint", "c"];
    let refused = |more: &[&str]| {
        let output = train(folder.path(), &toy, more);
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{more:?}");
        text(&output.stderr)
    };
    assert!(train(folder.path(), &toy, &[]).status.success());
    let error = refused(&[]);
    assert_eq!(
        error,
        "error: c: exists already; continue from it with --resume, or remove it to start again\n"
    );
    let error = refused(&["--resume", "--seed", "4", "--on", "closure"]);
    for part in [
        "error: c: the checkpoint belongs to another run",
        "alpha: 25000 then, 25 now",
        "seed: 0 then, 4 now",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert!(refused(&["--resume", "--score", "training"]).contains("validation: all pairs"));

    let good = fs::read(folder.path().join("c")).unwrap();
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let model = fs::read(folder.path().join("m")).unwrap();
    for (bytes, says) in [
        (&damaged[..], "error: c: the checksum does not match"),
        (&good[..good.len() - 1], "error: c: the file is not as long"),
        (
            &model[..],
            "error: c: a safetensors file, but not a Binder checkpoint: it is a model; give",
        ),
        (&b"dog animal\ncat animal\n"[..], "error: c: not a safetensors file"),
        (&b""[..], "error: c: the file is not as long"),
    ] {
        fs::write(folder.path().join("c"), bytes).unwrap();
        let error = refused(&["--resume"]);
        assert!(error.starts_with(says), "{error}");
        assert_eq!(
            fs::read(folder.path().join("c")).unwrap(),
            bytes,
            "a file that is not ours stays"
        );
    }
}

#[test]
fn wrong_use_is_reported_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for (code, more) in [
        (2, &["--resume"][..]),
        (2, &["--checkpoint-every", "5m"]),
        (2, &["--checkpoint", "c", "--checkpoint-every", "5 years"]),
        (2, &["--checkpoint", "c", "--sequential"]),
        (2, &["--score", "training", "--no-valid"]),
        (2, &["--score", "training", "--valid", "v", "--valid-neg", "n"]),
        (1, &["--checkpoint", "m"]),
        (1, &["--checkpoint", "nosuch/c"]),
    ] {
        let output =
            train(folder.path(), &["train", "toy", "-o", "m", "--recipe", "published"], more);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", text(&output.stderr));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
