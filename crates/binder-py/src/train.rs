//! Codes learnt by local search, an epoch at a time.

use binder::Progress;
use binder::train::{
    EpochLog, Flips, Init, Keep, Origin, Recipe, TrainParams, Training, TrainingPairs,
    ValidTrainParams, Validation, first_codes, scoring_negatives, sequential,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::arrays::pairs_from;
use crate::errors::{Kind, python};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::pool::without_lock;
use crate::watch::{Bar, watched};

/// What an epoch did and how good its codes are.
#[derive(Debug)]
#[pyclass(module = "binder", frozen, get_all)]
pub(crate) struct Epoch {
    /// The epoch, from 1.
    epoch: u32,
    /// The weighted loss on the training pairs and their negatives, before the epoch's flips.
    loss: u64,
    /// The part of it that missing bits of training pairs cost.
    loss_positive: u64,
    /// The part of it that negatives without a good bit cost.
    loss_negative: u64,
    /// Bits flipped.
    flips: u64,
    /// F1 on what the epochs are scored on; None where they are not.
    f1: Option<f64>,
    /// The loss on what the epochs are scored on.
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

/// What a recipe sets, where something else is wanted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings<'py> {
    bits: Option<usize>,
    alpha: Option<u32>,
    beta: Option<u32>,
    rate: Option<f64>,
    bias: Option<f64>,
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

#[derive(FromPyObject)]
pub(crate) enum InitArg<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Model(PyRef<'py, Model>),
}

/// Learns from these.
#[derive(FromPyObject)]
pub(crate) enum On<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Listed(PyReadonlyArray2<'py, u32>),
}

/// Scores epochs on these.
#[derive(FromPyObject)]
pub(crate) enum Score<'py> {
    #[pyo3(transparent)]
    Name(String),
    #[pyo3(transparent)]
    Listed((PyReadonlyArray2<'py, u32>, PyReadonlyArray2<'py, u32>)),
}

type Pairs = Vec<(u32, u32)>;

/// The model that `binder train` makes. `source` is what the model notes of listed pairs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "python/binder/_train.py has them by name")]
pub(crate) fn train(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    recipe: &str,
    on: On<'_>,
    source: &str,
    score: Score<'_>,
    settings: Settings<'_>,
    sequential: bool,
    callback: Option<Bound<'_, PyAny>>,
    warn: &Bound<'_, PyAny>,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let recipe =
        named("recipe", recipe, [Recipe::Paper, Recipe::Published, Recipe::Best], Recipe::name)?;
    let closure = matches!(&on, On::Name(name) if name == "closure");
    let mut params = recipe.params(!closure);
    let unscored = matches!(&score, Score::Name(name) if name == "nothing");
    if unscored && !sequential {
        params = params.unscored();
    }
    if sequential {
        params.flips = Flips::Single;
    }
    let params = settings.onto(params, hierarchy)?.check(hierarchy.len()).map_err(python)?;
    params
        .warnings(hierarchy.len())
        .into_iter()
        .try_for_each(|text| warn.call1((text,)).map(|_| ()))?;
    let pairs = learnt_from(py, &on, hierarchy)?;
    let (scored_on, scored) = scored_on(&score, hierarchy, &pairs, &params)?;
    let origin = Origin { recipe, on: source, scored_on, best_epoch: None };
    if sequential {
        return descend(py, hierarchy, &pairs, &params, origin, bar);
    }
    let validation = match &scored {
        Some((positives, negatives)) => Validation::Listed { positives, negatives },
        None if unscored => Validation::Nothing,
        None => Validation::AllPairs(hierarchy),
    };
    learn(py, hierarchy, &pairs, &params, validation, origin, callback, &mut Bar::new(bar))
}

fn learnt_from(py: Python<'_>, on: &On<'_>, hierarchy: &Hierarchy) -> PyResult<TrainingPairs> {
    let pairs: Pairs = match on {
        On::Name(name) if name == "closure" => {
            without_lock(py, || binder::Hierarchy::closure(hierarchy).pairs().collect())?
        }
        On::Name(_) => binder::Hierarchy::pairs(hierarchy).collect(),
        On::Listed(listed) => pairs_from(listed, hierarchy.len())?,
    };
    Ok(TrainingPairs::new(hierarchy.len(), &pairs))
}

/// What the model notes of the scoring, and the pairs, where they are listed.
fn scored_on(
    score: &Score<'_>,
    hierarchy: &Hierarchy,
    pairs: &TrainingPairs,
    params: &ValidTrainParams,
) -> PyResult<(&'static str, Option<(Pairs, Pairs)>)> {
    Ok(match score {
        Score::Listed((positives, negatives)) => {
            let n = hierarchy.len();
            ("valid", Some((pairs_from(positives, n)?, pairs_from(negatives, n)?)))
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
    pairs: &TrainingPairs,
    params: &ValidTrainParams,
    validation: Validation<'_>,
    origin: Origin<'_>,
    callback: Option<Bound<'_, PyAny>>,
    bar: &mut Bar<'_>,
) -> PyResult<Model> {
    let mut training =
        without_lock(py, || Training::new(pairs, params, validation))?.map_err(python)?;
    while !training.is_over() {
        let epoch = without_lock(py, || training.step())?;
        py.check_signals()?;
        let epoch = Epoch::new(&epoch, params);
        bar.show(&message(&epoch), epoch.epoch.into(), Some(params.epochs.into()))?;
        if let Some(callback) = &callback
            && callback.call1((epoch,))?.is_truthy()?
        {
            break;
        }
    }
    let (best_epoch, codes) = training.result();
    let origin = Origin { best_epoch: Some(best_epoch), ..origin };
    let model = without_lock(py, || origin.model(hierarchy, params, codes).map(Model::from))?;
    model.map_err(python)
}

fn message(epoch: &Epoch) -> String {
    let f1 = epoch.f1.map_or(String::new(), |f1| format!(", F1 {:.2} %", f1 * 100.0));
    format!("training: loss {}{f1}", epoch.loss)
}

/// One bit at a time, to the nearest local optimum.
fn descend(
    py: Python<'_>,
    hierarchy: &Hierarchy,
    pairs: &TrainingPairs,
    params: &ValidTrainParams,
    origin: Origin<'_>,
    bar: Option<Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let origin = Origin { scored_on: "nothing", ..origin };
    let model = watched(py, bar, |watch| {
        watch.start("flipping one bit at a time", None);
        let mut codes = first_codes(pairs, params)?;
        sequential::descend(&mut codes, pairs, params, |_| {
            watch.advance(1);
            if watch.is_cancelled() { Err(binder::Cancelled) } else { Ok(()) }
        })?;
        origin.model(hierarchy, params, &codes).map(Model::from)
    })?;
    model.map_err(python)
}

/// The choice of that name.
fn named<T: Copy, const N: usize>(
    setting: &str,
    name: &str,
    choices: [T; N],
    call: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    choices.into_iter().find(|&choice| call(choice) == name).ok_or_else(|| {
        let names = choices.map(&call).join(", ");
        Kind::Value.error(&format!("{setting} is {name:?}; choose one of {names}"))
    })
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
        set(&mut params.negatives, self.negatives);
        set(&mut params.exact, self.all_negatives);
        set(&mut params.sampling.filtered, self.filtered);
        set(&mut params.sampling.distinct, self.distinct);
        set(&mut params.sampling.with_self, self.with_self);
        set(&mut params.sampling.reversed, self.with_reversed);
        set(&mut params.epochs, self.epochs);
        set(&mut params.patience, self.patience);
        params.seed = self.seed;
        if let Some(flips) = &self.flips {
            params.flips = named("flips", flips, [Flips::Single, Flips::Closed], Flips::name)?;
        }
        if let Some(keep) = &self.keep {
            params.keep = named(
                "keep",
                keep,
                [Keep::F1, Keep::Loss, Keep::Training, Keep::Last],
                Keep::name,
            )?;
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
        Ok(match self {
            Self::Model(model) => {
                let codes = model.index.model().codes_for(hierarchy.names(), "the hierarchy");
                Init::Codes(codes.map_err(python)?)
            }
            Self::Name(name) => match name.as_str() {
                "ones" => Init::Ones,
                "zeros" => Init::Zeros,
                "random" => Init::Random,
                "inherited" => Init::Inherited,
                other => {
                    let choices = "choose ones, zeros, random, inherited or a Model";
                    return Err(Kind::Value.error(&format!("init is {other:?}; {choices}")));
                }
            },
        })
    }
}
