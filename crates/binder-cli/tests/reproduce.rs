//! `binder reproduce`: the real binary on tiny data in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn reproduce(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binder"));
    command.arg("reproduce").args(args).args(["-o", "out"]).current_dir(folder).output().unwrap()
}

/// The one object on standard output.
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = reproduce(folder, &[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn failure(folder: &Path, args: &[&str]) -> String {
    let output = reproduce(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join("out").join(file)).unwrap()
}

/// The lines of a table of runs without their last column, the seconds.
fn runs(folder: &Path, file: &str) -> Vec<String> {
    let lines = read(folder, file);
    lines.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
}

const TOY: [&str; 4] = ["representation", "--sets", "toy", "--quick"];

#[test]
fn a_second_call_runs_only_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let first = json(folder.path(), &TOY);
    assert_eq!(
        first["runs"].as_array().unwrap().len(),
        2 * first["cells"].as_array().unwrap().len()
    );
    let (table, markdown) =
        (read(folder.path(), "representation.csv"), read(folder.path(), "representation.md"));
    assert!(markdown.contains("binder reproduce representation --sets toy --quick"), "{markdown}");
    assert!(
        markdown.contains("A quick run") && markdown.contains("BINDER, published | – |"),
        "{markdown}"
    );
    assert!(read(folder.path(), "representation.svg").starts_with("<svg"));

    let second = json(folder.path(), &TOY);
    assert_eq!((&first["runs"], &first["cells"]), (&second["runs"], &second["cells"]));
    assert_eq!(read(folder.path(), "representation.csv"), table, "nothing was run again");
    assert_eq!(read(folder.path(), "representation.md"), markdown);

    // The process died in the middle of the last line.
    let before = runs(folder.path(), "representation.csv");
    fs::write(folder.path().join("out/representation.csv"), &table[..table.len() - 20]).unwrap();
    let third = json(folder.path(), &TOY);
    assert_eq!(first["cells"], third["cells"]);
    assert_eq!(
        runs(folder.path(), "representation.csv"),
        before,
        "the same run gives the same result"
    );
    // … or before the header was whole.
    fs::write(folder.path().join("out/representation.csv"), &table[..10]).unwrap();
    assert_eq!(first["cells"], json(folder.path(), &TOY)["cells"]);
}

#[test]
fn other_settings_and_other_data_are_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    json(folder.path(), &[&TOY[..], &["--recipe", "published", "--seeds", "1"]].concat());
    assert_eq!(runs(folder.path(), "representation.csv").len(), 2);
    json(folder.path(), &[&TOY[..3], &["--recipe", "published", "--seeds", "1"]].concat());
    assert_eq!(runs(folder.path(), "representation.csv").len(), 3, "all epochs instead of a few");
    assert!(!read(folder.path(), "representation.md").contains("A quick run"));
    fs::create_dir_all(folder.path().join("data/toy")).unwrap();
    fs::write(folder.path().join("data/toy/direct.tsv"), "cat\tanimal\ndog\tanimal\n").unwrap();
    json(
        folder.path(),
        &[&TOY[..], &["--recipe", "published", "--seeds", "1", "--data", "data"]].concat(),
    );
    assert_eq!(runs(folder.path(), "representation.csv").len(), 4);
}

#[test]
fn a_table_that_binder_did_not_write_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let table = folder.path().join("out/representation.csv");
    for foreign in ["name,age\nAda,36\n", "my notes", "\u{1}\n"] {
        fs::write(&table, foreign).unwrap();
        let error = failure(folder.path(), &TOY);
        assert!(
            error.contains("representation.csv:1: not the header")
                && error.contains("rename or remove"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&table).unwrap(), foreign);
    }
    fs::write(&table, [0xff, 0xfe, b'\n']).unwrap();
    assert!(failure(folder.path(), &TOY).contains("representation.csv:1: not text"));
    fs::remove_file(&table).unwrap();
    json(folder.path(), &TOY);
    let broken = fs::read_to_string(&table).unwrap().replacen(",2,", ",two,", 1);
    fs::write(&table, broken).unwrap();
    let error = failure(folder.path(), &TOY);
    assert!(
        error.contains("representation.csv:") && error.contains("not a finished run"),
        "{error}"
    );
    fs::write(folder.path().join("out/edges.csv"), "mine\n").unwrap();
    assert!(
        failure(folder.path(), &["edges", "--sets", "toy"]).contains("edges.csv:1: not the header")
    );
}

#[test]
fn a_page_or_drawing_that_binder_did_not_write_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let args = ["edges", "--sets", "toy"];
    for (name, foreign, what) in [
        ("edges.md", "my notes\n", "not a page"),
        ("edges.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n", "not a drawing"),
    ] {
        let file = folder.path().join("out").join(name);
        fs::write(&file, foreign).unwrap();
        let error = failure(folder.path(), &args);
        assert!(
            error.contains(&format!("{name}:1: {what}")) && error.contains("another folder"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), foreign);
        assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 1);
        fs::remove_file(&file).unwrap();
    }
    assert_eq!(json(folder.path(), &args)["rows"], json(folder.path(), &args)["rows"]);
}

#[test]
fn missing_sets_are_skipped_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduce(folder.path(), &["edges"]);
    let (text, notes) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(
        text.contains("| Animals | 4,017 | 4,051 | 25,744 | 29,795 | 13.6 | 86.4 | same |"),
        "{text}"
    );
    assert!(text.contains("| WordNet Nouns | 82,114 | 84,363 | 576,764 | 661,127 |"), "{text}");
    assert!(notes.contains("medical: skipped, it is not built in"), "{notes}");
    fs::create_dir(folder.path().join("nowhere")).unwrap();
    let error =
        failure(folder.path(), &["representation", "--sets", "medical,music", "--data", "nowhere"]);
    assert!(error.contains("medical: skipped, nowhere has no medical/direct.tsv"), "{error}");
    assert!(error.contains("no data set is left"), "{error}");
}

#[test]
fn a_folder_of_data_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = failure(folder.path(), &["edges", "--sets", "toy", "--data", "gone"]);
    assert!(error.contains("gone: no such folder of data sets"), "{error}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_report_of_runs_that_are_not_there_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for experiment in ["representation", "convergence", "frontier", "case-study"] {
        let error = failure(folder.path(), &[experiment, "--sets", "toy", "--finished"]);
        assert!(error.contains("are not finished; run them first"), "{error}");
        assert!(!folder.path().join("out").exists(), "{experiment}");
    }
}

#[test]
fn scores_of_fewer_runs_than_wanted_say_how_many() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["representation", "--sets", "toy", "--quick", "--recipe", "published"];
    json(folder.path(), &args);
    assert!(!read(folder.path(), "representation.md").contains(" (1)"));
    let ledger = read(folder.path(), "representation.csv");
    let first_run: Vec<_> = ledger.lines().take(2).collect();
    fs::write(folder.path().join("out/representation.csv"), first_run.join("\n") + "\n").unwrap();
    json(folder.path(), &[&args[..], &["--finished"]].concat());
    let page = read(folder.path(), "representation.md");
    let ours = page.lines().find(|line| line.contains("ours, `published`")).unwrap();
    assert!(ours.ends_with("** (1) |"), "{ours}");
    assert!(page.contains("Where fewer runs of a recipe are finished, their number"), "{page}");
}

/// A data set of the paper, with other pairs.
fn medical(folder: &Path) {
    fs::create_dir_all(folder.join("data/medical")).unwrap();
    let pairs = fs::read_to_string(folder.join("toy.tsv")).unwrap();
    fs::write(folder.join("data/medical/direct.tsv"), pairs).unwrap();
}

#[test]
fn scores_on_drawn_splits_are_not_compared_with_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let toy = ["export", "toy", "--format", "edges", "-o", "toy.tsv"];
    Command::new(env!("CARGO_BIN_EXE_binder")).args(toy).current_dir(here).output().unwrap();
    medical(here);
    let args = ["--sets", "medical", "--data", "data", "--quick", "--recipe", "published"];
    let scores = json(here, &[&["link-prediction"], &args[..]].concat());
    assert!(scores["cells"].as_array().unwrap().iter().all(|cell| cell["reached"].is_null()
        && cell["drawn_splits"] == true
        && cell["published"].is_array()));
    let page = read(here, "link-prediction.md");
    let drawn = "Binder drew the splits of Medical itself: they are not those of the published";
    assert_eq!(page.matches(drawn).count(), 4, "once for each table: {page}");
    assert!(!page.contains("** ✓") && !page.contains("** ✗"), "{page}");
    assert!(!page.contains("means are below the published"), "{page}");
    json(here, &[&["similarity", "--seeds", "1"], &args[..]].concat());
    assert!(read(here, "similarity.md").contains(drawn));
    json(here, &[&["representation"], &args[..]].concat());
    let page = read(here, "representation.md");
    assert!(!page.contains(drawn) && (page.contains("** ✓") || page.contains("** ✗")), "{page}");
}

#[test]
fn what_a_quick_run_leaves_out_is_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduce(folder.path(), &["edges", "--quick"]);
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("wordnet-nouns: left out of a quick run"), "{notes}");
    let page = read(folder.path(), "edges.md");
    assert!(page.contains("**A quick run: without WordNet Nouns.**"), "{page}");
    json(folder.path(), &["edges", "--quick", "--sets", "toy"]);
    assert!(!read(folder.path(), "edges.md").contains("A quick run"));
}

#[test]
fn lines_about_runs_say_what_is_changed_of_the_recipe() {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduce(
        folder.path(),
        &["ablation", "--sets", "toy", "--quick", "--recipe", "published", "--seeds", "1"],
    );
    let lines = String::from_utf8(output.stderr).unwrap();
    assert!(lines.contains("toy representation published beta=0, seed 1: F1"), "{lines}");
    assert!(lines.contains("toy representation published, seed 1: F1"), "{lines}");
}

#[test]
fn splits_are_read_if_they_exist_and_drawn_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["link-prediction", "--sets", "toy", "--quick", "--recipe", "published"];
    let drawn = json(folder.path(), &args);
    assert_eq!(drawn["references"][0]["closure_of_training_pairs"], 100.0);
    assert_eq!(drawn["cells"].as_array().unwrap().len(), 4, "0, 10, 25 and 50 %");
    assert!(
        read(folder.path(), "link-prediction.md")
            .contains("closure of the training pairs, no codes | 100.00 |")
    );
    // The same data as files: nothing is run again.
    let data = folder.path().join("data/toy");
    fs::create_dir_all(&data).unwrap();
    let split = ["split", "toy", "-o", "data/toy/splits"];
    Command::new(env!("CARGO_BIN_EXE_binder"))
        .args(split)
        .current_dir(folder.path())
        .output()
        .unwrap();
    fs::copy(data.join("splits/train_0.tsv"), data.join("direct.tsv")).unwrap();
    let read_again = json(folder.path(), &[&args[..], &["--data", "data"]].concat());
    assert_eq!(drawn["references"], read_again["references"]);
    fs::remove_file(data.join("splits/valid.tsv")).unwrap();
    let error = failure(folder.path(), &[&args[..], &["--data", "data"]].concat());
    assert!(error.contains("has no valid.tsv or valid.tsv.gz"), "{error}");
}

#[test]
fn other_methods_stand_beside_the_published_rows() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["link-prediction", "--sets", "toy", "--quick", "--recipe", "best"];
    let methods = [&args[..], &["--methods", "oe,poincare"]].concat();
    let first = json(folder.path(), &methods);
    let runs = first["methods"].as_array().unwrap();
    assert_eq!(runs.len(), 2 * 4 * 2, "two methods, four shares, two seeds");
    assert!(runs.iter().all(|run| run["f1"].is_f64() && run["numbers"].as_u64() >= Some(64)));
    let table = read(folder.path(), "link-prediction-methods.csv");
    let trials: Vec<_> = table.lines().filter(|line| line.contains(",,,")).collect();
    assert_eq!(trials.len(), 2 * 4, "four trials each, which see no test pair: {table}");
    assert!(trials.iter().all(|line| line.contains(",tc-0,")), "{table}");
    let markdown = read(folder.path(), "link-prediction.md");
    assert!(markdown.contains("| OE, our run |") && markdown.contains("| Poincaré, our run |"));
    assert!(markdown.contains("What the methods cost"), "{markdown}");
    assert_eq!(first["methods"], json(folder.path(), &methods)["methods"]);
    assert_eq!(read(folder.path(), "link-prediction-methods.csv"), table, "nothing ran again");
    let visits = ["--visits", "140"];
    let short = json(folder.path(), &[&methods[..], &visits].concat());
    let settings = short["methods"][0]["parameters"].as_str().unwrap();
    assert!(settings.contains("epochs=10 "), "140 visits of 14 pairs: {settings}");
    let markdown = read(folder.path(), "link-prediction.md");
    assert!(markdown.contains("a run sees 140 pairs with 128 negatives each"), "{markdown}");
    let refused = reproduce(folder.path(), &[&args[..], &visits].concat());
    assert_eq!(refused.status.code(), Some(2), "visits without methods");
    let refused = reproduce(folder.path(), &["edges", "--sets", "toy", "--methods", "oe"]);
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{error}");
    assert!(error.contains("--methods means nothing to edges"), "{error}");
}

#[test]
fn a_quick_sweep_of_negatives_has_the_values_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let quick = json(folder.path(), &["robustness", "--sets", "toy", "--quick"]);
    for negatives in [64, 128, 256, 512] {
        let named = format!(" negatives={negatives} ");
        let has = |run: &&Value| run["parameters"].as_str().unwrap().contains(&named);
        assert!(quick["runs"].as_array().unwrap().iter().any(|run| has(&run)), "{negatives}");
    }
}

#[test]
fn curves_are_kept_beside_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["convergence", "--sets", "toy", "--quick", "--recipe", "published"];
    let first = json(folder.path(), &args);
    let curve = read(folder.path(), "convergence-toy-tc-0-published-1.csv");
    assert_eq!(curve.lines().count(), 2 + 100);
    assert_eq!(json(folder.path(), &args)["runs"], first["runs"]);
    fs::remove_file(folder.path().join("out/convergence-toy-tc-0-published-1.csv")).unwrap();
    json(folder.path(), &args);
    assert_eq!(read(folder.path(), "convergence-toy-tc-0-published-1.csv"), curve);
    assert!(read(folder.path(), "convergence-published-toy.svg").contains("<polyline"));
}

#[test]
fn the_toy_is_learnt_without_a_mistake_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    json(folder.path(), &["case-study", "--quick", "--recipe", "published"]);
    let markdown = read(folder.path(), "case-study.md");
    assert!(
        markdown.contains("F1 100.00 %") && markdown.contains("├─ city") && markdown.contains('●'),
        "{markdown}"
    );
    assert!(read(folder.path(), "case-study.svg").matches("<circle").count() >= 15 * 8);
}

#[test]
fn the_other_experiments_write_their_tables() {
    let folder = tempfile::tempdir().unwrap();
    let space = json(folder.path(), &["space"]);
    let rows = space["rows"].as_array().unwrap();
    let codes = rows
        .iter()
        .find(|row| row["method"] == "**ours, codes**" && row["dimensions"] == 128)
        .unwrap();
    assert_eq!(codes["bytes"], 82_114 * 16);
    let ablation = json(folder.path(), &["ablation", "--sets", "toy", "--quick"]);
    assert_eq!(ablation["cells"].as_array().unwrap().len(), 2 * 4);
    let robustness =
        json(folder.path(), &["robustness", "--sets", "toy", "--quick", "--seeds", "1"]);
    assert_eq!(robustness["cells"].as_array().unwrap().len(), 6 * 4);
    assert!(read(folder.path(), "robustness-toy.svg").contains("n⁻"));
}
