//! `binder place`: where unseen concepts belong. One file per verb.

mod args;
mod ask;
mod eval;
mod fit;
mod open;

pub(crate) use args::PlaceArgs;
pub(crate) use open::open_placer;

use args::PlaceVerb;

pub(crate) fn run(args: &PlaceArgs) -> anyhow::Result<()> {
    match &args.verb {
        PlaceVerb::Fit(args) => fit::run(args),
        PlaceVerb::Ask(args) => ask::run(args),
        PlaceVerb::Eval(args) => eval::run(args),
    }
}
