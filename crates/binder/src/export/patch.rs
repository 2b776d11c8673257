use std::io::{self, Write};
use std::path::Path;

use super::concepts::bits;
use super::escape::escaped;
use super::sql::{check_name, identifier, insert_rows, literal};
use super::{ExportError, Files, Written};
use crate::bits::words_per_code;
use crate::model::Model;
use crate::update::{Change, Updated};

/// The format of a patch: the codes that differ between a model and its update.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Patch {
    /// A header and one line per code: concept, old code, new code, separated by tabs. The old code
    /// of a new concept and the new code of one that is gone are empty. Bits are as in
    /// [`Format::Tsv`](super::Format::Tsv).
    Tsv,
    /// A script that changes the codes in a table. PostgreSQL, DuckDB and SQLite can run it.
    Sql {
        /// The table that stores codes in the columns c0, c1, … of signed numbers. What stands
        /// before a dot is its schema.
        table: String,
        /// Its column of concepts' names.
        key: String,
    },
}

/// Writes the codes that differ between a model and its update.
///
/// # Errors
///
/// When SQL cannot hold a name, or the file cannot be written.
pub fn write_patch(
    old: &Model,
    updated: &Updated,
    format: &Patch,
    path: &Path,
) -> Result<Written, ExportError> {
    if let Patch::Sql { table, key } = format {
        table.split('.').chain([&key[..]]).try_for_each(check_name)?;
        let nul = |change: &Change<'_>| change.concept.contains('\0');
        if let Some(change) = updated.changes(old).find(nul) {
            return Err(ExportError::Nul(change.concept.to_owned()));
        }
    }
    let mut files = Files::default();
    files.fill(path, |out| match format {
        Patch::Tsv => tsv(old, updated, out),
        Patch::Sql { table, key } => sql(old, updated, table, key, out),
    })?;
    files.put_in_place(path, 0)
}

fn tsv(old: &Model, updated: &Updated, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"concept\told code\tnew code\n")?;
    let (before, after) = (old.codes().bits(), updated.model.codes().bits());
    let digits = |code: Option<&[u64]>, width| -> Vec<u8> {
        code.into_iter()
            .flat_map(|code| bits(code, width))
            .map(|bit| b'0' + u8::from(bit))
            .collect()
    };
    for change in updated.changes(old) {
        escaped(out, change.concept, None)?;
        for digits in [digits(change.before, before), digits(change.after, after)] {
            out.write_all(b"\t")?;
            out.write_all(&digits)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn sql(
    old: &Model,
    updated: &Updated,
    table: &str,
    key: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (before, after) = (old.codes().bits(), updated.model.codes().bits());
    let words = words_per_code(after);
    let Tables { table, own, patch, own_patch } = Tables::new(table);
    let key = identifier(key);
    let list = |each: &dyn Fn(usize) -> String| (0..words).map(each).collect::<Vec<_>>().join(", ");
    let declared = list(&|word| format!("c{word} bigint"));
    let assigned = list(&|word| format!("c{word} = {own_patch}.c{word}"));
    writeln!(
        out,
        "-- Codes of a new version, from {before} to {after} bits; made by `binder update`.\n\
         -- Changes the codes in {table}. For psql, add -v ON_ERROR_STOP=1.\nBEGIN;\n"
    )?;
    for word in words_per_code(before)..words {
        writeln!(out, "ALTER TABLE {table} ADD COLUMN c{word} bigint DEFAULT 0;")?;
    }
    writeln!(
        out,
        "-- The codes that differ; `what` is gone, changed or new. An earlier patch is replaced.\n\
         DROP TABLE IF EXISTS {patch};\n\
         CREATE TABLE {patch} (concept text PRIMARY KEY, what text NOT NULL, {declared});\n"
    )?;
    insert_rows(&patch, updated.changes(old).map(|change| row(&change, words)), out)?;
    writeln!(
        out,
        "UPDATE {table} SET {assigned} FROM {patch}\n\
         WHERE {own}.{key} = {own_patch}.concept AND {own_patch}.what = 'changed';\n\n\
         -- Rows of concepts that are gone are left as they are. How many are there?\n\
         SELECT count(*) AS rows_of_gone_concepts FROM {table}\n\
         WHERE {key} IN (SELECT concept FROM {patch} WHERE what = 'gone');\n\nCOMMIT;"
    )
}

/// The names of the table that is changed and of that of the patch, with and without their schema.
struct Tables {
    table: String,
    own: String,
    patch: String,
    own_patch: String,
}

impl Tables {
    fn new(table: &str) -> Self {
        let (schema, own) = match table.rsplit_once('.') {
            Some((schema, own)) => {
                (schema.split('.').map(|part| identifier(part) + ".").collect(), own)
            }
            None => (String::new(), table),
        };
        let (own, own_patch) = (identifier(own), identifier(&format!("{own}_patch")));
        let [table, patch] = [&own, &own_patch].map(|name| format!("{schema}{name}"));
        Self { table, own, patch, own_patch }
    }
}

/// One row of the patch's table. What is gone has no code.
fn row(change: &Change<'_>, words: usize) -> String {
    let what = match (change.before, change.after) {
        (_, None) => "gone",
        (Some(_), Some(_)) => "changed",
        (None, Some(_)) => "new",
    };
    let word = |word: usize| match change.after {
        Some(code) => code[word].cast_signed().to_string(),
        None => "NULL".to_owned(),
    };
    let code: Vec<String> = (0..words).map(word).collect();
    format!("({}, '{what}', {})", literal(change.concept), code.join(", "))
}
