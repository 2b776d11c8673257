//! The experiments of the BINDER paper, run again, with the published numbers beside ours.
//!
//! A [`Request`] says which [`Experiment`] to run, on which [data sets](SETS), with which
//! [recipes](RECIPES) of the learner and with how many seeds. [`run`] does the work. It writes
//! three kinds of files into one folder: `EXPERIMENT.md` with the tables, `EXPERIMENT.csv` with the
//! raw results, and drawings as SVG.
//!
//! Training takes hours on the large sets, so every run is recorded in the CSV file as it ends. The
//! same request in the same folder runs only what is missing.
//!
//! # Example
//!
//! Count the pairs of the built-in toy hierarchy:
//!
//! ```
//! use binder_experiments::{Experiment, Request, SetInfo, run};
//!
//! let folder = tempfile::tempdir()?;
//! let mut request = Request::new(Experiment::Edges, folder.path());
//! request.sets = SetInfo::by_name("toy").into_iter().collect();
//!
//! // `()` is the listener that shows nothing.
//! let finished = run(&request, &())?;
//! assert!(finished.text.contains("| Toy | 15 | 14 | 19 | 33 | 42.4 | 57.6 | – |"));
//! assert_eq!(finished.values["rows"][0]["closure"], 33);
//!
//! let names: Vec<_> = finished.files.iter().filter_map(|file| file.file_name()).collect();
//! assert_eq!(names, ["edges.md", "edges.csv", "edges.svg"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! The experiment plans its jobs ([`Experiment`] has one file each), looks every job up in the
//! ledger of finished runs or does it, and turns the results into a report of tables and drawings.
//! The crate prints nothing: what it has to say while it works goes to a [`Listener`].

mod data;
mod dots;
mod error;
mod experiment;
mod files;
mod ledger;
mod listener;
mod methods;
mod plan;
mod plots;
mod published;
mod queue;
mod recipes;
mod references;
mod report;
mod runs;
mod stats;
mod task;
mod tree;
pub mod tune;

use std::path::PathBuf;

pub use binder_baselines::Method;
pub use data::{SETS, SetInfo};
pub use error::Error;
pub use experiment::Experiment;
pub use listener::Listener;
pub use recipes::{NamedRecipe, RECIPES};

use files::Kind;
use plan::Plan;

/// What to run, and where the results go.
#[derive(Debug, Clone)]
pub struct Request {
    /// The experiment.
    pub experiment: Experiment,
    /// The folder to write to; it is created if needed. Finished runs found there are not repeated.
    pub output: PathBuf,
    /// A folder with data sets: `NAME/direct.tsv` and `NAME/splits/{train_0,…,test_neg}.tsv`, plain
    /// or gzipped. Sets that it lacks come from the built-ins if they have them.
    pub data: Option<PathBuf>,
    /// The data sets to use. Empty means those of the paper's experiment.
    pub sets: Vec<&'static SetInfo>,
    /// The recipes to train with. Empty means the experiment's default recipes.
    pub recipes: Vec<&'static NamedRecipe>,
    /// The other embeddings to run beside the recipes, for representation and link prediction.
    pub methods: Vec<Method>,
    /// How many training pairs a run of another embedding sees, each with its negatives. `None`
    /// means two million.
    pub visits: Option<usize>,
    /// How many runs per cell of a table, with the seeds 1 to N. `None` means the experiment's
    /// default.
    pub seeds: Option<u32>,
    /// Few epochs and at most two seeds: to see what comes out, not how good it is.
    pub quick: bool,
    /// Run nothing: make the report of the runs that are finished. In tables of scores some may be
    /// missing; other reports need all.
    pub finished: bool,
    /// The command that the report names as the one that made it.
    pub command: Option<String>,
}

impl Request {
    /// A request with the defaults of the paper's experiment.
    pub fn new(experiment: Experiment, output: impl Into<PathBuf>) -> Self {
        Self {
            experiment,
            output: output.into(),
            data: None,
            sets: Vec::new(),
            recipes: Vec::new(),
            methods: Vec::new(),
            visits: None,
            seeds: None,
            quick: false,
            finished: false,
            command: None,
        }
    }
}

/// What an experiment gave.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The legend and the tables, in Markdown.
    pub text: String,
    /// The same results as a JSON object.
    pub values: serde_json::Value,
    /// The files written: the Markdown file first, then the CSV file, then the drawings.
    pub files: Vec<PathBuf>,
}

/// Runs an experiment and writes its files.
pub fn run(request: &Request, listener: &dyn Listener) -> Result<Finished, Error> {
    if let Some(folder) = request.data.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Error::NoFolder { folder: folder.clone() });
    }
    // Where nothing is run there may be nothing to write either.
    if !request.finished {
        std::fs::create_dir_all(&request.output).map_err(Error::file(&request.output))?;
    }
    let plan = Plan::new(request, listener);
    files::check(&plan.file(".md"), Kind::Page)?;
    files::check(&plan.file(".svg"), Kind::Drawing)?;
    let report = request.experiment.report(&plan)?;
    let files = report.write(&plan)?;
    Ok(Finished { text: report.text, values: report.values, files })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Lets so many runs end, then cancels.
    struct CancelAfter {
        runs: u32,
        ended: AtomicU32,
    }

    impl binder::Progress for CancelAfter {
        fn is_cancelled(&self) -> bool {
            self.ended.load(Ordering::Relaxed) >= self.runs
        }
    }

    impl Listener for CancelAfter {
        fn line(&self, _text: &str) {
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_cancelled_experiment_keeps_its_finished_runs() {
        let folder = tempfile::tempdir().unwrap();
        let mut request = Request::new(Experiment::Representation, folder.path());
        request.sets = SetInfo::by_name("toy").into_iter().collect();
        request.recipes = NamedRecipe::by_name("published").into_iter().collect();
        request.quick = true;
        let ledger = || std::fs::read_to_string(folder.path().join("representation.csv")).unwrap();

        let at_once = CancelAfter { runs: 0, ended: AtomicU32::new(0) };
        let cancelled = run(&request, &at_once);
        assert!(matches!(cancelled, Err(Error::Binder(binder::Error::Cancelled(_)))));
        assert_eq!(ledger().lines().count(), 1, "only the header");
        assert!(!folder.path().join("representation.md").exists());

        // The second run may end before it hears of it, so the result is either.
        let after_one = CancelAfter { runs: 1, ended: AtomicU32::new(0) };
        let _ = run(&request, &after_one);
        let before = ledger();
        assert!(before.lines().count() >= 2, "{before}");
        let finished = run(&request, &()).unwrap();
        assert_eq!(finished.values["runs"].as_array().unwrap().len(), 2);
        assert!(ledger().starts_with(&before), "nothing is run again");
        assert_eq!(ledger().lines().count(), 3);
    }
}
