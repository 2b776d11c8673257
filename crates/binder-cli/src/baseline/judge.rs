use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use binder::Progress;
use binder_baselines::Baseline;
use binder_baselines::evaluate::{self, HITS, Judgement};
use serde::Serialize;

use crate::args::EvalArgs;
use crate::eval::WrongPair;
use crate::pairs::read_both;
use crate::progress::Bars;
use crate::terminal::{bold, counted, duration, grouped, note};

/// Judges a baseline as `binder eval` judges codes.
pub(crate) fn judge(args: &EvalArgs, model: &Baseline) -> anyhow::Result<Report> {
    match (&args.against, &args.positives, &args.negatives) {
        (Some(data), ..) => against(args, model, data),
        (None, Some(positives), Some(negatives)) => listed(args, model, positives, negatives),
        _ => unreachable!("clap asks for one or the other"),
    }
}

/// All pairs of a hierarchy's concepts.
fn against(args: &EvalArgs, model: &Baseline, data: &Path) -> anyhow::Result<Report> {
    let truth = binder::read(data, &args.reading.options(), &Bars::default())?;
    let shown = data.display().to_string();
    let scores = model.scores_for(truth.names(), &shown)?;
    if truth.len() < model.hierarchy().len() {
        let more = counted(model.hierarchy().len() - truth.len(), "concept");
        note(&format!(
            "the model has {more} that {shown} does not have; no pair of them is judged"
        ));
    }
    let started = Instant::now();
    let bars = Bars::default();
    let threshold = model.threshold().at;
    let judged = evaluate::all_pairs(&*scores, threshold, &truth, &bars)?;
    let mut report = Report::new(model, truth.len(), judged, started.elapsed().as_secs_f64());
    if args.mistakes > 0 && judged.measures.confusion.errors() > 0 {
        bars.start("listing mistakes", None);
        let most = args.mistakes as usize;
        let wrong = evaluate::first_mistakes(&*scores, threshold, &truth, most, &bars)?;
        report.mistakes = WrongPair::of(&truth, &wrong);
    }
    Ok(report)
}

/// The pairs of two files.
fn listed(
    args: &EvalArgs,
    model: &Baseline,
    positives: &Path,
    negatives: &Path,
) -> anyhow::Result<Report> {
    let concepts = model.hierarchy();
    let (positives, negatives) =
        read_both(positives, negatives, &args.reading.options(), concepts)?;
    let (started, scores) = (Instant::now(), model.scores());
    let threshold = model.threshold().at;
    let judged = evaluate::listed(&*scores, threshold, &positives, &negatives, concepts);
    let mut report = Report::new(model, concepts.len(), judged, started.elapsed().as_secs_f64());
    let most = args.mistakes as usize;
    let wrong = evaluate::first_listed_mistakes(&*scores, threshold, &positives, &negatives, most);
    report.mistakes = WrongPair::of(concepts, &wrong);
    Ok(report)
}

#[derive(Serialize)]
pub(crate) struct Report {
    entities: usize,
    method: String,
    dim: usize,
    /// Numbers per concept.
    numbers: usize,
    pairs: u64,
    #[serde(flatten)]
    judged: Judgement,
    precision: f64,
    recall: f64,
    f1: f64,
    accuracy: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mistakes: Vec<WrongPair>,
    seconds: f64,
    pub(crate) total_seconds: f64,
}

impl Report {
    fn new(model: &Baseline, entities: usize, judged: Judgement, seconds: f64) -> Self {
        let confusion = judged.measures.confusion;
        Self {
            entities,
            method: model.method().to_string(),
            dim: model.params().dim,
            numbers: model.numbers(),
            pairs: confusion.pairs(),
            precision: confusion.precision(),
            recall: confusion.recall(),
            f1: confusion.f1(),
            accuracy: confusion.accuracy(),
            judged,
            mistakes: Vec::new(),
            seconds,
            total_seconds: 0.0,
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{} pairs of {} concepts evaluated in {}; {}, {} numbers per concept\n\n",
            grouped(self.pairs),
            grouped(self.entities as u64),
            duration(self.seconds),
            bold(&self.method),
            self.numbers,
        );
        let measures = &self.judged.measures;
        let confusion = &measures.confusion;
        let _ = writeln!(
            text,
            "F1 {:.3} % (precision {:.3} %, recall {:.3} %; tp {}, fp {}, fn {}) at the threshold {} \
             that was chosen on other pairs",
            self.f1 * 100.0,
            self.precision * 100.0,
            self.recall * 100.0,
            grouped(confusion.tp),
            grouped(confusion.fp),
            grouped(confusion.false_negatives),
            measures.threshold,
        );
        let _ = writeln!(
            text,
            "F1 {:.3} % at {}, the best threshold for these very pairs",
            measures.best_f1 * 100.0,
            measures.best_threshold,
        );
        text += &ranking(&self.judged);
        self.mistakes.iter().for_each(|wrong| text += &wrong.text("the vectors say"));
        text
    }
}

/// The measures of the order alone, as a line of text.
pub(crate) fn ranking(judged: &Judgement) -> String {
    let hits = HITS.iter().zip(judged.hits);
    let hits: String =
        hits.map(|(k, share)| format!(", Hits@{k} {:.2} %", share * 100.0)).collect();
    format!(
        "AUC {:.3} %, average precision {:.3} %, MRR {:.4}{hits}\n",
        judged.measures.auc * 100.0,
        judged.measures.average_precision * 100.0,
        judged.mrr,
    )
}
