use std::io::{self, Write};
use std::path::Path;

use super::concepts::bits;
use super::escape::escaped;
use super::sql::{identifier, insert_rows, literal};
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
        /// The table that stores codes in columns c0, c1, …
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
    let nul = |change: &Change<'_>| change.concept.contains('\0');
    if let (Patch::Sql { .. }, Some(change)) = (format, updated.changes(old).find(nul)) {
        return Err(ExportError::Nul(change.concept.to_owned()));
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
    let patch = identifier(&format!("{table}_patch"));
    let (table, key) = (identifier(table), identifier(key));
    let list = |each: &dyn Fn(usize) -> String| (0..words).map(each).collect::<Vec<_>>().join(", ");
    let declared = list(&|word| format!("c{word} bigint"));
    let assigned = list(&|word| format!("c{word} = patch.c{word}"));
    writeln!(
        out,
        "-- Codes of a new version, from {before} to {after} bits; made by `binder update`.\n\
         -- Changes the codes in {table}. Use it on every table that stores them.\nBEGIN;\n"
    )?;
    for word in words_per_code(before)..words {
        writeln!(out, "ALTER TABLE {table} ADD COLUMN c{word} bigint DEFAULT 0;")?;
    }
    writeln!(
        out,
        "-- `what` is gone, changed or new.\n\
         CREATE TABLE {patch} (concept text PRIMARY KEY, what text NOT NULL, {declared});\n"
    )?;
    insert_rows(&patch, updated.changes(old).map(|change| row(&change, words)), out)?;
    writeln!(
        out,
        "UPDATE {table} SET {assigned} FROM {patch} AS patch\n\
         WHERE {table}.{key} = patch.concept AND patch.what = 'changed';\n\nCOMMIT;\n\n\
         -- Rows of concepts that are gone are left as they are. How many are there?\n\
         SELECT count(*) AS rows_of_gone_concepts FROM {table}\n\
         WHERE {key} IN (SELECT concept FROM {patch} WHERE what = 'gone');"
    )
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
