use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use binder::place::Place;
use binder::{Growth, Model};
use serde::Serialize;

use crate::args::AddArgs;
use crate::files::{plan_model, print_report, reads, save_model};
use crate::pairs::check_some;
use crate::place::open_placer;
use crate::progress::Bars;
use crate::terminal::{bold, counted, duration, grouped, print_json};

/// A new concept and its parents.
type New = (String, Vec<String>);

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let output = args.output.as_deref().unwrap_or(&args.model);
    let mut plan = args.force.plan();
    reads(&mut plan, &args.pairs);
    reads(&mut plan, &args.placer);
    if args.output.is_some() {
        plan.reads(&args.model);
    }
    plan_model(&mut plan, output, args.json.json)?;
    // Kept until the new model is in place: another writer waits, and then adds to that.
    let _lock = args.waiting.lock(&args.model)?;
    let model = Model::open(&args.model)?;
    let mut growth = Growth::new(&model);
    let work = Instant::now();
    match (&args.name, &args.expression, &args.pairs) {
        (Some(name), Some(expression), _) => {
            growth.add_expression(name, expression, &model.into_index())?;
        }
        (Some(name), None, _) if args.placer.is_some() => {
            let parents = place(name, args, &model)?;
            growth.add_all(vec![(name.clone(), parents)])?;
        }
        (Some(name), None, _) => growth.add_all(vec![(name.clone(), args.parents.clone())])?,
        (None, _, Some(file)) => growth.add_all(read(file, args)?)?,
        (None, _, None) => unreachable!("clap asks for one or the other"),
    }
    if let (Some(name), Some(definition)) = (&args.name, &args.definition) {
        growth.define(name, definition);
    }
    let seconds = work.elapsed().as_secs_f64();
    let grown = growth.finish(&Bars::default())?;
    save_model(&grown.model, output)?;
    let confusion = grown.evaluation.confusion;
    let report = Report {
        entities: grown.model.codes().len(),
        added: grown.added,
        bits: grown.model.codes().bits(),
        appended_bits: grown.appended_bits,
        changed: grown.changed,
        tp: confusion.tp,
        fp: confusion.fp,
        false_negatives: confusion.false_negatives,
        f1: confusion.f1(),
        seconds,
        total_seconds: started.elapsed().as_secs_f64(),
    };
    if args.json.json {
        return print_json(&report);
    }
    print_report(&report.text(output), output)
}

/// The parents that a placer finds, if it is sure enough of them.
fn place(name: &str, args: &AddArgs, model: &Model) -> anyhow::Result<Vec<String>> {
    let Some(path) = &args.placer else { return Ok(Vec::new()) };
    let placer = open_placer(path, args.encoder.as_deref())?;
    placer.check_model(model).with_context(|| path.display().to_string())?;
    let concepts = placer.model().hierarchy();
    let answer = placer.place(name, args.definition.as_deref().unwrap_or(""));
    let shown = |place: &Place| format!("{} ({:.3})", concepts.name(place.concept), place.p);
    if let Some(same) = &answer.same_as {
        anyhow::bail!(
            "{name}: rather another name of {}; give --parent to add it all the same",
            concepts.name(same.concept)
        );
    }
    let of_parents = answer.places.iter().filter(|place| answer.parents.contains(&place.concept));
    let p: f64 = of_parents.map(|place| place.p).sum::<f64>().min(1.0);
    if answer.parents.is_empty() || p < args.min_p {
        let best: Vec<String> = answer.places.iter().take(3).map(shown).collect();
        let safe = answer.safe.as_ref().map_or_else(|| "nowhere".to_owned(), shown);
        anyhow::bail!(
            "{name}: not sure enough of a place, {p:.3} instead of {}; the likeliest are {}, safe \
             is {safe}; give a longer --definition, a lower --min-p, or --parent",
            args.min_p,
            best.join(", "),
        );
    }
    Ok(answer.parents.iter().map(|&parent| concepts.name(parent).to_owned()).collect())
}

/// The children of a file's pairs, each with all its parents, as they come.
fn read(file: &Path, args: &AddArgs) -> anyhow::Result<Vec<New>> {
    let (mut new, mut places) = (Vec::<New>::new(), HashMap::new());
    binder::read::for_each_pair(
        file,
        &args.reading.options(),
        &Bars::default(),
        |child, parent| {
            let place = *places.entry(child.to_owned()).or_insert_with(|| {
                new.push((child.to_owned(), Vec::new()));
                new.len() - 1
            });
            new[place].1.push(parent.to_owned());
            Ok(())
        },
    )?;
    check_some(file, &new)?;
    Ok(new)
}

#[derive(Serialize)]
struct Report {
    entities: usize,
    added: usize,
    bits: usize,
    appended_bits: usize,
    /// Old codes that have an appended bit.
    changed: usize,
    /// Over all pairs, including those of new concepts.
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
        let changed = match self.changed {
            0 => String::new(),
            codes => format!("  {} of old concepts have an appended bit\n", counted(codes, "code")),
        };
        format!(
            "{}: {} added in {}, now {} concepts, {} ({} appended)\n{changed}  over all pairs: \
             fp {}, fn {}\n",
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
