//! The paper's space comparison: bytes for the nouns.

use binder::{Codes, Hierarchy, Model};
use serde_json::json;

use super::Plan;
use super::report::{Report, table, write_csv};
use crate::output::grouped;

/// Dimensions compared: the paper's example, and the one of its tables.
const DIMENSIONS: [u64; 2] = [100, 128];
/// Bits whose files are measured.
const BITS: [usize; 3] = [64, 100, 128];

/// Bytes a concept and dimension, as the paper's section "Space advantage" has them, in eighths.
const FORMULAS: [(&str, &str, u64); 5] = [
    ("BINDER", "d n / 8", 1),
    ("Sim, Bilinear, Complex and other vectors, at least", "4 d n", 32),
    ("OE, HEC", "4 d n", 32),
    ("Gumbel Box", "8 d n", 64),
    ("T-Box", "16 d n", 128),
];

const HEADER: &str = "set,method,how,dimensions,bytes";

pub(crate) fn report(plan: &Plan<'_>) -> anyhow::Result<Report> {
    let (mut text, mut lines, mut values) = (String::new(), Vec::new(), Vec::new());
    plan.each_set(|data| {
        let (set, hierarchy) = (data.info, &data.hierarchy);
        let mut rows = Vec::new();
        for (method, how, dimensions, bytes) in by_formula(hierarchy.len() as u64).chain(measured(hierarchy)?) {
            rows.push(vec![method.clone(), how.to_owned(), dimensions.to_string(), grouped(bytes), megabytes(bytes)]);
            lines.push(format!("{},{},{how},{dimensions},{bytes}", set.name, method.replace(',', ";")));
            values.push(json!({ "set": set.name, "method": method, "how": how, "dimensions": dimensions, "bytes": bytes }));
        }
        let head = ["Method", "How", "d", "Bytes", "MB"].map(str::to_owned);
        text += &format!("## {}, n = {}\n\n{}\n", set.title, grouped(hierarchy.len()), table(&head, &rows));
        Ok(())
    })?;
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    let legend = "What the vectors take. Others by the paper's formulas, with 32-bit numbers; ours measured from model files. A file \
        holds everything a model needs: codes in whole 64-bit words, names, direct pairs, and a checksum.\n\n";
    Ok(Report {
        title: "Space",
        text: format!("{legend}{text}"),
        values: json!({ "rows": values }),
        drawings: Vec::new(),
    })
}

/// A method, how its bytes are known, dimensions and bytes.
type Row = (String, &'static str, u64, u64);

fn by_formula(concepts: u64) -> impl Iterator<Item = Row> {
    let rows = FORMULAS.into_iter().flat_map(|formula| DIMENSIONS.map(|dimensions| (formula, dimensions)));
    rows.map(move |((method, how, eighths), dimensions)| {
        (format!("{method} (formula)"), how, dimensions, (dimensions * concepts * eighths).div_ceil(8))
    })
}

/// Writes models and looks how large they are. What the bits are does not matter: nothing is packed.
fn measured(hierarchy: &Hierarchy) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    for bits in BITS {
        let codes = Codes::zeros(hierarchy.len(), bits)?;
        let code_bytes = size_of_val(codes.words()) as u64;
        let file = folder.path().join(format!("{bits}.safetensors"));
        Model::new(hierarchy, codes)?.save(&file)?;
        rows.push(("**ours, codes**".to_owned(), "measured", bits as u64, code_bytes));
        rows.push(("**ours, the whole file**".to_owned(), "measured", bits as u64, file.metadata()?.len()));
    }
    Ok(rows)
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}
