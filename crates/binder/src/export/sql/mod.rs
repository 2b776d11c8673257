//! A script that makes tables of a model, fills them, and teaches the database to ask.

mod data;
mod statements;

use std::io::{self, Write};

use super::ExportError;
use super::concepts::Concepts;
use crate::model::Model;

/// The longest name of a table: PostgreSQL cuts identifiers off at 63 bytes, and ours have endings.
const MOST_TABLE: usize = 40;

/// The longest name that PostgreSQL is sure to index.
const MOST_NAME: usize = 2600;

/// The database that a script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// PostgreSQL, by way of `psql -f`: the data follow COPY statements.
    Postgres {
        /// One column `code bit(N)` instead of the words `c0`, `c1`, … as bigint.
        bit_string: bool,
    },
    /// DuckDB; the data stand in INSERT statements.
    DuckDb,
}

/// A script: what it is for, and what it calls the table of concepts.
///
/// It makes, in one transaction, the table TABLE (id, name, label, code), the table
/// `TABLE_aliases`, the view `TABLE_names` of all names and aliases, and the function `is_a(child,
/// parent)`, called `TABLE_is_a` where the table is not called `concepts`, so that two models have
/// room in one database. Its end shows, as comments, how to ask for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The database.
    pub dialect: Dialect,
    /// The table of concepts.
    pub table: String,
}

impl Script {
    /// The table's name if nobody chooses another.
    pub const TABLE: &str = "concepts";

    pub(super) fn check(&self, model: &Model) -> Result<(), ExportError> {
        let odd = |letter: char| letter.is_control() || letter == '$';
        if self.table.is_empty() || self.table.len() > MOST_TABLE || self.table.contains(odd) {
            return Err(ExportError::Table(self.table.clone()));
        }
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

/// An identifier as a script can have it, whatever is in it. Only ours go without quotes: they are
/// no words of SQL.
fn identifier(name: &str) -> String {
    let ours = name.strip_prefix(Script::TABLE).map(str::as_bytes);
    match ours {
        Some(b"" | b"_aliases" | b"_names" | b"_aliases_concept") => name.to_owned(),
        _ => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// A text as a literal of DuckDB's. A backslash is only a backslash in it; with an E in front it is
/// not, and a line break need not be a real one, which whoever passes the script on might change.
fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    if quoted.contains(['\n', '\r']) {
        format!("E'{}'", quoted.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r"))
    } else {
        format!("'{quoted}'")
    }
}
