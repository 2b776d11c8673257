//! Exact codes of every available data set, beside the paper's scores at 128 bits.

use std::path::{Path, PathBuf};

use binder::encode::EncodeParams;
use binder::read::ReadOptions;
use binder::{Hierarchy, encode_with};
use serde_json::{Value, json};

use crate::plan::Plan;
use crate::published::{self, MeanSd};
use crate::report::{Report, table, write_csv};
use crate::task::Task;
use crate::{Error, Listener};
use binder_answers::grouped;

const HEADER: &str = "set,entities,direct,closure,bits,lower_bound,errors,seconds,verify_seconds";

const LEGEND: &str = "`binder encode` with its default effort, from the direct pairs alone. Errors \
    are counted over all n² − n ordered pairs. \"At least\" is a lower bound: no exact codes have \
    fewer bits. \"Paper\" is the F1 in % of BINDER in the paper's table of representation, which \
    learns from the whole closure and takes 128 bits.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let mut rows = Vec::new();
    plan.each_set(|data| {
        let (set, hierarchy) = (data.info, &data.hierarchy);
        let paper = published::binder(Task::Representation, set);
        rows.push(Row::new(set.title, set.name, hierarchy, paper, plan.listener)?);
        Ok(())
    })?;
    if let Some(data) = &plan.request.data {
        for file in files(&data.join("extra"))? {
            let (name, hierarchy) = read(&file, plan.listener)?;
            rows.push(Row::new(&name, &name, &hierarchy, None, plan.listener)?);
        }
    }
    let lines: Vec<_> = rows.iter().map(Row::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head = [
        "Data",
        "concepts",
        "direct pairs",
        "bits",
        "at least",
        "errors",
        "seconds",
        "paper, 128 bits",
    ];
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    Ok(Report {
        title: "Exact codes",
        text: format!("{LEGEND}{}", table(&head, &cells)),
        values: json!({ "rows": rows.iter().map(Row::json).collect::<Vec<_>>() }),
        drawings: Vec::new(),
    })
}

/// One hierarchy, encoded and verified.
struct Row {
    title: String,
    name: String,
    concepts: usize,
    direct: usize,
    closure: u64,
    bits: usize,
    lower_bound: usize,
    errors: u64,
    seconds: f64,
    verify_seconds: f64,
    paper: Option<MeanSd>,
}

impl Row {
    fn new(
        title: &str,
        name: &str,
        hierarchy: &Hierarchy,
        paper: Option<MeanSd>,
        listener: &dyn Listener,
    ) -> Result<Self, Error> {
        let encoded = encode_with(hierarchy.clone(), &EncodeParams::default(), listener)?;
        listener.finish();
        Ok(Self {
            title: title.to_owned(),
            name: name.to_owned(),
            concepts: hierarchy.len(),
            direct: hierarchy.direct(),
            closure: hierarchy.closure_len(),
            bits: encoded.model.codes().bits(),
            lower_bound: encoded.lower_bound,
            errors: encoded.evaluation.confusion.errors(),
            seconds: encoded.encoding.as_secs_f64(),
            verify_seconds: encoded.checking.as_secs_f64(),
            paper,
        })
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.title.clone(),
            grouped(self.concepts),
            grouped(self.direct),
            self.bits.to_string(),
            self.lower_bound.to_string(),
            self.errors.to_string(),
            format!("{:.1}", self.seconds),
            published::text(self.paper),
        ]
    }

    fn csv(&self) -> String {
        let Self { name, concepts, direct, closure, bits, lower_bound, errors, .. } = self;
        let Self { seconds, verify_seconds, .. } = self;
        format!(
            "{name},{concepts},{direct},{closure},{bits},{lower_bound},{errors},\
             {seconds:.3},{verify_seconds:.3}"
        )
    }

    fn json(&self) -> Value {
        json!({
            "set": self.name,
            "entities": self.concepts,
            "bits": self.bits,
            "lower_bound": self.lower_bound,
            "errors": self.errors,
            "seconds": self.seconds,
        })
    }
}

/// The files of a folder in order of their names, except for Markdown; none if there is no folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(Error::file(folder))?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Error::file(folder))?;
    files.sort();
    files.retain(|file| file.extension().is_some_and(|ending| ending != "md"));
    Ok(files)
}

/// The hierarchy of a file, and the file's name up to the first dot.
fn read(file: &Path, listener: &dyn Listener) -> Result<(String, Hierarchy), Error> {
    let name = file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let name = name.split('.').next().unwrap_or(&name).to_owned();
    let hierarchy = binder::read(file, &ReadOptions::default(), listener)?;
    Ok((name, hierarchy))
}
