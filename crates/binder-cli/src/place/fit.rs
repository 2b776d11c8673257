use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use binder::Model;
use binder::encode::{Effort, EncodeParams};
use binder::output::check_space;
use binder::place::Placer;
use serde::Serialize;

use super::args::FitArgs;
use crate::files::{
    check_pairs, estimated_bytes, plan_model, print_report, read_data, reads, save_placer,
};
use crate::models::is_model;
use crate::progress::Bars;
use crate::terminal::{bold, counted, duration, print_json};

/// A placer is about so many bytes larger than its model.
const PREDICTOR: u64 = 16_000_000;

pub(super) fn run(args: &FitArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut plan = args.force.plan();
    plan.reads(&args.source);
    reads(&mut plan, args.embeddings.files());
    plan_model(&mut plan, &args.output, args.json.json)?;
    let embeddings = args.embeddings.read()?;
    let (model, encoding) = model(args)?;
    check_space(&args.output, estimated_bytes(model.hierarchy()) + PREDICTOR)?;
    let work = Instant::now();
    let placer = Placer::fit_with(model, embeddings, &args.settings.params(), &Bars::default())
        .map_err(binder::Error::from)
        .with_context(|| args.source.display().to_string())?;
    let seconds = encoding + work.elapsed().as_secs_f64();
    let bytes = save_placer(&placer, &args.output)?;
    let report = Report {
        entities: placer.model().hierarchy().len(),
        bits: placer.model().codes().bits(),
        bytes,
        seconds,
        total_seconds: started.elapsed().as_secs_f64(),
    };
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(&args.output), &args.output)
}

/// The model to learn from, and how long it took to encode it.
fn model(args: &FitArgs) -> anyhow::Result<(Model, f64)> {
    if is_model(&args.source) {
        return Ok((Model::open(&args.source)?, 0.0));
    }
    let hierarchy = read_data(&args.source, &args.reading, &args.json)?;
    check_pairs(&args.source, &hierarchy)?;
    let fast = EncodeParams::default().effort(Effort::Fast);
    let encoded = binder::encode_with(hierarchy, &fast, &Bars::default())?;
    Ok((encoded.model, (encoded.encoding + encoded.checking).as_secs_f64()))
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    bits: usize,
    /// The size of the file.
    bytes: usize,
    seconds: f64,
    total_seconds: f64,
}

impl Report {
    fn text(&self, output: &Path) -> String {
        format!(
            "{}: learnt from {} in {}; {:.1} MB\n",
            bold(&output.display().to_string()),
            counted(self.entities, "concept"),
            duration(self.seconds),
            self.bytes as f64 / 1e6,
        )
    }
}
