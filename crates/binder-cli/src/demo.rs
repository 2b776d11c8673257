use std::path::PathBuf;
use std::time::Instant;

use binder::encode::EncodeParams;
use binder::read::Builtin;
use binder::train::{Recipe, Training, Validation};
use binder::{Codes, Hierarchy, Model, Progress, encode_with, evaluate, split};
use serde::Serialize;

use crate::args::DemoArgs;
use crate::progress::Bars;
use crate::terminal::{bold, duration, grouped, note, print, print_json};

/// The model file of the nouns.
const MODEL: &str = "wordnet-nouns.safetensors";

/// The number of training epochs with the paper's recipe: a few seconds.
const EPOCHS: u32 = 1000;

/// The questions to the codes: (child, parent) by WordNet's names.
const QUESTIONS: [(&str, &str); 6] = [
    ("puppy.n.01", "dog.n.01"),
    ("dog.n.01", "animal.n.01"),
    ("whale.n.02", "mammal.n.01"),
    ("whale.n.02", "fish.n.01"),
    ("piano.n.01", "percussion_instrument.n.01"),
    ("king.n.01", "queen.n.02"),
];

pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let nouns = Builtin::WordnetNouns.load();
    let (model, exact) = encode_nouns(nouns)?;
    model.save(MODEL)?;
    let animals = Builtin::WordnetAnimals.load();
    let rows = vec![
        exact,
        learn(&animals, Recipe::Published, "the paper's learner")?,
        learn(&animals, Recipe::Best, "our learner")?,
    ];
    let answers =
        QUESTIONS.map(|(child, parent)| Answer { child, parent, is_a: model.is_a(child, parent) });
    let report = Report {
        rows,
        answers: answers.to_vec(),
        model: MODEL.into(),
        total_seconds: started.elapsed().as_secs_f64(),
    };
    if args.json.json { print_json(&report) } else { Ok(print(&report.text())?) }
}

/// Exact codes of all nouns, checked on every pair.
fn encode_nouns(nouns: Hierarchy) -> anyhow::Result<(Model, Row)> {
    let encoded = encode_with(nouns, &EncodeParams::default(), &Bars::default())?;
    let (confusion, codes) = (encoded.evaluation.confusion, encoded.model.codes());
    note(&format!(
        "all {} pairs of WordNet's nouns are right; the codes are in {MODEL}",
        grouped(confusion.pairs())
    ));
    let row = Row {
        what: "nouns, every pair".to_owned(),
        how: "binder encode".to_owned(),
        f1: confusion.f1(),
        published: 0.9334,
        bits: codes.bits(),
        published_bits: 128,
        bytes: code_bytes(codes),
        seconds: encoded.encoding.as_secs_f64(),
    };
    Ok((encoded.model, row))
}

/// Trains on the direct pairs of the animals and evaluates on held-out pairs.
fn learn(animals: &Hierarchy, recipe: Recipe, whose: &str) -> anyhow::Result<Row> {
    let split = split(animals, &[0], 1)?;
    let params = recipe.params(true).with(|params| (params.epochs, params.seed) = (EPOCHS, 1));
    let params = params.check(animals.len())?;
    let validation = Validation::Listed { positives: &split.valid, negatives: &split.valid_neg };
    let work = Instant::now();
    let bars = Bars::default();
    bars.start(whose, Some(params.epochs.into()));
    let mut training = Training::new(animals.graph(), &params, validation)?;
    while !training.is_over() {
        training.step();
        bars.advance(1);
    }
    let (_, codes) = training.result();
    let judged = evaluate::listed(codes, &split.test, &split.test_neg);
    Ok(Row {
        what: "animals, held-out pairs".to_owned(),
        how: format!("binder train, {whose}"),
        f1: judged.confusion.f1(),
        published: 0.9899,
        bits: codes.bits(),
        published_bits: 128,
        bytes: code_bytes(codes),
        seconds: work.elapsed().as_secs_f64(),
    })
}

fn code_bytes(codes: &Codes) -> usize {
    size_of_val(codes.words())
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    answers: Vec<Answer>,
    model: PathBuf,
    total_seconds: f64,
}

#[derive(Serialize)]
struct Row {
    what: String,
    how: String,
    f1: f64,
    /// The score that the paper reports for the same task.
    published: f64,
    bits: usize,
    published_bits: usize,
    /// The size of all codes.
    bytes: usize,
    seconds: f64,
}

#[derive(Serialize, Clone, Copy)]
struct Answer {
    child: &'static str,
    parent: &'static str,
    is_a: Option<bool>,
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!(
            "\n{:<26}{:<34}{:>9}{:>11}{:>7}{:>10}{:>12}{:>10}\n",
            "", "", "F1 %", "published", "bits", "published", "bytes", "time"
        );
        for row in &self.rows {
            text += &format!(
                "{:<26}{:<34}{:>9.2}{:>11.2}{:>7}{:>10}{:>12}{:>10}\n",
                row.what,
                row.how,
                row.f1 * 100.0,
                row.published * 100.0,
                row.bits,
                row.published_bits,
                grouped(row.bytes as u64),
                duration(row.seconds),
            );
        }
        text += "\n\"Published\" is the BINDER paper's score for the same task. Asked of the codes alone:\n\n";
        for answer in &self.answers {
            let is_a = match answer.is_a {
                Some(true) => "yes",
                Some(false) => "no",
                None => "not known",
            };
            text += &format!("  is {} a {}?  {}\n", answer.child, answer.parent, bold(is_a));
        }
        text + NEXT
    }
}

/// What to try after the demo.
const NEXT: &str = "
Try next:
  binder serve wordnet-nouns.safetensors              a web page: search, bits, explanations, a map
  binder query wordnet-nouns.safetensors              a prompt: hypernyms, what concepts have in common, why
  binder info wordnet-nouns                           counts for a hierarchy; give a path for your own
  binder encode my-taxonomy.csv -o my.safetensors     exact codes for your own data
  binder export wordnet-nouns.safetensors -o nouns.parquet
  binder train wordnet-animals -o animals.safetensors --recipe published
  binder reproduce link-prediction --sets animals --quick -o results
";
