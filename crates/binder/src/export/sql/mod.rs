//! An SQL script that creates tables for a model, fills them, and defines the function `is_a`.

mod data;
mod statements;

use std::io::{self, Write};

pub(super) use data::insert_rows;

use super::ExportError;
use super::concepts::Concepts;
use crate::model::Model;

/// The maximum length of a table's name. PostgreSQL truncates identifiers at 63 bytes, and suffixes
/// are added to this name.
const MOST_TABLE: usize = 40;

/// The maximum length of a name that PostgreSQL can always index.
const MOST_NAME: usize = 2600;

/// The database that a script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// PostgreSQL, loaded with `psql -f`. The data follow COPY statements.
    Postgres {
        /// Whether the code is one column `code bit(N)` instead of the words `c0`, `c1`, … as
        /// bigint.
        bit_string: bool,
    },
    /// DuckDB. The data are in INSERT statements.
    DuckDb,
}

/// An SQL script: its database, and the name of the table of concepts.
///
/// In one transaction, it creates the table TABLE (id, name, label, code, rank), the table
/// `TABLE_aliases`, the table `TABLE_ranges` of the ranks below each concept, the view
/// `TABLE_names` of all names and aliases, and the function `is_a(child, parent)`. If the table is
/// not called `concepts`, the function is called `TABLE_is_a`, so that one database can hold two
/// models. Comments at the end of the script show further queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The database.
    pub dialect: Dialect,
    /// The table of concepts.
    pub table: String,
}

impl Script {
    /// The default name of the table.
    pub const TABLE: &str = "concepts";

    pub(super) fn check(&self, model: &Model) -> Result<(), ExportError> {
        check_name(&self.table)?;
        let concepts = Concepts::of(model);
        let postgres = matches!(self.dialect, Dialect::Postgres { .. });
        for concept in concepts.iter() {
            if let Some(text) = concept.texts().find(|text| text.contains('\0')) {
                return Err(ExportError::Nul(text.to_owned()));
            }
            let mut names = std::iter::once(concept.name).chain(concept.aliases());
            if let Some(long) = names.find(|name| postgres && name.len() > MOST_NAME) {
                let start = long.chars().take(30).collect();
                return Err(ExportError::LongName { start, bytes: long.len(), most: MOST_NAME });
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, model: &Model, out: &mut dyn Write) -> io::Result<()> {
        let (concepts, bits) = (Concepts::of(model), model.codes().bits());
        out.write_all(self.opening(model.codes().len(), bits).as_bytes())?;
        out.write_all(self.tables(bits).as_bytes())?;
        match self.dialect {
            Dialect::Postgres { .. } => self.copy(&concepts, bits, out)?,
            Dialect::DuckDb => self.insert(&concepts, bits, out)?,
        }
        out.write_all(self.function(bits).as_bytes())?;
        out.write_all(self.closing(bits).as_bytes())
    }
}

/// Checks the name of a table or a column.
pub(super) fn check_name(name: &str) -> Result<(), ExportError> {
    let odd = |letter: char| letter.is_control() || letter == '$';
    if name.is_empty() || name.len() > MOST_TABLE || name.contains(odd) {
        return Err(ExportError::Table(name.to_owned()));
    }
    Ok(())
}

/// An identifier, quoted for a script. Only the default names need no quotes: they are not SQL
/// keywords.
pub(super) fn identifier(name: &str) -> String {
    let ours = name.strip_prefix(Script::TABLE).map(str::as_bytes);
    match ours {
        Some(b"" | b"_aliases" | b"_names" | b"_ranges" | b"_aliases_concept") => name.to_owned(),
        _ => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// A text as a DuckDB literal. In a plain literal, a backslash is a backslash. With a prefix E it
/// starts an escape, so a line break can be written as `\n`. A real line break could be changed
/// when the script is copied.
pub(super) fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    if quoted.contains(['\n', '\r']) {
        format!("E'{}'", quoted.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r"))
    } else {
        format!("'{quoted}'")
    }
}
