//! The paper's case study: a toy hierarchy in 8 bits, to look at.

use binder::train::TrainParams;
use binder::{Codes, Hierarchy};
use serde_json::json;

use super::data::{DataSet, Task};
use super::ledger::Ledger;
use super::report::{Drawing, Report, table};
use super::runs::{Job, Materials, Run};
use super::{Plan, tree};

/// Bits in the paper's figure.
const BITS: usize = 8;

const LEGEND: &str = "15 concepts in 8 bits, learnt from the closure; ● is 1, ○ is 0 (the paper's figure has them the other way round). \
    A concept has every ● of what stands above it, and lacks one of whatever is not above it. The paper reports a perfect score; its own list of \
    concepts was never published, this is a stand-in.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut ledger, mut text) = (plan.ledger()?, LEGEND.to_owned());
    let (mut all_runs, mut drawings) = (Vec::new(), Vec::new());
    plan.each_set(|data| {
        let tried = try_all(plan, data, &mut ledger)?;
        let better = |a: &&(Run, Codes), b: &&(Run, Codes)| a.0.outcome.f1.total_cmp(&b.0.outcome.f1);
        // The first of the best: `max_by` takes the last.
        if let Some((run, codes)) = tried.iter().rev().max_by(better) {
            text += &markdown(data, run, codes, &tried);
            drawings.push(drawing(&data.hierarchy, codes, data.info.name)?);
        }
        all_runs.extend(tried.into_iter().map(|(run, _)| run));
        Ok(())
    })?;
    Ok(Report { title: "Case study", text, values: json!({ "runs": all_runs }), drawings })
}

/// Runs of every recipe and seed with their codes. They take moments, so they are done again for the codes even if the table has
/// them, and `--quick` does not shorten them.
fn try_all(plan: &Plan<'_>, data: &DataSet, ledger: &mut Ledger) -> anyhow::Result<Vec<(Run, Codes)>> {
    let mut tried = Vec::new();
    for recipe in &plan.recipes {
        let task = Task::Representation;
        let params = TrainParams { bits: BITS, ..recipe.params(task, data.info) };
        for job in (Job { task, recipe, params }).with_seeds(plan.seeds) {
            let (outcome, codes) = Materials::new(std::slice::from_ref(&job), data)?.train(&job, |_| ())?;
            let key = job.key(data)?;
            if ledger.find(&key).is_none() {
                ledger.add(key.clone(), outcome)?;
            }
            tried.push((Run { key, outcome }, codes));
        }
    }
    Ok(tried)
}

fn markdown(data: &DataSet, best: &Run, codes: &Codes, tried: &[(Run, Codes)]) -> String {
    let head = ["Recipe", "Seed", "F1 %", "Epoch kept"].map(str::to_owned);
    let rows = tried.iter().map(|(Run { key, outcome }, _)| {
        let (f1, epoch) = (format!("{:.2}", outcome.f1 * 100.0), outcome.best_epoch.to_string());
        vec![format!("`{}`", key.recipe), key.seed.to_string(), f1, epoch]
    });
    format!(
        "## {}\n\nThe best run, `{}` with seed {}: F1 {:.2} % over all pairs.\n\n```text\n{}```\n\n{}",
        data.info.title,
        best.key.recipe,
        best.key.seed,
        best.outcome.f1 * 100.0,
        crate::tree::text(&data.hierarchy, codes),
        table(&head, &rows.collect::<Vec<_>>()),
    )
}

fn drawing(hierarchy: &Hierarchy, codes: &Codes, set: &str) -> anyhow::Result<Drawing> {
    let suffix = if set == "toy" { String::new() } else { format!("-{set}") };
    let shows = "The concepts with their codes, as a tree".to_owned();
    Ok(Drawing { suffix, shows, svg: tree::svg(hierarchy, codes)? })
}
