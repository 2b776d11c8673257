use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use binder::query::Index;
use binder::{Growth, Model, evaluate};
use serde::Serialize;

use crate::args::AddArgs;
use crate::output::{bold, counted, duration, grouped, print, print_json};
use crate::progress::Bars;

/// A new concept and its parents.
type New = (String, Vec<String>);

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let model = Model::open(&args.model)?;
    let mut growth = Growth::new(&model);
    let seconds = match (&args.name, &args.expression, &args.pairs) {
        (Some(name), Some(expression), _) => {
            timed(|| growth.add_expression(name, expression, &Index::new(model.clone())))?
        }
        (Some(name), None, _) => timed(|| growth.add_all(vec![(name.clone(), args.parents.clone())]))?,
        (None, _, file) => {
            let new = file.as_deref().map_or(Ok(Vec::new()), |file| read(file, args))?;
            timed(|| growth.add_all(new))?
        }
    };
    let added = growth.added();
    let grown = growth.finish()?;
    let output = args.output.as_deref().unwrap_or(&args.model);
    let judged = evaluate::all_pairs(grown.codes(), grown.hierarchy());
    let grown = grown.with_check(&judged);
    grown.save(output)?;
    let confusion = judged.confusion;
    let report = Report {
        entities: grown.codes().len(),
        added,
        bits: grown.codes().bits(),
        appended_bits: grown.codes().bits() - model.codes().bits(),
        tp: confusion.tp,
        fp: confusion.fp,
        false_negatives: confusion.false_negatives,
        f1: confusion.f1(),
        seconds,
        total_seconds: started.elapsed().as_secs_f64(),
    };
    if args.json.json { print_json(&report) } else { Ok(print(&report.text(output))?) }
}

/// How many seconds something took.
fn timed(work: impl FnOnce() -> Result<(), binder::Error>) -> anyhow::Result<f64> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().as_secs_f64())
}

/// The children of a file's pairs, each with all its parents, as they come.
fn read(file: &str, args: &AddArgs) -> anyhow::Result<Vec<New>> {
    let (mut new, mut places) = (Vec::<New>::new(), HashMap::new());
    binder::read::for_each_pair(file, &args.reading.options(), &Bars::default(), |child, parent| {
        let place = *places.entry(child.to_owned()).or_insert_with(|| {
            new.push((child.to_owned(), Vec::new()));
            new.len() - 1
        });
        new[place].1.push(parent.to_owned());
        Ok(())
    })?;
    Ok(new)
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    added: usize,
    bits: usize,
    appended_bits: usize,
    /// Over all pairs, the new concepts' among them.
    tp: u64,
    fp: u64,
    #[serde(rename = "fn")]
    false_negatives: u64,
    f1: f64,
    seconds: f64,
    total_seconds: f64,
}

impl Report {
    fn text(&self, output: &Path) -> String {
        format!(
            "{}: {} added in {}, now {} concepts, {} ({} appended)\n  over all pairs: fp {}, fn {}\n",
            bold(&output.display().to_string()),
            counted(self.added, "concept"),
            duration(self.seconds),
            grouped(self.entities as u64),
            counted(self.bits, "bit"),
            self.appended_bits,
            grouped(self.fp),
            grouped(self.false_negatives),
        )
    }
}
