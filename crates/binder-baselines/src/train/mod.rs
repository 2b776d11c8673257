//! The training loop that all methods share.
//!
//! An epoch goes through the training pairs in random order, in batches. Every pair is scored
//! against K random negatives; the loss is summed over the batch; Adam takes one step. After each
//! epoch the vectors are scored on the validation pairs, where the best threshold decides their F1,
//! and the best epoch is kept.
//!
//! Random numbers are computed from what they are for, and sums have a fixed order, so the same
//! seed gives the same bytes with any number of threads and on any processor.

mod adam;
mod batch;
mod gather;
mod shard;
mod table;

use std::fmt;
use std::time::{Duration, Instant};

use binder::container::ContainerError;
use binder::graph::Graph;
use binder::{Cancelled, Hierarchy, Id, Progress};

use crate::checkpoint::{BaselineCheckpoint, fingerprint};
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::method::{Visitor, with_embedding};
use crate::model::{Baseline, Origin};
use crate::params::{KeepBy, ValidBaselineParams, has_negatives};
use crate::random::{Draws, Purpose};
use crate::score::{Vectors, scores};
use crate::threshold::{Threshold, best_threshold};
use batch::Stepper;

/// The pairs that epochs are scored on, and that the threshold is chosen on.
#[derive(Debug, Clone, Copy)]
pub struct Validation<'a> {
    /// Pairs that are is-a.
    pub positives: &'a [(Id, Id)],
    /// Pairs that are not.
    pub negatives: &'a [(Id, Id)],
}

/// What an epoch did.
#[derive(Debug, Clone, Copy)]
pub struct EpochLog {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// The mean loss of a training pair.
    pub loss: f64,
    /// F1 on the validation pairs at the best threshold.
    pub f1: f64,
    /// The time for draws, gradient and steps, without validation.
    pub time: Duration,
}

/// The epoch kept so far.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) epoch: u32,
    pub(crate) loss: f64,
    pub(crate) threshold: Threshold,
    pub(crate) vectors: Vectors,
}

/// A run between two epochs: everything that the next epoch depends on.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) epoch: u32,
    /// The last epoch with a better F1 than all before, and that F1.
    pub(crate) best: (u32, f64),
    /// Steps taken.
    pub(crate) steps: u32,
    /// Numbers per concept.
    pub(crate) width: usize,
    /// The records of the table, and the last step that each knows of.
    pub(crate) records: Vec<f32>,
    pub(crate) touched: Vec<u32>,
    /// The shared numbers with the state of Adam.
    pub(crate) shared: Vec<f32>,
    pub(crate) kept: Option<Kept>,
}

/// A training run. Each [`step`](Self::step) is one epoch.
///
/// # Examples
///
/// ```
/// use binder_baselines::{BaselineParams, Method, Training, Validation};
///
/// let toy = binder::Hierarchy::read("toy")?;
/// let closure: Vec<_> = toy.closure().pairs().collect();
/// let others: Vec<_> = toy.ids().flat_map(|child| toy.ids().map(move |parent| (child, parent)))
///     .filter(|&(child, parent)| !toy.is_a(child, parent)).collect();
/// let pairs = binder::graph::Graph::new(toy.len(), closure.iter().copied());
///
/// let params = BaselineParams::of(Method::Oe).with(|params| {
///     (params.dim, params.epochs) = (16, 200);
/// });
/// let params = params.check()?;
/// let validation = Validation { positives: &closure, negatives: &others };
/// let mut training = Training::new(&pairs, &pairs, &params, validation)?;
/// while !training.is_over() {
///     training.step(&())?;
/// }
/// let model = training.model(&toy, "closure", "all");
/// assert!(model.threshold().confusion.f1() > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Training<'a> {
    stepper: Box<dyn Step + 'a>,
    params: &'a ValidBaselineParams,
    avoided: &'a Graph,
    pairs: Vec<(Id, Id)>,
    validation: Validation<'a>,
    epoch: u32,
    kept: Option<Kept>,
    /// The last epoch with a better F1 than all before.
    best: (u32, f64),
}

impl fmt::Debug for Training<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Training")
            .field("params", &self.params)
            .field("epoch", &self.epoch)
            .finish()
    }
}

/// A [`Stepper`] of any method.
trait Step {
    fn step(&mut self, positives: &[(Id, Id)]) -> f64;

    fn vectors(&mut self) -> Vectors;

    /// Copies what is learnt, with the state of Adam, into a state.
    fn save(&self, state: &mut State);

    /// Goes on from a state.
    fn restore(&mut self, state: State) -> Result<(), ContainerError>;
}

impl<E: Embedding + Copy + Send> Step for Stepper<'_, E> {
    fn step(&mut self, positives: &[(Id, Id)]) -> f64 {
        self.step(positives)
    }

    fn vectors(&mut self) -> Vectors {
        self.vectors()
    }

    fn save(&self, state: &mut State) {
        self.save(state);
    }

    fn restore(&mut self, state: State) -> Result<(), ContainerError> {
        self.restore(state)
    }
}

impl<'a> Training<'a> {
    /// Starts a run on these pairs. Pairs of `avoided` are never drawn as negatives: the training
    /// pairs, unless something is to be shown ([`Filter`](crate::Filter)).
    ///
    /// # Errors
    ///
    /// When there are no training pairs, or no others.
    pub fn new(
        pairs: &Graph,
        avoided: &'a Graph,
        params: &'a ValidBaselineParams,
        validation: Validation<'a>,
    ) -> Result<Self> {
        if pairs.is_empty() {
            return Err(Error::NoPairs);
        }
        if !has_negatives(avoided) {
            return Err(Error::NoNegatives);
        }
        Ok(Self {
            stepper: with_embedding(params, Begin { params, avoided }),
            params,
            avoided,
            pairs: pairs.iter().collect(),
            validation,
            epoch: 0,
            kept: None,
            best: (0, -1.0),
        })
    }

    /// Continues a run from a checkpoint. The result is the same as without the interruption, bit
    /// for bit.
    ///
    /// # Errors
    ///
    /// When data or settings differ from those that the run started with. Only the number of epochs
    /// may differ, so that a run can be extended.
    pub fn resume(
        pairs: &Graph,
        avoided: &'a Graph,
        params: &'a ValidBaselineParams,
        validation: Validation<'a>,
        checkpoint: BaselineCheckpoint,
    ) -> Result<Self> {
        let mut training = Self::new(pairs, avoided, params, validation)?;
        let run = fingerprint(&training.pairs, avoided, params, validation);
        let mut state = checkpoint.state_for(&run, params)?;
        let steps = u64::from(state.epoch) * pairs.len().div_ceil(params.batch) as u64;
        if u64::from(state.steps) != steps {
            let problem = format!("are {}, not {steps} after {} epochs", state.steps, state.epoch);
            return Err(Error::Checkpoint(ContainerError::tensor("steps", problem)));
        }
        (training.epoch, training.best) = (state.epoch, state.best);
        training.kept = state.kept.take();
        let shape = params.shape();
        let fits = |kept: &Kept| kept.vectors.shared.len() == shape.shared;
        if !training.kept.as_ref().is_none_or(fits) {
            return Err(Error::Checkpoint(ContainerError::tensor("kept_shared", NOT_OF_METHOD)));
        }
        training.stepper.restore(state).map_err(Error::Checkpoint)?;
        Ok(training)
    }

    /// The state of the run between two epochs, ready to be saved.
    pub fn checkpoint(&self) -> BaselineCheckpoint {
        let mut state = State {
            epoch: self.epoch,
            best: self.best,
            steps: 0,
            width: 0,
            records: Vec::new(),
            touched: Vec::new(),
            shared: Vec::new(),
            kept: self.kept.clone(),
        };
        self.stepper.save(&mut state);
        let run = fingerprint(&self.pairs, self.avoided, self.params, self.validation);
        BaselineCheckpoint::new(run, state)
    }

    /// The number of epochs done.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The settings.
    pub fn params(&self) -> &ValidBaselineParams {
        self.params
    }

    /// Whether all epochs are done, or F1 has not risen for as many as the patience says.
    pub fn is_over(&self) -> bool {
        let patience = self.params.patience;
        self.epoch >= self.params.epochs || (patience > 0 && self.epoch - self.best.0 >= patience)
    }

    /// Trains one epoch and scores it.
    ///
    /// # Errors
    ///
    /// When the work is cancelled, or when the loss is no number any more. The run is then in the
    /// middle of an epoch and cannot be saved.
    pub fn step(&mut self, progress: &dyn Progress) -> Result<EpochLog> {
        let (started, epoch) = (Instant::now(), self.epoch + 1);
        self.shuffle(epoch);
        let mut loss = 0.0;
        for batch in self.pairs.chunks(self.params.batch) {
            if progress.is_cancelled() {
                return Err(Cancelled.into());
            }
            loss += self.stepper.step(batch);
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of pairs is far below 2^53")]
        let loss = loss / self.pairs.len() as f64;
        let time = started.elapsed();
        if !loss.is_finite() {
            return Err(Error::Diverged { epoch });
        }
        self.epoch = epoch;
        let f1 = self.score(loss);
        Ok(EpochLog { epoch, loss, f1, time })
    }

    /// The vectors kept, as a model. `on` and `scored_on` say which pairs the run was trained and
    /// scored on.
    ///
    /// # Panics
    ///
    /// When no epoch was trained.
    pub fn model(&self, hierarchy: &Hierarchy, on: &str, scored_on: &str) -> Baseline {
        let kept = self.kept.as_ref().expect("an epoch was trained");
        let origin = Origin { on, scored_on, best_epoch: kept.epoch };
        let (vectors, threshold) = (kept.vectors.clone(), kept.threshold);
        Baseline::new(hierarchy.clone().into(), self.params.clone(), vectors, threshold, &origin)
    }

    /// The epoch that is kept.
    pub fn best_epoch(&self) -> u32 {
        self.kept.as_ref().map_or(0, |kept| kept.epoch)
    }

    /// Puts the training pairs into the order of an epoch. It depends on nothing but the seed and
    /// the epoch, so they are sorted first.
    fn shuffle(&mut self, epoch: u32) {
        let seed = self.params.seed;
        let key = |&(child, parent): &(Id, Id)| {
            let pair = u64::from(child) << 32 | u64::from(parent);
            (Draws::new(seed, Purpose::Order, epoch.into(), pair).word(), pair)
        };
        self.pairs.sort_by_cached_key(key);
    }

    /// Scores the vectors, keeps them if they are the best, and gives their F1.
    fn score(&mut self, loss: f64) -> f64 {
        let vectors = self.stepper.vectors();
        let scores = scores(self.params, &vectors);
        let positives = scores.of_pairs(self.validation.positives);
        let negatives = scores.of_pairs(self.validation.negatives);
        let threshold = best_threshold(&positives, &negatives);
        let f1 = threshold.confusion.f1();
        if f1 > self.best.1 {
            self.best = (self.epoch, f1);
        }
        let better = |kept: &Kept| match self.params.keep {
            KeepBy::F1 => {
                let before = kept.threshold.confusion.f1();
                f1 > before || (f1 >= before && loss < kept.loss)
            }
            KeepBy::Loss => loss < kept.loss,
            KeepBy::Last => true,
        };
        if self.kept.as_ref().is_none_or(better) {
            self.kept = Some(Kept { epoch: self.epoch, loss, threshold, vectors });
        }
        f1
    }
}

/// What is wrong with tensors of a size that no run of the method has.
pub(crate) const NOT_OF_METHOD: &str = "has a size that the method does not have";

/// Makes the stepper of a run.
struct Begin<'a> {
    params: &'a ValidBaselineParams,
    avoided: &'a Graph,
}

impl<'a> Visitor for Begin<'a> {
    type Output = Box<dyn Step + 'a>;

    fn visit<E: Embedding + Send + Copy + 'static>(self, embedding: E) -> Box<dyn Step + 'a> {
        let start = start(&embedding, self.avoided.concepts(), self.params.seed);
        Box::new(Stepper::new(embedding, self.params, self.avoided, &start))
    }
}

/// The vectors that a run starts with.
fn start(embedding: &impl Embedding, concepts: usize, seed: u64) -> Vectors {
    let shape = embedding.shape();
    let mut values = vec![0.0; concepts * shape.learnt];
    for (concept, row) in (0..).zip(values.chunks_exact_mut(shape.learnt)) {
        embedding.start(&mut Draws::new(seed, Purpose::Start, 0, concept), row);
    }
    let mut shared = vec![0.0; shape.shared];
    embedding.start_shared(&mut Draws::new(seed, Purpose::Start, 1, 0), &mut shared);
    Vectors { values, shared }
}
