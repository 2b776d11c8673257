//! Tries settings of a method and prints a ledger: one line of CSV per run.
//!
//! ```sh
//! cargo run --release -p binder-codes-baselines --example tries -- \
//!     DATA medical,music 0 oe 0..3 rate=0.01,0.05 start=0.01,1
//! ```
//!
//! DATA is a folder with `medical/direct.tsv`, `medical/splits/train_0.tsv` and so on. The third
//! argument is the percentage of indirect pairs trained on, or `rep` for representation: the whole
//! closure, judged on all pairs. Every combination of the settings is run with every seed. Scores
//! are those of the validation pairs, which is what settings may be chosen by; with `test` as the
//! last argument the test pairs are judged too.
#![allow(clippy::print_stdout, reason = "a ledger for standard output")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use binder::graph::Graph;
use binder::read::{ReadOptions, known_pairs};
use binder::train::scoring_negatives;
use binder::{Choice, Hierarchy, Id};
use binder_baselines::{
    BaselineParams, Method, Training, ValidBaselineParams, Validation, evaluate,
};

type Pairs = Vec<(Id, Id)>;
type AnyResult<T> = Result<T, Box<dyn Error>>;

/// A data set and what to train on.
struct Task {
    set: String,
    percent: String,
    hierarchy: Hierarchy,
    pairs: Graph,
    valid: (Pairs, Pairs),
    test: Option<(Pairs, Pairs)>,
}

fn main() -> AnyResult<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let test = args.pop_if(|last| last == "test").is_some();
    let [folder, sets, percent, method, seeds, grid @ ..] = &args[..] else {
        return Err("DATA SETS PERCENT|rep METHOD SEEDS [NAME=VALUE,…]… [test]".into());
    };
    let method = Method::by_name(method)?;
    let (first, end) = seeds.split_once("..").unwrap_or(("0", seeds));
    println!(
        "set,percent,method,settings,seed,epochs,best_epoch,valid_f1,test_f1,seconds,seconds_per_epoch"
    );
    for set in sets.split(',') {
        let task = Task::read(&PathBuf::from(folder), set, percent)?;
        for settings in combinations(grid) {
            for seed in first.parse()?..end.parse::<u64>()? {
                let mut params = BaselineParams::of(method).with(|params| params.seed = seed);
                for (name, value) in &settings {
                    params.set(name, value)?;
                }
                let shown: Vec<_> = settings.iter().map(|(n, v)| format!("{n}={v}")).collect();
                println!(
                    "{set},{percent},{method},{},{seed},{}",
                    shown.join(" "),
                    task.run(&params.check()?, test)?
                );
            }
        }
    }
    Ok(())
}

/// Every combination of the values that are listed for each setting.
fn combinations(grid: &[String]) -> Vec<Vec<(String, String)>> {
    grid.iter().fold(vec![Vec::new()], |before, setting| {
        let (name, values) = setting.split_once('=').unwrap_or((setting, ""));
        let extended = before.iter().flat_map(|settings| {
            values.split(',').map(move |value| {
                let mut settings = settings.clone();
                settings.push((name.to_owned(), value.to_owned()));
                settings
            })
        });
        extended.collect()
    })
}

impl Task {
    fn read(folder: &Path, set: &str, percent: &str) -> AnyResult<Self> {
        let find = |name: &str| {
            let plain = folder.join(set).join(format!("{name}.tsv"));
            if plain.exists() { plain } else { plain.with_extension("tsv.gz") }
        };
        let hierarchy = Hierarchy::read(find("direct"))?;
        let read = |name: &str| {
            known_pairs(find(&format!("splits/{name}")), &ReadOptions::default(), &hierarchy, &())
        };
        let (pairs, valid, test);
        if percent == "rep" {
            pairs = Graph::new(hierarchy.len(), hierarchy.closure().pairs());
            valid = (pairs.iter().collect(), scoring_negatives(&pairs, 0));
            test = None;
        } else {
            pairs = Graph::new(hierarchy.len(), read(&format!("train_{percent}"))?);
            valid = (read("valid")?, read("valid_neg")?);
            test = Some((read("test")?, read("test_neg")?));
        }
        let (set, percent) = (set.to_owned(), percent.to_owned());
        Ok(Self { set, percent, hierarchy, pairs, valid, test })
    }

    /// Trains, and gives the rest of the line.
    fn run(&self, params: &ValidBaselineParams, test: bool) -> AnyResult<String> {
        let validation = Validation { positives: &self.valid.0, negatives: &self.valid.1 };
        let mut training = Training::new(&self.pairs, &self.pairs, params, validation)?;
        let (started, mut epochs) = (Instant::now(), 0.0);
        while !training.is_over() {
            epochs += training.step(&())?.time.as_secs_f64();
        }
        let seconds = started.elapsed().as_secs_f64();
        let model = training.model(&self.hierarchy, &self.percent, &self.set);
        let scores = model.scores();
        let judged = match &self.test {
            Some((positives, negatives)) if test => {
                let at = model.threshold().at;
                evaluate::measures(&*scores, at, positives, negatives).confusion.f1()
            }
            None => evaluate::all_pairs(&*scores, 0.0, &self.hierarchy, &())?.measures.best_f1,
            Some(_) => f64::NAN,
        };
        let done = training.epoch();
        Ok(format!(
            "{done},{},{:.4},{judged:.4},{seconds:.1},{:.4}",
            training.best_epoch(),
            model.threshold().confusion.f1(),
            epochs / f64::from(done),
        ))
    }
}
