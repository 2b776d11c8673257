use std::fmt::Write;
use std::time::Instant;

use anyhow::Context;
use binder::place::{Asking, PlaceEvaluation, Scores, evaluate_with};
use serde::Serialize;

use super::args::EvalArgs;
use crate::files::{check_pairs, read_data};
use crate::models::{hierarchy, is_model};
use crate::progress::Bars;
use crate::terminal::{bold, duration, grouped, print, print_json};

pub(super) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let source = &args.data.source;
    let whole = match is_model(source) {
        true => hierarchy(source, &args.reading.options())?,
        false => read_data(source, &args.reading, &args.json)?.into(),
    };
    check_pairs(source, &whole)?;
    let embeddings = args.embeddings.read()?;
    let asking = Asking::default()
        .hide(args.hide)
        .share(args.share)
        .names_only(args.names_only)
        .seed(args.seed);
    let evaluation =
        evaluate_with(&whole, embeddings, &asking, &args.settings.params(), &Bars::default())
            .map_err(binder::Error::from)
            .with_context(|| source.display().to_string())?;
    let total_seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        return print_json(&Report { evaluation, total_seconds });
    }
    Ok(print(&text(&evaluation))?)
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    evaluation: PlaceEvaluation,
    total_seconds: f64,
}

fn text(found: &PlaceEvaluation) -> String {
    let queries = grouped(found.queries as u64);
    let mut text = format!(
        "{queries} hidden concepts; fitted in {}, {} a query\n",
        duration(found.seconds_fit),
        duration(found.seconds_ask)
    );
    let _ = writeln!(
        text,
        "  Hit@1 {}, Hit@5 {:.3}, Hit@10 {:.3}, MRR {:.3}, Wu-Palmer {:.3}",
        bold(&format!("{:.3}", found.hit1)),
        found.hit5,
        found.hit10,
        found.mrr,
        found.wup
    );
    let _ = writeln!(
        text,
        "  F1 of is-a {:.3}, of the safe answer {:.3}; without root pairs {:.3}, {:.3}",
        found.f1, found.safe_f1, found.f1_below_roots, found.safe_f1_below_roots
    );
    let _ = writeln!(
        text,
        "  calibration error {:.3}; of {:.1} % with p of 0.8 or more, {:.1} % are right",
        found.ece,
        100.0 * found.sure,
        100.0 * found.sure_hit1
    );
    let mut row = |what: &str, scores: &Scores| {
        let Scores { hit1, wup, f1, .. } = scores;
        let _ = writeln!(text, "  {what}: Hit@1 {hit1:.3}, Wu-Palmer {wup:.3}, F1 {f1:.3}");
    };
    row("votes of neighbours", &found.vote);
    row("first known word, first sense", &found.first_word);
    text
}
