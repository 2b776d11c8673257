use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use binder::container::{ContainerError, FileError};
use binder::evaluate::{self, Confusion, Evaluation, Mistake};
use binder::{Hierarchy, Model, Progress};
use binder_baselines::Baseline;
use binder_baselines::evaluate::{self as ranking, Judgement, code_scores};
use serde::Serialize;

use crate::args::EvalArgs;
use crate::baseline;
use crate::files::read_data;
use crate::models;
use crate::pairs::read_both;
use crate::progress::Bars;
use crate::terminal::{bold, counted, duration, grouped, note, print, print_json};

pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let model = match models::model(&args.model) {
        Err(error) if is_baseline(&error) => return of_baseline(args, started),
        opened => opened?,
    };
    let mut report = match (&args.against, &args.positives, &args.negatives) {
        (Some(data), ..) => against(args, &model, data)?,
        (None, Some(positives), Some(negatives)) => listed(args, &model, positives, negatives)?,
        _ => unreachable!("clap asks for one or the other"),
    };
    report.bits = model.codes().bits();
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text())?) }
}

/// Whether a file is no model because it is a baseline.
fn is_baseline(error: &anyhow::Error) -> bool {
    let problem = error.downcast_ref::<FileError>().map(|error| &error.problem);
    matches!(problem, Some(ContainerError::OtherFormat { found: Some("baseline"), .. }))
}

fn of_baseline(args: &EvalArgs, started: Instant) -> anyhow::Result<()> {
    let mut report = baseline::judge(args, &Baseline::open(&args.model)?)?;
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text())?) }
}

/// Whether the model was made from the pairs of its hierarchy, and not from a file of others. Only
/// then does their closure say what can be had without codes.
fn learnt_from_data(model: &Model) -> bool {
    model.notes().get("on").is_none_or(|on| ["direct", "closure"].contains(&&**on))
}

/// All pairs of a hierarchy's concepts.
fn against(args: &EvalArgs, model: &Model, data: &Path) -> anyhow::Result<Report> {
    let truth = read_data(data, &args.reading, &args.json)?;
    let shown = data.display().to_string();
    let codes = model.codes_for(truth.names(), &shown)?;
    if codes.len() < model.codes().len() {
        let more = counted(model.codes().len() - codes.len(), "concept");
        note(&format!(
            "the model has {more} that {shown} does not have; no pair of them is judged"
        ));
    }
    if truth.len() < 2 {
        note(&format!(
            "{shown} has {}: there is no pair to judge",
            counted(truth.len(), "concept")
        ));
    }
    let started = Instant::now();
    let judged = evaluate::all_pairs_with(&codes, &truth, &Bars::default())?;
    let seconds = started.elapsed().as_secs_f64();
    let bars = Bars::default();
    bars.start("evaluating the references", None);
    let closure =
        learnt_from_data(model).then(|| evaluate::closure_on_all_pairs(model.hierarchy(), &truth));
    let descendants = evaluate::descendants_on_all_pairs(&truth);
    let mut report = Report::new(truth.len(), judged, seconds, closure, descendants);
    if args.ranking {
        report.ranking = Some(ranking::all_pairs(&code_scores(&codes), 0.0, &truth, &bars)?);
    }
    if args.mistakes > 0 && judged.confusion.errors() > 0 {
        bars.start("listing mistakes", None);
        let wrong = evaluate::first_mistakes(&codes, &truth, args.mistakes as usize);
        report.mistakes = WrongPair::of(&truth, &wrong);
    }
    Ok(report)
}

/// Evaluates the pairs of two files.
fn listed(
    args: &EvalArgs,
    model: &Model,
    positives: &Path,
    negatives: &Path,
) -> anyhow::Result<Report> {
    let concepts = model.hierarchy();
    let (positives, negatives) =
        read_both(positives, negatives, &args.reading.options(), concepts)?;
    let started = Instant::now();
    let judged = evaluate::listed(model.codes(), &positives, &negatives);
    let seconds = started.elapsed().as_secs_f64();
    let closure = learnt_from_data(model)
        .then(|| evaluate::closure_on_listed(concepts, &positives, &negatives));
    let descendants = evaluate::descendants_on_listed(concepts, &positives, &negatives);
    let mut report = Report::new(concepts.len(), judged, seconds, closure, descendants);
    report.ranking = args.ranking.then(|| {
        ranking::listed(&code_scores(model.codes()), 0.0, &positives, &negatives, concepts)
    });
    let wrong = evaluate::first_listed_mistakes(
        model.codes(),
        &positives,
        &negatives,
        args.mistakes as usize,
    );
    report.mistakes = WrongPair::of(concepts, &wrong);
    Ok(report)
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    bits: usize,
    pairs: u64,
    #[serde(flatten)]
    codes: Scores,
    equal_pairs: u64,
    /// How well the number of lacking bits puts the pairs in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranking: Option<Judgement>,
    /// The scores of predictors without codes on the same pairs.
    references: References,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mistakes: Vec<WrongPair>,
    seconds: f64,
    total_seconds: f64,
}

#[derive(Serialize)]
struct References {
    /// `None` if it is not known what the model was trained on.
    closure_of_training_pairs: Option<Scores>,
    many_descendants: Scores,
}

#[derive(Serialize)]
struct Scores {
    #[serde(flatten)]
    confusion: Confusion,
    precision: f64,
    recall: f64,
    f1: f64,
    accuracy: f64,
}

impl From<Confusion> for Scores {
    fn from(confusion: Confusion) -> Self {
        Self {
            precision: confusion.precision(),
            recall: confusion.recall(),
            f1: confusion.f1(),
            accuracy: confusion.accuracy(),
            confusion,
        }
    }
}

/// A pair that a model predicts wrongly, by name.
#[derive(Serialize)]
pub(crate) struct WrongPair {
    child: String,
    parent: String,
    truly: bool,
}

impl WrongPair {
    pub(crate) fn of(truth: &Hierarchy, mistakes: &[Mistake]) -> Vec<Self> {
        let name = |id| truth.name(id).to_owned();
        let named = |&Mistake { child, parent, truly }: &Mistake| Self {
            child: name(child),
            parent: name(parent),
            truly,
        };
        mistakes.iter().map(named).collect()
    }

    /// A line of text; `they` are what gave the answer.
    pub(crate) fn text(&self, they: &str) -> String {
        let verdict = if self.truly { ("is-a", "no") } else { ("is not", "yes") };
        let (child, parent) = (bold(&self.child), bold(&self.parent));
        format!("  {child} is-a {parent}: {}, but {they} {}\n", verdict.0, verdict.1)
    }
}

impl Report {
    fn new(
        entities: usize,
        judged: Evaluation,
        seconds: f64,
        closure: Option<Confusion>,
        descendants: Confusion,
    ) -> Self {
        Self {
            entities,
            bits: 0,
            pairs: judged.confusion.pairs(),
            codes: judged.confusion.into(),
            equal_pairs: judged.equal_pairs,
            ranking: None,
            references: References {
                closure_of_training_pairs: closure.map(Into::into),
                many_descendants: descendants.into(),
            },
            mistakes: Vec::new(),
            seconds,
            total_seconds: 0.0,
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} pairs of {} concepts evaluated in {}; {} with equal codes\n\n",
            grouped(self.pairs),
            grouped(self.entities as u64),
            duration(self.seconds),
            grouped(self.equal_pairs),
        );
        let heads = ["F1 %", "precision", "recall", "tp", "fp", "fn"];
        let _ = writeln!(text, "{:<28}{}", "", heads.map(|head| format!("{head:>14}")).concat());
        text += &row(&format!("codes, {}", counted(self.bits, "bit")), &self.codes);
        let closure = self.references.closure_of_training_pairs.as_ref();
        text.extend(closure.map(|scores| row("closure of training pairs", scores)));
        text += &row("many descendants, best cut", &self.references.many_descendants);
        text.extend(self.ranking.as_ref().map(baseline::ranking));
        self.mistakes.iter().for_each(|wrong| text += &wrong.text("the codes say"));
        text
    }
}

fn row(name: &str, scores: &Scores) -> String {
    let percent = |share: f64| format!("{:>14.3}", share * 100.0);
    let counts = [scores.confusion.tp, scores.confusion.fp, scores.confusion.false_negatives];
    let counts = counts.map(|count| format!("{:>14}", grouped(count)));
    format!(
        "{name:<28}{}{}\n",
        [scores.f1, scores.precision, scores.recall].map(percent).concat(),
        counts.concat()
    )
}
