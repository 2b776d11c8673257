//! A drawing of a concept's neighbourhood, as a file.

use std::path::Path;

use anyhow::Context;
use binder::output;
use binder::query::Index;
use binder_answers::svg;
use serde_json::json;

use crate::files::Force;
use crate::terminal::{print, print_json};

/// What to draw, and where it goes.
pub(crate) struct Drawing<'a> {
    pub(crate) concept: &'a str,
    pub(crate) children: usize,
    pub(crate) output: &'a Path,
    pub(crate) force: Force,
}

pub(crate) fn save(
    index: &Index,
    model: &Path,
    Drawing { concept, children, output, force }: &Drawing<'_>,
    json: bool,
) -> anyhow::Result<()> {
    let mut plan = force.plan();
    plan.reads(model);
    plan.writes(output)?;
    let id = index.find(concept)?;
    let around = index.neighbourhood(id, *children)?;
    output::write(output, |file| file.write_all(svg(&around).as_bytes()))
        .with_context(|| output.display().to_string())?;
    if json {
        let (concepts, left_out) = (around.hierarchy.len(), around.left_out);
        return print_json(
            &json!({ "question": "picture", "concept": index.name(id), "output": output, "concepts": concepts, "left_out": left_out }),
        );
    }
    Ok(print(&format!("{}: {} and its neighbourhood\n", output.display(), index.name(id)))?)
}
