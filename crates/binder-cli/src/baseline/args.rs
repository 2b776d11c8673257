use std::path::PathBuf;

use binder_baselines::{BaselineParams, Filter, KeepBy, Method};
use clap::Args;

use crate::args::{Data, Json, choice};
use crate::files::Force;
use crate::reading::ReadingArgs;
use crate::remedy::WrongUse;
use crate::train::CheckpointArgs;

#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The method
    #[arg(long, value_parser = choice::<Method>())]
    pub(crate) method: Method,
    /// The model file to write; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// The pairs to train on: direct, closure, or a file of pairs
    #[arg(long, value_name = "PAIRS", default_value = "direct")]
    pub(crate) on: String,
    /// Score epochs and choose the threshold on these pairs, which are is-a, and those of
    /// --valid-neg [default: the training pairs, and ten random corruptions of each]
    #[arg(long, value_name = "FILE", requires = "valid_neg")]
    pub(crate) valid: Option<PathBuf>,
    /// … and these, which are not
    #[arg(long, value_name = "FILE", requires = "valid")]
    pub(crate) valid_neg: Option<PathBuf>,
    /// Write one JSON line per epoch to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) keeping: CheckpointArgs,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// The settings. Their defaults depend on the method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
struct SettingArgs {
    /// Dimensions, d [default: 128; 64 for gumbel-box, 32 for t-box]
    #[arg(long, value_name = "D")]
    dim: Option<usize>,
    /// The learning rate of Adam
    #[arg(long)]
    rate: Option<f64>,
    /// Training pairs per step
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Random negatives per positive [default: 128]
    #[arg(long, value_name = "N")]
    negatives: Option<u32>,
    /// The weight of the negatives in the loss [default: 0.9]
    #[arg(long)]
    weight: Option<f64>,
    /// The maximum number of epochs
    #[arg(long, value_name = "T")]
    epochs: Option<u32>,
    /// Stop after so many epochs without a better F1; 0 disables it
    #[arg(long, value_name = "EPOCHS")]
    patience: Option<u32>,
    /// The epoch to keep [default: f1]
    #[arg(long, value_parser = choice::<KeepBy>())]
    keep: Option<KeepBy>,
    /// Pairs that are never drawn as negatives [default: training]
    #[arg(long, value_parser = choice::<Filter>())]
    filter: Option<Filter>,
    /// Concepts that a batch draws its negatives from [default: 4096]
    #[arg(long, value_name = "N")]
    pool: Option<usize>,
    /// The random seed; the same seed gives the same vectors
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The spread of the vectors at the start; all but hec
    #[arg(long)]
    start: Option<f64>,
    /// The margin of the loss; oe and hec
    #[arg(long)]
    margin: Option<f64>,
    /// The weight of the direction; lorentzian and poincare
    #[arg(long)]
    direction: Option<f64>,
    /// The aperture of cones; hec
    #[arg(long)]
    aperture: Option<f64>,
    /// The least distance of points from the origin and from the rim; hec
    #[arg(long)]
    epsilon: Option<f64>,
    /// The temperature of corners; gumbel-box
    #[arg(long)]
    intersection: Option<f64>,
    /// The temperature of sides; gumbel-box
    #[arg(long)]
    volume: Option<f64>,
}

fn set<T>(value: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *value = given;
    }
}

impl BaselineArgs {
    /// The method's settings, changed by the options that were given.
    pub(super) fn params(&self) -> Result<BaselineParams, WrongUse> {
        let given = &self.settings;
        let mut params = BaselineParams::of(self.method);
        set(&mut params.dim, given.dim);
        set(&mut params.rate, given.rate);
        set(&mut params.batch, given.batch);
        set(&mut params.negatives, given.negatives);
        set(&mut params.weight, given.weight);
        set(&mut params.epochs, given.epochs);
        set(&mut params.patience, given.patience);
        set(&mut params.keep, given.keep);
        set(&mut params.filter, given.filter);
        set(&mut params.pool, given.pool);
        params.seed = given.seed;
        let own = [
            ("start", &mut params.start, given.start),
            ("margin", &mut params.margin, given.margin),
            ("direction", &mut params.direction, given.direction),
            ("aperture", &mut params.aperture, given.aperture),
            ("epsilon", &mut params.epsilon, given.epsilon),
            ("intersection", &mut params.intersection, given.intersection),
            ("volume", &mut params.volume, given.volume),
        ];
        for (name, value, given) in own {
            WrongUse::unless(
                given.is_none() || self.method.own_settings().contains(&name),
                format!("--{name} means nothing to {}; leave it out", self.method),
            )?;
            set(value, given);
        }
        Ok(params)
    }
}
