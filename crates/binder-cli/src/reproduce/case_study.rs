//! The paper's case study: a toy hierarchy in 8 bits, to look at.

use std::fmt::Write;

use binder::train::TrainParams;
use binder::{Codes, Hierarchy};
use serde_json::json;

use super::data::Task;
use super::report::{Drawing, Report, table};
use super::runs::{Materials, Run};
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
        let mut best: Option<(Run, Codes)> = None;
        let mut rows = Vec::new();
        for recipe in &plan.recipes {
            let change = |params: &mut TrainParams| params.bits = BITS;
            for job in plan.job(data, Task::Representation, recipe, change).with_seeds(plan.seeds) {
                // It takes moments, so it is done again for its codes even if the table has it.
                let (outcome, codes) =
                    Materials::new(std::slice::from_ref(&job), data)?.train(&job, |_| ())?;
                let key = job.key(data)?;
                if ledger.find(&key).is_none() {
                    ledger.add(key.clone(), outcome)?;
                }
                let f1 = format!("{:.2}", outcome.f1 * 100.0);
                rows.push(vec![
                    recipe.name.to_owned(),
                    key.seed.to_string(),
                    f1,
                    outcome.best_epoch.to_string(),
                ]);
                let run = Run { key, outcome };
                if best.as_ref().is_none_or(|(best, _)| outcome.f1 > best.outcome.f1) {
                    best = Some((run.clone(), codes));
                }
                all_runs.push(run);
            }
        }
        if let Some((run, codes)) = best {
            let (key, f1) = (&run.key, run.outcome.f1 * 100.0);
            let _ = write!(
                text,
                "## {}\n\nThe best run, `{}` with seed {}: F1 {f1:.2} % over all pairs.\n\n",
                data.info.title, key.recipe, key.seed
            );
            let _ = write!(text, "```text\n{}```\n\n", tree::text(&data.hierarchy, &codes));
            let head = ["Recipe", "Seed", "F1 %", "Epoch kept"].map(str::to_owned);
            text += &table(&head, &rows);
            drawings.push(drawing(&data.hierarchy, &codes, data.info.name)?);
        }
        Ok(())
    })?;
    Ok(Report { title: "Case study", text, values: json!({ "runs": all_runs }), drawings })
}

fn drawing(hierarchy: &Hierarchy, codes: &Codes, set: &str) -> anyhow::Result<Drawing> {
    let suffix = if set == "toy" { String::new() } else { format!("-{set}") };
    Ok(Drawing {
        suffix,
        shows: "The concepts with their codes, as a tree".to_owned(),
        svg: tree::svg(hierarchy, codes)?,
    })
}
