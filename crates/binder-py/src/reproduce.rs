//! The experiments of the paper.

use std::path::PathBuf;

use binder_experiments::{Error, Experiment, Listener, Method, NamedRecipe, Request, SetInfo};
use pyo3::prelude::*;

use crate::errors::{Kind, python};
use crate::plain::{Plain, plain};
use crate::watch::{Watch, watched};

impl Listener for Watch {}

/// The names of all experiments, each with a line of help.
#[pyfunction]
pub(crate) fn experiments() -> Vec<(&'static str, &'static str)> {
    Experiment::ALL.iter().map(|experiment| (experiment.name(), experiment.summary())).collect()
}

/// What `binder reproduce` takes.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    data: Option<PathBuf>,
    sets: Vec<String>,
    recipes: Vec<String>,
    methods: Vec<String>,
    visits: Option<usize>,
    seeds: Option<u32>,
    quick: bool,
    finished: bool,
}

/// Runs an experiment: its text, its results and its files.
#[pyfunction]
pub(crate) fn reproduce(
    py: Python<'_>,
    experiment: &str,
    output: PathBuf,
    asked: Asked,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Plain, Vec<PathBuf>)> {
    let names = || Experiment::ALL.iter().map(|experiment| experiment.name());
    let experiment = named("experiment", experiment, Experiment::by_name, names())?;
    let sets = || binder_experiments::SETS.iter().map(|set| set.name);
    let recipes = || binder_experiments::RECIPES.iter().map(|recipe| recipe.name);
    let methods = || <Method as binder::Choice>::ALL.iter().map(|&it| binder::Choice::name(it));
    let mut request = Request::new(experiment, output);
    request.data = asked.data;
    request.sets = all_named("sets", &asked.sets, SetInfo::by_name, sets)?;
    request.recipes = all_named("recipes", &asked.recipes, NamedRecipe::by_name, recipes)?;
    let method = |name: &str| name.parse::<Method>().ok();
    request.methods = all_named("methods", &asked.methods, method, methods)?;
    request.visits = asked.visits;
    request.seeds = asked.seeds;
    request.quick = asked.quick;
    request.finished = asked.finished;
    let finished = watched(py, bar, |watch| binder_experiments::run(&request, watch))?;
    let finished = finished.map_err(of_experiment)?;
    Ok((finished.text, plain(&finished.values)?, finished.files))
}

fn named<T>(
    setting: &str,
    name: &str,
    find: impl Fn(&str) -> Option<T>,
    choices: impl Iterator<Item = &'static str>,
) -> PyResult<T> {
    find(name).ok_or_else(|| {
        let choices = choices.collect::<Vec<_>>().join(", ");
        Kind::Value.error(&format!("{setting} is {name:?}; choose one of {choices}"))
    })
}

fn all_named<T, I: Iterator<Item = &'static str>>(
    setting: &str,
    names: &[String],
    find: impl Fn(&str) -> Option<T>,
    choices: impl Fn() -> I,
) -> PyResult<Vec<T>> {
    names.iter().map(|name| named(setting, name, &find, choices())).collect()
}

fn of_experiment(error: Error) -> PyErr {
    match error {
        Error::Binder(error) => python(error),
        Error::File { .. } | Error::Locked { .. } => Kind::File.error(&error.to_string()),
        Error::NoData => {
            Kind::Value.error(&format!("{error}; give the folder that has them as data="))
        }
        other => Kind::Value.error(&other.to_string()),
    }
}
