//! The paper's space comparison: bytes for the nouns.

use binder::{Codes, Hierarchy, Model};
use serde_json::json;

use crate::Error;
use crate::data::SetInfo;
use crate::plan::Plan;
use crate::plots;
use crate::report::{Drawing, Report, table, write_csv};
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

/// What the paper states for Nouns and d = 100, in bytes, with the 1.33 MB of the hierarchy itself.
const STATED: [(&str, u64); 3] = [
    ("BINDER, stated", 2_360_000),
    ("vectors, OE and HEC, stated, at least", 34_200_000),
    ("boxes, stated, up to", 67_000_000),
];
/// The set and the dimensions that those are for.
const STATED_FOR: (&str, u64) = ("wordnet-nouns", 100);

const MEASURED: &str = "measured";

const HEADER: &str = "set,method,how,dimensions,bytes";

const LEGEND: &str = "The space that the vectors take. The other methods are computed by the \
    paper's formulas with 32-bit numbers; ours is measured from model files. What the paper states \
    itself includes 1.33 MB for the hierarchy. Its 67 MB for boxes leave out T-Box, which its \
    formula makes 131. A file has everything that a model needs: codes in whole 64-bit words, \
    names, direct pairs, and a checksum.\n\n";

pub(crate) fn report(plan: &Plan<'_>) -> Result<Report, Error> {
    let (mut text, mut lines, mut values) = (LEGEND.to_owned(), Vec::new(), Vec::new());
    let mut drawings = Vec::new();
    plan.each_set(|data| {
        let (set, hierarchy) = (data.info, &data.hierarchy);
        let (mut rows, mut sizes) = (Vec::new(), Vec::new());
        let known = by_formula(hierarchy.len() as u64).chain(stated(set));
        for row in known.chain(measured(hierarchy)?) {
            let Row { method, how, dimensions, bytes } = row;
            let name = format!("{}, d = {dimensions}", method.replace('*', ""));
            sizes.push((name, in_megabytes(bytes), how == MEASURED));
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
        drawings.push(Drawing {
            suffix: plan.suffix(set),
            shows: format!("Megabytes for {}, on a logarithmic axis", set.title),
            svg: plots::sizes(&format!("Space for {}", set.title), &sizes)?,
        });
        Ok(())
    })?;
    write_csv(&plan.file(".csv"), HEADER, &lines)?;
    Ok(Report { title: "Space", text, values: json!({ "rows": values }), drawings })
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

/// What the paper states, where it does.
fn stated(set: &SetInfo) -> impl Iterator<Item = Row> {
    let (name, dimensions) = STATED_FOR;
    let row = move |(method, bytes): (&str, u64)| Row {
        method: method.to_owned(),
        how: "published",
        dimensions,
        bytes,
    };
    STATED.into_iter().map(row).filter(move |_| set.name == name)
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
            rows.push(Row { method, how: MEASURED, dimensions: bits as u64, bytes });
        }
    }
    Ok(rows)
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn in_megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn megabytes(bytes: u64) -> String {
    format!("{:.2}", in_megabytes(bytes))
}
