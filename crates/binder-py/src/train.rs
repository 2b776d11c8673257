//! Codes that are learnt by local search, an epoch at a time.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use binder::graph::Graph;
use binder::model::Origin;
use binder::train::{
    EpochLog, Flips, Init, Recipe, TrainParams, Training, ValidTrainParams, Validation,
    first_codes, scoring_negatives, sequential,
};
use binder::{Cancelled, Error, Progress};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::arrays::{Pairs, judged_by, pairs_from};
use crate::errors::{chosen, chosen_or, python};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::pool::without_lock;
use crate::saving::{Saver, Saving};
use crate::watch::{Bar, TICK, watched};

/// What an epoch did and how good its codes are.
#[derive(Debug)]
#[pyclass(module = "binder", frozen, get_all)]
pub(crate) struct Epoch {
    /// The epoch, from 1.
    epoch: u32,
    /// The weighted loss on the training pairs and their negatives, before the epoch's flips.
    loss: u64,
    /// The part of the loss that comes from missing bits of training pairs.
    loss_positive: u64,
    /// The part of the loss that comes from negatives without a separating bit.
    loss_negative: u64,
    /// Bits flipped.
    flips: u64,
    /// F1 on the pairs that epochs are scored on; None if they are not scored.
    f1: Option<f64>,
    /// The loss on the pairs that epochs are scored on.
    valid_loss: Option<u64>,
    /// The time of draws, gradient and flips, without scoring.
    seconds: f64,
}

impl Epoch {
    fn new(log: &EpochLog, params: &ValidTrainParams) -> Self {
        let loss = log.report.loss;
        Self {
            epoch: log.epoch,
            loss: loss.weighted(params.alpha, params.beta),
            loss_positive: loss.missing * u64::from(params.alpha),
            loss_negative: loss.false_positives * u64::from(params.beta),
            flips: log.report.flips,
            f1: log.score.map(|score| score.f1),
            valid_loss: log.score.map(|score| score.loss),
            seconds: log.time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl Epoch {
    fn __repr__(&self) -> String {
        let f1 = self.f1.map_or(String::new(), |f1| format!(", f1={f1:.4}"));
        format!("Epoch({}, loss={}{f1}, flips={})", self.epoch, self.loss, self.flips)
    }
}

/// The settings that differ from those of the recipe.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings<'py> {
    bits: Option<usize>,
    alpha: Option<u32>,
    beta: Option<u32>,
    rate: Option<f64>,
    bias: Option<f64>,
    chances: Option<String>,
    similarity: Option<u32>,
    negatives: Option<u32>,
    all_negatives: Option<bool>,
    filtered: Option<bool>,
    distinct: Option<bool>,
    with_self: Option<bool>,
    with_reversed: Option<bool>,
    epochs: Option<u32>,
    patience: Option<u32>,
    flips: Option<String>,
    init: Option<InitArg<'py>>,
    keep: Option<String>,
    seed: u64,
}

/// The codes to begin with, by name or those of a model.
#[derive(FromPyObject)]
pub(crate) enum InitArg<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Model(PyRef<'py, Model>),
}

/// What to learn from: `direct`, `closure`, or listed pairs.
#[derive(FromPyObject)]
pub(crate) enum On<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Listed(PyReadonlyArray2<'py, u32>),
}

/// What to score epochs on: `all`, `training`, `nothing`, or listed pairs, is-a and not.
#[derive(FromPyObject)]
pub(crate) enum Score<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Listed((PyReadonlyArray2<'py, u32>, PyReadonlyArray2<'py, u32>)),
}

/// The model that `binder train` makes. `source` is what the model notes of listed pairs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/_make.py has them by name")]
pub(crate) fn train(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    recipe: &str,
    on: On<'_>,
    source: &str,
    score: Score<'_>,
    settings: Settings<'_>,
    sequential: bool,
    saving: Saving,
    callback: Option<Bound<'_, PyAny>>,
    warn: &Bound<'_, PyAny>,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let recipe: Recipe = chosen("recipe", recipe)?;
    let closure = matches!(&on, On::Name(name) if name == "closure");
    let mut params = recipe.params(!closure);
    let unscored = matches!(&score, Score::Name(name) if name == "nothing");
    if unscored && !sequential {
        params = params.unscored();
    }
    if sequential {
        params.flips = Flips::Single;
    }
    let concepts = hierarchy.inner.len();
    let params = settings.onto(params, hierarchy)?.check(concepts).map_err(python)?;
    for text in params.warnings(concepts) {
        warn.call1((text,))?;
    }
    let pairs = learnt_from(py, &on, hierarchy)?;
    let (scored_on, scored) = scored_on(&score, concepts, &pairs, &params)?;
    let origin = Origin { recipe, on: source, scored_on, best_epoch: None };
    if sequential {
        return descend(py, hierarchy, &pairs, &params, origin, bar);
    }
    let validation = match &scored {
        Some((positives, negatives)) => Validation::Listed { positives, negatives },
        None if unscored => Validation::Nothing,
        None => Validation::AllPairs(&hierarchy.inner),
    };
    learn(py, hierarchy, &pairs, &params, validation, origin, &saving, callback, &mut Bar::new(bar))
}

pub(crate) fn learnt_from<'a>(
    py: Python<'_>,
    on: &On<'_>,
    hierarchy: &'a Hierarchy,
) -> PyResult<Cow<'a, Graph>> {
    let (hierarchy, concepts) = (&hierarchy.inner, hierarchy.inner.len());
    Ok(match on {
        On::Name(name) if name == "closure" => {
            let graph = watched(py, None, |watch| hierarchy.closure_graph(watch))?;
            Cow::Owned(graph.map_err(python)?)
        }
        On::Name(_) => Cow::Borrowed(hierarchy.graph()),
        On::Listed(listed) => Cow::Owned(Graph::new(concepts, pairs_from(listed, concepts)?)),
    })
}

/// What the model notes of the scoring, and the pairs, where they are listed.
fn scored_on(
    score: &Score<'_>,
    concepts: usize,
    pairs: &Graph,
    params: &ValidTrainParams,
) -> PyResult<(&'static str, Option<(Pairs, Pairs)>)> {
    Ok(match score {
        Score::Listed((positives, negatives)) => {
            ("valid", Some(judged_by(positives, negatives, concepts)?))
        }
        Score::Name(name) if name == "training" => {
            ("training", Some((pairs.iter().collect(), scoring_negatives(pairs, params.seed))))
        }
        Score::Name(name) if name == "nothing" => ("nothing", None),
        Score::Name(_) => ("all", None),
    })
}

#[expect(clippy::too_many_arguments, reason = "all that a run needs")]
fn learn(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    pairs: &Graph,
    params: &ValidTrainParams,
    validation: Validation<'_>,
    origin: Origin<'_>,
    saving: &Saving,
    callback: Option<Bound<'_, PyAny>>,
    bar: &mut Bar<'_>,
) -> PyResult<Model> {
    let mut training = saving.begin(py, pairs, params, validation)?;
    let mut saver = Saver::new(py, saving, &training)?;
    let mut is_slow = true;
    while !training.is_over() {
        let gone = go(py, &mut training, params, callback.as_ref(), bar, &mut is_slow);
        match gone {
            Ok(Step::Stop) => break,
            Ok(Step::GoOn) => saver.save_if_due(py, &training)?,
            Err(error) => {
                // An epoch that was cut off is not part of the run, which stays as it was before.
                saver.save(py, &training)?;
                return Err(error);
            }
        }
    }
    saver.save(py, &training)?;
    let (best_epoch, codes) = training.result();
    let origin = Origin { best_epoch: Some(best_epoch), ..origin };
    let hierarchy = Arc::clone(&hierarchy.inner);
    let index = without_lock(py, || {
        let model = binder::Model::trained(hierarchy, codes.clone(), params, &origin)?;
        Ok::<_, Error>(model.into_index())
    })?;
    Ok(index.map_err(python)?.into())
}

/// Whether the callback lets training go on.
enum Step {
    GoOn,
    Stop,
}

/// One epoch.
fn go(
    py: Python<'_>,
    training: &mut Training<'_>,
    params: &ValidTrainParams,
    callback: Option<&Bound<'_, PyAny>>,
    bar: &mut Bar<'_>,
    is_slow: &mut bool,
) -> PyResult<Step> {
    let started = Instant::now();
    // A thread that watches for Ctrl-C inside the epoch costs more than a quick epoch.
    let epoch = if *is_slow {
        watched(py, None, |watch| training.step_with(watch))?.map_err(python)?
    } else {
        without_lock(py, || training.step())?
    };
    *is_slow = started.elapsed() >= TICK;
    py.check_signals()?;
    let epoch = Epoch::new(&epoch, params);
    bar.show(&message(&epoch), epoch.epoch.into(), Some(params.epochs.into()))?;
    let ends = match callback {
        Some(callback) => callback.call1((epoch,))?.is_truthy()?,
        None => false,
    };
    Ok(if ends { Step::Stop } else { Step::GoOn })
}

fn message(epoch: &Epoch) -> String {
    let f1 = epoch.f1.map_or(String::new(), |f1| format!(", F1 {:.2} %", f1 * 100.0));
    format!("training: loss {}{f1}", epoch.loss)
}

/// One bit at a time, to the nearest local optimum.
fn descend(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    pairs: &Graph,
    params: &ValidTrainParams,
    origin: Origin<'_>,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let origin = Origin { scored_on: "nothing", ..origin };
    let hierarchy = Arc::clone(&hierarchy.inner);
    let index = watched(py, bar, |watch| {
        watch.start("flipping one bit at a time", None);
        let mut codes = first_codes(pairs, params)?;
        sequential::descend(&mut codes, pairs, params, |_| {
            watch.advance(1);
            if watch.is_cancelled() { Err(Cancelled) } else { Ok(()) }
        })?;
        let model = binder::Model::trained(hierarchy, codes, params, &origin)?;
        Ok::<_, Error>(model.into_index())
    })?;
    Ok(index.map_err(python)?.into())
}

impl Settings<'_> {
    /// A recipe's settings with these on top.
    fn onto(&self, recipe: TrainParams, hierarchy: &Hierarchy) -> PyResult<TrainParams> {
        let mut params = recipe;
        set(&mut params.bits, self.bits);
        set(&mut params.alpha, self.alpha);
        set(&mut params.beta, self.beta);
        set(&mut params.rate, self.rate);
        set(&mut params.bias, self.bias);
        set(&mut params.similarity, self.similarity);
        set(&mut params.negatives, self.negatives);
        set(&mut params.all_negatives, self.all_negatives);
        set(&mut params.sampling.filtered, self.filtered);
        set(&mut params.sampling.distinct, self.distinct);
        set(&mut params.sampling.with_self, self.with_self);
        set(&mut params.sampling.reversed, self.with_reversed);
        set(&mut params.epochs, self.epochs);
        set(&mut params.patience, self.patience);
        params.seed = self.seed;
        if let Some(chances) = &self.chances {
            params.chances = chosen("chances", chances)?;
        }
        if let Some(flips) = &self.flips {
            params.flips = chosen("flips", flips)?;
        }
        if let Some(keep) = &self.keep {
            params.keep = chosen("keep", keep)?;
        }
        if let Some(init) = &self.init {
            params.init = init.codes(hierarchy)?;
        }
        Ok(params)
    }
}

fn set<T: Copy>(value: &mut T, given: Option<T>) {
    *value = given.unwrap_or(*value);
}

impl InitArg<'_> {
    fn codes(&self, hierarchy: &Hierarchy) -> PyResult<Init> {
        match self {
            Self::Model(model) => {
                let names = hierarchy.inner.names();
                let codes = model.index.model().codes_for(names, "the hierarchy");
                codes.map(Init::Codes).map_err(python)
            }
            Self::Name(name) => chosen_or("init", name, "a Model"),
        }
    }
}
