use std::path::Path;

use anyhow::Context;
use binder::train::{Flips, Init, Keep, TrainParams};
use binder::{Hierarchy, Model};

use crate::args::{FlipsArg, KeepArg, TrainArgs};

/// The recipe's settings, with what was asked for on top of them.
pub(super) fn params(args: &TrainArgs, hierarchy: &Hierarchy) -> anyhow::Result<TrainParams> {
    let (given, mut params) = (&args.settings, args.recipe.recipe().params(args.on != "closure"));
    let set = |value: &mut u32, given: Option<u32>| *value = given.unwrap_or(*value);
    set(&mut params.alpha, given.alpha);
    set(&mut params.beta, given.beta);
    if let Some(negatives) = given.negatives {
        params.exact = negatives.all;
        set(&mut params.negatives, negatives.per_positive);
    }
    set(&mut params.epochs, given.epochs);
    set(&mut params.patience, given.patience);
    params.bits = given.bits.unwrap_or(params.bits);
    params.rate = given.rate.unwrap_or(params.rate);
    params.bias = given.bias.unwrap_or(params.bias);
    params.seed = given.seed;
    let rules = &mut params.sampling;
    rules.filtered = given.filtered.unwrap_or(rules.filtered);
    rules.distinct = given.distinct.unwrap_or(rules.distinct);
    rules.with_self = given.with_self.unwrap_or(rules.with_self);
    rules.reversed = given.with_reversed.unwrap_or(rules.reversed);
    if args.no_valid {
        params = params.unscored();
    }
    if args.sequential {
        params.flips = Flips::Single;
    }
    if let Some(flips) = given.flips {
        params.flips = match flips {
            FlipsArg::Single => Flips::Single,
            FlipsArg::Closed => Flips::Closed,
        };
    }
    if let Some(keep) = given.keep {
        params.keep = match keep {
            KeepArg::F1 => Keep::F1,
            KeepArg::Loss => Keep::Loss,
            KeepArg::Training => Keep::Training,
            KeepArg::Last => Keep::Last,
        };
    }
    if let Some(init) = &given.init {
        params.init = self::init(init, hierarchy)?;
    }
    Ok(params)
}

/// What was asked for and will have no effect.
pub(super) fn idle(args: &TrainArgs, params: &TrainParams) -> Option<&'static str> {
    let given =
        args.settings.alpha.is_some() || args.settings.negatives.is_some_and(|negatives| !negatives.all);
    (given && params.flips == Flips::Closed).then_some(
        "closed flips miss no training pair and look at every negative: --alpha and --negatives mean nothing to them; use \
         --recipe published or --flips single",
    )
}

fn init(init: &str, hierarchy: &Hierarchy) -> anyhow::Result<Init> {
    Ok(match init {
        "ones" => Init::Ones,
        "zeros" => Init::Zeros,
        "random" => Init::Random,
        "inherited" => Init::Inherited,
        path => {
            let model = Model::open(Path::new(path))
                .context("--init takes ones, zeros, random, inherited or a model file")?;
            Init::Codes(model.codes_for(hierarchy.names(), "the data")?)
        }
    })
}
