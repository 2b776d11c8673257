//! Exact codes of every data set at hand, next to the paper's scores at 128 bits.

use std::path::Path;
use std::time::Instant;

use binder::encode::{EncodeParams, encode};
use binder::read::ReadOptions;
use binder::{Hierarchy, evaluate};
use serde_json::{Value, json};

use super::Plan;
use super::data::Task;
use super::published::table as published;
use super::report::{Report, table, write_csv};
use crate::output::grouped;
use crate::progress::Bars;

const HEADER: &str = "set,entities,direct,closure,bits,lower_bound,errors,seconds,verify_seconds";

const LEGEND: &str = "`binder encode` with its default effort, from the direct pairs alone. Errors are counted over all n² − n ordered pairs. \
    \"Paper\" is the F1 in % of the BINDER paper's representation, which learns from the whole closure and takes 128 bits.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let mut rows = Vec::new();
    plan.each_set(|data| {
        let paper = published(Task::Representation).zip(data.info.column);
        let paper = paper.map(|(table, column)| table.binder[column]);
        rows.push(encoded(data.info.title, data.info.name, &data.hierarchy, paper)?);
        Ok(())
    })?;
    for (name, hierarchy) in extras(plan.args.data.as_deref())? {
        rows.push(encoded(&name, &name, &hierarchy, None)?);
    }
    let lines: Vec<String> = rows.iter().map(|row| row.csv.clone()).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head =
        ["Data", "concepts", "direct pairs", "bits", "at least", "errors", "seconds", "paper, 128 bits"];
    let cells: Vec<Vec<String>> = rows.iter().map(|row| row.cells.clone()).collect();
    Ok(Report {
        title: "Exact codes",
        text: format!("{LEGEND}{}", table(&head.map(str::to_owned), &cells)),
        values: json!({ "rows": rows.into_iter().map(|row| row.value).collect::<Vec<_>>() }),
        drawings: Vec::new(),
    })
}

struct Row {
    cells: Vec<String>,
    csv: String,
    value: Value,
}

fn encoded(title: &str, name: &str, hierarchy: &Hierarchy, paper: Option<(f64, f64)>) -> anyhow::Result<Row> {
    let started = Instant::now();
    let encoding = encode(hierarchy, &EncodeParams::default(), &Bars::default())?;
    let seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let errors = evaluate::all_pairs(&encoding.codes, hierarchy).confusion.errors();
    let (verify, bits, bound) =
        (started.elapsed().as_secs_f64(), encoding.codes.bits(), encoding.lower_bound);
    let (n, direct) = (hierarchy.len(), hierarchy.direct());
    Ok(Row {
        cells: vec![
            title.to_owned(),
            grouped(n as u64),
            grouped(direct as u64),
            bits.to_string(),
            bound.to_string(),
            errors.to_string(),
            format!("{seconds:.1}"),
            paper.map_or_else(|| "–".to_owned(), |(mean, sd)| format!("{mean:.2} ± {sd:.2}")),
        ],
        csv: format!(
            "{name},{n},{direct},{},{bits},{bound},{errors},{seconds:.3},{verify:.3}",
            hierarchy.closure_len()
        ),
        value: json!({ "set": name, "entities": n, "bits": bits, "lower_bound": bound, "errors": errors, "seconds": seconds }),
    })
}

/// What else lies in `DATA/extra`, by name.
fn extras(data: Option<&Path>) -> anyhow::Result<Vec<(String, Hierarchy)>> {
    let Some(folder) = data.map(|data| data.join("extra")).filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let mut files: Vec<_> =
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    files.retain(|file| file.extension().is_some_and(|ending| ending != "md"));
    let read = |file: std::path::PathBuf| {
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let hierarchy = binder::read(&file.display().to_string(), &ReadOptions::default(), &Bars::default())?;
        Ok((name.split('.').next().unwrap_or(&name).to_owned(), hierarchy))
    };
    files.into_iter().map(read).collect()
}
