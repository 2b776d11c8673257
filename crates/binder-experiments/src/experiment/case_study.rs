//! The paper's case study: a toy hierarchy in 8 bits, to look at.

use binder::Codes;
use serde_json::json;

use crate::data::DataSet;
use crate::ledger::Ledger;
use crate::plan::Plan;
use crate::report::{Drawing, Report, table};
use crate::runs::{Job, Run, Trainer};
use crate::task::Task;
use crate::{Error, tree};

/// Bits in the paper's figure.
const BITS: usize = 8;

const LEGEND: &str = "15 concepts in 8 bits, learnt from the closure. ● is 1 and ○ is 0; the \
    paper's figure has it the other way round. A concept has every ● of the concepts above it. It \
    lacks at least one ● of every other concept. The paper reports a perfect score. It did not \
    publish its concepts, so these are similar ones.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut ledger, mut text) = (plan.ledger(".csv")?, LEGEND.to_owned());
    let (mut all_runs, mut drawings) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        let tried = try_all(plan, data, &mut ledger)?;
        let by_f1 =
            |(a, _): &&(Run, Codes), (b, _): &&(Run, Codes)| a.outcome.f1.total_cmp(&b.outcome.f1);
        // `max_by` returns the last of the best; reversed, that is the first.
        if let Some((run, codes)) = tried.iter().rev().max_by(by_f1) {
            text += &markdown(data, run, codes, &tried);
            drawings.push(Drawing {
                suffix: plan.suffix(data.info),
                shows: "The concepts with their codes, as a tree".to_owned(),
                svg: tree::svg(&data.hierarchy, codes)?,
            });
        }
        all_runs.extend(tried.into_iter().map(|(run, _)| run));
        Ok(())
    })?;
    Ok(Report { title: "Case study", text, values: json!({ "runs": all_runs }), drawings })
}

/// The runs of every recipe and seed, with their codes. The ledger has no codes, so all runs are
/// done again; they take moments, and a quick request does not shorten them.
fn try_all(
    plan: &Plan<'_>,
    data: &DataSet<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<(Run, Codes)>, Error> {
    let task = Task::Representation;
    let trainer = Trainer::new([task], data)?;
    let mut tried = Vec::new();
    for recipe in &plan.recipes {
        let params = recipe.params(task, data.info).with(|params| params.bits = BITS);
        for job in (Job { task, recipe, params, changed: String::new() }).with_seeds(plan.seeds) {
            let (outcome, codes) = trainer.train(&job, plan.listener, |_| ())?;
            let key = job.key(data)?;
            if ledger.find(&key).is_none() {
                plan.check_missing(1)?;
                ledger.add(key.clone(), outcome)?;
            }
            tried.push((Run { key, outcome }, codes));
        }
    }
    Ok(tried)
}

fn markdown(data: &DataSet<'_>, best: &Run, codes: &Codes, tried: &[(Run, Codes)]) -> String {
    let head = ["Recipe", "Seed", "F1 %", "Epoch kept"];
    let row = |(Run { key, outcome }, _): &(Run, Codes)| {
        vec![
            format!("`{}`", key.recipe),
            key.seed.to_string(),
            format!("{:.2}", outcome.f1 * 100.0),
            outcome.best_epoch.to_string(),
        ]
    };
    format!(
        "## {}\n\nThe best run, `{}` with seed {}: F1 {:.2} % over all pairs.\n\n\
         ```text\n{}```\n\n{}",
        data.info.title,
        best.key.recipe,
        best.key.seed,
        best.outcome.f1 * 100.0,
        binder_answers::tree::text(&data.hierarchy, codes),
        table(&head, &tried.iter().map(row).collect::<Vec<_>>()),
    )
}
