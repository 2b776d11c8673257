use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use binder::Choice;
use binder::encode::{EncodeParams, Lost, most_lost};
use binder::model::Encoded;
use serde::Serialize;

use binder::output::check_space;

use crate::args::EncodeArgs;
use crate::files::{estimated_bytes, plan_model, print_report, read_pairs_of, save_model};
use crate::progress::Bars;
use crate::terminal::{bold, counted, duration, grouped, print_json};

/// How many concepts with the most false pairs are listed when a budget of bits is too small.
const NAMED: usize = 10;

pub(crate) fn run(args: &EncodeArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut plan = args.force.plan();
    plan.reads(&args.data.source);
    plan_model(&mut plan, &args.output, args.json.json)?;
    let limited = EncodeParams::default().bits(args.bits).words(args.words);
    let params = limited.room(args.room).effort(args.effort).seed(args.seed);
    params.check()?;
    let hierarchy = read_pairs_of(&args.data, &args.reading, &args.json)?.keeping(args.kept.texts);
    check_space(&args.output, estimated_bytes(&hierarchy))?;
    let encoded = binder::encode_with(hierarchy, &params, &Bars::default())?;
    let mut report = Report::new(&encoded, &params);
    save_model(&encoded.model, &args.output)?;
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(&args.output), &args.output)
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    bits: usize,
    /// The 64-bit words of a code: what it takes in memory.
    words: usize,
    /// Those of the bits that are room for later versions.
    room: usize,
    forest_bits: usize,
    lower_bound: usize,
    effort: &'static str,
    /// The number of ordered pairs of different concepts, all of them checked.
    pairs_checked: u64,
    tp: u64,
    fp: u64,
    #[serde(rename = "fn")]
    false_negatives: u64,
    tn: u64,
    precision: f64,
    recall: f64,
    f1: f64,
    equal_pairs: u64,
    /// The concepts in the most false pairs; empty if the codes are exact.
    lost: Vec<LostConcept>,
    seconds: f64,
    verify_seconds: f64,
    total_seconds: f64,
}

#[derive(Serialize)]
struct LostConcept {
    concept: String,
    false_parents: u64,
    false_children: u64,
}

impl Report {
    fn new(encoded: &Encoded, params: &EncodeParams) -> Self {
        let (model, confusion) = (&encoded.model, encoded.evaluation.confusion);
        let (hierarchy, codes) = (model.hierarchy(), model.codes());
        let lost = if confusion.fp > 0 { most_lost(codes, hierarchy, NAMED) } else { Vec::new() };
        let named = |lost: Lost| LostConcept {
            concept: hierarchy.name(lost.concept).to_owned(),
            false_parents: lost.false_parents,
            false_children: lost.false_children,
        };
        Self {
            entities: hierarchy.len(),
            bits: codes.bits(),
            words: codes.words_per_row(),
            room: params.room,
            forest_bits: encoded.forest_bits,
            lower_bound: encoded.lower_bound,
            effort: params.effort.name(),
            pairs_checked: confusion.pairs(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            tn: confusion.tn,
            precision: confusion.precision(),
            recall: confusion.recall(),
            f1: confusion.f1(),
            equal_pairs: encoded.evaluation.equal_pairs,
            lost: lost.into_iter().map(named).collect(),
            seconds: encoded.encoding.as_secs_f64(),
            verify_seconds: encoded.checking.as_secs_f64(),
            total_seconds: 0.0,
        }
    }

    fn text(&self, output: &Path) -> String {
        let mut text = format!(
            "{}: {}, {} each ({}) in {} (spanning forest alone {}, lower bound {})\n",
            bold(&output.display().to_string()),
            counted(self.entities, "concept"),
            bold(&counted(self.bits, "bit")),
            counted(self.words, "word"),
            duration(self.seconds),
            self.forest_bits,
            self.lower_bound,
        );
        if self.room > 0 {
            let _ = writeln!(text, "  {} of room for later versions", counted(self.room, "bit"));
        }
        let verdict = match self.fp + self.false_negatives {
            0 => "no error".to_owned(),
            _ => format!("F1 {:.3} %, {} false, none missed", self.f1 * 100.0, grouped(self.fp)),
        };
        let (pairs, time) = (grouped(self.pairs_checked), duration(self.verify_seconds));
        let _ = writeln!(text, "  all {pairs} pairs checked in {time}: {verdict}");
        for lost in &self.lost {
            let (parents, children) = (grouped(lost.false_parents), grouped(lost.false_children));
            let _ = writeln!(
                text,
                "  {} seems below {parents} and above {children} too many",
                bold(&lost.concept)
            );
        }
        text
    }
}
