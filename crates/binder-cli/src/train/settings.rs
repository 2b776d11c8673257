use anyhow::Context;
use binder::train::{Flips, Init, TrainParams};
use binder::{Hierarchy, Model};

use crate::args::TrainArgs;

/// The recipe's settings, changed by the options that were given.
pub(super) fn params(args: &TrainArgs, hierarchy: &Hierarchy) -> anyhow::Result<TrainParams> {
    let (given, mut params) = (&args.settings, args.recipe.params(args.on != "closure"));
    let set = |value: &mut u32, given: Option<u32>| *value = given.unwrap_or(*value);
    set(&mut params.alpha, given.alpha);
    set(&mut params.beta, given.beta);
    if let Some(negatives) = given.negatives {
        params.all_negatives = negatives.all;
        set(&mut params.negatives, negatives.per_positive);
    }
    set(&mut params.epochs, given.epochs);
    set(&mut params.patience, given.patience);
    params.bits = given.bits.unwrap_or(params.bits);
    params.rate = given.rate.unwrap_or(params.rate);
    params.bias = given.bias.unwrap_or(params.bias);
    params.chances = given.chances.unwrap_or(params.chances);
    set(&mut params.similarity, given.similarity);
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
    params.flips = given.flips.unwrap_or(params.flips);
    params.keep = given.keep.unwrap_or(params.keep);
    if let Some(init) = &given.init {
        params.init = self::init(init, hierarchy)?;
    }
    Ok(params)
}

/// Notes about options that have no effect.
pub(super) fn idle(args: &TrainArgs, params: &TrainParams) -> Option<&'static str> {
    let given = args.settings.alpha.is_some()
        || args.settings.negatives.is_some_and(|negatives| !negatives.all);
    (given && params.flips == Flips::Monotone).then_some(
        "monotone flips miss no training pair and look at every negative: --alpha and --negatives mean \
         nothing to them; use --recipe published or --flips single",
    )
}

fn init(init: &str, hierarchy: &Hierarchy) -> anyhow::Result<Init> {
    if let Ok(init) = init.parse() {
        return Ok(init);
    }
    let model =
        Model::open(init).context("--init takes ones, zeros, random, inherited or a model file")?;
    Ok(Init::Codes(model.codes_for(hierarchy.names(), "the data")?))
}
