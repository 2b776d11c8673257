//! The paper's table and figure of direct and indirect pairs.

use serde_json::{Value, json};

use crate::Error;
use crate::data::{DataSet, SetInfo};
use crate::plan::Plan;
use crate::plots::{self, BarPanel};
use crate::published::EDGES;
use crate::report::{Drawing, Report, table, write_csv};
use binder_answers::grouped;

const HEADER: &str = "set,entities,direct,indirect,closure,published_direct,published_indirect";

const LEGEND: &str = "Direct pairs are those that are not implied by others. Indirect pairs follow \
    from them. The last column says whether both numbers are those of the paper.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let mut counts = Vec::new();
    plan.each_set(|data| {
        counts.push(Count::new(data));
        Ok(())
    })?;
    let lines: Vec<_> = counts.iter().map(Count::csv).collect();
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let head =
        ["Set", "Concepts", "Direct", "Indirect", "Closure", "Direct %", "Indirect %", "Published"];
    let rows: Vec<_> = counts.iter().map(Count::row).collect();
    Ok(Report {
        title: "Edges",
        text: format!("{LEGEND}{}", table(&head, &rows)),
        values: json!({ "rows": counts.iter().map(Count::json).collect::<Vec<_>>() }),
        drawings: vec![drawing(&counts)?],
    })
}

/// The pairs of one set.
struct Count {
    set: &'static SetInfo,
    concepts: usize,
    direct: u64,
    indirect: u64,
    /// Direct and indirect pairs, as the paper has them.
    published: Option<(u64, u64)>,
}

impl Count {
    fn new(data: &DataSet<'_>) -> Self {
        let direct = data.hierarchy.direct() as u64;
        Self {
            set: data.info,
            concepts: data.hierarchy.len(),
            direct,
            indirect: data.hierarchy.closure_len() - direct,
            published: data.info.column.map(|column| EDGES[column]),
        }
    }

    fn closure(&self) -> u64 {
        self.direct + self.indirect
    }

    /// How many percent of the closure these are.
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn share(&self, pairs: u64) -> f64 {
        100.0 * pairs as f64 / self.closure().max(1) as f64
    }

    fn row(&self) -> Vec<String> {
        let published = match self.published {
            None => "–",
            Some(pairs) if pairs == (self.direct, self.indirect) => "same",
            Some(_) => "differs",
        };
        vec![
            self.set.title.to_owned(),
            grouped(self.concepts),
            grouped(self.direct),
            grouped(self.indirect),
            grouped(self.closure()),
            format!("{:.1}", self.share(self.direct)),
            format!("{:.1}", self.share(self.indirect)),
            published.to_owned(),
        ]
    }

    fn csv(&self) -> String {
        let Self { set, concepts, direct, indirect, published } = self;
        let published =
            published.map_or(",".to_owned(), |(direct, indirect)| format!("{direct},{indirect}"));
        format!("{},{concepts},{direct},{indirect},{},{published}", set.name, self.closure())
    }

    fn json(&self) -> Value {
        json!({
            "set": self.set.name,
            "entities": self.concepts,
            "direct": self.direct,
            "indirect": self.indirect,
            "closure": self.closure(),
            "published": self.published,
        })
    }
}

fn drawing(counts: &[Count]) -> Result<Drawing, Error> {
    let shares = |pairs: fn(&Count) -> u64| {
        counts.iter().map(|count| Some(count.share(pairs(count)))).collect()
    };
    let panel = BarPanel {
        title: "Direct and indirect pairs".to_owned(),
        y_label: "%",
        groups: counts.iter().map(|count| count.set.title).collect(),
        series: vec![
            ("direct".to_owned(), shares(|count| count.direct)),
            ("indirect".to_owned(), shares(|count| count.indirect)),
        ],
    };
    Ok(Drawing {
        suffix: String::new(),
        shows: "Shares of direct and indirect pairs".to_owned(),
        svg: plots::bars(&[panel])?,
    })
}
