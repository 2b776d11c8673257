//! `binder place`: where unseen concepts belong. One file per verb.

mod args;
mod ask;
mod eval;
mod fit;

pub(crate) use args::PlaceArgs;

use args::PlaceVerb;

pub(crate) fn run(args: &PlaceArgs) -> anyhow::Result<()> {
    match &args.verb {
        PlaceVerb::Fit(args) => fit::run(args),
        PlaceVerb::Ask(args) => ask::run(args),
        PlaceVerb::Eval(args) => eval::run(args),
    }
}
