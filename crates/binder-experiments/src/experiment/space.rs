//! The paper's space comparison: bytes for the nouns.

use binder::{Codes, Hierarchy, Model};
use serde_json::json;

use crate::Error;
use crate::plan::Plan;
use crate::report::{Report, table, write_csv};
use binder_answers::grouped;

/// Dimensions of the formulas: the paper's example, and those of its tables.
const DIMENSIONS: [u64; 2] = [100, 128];
/// Bits of the model files that are measured.
const BITS: [usize; 3] = [64, 100, 128];

/// The formulas of the paper's section "Space advantage": the method, the formula, and the bits per
/// concept and dimension.
const FORMULAS: [(&str, &str, u64); 5] = [
    ("BINDER", "d n / 8", 1),
    ("Sim, Bilinear, Complex and other vectors, at least", "4 d n", 32),
    ("OE, HEC", "4 d n", 32),
    ("Gumbel Box", "8 d n", 64),
    ("T-Box", "16 d n", 128),
];

const HEADER: &str = "set,method,how,dimensions,bytes";

const LEGEND: &str = "The space that the vectors take. The other methods are computed by the \
    paper's formulas with 32-bit numbers; ours is measured from model files. A file has everything \
    that a model needs: codes in whole 64-bit words, names, direct pairs, and a checksum.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut text, mut lines, mut values) = (LEGEND.to_owned(), Vec::new(), Vec::new());
    plan.each_set(|data| {
        let (set, hierarchy) = (data.info, &data.hierarchy);
        let mut rows = Vec::new();
        for row in by_formula(hierarchy.len() as u64).chain(measured(hierarchy)?) {
            let Row { method, how, dimensions, bytes } = row;
            rows.push(vec![
                method.clone(),
                how.to_owned(),
                dimensions.to_string(),
                grouped(bytes),
                megabytes(bytes),
            ]);
            let field = method.replace(',', ";");
            lines.push(format!("{},{field},{how},{dimensions},{bytes}", set.name));
            values.push(json!({
                "set": set.name,
                "method": method,
                "how": how,
                "dimensions": dimensions,
                "bytes": bytes,
            }));
        }
        let table = table(&["Method", "How", "d", "Bytes", "MB"], &rows);
        text += &format!("## {}, n = {}\n\n{table}\n", set.title, grouped(hierarchy.len()));
        Ok(())
    })?;
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    Ok(Report { title: "Space", text, values: json!({ "rows": values }), drawings: Vec::new() })
}

struct Row {
    method: String,
    /// How the bytes are known: by which formula, or measured.
    how: &'static str,
    dimensions: u64,
    bytes: u64,
}

fn by_formula(concepts: u64) -> impl Iterator<Item = Row> {
    FORMULAS.into_iter().flat_map(move |(method, how, bits)| {
        DIMENSIONS.map(|dimensions| Row {
            method: format!("{method} (formula)"),
            how,
            dimensions,
            bytes: (dimensions * concepts * bits).div_ceil(8),
        })
    })
}

/// Writes models and measures them. All codes are zero: files are not compressed, so the bits do
/// not change their size.
fn measured(hierarchy: &Hierarchy) -> Result<Vec<Row>, Error> {
    let folder = tempfile::tempdir().map_err(Error::file(&std::env::temp_dir()))?;
    let mut rows = Vec::new();
    for bits in BITS {
        let codes = Codes::zeros(hierarchy.len(), bits)?;
        let code_bytes = size_of_val(codes.words()) as u64;
        let file = folder.path().join(format!("{bits}.safetensors"));
        Model::new(hierarchy.clone(), codes)?.save(&file)?;
        let file_bytes = file.metadata().map_err(Error::file(&file))?.len();
        for (what, bytes) in [("codes", code_bytes), ("the whole file", file_bytes)] {
            let method = format!("**ours, {what}**");
            rows.push(Row { method, how: "measured", dimensions: bits as u64, bytes });
        }
    }
    Ok(rows)
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}
