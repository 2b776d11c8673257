//! The paper's table and figure of direct and indirect pairs.

use serde_json::json;

use super::Plan;
use super::plots::{self, BarPanel};
use super::published::EDGES;
use super::report::{Drawing, Report, table, write_csv};
use crate::output::grouped;

const HEADER: &str = "set,entities,direct,indirect,closure,published_direct,published_indirect";

/// Pairs of one set.
struct Count {
    title: &'static str,
    direct: u64,
    indirect: u64,
}

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut rows, mut lines, mut values, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    plan.each_set(|data| {
        let (set, entities) = (data.info, data.hierarchy.len());
        let (direct, closure) = (data.hierarchy.direct() as u64, data.hierarchy.closure_len());
        let count = Count { title: set.title, direct, indirect: closure - direct };
        let published = set.column.map(|column| EDGES[column]);
        let shown = published.map(|(direct, indirect)| [direct, indirect].map(|n| n.to_string()));
        let [their_direct, their_indirect] = shown.unwrap_or_default();
        lines.push(format!(
            "{},{entities},{direct},{},{closure},{their_direct},{their_indirect}",
            set.name, count.indirect
        ));
        values.push(
            json!({ "set": set.name, "entities": entities, "direct": direct, "indirect": count.indirect,
            "closure": closure, "published": published }),
        );
        let same = published
            .map_or("–", |published| if published == (direct, count.indirect) { "same" } else { "differs" });
        rows.push(vec![
            set.title.to_owned(),
            grouped(entities),
            grouped(direct),
            grouped(count.indirect),
            grouped(closure),
            format!("{:.1}", count.share(direct)),
            format!("{:.1}", count.share(count.indirect)),
            same.to_owned(),
        ]);
        counts.push(count);
        Ok(())
    })?;
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head = ["Set", "Concepts", "Direct", "Indirect", "Closure", "Direct %", "Indirect %", "Published"];
    let text = format!(
        "Direct pairs are those that no others imply; indirect ones follow from them.\n\n{}",
        table(&head.map(str::to_owned), &rows)
    );
    Ok(Report { title: "Edges", text, values: json!({ "rows": values }), drawings: vec![drawing(&counts)?] })
}

impl Count {
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn share(&self, part: u64) -> f64 {
        100.0 * part as f64 / (self.direct + self.indirect).max(1) as f64
    }
}

fn drawing(counts: &[Count]) -> anyhow::Result<Drawing> {
    let of = |part: fn(&Count) -> u64| counts.iter().map(|count| Some(count.share(part(count)))).collect();
    let panel = BarPanel {
        title: "Direct and indirect pairs".to_owned(),
        y_label: "%",
        groups: counts.iter().map(|count| count.title).collect(),
        series: vec![
            ("direct".to_owned(), of(|count| count.direct)),
            ("indirect".to_owned(), of(|count| count.indirect)),
        ],
    };
    Ok(Drawing {
        suffix: String::new(),
        shows: "Shares of direct and indirect pairs".to_owned(),
        svg: plots::bars(&[panel])?,
    })
}
