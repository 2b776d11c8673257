//! Unseen concepts put into a hierarchy: hidden leaves, and SemEval-2016 task 14.

mod classes;
mod leaves;
mod mixed_hop;
mod pairs;
mod reach;
mod semeval;

use binder::Hierarchy;
use binder::read::ReadOptions;
use serde_json::json;

use crate::Error;
use crate::plan::Plan;
use crate::report::{Report, table, write_csv};
use leaves::{HEADER, Row};
use mixed_hop::{HEAD, MIXED_HOP, Way, mixed_hop};
use semeval::{Part, SEMEVAL, semeval};

const LEGEND: &str = "5 % of the leaves are hidden; the rest is encoded and learnt from; then every \
    hidden leaf is asked for by its first name and, unless the row says so, its definition. F1 is \
    the mean over queries of the F1 between the concepts above the answer (and itself) and those \
    above the truth; \"without roots\" leaves out roots, which any answer gets right. ECE is the \
    expected calibration error in ten ranges; \"sure\" is the share of queries with p ≥ 0.8 and, \
    after the slash, how many of those are right. Means over draws; ECE is over the queries of all \
    draws together. \"Votes\" are those of the 60 \
    nearest texts by BM25, \"first word\" the first sense of the first known name in the \
    definition; neither learns.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let mut rows = Vec::new();
    let wordnet = Hierarchy::read("wordnet").map_err(binder::Error::from)?;
    rows.push(Row::new("WordNet nouns", &wordnet, false, plan)?);
    rows.push(Row::new("WordNet nouns, names only", &wordnet, true, plan)?);
    let data = plan.request.data.as_deref();
    if let Some(file) = data.map(|data| data.join("extra/hp.obo.gz")).filter(|f| f.is_file()) {
        let hpo = binder::read(&file, &ReadOptions::default(), plan.listener)?;
        plan.listener.finish();
        rows.push(Row::new("HPO", &hpo, false, plan)?);
    } else {
        plan.listener.note("HPO: skipped, the data folder has no extra/hp.obo.gz");
    }
    let lines: Vec<String> = rows.iter().flat_map(Row::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head = [
        "Data",
        "queries",
        "Hit@1",
        "Hit@10",
        "MRR",
        "Wu-P",
        "F1",
        "safe F1",
        "without roots",
        "ECE",
        "sure",
        "votes",
        "first word",
    ];
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    let mut text = format!("{LEGEND}{}", table(&head, &cells));
    let folder = data.map(|data| data.join("semeval-2016-14")).filter(|folder| folder.is_dir());
    let mut items = Vec::new();
    match folder {
        Some(folder) => {
            items = semeval(&wordnet, &folder, plan.listener)?;
            let cells: Vec<_> = items.iter().map(Part::cells).collect();
            let head = ["Part", "items", "Wu&P", "of the safe answer", "organisers' baseline"];
            text += SEMEVAL;
            text += &table(&head, &cells);
        }
        None => plan.listener.note("SemEval-2016: skipped, it is not in the data folder"),
    }
    let ways = mixed_hop(&wordnet, plan)?;
    text += MIXED_HOP;
    text += &table(&HEAD, &ways.iter().map(Way::cells).collect::<Vec<_>>());
    let values = json!({
        "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "semeval": items.iter().map(Part::json).collect::<Vec<_>>(),
        "mixed_hop": ways.iter().map(Way::json).collect::<Vec<_>>(),
    });
    Ok(Report { title: "Unseen concepts", text, values, drawings: Vec::new() })
}
