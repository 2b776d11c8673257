use std::path::Path;

use anyhow::Context;
use binder::train::{Init, Keep, Recipe, TrainParams};
use binder::{Hierarchy, Model};

use crate::args::{KeepArg, RecipeArg, TrainArgs};

/// The recipe's settings, with what was asked for on top of them.
pub(super) fn params(args: &TrainArgs, hierarchy: &Hierarchy) -> anyhow::Result<TrainParams> {
    let recipe = match args.recipe {
        RecipeArg::Paper => Recipe::Paper,
        RecipeArg::Published => Recipe::Published,
    };
    let (given, mut params) = (&args.settings, recipe.params(args.on != "closure"));
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
        params.keep = Keep::Last;
    }
    if let Some(keep) = given.keep {
        params.keep = match keep {
            KeepArg::F1 => Keep::F1,
            KeepArg::Loss => Keep::Loss,
            KeepArg::Last => Keep::Last,
        };
    }
    if let Some(init) = &given.init {
        params.init = self::init(init, hierarchy)?;
    }
    Ok(params)
}

fn init(init: &str, hierarchy: &Hierarchy) -> anyhow::Result<Init> {
    Ok(match init {
        "ones" => Init::Ones,
        "zeros" => Init::Zeros,
        "random" => Init::Random,
        path => {
            let model =
                Model::open(Path::new(path)).context("--init takes ones, zeros, random or a model file")?;
            Init::Codes(model.codes_for(hierarchy.names(), "the data")?)
        }
    })
}
