//! A model's codes in the formats of others.

use std::path::PathBuf;

use binder::export::{Dialect, Format, Script};
use pyo3::prelude::*;

use crate::errors::{Kind, python};
use crate::model::Model;
use crate::pool::without_lock;

/// The options of all formats; `_export.py` lets through only those that the format has.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    unpacked: bool,
    signed: bool,
    dialect: Option<String>,
    table: Option<String>,
    bit_column: bool,
}

impl Options {
    fn format(self, name: &str) -> PyResult<Format> {
        Ok(match name {
            "tsv" => Format::Tsv,
            "npy" => Format::Npy { unpacked: self.unpacked },
            "word2vec" => Format::Word2vec,
            "parquet" => Format::Parquet { signed: self.signed },
            _ => Format::Sql(Script {
                dialect: match self.dialect.as_deref() {
                    Some("postgres") => Dialect::Postgres { bit_string: self.bit_column },
                    Some("duckdb") if !self.bit_column => Dialect::DuckDb,
                    Some("duckdb") => {
                        let message = "bit_column is for dialect=\"postgres\"; leave it out";
                        return Err(Kind::Value.error(message));
                    }
                    _ => {
                        let message =
                            "databases differ; give dialect=\"postgres\" or dialect=\"duckdb\"";
                        return Err(Kind::Value.error(message));
                    }
                },
                table: self.table.unwrap_or(Script::TABLE.to_owned()),
            }),
        })
    }
}

/// Writes a model's codes and names. Returns the files, the one that was asked for first.
#[pyfunction]
pub(crate) fn export(
    py: Python<'_>,
    model: &Model,
    path: PathBuf,
    format: &str,
    options: Options,
) -> PyResult<Vec<PathBuf>> {
    let format = options.format(format)?;
    let index = &model.index;
    let written = without_lock(py, || binder::export::write(index.model(), &format, &path))?;
    Ok(written.map_err(python)?.files)
}
