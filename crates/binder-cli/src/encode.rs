use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use binder::Hierarchy;
use binder::encode::{Effort, EncodeParams, Encoding, encode, most_lost};
use binder::evaluate::{self, Evaluation};
use serde::Serialize;

use crate::args::{EffortArg, EncodeArgs};
use crate::output::{bold, check_output, counted, duration, grouped, print, print_json};
use crate::progress::Bars;

/// How many concepts are named that lose most under a budget.
const NAMED: usize = 10;

pub(crate) fn run(args: &EncodeArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    check_output(&args.output)?;
    let params = params(args);
    params.check()?;
    let hierarchy = binder::read(&args.data.source, &args.reading.options(), &Bars::default())?;
    let encoding_started = Instant::now();
    let encoding = encode(&hierarchy, &params, &Bars::default())?;
    let seconds = encoding_started.elapsed().as_secs_f64();
    let verification = Instant::now();
    let judged = evaluate::all_pairs_with(&encoding.codes, &hierarchy, &Bars::default())?;
    let mut report = Report::new(&hierarchy, &encoding, &judged);
    (report.seconds, report.verify_seconds) = (seconds, verification.elapsed().as_secs_f64());
    report.effort = params.effort.name();
    encoding.model(&hierarchy, &params, &judged)?.save(&args.output)?;
    report.total_seconds = started.elapsed().as_secs_f64();
    if args.json.json { print_json(&report) } else { Ok(print(&report.text(&args.output))?) }
}

fn params(args: &EncodeArgs) -> EncodeParams {
    let effort = match args.effort {
        EffortArg::Fast => Effort::Fast,
        EffortArg::Normal => Effort::Normal,
        EffortArg::Max => Effort::Max,
    };
    EncodeParams { effort, bits: args.bits, seed: args.seed }
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    bits: usize,
    forest_bits: usize,
    lower_bound: usize,
    effort: &'static str,
    /// All ordered pairs of different concepts, each of them checked.
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
    /// The concepts in most false pairs; none when the codes are exact.
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
    fn new(hierarchy: &Hierarchy, encoding: &Encoding, judged: &Evaluation) -> Self {
        let confusion = judged.confusion;
        let lost = if confusion.fp > 0 { most_lost(&encoding.codes, hierarchy, NAMED) } else { Vec::new() };
        let named = |lost: binder::encode::Lost| LostConcept {
            concept: hierarchy.name(lost.concept).to_owned(),
            false_parents: lost.false_parents,
            false_children: lost.false_children,
        };
        Self {
            entities: hierarchy.len(),
            bits: encoding.codes.bits(),
            forest_bits: encoding.forest_bits,
            lower_bound: encoding.lower_bound,
            effort: "",
            pairs_checked: confusion.pairs(),
            tp: confusion.tp,
            fp: confusion.fp,
            false_negatives: confusion.false_negatives,
            tn: confusion.tn,
            precision: confusion.precision(),
            recall: confusion.recall(),
            f1: confusion.f1(),
            equal_pairs: judged.equal_pairs,
            lost: lost.into_iter().map(named).collect(),
            seconds: 0.0,
            verify_seconds: 0.0,
            total_seconds: 0.0,
        }
    }

    fn text(&self, output: &Path) -> String {
        let mut text = format!(
            "{}: {}, {} each in {} (the forest alone {}, no exact codes below {})\n",
            bold(&output.display().to_string()),
            counted(self.entities, "concept"),
            bold(&counted(self.bits, "bit")),
            duration(self.seconds),
            self.forest_bits,
            self.lower_bound,
        );
        let verdict = match self.fp + self.false_negatives {
            0 => "no error".to_owned(),
            _ => format!(
                "F1 {:.3} %, {} look is-a and are not, none missed",
                self.f1 * 100.0,
                grouped(self.fp)
            ),
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
