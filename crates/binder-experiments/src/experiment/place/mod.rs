//! Unseen concepts put into a hierarchy: hidden leaves, and SemEval-2016 task 14.

mod classes;
mod leaves;
mod mixed_hop;
mod pairs;
mod reach;
mod semeval;

use binder::Hierarchy;
use binder::read::ReadOptions;
use binder_answers::counted;
use serde_json::json;

use crate::Error;
use crate::plan::Plan;
use crate::report::{Report, table, write_csv};
use leaves::{HEADER, Row};
use mixed_hop::{MIXED_HOP, MIXED_HOP_HEAD, Way, mixed_hop};
use semeval::{Part, SEMEVAL, semeval};

const LEGEND: &str = "5 % of the leaves are hidden; the rest is encoded and learnt from; then every \
    hidden leaf is asked for by its first name and, unless the row says so, its definition. F1 is \
    the mean over queries of the F1 between the concepts above the answer (and itself) and those \
    above the truth; \"without roots\" leaves out roots, which any answer gets right. ECE is the \
    expected calibration error in ten ranges; \"sure\" is the share of queries with p ≥ 0.8 and, \
    after the slash, how many of those are right. ECE is over the queries of all draws together. \
    \"Votes\" are those of the 60 nearest texts by BM25, \"first word\" the first sense of the \
    first known name in the definition; neither learns.\n\n";

/// What the leaves are hidden in: a source, and the titles of its rows.
const NOUNS: (&str, [&str; 2]) = ("wordnet", ["WordNet nouns", "WordNet nouns, names only"]);

/// … for a quick request, which hides no others: with all nouns it took two minutes.
const ANIMALS: (&str, [&str; 2]) =
    ("wordnet-animals", ["WordNet animals", "WordNet animals, names only"]);

const QUICK: &str =
    "**A quick run: WordNet's animals instead of all nouns, and nothing else.**\n\n";

const HEAD: [&str; 13] = [
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

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let quick = plan.request.quick;
    let (source, titles) = if quick { ANIMALS } else { NOUNS };
    let wordnet = Hierarchy::read(source).map_err(binder::Error::from)?;
    let mut rows = Vec::new();
    for (title, names_only) in titles.into_iter().zip([false, true]) {
        rows.push(Row::new(title, &wordnet, names_only, plan)?);
    }
    if !quick {
        rows.extend(hpo(plan)?);
    }
    let lines: Vec<String> = rows.iter().flat_map(Row::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    let draws = counted(plan.seeds as usize, "draw");
    let mut text = if quick { QUICK } else { "" }.to_owned();
    text += &format!("{LEGEND}Scores are means over {draws}.\n\n{}", table(&HEAD, &cells));
    let mut values = json!({ "rows": rows.iter().map(Row::json).collect::<Vec<_>>() });
    if !quick {
        let items = semeval_parts(plan, &wordnet)?;
        if !items.is_empty() {
            let cells: Vec<_> = items.iter().map(Part::cells).collect();
            text += SEMEVAL;
            text += &table(&SEMEVAL_HEAD, &cells);
        }
        let ways = mixed_hop(&wordnet, plan)?;
        text += MIXED_HOP;
        text += &table(&MIXED_HOP_HEAD, &ways.iter().map(Way::cells).collect::<Vec<_>>());
        values["semeval"] = items.iter().map(Part::json).collect();
        values["mixed_hop"] = ways.iter().map(Way::json).collect();
    }
    Ok(Report { title: "Unseen concepts", text, values, drawings: Vec::new() })
}

/// The row of HPO, if it is among the data.
fn hpo(plan: &Plan<'_>) -> Result<Option<Row>, Error> {
    let file = plan.request.data.as_deref().map(|data| data.join("extra/hp.obo.gz"));
    let Some(file) = file.filter(|file| file.is_file()) else {
        plan.listener.note("HPO: skipped, the data folder has no extra/hp.obo.gz");
        return Ok(None);
    };
    let hpo = binder::read(&file, &ReadOptions::default(), plan.listener)?;
    plan.listener.finish();
    Row::new("HPO", &hpo, false, plan).map(Some)
}

const SEMEVAL_HEAD: [&str; 5] =
    ["Part", "items", "Wu&P", "of the safe answer", "organisers' baseline"];

/// The parts of SemEval-2016 task 14 that are among the data.
fn semeval_parts(plan: &Plan<'_>, wordnet: &Hierarchy) -> Result<Vec<Part>, Error> {
    let folder = plan.request.data.as_deref().map(|data| data.join("semeval-2016-14"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        plan.listener.note("SemEval-2016: skipped, it is not in the data folder");
        return Ok(Vec::new());
    };
    semeval(wordnet, &folder, plan.listener)
}
